//! `retour backup`.

use super::{
    error::{CommandError, Result},
    output::Output,
};
use clap::Parser;
use returns::{
    StoreError,
    backup::{BackupError, back_up},
};
use std::{path::PathBuf, time::Instant};

#[derive(Debug, Parser)]
pub(super) struct Options {
    /// File to write
    file: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

/// Backs up tables of any version, because a backup comes before an upgrade.
pub(super) async fn run(database_url: &str, output: &Output, options: Options) -> Result {
    let started = Instant::now();
    let written = back_up(database_url, &options.file, options.force).await;
    let written = written.map_err(|error| match error {
        BackupError::Store(StoreError::BadUrl(why)) => CommandError::WrongOption(format!("DATABASE_URL: {why}")),
        error => CommandError::Failed(error.to_string()),
    })?;
    say!(
        output,
        "{}: {} KiB, {} return orders, checked, in {:.1} s",
        options.file.display(),
        written.bytes / 1024,
        written.return_orders,
        started.elapsed().as_secs_f64()
    );
    let (file, bytes, return_orders) = (&options.file, written.bytes, written.return_orders);
    output.document(&serde_json::json!({"file": file, "bytes": bytes, "returnOrders": return_orders}))
}
