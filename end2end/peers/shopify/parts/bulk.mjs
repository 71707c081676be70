// Bulk operations: a query whose answer is a file of JSON lines, with each node of a connection on its own line.
import { appendFileSync, createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse, validate } from 'graphql';
import { connection, notModelled, readsOnly, userError } from './answers.mjs';
import { wrongInBulk } from './bulk_rules.mjs';
import { runBulk } from './execute.mjs';
import { register, show } from './views.mjs';

const AT_ONCE = 5; // operations of one app that run at the same time
const PART = 250; // orders that are written to the file at once
const COPIES_AT_ONCE = 1000;
const running = ({ status }) => ['CREATED', 'RUNNING'].includes(status);

const folder = mkdtempSync(join(tmpdir(), 'shopify-stand-in-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const bulkMutations = {
  async bulkOperationRunQuery({ query, groupObjects }, context, info) {
    const { shop } = context;
    const failed = (message, code) => ({ bulkOperation: null, userErrors: [userError(['query'], message, code)] });
    if (shop.bulkOperations.filter(running).length >= AT_ONCE) return failed('A bulk query operation for this app and shop is already in progress.', 'OPERATION_IN_PROGRESS');
    let document;
    try {
      document = parse(query);
    } catch (error) {
      return failed(`Invalid bulk query: ${error.message}`, 'INVALID');
    }
    const wrong = validate(info.schema, document).at(0)?.message ?? wrongInBulk(info.schema, document);
    if (wrong) return failed(`Invalid bulk query: ${wrong}`, 'INVALID');
    const { failure, file } = shop.planned;
    shop.planned = { failure: null, file: {} };
    const made = shop.keep('BulkOperation', {
      query, status: 'CREATED', createdAt: shop.time(), completedAt: null, polls: shop.bulkPolls, ending: failure ?? { status: 'COMPLETED', errorCode: null },
      url: context.url, file, path: join(folder, `${crypto.randomUUID()}.jsonl`), objects: 0, roots: 0, isWritten: false,
    });
    writeFileSync(made.path, '');
    const write = writer(made, context, info.schema, document, groupObjects);
    await write.next(); // so that a gap of the stand-in is an error of this call
    finish(made, write);
    shop.bulkOperations.push(made);
    return { bulkOperation: shown(made), userErrors: [] };
  },
};

export const bulkQueries = {
  currentBulkOperation: (args, { shop }, info) => {
    readsOnly(args, info, []);
    return show(shop, shop.bulkOperations.at(-1));
  },
  bulkOperation: ({ id }, { shop }) => show(shop, shop.find(id, 'BulkOperation')),
  bulkOperations: (args, context, info) =>
    connection([...context.shop.bulkOperations].reverse().map((one) => show(context.shop, one)), args, context, info),
};

/** Writes the file of an operation part by part, so that no answer has to fit into memory. */
async function* writer(operation, context, schema, document, isGrouped) {
  const later = []; // without grouping, children come after all roots
  let from = 0;
  let total = 0;
  do {
    const part = { from, count: PART, total: 0, copies: [] };
    const { data, errors } = await runBulk(context, schema, document, part);
    if (errors?.some(({ extensions }) => extensions.code !== 'ACCESS_DENIED')) throw errors[0];
    if (errors) {
      Object.assign(operation.ending, { status: 'FAILED', errorCode: 'ACCESS_DENIED' });
      break;
    }
    const lines = [];
    flatten(data, null, lines);
    const groups = grouped(lines);
    for (const [at, group] of groups.entries()) {
      append(operation, isGrouped ? group : group.slice(0, 1));
      if (!isGrouped) later.push(...group.slice(1));
      yield* copies(operation, group, (part.copies.at(at) ?? 1) - 1);
    }
    ({ total } = part);
    from += PART;
    yield;
  } while (from < total);
  append(operation, later);
  const { raw, after = [] } = operation.file;
  if (raw !== undefined) writeFileSync(operation.path, raw);
  for (const line of after) appendFileSync(operation.path, `${typeof line === 'number' ? `{"title":"${'x'.repeat(line)}"}` : line}\n`);
}

async function finish(operation, write) {
  try {
    for await (const _ of write) await setImmediate();
  } catch (error) {
    Object.assign(operation.ending, { status: 'FAILED', errorCode: 'INTERNAL_SERVER_ERROR' });
    console.error(error);
  }
  operation.isWritten = true;
}

function append(operation, lines) {
  if (!lines.length) return;
  appendFileSync(operation.path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  operation.objects += lines.length;
  operation.roots += lines.filter((line) => !('__parentId' in line)).length;
}

/** Writes copies of an order that `/control/many` made: the same but for ids, name and e-mail address. */
function* copies(operation, group, count) {
  const text = group.map((line) => `${JSON.stringify(line)}\n`).join('');
  for (let at = 1; at <= count; at += COPIES_AT_ONCE) {
    let written = '';
    const end = Math.min(at + COPIES_AT_ONCE, count + 1);
    for (let copy = at; copy < end; copy += 1) {
      written += text
        .replaceAll(/"gid:\/\/shopify\/(Order|LineItem|Fulfillment)\/(\d+)"/g, (whole, type, number) => `"gid://shopify/${type}/${number}${String(copy).padStart(7, '0')}"`)
        .replace(/"name":"([^"]+)"/, (whole, name) => `"name":"${name}-C${copy}"`)
        .replace(/"email":"([^"@]+)@/, (whole, name) => `"email":"${name}${copy}@`);
    }
    appendFileSync(operation.path, written);
    operation.objects += group.length * (end - at);
    operation.roots += end - at;
    yield;
  }
}

