//! Stand-ins of `end2end/peers`. All tests of a process share one program for each kind, because it takes up to a second to start.
//! Each line on its standard input opens another stand-in, with a port and a state of its own.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, PoisonError},
};

/// A program. It ends when its standard input closes, and so with this process.
struct Program {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

/// Opens a stand-in of a kind, the name of its folder. Returns its URL, and what follows the URL in the program's line about it.
/// `options` is what the program reads.
pub fn open(kind: &'static str, options: &str) -> (String, String) {
    static PROGRAMS: Mutex<BTreeMap<&str, Program>> = Mutex::new(BTreeMap::new());
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    // A program that has ended is not put back, so it fails one test.
    let mut program = programs.remove(kind).unwrap_or_else(|| Program::start(kind));
    let is_alive = writeln!(program.input, "{options}").is_ok();
    let opened = program.opened(kind).filter(|_| is_alive);
    let opened = opened.unwrap_or_else(|| panic!("the program of {kind} has ended; its error is above"));
    programs.insert(kind, program);
    opened
}

impl Program {
    fn start(kind: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("end2end").is_dir());
        let mut node = Command::new("node");
        node.arg("server.mjs").current_dir(root.unwrap().join("end2end/peers").join(kind)).env("PORT", "0");
        let mut process = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let mut program = Self { input, output: BufReader::new(output).lines(), _process: process };
        // It opens the first by itself.
        assert!(program.opened(kind).is_some(), "{kind} should have started: `.ci/tools test` installs what it needs");
        program
    }

    /// Waits for the program's line about a stand-in; `None` if it has ended.
    fn opened(&mut self, kind: &str) -> Option<(String, String)> {
        let mut lines = self.output.by_ref().map_while(Result::ok);
        let rest = lines.find_map(|line| line.strip_prefix(kind)?.strip_prefix(" ready on ").map(str::to_owned))?;
        let (url, more) = rest.split_once(' ').unwrap_or((&rest, ""));
        Some((url.to_owned(), more.to_owned()))
    }
}
