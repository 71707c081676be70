import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { all, retour } from "./world.js";

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((ready) => listener.listen(0, "127.0.0.1", ready));
  const { port } = listener.address() as AddressInfo;
  await new Promise((closed) => listener.close(closed));
  return port;
}

/** Waits until it holds, as long as the test may take. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 50));
}

test("the samples of the README", { timeout: 60_000 }, async () => {
  const port = await freePort();
  const { id } = await retour.createWebhookSubscription({ url: `http://127.0.0.1:${port}/`, eventTypes: ["return_request.stage_changed", "test.ping"] });
  const { secret } = await retour.getWebhookSecret(id);
  await retour.updateWebhookSubscription(id, { enabled: false }); // until the sample listens

  const sample = fileURLToPath(new URL("../samples/readme.js", import.meta.url));
  const child = spawn(process.execPath, [sample], { env: { ...process.env, RETOUR_WEBHOOK_SECRET: secret, PORT: String(port) }, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  try {
    await until(() => /^W-/m.test(printed) || child.exitCode !== null);
    await until(async () => child.exitCode !== null || (await retour.testWebhookSubscription(id)).status === "Delivered");
    assert.equal(child.exitCode, null, `the samples ended: ${printed}`);
    assert.match(printed, /^Fjord & Fern GBP$/m);
    assert.match(printed, /^R-\S+ Open \d{4,}$/m);
    assert.match(printed, /^no such return request \S+$/m);

    await retour.updateWebhookSubscription(id, { enabled: true });
    const number = /^(R-\S+) Open/m.exec(printed)?.[1];
    const [order] = await all(retour.iterateReturnOrders({ filter: [`number:${number}`] }));
    assert.ok(order);
    await retour.cancelReturnOrder(order.id);
    await until(() => printed.includes("#1001 Closed: Cancelled") || child.exitCode !== null);
    assert.match(printed, /^#1001 Closed: Cancelled$/m);
  } finally {
    child.kill();
  }
});
