//! How a return is sent, and the form that chooses another way.

use crate::{
    components::{Action, Field, actions, field, form},
    pages::return_order::{
        amendment::effect,
        load::{Open, ReturnPage},
    },
    visit::Visit,
};
use domain::{
    returning::ShipmentStatus,
    stage::{StageGroup, StageName},
};
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// The way of sending.
pub fn way(visit: &Visit, page: &ReturnPage) -> Option<Html> {
    let (name, _) = page.option.clone()?;
    let label = visit.words.new_return.way;
    Some(view! { <p><span class="quiet">{label}</span>" "<strong><bdi>{name}</bdi></strong></p> }.into_html())
}

/// The button or the form that changes the way of sending.
pub fn change(visit: &Visit, page: &ReturnPage) -> Option<Html> {
    let now = page.order.shipping_option_id.filter(|_| !page.order.status.is_over())?;
    let words = visit.words.return_order;
    if page.open == Some(Open::Shipping) && page.may_write {
        return Some(shipping_form(visit, page, &now.to_string()));
    }
    let action = if !page.may_write {
        Action::not(words.shipping_change, words.role)
    } else if is_possible(page) {
        let href = page.href(visit, &[("do", "shipping")]);
        Action::open(words.shipping_change, format!("{href}#option"))
    } else {
        Action::not(words.shipping_change, words.when_sent_already)
    };
    Some(actions(visit, "shipping", vec![action]))
}

/// Whether nobody can have seen the parcel. The use case decides.
fn is_possible(page: &ReturnPage) -> bool {
    let has_left = page.shipments.iter().any(|shipment| {
        matches!(shipment.status, ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered)
    });
    let is_early = |stage: StageName| {
        matches!(stage.group(), StageGroup::Requested | StageGroup::Submitted)
            && stage != StageName::SubmittedPaymentPending
    };
    let mut sent = page.requests.iter().filter(|request| !request.stage.is_end());
    !has_left && sent.all(|request| is_early(request.stage) && request.received_quantity == 0)
}

fn shipping_form(visit: &Visit, page: &ReturnPage, now: &str) -> Html {
    let words = visit.words.return_order;
    let option = Field::select("option", visit.words.new_return.way, page.offered_options.clone()).value(now);
    let why = Field::lines("reason", words.comment_internal).max_length(500).required();
    let content = view! {
        <input type="hidden" name="order" value=page.order.id.to_string()/>
        <input type="hidden" name="version" value=page.order.version.to_string()/>
        {field(visit, option.hint(words.shipping_hint))}
        {field(visit, why)}
        {effect(visit)}
        <div class="actions">
            <button class="button button-second" name="preview" value="yes">{words.effect_show}</button>
            <button class="button">{words.shipping_change}</button>
            <a class="button button-second" href=page.href(visit, &[]) data-press="Escape">{visit.words.common.cancel}</a>
        </div>
    };
    let form = form(visit, "change-shipping", content);
    view! {
        <section class="return-open" aria-label=words.shipping_change>
            <h3>{words.shipping_change}</h3>
            {form}
        </section>
    }
    .into_html()
}
