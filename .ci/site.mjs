// Creates a site folder from Cargo's output: node .ci/site.mjs LIBRARY.wasm FOLDER
//
// FOLDER/site/pkg gets the library after `wasm-bindgen` and `wasm-opt`, its script, and the style sheet. Names contain a hash of the
// content, which the program reads from FOLDER/hash.txt (Leptos's format). Each file is also there in Brotli and gzip.
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

const [library, folder] = process.argv.slice(2);
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
const files = {
  wasm: async () => {
    const wasm = join(made, "retour_bg.wasm");
    run("wasm-bindgen", "--target=web", "--no-typescript", "--out-name=retour", `--out-dir=${made}`, library);
    run("wasm-opt", "-Oz", "--enable-bulk-memory", "--enable-nontrapping-float-to-int", wasm, "-o", wasm);
    return readFileSync(wasm);
  },
  // Beside the library, which `wasm-bindgen` has written by now.
  js: async () => (await transform(readFileSync(join(made, "retour.js")), { minify: true, format: "esm", target: "es2022" })).code,
  css: async () => bundle({
    filename: join(root, "style/main.css"),
    minify: true,
    targets: browserslistToTargets(browserslist(browsers)),
  }).code,
};

mkdirSync(pkg);
const hashes = {};
for (const [kind, make] of Object.entries(files)) {
  const content = Buffer.from(await make());
  hashes[kind] = createHash("md5").update(content).digest("base64url");
  writeFileSync(join(pkg, `retour.${hashes[kind]}.${kind}`), content);
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
writeFileSync(join(folder, "hash.txt.new"), Object.entries(hashes).map(([kind, hash]) => `${kind}: ${hash}\n`).join(""));
rmSync(join(folder, "site"), { recursive: true, force: true });
renameSync(made, join(folder, "site"));
renameSync(join(folder, "hash.txt.new"), join(folder, "hash.txt"));
