// Validates the GraphQL documents of a folder against Shopify's schemas, one document for each file:
//   node validate.mjs FOLDER VERSION…
// Files whose operations need fragments of other files get them. Errors go to standard error, as file:line: message (version),
// and the exit code is 1. Deprecated fields and the cost of each operation are printed and are no errors, unless the cost is over
// the limit of one request by the sizing that fits published costs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatAST, GraphQLError, Kind, NoDeprecatedCustomRule, NoUnusedFragmentsRule, parse, Source, specifiedRules, validate } from 'graphql';
import { needsKey } from './parts/idempotency.mjs';
import { MOST, requestedCost } from './parts/cost.mjs';
import { schemaOf, versions } from './schema.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder || !wanted.length) {
  console.error('usage: node validate.mjs FOLDER VERSION…');
  process.exit(2);
}
const missing = wanted.filter((version) => !versions().includes(version));
if (missing.length) {
  console.error(`no schema of ${missing.join(', ')} is installed; there are ${versions().join(', ')}`);
  process.exit(2);
}

let failures = 0;
function report(error, version, name) {
  failures += 1;
  const [at] = error.locations ?? [];
  console.error(`${error.source?.name ?? name}:${at?.line ?? 1}: ${error.message} (${version})`);
}

const files = readdirSync(folder).filter((name) => name.endsWith('.graphql')).sort().map((name) => join(folder, name));
const documents = new Map();
for (const file of files) {
  try {
    documents.set(file, parse(new Source(readFileSync(file, 'utf8'), file)));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    report(error, 'all versions', file);
  }
}
if (!files.length) report(new GraphQLError('the folder has no .graphql files'), 'all versions', folder);

const fragments = new Map();
for (const document of documents.values()) {
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
}

/** Returns the document with the fragments of other files that it uses. */
function completed(document) {
  const own = new Set(document.definitions.map(({ name }) => name?.value));
  const added = new Map();
  const search = (node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD && !own.has(node.name.value) && !added.has(node.name.value) && fragments.has(node.name.value)) {
      added.set(node.name.value, fragments.get(node.name.value));
      search(fragments.get(node.name.value));
    }
    for (const child of Object.values(node)) {
      for (const one of [child].flat()) if (one && typeof one === 'object' && 'kind' in one) search(one);
    }
  };
  document.definitions.forEach(search);
  return concatAST([document, { kind: Kind.DOCUMENT, definitions: [...added.values()] }]);
}

/** Returns an error for each mutation that Shopify refuses without @idempotent. The schema allows it. */
function withoutKey(schema, operations) {
  const fields = operations.filter(({ operation }) => operation === 'mutation').flatMap(({ selectionSet }) => selectionSet.selections);
  return fields.filter((field) => needsKey(schema, field.name.value) && !field.directives.some(({ name }) => name.value === 'idempotent'))
    .map((field) => new GraphQLError(`${field.name.value} needs the directive @idempotent(key:)`, { nodes: field }));
}

// Variables can size a connection: the largest page is assumed.
const largest = new Proxy({}, { get: () => 250 });

for (const version of wanted) {
  const schema = schemaOf(version);
  for (const [file, document] of documents) {
    const whole = completed(document);
    const operations = whole.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    // A file of shared fragments uses none of them itself.
    const rules = operations.length ? specifiedRules : specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
    const errors = validate(schema, whole, rules);
    for (const error of errors) report(error, version, file);
    if (errors.length) continue;
    for (const error of withoutKey(schema, operations)) report(error, version, file);
    for (const { locations: [at], message } of validate(schema, whole, [NoDeprecatedCustomRule])) console.log(`${file}:${at.line}: deprecated: ${message} (${version})`);
    for (const operation of operations) {
      const { length } = operation.variableDefinitions ?? [];
      const cost = requestedCost(schema, whole, operation, largest);
      const linear = requestedCost(schema, whole, operation, largest, 'linear');
      console.log(`${file}: ${operation.name?.value ?? 'unnamed'}: ${length} variables, costs at most ${cost} of ${MOST}, by the older linear rule ${linear} (${version})`);
      if (cost > MOST) report(new GraphQLError(`${operation.name?.value} costs ${cost}, over the limit of ${MOST} for one request`), version, file);
    }
  }
}
process.exit(failures ? 1 : 0);
