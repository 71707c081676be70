//! The output of a command: messages for people, or with `--json` one document for programs.

use super::error::{CommandError, Result};
use crate::api;
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    fmt,
    io::{self, Write as _},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Prints messages and the document. With `--json`, messages go to standard error.
#[derive(Debug)]
pub(super) struct Output {
    is_json: bool,
    has_document: AtomicBool,
    /// Why standard output did not take a line.
    write_error: OnceLock<io::Error>,
}

/// Prints a line of a message.
macro_rules! say {
    ($output:expr, $($part:tt)*) => {
        $output.line(format_args!($($part)*))
    };
}

impl Output {
    pub fn new(is_json: bool) -> Self {
        Self { is_json, has_document: AtomicBool::new(false), write_error: OnceLock::new() }
    }

    pub fn is_json(&self) -> bool {
        self.is_json
    }

    /// Prints a line. [`Self::finish`] returns its error, so that a full disk does not stop a command half-way.
    pub fn line(&self, text: fmt::Arguments<'_>) {
        if self.is_json {
            let _ = writeln!(io::stderr(), "{text}"); // nowhere is left to report an error of standard error
        } else if let Err(error) = unless_closed(writeln!(io::stdout(), "{text}")) {
            let _ = self.write_error.set(error);
        }
    }

    /// Fails if standard output did not take everything.
    pub fn finish(&mut self) -> Result {
        let written = self.write_error.take().map_or(Ok(()), Err);
        written.and_then(|()| unless_closed(io::stdout().flush())).map_err(|error| unwritten(&error))
    }

    /// Prints the document if `--json` is set. A command calls this at most once.
    pub fn document(&self, document: &impl Serialize) -> Result {
        if !self.is_json {
            return Ok(());
        }
        self.has_document.store(true, Ordering::Relaxed);
        let text = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
        print(&format!("{text}\n"))
    }

    /// Prints a list: `{"data": […]}`, or a table with these columns.
    pub fn list<T: Serialize, const N: usize>(
        &self,
        rows: &[T],
        heads: [&str; N],
        cells: impl Fn(&T) -> [String; N],
    ) -> Result {
        if self.is_json {
            return self.document(&json!({"data": rows}));
        }
        let mut lines = vec![heads.map(str::to_owned)];
        lines.extend(rows.iter().map(cells));
        let mut widths = [0; N];
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for line in &lines {
            let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            say!(self, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        Ok(())
    }

    /// Prints an object: the document, or a line for each of its fields.
    pub fn object(&self, object: &impl Serialize) -> Result {
        if self.is_json {
            return self.document(object);
        }
        let value = serde_json::to_value(object).map_err(io::Error::from)?;
        for (name, value) in value.as_object().into_iter().flatten() {
            match value {
                Value::String(text) => say!(self, "{name}: {text}"),
                other => say!(self, "{name}: {other}"),
            }
        }
        Ok(())
    }

    /// Prints why a command failed. With `--json`, this is also the document, unless the command line is wrong or the command has already
    /// printed a document.
    pub fn fail(&self, error: &CommandError) {
        let message = message(error);
        eprintln!("retour: {message}");
        if self.has_document.load(Ordering::Relaxed) {
            return;
        }
        let (code, details) = match error {
            CommandError::WrongOption(_) => return,
            CommandError::Retour(error) | CommandError::Opening { error, .. } => {
                let details = match error {
                    returns::Error::Invalid(details) => details.as_slice(),
                    _ => &[],
                };
                (api::error_code(error.code()), details)
            }
            CommandError::Io(_) | CommandError::Failed(_) | CommandError::Reported => {
                ("CommandFailed".to_owned(), &[][..])
            }
        };
        let _ = self.document(&json!({"error": {"code": code, "message": message, "details": details}}));
    }
}

/// Prints a document.
pub(super) fn print(text: &str) -> Result {
    let mut out = io::stdout();
    unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush())).map_err(|error| unwritten(&error))
}

/// A closed pipe (`| head`) is no error.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn unwritten(error: &io::Error) -> CommandError {
    CommandError::Failed(format!("standard output: {error}"))
}

/// The message of an error, with the fields that it names.
fn message(error: &CommandError) -> String {
    match error {
        CommandError::Retour(returns::Error::Invalid(details)) => {
            let details: Vec<String> =
                details.iter().map(|detail| format!("{}: {}", detail.field, detail.message)).collect();
            details.join("; ")
        }
        other => other.to_string(),
    }
}

/// Reads all pages of a list, newest first.
pub(super) async fn read_all<T>(
    page_of: impl AsyncFn(returns::Listing) -> returns::Result<returns::view::List<T>>,
) -> Result<Vec<T>> {
    let (mut all, mut next) = (Vec::new(), None);
    loop {
        let page = returns::Page::at(next, returns::MAX_LIMIT);
        let list = page_of(returns::Listing::newest(page)).await?;
        all.extend(list.data);
        next = list.next_page;
        if next.is_none() {
            return Ok(all);
        }
    }
}
