//! An independent renderer of ZPL (npm `zpl-renderer-js`, which `.ci/tools test` installs). One program draws for all tests of this
//! process, because compiling the renderer takes half a second.

use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{LazyLock, Mutex, PoisonError},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};

/// Draws each line, which is ZPL in Base64, as a line with a PNG in Base64. The line is empty if that fails.
const DRAW: &str = "const {createInterface} = require('readline'); require('zpl-renderer-js').ready.then(async ({api}) => { \
    for await (const line of createInterface({input: process.stdin})) \
        console.log(await api.zplToBase64Async(Buffer.from(line, 'base64').toString(), 105, 148, 8).catch(() => '')); })";

/// The program. It ends when its standard input closes, and so with this process.
struct Renderer {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Renderer {
    fn start() -> Self {
        let mut node = Command::new("node");
        node.args(["-e", DRAW]).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../end2end"));
        let mut process = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { input, output: BufReader::new(output).lines(), _process: process }
    }
}

/// Draws ZPL as a PNG.
pub fn drawn_elsewhere(zpl: &[u8]) -> Vec<u8> {
    static RENDERER: LazyLock<Mutex<Renderer>> = LazyLock::new(|| Mutex::new(Renderer::start()));
    let mut renderer = RENDERER.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(renderer.input, "{}", BASE64_STANDARD.encode(zpl)).unwrap();
    let line = renderer.output.next().expect("the renderer should still be there").unwrap();
    let picture = BASE64_STANDARD.decode(line).unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "nothing was drawn");
    picture
}
