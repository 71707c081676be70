//! `retour import`.

use super::{CommandError, Result, output::Output};
use clap::Subcommand;
use domain::AccountId;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    ImportReport, NamedOrders, Refused, Retour,
    import::{self, Format},
    view,
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
    /// Import orders from a CSV file, also gzipped or in a ZIP archive (docs/import.md)
    Orders {
        /// Slug of the account
        #[arg(long)]
        account: String,
        /// Format of the file: shopify or retour
        #[arg(long)]
        format: Format,
        /// Print the report and write nothing
        #[arg(long)]
        dry_run: bool,
        /// File to import
        file: PathBuf,
    },
}

pub(super) async fn run(retour: &Retour, output: &Output, command: Command) -> Result {
    let Command::Orders { account, format, dry_run, file } = command;
    let account = retour.account(&account).await?;
    let unreadable = |error: &dyn std::fmt::Display| CommandError::Wrong(format!("{}: {error}", file.display()));
    let source = import::open(&file).map_err(|error| unreadable(&error))?;
    let (size, read) = (source.size, source.read.clone());
    let orders = import::orders(format, source, &account.time_zone).map_err(|error| unreadable(&error))?;
    let started = Instant::now();
    let bar = bar(size);
    let watched = tokio::spawn(watch(bar.clone(), read));
    let report = take_in(retour, account.id, dry_run, orders).await;
    watched.abort();
    bar.finish_and_clear();
    tell(output, report?, started.elapsed())
}

async fn take_in(
    retour: &Retour,
    account: AccountId,
    is_dry_run: bool,
    orders: import::ParsedFile<'_>,
) -> returns::Result<ImportReport> {
    let mut importer = retour.importer(account, is_dry_run).await?;
    for parsed in orders {
        importer.take(parsed).await?;
    }
    importer.finish().await
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

fn tell(output: &Output, report: ImportReport, took: Duration) -> Result {
    // Scripts read these lines: each has one form for every number.
    say!(
        output,
        "{} orders with {} lines, {} of them new or changed, in {:.1} s",
        report.orders,
        report.lines,
        report.changed,
        took.as_secs_f64()
    );
    if report.is_dry_run {
        say!(output, "dry run: nothing was written");
    }
    say!(output, "{} lines skipped", report.skipped_count);
    for (line, reason) in report.skipped.iter().take(SKIPPED_SHOWN) {
        say!(output, "  line {line}: {reason}");
    }
    tell_of_more(output, report.skipped_count, report.skipped.len().min(SKIPPED_SHOWN));
    for (number, why) in &report.refused {
        let why = match why {
            Refused::KnownUnderAnotherId => {
                "is known under another id, with the same number, e-mail address and postal code"
            }
            Refused::OtherCurrency => "is known in another currency",
            Refused::OtherOrder => "has a number or an id that is known as another order's number, and no other id",
        };
        say!(output, "  order {number} left out: it {why}");
    }
    tell_of_more(output, report.refused_count, report.refused.len());
    tell_of_orders(
        output,
        "that nobody can look up: every field of the account's lookUpBy is empty",
        &report.unprovable,
    );
    tell_of_orders(output, "for which nothing was paid", &report.unpaid);
    tell_of_orders(
        output,
        "whose returns wait for a person: the sums do not add up, or do not contain what was paid",
        &report.in_review,
    );
    tell_of_orders(
        output,
        "cannot be returned yet: no shipping option has a price in the currency",
        &report.without_shipping_option,
    );
    tell_of_orders(
        output,
        "with an id that a spreadsheet program has rounded: the number identifies it",
        &report.rounded_ids,
    );
    let (stopped, took_nothing) = (report.stopped.clone(), report.took_nothing());
    output.document(&view::ImportReport::from(report))?;
    match stopped {
        None if took_nothing => Err(CommandError::Wrong("no order was taken in: the lines above say why".to_owned())),
        None => Ok(()),
        Some(why) => Err(CommandError::Wrong(format!("stopped before the end: {why}"))),
    }
}

fn tell_of_more(output: &Output, count: u64, shown: usize) {
    let more = count.saturating_sub(shown as u64);
    if more > 0 {
        say!(output, "  and {more} more");
    }
}

/// Orders that the merchant should know of, some by their number.
fn tell_of_orders(output: &Output, what: &str, orders: &NamedOrders) {
    if orders.count == 0 {
        return;
    }
    let more = if orders.count > orders.numbers.len() as u64 { ", …" } else { "" };
    say!(output, "{} orders {what}: {}{more}", orders.count, orders.numbers.join(", "));
}
