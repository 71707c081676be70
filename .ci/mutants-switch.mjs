// Tries mutants without compiling the crate for each. In a copy of the sources, a function with mutants gets one body for each of them:
//   fn f() -> bool { if crate::mutant(7) { BODY WITH MUTANT 7 } else if crate::mutant(9) { … } else { BODY } }
// So one build makes a test program that holds all mutants, and RETOUR_MUTANT selects the one for a run. Mutants outside of functions, those
// in `const fn`, and mutants that do not compile beside the others are compiled one by one.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const switchFunction = `
/// Whether this run tries this mutant.
#[doc(hidden)]
pub fn mutant(number: u32) -> bool {
    static TRIED: std::sync::LazyLock<Option<u32>> = std::sync::LazyLock::new(|| std::env::var("RETOUR_MUTANT").ok()?.parse().ok());
    *TRIED == Some(number)
}
`;
const minute = 60_000;
const mark = "/* mutant */";

/// Tries each of `mutants` with the test programs of `part`. Calls `keep` with each outcome.
export function tryAll(part, mutants, tree, keep) {
  mutants.forEach((mutant, index) => (mutant.number = index + 1));
  const outOfFunctions = mutants.filter(({ function: owner }) => !owner);
  const switched = compileTogether(part, mutants.filter(({ function: owner }) => owner), tree, keep);
  const limits = run(switched.programs, tree, {}, undefined);
  if (limits.failed) throw new Error(`This test fails even without a mutant: ${limits.failed}`);
  for (const mutant of switched.mutants) judge(mutant, switched.programs, tree, { RETOUR_MUTANT: String(mutant.number) }, limits.took, keep);
  for (const mutant of [...outOfFunctions, ...switched.alone]) {
    copySources(tree, new Map([[mutant.file, replaced(read(mutant.file), mutant.span, mutant.replacement)]]));
    const { programs } = compile(part, tree);
    if (programs) judge(mutant, programs, tree, {}, limits.took, keep);
    else keep(mutant, "unviable");
  }
}

function judge(mutant, programs, tree, env, took, keep) {
  const { failed, timedOut } = run(programs, tree, env, took);
  const outcome = timedOut ? "timed out" : failed ? "caught" : "survived";
  console.log(`${new Date().toISOString().slice(11, 19)} ${outcome}: ${mutant.name}${failed ? ` (${failed})` : ""}`);
  keep(mutant, outcome, failed);
}

/// Runs the tests until one fails. `took`: the time that each program takes without a mutant, milliseconds. A run may take ten times as long, plus
/// a minute.
function run(programs, tree, env, took) {
  const times = [];
  for (const [index, program] of programs.entries()) {
    const since = Date.now();
    const { status, stdout, error } = spawnSync(program.executable, program.options, {
      cwd: program.folder,
      env: { ...process.env, ...env, ...program.env },
      encoding: "utf8",
      maxBuffer: 1 << 30,
      timeout: took ? 10 * took[index] + minute : 60 * minute,
      killSignal: program.signal ?? "SIGKILL",
    });
    times.push(Date.now() - since);
    if (error?.code === "ETIMEDOUT") return { timedOut: true };
    if (status !== 0) return { failed: program.failure.exec(stdout)?.[1] ?? "the program ended" };
  }
  return { took: times };
}

/// Compiles as many mutants together as possible. Those with errors leave the program: they are unviable, or are compiled alone.
function compileTogether(part, mutants, tree, keep) {
  const alone = [];
  for (;;) {
    const files = grouped(mutants, ({ file }) => file);
    const instrumented = new Map([...files].map(([file, ofFile]) => [file, instrument(read(file), ofFile)]));
    const sources = new Map([...instrumented].map(([file, { text }]) => [file, text]));
    for (const root of new Set(mutants.map(({ file }) => file.replace(/\/src\/.*/, "/src/lib.rs")))) {
      sources.set(root, (sources.get(root) ?? read(root)) + switchFunction);
    }
    copySources(tree, sources);
    const { programs, errors } = compile(part, tree);
    if (programs) return { programs, mutants, alone };
    const before = mutants.length;
    const gone = (mutant, isUnviable) => {
      if (!mutants.includes(mutant)) return;
      mutants = mutants.filter((other) => other !== mutant);
      if (isUnviable) keep(mutant, "unviable");
      else alone.push(mutant);
    };
    for (const { file, line } of errors) {
      const lines = instrumented.get(file)?.lines ?? [];
      const own = lines.find(({ from, to, mutant }) => mutant && from <= line && line <= to);
      // If the function returns `impl …`, a body of another type is an error only beside other bodies.
      if (own) gone(own.mutant, !own.mutant.function.return_type.includes("impl "));
      else for (const mutant of lines.find(({ from, to, all }) => all && from <= line && line <= to)?.all ?? []) gone(mutant, false);
    }
    console.log(`${before - mutants.length} of ${before} mutants do not compile beside the others`);
    if (before === mutants.length) throw new Error(errors.map(({ text }) => text).join("\n"));
  }
}

/// The text with all mutants in it, and the lines of each mutant.
function instrument(text, mutants) {
  const braces = bracePairs(text);
  const owners = [...grouped(mutants, ({ function: owner }) => JSON.stringify(owner.span)).values()];
  const edits = owners.map((all) => {
    const close = offset(text, all[0].function.span.end) - 1;
    const open = braces.get(close);
    if (open === undefined) throw new Error(`No body: ${all[0].name}`);
    return { open, close, all };
  });
  // Where one function contains another, only the outer one is switched. It takes over the mutants of the inner one.
  const outer = edits.filter((edit) => !edits.some(({ open, close }) => open < edit.open && edit.close < close));
  for (const edit of edits) {
    if (!outer.includes(edit)) outer.find(({ open, close }) => open < edit.open && edit.close < close).all.push(...edit.all);
  }
  outer.sort((one, other) => one.open - other.open);
  let out = "";
  let at = 0;
  const lines = [];
  const lineNow = () => out.split("\n").length;
  for (const { open, close, all } of outer) {
    out += text.slice(at, open + 1);
    const first = lineNow();
    for (const mutant of all) {
      const from = offset(text, mutant.span.start);
      const to = offset(text, mutant.span.end);
      out += `if crate::mutant(${mutant.number}) {\n`;
      const start = lineNow();
      out += `${text.slice(open + 1, from)}${mutant.replacement} ${mark}${text.slice(to, close)}\n`;
      lines.push({ from: start, to: lineNow() - 1, mutant });
      out += "} else ";
    }
    out += `{\n${text.slice(open + 1, close)}\n}`;
    lines.push({ from: first, to: lineNow(), all });
    at = close;
  }
  return { text: out + text.slice(at), lines };
}

function replaced(text, { start, end }, replacement) {
  return `${text.slice(0, offset(text, start))}${replacement} ${mark}${text.slice(offset(text, end))}`;
}

/// cargo-mutants counts lines and characters from 1.
function offset(text, { line, column }) {
  let at = 0;
  for (let passed = 1; passed < line; passed++) at = text.indexOf("\n", at) + 1;
  for (let passed = 1; passed < column; passed++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/// For each closing brace, the place of the opening one. Braces in strings, characters and comments are ignored.
function bracePairs(text) {
  const token = /\/\/.*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\(?:u\{\w+\}|x\w\w|.)|[^\\'])'|[{}]/gu;
  const pairs = new Map();
  const open = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === "{") open.push(index);
    if (found === "}") pairs.set(index, open.pop());
  }
  return pairs;
}

/// Copies the sources to `tree`, some with other texts. An unchanged file keeps its time, so that its crate is not compiled again.
function copySources(tree, others) {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "buffer", maxBuffer: 1 << 30 });
  for (const file of stdout.toString().split("\0").filter((name) => name && existsSync(name))) {
    const wanted = others.has(file) ? Buffer.from(others.get(file)) : readFileSync(file);
    const to = `${tree}/${file}`;
    if (existsSync(to) && readFileSync(to).equals(wanted)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, wanted);
  }
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function read(file) {
  return readFileSync(file, "utf8");
}

/// The test programs, or the errors with their lines.
function compile({ build, programs }, tree) {
  const args = ["test", "--no-run", "--message-format", "json", ...build];
  const { status, stdout, stderr } = spawnSync("cargo", args, { cwd: tree, encoding: "utf8", maxBuffer: 1 << 30 });
  const messages = stdout.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  if (status === 0) {
    return {
      programs: programs.map(({ target: wanted, args, browser }) => {
        const isIt = ({ target, profile, executable }) => executable && profile.test === !browser && target.name === wanted;
        const { executable, manifest_path } = messages.findLast((message) => message.reason === "compiler-artifact" && isIt(message));
        if (browser) return browserTests(executable, browser, args);
        const options = ["-Zunstable-options", "--fail-fast", ...args];
        const env = { RUSTC_BOOTSTRAP: "1", PROPTEST_DISABLE_FAILURE_PERSISTENCE: "true", PROPTEST_MAX_SHRINK_ITERS: "0" };
        return { executable, options, env, folder: dirname(manifest_path), failure: /^test (\S+) .*FAILED$/m };
      }),
    };
  }
  const errors = messages
    .filter(({ reason, message }) => reason === "compiler-message" && message.level === "error")
    .flatMap(({ message }) => message.spans.filter(({ is_primary }) => is_primary).map((span) => ({ ...outermost(span), text: message.rendered })));
  return { errors: errors.length ? errors : [{ file: "", line: 0, text: stderr }] };
}

/// Browser tests of a program, which needs the site folder beside it.
function browserTests(executable, folder, args) {
  copyFileSync(executable, `${folder}/retour`);
  const options = ["test", "-c", "end2end", "--output", resolve(folder, "results"), "--max-failures=1", ...args];
  const env = { RETOUR_BIN: resolve(folder, "retour") };
  // SIGTERM, so that Playwright ends the browsers and the program.
  return { executable: "playwright", options, env, folder: ".", failure: /^ +✘ +\d+ (.*?)(?: \(\S+\))?$/m, signal: "SIGTERM" };
}

/// The place in our sources for code that a macro generated.
function outermost(span) {
  const written = span.expansion ? outermost(span.expansion.span) : { file: span.file_name, line: span.line_start };
  return written.file.startsWith("/") ? { file: span.file_name, line: span.line_start } : written;
}
