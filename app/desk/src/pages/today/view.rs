//! The first page.

use super::{figures::strip, recent::recent};
use crate::{
    components::{Column, Row, age, empty, table},
    pages::{
        connections::role_text,
        returns::{
            address::{ListAddress, RowsOf},
            count_text,
            filters::queue_text,
        },
    },
    visit::Visit,
};
use domain::{integration::IntegrationRole, stage::Queue};
use leptos::prelude::*;
use returns::{Direction, Scope, Sort, view};
use ui::{
    components::icons::{self, icon},
    html::{Html, IntoHtml},
    text::{format, plural},
    web::form::encoded,
};

/// A step to the first return.
pub struct Step {
    pub text: &'static str,
    pub hint: &'static str,
    pub is_done: bool,
    /// The page below the desk's home where it is done, if the desk has one.
    pub path: Option<&'static str>,
}

/// What the page shows.
pub struct TodayPage {
    /// The parts that connected systems with a problem play.
    pub troubled: Vec<IntegrationRole>,
    pub queues: Vec<view::QueueView>,
    /// Empty: the account has returns.
    pub steps: Vec<Step>,
    /// `None`: the person's role does not see them, or the account has no returns.
    pub figures: Option<view::FiguresSummary>,
    /// The returns that the person worked on last.
    pub recent: Vec<view::ReturnOrderView>,
}

/// The first page.
pub fn today_page(visit: &Visit, page: TodayPage) -> Html {
    let words = visit.words.today;
    if !page.steps.is_empty() {
        return view! { <h1>{words.title}</h1>{trouble(visit, &page.troubled)}{checklist(visit, page.steps)} }
            .into_html();
    }
    view! {
        <h1>{words.title}</h1>
        {trouble(visit, &page.troubled)}
        {queues(visit, page.queues)}
        {page.figures.map(|summary| strip(visit, &summary))}
        {recent(visit, &page.recent)}
    }
    .into_html()
}

/// A link to the connections, if one has a problem.
fn trouble(visit: &Visit, troubled: &[IntegrationRole]) -> Option<Html> {
    let parts: Vec<&str> = troubled.iter().map(|role| role_text(*role, visit.words)).collect();
    let text = format(visit.words.connections.trouble, &[&parts.join(visit.words.common.list_comma)]);
    let link = view! { <p class="notice"><a href=visit.path("connections")>{text}</a></p> };
    (!parts.is_empty()).then(|| link.into_html())
}

/// The queues, with those in which something waits first.
fn queues(visit: &Visit, queues: Vec<view::QueueView>) -> Html {
    let words = visit.words.today;
    let (waiting, others): (Vec<_>, Vec<_>) = queues.into_iter().partition(|queue| queue.count > 0);
    let done = waiting.is_empty().then(|| empty(words.nothing_title, words.nothing, None));
    let columns = vec![
        Column::new(words.queue),
        Column::new(words.count).number(),
        Column::new(words.oldest),
        Column::new(words.target),
        Column::new(words.start).hidden_head(),
    ];
    let rows = waiting.iter().chain(&others).map(|queue| row(visit, queue)).collect();
    view! {
        {done}
        <section class="section queues">
            <h2>{words.queues}</h2>
            {table(words.caption, columns, rows)}
        </section>
    }
    .into_html()
}

fn row(visit: &Visit, queue: &view::QueueView) -> Row {
    let words = visit.words.today;
    let name = queue_text(queue.queue, visit.words);
    let list = list_of(queue);
    let found = match queue.queue {
        Queue::WithoutPapers if visit.may(Scope::Receive) => Some("scan/found".to_owned()),
        Queue::Withdrawn if visit.may(Scope::Read) => Some("withdrawals".to_owned()),
        _ => None,
    };
    let named = match list.as_ref().map(ListAddress::path).or(found) {
        Some(path) => view! { <a href=visit.path(&path)>{name}</a> }.into_html(),
        None => name.into_html(),
    };
    let count = view::Count { count: queue.count, is_capped: queue.is_capped };
    let target = match (queue.over_target, queue.target_hours) {
        (_, None) => view! { <span class="quiet">{words.no_target}</span> }.into_html(),
        (0, _) => view! { <span class="quiet">{words.on_time}</span> }.into_html(),
        (over, _) => {
            let over =
                count_text(visit, view::Count { count: over, is_capped: over >= queue.count && queue.is_capped });
            view! { <strong class="late">{format(words.over_target, &[&over])}</strong> }.into_html()
        }
    };
    let start = list.filter(|list| queue.count > 0 && list.rows == RowsOf::Requests).map(|list| {
        let href = visit.path(&format!("returns/start?from={}", encoded(&list.view())));
        let label = format(words.start_queue, &[name]);
        view! { <a class="button button-second" href=href aria-label=label>{words.start}</a> }
    });
    let oldest = queue.oldest_since.map(|since| age(since, visit));
    let cells = vec![named, count_text(visit, count).into_html(), oldest.into_html(), target, start.into_html()];
    let row = Row::new(cells);
    if queue.over_target > 0 { row.toned("warn") } else { row }
}

/// The list with the rows of a queue, if the desk has it.
pub fn list_of(queue: &view::QueueView) -> Option<ListAddress> {
    let empty = ListAddress::of_query("");
    let filters = queue.filters.clone();
    match queue.queue {
        Queue::Withdrawn | Queue::WithoutPapers => None,
        Queue::Mine | Queue::Flagged => Some(ListAddress { filters, ..empty }),
        // Few requests have one, and no index has them by the age of their stage.
        Queue::ToApprove => {
            Some(ListAddress { rows: RowsOf::Requests, filters, direction: Direction::Ascending, ..empty })
        }
        _ => Some(ListAddress {
            rows: RowsOf::Requests,
            filters,
            sort: Sort::StageSince,
            direction: Direction::Ascending,
            ..empty
        }),
    }
}

/// The steps to the first return, each with a tick once it is done.
fn checklist(visit: &Visit, steps: Vec<Step>) -> Html {
    let words = visit.words.today;
    let done = steps.iter().filter(|step| step.is_done).count();
    let (done, all) = (done.to_string(), steps.len().to_string());
    let step = |step: Step| {
        let (state, class) = if step.is_done { (words.done, "step step-done") } else { (words.open, "step") };
        let mark = if step.is_done { icons::CHECK } else { icons::CLOCK };
        let text = match step.path.filter(|_| !step.is_done) {
            Some(path) => view! { <a href=visit.path(path)>{step.text}</a> }.into_html(),
            None => view! { <strong>{step.text}</strong> }.into_html(),
        };
        view! {
            <li class=class>
                {icon(mark)}
                <div>
                    <p>{text}<span class="quiet">{state}</span></p>
                    <p class="hint">{step.hint}</p>
                </div>
            </li>
        }
    };
    let steps = steps.into_iter().map(step).collect_view();
    let language = visit.words.common.tag;
    view! {
        <section class="section">
            <h2>{words.begin}</h2>
            <p class="lede">{words.begin_lede}</p>
            <p class="quiet">{plural(language, words.steps_done, &[&done, &all])}</p>
            <ol class="steps">{steps}</ol>
        </section>
    }
    .into_html()
}
