// Called by `.ci/mutants`, with its settings in the environment:
//   SAMPLE   how many mutants are tried, of all parts together (400)
//   SEED     which ones (1)
//   PART     `domain` or `portal`: only this part of the sample
//   AGAIN    `1`: those that survived or timed out are tried again
//   TABLE    `1`: print the table and try nothing
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const { SAMPLE = "400", SEED = "1", PART = "", AGAIN = "", TABLE = "" } = process.env;
const folder = "target/mutants";
const portal = "app/portal/src";
const pageTests = ["calls", "choosing", "drafts", "evidence", "exchanges", "flow", "gifts", "guessing", "mail_links", "money_pages"];
pageTests.push("payments", "prefill", "progress", "promises", "purchases", "withdrawals");

/// What is mutated, and which tests are to notice it.
const parts = {
  domain: { list: ["-p", "domain"], build: ["--cargo-arg=--lib"], tests: [] },
  portal: {
    list: ["-p", "portal", ...portalFiles().flatMap((file) => ["-f", file])],
    build: ["--features=portal/ssr", "--test-package=portal", "--test-package=server", "--cargo-arg=--lib", "--cargo-arg=--test=api"],
    // Unit tests, and the tests of the API that look at pages or at what pages call. SQLite is enough to see what they do.
    tests: ["tests::", ...pageTests.map((name) => `${name}::`), "--skip", "postgres"],
  },
};

/// The forms of the portal, and its lists.
function portalFiles() {
  const pages = ["details", "gift", "links", "look_up", "photos", "purchases", "returns", "review", "withdraw"];
  const forms = ["forms/choice", "selection/*", "calls/steps/*", "visit/form", ...pages.map((page) => `pages/${page}/*`)];
  const lists = ["progress/followed_return", "progress/summary", "progress/timeline", "progress/tracking"];
  return [...forms, ...lists].map((name) => `${portal}/${name}.rs`);
}

function cargoMutants(args, options = {}) {
  return spawnSync("cargo", ["mutants", ...args], { encoding: "utf8", maxBuffer: 1 << 30, ...options });
}

/// What tells a mutant from others, and stays when lines move: its file and what changes, without line numbers.
function keyOf({ file, diff }) {
  const change = diff.split("\n").filter((line) => !line.startsWith("@@")).join("\n");
  return sha256(`${file}\n${change}`);
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}

/// All mutants of a part. Tests are not mutated.
function listed(part) {
  const { status, stdout, stderr } = cargoMutants([...parts[part].list, "--list", "--json"]);
  if (status !== 0) throw new Error(stderr);
  const all = JSON.parse(stdout).filter(({ file }) => !/\/tests?(\.rs|\/)/.test(file));
  return all.map((mutant) => ({ part, name: mutant.name, key: keyOf(mutant) }));
}

/// The sample: the first ones in an order that the seed gives. Those that delete a field come before: cargo-mutants 27.1 tries
/// them whichever it is asked for.
function sample() {
  const all = Object.keys(parts).flatMap(listed);
  const ranked = all.map((mutant) => ({ ...mutant, rank: mutant.name.includes(": delete field ") ? "" : sha256(`${SEED} ${mutant.key}`) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return { all: all.length, chosen: ranked.slice(0, Number(SAMPLE)) };
}

const outcomesFile = `${folder}/outcomes.json`;
const kept = existsSync(outcomesFile) ? JSON.parse(readFileSync(outcomesFile, "utf8")) : {};

/// Takes over what cargo-mutants has written so far, also where it was stopped.
function keepOutcomes(part) {
  const output = `${folder}/${part}/mutants.out`;
  if (!existsSync(`${output}/mutants.json`)) return;
  const mutants = JSON.parse(readFileSync(`${output}/mutants.json`, "utf8"));
  const keys = new Map(mutants.map((mutant) => [mutant.name, keyOf(mutant)]));
  for (const outcome of ["caught", "missed", "unviable", "timeout"]) {
    const names = readFileSync(`${output}/${outcome}.txt`, "utf8").split("\n").filter(Boolean);
    for (const name of names) kept[keys.get(name)] = outcome;
  }
  writeFileSync(`${outcomesFile}.new`, JSON.stringify(kept, null, 1));
  renameSync(`${outcomesFile}.new`, outcomesFile);
  rmSync(output, { recursive: true });
}

/// Tries these mutants and no others.
function run(part, mutants) {
  const { list, build, tests } = parts[part];
  const patterns = mutants.map(({ name }) => `^${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
  const config = `${folder}/${part}.toml`;
  writeFileSync(config, `examine_re = ${JSON.stringify(patterns)}\n`);
  const harness = ["-Zunstable-options", "--fail-fast", ...tests];
  const args = [...list, ...build, "--config", config, "--output", `${folder}/${part}`, "--no-shuffle", "--jobs=1", "--minimum-test-timeout=60", "--", "--", ...harness];
  mkdirSync(`${folder}/${part}`, { recursive: true });
  const { status, signal } = cargoMutants(args, { stdio: "inherit" });
  keepOutcomes(part);
  // 2 and 3 say that some survived or took too long: the table shows it.
  if (signal || ![0, 2, 3].includes(status)) process.exit(status || 1);
}

function table({ all, chosen }) {
  const head = ["part", "sample", "caught", "missed", "unviable", "timed out", "not yet tried", "survived"];
  const row = (title, mutants) => {
    const count = (outcome) => mutants.filter(({ key }) => kept[key] === outcome).length;
    const [caught, missed, unviable, timeout] = ["caught", "missed", "unviable", "timeout"].map(count);
    const judged = caught + missed + timeout;
    const left = mutants.length - judged - unviable;
    return [title, mutants.length, caught, missed, unviable, timeout, left, judged ? `${((100 * missed) / judged).toFixed(1)} %` : "–"];
  };
  const rows = Object.keys(parts).map((part) => row(part, chosen.filter((mutant) => mutant.part === part)));
  rows.push(row("all", chosen));
  console.log(`\nA sample of ${chosen.length} of ${all} mutants, SEED=${SEED}\n`);
  for (const cells of [head, head.map(() => "---"), ...rows]) console.log(`| ${cells.join(" | ")} |`);
  const survivors = chosen.filter(({ key }) => kept[key] === "missed");
  if (survivors.length) console.log(`\nNo test notices:\n${survivors.map(({ name }) => `  ${name}`).join("\n")}`);
}

mkdirSync(folder, { recursive: true });
Object.keys(parts).forEach(keepOutcomes);
const found = sample();
const isLeft = ({ key }) => !kept[key] || (AGAIN && ["missed", "timeout"].includes(kept[key]));
for (const part of TABLE ? [] : Object.keys(parts).filter((part) => !PART || part === PART)) {
  const left = found.chosen.filter((mutant) => mutant.part === part && isLeft(mutant));
  if (left.length) run(part, left);
}
table(found);
