import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { all, retour } from "./world.js";

/** Waits until it holds, as long as the test may take. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 50));
}

test("the samples of the README", { timeout: 60_000 }, async () => {
  const { id } = await retour.createWebhookSubscription({ url: "http://127.0.0.1:9/", eventTypes: ["test.ping"] });
  const { secret } = await retour.getWebhookSecret(id);
  const sample = fileURLToPath(new URL("../samples/readme.js", import.meta.url));
  const child = spawn(process.execPath, [sample], { env: { ...process.env, RETOUR_WEBHOOK_SECRET: secret, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  try {
    await until(() => /^receiving at/m.test(printed) || child.exitCode !== null);
    assert.equal(child.exitCode, null, `the samples ended: ${printed}`);
    assert.match(printed, /^Fjord & Fern GBP$/m);
    assert.match(printed, /^R-\S+ Open \d{4,}$/m);
    assert.match(printed, /^no such return request \S+$/m);
    assert.match(printed, /^W-\S+$/m);

    const port = /^receiving at .* port: (\d+)/m.exec(printed)?.[1];
    await retour.updateWebhookSubscription(id, { url: `http://127.0.0.1:${port}/`, eventTypes: ["return_request.stage_changed"] });
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
