// The directive @idempotent(key:), as the page "Implementing idempotency" of Shopify's documentation describes it.
import { getDirectiveValues } from 'graphql';
import { requestError, userError } from './answers.mjs';

const REQUIRED_FROM = '2026-04'; // the schema of 2026-01 has the same description
const KEPT = 24 * 3600 * 1000; // milliseconds
// Shopify's texts for IDEMPOTENCY_* in the schema. refundCreate's user errors have no code.
const texts = {
  running: 'This request is currently in progress, please try again.',
  other: 'The same idempotency key cannot be used with different operation parameters.',
  failed: 'A previous request with this idempotency key failed. Retry with a new idempotency key.',
};

/** Returns the key of a mutation's field, if it has one. */
export function keyOf(schema, fieldNode, variables) {
  const directive = schema.getDirective('idempotent');
  return directive ? getDirectiveValues(directive, fieldNode, variables)?.key : undefined;
}

/** Says whether a mutation fails without a key. Only the description of its field says so. */
export const needsKey = (schema, mutation) =>
  Boolean(schema.getDirective('idempotent')) && /idempotency key is required/.test(schema.getMutationType().getFields()[mutation]?.description ?? '');

/**
 * Runs a mutation once for each key. `act` answers `{ made }` or `{ failed: userErrors }`; `answer` shows what was made, as it is now.
 */
export async function once(context, info, input, failed, act, answer) {
  const { shop } = context;
  const key = keyOf(info.schema, info.fieldNodes[0], info.variableValues);
  if (key === undefined && context.version >= REQUIRED_FROM && needsKey(info.schema, info.fieldName)) {
    throw requestError('The @idempotent directive is required for this mutation but was not provided.', 'BAD_REQUEST');
  }
  if (key !== undefined && !key.trim()) throw requestError('The idempotency key cannot be empty.', 'BAD_REQUEST');
  const name = key && `${info.fieldName} ${key}`;
  const fingerprint = JSON.stringify(sorted(input));
  const earlier = name && shop.keys.get(name);
  if (earlier && earlier.at + KEPT > shop.now()) {
    if (earlier.fingerprint !== fingerprint) return failed([userError(null, texts.other)]);
    return earlier.made ? answer(earlier.made) : failed([userError(null, texts[earlier.state])]);
  }
  const entry = { fingerprint, state: 'running', at: shop.now() };
  if (name) shop.keys.set(name, entry);
  await context.pause; // a slow call: others with its key see it running
  const { made, failed: errors } = attempt(() => act(key ?? null), () => shop.keys.delete(name));
  Object.assign(entry, { made, state: errors ? 'failed' : 'done' });
  return errors ? failed(errors) : answer(made);
}

function attempt(act, undo) {
  try {
    return act();
  } catch (error) {
    undo(); // the stand-in itself failed
    throw error;
  }
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}
