//! What a decision about the selected items would do.

use crate::{
    components::{Column, Field, Row, Weight, confirm, empty, field, money, problems, stage_badge, stage_text, table},
    visit::{
        Visit,
        selection::{CONFIRMED_FROM, Decision, MOST_SELECTED, Selected, sums, written},
    },
};
use leptos::prelude::*;
use ui::text::{format, plural};

/// What the page shows.
pub struct BulkPage {
    pub decision: Decision,
    pub can: Vec<Selected>,
    pub cannot: Vec<Selected>,
    pub is_too_many: bool,
    /// The query of the list that the person comes from.
    pub from: String,
}

/// The page.
pub fn bulk_page(visit: &Visit, page: BulkPage) -> AnyView {
    let words = visit.words.bulk;
    let language = visit.words.common.tag;
    let title = if page.decision == Decision::Approve { words.approve_title } else { words.reject_title };
    let back = visit.path(&back_path(&page.from));
    if page.is_too_many {
        let text = format(words.too_many, &[&MOST_SELECTED.to_string()]);
        return view! { <h1>{title}</h1>{empty(title, text, Some((back, words.back.to_owned())))} }.into_any();
    }
    if page.can.is_empty() && page.cannot.is_empty() {
        let way = Some((back, words.back.to_owned()));
        return view! { <h1>{title}</h1>{empty(words.nothing_title, words.nothing, way)} }.into_any();
    }
    let cannot = (!page.cannot.is_empty()).then(|| {
        let number = page.cannot.len().to_string();
        let reasons = page.cannot.iter().map(|one| {
            let text = match page.decision.target(one.stage) {
                Some(_) => format(words.why_role, &[&one.number]),
                None => format(words.why_stage, &[&one.number, stage_text(one.stage, visit.words)]),
            };
            view! { <li>{text}</li> }
        });
        view! {
            <div class="notice">
                <p>{plural(language, words.cannot, &[&number])}</p>
                <ul>{reasons.collect_view()}</ul>
            </div>
        }
    });
    let can = (!page.can.is_empty()).then(|| decide(visit, &page, &back));
    let only_back = page
        .can
        .is_empty()
        .then(|| view! { <p><a class="button button-second" href=back.clone()>{words.back}</a></p> });
    view! { <h1>{title}</h1>{problems(visit)}{can}{cannot}{only_back} }.into_any()
}

/// The list that the person comes from.
pub fn back_path(from: &str) -> String {
    if from.is_empty() { "returns".to_owned() } else { format!("returns?{from}") }
}

fn decide(visit: &Visit, page: &BulkPage, back: &str) -> AnyView {
    let words = visit.words.bulk;
    let number = page.can.len().to_string();
    let text = plural(visit.words.common.tag, words.can, &[&number]);
    let values = sums(&page.can).into_iter().map(|sum| view! { <strong>{money(sum, visit.words)}</strong>" " });
    let values = values.collect_view();
    let columns = vec![
        Column::new(words.return_number),
        Column::new(words.item),
        Column::new(words.stage),
        Column::new(words.value).number(),
    ];
    let rows = page.can.iter().map(|one| {
        Row::new(vec![
            one.number.clone().into_any(),
            view! { <bdi>{one.product.clone()}</bdi> }.into_any(),
            stage_badge(one.stage, visit.words),
            one.value.map(|value| money(value, visit.words)).into_any(),
        ])
    });
    let table = table(words.caption, columns, rows.collect());
    let comment = (page.decision == Decision::Reject).then(|| {
        field(visit, Field::lines("comment", words.comment).hint(words.comment_hint).max_length(1_000).required())
    });
    let count = (page.can.len() >= CONFIRMED_FROM).then(|| {
        let hint = format(words.count_hint, &[&number]);
        field(visit, Field::of_type("count", words.count, "text").hint(hint).max_length(3).required())
    });
    let content = view! {
        <p>{format(words.money, &[""])}{values}</p>
        {table}
        <input type="hidden" name="requests" value=written(&page.can)/>
        <input type="hidden" name="decision" value=page.decision.name()/>
        <input type="hidden" name="from" value=page.from.clone()/>
        {comment}
        {count}
    };
    let (weight, button) = match page.decision {
        Decision::Approve => (Weight::Main, words.approve),
        Decision::Reject => (Weight::Danger, words.reject),
    };
    confirm(visit, text, "decide-many", content.into_any(), (weight, button.to_owned()), back.to_owned())
}
