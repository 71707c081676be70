//! The strip of figures: the last 28 days beside the 28 days before.

use crate::{
    components::{age_text, money},
    pages::returns::address::{ListAddress, RowsOf},
    visit::Visit,
};
use domain::{Money, policy::Resolution};
use leptos::prelude::*;
use returns::view::{FigureAmounts, FiguresSummary, PeriodFigures};
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// A figure of the strip.
struct Figure {
    name: &'static str,
    hint: Option<&'static str>,
    now: Html,
    before: Html,
    /// The list with its rows, if there is one.
    href: Option<String>,
}

/// The strip.
pub fn strip(visit: &Visit, summary: &FiguresSummary) -> Html {
    let words = visit.words.today;
    let (now, before) = (&summary.current, &summary.previous);
    let number = |count: i64| ui::money::count(u32::try_from(count).unwrap_or(u32::MAX), visit.words).into_html();
    let time = |seconds: Option<i64>| {
        seconds.map_or_else(|| words.figure_none.to_owned(), |seconds| age_text(seconds, visit.words)).into_html()
    };
    let figures = vec![
        Figure {
            name: words.received_units,
            hint: None,
            now: number(now.received_units),
            before: number(before.received_units),
            href: None,
        },
        Figure {
            name: words.refunded,
            hint: None,
            now: refunds(visit, now),
            before: refunds(visit, before),
            href: Some(rows(visit, now, &[Resolution::Refund])),
        },
        Figure {
            name: words.kept_share,
            hint: Some(words.kept_share_hint),
            now: shares(visit, now),
            before: shares(visit, before),
            href: Some(rows(visit, now, &[Resolution::Exchange, Resolution::StoreCredit])),
        },
        Figure {
            name: words.median_time,
            hint: Some(words.median_time_hint),
            now: time(now.median_total_seconds),
            before: time(before.median_total_seconds),
            href: Some(rows(visit, now, &[])),
        },
    ];
    view! {
        <section class="section" aria-labelledby="figures-title">
            <h2 id="figures-title">{words.figures}</h2>
            <dl class="strip">{figures.into_iter().map(|figure| shown(visit, figure)).collect_view()}</dl>
            <p class="hint">{format(words.figures_hint, &[&summary.time_zone])}</p>
        </section>
    }
    .into_html()
}

fn shown(visit: &Visit, figure: Figure) -> Html {
    let words = visit.words.today;
    let name = match figure.href {
        Some(href) => view! { <a href=href>{figure.name}</a> }.into_html(),
        None => figure.name.into_html(),
    };
    view! {
        <div class="figure">
            <dt>{name}{figure.hint.map(|hint| view! { <small class="hint">{hint}</small> })}</dt>
            <dd><strong>{figure.now}</strong></dd>
            <dd class="quiet">{format(words.figure_before, &[""])}{figure.before}</dd>
        </div>
    }
    .into_html()
}

/// The list of the completed items, of some resolutions.
fn rows(visit: &Visit, period: &PeriodFigures, resolutions: &[Resolution]) -> String {
    let mut filters = period.completed_filters.clone();
    if !resolutions.is_empty() {
        let names: Vec<&str> = resolutions.iter().map(|resolution| resolution.name()).collect();
        filters.push(format!("requestedResolution:{}", names.join("|")));
    }
    visit.path(&ListAddress { rows: RowsOf::Requests, filters, ..ListAddress::of_query("") }.path())
}

fn refunds(visit: &Visit, period: &PeriodFigures) -> Html {
    let none = [FigureAmounts {
        currency: visit.account.currency,
        refunded: Money::new(0, visit.account.currency),
        kept: Money::new(0, visit.account.currency),
        kept_percent: None,
    }];
    let amounts = if period.amounts.is_empty() { none.as_slice() } else { &period.amounts };
    let one = |amounts: &FigureAmounts| view! { <span class="amount">{money(amounts.refunded, visit.words)}</span>" " };
    amounts.iter().map(one).collect_view().into_html()
}

/// The share of each currency, named if there are several.
fn shares(visit: &Visit, period: &PeriodFigures) -> Html {
    let words = visit.words.today;
    if period.amounts.is_empty() {
        return words.figure_none.into_html();
    }
    let are_several = period.amounts.len() > 1;
    let one = |amounts: &FigureAmounts| {
        let share = amounts.kept_percent.map(|percent| format(words.percent, &[&percent.to_string()]));
        let share = share.unwrap_or_else(|| words.figure_none.to_owned());
        let currency = are_several.then(|| format!(" {}", amounts.currency.code()));
        view! { <span class="amount">{share}{currency}</span>" " }
    };
    period.amounts.iter().map(one).collect_view().into_html()
}
