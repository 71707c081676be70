//! `/{slug}/returns/{id}`: what to do now, what is next, what the shopper gets.

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    amounts::{
        receipt::{Receipt, TotalKind},
        view::ReceiptLines,
    },
    frame::{contact_links::contact_link, steps::CustomText, theme::Theme},
    islands::Waiting,
    pages::{
        photos::view::{Photos, PhotosSection, thumbnails},
        return_order::{
            to_do::{ShippingSteps, ToDo},
            tracking::Tracking,
        },
    },
    progress::{
        headline::Headline, outcome::ExpectedOutcome, timeline::TimelineStep, tracking::Tracked, wording::ReturnItem,
    },
    words::Words,
};
use domain::ReturnOrderId;
use leptos::prelude::*;
use ui::{
    components::{
        Alert, Link, Notice, NoticeText, Tone,
        icons::{self, icon},
        link_button, product_photo, variant,
    },
    html::IntoHtml,
    text::{format, plural},
};

/// What the page shows.
#[derive(Debug, Clone)]
pub struct ReturnOrder {
    pub theme: Theme,
    pub id: ReturnOrderId,
    /// Whether the page has to be reloaded once a label or a payment arrives.
    pub waits: bool,
    pub href: String,
    pub number: String,
    /// The headline.
    pub headline: Headline,
    /// A sentence about each item that was refused or closed while the others continue.
    pub dropped: Vec<String>,
    /// The shipments that can be tracked.
    pub tracked: Vec<Tracked>,
    /// How to send it, while that is to be done.
    pub sending: Option<ShippingSteps>,
    /// What happens next. Empty once the return is over.
    pub steps: Vec<TimelineStep>,
    /// What happened, newest first.
    pub history: Vec<TimelineStep>,
    /// The receipt. `None` if nothing is given back or amounts are not shown.
    pub receipt: Option<Receipt>,
    /// What the shopper gets, and when.
    pub after: Option<(ExpectedOutcome, String)>,
    /// A sentence about who receives mail.
    pub written_to: Option<String>,
    /// The items.
    pub items: Vec<ReturnItem>,
    /// The heading of the items.
    pub items_title: &'static str,
    /// Where to pay, and the amount.
    pub pay: Option<(String, String)>,
    /// What cancelling does. `None` if the return can no longer be cancelled.
    pub cancel: Option<&'static str>,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
    /// The photos section, while photos help.
    pub photos: Option<Photos>,
    /// Whether the shop's staff may have to help.
    pub needs_help: bool,
}

/// The page.
#[component]
pub fn ReturnOrderPage(page: ReturnOrder, words: &'static Words) -> impl IntoView {
    let ReturnOrder {
        theme,
        id,
        href,
        waits,
        number,
        headline,
        dropped,
        tracked,
        sending,
        steps,
        history,
        receipt,
        after,
        written_to,
        items,
        items_title,
        pay,
        cancel,
        notice,
        photos,
        needs_help,
    } = page;
    let lede = (!headline.text.is_empty()).then(|| view! { <p class="lede">{headline.text.clone()}</p> });
    let dropped = (!dropped.is_empty()).then(|| {
        let items = dropped.into_iter().map(|text| view! { <li>{text}</li> }).collect_view();
        view! { <div class="notice" data-tone="warn">{icon(icons::INFO)}<ul class="named">{items}</ul></div> }
    });
    let restart = headline.restart.then(|| {
        let way = Link { href: theme.path("purchases"), text: words.new_return };
        view! { <div class="actions actions-top">{link_button(way)}</div> }
    });
    let pay = pay.map(|(href, amount)| {
        let text = format(words.pay_amount, &[&amount]);
        // Payments do not work in a frame. Once this one is made, the page reloads itself.
        let target = theme.is_embedded.then_some("_blank");
        let waiting = waits.then(|| view! { <Waiting id=id.to_string()/> });
        view! { <div class="actions actions-top"><a class="button button-wide" href=href target=target>{text}</a></div>{waiting} }
    });
    let again = (waits && pay.is_none()).then(|| {
        let way = Link { href: href.clone(), text: words.look_again };
        view! { <div class="actions actions-top">{link_button(way)}</div><Waiting id=id.to_string()/> }
    });
    let contact = needs_help.then(|| contact_link(&theme, words)).flatten().map(|link| {
        view! { <div class="actions actions-top">{link}</div> }
    });
    let mistakes = photos.iter().flat_map(|photos| {
        photos.mistakes.iter().map(|one| (one.href(photos.of.first().map(|of| of.id)), one.text(words)))
    });
    let mistakes = mistakes.collect::<Vec<_>>();
    let (awaited, more) = match photos {
        Some(photos) if photos.are_awaited => (Some(view! { <PhotosSection photos words/> }), None),
        photos => (None, photos.map(|photos| view! { <PhotosSection photos words/> })),
    };
    let tone = (headline.tone != Tone::Good).then(|| headline.tone.name());
    let todo = sending.map(
        |sending| view! { <ToDo sending number=number.clone() href=href.clone() is_embedded=theme.is_embedded words/> },
    );
    let tracking =
        (!tracked.is_empty()).then(|| view! { <Tracking shipments=tracked is_embedded=theme.is_embedded words/> });
    let is_over = steps.is_empty();
    let outcome_title = after.as_ref().map(|(outcome, _)| outcome.title(words));
    let after = after.map(|(outcome, when)| {
        view! { <p class="receipt-after">{outcome.promise(when, words)}</p> }
    });
    let live = words.live();
    let receipt_title = match &receipt {
        Some(receipt) if matches!(receipt.total_kind, TotalKind::Exchange | TotalKind::ExchangeDue) => {
            live.receipt_exchange
        }
        Some(_) if is_over => words.received_receipt,
        Some(_) => live.receipt,
        None => outcome_title.unwrap_or(live.receipt),
    };
    let receipt = (receipt.is_some() || after.is_some()).then(|| {
        let lines = receipt.map(|receipt| view! { <ReceiptLines receipt/> });
        view! { <div class="receipt"><h2>{receipt_title}</h2>{lines}{after}</div> }
    });
    view! {
        <Alert mistakes words/>
        {notice.map(|notice| view! { <Notice notice/> })}
        <div class="split">
            <div class="split-main">
                <div class="done" id="done">
                    <span class="done-sign" data-tone=tone>{icon(headline.icon)}</span>
                    <h1>{headline.title}</h1>
                    <p class="done-number"><span class="quiet">{words.return_number}</span>" "<span class="code">{number.clone()}</span></p>
                    {lede}
                    {written_to.map(|text| view! { <p class="quiet">{text}</p> })}
                    <CustomText text=theme.custom_texts.follow.clone()/>
                </div>
                {dropped}
                {restart}
                {pay}
                {again}
                {contact}
                {awaited}
                {tracking}
                {todo}
                {(!is_over).then(|| view! {
                    <section class="section no-print" aria-labelledby="time">
                        <h2 id="time">{words.what_next}</h2>
                        <ol class="timeline">{steps.into_iter().map(step).collect_view()}</ol>
                    </section>
                })}
                <History steps=history words/>
            </div>
            <aside class="split-side" aria-label=words.your_return>
                {receipt}
                <section class="section" aria-labelledby="goods">
                    <h2 id="goods">{items_title}</h2>
                    <ul class="answers answers-plain">{items.into_iter().map(|item| item_row(item, words)).collect_view()}</ul>
                </section>
            </aside>
            <div class="split-after">{more}{cancel.map(|text| view! { <Cancel theme=theme.clone() id text words/> })}</div>
        </div>
    }
    .into_html()
}

