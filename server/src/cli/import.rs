//! `retour import`.

use super::{
    error::{CommandError, Result},
    import_shopify,
    output::Output,
};
use clap::Subcommand;
use domain::AccountId;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    ImportSummary, OrderSample, RefusedBecause, Retour,
    import::{self, Format},
    view,
};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The most skipped lines that are printed.
const MAX_SKIPPED_SHOWN: usize = 50;
/// How often the progress bar moves.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

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
    /// Import all orders of the connected Shopify shop, or continue an import that was interrupted (docs/shopify.md)
    Shopify(import_shopify::Options),
}

pub(super) async fn run(retour: Retour, output: &Output, command: Command) -> Result {
    match command {
        Command::Orders { account, format, dry_run, file } => {
            import_file(&retour, output, &account, format, dry_run, file).await
        }
        Command::Shopify(options) => Box::pin(import_shopify::run(retour, output, options)).await,
    }
}

async fn import_file(
    retour: &Retour,
    output: &Output,
    account: &str,
    format: Format,
    dry_run: bool,
    file: PathBuf,
) -> Result {
    let account = retour.account(account).await?;
    let unreadable = |error: &dyn std::fmt::Display| CommandError::Failed(format!("{}: {error}", file.display()));
    let source = import::open(&file).map_err(|error| unreadable(&error))?;
    let (size, read) = (source.size, source.read.clone());
    let orders = import::orders(format, source, &account.time_zone).map_err(|error| unreadable(&error))?;
    let started = Instant::now();
    let bar = bar(size);
    let watched = tokio::spawn(show_progress(bar.clone(), read));
    let report = import_all(retour, account.id, dry_run, orders).await;
    watched.abort();
    bar.finish_and_clear();
    print_report(output, report?, started.elapsed())
}

async fn import_all(
    retour: &Retour,
    account: AccountId,
    is_dry_run: bool,
    orders: import::ParsedFile<'_>,
) -> returns::Result<ImportSummary> {
    let mut importer = retour.operator().importer(account, is_dry_run).await?;
    for parsed in orders {
        importer.take(parsed).await?;
    }
    importer.finish().await
}

/// A progress bar of bytes of the file. It is shown only on a terminal.
fn bar(size: u64) -> ProgressBar {
    let bar = ProgressBar::new(size);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes} of {total_bytes}  {eta} left") {
        bar.set_style(style);
    }
    bar
}

async fn show_progress(bar: ProgressBar, read: std::sync::Arc<AtomicU64>) {
    loop {
        bar.set_position(read.load(Ordering::Relaxed));
        tokio::time::sleep(PROGRESS_EVERY).await;
    }
}

fn print_report(output: &Output, report: ImportSummary, took: Duration) -> Result {
    // Scripts read these lines, so each has one form for every number.
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
    print_left_out(output, &report);
    print_warnings(output, &report);
    let (stopped, took_nothing) = (report.stopped.clone(), report.took_nothing());
    output.document(&view::ImportReport::from(report))?;
    match stopped {
        None if took_nothing => {
            Err(CommandError::Failed("no order was imported: see the lines above for the reasons".to_owned()))
        }
        None => Ok(()),
        Some(why) => Err(CommandError::Failed(format!("stopped before the end: {why}"))),
    }
}

/// Prints the lines and orders that were not imported.
fn print_left_out(output: &Output, report: &ImportSummary) {
    say!(output, "{} lines skipped", report.skipped_count);
    for (line, reason) in report.skipped.iter().take(MAX_SKIPPED_SHOWN) {
        say!(output, "  line {line}: {reason}");
    }
    print_more(output, report.skipped_count, report.skipped.len().min(MAX_SKIPPED_SHOWN));
    for (number, why) in &report.refused {
        let why = match why {
            RefusedBecause::KnownUnderAnotherId => {
                "is known under another id, with the same number, e-mail address and postal code"
            }
            RefusedBecause::OtherCurrency => "is stored in another currency",
            RefusedBecause::OtherOrder => "has the number or the id of another order, of another buyer or another date",
        };
        say!(output, "  order {number} left out: it {why}");
    }
    print_more(output, report.refused_count, report.refused.len());
}

/// Prints the imported orders that the merchant should know about.
fn print_warnings(output: &Output, report: &ImportSummary) {
    for (orders, what) in [
        (&report.unprovable, "that nobody can look up: every field of the account's lookUpBy is empty"),
        (&report.unpaid, "for which nothing was paid"),
        (
            &report.in_review,
            "whose returns need a manual review: the sums do not add up, or do not show how much was paid",
        ),
        (&report.without_shipping_option, "cannot be returned yet: no shipping option has a price in the currency"),
        (&report.rounded_ids, "with an id that a spreadsheet program has rounded: the number identifies it"),
    ] {
        print_orders(output, what, orders);
    }
}

fn print_more(output: &Output, count: u64, shown: usize) {
    let more = count.saturating_sub(shown as u64);
    if more > 0 {
        say!(output, "  and {more} more");
    }
}

/// Prints how many orders there are, with some of their numbers.
fn print_orders(output: &Output, what: &str, orders: &OrderSample) {
    if orders.count == 0 {
        return;
    }
    let more = if orders.count > orders.numbers.len() as u64 { ", …" } else { "" };
    say!(output, "{} orders {what}: {}{more}", orders.count, orders.numbers.join(", "));
}
