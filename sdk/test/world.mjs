// Runs a command beside a demo shop of its own and a proxy that fails: `node sdk/test/world.mjs COMMAND…`. The command finds them in
// RETOUR_URL, RETOUR_KEY (with all scopes) and RETOUR_FAULTS. Both end with it.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startFaults } from "./faults.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const program = resolve(process.env.RETOUR_BIN ?? join(root, "target/test/retour"));
if (!existsSync(program)) throw new Error(`${program} is missing: make test T=compile`);
const folder = mkdtempSync(join(tmpdir(), "retour-sdk-"));
const url = `http://127.0.0.1:${await freePort()}`;
const settings = {
  ...process.env,
  DATABASE_URL: `sqlite://${folder}/retour.db`,
  FILES_URL: `file://${folder}/files`,
  LEPTOS_SITE_ADDR: url.slice("http://".length),
  LEPTOS_SITE_ROOT: join(dirname(program), "site"),
  RETOUR_PUBLIC_URL: url,
  LOG: "warn",
};

let server, faults;
try {
  server = spawn(program, ["demo", "--serve", "--key-file", `${folder}/demo.key`], { env: settings, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  await ready();
  const created = execFileSync(program, ["service-user", "create", "--account", "fjord-fern", "--name", "sdk", "--scopes", "read,write,admin"], { env: settings, encoding: "utf8" });
  faults = await startFaults(url);
  const [command, ...arguments_] = process.argv.slice(2);
  const env = {
    ...process.env,
    RETOUR_URL: url,
    RETOUR_KEY: created.match(/rtk_\w+/)[0],
    RETOUR_FAULTS: `http://127.0.0.1:${faults.address().port}`,
  };
  const child = spawn(command, arguments_, { env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  process.exitCode = await ended(child);
} finally {
  faults?.close();
  faults?.closeAllConnections();
  if (server) {
    const end = ended(server);
    server.kill("SIGKILL");
    await end;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function freePort() {
  const listener = createServer();
  await new Promise((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address();
  await new Promise((done) => listener.close(done));
  return port;
}

async function ready() {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${program} ended`);
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

function ended(child) {
  return new Promise((done) => child.once("close", (code) => done(code ?? 1)));
}
