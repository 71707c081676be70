// Shopify's published schema of the Admin API: one introspection for each version, from the package @shopify/dev-mcp (ISC).
// That package depends on several hundred others, so only its data is installed, and checked by the hash in package.json:
//   node schema.mjs        installs it, unless it is there
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildClientSchema, GraphQLError, valueFromASTUntyped } from 'graphql';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const folder = join(here, 'node_modules', '.shopify-schema');
const marker = join(folder, 'integrity');
const { version, integrity } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).shopifyDevMcp;

/** Installs the introspections, unless those of the pinned version are there. */
export function install() {
  if (existsSync(marker) && readFileSync(marker, 'utf8') === integrity) return;
  const temporary = mkdtempSync(join(tmpdir(), 'shopify-schema-'));
  try {
    const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', temporary, `@shopify/dev-mcp@${version}`], { cwd: here, encoding: 'utf8' }).trim();
    const archive = join(temporary, name);
    const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (hash !== integrity) throw new Error(`@shopify/dev-mcp ${version} has the hash ${hash}, but package.json expects ${integrity}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const names = execFileSync('tar', ['tzf', archive], { encoding: 'utf8', maxBuffer: 1 << 24 }).split('\n');
    const wanted = names.filter((file) => /^package\/dist\/data\/admin_\d{4}-\d\d\.json\.gz$/.test(file));
    execFileSync('tar', ['xzf', archive, '-C', folder, '--strip-components=3', ...wanted]);
    writeFileSync(marker, integrity);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Returns the versions whose schema is installed, oldest first. */
export function versions() {
  return readdirSync(folder).map((name) => /^admin_(\d{4}-\d{2})\.json\.gz$/.exec(name)?.[1]).filter(Boolean).sort();
}

const built = new Map();

/** Returns the schema of a version, such as "2026-10". */
export function schemaOf(wanted) {
  if (!built.has(wanted)) {
    const introspection = JSON.parse(gunzipSync(readFileSync(join(folder, `admin_${wanted}.json.gz`))));
    const schema = buildClientSchema(introspection.data);
    for (const [name, accepts] of Object.entries(scalars)) checkInputs(schema.getType(name), accepts);
    built.set(wanted, schema);
  }
  return built.get(wanted);
}

const decimal = (value) => (typeof value === 'string' || typeof value === 'number') && /^-?\d+(\.\d+)?$/.test(String(value));
// An introspection has no code for scalars, so that without this check any input would pass.
const scalars = {
  Decimal: decimal,
  Money: decimal,
  DateTime: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
  URL: (value) => typeof value === 'string' && URL.canParse(value),
};

function checkInputs(type, accepts) {
  type.parseValue = (value) => {
    if (!accepts(value)) throw new GraphQLError(`invalid ${type.name}: ${JSON.stringify(value)}`);
    return String(value);
  };
  type.parseLiteral = (node, variables) => type.parseValue(valueFromASTUntyped(node, variables));
}

if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) install();
