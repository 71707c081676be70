//! What a change of the selected items would do.

use crate::{
    components::{Column, Field, Row, Weight, confirm, empty, field, money, problems, stage_badge, stage_text, table},
    visit::{
        Visit,
        selection::{Doing, MOST_SELECTED, needs_number, sums, written},
    },
};
use leptos::prelude::*;
use returns::view::{Assignee, BulkObstacle, BulkPlanItem};
use ui::{
    html::{Html, IntoHtml},
    text::{format, plural},
};

/// Items that the page names; it counts the others.
const MOST_NAMED: usize = 100;

/// What the page shows.
pub struct BulkPage {
    pub doing: Doing,
    pub can: Vec<BulkPlanItem>,
    pub cannot: Vec<BulkPlanItem>,
    pub is_too_many: bool,
    /// Who can have a return.
    pub assignees: Vec<Assignee>,
    /// The query of the list that the person comes from.
    pub from: String,
}

/// The page.
pub fn bulk_page(visit: &Visit, page: BulkPage) -> Html {
    let words = visit.words.bulk;
    let title = page.doing.title(words);
    let back = visit.path(&back_path(&page.from));
    if page.is_too_many {
        let text = format(words.too_many_rows, &[&MOST_SELECTED.to_string()]);
        return view! { <h1>{title}</h1>{empty(title, text, Some((back, words.back.to_owned())))} }.into_html();
    }
    if page.can.is_empty() && page.cannot.is_empty() {
        let way = Some((back, words.back.to_owned()));
        return view! { <h1>{title}</h1>{empty(words.nothing_title, words.nothing, way)} }.into_html();
    }
    let can = (!page.can.is_empty()).then(|| change(visit, &page, &back));
    let only_back = page
        .can
        .is_empty()
        .then(|| view! { <p><a class="button button-second" href=back.clone()>{words.back}</a></p> });
    view! { <h1>{title}</h1>{problems(visit)}{cannot(visit, &page.cannot)}{can}{only_back} }.into_html()
}

/// The list that the person comes from.
pub fn back_path(from: &str) -> String {
    if from.is_empty() { "returns".to_owned() } else { format!("returns?{from}") }
}

/// The items that stay as they are, each with the reason.
fn cannot(visit: &Visit, items: &[BulkPlanItem]) -> Option<Html> {
    let words = visit.words.bulk;
    let reason = |item: &BulkPlanItem| {
        let number = item.return_number.as_str();
        match item.obstacle {
            Some(BulkObstacle::LeftOut) => format(words.why_left_out, &[number]),
            Some(BulkObstacle::Forbidden) => format(words.why_role, &[number]),
            Some(BulkObstacle::AgentLimit) => format(words.why_limit, &[number]),
            Some(BulkObstacle::AllCounted) => format(words.why_counted, &[number]),
            Some(BulkObstacle::Stage) | None => format(words.why_stage, &[number, stage_text(item.stage, visit.words)]),
        }
    };
    let reasons = items.iter().take(MOST_NAMED).map(|item| view! { <li>{reason(item)}</li> });
    let count = items.len().to_string();
    (!items.is_empty()).then(|| {
        view! {
            <div class="notice">
                <p>{plural(visit.words.common.tag, words.cannot, &[&count])}</p>
                <ul>{reasons.collect_view()}{more(visit, items.len()).map(|text| view! { <li>{text}</li> })}</ul>
            </div>
        }
        .into_html()
    })
}

/// How many items are not named.
fn more(visit: &Visit, count: usize) -> Option<String> {
    let more = count.saturating_sub(MOST_NAMED);
    (more > 0).then(|| format(visit.words.returns.more_items, &[&more.to_string()]))
}

fn change(visit: &Visit, page: &BulkPage, back: &str) -> Html {
    let words = visit.words.bulk;
    let number = page.can.len().to_string();
    let text = plural(visit.words.common.tag, words.can, &[&number]);
    let sums = sums(page.can.iter());
    let is_long = needs_number(page.can.len(), &sums);
    let values = sums.into_iter().map(|sum| view! { <strong>{money(sum, visit.words)}</strong>" " });
    let values = values.collect_view();
    let columns = vec![
        Column::new(words.return_number),
        Column::new(words.item),
        Column::new(words.stage),
        Column::new(words.value).number(),
    ];
    let rows = page.can.iter().take(MOST_NAMED).map(|item| {
        Row::new(vec![
            item.return_number.clone().into_html(),
            view! { <bdi>{item.product_name.clone()}</bdi> }.into_html(),
            stage_badge(item.stage, visit.words),
            item.value.map(|value| money(value, visit.words)).into_html(),
        ])
    });
    let table = table(words.caption, columns, rows.collect());
    let count = is_long.then(|| {
        let hint = format(words.count_hint, &[&number]);
        field(visit, Field::of_type("count", words.count, "text").hint(hint).max_length(4).required())
    });
    let content = view! {
        <p>{format(words.money, &[""])}{values}</p>
        {table}
        {more(visit, page.can.len()).map(|text| view! { <p class="quiet">{text}</p> })}
        <input type="hidden" name="requests" value=written(page.can.iter())/>
        <input type="hidden" name="doing" value=page.doing.name()/>
        <input type="hidden" name="from" value=page.from.clone()/>
        {details(visit, page)}
        {count}
    };
    let weight = if page.doing == Doing::Reject { Weight::Danger } else { Weight::Main };
    let button = (weight, page.doing.text(words).to_owned());
    confirm(visit, text, "change-many", content.into_html(), button, back.to_owned())
}

/// What the person adds to the change.
fn details(visit: &Visit, page: &BulkPage) -> Option<Html> {
    let (words, of_return) = (visit.words.bulk, visit.words.return_order);
    Some(match page.doing {
        Doing::Reject => {
            field(visit, Field::lines("comment", words.comment).hint(words.comment_hint).max_length(1_000).required())
        }
        Doing::Assign => {
            let nobody = [(String::new(), of_return.assignee_nobody.to_owned())];
            let people = page.assignees.iter().map(|person| (person.id.to_string(), person.name.clone()));
            field(visit, Field::select("assignee", of_return.assignee, nobody.into_iter().chain(people).collect()))
        }
        Doing::Flag => {
            field(visit, Field::text("flag", words.flag_label).hint(words.flag_hint).max_length(40).required())
        }
        Doing::Note => {
            let note = Field::lines("note", of_return.note).hint(of_return.note_hint).max_length(4_000);
            field(visit, note.required())
        }
        Doing::Complete => view! { <p class="hint">{words.complete_text}</p> }.into_html(),
        Doing::Approve | Doing::AssignMe | Doing::Delivered | Doing::CountAll => return None,
    })
}
