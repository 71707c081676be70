// One GraphQL request, from its text to Shopify's answer.
import { defaultTypeResolver, execute, getNamedType, getOperationAST, GraphQLError, isLeafType, Kind, parse, validate } from 'graphql';
import { checkAccess } from './access.mjs';
import { notModelled, readsOnly } from './answers.mjs';
import { MOST, requestedCost } from './cost.mjs';

// Reads a field of a view. A view that lacks the field is a gap of the stand-in, never a null.
const fieldResolver = (source, args, context, info) => {
  const { parentType, fieldName } = info;
  checkAccess(context.shop, info);
  const value = source[fieldName];
  if (value === undefined) throw notModelled(`${parentType.name}.${fieldName}`);
  if (!isLeafType(getNamedType(info.returnType))) context.objects.count += parentType.name === 'Mutation' ? 10 : 1;
  if (typeof value === 'function') return value(args, context, info);
  readsOnly(args, info, []);
  return value;
};
const typeResolver = (value, context, info, type) => value.__typename ?? defaultTypeResolver(value, context, info, type);

const checked = new WeakMap(); // documents of each schema: an app sends the same few

/** Parses and validates a request: `{ document, operation }`, or `{ errors }` in Shopify's form. */
export function read(schema, { query = '', operationName }) {
  if (!checked.has(schema)) checked.set(schema, new Map());
  const known = checked.get(schema);
  if (!known.has(query)) known.set(query, check(schema, query));
  const { document, errors } = known.get(query);
  if (errors) return { errors };
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [{ message: operationName ? `No operation named "${operationName}"` : 'An operation name is required' }] };
  return { document, operation };
}

function check(schema, query) {
  let document;
  try {
    document = parse(query);
  } catch (error) {
    return { errors: [shown(error, 'parseError')] };
  }
  const wrong = validate(schema, document);
  return wrong.length ? { errors: wrong.map((error) => shown(error, codeOf(error.message))) } : { document };
}

const codeOf = (message) => {
  if (/^Cannot query field/.test(message)) return 'undefinedField';
  if (/^Unknown argument/.test(message)) return 'argumentNotAccepted';
  if (/^Unknown directive/.test(message)) return 'undefinedDirective';
  if (/is required, but it was not provided/.test(message)) return 'missingRequiredArguments';
  return 'argumentLiteralsIncompatible';
};

const shown = (error, code) => ({ message: error.message, locations: error.locations, path: error.path, extensions: { code, ...error.extensions } });

/** Returns the names of an operation's root fields. */
export function rootFields(document, operation) {
  const names = [];
  const walk = ({ selections }) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.push(selection.name.value);
      else walk((selection.selectionSet ? selection : document.definitions.find(({ name }) => name?.value === selection.name.value)).selectionSet);
    }
  };
  walk(operation.selectionSet);
  return names;
}

/** Runs a request that `read` accepted. The answer has `status` and `body`. */
export async function run({ shop, bucket, schema, version, versions, roots, url, sizing, pause }, { document, operation }, variables = {}) {
  const requested = requestedCost(schema, document, operation, variables, sizing);
  const cost = (actual) => ({ cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus: bucket.status() } });
  if (requested > MOST) {
    const message = `Query cost is ${requested}, which exceeds the single query max cost limit (${MOST}).`;
    const extensions = { code: 'MAX_COST_EXCEEDED', cost: requested, maxCost: MOST, documentation: 'https://shopify.dev/api/usage/rate-limits' };
    return { status: 200, body: { errors: [{ message, extensions }] } };
  }
  if (!bucket.take(requested)) {
    const extensions = { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' };
    return { status: 200, body: { errors: [{ message: 'Throttled', extensions }], extensions: cost(null) } };
  }
  const context = { shop, version, versions, roots, url, pause, objects: { count: 0 }, bulk: false };
  const isMutation = operation.operation === 'mutation';
  const rootValue = isMutation ? roots.mutations : roots.queries;
  const result = await execute({
    schema, document, operationName: operation.name?.value, rootValue, contextValue: context, variableValues: variables, fieldResolver, typeResolver,
  });
  const actual = Math.min(requested, result.data ? Math.max(1, context.objects.count) : 1);
  bucket.giveBack(requested - actual);
  const errors = result.errors?.map((error) => shown(error, error.originalError && !(error.originalError instanceof GraphQLError) ? 'STAND_IN' : error.path ? undefined : 'INVALID_VARIABLE'));
  const gap = errors?.some(({ extensions }) => ['NOT_MODELLED', 'STAND_IN'].includes(extensions.code));
  const body = { ...('data' in result ? { data: result.data } : {}), ...(errors ? { errors } : {}), extensions: cost(actual) };
  return { status: gap ? 501 : 200, body };
}

/** Executes a query without pages or cost, for a bulk operation. `part` says which orders; see the resolver of `orders`. */
export function runBulk(context, schema, document, part) {
  const contextValue = { ...context, pause: undefined, objects: { count: 0 }, bulk: true, part };
  return execute({ schema, document, rootValue: context.roots.queries, contextValue, fieldResolver, typeResolver });
}
