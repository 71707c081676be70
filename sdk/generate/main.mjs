// Writes the generated files of both SDKs: `node sdk/generate/main.mjs OPENAPI.json FOLDER`. The folder gets the tree of `sdk/`.
// openapi-typescript and datamodel-code-generator generate the types, from the schemas only: with all operations, the types of
// openapi-typescript would be seven times as large, and a whole client of openapi-python-client has 2.2 MB.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { read } from "./document.mjs";
import * as python from "./python.mjs";
import * as typescript from "./typescript.mjs";

const [source, folder] = process.argv.slice(2);
const sdk = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, operations, schemas } = read(JSON.parse(readFileSync(source, "utf8")));

const files = {
  "typescript/src/operations.gen.ts": typescript.methods(operations),
  "typescript/package.json": atVersion("typescript/package.json", /("version": )"[^"]*"/),
  "typescript/package-lock.json": atVersion("typescript/package-lock.json", /("version": )"[^"]*"/, /("": \{\n\s*"name": "[^"]*",\n\s*"version": )"[^"]*"/),
  "python/src/retour_sdk/_operations.py": python.methods(operations, false),
  "python/src/retour_sdk/_async_operations.py": python.methods(operations, true),
  "python/pyproject.toml": atVersion("python/pyproject.toml", /^(version = )"[^"]*"/m),
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const bare = join(folder, "schemas.json");
writeFileSync(bare, JSON.stringify({ openapi: "3.1.0", info: { title: "Retour", version }, paths: {}, components: { schemas } }));
writeTypeScript(join(folder, "typescript/src/types.gen.ts"));
writePython(join(folder, "python/src/retour_sdk/types.py"));
rmSync(bare);

/** The committed file, with the version of the API. */
function atVersion(name, ...patterns) {
  return patterns.reduce((text, pattern) => text.replace(pattern, `$1"${version}"`), readFileSync(join(sdk, name), "utf8"));
}

function writeTypeScript(target) {
  const generator = join(sdk, "typescript/node_modules/.bin/openapi-typescript");
  const text = execFileSync(generator, [bare, "--root-types", "--root-types-no-schema-prefix", "--alphabetize"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  writeFileSync(target, `// Generated from the OpenAPI document by .ci/sdk. Do not edit.\n${text}`);
}

function writePython(target) {
  const generator = process.env.DATAMODEL_CODEGEN ?? "datamodel-codegen";
  const options = ["--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11",
    "--enum-field-as-literal", "all", "--use-schema-description", "--use-field-description", "--disable-timestamp", "--strict-nullable",
    "--use-standard-collections", "--use-union-operator", "--formatters", "builtin", "--no-use-closed-typed-dict",
    "--custom-file-header", '"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""\n'];
  execFileSync(generator, ["--input", bare, "--output", target, ...options], { stdio: "inherit" });
}
