//! Contracts that customers withdrew from: what they stated, how long is left, and how it ends.

use crate::{
    components::{Tab, age_text, empty, facts, form, pager, problems, tabs},
    visit::Visit,
};
use domain::withdrawal::{DAYS_TO_SEND_BACK, WithdrawalStatus};
use leptos::prelude::*;
use returns::view::Withdrawal;
use ui::{
    components::{FieldMistake, typed},
    html::{Html, IntoHtml},
    text::{format, plural},
    web::form::encoded,
};

const DAY: i64 = 86_400;

/// A withdrawal, with the number of its return.
pub struct Shown {
    pub withdrawal: Withdrawal,
    pub return_number: Option<String>,
}

/// What the page shows.
pub struct WithdrawalsPage {
    pub withdrawals: Vec<Shown>,
    pub is_open: bool,
    pub next: Option<String>,
    pub may_change: bool,
}

/// The page.
pub fn withdrawals_page(visit: &Visit, page: WithdrawalsPage) -> Html {
    let words = visit.words.withdrawals;
    let tab = |text: &str, href: String, is_here| Tab { text: text.to_owned(), href, count: None, is_here };
    let views = vec![
        tab(words.open, visit.path("withdrawals"), page.is_open),
        tab(words.all, format!("{}?all", visit.path("withdrawals")), !page.is_open),
    ];
    let list = if page.withdrawals.is_empty() {
        empty(words.none_title, words.none, None)
    } else {
        let cards = page.withdrawals.into_iter().map(|shown| card(visit, shown, page.may_change)).collect_view();
        view! { <ul class="withdrawals">{cards}</ul> }.into_html()
    };
    let more = page.next.map(|next| pager(None, Some(next), "", visit.words));
    view! {
        <h1>{words.title}</h1>
        <p class="lede">{words.lede}</p>
        {tabs(words.views, views)}
        {problems(visit)}
        {list}
        {more}
    }
    .into_html()
}

fn card(visit: &Visit, Shown { withdrawal, return_number }: Shown, may_change: bool) -> Html {
    let words = visit.words.withdrawals;
    let (status, tone) = match withdrawal.status {
        WithdrawalStatus::Received => (words.received, "warn"),
        WithdrawalStatus::OrderFound => (words.order_found, "warn"),
        WithdrawalStatus::Returned => (words.linked, "accent"),
        WithdrawalStatus::Closed => (words.closed, "good"),
    };
    let seconds = visit.retour.now().seconds() - withdrawal.created_at.seconds();
    let stated = if seconds < 60 {
        words.stated_now.to_owned()
    } else {
        format(words.stated, &[&age_text(seconds, visit.words)])
    };
    let is_over = withdrawal.status == WithdrawalStatus::Closed;
    let left = (!is_over).then(|| days_left(visit, &withdrawal));
    let lines = |text: &str| view! { <bdi class="lines">{text.to_owned()}</bdi> }.into_html();
    let statement = vec![
        (words.name.to_owned(), lines(&withdrawal.name)),
        (words.email.to_owned(), lines(&withdrawal.email)),
        (words.contract.to_owned(), lines(&withdrawal.contract)),
    ];
    let mut known = Vec::new();
    if !withdrawal.purchase_order_numbers.is_empty() {
        known.push((words.orders.to_owned(), lines(&withdrawal.purchase_order_numbers.join(", "))));
    }
    if let Some(number) = return_number {
        let href = visit.path(&format!("returns/{}", encoded(&number)));
        known.push((words.return_of_it.to_owned(), view! { <a href=href>{number}</a> }.into_html()));
    }
    if !withdrawal.note.is_empty() {
        known.push((words.note.to_owned(), lines(&withdrawal.note)));
    }
    let known = (!known.is_empty()).then(|| facts(known));
    let forms = (may_change && !is_over).then(|| forms(visit, &withdrawal));
    view! {
        <li class="card">
            <h2><bdi>{withdrawal.number.clone()}</bdi>" "<span class="badge" data-tone=tone>{status}</span></h2>
            <p class="quiet">{stated}{left.map(|left| view! { " · "{left} })}</p>
            <h3>{words.statement}</h3>
            {facts(statement)}
            {known}
            {forms}
        </li>
    }
    .into_html()
}

/// How many days of the law's time are left, in the account's time zone.
fn days_left(visit: &Visit, withdrawal: &Withdrawal) -> Html {
    let (words, language) = (visit.words.withdrawals, visit.words.common.tag);
    let zone = &visit.account.time_zone;
    let ends = zone.end_of_day(withdrawal.created_at, DAYS_TO_SEND_BACK);
    let today = zone.end_of_day(visit.retour.now(), 0);
    // Days are 23 to 25 hours long.
    let days = (ends.seconds() - today.seconds() + DAY / 2).div_euclid(DAY);
    let number = days.unsigned_abs().to_string();
    match days {
        ..0 => view! { <strong class="late">{plural(language, words.overdue, &[&number])}</strong> }.into_html(),
        0 => view! { <strong class="late">{words.last_day}</strong> }.into_html(),
        _ => plural(language, words.days_left, &[&number]).into_html(),
    }
}

/// The two ways on: it has a return, or it is dealt with.
fn forms(visit: &Visit, withdrawal: &Withdrawal) -> Html {
    let words = visit.words.withdrawals;
    let id = withdrawal.id.to_string();
    let version = withdrawal.version.to_string();
    // A mistake belongs to the withdrawal whose form was sent.
    let is_sent = visit.typed("withdrawal") == Some(id.as_str());
    let part = |name: &'static str, label: &'static str, button: &'static str, is_long: bool| {
        let field = format!("{name}-{id}");
        let mistake = visit.mistake(name).filter(|_| is_sent);
        let has_error = mistake.is_some();
        let invalid = has_error.then_some("true");
        let described = has_error.then(|| format!("{field}-error"));
        let value = visit.typed(name).filter(|_| is_sent).unwrap_or_default().to_owned();
        let input = if is_long {
            view! {
                <textarea class="textarea" id=field.clone() name=name maxlength="2000" aria-invalid=invalid
                    aria-describedby=described>{typed(&value)}</textarea>
            }
            .into_html()
        } else {
            view! {
                <input class="input" id=field.clone() name=name type="text" value=value maxlength="60" autocomplete="off"
                    aria-invalid=invalid aria-describedby=described/>
            }
            .into_html()
        };
        view! {
            <input type="hidden" name="withdrawal" value=id.clone()/>
            <input type="hidden" name="version" value=version.clone()/>
            <div class="field" class:has-error=has_error>
                <label for=field.clone()>{label}</label>
                <FieldMistake id=format!("{field}-error") text=mistake words=visit.words/>
                {input}
            </div>
            <button class="button button-second">{button}</button>
        }
    };
    let link = withdrawal
        .return_order_id
        .is_none()
        .then(|| form(visit, "link-withdrawal", part("return_number", words.return_number, words.link_it, false)));
    let close = form(visit, "close-withdrawal", part("why", words.close_note, words.close, true));
    view! { <div class="withdrawal-forms">{link}{close}</div> }.into_html()
}
