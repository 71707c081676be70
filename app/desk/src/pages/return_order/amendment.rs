//! The form that changes what a request asks for.

use crate::{
    components::{Field, field},
    pages::return_order::{decisions::Decision, load::ReturnPage},
    visit::{Visit, shown::Shown},
};
use domain::policy::Resolution;
use leptos::prelude::*;
use returns::view::ReturnRequestView;
use ui::{
    html::{Html, IntoHtml},
    text,
};

/// Its fields, with what the request asks for now.
pub fn fields(visit: &Visit, page: &ReturnPage, request: &ReturnRequestView) -> Html {
    let words = visit.words.return_order;
    let quantity = request.quantity.to_string();
    let quantity =
        Field::of_type("quantity", text::format(words.units_to_return, &[&quantity]), "number").value(quantity);
    let offered = page.offered_reasons.iter().map(|(id, text)| (id.to_string(), text.clone()));
    let now = request.return_reason_id;
    let mut reasons: Vec<(String, String)> = offered.collect();
    // A reason that is no longer offered stays, unless another one is chosen.
    if !page.offered_reasons.iter().any(|(id, _)| *id == now) {
        reasons.insert(0, (now.to_string(), page.reasons.get(&now).cloned().unwrap_or_default()));
    }
    let reason = Field::select("reason", words.reason, reasons).value(now.to_string());
    let wanted = Field::select("wanted", words.wanted, resolutions(visit, request)).value(wanted_now(request));
    let comment =
        Field::lines("comment", words.reason_comment).max_length(2_000).value(request.return_reason_comment.clone());
    let why = Field::lines("why", words.comment_internal).max_length(500).required();
    view! {
        {field(visit, quantity)}
        {field(visit, reason)}
        {field(visit, wanted)}
        {field(visit, comment)}
        {field(visit, why)}
    }
    .into_html()
}

/// What the change would make of the money, once it was asked for.
pub fn effect(visit: &Visit) -> Option<Html> {
    let Some(Shown::Effect(text)) = &visit.shown else { return None };
    Some(view! { <p class="return-warn" role="status" id="effect"><bdi>{text.clone()}</bdi></p> }.into_html())
}

/// The button that asks for it. Enter in a field asks, too: the first button of a form is the one that Enter presses.
pub fn preview_button(visit: &Visit, decision: Decision) -> Option<Html> {
    (decision == Decision::Amend).then(|| {
        let text = visit.words.return_order.effect_show;
        view! { <button class="button button-second" name="preview" value="yes">{text}</button> }.into_html()
    })
}

/// What the customer can get: each resolution of the policy, and each item that is offered in exchange.
fn resolutions(visit: &Visit, request: &ReturnRequestView) -> Vec<(String, String)> {
    let words = visit.words.return_order;
    let mut all = Vec::new();
    for resolution in &visit.account.policy.resolutions {
        let text = match resolution {
            Resolution::Refund => words.wants_refund,
            Resolution::StoreCredit => words.wants_credit,
            Resolution::Exchange => words.wants_exchange,
        };
        all.push((resolution.name().to_owned(), text.to_owned()));
        if *resolution == Resolution::Exchange {
            let others = request.product.exchange_options.iter();
            all.extend(others.map(|other| {
                (format!("Exchange:{}", other.sku), text::format(words.wants_exchange_for, &[&other.name]))
            }));
        }
    }
    let now = wanted_now(request);
    if !all.iter().any(|(value, _)| *value == now) {
        all.insert(0, (now.clone(), now));
    }
    all
}

fn wanted_now(request: &ReturnRequestView) -> String {
    let name = request.requested_resolution.name();
    match &request.exchange_for {
        Some(wanted) => format!("{name}:{}", wanted.sku),
        None => name.to_owned(),
    }
}
