// A Medusa shop without admin UI, for tests, in a database of its own. It creates its tables and its administrator, which
// takes almost a minute, prints "medusa ready on http://127.0.0.1:PORT" once it answers, and ends with SIGTERM or when
// standard input closes, and so with the program that started it. Then it drops its database. shop.mjs fills it.
//   RETOUR_TEST_POSTGRES=postgres://superuser… node server.mjs
import { spawn } from 'node:child_process';
import { rmdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

const { RETOUR_TEST_POSTGRES, ADMIN_EMAIL = 'admin@example.com', ADMIN_PASSWORD = 'test-admin' } = process.env;
const database = `medusa_${process.pid}`;
const folder = fileURLToPath(new URL('.', import.meta.url));
const env = {
  ...process.env,
  DATABASE_URL: String(Object.assign(new URL(RETOUR_TEST_POSTGRES), { pathname: database })),
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  MEDUSA_DISABLE_TELEMETRY: 'true',
  NODE_ENV: 'production',
};

async function administer(sql) {
  const postgres = new pg.Client(RETOUR_TEST_POSTGRES);
  postgres.on('error', () => {}); // Postgres may stop during a query: then the query fails
  await postgres.connect();
  await postgres.query(sql).finally(() => postgres.end());
}

let running;
let ending = false;
/** Runs one of Medusa's commands to its end. Its output goes to our standard error. */
function medusa(...args) {
  running = spawn(process.execPath, ['node_modules/@medusajs/cli/cli.js', ...args], { cwd: folder, env, stdio: ['ignore', 2, 2] });
  return new Promise((done, failed) => {
    running.once('error', failed);
    running.once('exit', (code) => (code === 0 ? done() : failed(new Error(`medusa ${args[0]} ended with ${code}`))));
  });
}

async function end(status = 0) {
  if (ending) return;
  ending = true;
  running?.kill('SIGKILL'); // none of its data is kept
  // The test's Postgres may have stopped first.
  await administer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`).catch(() => {});
  process.exit(status);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => end());
process.stdin.once('end', () => end()).resume();

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

async function start() {
  const started = Date.now();
  await administer(`CREATE DATABASE ${database}`);
  await medusa('db:migrate');
  try {
    rmdirSync(`${folder}migrations`); // the command leaves this folder behind
  } catch {}
  await medusa('user', '--email', ADMIN_EMAIL, '--password', ADMIN_PASSWORD);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const served = medusa('start', '--host', '127.0.0.1', '--port', `${port}`);
  const answers = () => fetch(`${url}/health`).then((answer) => answer.ok, () => false);
  const ready = (async () => {
    while (!ending && !(await answers())) await setTimeout(200);
    console.log(`medusa ready on ${url} after ${Date.now() - started} ms`);
  })();
  await Promise.all([served, ready]);
}

start().then(
  () => end(),
  (error) => {
    if (!ending) console.error(error);
    return end(1);
  },
);
