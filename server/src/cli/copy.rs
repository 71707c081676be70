//! `retour copy`.

use super::{
    common::create_folder_of,
    error::{CommandError, Result},
    output::Output,
    s3,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    Files, Retour, S3Settings, Source,
    backup::file_of,
    copy::{Compared, CopyProgress, Move, MoveError, Moved, MovedFiles},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The most ids of files that are printed.
const MAX_FILES_SHOWN: usize = 20;
/// The first half of a SHA-256 is enough to compare by eye.
const HASH_CHARS_SHOWN: usize = 32;

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
    moving.close().await; // also after an error, so that no write-ahead log is left beside the file
    moved
}

async fn move_all(moving: &Move, output: &Output, options: &Options) -> Result {
    let rows = moving.rows().await.map_err(failed)?;
    let started = Instant::now();
    let (copying, comparing) = (bar("copying", rows), bar("comparing", rows));
    let watcher = |progress: CopyProgress<'_>| match progress {
        CopyProgress::Copied(table, rows) => advance(&copying, table, rows),
        CopyProgress::Compared(table, rows) => {
            copying.finish_and_clear();
            advance(&comparing, table, rows);
        }
    };
    let moved = if options.verify_only {
        moving.verify(&watcher).await
    } else {
        moving.copy(usize::try_from(options.rows_at_once).unwrap_or(usize::MAX), &watcher).await
    };
    copying.finish_and_clear();
    comparing.finish_and_clear();
    let moved = moved.map_err(failed)?;
    print_tables(output, &moved, started.elapsed());
    let files = match options.files_from {
        Some(_) => Some(copy_files(moving, output, options.verify_only).await?),
        None => None,
    };
    output.document(&document(&moved, files.as_ref()))?;
    let files_are_same = files.is_none_or(|files| files.lost.is_empty() && files.different.is_empty());
    match (moved.is_same() && files_are_same, options.verify_only) {
        (true, false) if !moved.was_there => moving.finish().await.map_err(failed),
        (true, _) => Ok(()),
        (false, true) => Err(CommandError::Failed("source and target differ: see above".to_owned())),
        (false, false) => Err(CommandError::Failed(
            "source and target differ: see above. One of them has changed during the copy: copy again into an empty database"
                .to_owned(),
        )),
    }
}

async fn open(options: &Options) -> Result<Move> {
    let file_of = |url: &str| file_of(url).ok().flatten(); // `open_one` reports a wrong URL
    let place = |url: &str| file_of(url).and_then(|file| file.canonicalize().ok());
    if options.from == options.to || place(&options.from).is_some_and(|from| place(&options.to) == Some(from)) {
        return Err(CommandError::WrongOption("--from and --to are the same database".to_owned()));
    }
    // Opening a database creates a missing file.
    let all = [("--from", &options.from, true), ("--to", &options.to, options.verify_only)];
    for (option, url, _) in all.into_iter().filter(|(.., must_exist)| *must_exist) {
        if let Some(file) = file_of(url).filter(|file| !file.is_file()) {
            return Err(CommandError::Failed(format!("{option}: there is no file {}", file.display())));
        }
    }
    create_folder_of(&options.to)?;
    let s3 = options.s3.settings();
    let source = open_one("--from", &options.from, options.files_from.as_deref(), &s3).await?;
    let target = open_one("--to", &options.to, options.files_to.as_deref(), &s3).await?;
    Ok(Move::new(source, target))
}

async fn open_one(option: &str, url: &str, files: Option<&str>, s3: &S3Settings) -> Result<Retour> {
    let named = |message: String| format!("{option}: {}", message.trim_start_matches("DATABASE_URL: "));
    let opened = Retour::open_for_long(url, Source::system()).await;
    let retour = opened.map_err(|error| CommandError::from(error).with_message(named))?;
    let Some(files) = files else { return Ok(retour) };
    let named = |message: String| message.replace("FILES_URL", &option.replace("--", "--files-"));
    let files = Files::open(files, s3).map_err(|error| CommandError::from(error).with_message(named))?;
    Ok(retour.configured(|config| config.files = Some(files)))
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes a value")]
fn failed(error: MoveError) -> CommandError {
    CommandError::Failed(error.to_string())
}

/// A progress bar of rows. It is shown only on a terminal.
fn bar(doing: &'static str, rows: u64) -> ProgressBar {
    let bar = ProgressBar::new(rows);
    let style = "{prefix:9} {bar:40} {percent:>3} %  {human_pos} of {human_len} rows  {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(doing);
    bar
}

fn advance(bar: &ProgressBar, table: &str, rows: u64) {
    if bar.message() != table {
        bar.set_message(table.to_owned());
    }
    bar.inc(rows);
}

fn print_tables(output: &Output, moved: &Moved, took: Duration) {
    say!(output, "{:<26} {:>12}  SHA-256 of the rows", "table", "rows");
    for table in &moved.tables {
        say!(
            output,
            "{:<26} {:>12}  {}",
            table.table,
            table.rows,
            table.hash.get(..HASH_CHARS_SHOWN).unwrap_or_default()
        );
        for difference in &table.differences {
            say!(output, "  {difference}");
        }
        let shown = table.differences.len() as u64;
        if table.different > shown {
            say!(output, "  and {} more", table.different - shown);
        }
    }
    let rows: u64 = moved.tables.iter().map(|table| table.rows).sum();
    let different: u64 = moved.tables.iter().map(|table| table.different).sum();
    let seconds = took.as_secs_f64();
    match (different, moved.was_there) {
        (0, true) => say!(output, "All {rows} rows are already there, equal to the source ({seconds:.1} s)."),
        (0, false) => say!(output, "All {rows} rows are there, equal to the source ({seconds:.1} s)."),
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
    let moved = moved.map_err(failed)?;
    let MovedFiles { files, copied, lost, different } = &moved;
    say!(output, "{files} files, {copied} of them copied now");
    for (which, ids) in
        [("missing at the source, although a row names it", lost), ("different at the target", different)]
    {
        for id in ids.iter().take(MAX_FILES_SHOWN) {
            say!(output, "  {id} is {which}");
        }
        if ids.len() > MAX_FILES_SHOWN {
            say!(output, "  and {} more", ids.len() - MAX_FILES_SHOWN);
        }
    }
    Ok(moved)
}
