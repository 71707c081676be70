//! Reports about the progress of a copy.

/// A step of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The number of rows of a table that were copied since the last report.
    Copied(&'a str, u64),
    /// The number of rows of a table that were compared since the last report.
    Compared(&'a str, u64),
}

/// Receives the reports.
pub type Watcher<'a> = &'a (dyn Fn(Progress<'_>) + Send + Sync);
