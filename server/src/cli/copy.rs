//! `retour copy`.

use super::{CommandError, Result, folder_of_file, output::Output, s3};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    Files, Retour, S3Settings, Source,
    backup::file_of,
    copy::{Compared, Move, MoveError, Moved, MovedFiles, Progress},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// More files than anybody reads the ids of.
const FILES_SHOWN: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Source database: `sqlite://FILE` or `postgres://USER@HOST/NAME`
    #[arg(long, env = "RETOUR_COPY_FROM", hide_env_values = true)]
    from: String,
    /// Target database, which must be empty
    #[arg(long, env = "RETOUR_COPY_TO", hide_env_values = true)]
    to: String,
    /// Files of the source, as in `FILES_URL`; without it, files stay where they are
    #[arg(long, requires = "files_to")]
    files_from: Option<String>,
    /// Target of the files, as in `FILES_URL`
    #[arg(long, requires = "files_from")]
    files_to: Option<String>,
    #[command(flatten)]
    s3: s3::S3Options,
    /// Only compare both databases
    #[arg(long)]
    verify_only: bool,
    /// Maximum of rows in a transaction
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rows_at_once: u32,
}

pub(super) async fn run(output: &Output, options: Options) -> Result {
    let moving = open(&options).await?;
    let moved = move_all(&moving, output, &options).await;
    moving.close().await; // also where it failed: nobody should find half of a file's changes beside it
    moved
}

async fn move_all(moving: &Move, output: &Output, options: &Options) -> Result {
    let rows = moving.rows().await.map_err(wrong)?;
    let started = Instant::now();
    let (copying, comparing) = (bar("copying", rows), bar("comparing", rows));
    let watcher = |progress: Progress<'_>| match progress {
        Progress::Copied(table, rows) => step(&copying, table, rows),
        Progress::Compared(table, rows) => {
            copying.finish_and_clear();
            step(&comparing, table, rows);
        }
    };
    let moved = if options.verify_only {
        moving.verify(&watcher).await
    } else {
        moving.copy(usize::try_from(options.rows_at_once).unwrap_or(usize::MAX), &watcher).await
    };
    copying.finish_and_clear();
    comparing.finish_and_clear();
    let moved = moved.map_err(wrong)?;
    tell(output, &moved, started.elapsed());
    let files = match options.files_from {
        Some(_) => Some(copy_files(moving, output, options.verify_only).await?),
        None => None,
    };
    output.document(&document(&moved, files.as_ref()))?;
    let files_are_same = files.is_none_or(|files| files.lost.is_empty() && files.different.is_empty());
    match (moved.is_same() && files_are_same, options.verify_only) {
        (true, false) if !moved.was_there => moving.finish().await.map_err(wrong),
        (true, _) => Ok(()),
        (false, true) => Err(CommandError::Wrong("source and target differ: see above".to_owned())),
        (false, false) => Err(CommandError::Wrong(
            "source and target differ: see above. Whatever has changed one of them meanwhile, copy again into an empty database"
                .to_owned(),
        )),
    }
}

async fn open(options: &Options) -> Result<Move> {
    let place = |url: &str| file_of(url).and_then(|file| file.canonicalize().ok());
    if options.from == options.to || place(&options.from).is_some_and(|from| place(&options.to) == Some(from)) {
        return Err(CommandError::Wrong("--from and --to are the same database".to_owned()));
    }
    // Opening makes a file where there is none.
    let all = [("--from", &options.from, true), ("--to", &options.to, options.verify_only)];
    for (option, url, _) in all.into_iter().filter(|(.., has_to_be_there)| *has_to_be_there) {
        if let Some(file) = file_of(url).filter(|file| !file.is_file()) {
            return Err(CommandError::Wrong(format!("{option}: there is no file {}", file.display())));
        }
    }
    if let Some(folder) = folder_of_file(&options.to) {
        std::fs::create_dir_all(folder)?;
    }
    let s3 = options.s3.settings();
    let source = one("--from", &options.from, options.files_from.as_deref(), &s3).await?;
    let target = one("--to", &options.to, options.files_to.as_deref(), &s3).await?;
    Ok(Move::new(source, target))
}

