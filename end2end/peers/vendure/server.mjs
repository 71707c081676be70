// A Vendure shop without admin UI, for tests. It creates its tables, prints "vendure ready on http://127.0.0.1:PORT" once
// it answers, and ends with SIGTERM; shop.mjs fills it. It uses an existing database:
//   DATABASE_URL=postgres://…/an_empty_database PORT=3900 node server.mjs
// or a database of its own, on a free port, which it drops when standard input closes, and so with the program that started it:
//   RETOUR_TEST_POSTGRES=postgres://superuser… node server.mjs --own-database
process.env.VENDURE_DISABLE_TELEMETRY = 'true';

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
const { bootstrap, DefaultLogger, LanguageCode, LogLevel, PaymentMethodHandler, RandomBytesApiKeyStrategy } =
  await import('@vendure/core');

const {
  DATABASE_URL,
  RETOUR_TEST_POSTGRES,
  PORT = '0',
  SUPERADMIN_NAME = 'superadmin',
  SUPERADMIN_PASSWORD = 'superadmin',
  VENDURE_LOG = 'Warn',
} = process.env;
let origin;

const own = process.argv.includes('--own-database') ? `vendure_${process.pid}` : undefined;
const url = own ? String(Object.assign(new URL(RETOUR_TEST_POSTGRES), { pathname: own })) : DATABASE_URL;
async function administer(sql) {
  const postgres = new pg.Client(RETOUR_TEST_POSTGRES);
  await postgres.connect();
  await postgres.query(sql).finally(() => postgres.end());
}
if (own) await administer(`CREATE DATABASE ${own}`);

// Accepts every payment. The metadata given to addPaymentToOrder controls it:
//   amount: 500          pays only that much, so that an order can have several payments
//   authorizeOnly: true  not settled yet;  decline: true  refused
//   refund: 'auto'       settles refunds at once, as Stripe's does;  'fail': the card is closed;  'throw': the
//                        provider is down;  by default they stay Pending until settleRefund
//   refundDelay: 3000    is slow (ms)
const testPayment = new PaymentMethodHandler({
  code: 'test-payment',
  description: [{ languageCode: LanguageCode.en, value: 'Pays whatever is asked' }],
  args: {},
  createPayment(ctx, order, amount, args, metadata) {
    const state = metadata.decline ? 'Declined' : metadata.authorizeOnly ? 'Authorized' : 'Settled';
    return { amount: metadata.amount ?? amount, state, transactionId: `pay-${order.code}`, metadata };
  },
  settlePayment: () => ({ success: true }),
  async createRefund(ctx, input, amount, order, { metadata }) {
    if (metadata.refundDelay) await setTimeout(metadata.refundDelay);
    if (metadata.refund === 'throw') throw new Error('the payment provider is down');
    if (metadata.refund === 'fail') return { state: 'Failed', metadata: { error: 'card closed' } };
    if (metadata.refund === 'auto') return { state: 'Settled', transactionId: `re-${order.code}-${amount}` };
    return false; // like a handler without createRefund
  },
});

// Images are in memory, because this server is deleted after the tests.
const images = new Map();
const keep = (name, data) => (images.set(name, data), name);
const imageStore = {
  writeFileFromBuffer: async (name, data) => keep(name, data),
  writeFileFromStream: async (name, stream) => keep(name, Buffer.concat(await stream.toArray())),
  readFileToBuffer: async (name) => images.get(name),
  readFileToStream: async (name) => Readable.from(images.get(name)),
  deleteFile: async (name) => void images.delete(name),
  fileExists: async (name) => images.has(name),
  toAbsoluteUrl: (request, name) => `${origin}/assets/${name}`,
};
const serveImage = (request, response) => {
  const image = images.get(decodeURIComponent(request.path.slice(1)));
  if (!image) return response.status(404).end();
  response.type('png').end(image);
};

// Vendure checks keys with bcrypt, which takes half a second each time. Test keys need no such protection.
const hash = async (text) => createHash('sha256').update(text).digest('hex');
const hashing = { hash, check: async (text, hashed) => (await hash(text)) === hashed };

const started = Date.now();
const app = await bootstrap({
  apiOptions: {
    hostname: '127.0.0.1',
    port: Number(PORT),
    cors: false,
    middleware: [{ route: '/assets', handler: serveImage, beforeListen: true }],
  },
  authOptions: {
    tokenMethod: ['bearer', 'api-key'],
    passwordHashingStrategy: hashing,
    adminApiKeyStrategy: new RandomBytesApiKeyStrategy({ hashingStrategy: hashing }),
    superadminCredentials: { identifier: SUPERADMIN_NAME, password: SUPERADMIN_PASSWORD },
  },
  dbConnectionOptions: { type: 'postgres', url, synchronize: true, logging: false },
  assetOptions: { assetStorageStrategy: imageStore, assetPreviewStrategy: { generatePreviewImage: async (ctx, type, data) => data } },
  paymentOptions: { paymentMethodHandlers: [testPayment] },
  logger: new DefaultLogger({ level: LogLevel[VENDURE_LOG] }),
  plugins: [],
});
origin = `http://127.0.0.1:${app.getHttpServer().address().port}`;
console.log(`vendure ready on ${origin} after ${Date.now() - started} ms`);

async function end() {
  await app.close();
  // The test's Postgres may have stopped first.
  if (own) await administer(`DROP DATABASE IF EXISTS ${own}`).catch(() => {});
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end);
if (own) process.stdin.once('end', end).resume();
