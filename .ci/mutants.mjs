// Called by `.ci/mutants`, with its settings in the environment:
//   SAMPLE   the number of mutants to try, of all parts together (400)
//   SEED     selects the sample (1)
//   PART     `domain` or `portal`: only this part of the sample
//   AGAIN    `1`: try those again that survived or timed out
//   TABLE    `1`: print the table and try nothing
//   BROWSER  `no`: without the tests in a browser, which take a minute for each mutant of the portal
// cargo-mutants lists the mutants. `mutants-switch.mjs` compiles all of them into one program and tries each.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tryAll } from "./mutants-switch.mjs";

const { SAMPLE = "400", SEED = "1", PART = "", AGAIN = "", TABLE = "", BROWSER = "" } = process.env;
const folder = "target/mutants";
const portal = "app/portal/src";
const pageTests = ["details_page", "purchases_page", "return_page", "calls", "choosing", "prefill", "money_pages", "mail_links", "drafts"];
pageTests.push("evidence", "exchanges", "flow", "gifts", "guessing", "payments", "progress", "promises", "purchases", "withdrawals");
/// Of the tests of the memory for bodies, those that send the portal's forms of photos.
const formTests = ["photos_of_a_form", "answers_of_a_form", "the_largest_form"];

// Browser tests of the portal's pages. Without scripting, because only the program is mutated and not the library of the browser.
const browserTests = ["states", "again", "badinput", "withdrawal", "payments", "journey", "together", "details", "gift", "labels", "parcels"];
browserTests.push("photos", "keyboard", "languages");

/// What is mutated, and which test programs have to notice it, in this order: the crate's own, then the tests of the API that open pages or call
/// what pages call, then the tests of the pages in a browser. They run on SQLite only, because the portal does not depend on the database.
const parts = {
  domain: {
    list: ["-p", "domain"],
    build: ["-p", "domain", "--features", "domain/openapi", "--lib"],
    programs: [{ target: "domain", args: [] }],
  },
  portal: {
    list: ["-p", "ui", "-p", "portal", ...portalFiles().flatMap((file) => ["-f", file])],
    build: ["-p", "ui", "-p", "portal", "-p", "server", "--features", "ui/ssr,portal/ssr", "--lib", "--test", "api"],
    programs: [
      { target: "ui", args: [] },
      { target: "portal", args: [] },
      { target: "api", args: [...pageTests.map((name) => `${name}::`), ...formTests, "--skip", "postgres"] },
      { target: "retour", browser: `${folder}/browser`, args: ["--project=phone-plain", ...browserTests.map((name) => `tests/${name}.spec.ts`)] },
    ].filter(({ browser }) => !browser || BROWSER !== "no"),
  },
};

/// The forms of the portal with what reads them, and its lists.
function portalFiles() {
  const pages = ["details", "gift", "links", "look_up", "photos", "purchases", "returns", "review", "withdraw"];
  const forms = ["forms/choice", "selection/*", "calls/steps/*", ...pages.map((page) => `pages/${page}/*`)];
  const lists = ["progress/followed_return", "progress/summary", "progress/timeline", "progress/tracking"];
  return ["app/ui/src/web/form.rs", ...[...forms, ...lists].map((name) => `${portal}/${name}.rs`)];
}

/// Identifies a mutant even after lines move: its file and the change, without line numbers.
function keyOf({ file, diff }) {
  const change = diff.split("\n").filter((line) => !line.startsWith("@@")).join("\n");
  return sha256(`${file}\n${change}`);
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}

/// All mutants of a part. Tests are not mutated.
function listed(part) {
  const options = { encoding: "utf8", maxBuffer: 1 << 30 };
  const { status, stdout, stderr } = spawnSync("cargo", ["mutants", ...parts[part].list, "--list", "--json"], options);
  if (status !== 0) throw new Error(stderr);
  const all = JSON.parse(stdout).filter(({ file }) => !/\/tests?(\.rs|\/)/.test(file));
  return all.map((mutant) => ({ ...mutant, part, key: keyOf(mutant) }));
}

/// The sample: the first mutants in an order that depends on the seed.
function sample() {
  const all = Object.keys(parts).flatMap(listed);
  const ranked = all.map((mutant) => ({ ...mutant, rank: sha256(`${SEED} ${mutant.key}`) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return { all: all.length, chosen: ranked.slice(0, Number(SAMPLE)) };
}

const outcomesFile = `${folder}/outcomes.json`;
const kept = existsSync(outcomesFile) ? JSON.parse(readFileSync(outcomesFile, "utf8")) : {};

/// Stores an outcome at once, so that a stopped run loses none.
function keep({ key, name }, outcome, by) {
  kept[key] = { outcome, by, name };
  writeFileSync(`${outcomesFile}.new`, JSON.stringify(kept, null, 1));
  renameSync(`${outcomesFile}.new`, outcomesFile);
}

function table({ all, chosen }) {
  const outcomes = ["caught", "timed out", "survived", "unviable"];
  const head = ["part", "sample", ...outcomes, "not yet tried", "share that survived"];
  const row = (title, mutants) => {
    const counts = outcomes.map((outcome) => mutants.filter(({ key }) => kept[key]?.outcome === outcome).length);
    const [caught, timedOut, survived, unviable] = counts;
    const judged = caught + timedOut + survived;
    return [title, mutants.length, ...counts, mutants.length - judged - unviable, judged ? `${((100 * survived) / judged).toFixed(1)} %` : "–"];
  };
  const rows = Object.keys(parts).map((part) => row(part, chosen.filter((mutant) => mutant.part === part)));
  rows.push(row("all", chosen));
  console.log(`\nA sample of ${chosen.length} of ${all} mutants, SEED=${SEED}\n`);
  for (const cells of [head, head.map(() => "---"), ...rows]) console.log(`| ${cells.join(" | ")} |`);
  const survivors = chosen.filter(({ key }) => kept[key]?.outcome === "survived");
  if (survivors.length) console.log(`\nNo test notices:\n${survivors.map(({ name }) => `  ${name}`).join("\n")}`);
}

mkdirSync(folder, { recursive: true });
const found = sample();
const isLeft = ({ key }) => !kept[key] || (AGAIN && ["survived", "timed out"].includes(kept[key].outcome));
for (const part of TABLE ? [] : Object.keys(parts).filter((part) => !PART || part === PART)) {
  const left = found.chosen.filter((mutant) => mutant.part === part && isLeft(mutant));
  if (left.length) tryAll(parts[part], left, `${folder}/tree`, keep);
}
table(found);