/** Puts each node of a connection on its own line, after the node that it belongs to. */
function flatten(value, parent, lines) {
  const own = {};
  const inner = [];
  for (const [name, part] of Object.entries(value)) {
    const nodes = part?.nodes ?? part?.edges?.map(({ node }) => node);
    if (nodes) inner.push(...nodes);
    else own[name] = part;
  }
  if (parent !== null || 'id' in own) lines.push(parent === null ? own : { ...own, ...(parent.id ? { __parentId: parent.id } : {}) });
  if (inner.length && lines.length && parent !== null && !own.id) throw notModelled('a bulk query with a connection below a node without its id');
  for (const node of inner) flatten(node, own.id ? { id: own.id } : {}, lines);
}

/** The lines of each root. */
function grouped(lines) {
  const groups = [];
  for (const line of lines) {
    if ('__parentId' in line) groups.at(-1).push(line);
    else groups.push([line]);
  }
  return groups;
}

/** Asking for an operation moves it on. */
function polled(shop, operation) {
  if (!running(operation)) return;
  operation.status = 'RUNNING';
  if (operation.polls <= 0 && operation.isWritten) Object.assign(operation, { status: operation.ending.status, completedAt: shop.time() });
  operation.polls -= 1;
}

function shown(operation) {
  const { status, file } = operation;
  const bytes = statSync(operation.path).size;
  const url = file.url ?? `${operation.url}/bulk/${operation.number}.jsonl`;
  return {
    __typename: 'BulkOperation', id: operation.id, status, type: 'QUERY', query: operation.query, createdAt: operation.createdAt,
    completedAt: operation.completedAt, errorCode: running(operation) ? null : operation.ending.errorCode,
    objectCount: String(operation.objects), rootObjectCount: String(operation.roots),
    fileSize: status === 'COMPLETED' && bytes ? String(bytes + (file.sizeOff ?? 0)) : null, url: status === 'COMPLETED' && bytes ? url : null,
    partialDataUrl: status === 'FAILED' && operation.ending.partial ? url : null,
  };
}

register('BulkOperation', (shop, operation) => {
  polled(shop, operation);
  return shown(operation);
});

/** Lets the files of all operations end, as Shopify does after seven days. */
export function expire(shop) {
  for (const operation of shop.bulkOperations) if (operation.status === 'COMPLETED') operation.status = 'EXPIRED';
}

/** Serves the file of an operation, with ranges, so that a download can continue. */
export function bulkFile(shop, request, response, name) {
  shop.downloads.push({ range: request.headers.range ?? null, token: 'x-shopify-access-token' in request.headers });
  const operation = shop.bulkOperations.find(({ number, status }) => `${number}.jsonl` === name && ['COMPLETED', 'FAILED'].includes(status));
  if (!operation) return response.writeHead(404).end();
  const { file } = operation;
  const size = statSync(operation.path).size - (file.cut ?? 0);
  const from = file.withoutRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from >= size && from > 0) return response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const headers = { 'content-type': 'application/jsonl', 'accept-ranges': 'bytes', ...(file.withoutSize ? {} : { 'content-length': size - from }) };
  if (from) headers['content-range'] = `bytes ${from}-${size - 1}/${file.withoutSize ? '*' : size}`;
  response.writeHead(from ? 206 : 200, headers);
  if (!size) return response.end();
  // The connection breaks once after that many bytes, counted from the start of the file.
  const breaks = file.breakAt !== undefined && from <= file.breakAt;
  const end = breaks ? file.breakAt : size - 1;
  if (breaks) delete file.breakAt;
  const stream = createReadStream(operation.path, { start: from, end });
  stream.on('end', () => { if (breaks) setTimeout(() => request.socket.destroy(), 50); });
  stream.on('error', () => request.socket.destroy());
  response.on('close', () => stream.destroy());
  return stream.pipe(response, { end: !breaks });
}
