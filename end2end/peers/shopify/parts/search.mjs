// The part of Shopify's search syntax that a returns service needs: field:value terms, AND, OR, -, quotes, comparators, brackets.
import { notModelled, requestError } from './answers.mjs';

const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}@._+]+/u).filter(Boolean);
// The search finds words, not whole names: 1001 finds #1001, but #1001-A as well. A caller has to compare the name itself.
const hasWords = (text, value) => {
  const wanted = words(value);
  const there = words(text ?? '');
  return wanted.length > 0 && there.some((word, at) => wanted.every((one, offset) => there[at + offset] === one));
};
const compare = {
  ':': (left, right) => left === right, ':<': (left, right) => left < right, ':>': (left, right) => left > right,
  ':<=': (left, right) => left <= right, ':>=': (left, right) => left >= right,
};
const byText = (of) => (order, comparator, value) => comparator === ':' && hasWords(of(order), value);
const byTime = (of) => (order, comparator, value) => compare[comparator](Date.parse(of(order)), Date.parse(value));

const fields = {
  name: byText(({ name }) => name),
  email: (order, comparator, value) => order.email?.toLowerCase() === value.toLowerCase(),
  id: (order, comparator, value) => compare[comparator](order.number, Number(value.split('/').at(-1))),
  tag: (order, comparator, value) => order.tags.some((tag) => tag.toLowerCase() === value.toLowerCase()),
  created_at: byTime(({ createdAt }) => createdAt),
  processed_at: byTime(({ createdAt }) => createdAt),
  updated_at: byTime(({ updatedAt }) => updatedAt),
  status: (order, comparator, value) => value === 'any' || (value === 'cancelled' ? order.cancelledAt !== null : value === 'open' ? !order.closedAt && !order.cancelledAt : value === 'closed' && order.closedAt !== null),
};

/** Returns a function that says whether an order fits a query of `orders(query:)`. */
export function orderFilter(query) {
  if (query == null || !query.trim()) return () => true;
  const tokens = [...query.matchAll(/\s*(\(|\)|-?[a-z_]+:(?:<=|>=|<|>)?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()]+)|"[^"]*"|'[^']*'|[^\s()]+)/gi)].map(([, token]) => token);
  const { filter, rest } = readQuery(tokens);
  if (rest.length) throw requestError(`Invalid search query: ${query}`, 'BAD_REQUEST');
  return filter;
}

function readQuery(tokens) {
  let { filter, rest } = readTerm(tokens);
  while (rest.length && rest[0] !== ')') {
    const isOr = rest[0].toUpperCase() === 'OR';
    const next = readTerm(isOr || rest[0].toUpperCase() === 'AND' ? rest.slice(1) : rest);
    const [left, right] = [filter, next.filter];
    filter = isOr ? (order) => left(order) || right(order) : (order) => left(order) && right(order);
    rest = next.rest;
  }
  return { filter, rest };
}

function readTerm([token, ...rest]) {
  if (token === undefined) throw requestError('Invalid search query', 'BAD_REQUEST');
  if (token.toUpperCase() === 'NOT') {
    const inner = readTerm(rest);
    return { filter: (order) => !inner.filter(order), rest: inner.rest };
  }
  if (token === '(') {
    const inner = readQuery(rest);
    if (inner.rest[0] !== ')') throw requestError('Invalid search query', 'BAD_REQUEST');
    return { filter: inner.filter, rest: inner.rest.slice(1) };
  }
  const found = /^(-?)([a-z_]+)(:(?:<=|>=|<|>)?)(.*)$/is.exec(token);
  if (!found) {
    const value = unquoted(token);
    return { filter: (order) => hasWords(order.name, value) || hasWords(order.email, value), rest };
  }
  const [, minus, name, comparator, written] = found;
  const field = fields[name.toLowerCase()];
  if (!field) throw notModelled(`the search field ${name} of orders`);
  const value = unquoted(written);
  const filter = (order) => field(order, comparator, value);
  return { filter: minus ? (order) => !filter(order) : filter, rest };
}

const unquoted = (text) => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text);

const keys = {
  PROCESSED_AT: ({ createdAt }) => Date.parse(createdAt), CREATED_AT: ({ createdAt }) => Date.parse(createdAt),
  UPDATED_AT: ({ updatedAt }) => Date.parse(updatedAt), ID: ({ number }) => number, ORDER_NUMBER: ({ sequence }) => sequence, RELEVANCE: ({ number }) => number,
};

/** Returns orders sorted by a key of OrderSortKeys, oldest first. */
export function sortOrders(orders, sortKey) {
  const key = keys[sortKey];
  if (!key) throw notModelled(`the sort key ${sortKey} of orders`);
  return [...orders].sort((one, other) => key(one) - key(other) || one.number - other.number);
}
