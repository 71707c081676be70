//! The costs of a new return with each way of sending, and the three ways to end it.

use crate::{
    calls::return_steps::is_held,
    components::{form, problems},
    visit::Visit,
};
use domain::{
    Money,
    costs::{CostBreakdown, LineKind},
    shipping::ShippingMethod,
};
use leptos::prelude::*;
use returns::{Offers, view};
use ui::{
    components::FieldMistake,
    html::{Html, IntoHtml},
    money::format as amount,
    text::{format, isolated},
};

/// What the page shows.
pub struct CostsPage {
    pub draft: view::Draft,
    pub consumer: view::Consumer,
    pub purchases: Vec<view::PurchaseView>,
    pub offers: Offers,
}

/// The name of a customer, or else the e-mail address.
pub fn customer_name(consumer: &view::Consumer) -> &str {
    if consumer.address.name.is_empty() { &consumer.email } else { &consumer.address.name }
}

/// The items of the draft, the ways of sending with their costs, and the endings.
pub fn costs_page(visit: &Visit, page: CostsPage) -> Html {
    let words = visit.words.new_return;
    let CostsPage { draft, consumer, purchases, offers } = page;
    let items = draft.selected_purchases.iter().map(|item| item_row(visit, item, &purchases)).collect_view();
    let is_kept = draft.selected_purchases.iter().all(|item| item.keep_item);
    let is_held = is_held(&draft);
    let has_counter = !is_held && offers.ways.iter().any(|(option, _)| option.method == ShippingMethod::InStore);
    let can_make = is_kept || !offers.ways.is_empty();
    let customs = (!offers.stopped_by_customs.is_empty()).then(|| view! { <p class="hint">{words.customs}</p> });
    let ways = if is_kept {
        draft.costs.breakdown().map(|costs| view! { <p>{result_text(visit, costs)}</p> }.into_html())
    } else {
        Some(ways(visit, &draft, &offers))
    };
    let name = customer_name(&consumer).to_owned();
    let back = visit.path(&format!("new-return?consumer={}", consumer.id));
    let has_email = !consumer.email.is_empty() && visit.retour.mails(&visit.account);
    let content = view! {
        <input type="hidden" name="draft" value=draft.id.to_string()/>
        {ways}
        {customs}
        {is_held.then(|| view! { <p class="return-warn">{words.above_limit}</p> })}
        {endings(visit, can_make, has_counter && !is_kept, has_email)}
    };
    view! {
        <h1>{words.costs_title}</h1>
        <p class="lede">{format(words.for_customer, &[&isolated(&name, visit.words)])}</p>
        {problems(visit)}
        <section class="section">
            <h2>{words.items}</h2>
            <ul class="draft-items">{items}</ul>
            <a class="textlink" href=back>{words.change}</a>
        </section>
        <section class="section">{form(visit, "make-return", content)}</section>
    }
    .into_html()
}

fn item_row(visit: &Visit, item: &view::SelectedPurchase, purchases: &[view::PurchaseView]) -> Html {
    let words = visit.words.new_return;
    let purchase = purchases.iter().find(|one| one.id == item.purchase_id);
    let name = purchase.map(|one| one.product.name.clone()).unwrap_or_default();
    let reasons = purchase.map(|one| one.return_reasons.as_slice()).unwrap_or_default();
    let reason = reasons.iter().find(|one| one.id == item.return_reason_id);
    let reason = reason.map(|one| one.description.clone()).unwrap_or_default();
    let keeps = item.keep_item.then(|| view! { <span class="badge">{words.keeps}</span> });
    view! { <li>{item.quantity} " × " <bdi>{name}</bdi> " " <span class="hint">{reason}</span> {keeps}</li> }
        .into_html()
}

/// The ways of sending, each with what it costs and what the customer gets.
fn ways(visit: &Visit, draft: &view::Draft, offers: &Offers) -> Html {
    let words = visit.words.new_return;
    if offers.ways.is_empty() {
        return view! { <p>{words.no_way}</p> }.into_html();
    }
    let (mistake, page_words) = (visit.mistake("way"), visit.words);
    let first = offers.ways.first().map(|(option, _)| option.id.to_string()).unwrap_or_default();
    let stored = draft.shipping_option_id.map_or(first, |id| id.to_string());
    let chosen = visit.value("way", &stored);
    let way = |(option, costs): &(view::ShippingOptionView, view::Costs)| {
        let id = option.id.to_string();
        let is_chosen = id == chosen;
        let price = option.fare.as_ref().map(|fare| price_text(visit, fare.price));
        let result = costs.breakdown().map(|costs| result_text(visit, costs));
        view! {
            <label class="way">
                <input type="radio" name="way" value=id checked=is_chosen/>
                <span class="way-name">{option.name.clone()}</span>
                <span class="hint">{price}</span>
                <span class="way-result">{result}</span>
            </label>
        }
    };
    let ways = offers.ways.iter().map(way).collect_view();
    view! {
        <fieldset class="ways" id="way">
            <legend>{words.way}</legend>
            <FieldMistake id="way-error".to_owned() text=mistake words=page_words/>
            {ways}
        </fieldset>
    }
    .into_html()
}

fn price_text(visit: &Visit, price: Money) -> String {
    if price.minor == 0 { visit.words.new_return.price_free.to_owned() } else { amount(price, visit.words) }
}

/// What the customer gets and pays, in a line.
fn result_text(visit: &Visit, costs: &CostBreakdown) -> String {
    let words = visit.words.new_return;
    let of = |sentence: &str, minor: i64| {
        (minor > 0).then(|| format(sentence, &[&amount(Money::new(minor, costs.currency), visit.words)]))
    };
    let parts = [
        of(words.gets_back, costs.estimated_refund.minor),
        of(words.gets_credit, costs.estimated_credit.minor),
        of(words.exchange_value, -costs.total(LineKind::ExchangeValue)),
        of(words.has_to_pay, costs.payable_now.minor),
        of(words.waived, costs.total(LineKind::FeeWaiver)),
        of(words.limited, -costs.total(LineKind::RefundLimit)),
    ];
    let shown: Vec<String> = parts.into_iter().flatten().collect();
    if shown.is_empty() { words.gets_nothing.to_owned() } else { shown.join(" · ") }
}

/// The three ways to end the draft. Each is a button of one form, and says what it does.
fn endings(visit: &Visit, can_make: bool, has_counter: bool, has_email: bool) -> Html {
    let words = visit.words.new_return;
    let ending = |value: &'static str, class: &'static str, text: &'static str, hint: &'static str| {
        view! {
            <div class="ending">
                <button class=class name="ending" value=value>{text}</button>
                <p class="hint">{hint}</p>
            </div>
        }
        .into_html()
    };
    let make = can_make.then(|| ending("made", "button", words.make, words.make_hint));
    let counter = has_counter.then(|| ending("counter", "button button-second", words.counter, words.counter_hint));
    let link = has_email.then(|| ending("link", "button button-second", words.link, words.link_hint));
    view! { <div class="endings">{make}{counter}{link}</div> }.into_html()
}
