// Helpers of the resolvers: errors, connections, and checks that nothing is ignored silently.
import { GraphQLError } from 'graphql';

/** The stand-in has no answer. The server turns it into HTTP 501, so that no test takes a gap for Shopify's behaviour. */
export function notModelled(what) {
  return new GraphQLError(`The stand-in does not model ${what}.`, { extensions: { code: 'NOT_MODELLED' } });
}

/** An error of the request, as Shopify reports it beside `data`. */
export const requestError = (message, code, more = {}) => new GraphQLError(message, { extensions: { code, ...more } });

/** Fails if an argument has a value that the resolver does not read. */
export function readsOnly(args, info, names) {
  const { args: declared } = info.parentType.getFields()[info.fieldName];
  for (const { name, defaultValue } of declared) {
    const ignored = !(args[name] == null || (Array.isArray(args[name]) && !args[name].length)) && args[name] !== defaultValue && !names.includes(name);
    if (ignored) throw notModelled(`the argument ${name} of ${info.parentType.name}.${info.fieldName}`);
  }
}

/** Fails if an input object has a field that the resolver does not read. */
export function inputOnly(input, what, names) {
  for (const [name, value] of Object.entries(input)) {
    if (!isUnset(value) && !names.includes(name)) throw notModelled(`the input field ${what}.${name}`);
  }
}

const isUnset = (value) => value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

const MOST = 250;
const cursorOf = (at) => Buffer.from(JSON.stringify({ last_id: at })).toString('base64');
const indexOf = (cursor) => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64').toString()).last_id;
  } catch {
    throw requestError('Invalid cursor for current pagination sort.', 'BAD_REQUEST');
  }
};

/** Answers a connection over `items`. `names` are arguments that the caller has applied itself. A bulk operation has no pages. */
export function connection(items, args, context, info, names = []) {
  readsOnly(args, info, ['first', 'last', 'after', 'before', 'reverse', ...names]);
  const { first, last, after, before, reverse } = args;
  if (first == null && last == null && !context.bulk) {
    throw requestError('you must provide one of first or last', 'BAD_REQUEST');
  }
  if ((first ?? last ?? 0) > MOST) throw requestError(`first cannot exceed ${MOST}`, 'BAD_REQUEST');
  if ((first ?? last ?? 1) < 1) throw requestError('first must be positive', 'BAD_REQUEST');
  const all = (reverse ? [...items].reverse() : items).map((node, at) => ({ node, cursor: cursorOf(at) }));
  const from = after == null ? 0 : indexOf(after) + 1;
  const to = before == null ? all.length : indexOf(before);
  let edges = all.slice(from, to);
  const found = edges.length;
  if (first != null) edges = edges.slice(0, first);
  else if (last != null) edges = edges.slice(-last);
  const pageInfo = {
    hasNextPage: first != null ? edges.length < found || to < all.length : to < all.length,
    hasPreviousPage: from > 0 || (first == null && edges.length < found),
    startCursor: edges.at(0)?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { edges, nodes: edges.map(({ node }) => node), pageInfo };
}

/** Makes a resolver of a connection from a function that lists its items. */
export const pages = (list) => (args, context, info) => connection(list(), args, context, info);

/** Makes a resolver of a plain list that takes `first`. */
export const firstOf = (list) => (args, context, info) => {
  readsOnly(args, info, ['first']);
  return args.first == null ? list() : list().slice(0, args.first);
};

/** An item of `userErrors`. */
export const userError = (field, message, code) => ({ field, message, ...(code === undefined ? {} : { code }) });

/** Reads the number of a global id, such as gid://shopify/Order/1001. */
export const gid = (type, number) => `gid://shopify/${type}/${number}`;
