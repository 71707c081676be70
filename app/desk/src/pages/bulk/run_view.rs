//! A change of many items: how far it is, and the result of each item.

use crate::{
    components::{Action, Column, Row, Tab, Weight, actions, empty, pager, problems, stage_badge, table, tabs},
    pages::bulk::view::back_path,
    visit::{Visit, reasons, selection::Doing},
};
use domain::ReturnRequestId;
use leptos::prelude::*;
use returns::view::{BatchOutcome, BulkPlanItem, BulkRun, BulkRunResult};
use std::collections::HashMap;
use ui::{
    html::{Html, IntoHtml},
    text::{format, plural},
    web::form::encoded,
};

/// What the page shows.
pub struct RunPage {
    pub run: BulkRun,
    pub results: Vec<BulkRunResult>,
    pub items: HashMap<ReturnRequestId, BulkPlanItem>,
    pub only_failed: bool,
    /// The number of the page, from 0.
    pub place: usize,
    pub is_more: bool,
    /// The query of the list that the person comes from.
    pub from: String,
}

impl RunPage {
    pub fn title(&self, visit: &Visit) -> String {
        let words = visit.words.bulk;
        format(words.run_title, &[Doing::of_action(self.run.action).text(words)])
    }

    fn path(&self, visit: &Visit, only_failed: bool, place: usize) -> String {
        let only = if only_failed { "&only=failed" } else { "" };
        let page = if place > 0 { format!("&page={place}") } else { String::new() };
        visit.path(&format!("returns/bulk/{}?from={}{only}{page}", self.run.id, encoded(&self.from)))
    }
}

/// The page.
pub fn run_page(visit: &Visit, page: RunPage) -> Html {
    let words = visit.words.bulk;
    let tab = |text: &str, only_failed: bool| Tab {
        text: text.to_owned(),
        href: page.path(visit, only_failed, 0),
        count: Some(if only_failed { page.run.failed } else { page.run.done }.to_string()),
        is_here: page.only_failed == only_failed,
    };
    let views = vec![tab(words.run_all, false), tab(words.run_only_failed, true)];
    view! {
        <h1>{page.title(visit)}</h1>
        {problems(visit)}
        {state(visit, &page)}
        {tabs(words.run_views, views)}
        {results(visit, &page)}
    }
    .into_html()
}

/// How far the change is, and what can be done next.
fn state(visit: &Visit, page: &RunPage) -> Html {
    let (words, language, run) = (visit.words.bulk, visit.words.common.tag, &page.run);
    let (done, total, failed) = (run.done.to_string(), run.total.to_string(), run.failed.to_string());
    let changed = (run.done - run.failed).to_string();
    let mut said = vec![plural(language, words.run_done, &[&changed])];
    if run.failed > 0 {
        said.push(plural(language, words.run_failed, &[&failed]));
    }
    let mut ways = Vec::new();
    let is_left = run.done < run.total;
    if is_left && run.is_running {
        said.push(words.run_works.to_owned());
        ways.push(Action::open(words.run_refresh, page.path(visit, page.only_failed, 0)).weight(Weight::Main));
    } else if is_left && run.can_continue {
        said.push(words.run_stopped.to_owned());
        let resume = Action::call(words.run_continue, "continue-bulk", vec![("run", run.id.to_string())]);
        ways.push(resume.weight(Weight::Main));
    } else if is_left {
        said.push(words.run_too_old.to_owned());
    }
    if run.failed > 0 && !run.is_running {
        let doing = Doing::of_action(run.action).name();
        let again = format!("returns/bulk?do={doing}&run={}&from={}", run.id, encoded(&page.from));
        ways.push(Action::open(words.run_again, visit.path(&again)));
    }
    ways.push(Action::open(words.back, visit.path(&back_path(&page.from))));
    let progress = format(words.run_of, &[&done, &total]);
    view! {
        <p class="run-progress">
            <progress max=total value=done aria-label=progress.clone()></progress>
            <span>{progress}</span>
        </p>
        <p role="status">{said.join(" ")}</p>
        {actions(visit, "run", ways)}
    }
    .into_html()
}

fn results(visit: &Visit, page: &RunPage) -> Html {
    let words = visit.words.bulk;
    if page.results.is_empty() {
        return empty(words.run_nothing, "", None);
    }
    let columns = [words.return_number, words.item, words.stage, words.result].map(Column::new).into();
    let row = |result: &BulkRunResult| {
        let item = page.items.get(&result.return_request_id);
        let number = item.map(|item| item.return_number.clone()).unwrap_or_default();
        let href = visit.path(&format!("returns/{}", encoded(&number)));
        let row = Row::new(vec![
            view! { <a href=href>{number}</a> }.into_html(),
            item.map(|item| view! { <bdi>{item.product_name.clone()}</bdi> }).into_html(),
            item.map(|item| stage_badge(item.stage, visit.words)).into_html(),
            outcome_text(visit, result).into_html(),
        ]);
        if result.outcome == BatchOutcome::Done { row } else { row.toned("warn") }
    };
    let table = table(words.run_caption, columns, page.results.iter().map(row).collect());
    let previous = page.place.checked_sub(1).map(|place| page.path(visit, page.only_failed, place));
    let next = page.is_more.then(|| page.path(visit, page.only_failed, page.place + 1));
    let pages = (previous.is_some() || next.is_some()).then(|| pager(previous, next, "", visit.words));
    view! { {table}{pages} }.into_html()
}

/// The result of an item in words.
fn outcome_text(visit: &Visit, result: &BulkRunResult) -> String {
    let words = visit.words.bulk;
    let text = match result.outcome {
        BatchOutcome::Done => words.result_done,
        BatchOutcome::Conflict => words.result_conflict,
        BatchOutcome::LeftOut => words.result_left_out,
        BatchOutcome::Forbidden => words.result_forbidden,
        BatchOutcome::NotFound => words.result_missing,
        BatchOutcome::Failed => words.result_broken,
        BatchOutcome::Refused | BatchOutcome::Invalid => {
            let message = result.message.clone().unwrap_or_default();
            return match result.code {
                Some(code) => reasons::of_rule(code, &message, visit.words),
                None => visit.words.common.invalid.to_owned(),
            };
        }
    };
    text.to_owned()
}
