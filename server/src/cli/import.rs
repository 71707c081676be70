//! `retour import`.

use super::{CommandError, Result};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    ImportReport, Refused, Retour,
    import::{self, Format},
};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// More skipped lines than anybody reads; the report says how many there are.
const SKIPPED_SHOWN: usize = 50;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Take in orders from a CSV file, gzipped or not (docs/import.md)
    Orders {
        /// The account's slug
        #[arg(long)]
        account: String,
        /// The file's layout: shopify or retour
        #[arg(long)]
        format: Format,
        /// The file
        file: PathBuf,
    },
}

pub(super) async fn run(retour: &Retour, command: Command) -> Result {
    let Command::Orders { account, format, file } = command;
    let account = retour.account(&account).await?;
    let unreadable = |error: &dyn std::fmt::Display| CommandError::Wrong(format!("{}: {error}", file.display()));
    let source = import::open(&file).map_err(|error| unreadable(&error))?;
    let (size, read) = (source.size, source.read.clone());
    let orders = import::orders(format, source, &account.time_zone).map_err(|error| unreadable(&error))?;
    let started = Instant::now();
    let bar = bar(size);
    let watched = tokio::spawn(watch(bar.clone(), read));
    let report = retour.import(account.id, orders).await;
    watched.abort();
    bar.finish_and_clear();
    tell(&report?, started.elapsed())
}

/// Bytes of the file, on a terminal only.
fn bar(size: u64) -> ProgressBar {
    let bar = ProgressBar::new(size);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta} left") {
        bar.set_style(style);
    }
    bar
}

async fn watch(bar: ProgressBar, read: std::sync::Arc<AtomicU64>) {
    loop {
        bar.set_position(read.load(Ordering::Relaxed));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn tell(report: &ImportReport, took: Duration) -> Result {
    say!(
        "{} orders with {} lines, {} of them new or changed, in {:.1} s",
        report.orders,
        report.lines,
        report.changed,
        took.as_secs_f64()
    );
    if report.without_shipping_option > 0 {
        say!(
            "{} orders cannot be returned yet: no way of sending has a price in their currency",
            report.without_shipping_option
        );
    }
    say!("{} lines skipped", report.skipped.len());
    for (line, reason) in report.skipped.iter().take(SKIPPED_SHOWN) {
        say!("  line {line}: {reason}");
    }
    if report.skipped.len() > SKIPPED_SHOWN {
        say!("  and {} more", report.skipped.len() - SKIPPED_SHOWN);
    }
    for (number, why) in &report.refused {
        let why = match why {
            Refused::KnownUnderAnotherId => "is known under another id, with the same number and e-mail",
            Refused::OtherCurrency => "is known in another currency",
        };
        say!("  order {number} left out: it {why}");
    }
    match &report.stopped {
        None => Ok(()),
        Some(why) => Err(CommandError::Wrong(format!("stopped before the end: {why}"))),
    }
}
