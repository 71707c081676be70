// Creates a site folder from Cargo's output: node .ci/site.mjs LIBRARIES FOLDER
//
// FOLDER/site/pkg gets the libraries of portal and desk after `wasm-bindgen` and `wasm-opt`, their scripts and their style sheets. Names
// contain a hash of the content, which the program reads from FOLDER/hash.txt and FOLDER/desk-hash.txt (Leptos's format). Each file is
// also there in Brotli and gzip.
//
// cargo-leptos does the same, but takes eight minutes to compile: only `make watch` uses it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [libraries, folder] = process.argv.slice(2);
const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const packages = createRequire(join(root, "frontend/package.json"));
const { transform } = packages("esbuild");
const { bundle, browserslistToTargets } = packages("lightningcss");
const browserslist = packages("browserslist");
const browsers = "last 3 years"; // as `browserquery` in Cargo.toml
const run = (program, ...options) => execFileSync(program, options, { stdio: "inherit" });

const made = join(folder, "site.new");
rmSync(made, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
const pkg = join(made, "pkg");
// What is built: the name of the files, the library, the style sheet, the list of hashes.
const parts = [
  { name: "retour", library: "frontend.wasm", style: "style/main.css", list: "hash.txt" },
  { name: "desk", library: "frontend_desk.wasm", style: "style/desk/main.css", list: "desk-hash.txt" },
];
const files = {
  wasm: async ({ name, library }) => {
    const wasm = join(made, `${name}_bg.wasm`);
    run("wasm-bindgen", "--target=web", "--no-typescript", `--out-name=${name}`, `--out-dir=${made}`, join(libraries, library));
    run("wasm-opt", "-Oz", "--enable-bulk-memory", "--enable-nontrapping-float-to-int", wasm, "-o", wasm);
    return readFileSync(wasm);
  },
  // Beside the library, which `wasm-bindgen` has written by now.
  js: async ({ name }) => (await transform(readFileSync(join(made, `${name}.js`)), { minify: true, format: "esm", target: "es2022" })).code,
  css: async ({ style }) => bundle({
    filename: join(root, style),
    minify: true,
    targets: browserslistToTargets(browserslist(browsers)),
  }).code,
};

mkdirSync(pkg);
const hashes = {};
for (const part of parts) {
  hashes[part.list] = {};
  for (const [kind, make] of Object.entries(files)) {
    const content = Buffer.from(await make(part));
    const hash = createHash("md5").update(content).digest("base64url");
    hashes[part.list][kind] = hash;
    writeFileSync(join(pkg, `${part.name}.${hash}.${kind}`), content);
  }
}
for (const name of readdirSync(made)) if (name !== "pkg") rmSync(join(made, name));
cpSync(join(root, "public"), made, { recursive: true });

const compressions = [
  ["br", (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })],
  ["gz", (content) => promisify(gzip)(content, { level: 9 })],
];
const all = readdirSync(made, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const todo = all.flatMap((entry) => compressions.map((how) => [join(entry.parentPath, entry.name), ...how]));
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  for (let next; (next = todo.pop()); ) {
    const [path, ending, compress] = next;
    writeFileSync(`${path}.${ending}`, await compress(readFileSync(path)));
  }
}));

// A running program serves this folder, so the new files are written beside the old ones first.
for (const [list, known] of Object.entries(hashes)) {
  writeFileSync(join(folder, `${list}.new`), Object.entries(known).map(([kind, hash]) => `${kind}: ${hash}\n`).join(""));
}
rmSync(join(folder, "site"), { recursive: true, force: true });
renameSync(made, join(folder, "site"));
for (const list of Object.keys(hashes)) renameSync(join(folder, `${list}.new`), join(folder, list));
