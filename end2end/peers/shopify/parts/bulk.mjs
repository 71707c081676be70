// Bulk operations: a query whose answer is a file of JSON lines, with each node of a connection on its own line.
import { parse, validate } from 'graphql';
import { connection, notModelled, readsOnly, userError } from './answers.mjs';
import { runBulk } from './execute.mjs';
import { register, show } from './views.mjs';

const AT_ONCE = 5; // operations of one app that run at the same time
const running = ({ status }) => ['CREATED', 'RUNNING'].includes(status);

export const bulkMutations = {
  async bulkOperationRunQuery({ query, groupObjects }, context, info) {
    const { shop } = context;
    const failed = (message, code) => ({ bulkOperation: null, userErrors: [userError(['query'], message, code)] });
    if (groupObjects) throw notModelled('groupObjects of bulkOperationRunQuery');
    if (shop.bulkOperations.filter(running).length >= AT_ONCE) return failed('A bulk query operation for this app and shop is already in progress.', 'OPERATION_IN_PROGRESS');
    let document;
    try {
      document = parse(query);
    } catch (error) {
      return failed(`Invalid bulk query: ${error.message}`, 'INVALID');
    }
    const [wrong] = validate(info.schema, document);
    if (wrong) return failed(`Invalid bulk query: ${wrong.message}`, 'INVALID');
    const { data, errors } = await runBulk(context, info.schema, document);
    if (errors?.some(({ extensions }) => extensions.code !== 'ACCESS_DENIED')) throw errors[0];
    const lines = [];
    if (data) flatten(data, null, lines);
    const ending = shop.bulkFailure ?? (errors ? { status: 'FAILED', errorCode: 'ACCESS_DENIED' } : { status: 'COMPLETED', errorCode: null });
    shop.bulkFailure = null;
    const made = shop.keep('BulkOperation', {
      query, status: 'CREATED', createdAt: shop.time(), completedAt: null, polls: shop.bulkPolls, ending, url: context.url,
      lines: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), objects: lines.length, roots: lines.filter((line) => !('__parentId' in line)).length,
    });
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

/** Asking for an operation moves it on. */
function polled(shop, operation) {
  if (!running(operation)) return;
  operation.status = 'RUNNING';
  if (operation.polls <= 0) Object.assign(operation, { status: operation.ending.status, completedAt: shop.time() });
  operation.polls -= 1;
}

const shown = (operation) => ({
  __typename: 'BulkOperation', id: operation.id, status: operation.status, type: 'QUERY', query: operation.query, createdAt: operation.createdAt,
  completedAt: operation.completedAt, errorCode: running(operation) ? null : operation.ending.errorCode,
  objectCount: String(running(operation) ? 0 : operation.objects), rootObjectCount: String(running(operation) ? 0 : operation.roots),
  fileSize: operation.status === 'COMPLETED' && operation.objects ? String(Buffer.byteLength(operation.lines)) : null,
  url: operation.status === 'COMPLETED' && operation.objects ? `${operation.url}/bulk/${operation.number}.jsonl` : null, partialDataUrl: null,
});

register('BulkOperation', (shop, operation) => {
  polled(shop, operation);
  return shown(operation);
});

/** Serves the file of an operation, with ranges, so that a download can continue. */
export function bulkFile(shop, request, response, name) {
  const operation = shop.bulkOperations.find(({ number, status }) => `${number}.jsonl` === name && status === 'COMPLETED');
  const bytes = Buffer.from(operation?.lines ?? '');
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const headers = { 'content-type': 'application/jsonl', 'accept-ranges': 'bytes', 'content-length': bytes.length - from };
  if (from) headers['content-range'] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(operation ? (from ? 206 : 200) : 404, headers);
  response.end(bytes.subarray(from));
}
