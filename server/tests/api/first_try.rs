//! The first steps with the archive alone: the demo in one command, completions, the manual page, and the health check.

use crate::program::Program;
use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Output},
};

/// The program without any settings.
fn bare(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retour"));
    command.args(arguments).current_dir(folder).env_clear();
    command
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[tokio::test]
async fn one_command_creates_the_demo_and_serves_it_again_with_the_same_keys() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |name: &str| std::fs::read_to_string(folder.path().join("data").join(name)).unwrap();
    let mut kept = Vec::new();
    for _ in 0..2 {
        let program = Program::of(bare(folder.path(), &["demo", "--serve"])).await;
        let (status, page) = program.get("/fjord-fern").await.unwrap();
        assert!(status == 200 && page.contains("Start a return"), "{status}");
        let address = program.base.trim_start_matches("http://").to_owned();
        let health = bare(folder.path(), &["health", "--addr", &address]);
        assert_eq!(said(&run(health).await), "ready\n");
        let (ended_well, log) = program.stop().await;
        assert!(ended_well, "{log}");
        kept.push((keys("demo.key"), keys("secret.key")));
        let unanswered = run(bare(folder.path(), &["health", "--addr", &address])).await;
        assert!(!unanswered.status.success(), "no program serves any more");
    }
    assert_eq!(kept[0], kept[1]);
    assert_eq!(kept[0].1.trim().len(), 64);
}

async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap()
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let print = |arguments: &[&str]| said(&bare(folder.path(), arguments).output().unwrap());
    let (bash, manual) = (print(&["completions", "bash"]), print(&["man"]));
    for command in ["serve", "migrate", "demo", "trigger", "import", "backup", "health"] {
        assert!(bash.contains(command) && manual.contains(command), "{command}");
    }
    assert!(print(&["completions", "zsh"]).starts_with("#compdef retour"));
}

/// The page also lists these, which are no options of a command.
const OF_LIBRARIES: [&str; 8] = [
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "OTEL_SERVICE_NAME",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
];

#[test]
fn the_page_of_settings_lists_exactly_the_variables_of_the_manual_pages() {
    let folder = tempfile::tempdir().unwrap();
    said(&bare(folder.path(), &["man", "pages"]).output().unwrap());
    let mut pages: Vec<_> = std::fs::read_dir(folder.path().join("pages")).unwrap().map(|one| one.unwrap()).collect();
    pages.sort_by_key(std::fs::DirEntry::file_name);
    assert!(pages.iter().any(|page| page.file_name() == "retour-import-shopify.1"), "{pages:?}");
    let text: String = pages.iter().map(|page| std::fs::read_to_string(page.path()).unwrap()).collect();
    let of_options =
        text.split("May also be specified with the \\fB").skip(1).filter_map(|rest| rest.split("\\fR").next());
    let mut read: BTreeSet<String> = of_options.map(|name| name.replace('\\', "")).collect();
    assert!(read.len() > 20, "{read:?}");
    read.extend(OF_LIBRARIES.map(str::to_owned));

    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let names = rows.flat_map(|(cell, _)| cell.split('`').skip(1).step_by(2));
    let is_variable = |name: &&str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let listed: BTreeSet<String> = names.filter(is_variable).map(str::to_owned).collect();
    assert_eq!(listed, read);
}

/// The containers set only variables that the program reads.
#[test]
fn the_compose_file_sets_what_the_program_reads() {
    let folder = tempfile::tempdir().unwrap();
    let known = said(&bare(folder.path(), &["serve", "--help"]).output().unwrap());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/container/compose.yaml");
    let text = std::fs::read_to_string(file).unwrap();
    let settings =
        text.split("environment: &settings\n").nth(1).unwrap().lines().take_while(|line| line.starts_with("    "));
    let names: Vec<&str> = settings.filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name).collect();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        assert!(known.contains(&format!("[env: {name}=")) || known.contains(&format!("[env: {name}]")), "{name}");
    }
}