/// What happened: the latest step, and earlier ones folded.
#[component]
fn History(mut steps: Vec<TimelineStep>, words: &'static Words) -> impl IntoView {
    // A single earlier step takes no more room than the line that would unfold it.
    let earlier = if steps.len() > 2 { steps.split_off(1) } else { Vec::new() };
    let folded = (!earlier.is_empty()).then(|| {
        let title = plural(words.tag, words.earlier_steps, &[&earlier.len().to_string()]);
        view! {
            <details class="earlier">
                <summary>{title}{icon(icons::CHEVRON)}</summary>
                <ol class="timeline">{earlier.into_iter().map(step).collect_view()}</ol>
            </details>
        }
    });
    view! {
        <section class="section no-print" aria-labelledby="history">
            <h2 id="history">{words.what_happened}</h2>
            <ol class="timeline">{steps.into_iter().map(step).collect_view()}</ol>
            {folded}
        </section>
    }
    .into_html()
}

fn step(step: TimelineStep) -> impl IntoView {
    let current = (step.when == "now").then_some("step");
    let date = match step.moment {
        Some(moment) => {
            view! { <time class="timeline-date" datetime=moment.datetime title=moment.full>{step.date}</time> }
                .into_html()
        }
        None if step.date.is_empty() => ().into_html(),
        None => view! { <span class="timeline-date">{step.date}</span> }.into_html(),
    };
    view! { <li data-when=step.when aria-current=current><span class="timeline-what">{step.what}</span>{date}</li> }
        .into_html()
}

fn item_row(item: ReturnItem, words: &'static Words) -> impl IntoView {
    let ReturnItem { product, what, why, photos } = item;
    let photos = thumbnails(&photos, words);
    view! {
        <li>
            {product_photo(&product, true)}
            <div class="item-body">
                <span class="item-name"><bdi>{product.name.clone()}</bdi></span>
                <p class="item-meta">{variant(&product)}</p>
                <p class="small">{what}</p>
                {(!why.is_empty()).then(|| view! { <p class="quiet small">{why}</p> })}
                {photos}
            </div>
        </li>
    }
    .into_html()
}

#[component]
fn Cancel(theme: Theme, id: ReturnOrderId, text: &'static str, words: &'static Words) -> impl IntoView {
    view! {
        <details class="more">
            <summary>{words.cancel}{icon(icons::CHEVRON)}</summary>
            <form class="more-in" method="post" action=theme.path("call/cancel")>
                <input type="hidden" name="id" value=id.to_string()/>
                <p>{text}</p>
                <button class="button button-danger">{words.cancel_button}</button>
            </form>
        </details>
    }
    .into_html()
}
