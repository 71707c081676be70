// Runs a command beside a new demo shop and a failing proxy: `node sdk/test/world.mjs COMMAND…`. The command finds them in RETOUR_URL,
// RETOUR_KEY (with all scopes) and RETOUR_FAULTS. Both stop when the command ends.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startFaults } from "./faults.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const program = resolve(process.env.RETOUR_BIN ?? join(root, "target/test/retour"));
if (!existsSync(program)) throw new Error(`${program} is missing: make test T=compile`);
const folder = mkdtempSync(join(tmpdir(), "retour-sdk-"));
const settings = {
  ...process.env,
  DATABASE_URL: `sqlite://${folder}/retour.db`,
  FILES_URL: `file://${folder}/files`,
  LEPTOS_SITE_ADDR: "127.0.0.1:0", // any free port: its log says which
  LEPTOS_SITE_ROOT: join(dirname(program), "site"),
  LOG: "info",
};

let server, faults;
try {
  server = spawn(program, ["demo", "--serve", "--empty", "--key-file", `${folder}/demo.key`], { env: settings, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const url = await served();
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

/** The address that the server says it serves. */
function served() {
  return new Promise((done, fail) => {
    let log = "";
    const read = (text) => {
      log += text;
      const address = /serving (http:\S+)\n/.exec(log)?.[1];
      if (address) done(address);
    };
    for (const stream of [server.stdout, server.stderr]) stream.setEncoding("utf8").on("data", read);
    server.once("close", () => fail(new Error(`${program} ended: ${log}`)));
  });
}

function ended(child) {
  return new Promise((done) => child.once("close", (code) => done(code ?? 1)));
}
