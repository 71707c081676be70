import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startMail } from './mail';

const retour = process.env.RETOUR_BIN ?? resolve(__dirname, '../../../target/release/retour');
const logs = resolve(__dirname, '../../test-results');

/**
 * Serves the demo shop from the release build, with a database of its own, and sets for the tests:
 * RETOUR_URL is its URL, RETOUR_DEMO the output of `retour demo` (order numbers, the API key),
 * RETOUR_MAILS is where mail arrives (support/mail.ts), RETOUR_BIN and RETOUR_DATABASE_URL let them make shops and orders of their own (support/shop.ts).
 * If all of these are already set, the tests use that server.
 */
export default async function serve(): Promise<void | (() => Promise<void>)> {
  if (process.env.RETOUR_URL) return;

  const { folder, database, demo } = await makeDemo();
  process.env.RETOUR_BIN = retour;
  process.env.RETOUR_DATABASE_URL = database;
  process.env.RETOUR_DEMO = demo;
  process.env.RETOUR_MAILS = join(folder, 'mails');
  await mkdir(process.env.RETOUR_MAILS);
  const mail = await startMail(process.env.RETOUR_MAILS);
  process.env.SMTP_URL = `smtp://127.0.0.1:${mail.port}`;
  process.env.RETOUR_MAIL_FROM = 'returns@retour.example';
  try {
    const server = await start();
    process.env.RETOUR_URL = server.url;
    return async () => {
      await server.stop();
      mail.server.kill();
      await rm(folder, { recursive: true, force: true });
    };
  } catch (error) {
    mail.server.kill();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * A database with the demo shop, in a folder of its own, and the output of `retour demo`. `full`: also the people and
 * returns of the demo.
 */
async function makeDemo(full = false) {
  const folder = await mkdtemp(join(tmpdir(), 'retour-browser-tests-'));
  const database = `sqlite://${folder}/retour.db`;
  const options = { cwd: folder, env: { ...process.env, DATABASE_URL: database } };
  await promisify(execFile)(retour, ['migrate'], options);
  const { stdout } = await promisify(execFile)(retour, full ? ['demo'] : ['demo', '--empty'], options);
  return { folder, database, demo: stdout };
}

/** Starts a server with its own settings and its own demo shop, because only one program may serve an SQLite file. */
export async function startAlone(settings: NodeJS.ProcessEnv, full = false): Promise<Server & { demo: string }> {
  const { folder, database, demo } = await makeDemo(full);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const server = await start({ DATABASE_URL: database, ...settings });
    return { url: server.url, demo, stop: () => server.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

export interface Server {
  url: string;
  stop: () => Promise<void>;
}

/** Starts a server on the tests' database. By default it does not limit requests: all tests come from one address. */
async function start(settings: NodeJS.ProcessEnv = {}): Promise<Server> {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const env = {
    ...process.env,
    DATABASE_URL: process.env.RETOUR_DATABASE_URL!,
    LEPTOS_SITE_ADDR: address,
    RETOUR_PUBLIC_URL: url,
    RETOUR_RATE_LIMIT: '0',
    RETOUR_SECRET_KEY: 'of servers that only the browser tests call',
    RETOUR_OUTBOUND_ALLOW: '127.0.0.0/8', // the tests' shops are here
    ...settings,
  };
  // In a folder of its own, so that the program finds its site and writes nothing into the clone.
  const cwd = dirname(env.DATABASE_URL.replace('sqlite://', ''));
  const log = join(logs, `server-${address.replace(/\D+/g, '-')}.log`);
  await mkdir(logs, { recursive: true });
  const output = createWriteStream(log);
  const server = spawn(retour, ['serve'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  server.stdout.pipe(output);
  server.stderr.pipe(output);
  try {
    await ready(`${url}/health/ready`, server);
  } catch {
    await end(server);
    throw new Error(`${retour} serve did not become ready; see ${log}`);
  }
  return { url, stop: () => end(server) };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    if (ended(server)) break;
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('not ready');
}

export async function end(server: ChildProcess): Promise<void> {
  if (ended(server)) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  const late = setTimeout(() => server.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(late);
}

function ended(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}