async fn one(option: &str, url: &str, files: Option<&str>, s3: &S3Settings) -> Result<Retour> {
    let named = |error: &dyn std::fmt::Display| {
        let error = error.to_string();
        CommandError::Wrong(format!("{option}: {}", error.trim_start_matches("DATABASE_URL: ")))
    };
    let retour = Retour::open_for_long(url, Source::system()).await.map_err(|error| named(&error))?;
    let Some(files) = files else { return Ok(retour) };
    let files = Files::open(files, s3).map_err(|error| {
        CommandError::Wrong(error.to_string().replace("FILES_URL", &option.replace("--", "--files-")))
    })?;
    Ok(retour.keeping_files_in(files))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn wrong(error: MoveError) -> CommandError {
    CommandError::Wrong(error.to_string())
}

/// Rows, on a terminal only.
fn bar(doing: &'static str, rows: u64) -> ProgressBar {
    let bar = ProgressBar::new(rows);
    let style = "{prefix:9} {bar:40} {percent:>3} %  {human_pos} of {human_len} rows  {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(doing);
    bar
}

fn step(bar: &ProgressBar, table: &str, rows: u64) {
    if bar.message() != table {
        bar.set_message(table.to_owned());
    }
    bar.inc(rows);
}

fn tell(output: &Output, moved: &Moved, took: Duration) {
    say!(output, "{:<26} {:>12}  SHA-256 of the rows", "table", "rows");
    for table in &moved.tables {
        say!(output, "{:<26} {:>12}  {}", table.table, table.rows, table.hash.get(..32).unwrap_or_default());
        for difference in &table.differences {
            say!(output, "  {difference}");
        }
        let told = table.differences.len() as u64;
        if table.different > told {
            say!(output, "  and {} more", table.different - told);
        }
    }
    let rows: u64 = moved.tables.iter().map(|table| table.rows).sum();
    let different: u64 = moved.tables.iter().map(|table| table.different).sum();
    let seconds = took.as_secs_f64();
    match (different, moved.was_there) {
        (0, true) => say!(output, "All {rows} rows are there already, each as at the source ({seconds:.1} s)."),
        (0, false) => say!(output, "All {rows} rows are there, each as at the source ({seconds:.1} s)."),
        _ => say!(output, "Differences: {different}, in {rows} rows ({seconds:.1} s)."),
    }
}

fn document(moved: &Moved, files: Option<&MovedFiles>) -> Value {
    let table = |table: &Compared| {
        let differences: Vec<String> = table.differences.iter().map(ToString::to_string).collect();
        json!({
            "table": table.table, "rows": table.rows, "sha256": table.hash, "different": table.different,
            "differences": differences,
        })
    };
    let files = files.map(
        |files| json!({"files": files.files, "copied": files.copied, "lost": files.lost, "different": files.different}),
    );
    json!({
        "tables": moved.tables.iter().map(table).collect::<Vec<_>>(), "same": moved.is_same(),
        "wasThere": moved.was_there, "files": files,
    })
}

/// Copies the files, or only compares them.
async fn copy_files(moving: &Move, output: &Output, only_compare: bool) -> Result<MovedFiles> {
    let bar = ProgressBar::new_spinner();
    let moved = moving.copy_files(only_compare, |files| bar.set_message(format!("{files} files"))).await;
    bar.finish_and_clear();
    let moved = moved.map_err(wrong)?;
    let MovedFiles { files, copied, lost, different } = &moved;
    say!(output, "{files} files, {copied} of them copied now");
    for (which, ids) in
        [("not at the source, though a row tells of it", lost), ("not the same at the target", different)]
    {
        for id in ids.iter().take(FILES_SHOWN) {
            say!(output, "  {id} is {which}");
        }
        if ids.len() > FILES_SHOWN {
            say!(output, "  and {} more", ids.len() - FILES_SHOWN);
        }
    }
    Ok(moved)
}
