//! `retour import shopify`.

use super::{
    error::{CommandError, Result},
    output::Output,
    secret_key::SecretKeyParser,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use returns::{
    Allowed, Http, Retour, SecretKeys, ShopImportError, ShopImportReport, ShopImportStatus, ShopImportStep,
    ShopImportWish,
};
use std::time::{Duration, Instant};

/// The most orders of a kind that are printed.
const MAX_SHOWN: usize = 50;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Slug of the account
    #[arg(long)]
    account: String,
    /// Only orders created since: a date such as 2026-01-01, or a date and time in RFC 3339. Without it, all orders; once an
    /// import has ended, only those that have changed since
    #[arg(long)]
    since: Option<String>,
    /// Begin anew: import orders again that have not changed, and do not continue an interrupted import
    #[arg(long)]
    all: bool,
    /// Print how far the import is, and import nothing
    #[arg(long, conflicts_with_all = ["since", "all"])]
    status: bool,
    /// Key that encrypts secrets, as for `retour serve`
    #[arg(long, env = "RETOUR_SECRET_KEY", default_value = "", hide_env_values = true, value_parser = SecretKeyParser)]
    secret_key: SecretKeys,
    /// Private addresses or networks that may be called, also without TLS, such as 127.0.0.0/8; separated by commas
    #[arg(long, env = "RETOUR_OUTBOUND_ALLOW", default_value = "")]
    outbound_allow: Allowed,
}

pub(super) async fn run(retour: Retour, output: &Output, options: Options) -> Result {
    let http = Http::new(options.outbound_allow).map_err(|error| CommandError::Failed(error.to_string()))?;
    let retour = retour
        .configured(|config| config.secret_keys = options.secret_key)
        .configured(|config| config.http = Some(http));
    let account = retour.account(&options.account).await?;
    if options.status {
        let status = retour.operator().shop_import_status(&account).await.map_err(told)?;
        print_status(output, &status);
        return output.document(&status);
    }
    let since = options.since.as_deref().map(|text| {
        ShopImportWish::parse_since(text, &account.time_zone)
            .ok_or_else(|| CommandError::WrongOption("--since: expected a date such as 2026-01-01".to_owned()))
    });
    let wish = ShopImportWish { since: since.transpose()?, all: options.all };
    let (began, bar) = (Instant::now(), bar());
    let mut tell = |step| print_step(output, &bar, step);
    let report = retour.operator().import_shop(&account, wish, &mut tell).await;
    bar.finish_and_clear();
    let report = report.map_err(told)?;
    print_report(output, &report, began.elapsed());
    output.document(&report)
}

fn told(error: ShopImportError) -> CommandError {
    match error {
        ShopImportError::Retour(error) => CommandError::Retour(error),
        other => CommandError::Failed(other.to_string()),
    }
}

/// Shows how many orders Shopify has exported, and then how many of them are stored. Only on a terminal.
fn bar() -> ProgressBar {
    styled(ProgressBar::no_length(), "{spinner} {pos} orders exported by Shopify so far, {elapsed}")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

fn print_step(output: &Output, bar: &ProgressBar, step: ShopImportStep) {
    match step {
        ShopImportStep::Waiting => bar.suspend(|| {
            say!(output, "another import of this shop may be running: waiting some seconds");
        }),
        ShopImportStep::Continues { asked_at, orders } => bar.suspend(|| {
            say!(output, "the import that began at {asked_at} continues after {orders} orders");
        }),
        ShopImportStep::OnlyChanged { completed_at } => bar.suspend(|| {
            say!(output, "the last import ended at {completed_at}: only orders that have changed since are imported");
        }),
        ShopImportStep::StartsOver(loss) => bar.suspend(|| {
            say!(output, "the export of the interrupted import cannot be continued, {loss}: another one begins");
        }),
        ShopImportStep::Exporting { orders } => bar.set_position(orders),
        ShopImportStep::Storing { done, total } => {
            if bar.length().is_none() {
                styled(bar.clone(), "{bar:40} {pos} of {len} orders stored, {eta} left");
            }
            bar.set_length(total);
            bar.set_position(done);
        }
    }
}

fn print_report(output: &Output, report: &ShopImportReport, took: Duration) {
    // Scripts read these lines, so each has one form for every number.
    let seconds = took.as_secs_f64();
    say!(output, "{} orders, {} of their lines new or changed, in {seconds:.1} s", report.orders, report.changed);
    if let Some(since) = report.created_since {
        say!(output, "only orders created since {since}");
    }
    if let Some(since) = report.changed_since {
        say!(output, "only orders changed since {since}");
    }
    say!(output, "{} orders left out: cancelled before anything was sent, or without lines", report.left_out);
    say!(output, "{} orders whose fulfilments were read by further requests", report.fulfilments_read);
    say!(output, "{} orders unreadable", report.unreadable_count);
    for order in report.unreadable.iter().take(MAX_SHOWN) {
        say!(output, "  {}: {}", order.name, order.problem);
    }
    print_more(output, report.unreadable_count, report.unreadable.len());
    say!(
        output,
        "{} orders not stored: Retour has another order with their id, or the same order under another id or currency",
        report.refused_count
    );
    for number in report.refused.iter().take(MAX_SHOWN) {
        say!(output, "  {number}");
    }
    print_more(output, report.refused_count, report.refused.len());
}

fn print_more(output: &Output, count: u64, named: usize) {
    let more = count.saturating_sub(named.min(MAX_SHOWN) as u64);
    if more > 0 {
        say!(output, "  and {more} more");
    }
}

fn print_status(output: &Output, status: &ShopImportStatus) {
    match (&status.unfinished, status.is_running) {
        (Some(import), is_running) => {
            let state = if is_running { "is running" } else { "was interrupted: `retour import shopify` continues it" };
            say!(output, "an import that began at {} {state}", import.began_at);
            say!(output, "{} orders are stored, {} bytes of the file", import.orders, import.bytes);
        }
        (None, true) => say!(output, "an import begins"),
        (None, false) => say!(output, "no import is running"),
    }
    match &status.completed {
        Some(import) => say!(output, "the last import ended at {}, with {} orders", import.ended_at, import.orders),
        None => say!(output, "no import has ended yet"),
    }
}
