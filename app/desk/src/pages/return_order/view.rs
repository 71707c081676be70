//! A return: head, items, and what stands around them.

use crate::{
    calls::presence_step::sentences,
    components::{Action, Weight, actions, confirm, moment, problems, stage_badge},
    pages::{
        return_order::{
            customer::customer,
            handing::handing,
            items::items,
            load::{Open, ReturnPage},
            money::money_section,
            parcels::parcels,
            timeline::timeline,
        },
        returns::walk::{back_path, next_path, previous_path},
    },
    presence::Presence,
    visit::Visit,
};
use domain::{returning::ReturnSource, stage::StageName};
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon_s},
    html::{Html, IntoHtml},
    text::format,
};

/// The page of a return.
pub fn return_page(visit: &Visit, page: &ReturnPage) -> Html {
    view! {
        {head(visit, page)}
        {problems(visit)}
        {cancelling(visit, page)}
        <div class="return-columns">
            <div class="return-main">
                {items(visit, page)}
                {cancel_action(visit, page)}
                {timeline(visit, page)}
            </div>
            <div class="return-side">
                {money_section(visit, page)}
                {parcels(visit, page)}
                {customer(visit, page)}
                {handing(visit, page)}
            </div>
        </div>
    }
    .into_html()
}

fn head(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let order = &page.order;
    let by = match order.source {
        ReturnSource::Portal => words.by_portal,
        ReturnSource::Api => words.by_api,
        ReturnSource::Merchant => words.by_staff,
    };
    let mut stages: Vec<StageName> = page.requests.iter().map(|request| request.stage).collect();
    stages.sort_unstable();
    stages.dedup();
    // The only item shows the stage itself, right below.
    let stages = (page.requests.len() > 1).then(|| {
        let badges = stages.into_iter().map(|stage| stage_badge(stage, visit.words)).collect_view();
        view! { <p class="return-stages">{badges}</p> }
    });
    let numbers = order.purchase_order_numbers.iter();
    let numbers = numbers.map(|number| view! { <bdi>{format(words.order, &[number])}</bdi> }).collect_view();
    let flags = order
        .flags
        .iter()
        .map(|flag| view! { <li class="chip-flag">{icon_s(icons::FLAG)}<bdi>{flag.clone()}</bdi></li> });
    let flags = (!order.flags.is_empty())
        .then(|| view! { <ul class="return-flags" aria-label=words.flags>{flags.collect_view()}</ul> });
    let is_gift = page.consumer.as_ref().is_some_and(|consumer| consumer.gift_recipient);
    view! {
        <header class="return-head">
            {back(visit, page)}
            <h1><bdi>{format(words.title, &[&order.number])}</bdi></h1>
            {stages}
            <p class="quiet return-facts">
                {numbers}
                <span>{format(words.created, &[""])}{moment(order.created_at, visit)}" "{by}</span>
            </p>
            {flags}
            {is_gift.then(|| view! { <p class="return-warn">{words.gift}</p> })}
            {order.leave_out_of_bulk.then(|| view! { <p class="quiet">{words.left_out}</p> })}
            {visits(visit, page)}
        </header>
    }
    .into_html()
}

/// The way back to the list, and through it if the person comes from one.
fn back(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let list = visit.path(&back_path(&visit.query));
    // With an open form, the key closes the form.
    let up = page.open.is_none().then_some("Escape");
    let number = &page.order.number;
    let step = |path: Option<String>, key: &'static str, text: &'static str| {
        path.map(|path| view! { <a class="textlink" href=visit.path(&path) data-press=key>{text}</a> })
    };
    let (previous, next) = (previous_path(number, &visit.query), next_path(number, &visit.query));
    view! {
        <nav class="return-way" aria-label=words.back_to_list>
            <a class="textlink" href=list data-press=up>{words.back_to_list}</a>
            {step(previous, "[", words.previous_in_list)}
            {step(next, "]", words.next_in_list)}
        </nav>
    }
    .into_html()
}

/// Who else looks at the return.
fn visits(visit: &Visit, page: &ReturnPage) -> Html {
    let seen = sentences(visit, &page.visits);
    view! { <Presence order=page.order.id.to_string() seen/> }.into_html()
}

/// The button that cancels the return, or the question before it.
fn cancelling(visit: &Visit, page: &ReturnPage) -> Option<Html> {
    let words = visit.words.return_order;
    (page.open == Some(Open::Cancel) && page.may_write).then(|| {
        let fields = view! { <input type="hidden" name="order" value=page.order.id.to_string()/> }.into_html();
        let button = (Weight::Danger, words.cancel.to_owned());
        let question = confirm(visit, words.cancel_text, "cancel-return", fields, button, page.href(visit, &[]));
        view! { <section class="section return-ask"><h2>{words.cancel}</h2>{question}</section> }.into_html()
    })
}

/// The button that opens the question, with the reason if the return cannot be cancelled.
fn cancel_action(visit: &Visit, page: &ReturnPage) -> Html {
    let words = visit.words.return_order;
    let blocks = |stage: StageName| !stage.is_end() && !stage.next().contains(&StageName::ClosedCancelled);
    let is_possible = !page.order.status.is_over() && !page.requests.iter().any(|request| blocks(request.stage));
    let action = if !page.may_write {
        Action::not(words.cancel, words.role)
    } else if is_possible {
        Action::open(words.cancel, page.href(visit, &[("do", "cancel")])).weight(Weight::Danger)
    } else {
        Action::not(words.cancel, words.when_sent_already)
    };
    actions(visit, "cancel", vec![action])
}
