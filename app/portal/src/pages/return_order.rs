//! `/{slug}/returns/{id}`: what now, what next, what comes back.

use super::{
    photos::{Photos, PhotosSection, SentPhoto, thumbnails},
    standing::Headline,
    steps::Step,
    tracking::{Tracked, Tracking},
};
use crate::{
    components::{
        Alert, CustomText, Link, Theme, Notice, NoticeText, ReceiptLines, ProductSummary, Tone, contact_link, icons,
        icons::icon, link_button, variant, product_photo,
    },
    islands::Waiting,
    pages::review::ExpectedOutcome,
    receipt::{TotalKind, Receipt},
    words::{Words, plural, format},
};
use domain::{ReturnOrderId, shipping::ShippingMethod};
use leptos::prelude::*;

/// What the page shows.
#[derive(Debug, Clone)]
pub struct ReturnOrder {
    /// Whose page.
    pub theme: Theme,
    /// Which return.
    pub id: ReturnOrderId,
    /// Whether something is waited for that shows here by itself.
    pub waits: bool,
    /// Its address.
    pub href: String,
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub headline: Headline,
    /// Parcels that can be followed.
    pub tracked: Vec<Tracked>,
    /// How to send it, while that is to be done.
    pub sending: Option<ShippingSteps>,
    /// What will happen; nothing once it is over.
    pub steps: Vec<TimelineStep>,
    /// What happened, newest first.
    pub history: Vec<TimelineStep>,
    /// What it comes to; `None` where nothing does, and where no amounts are shown.
    pub receipt: Option<Receipt>,
    /// What comes back, and when.
    pub after: Option<(ExpectedOutcome, String)>,
    /// Who is written to about it, in a sentence.
    pub written_to: Option<String>,
    /// What is in it.
    pub items: Vec<ReturnItem>,
    /// What stands above what is in it.
    pub items_title: &'static str,
    /// Where something is to be paid, and how much.
    pub pay: Option<(String, String)>,
    /// What calling it off does; `None` where it cannot be called off.
    pub cancel: Option<&'static str>,
    /// What happened before.
    pub notice: Option<NoticeText>,
    /// Photos, while they help.
    pub photos: Option<Photos>,
    /// Whether a person of the shop may have to help.
    pub needs_help: bool,
}

/// Something in a return.
#[derive(Debug, Clone)]
pub struct ReturnItem {
    /// What it is.
    pub product: ProductSummary,
    /// How many, and what for.
    pub what: String,
    /// Why.
    pub why: String,
    /// Photos that the shopper has sent of it, unless the form for more shows them.
    pub photos: Vec<SentPhoto>,
}

/// How a return gets on its way.
#[derive(Debug, Clone)]
pub struct ShippingSteps {
    /// What has to be done.
    pub method: ShippingMethod,
    /// What the way of sending is called; may be empty.
    pub name: String,
    /// How it works; may be empty.
    pub description: String,
    /// The return number as a QR code: width in modules, and the path of the dark ones.
    pub code: Option<(usize, String)>,
    /// The parcel's number for scanners.
    pub parcel: Option<String>,
    /// The lines of the address that it goes to; empty while that is not known.
    pub receiver: Vec<String>,
    /// Until when.
    pub until: Option<String>,
    /// Where its labels are, below its own address: one for each parcel that has one.
    pub labels: Vec<String>,
    /// Whether its label is a PDF.
    pub is_pdf: bool,
    /// Whether there is more than one thing to pack.
    pub many: bool,
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
    let restart = headline.restart.then(|| {
        let way = Link { href: theme.path("purchases"), text: words.new_return };
        view! { <div class="actions actions-top">{link_button(way)}</div> }
    });
    let pay = pay.map(|(href, amount)| {
        let text = format(words.pay_amount, &[&amount]);
        // Nobody takes payments in a frame; what became of it shows here by itself.
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
    let mistakes =
        photos.iter().flat_map(|photos| photos.mistakes.iter().map(|one| (one.href(photos), one.text(words))));
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
        (!tracked.is_empty()).then(|| view! { <Tracking parcels=tracked is_embedded=theme.is_embedded words/> });
    let is_over = steps.is_empty();
    let after = after.map(|(outcome, when)| {
        view! { <p class="receipt-after">{outcome.promise(when, words)}</p> }
    });
    let live = words.live();
    let receipt_title = match &receipt {
        Some(receipt) if receipt.total_kind == TotalKind::Exchange => live.receipt_exchange,
        _ if is_over => words.received_receipt,
        _ => live.receipt,
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
    .into_any()
}

/// What happened: the news, and what was before it folded away.
#[component]
fn History(mut steps: Vec<TimelineStep>, words: &'static Words) -> impl IntoView {
    // A single line takes no more room than what would unfold it.
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
    .into_any()
}

fn step(step: TimelineStep) -> impl IntoView {
    let current = (step.when == "now").then_some("step");
    let date = match step.moment {
        Some(moment) => {
            view! { <time class="timeline-date" datetime=moment.datetime title=moment.full>{step.date}</time> }
                .into_any()
        }
        None if step.date.is_empty() => ().into_any(),
        None => view! { <span class="timeline-date">{step.date}</span> }.into_any(),
    };
    view! { <li data-when=step.when aria-current=current><span class="timeline-what">{step.what}</span>{date}</li> }
        .into_any()
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
    .into_any()
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
    .into_any()
}

/// What the shopper does now, in three steps.
#[component]
fn ToDo(sending: ShippingSteps, number: String, href: String, is_embedded: bool, words: &'static Words) -> impl IntoView {
    let last = match (sending.method, sending.until.clone()) {
        (ShippingMethod::InStore, _) => words.bring_it.to_owned(),
        (ShippingMethod::OwnCarrier, _) => words.send_it.to_owned(),
        (ShippingMethod::PickUp, Some(day)) => format(words.hand_over_by, &[&day]),
        (ShippingMethod::PickUp, None) => words.hand_over.to_owned(),
        (_, Some(day)) => format(words.hand_in_by, &[&day]),
        (_, None) => words.hand_in.to_owned(),
    };
    let description = (!sending.description.is_empty()).then(|| view! { <p>{sending.description.clone()}</p> });
    let pack = match (sending.labels.len() > 1, sending.many) {
        (true, _) => words.pack_parcels,
        (false, true) => words.pack_many,
        (false, false) => words.pack_one,
    };
    let facts = view! { <Facts sending=sending.clone() words/> }.into_any();
    let code = view! { <Code sending=sending.clone() number words/> }.into_any();
    let download_text = if sending.is_pdf { words.download_label } else { words.download_label_plain };
    let count = sending.labels.len();
    let download = |(index, label): (usize, &String)| {
        let text = if count > 1 {
            format(words.download_label_of, &[&(index + 1).to_string(), &count.to_string()])
        } else {
            download_text.to_owned()
        };
        let href = if count > 1 { format!("{href}/{label}") } else { format!("{href}/label.pdf") };
        view! { <a class="button" href=href download=(!is_embedded).then_some("")>{icon(icons::DOWNLOAD)}{text}</a> }
    };
    let download = sending.labels.iter().enumerate().map(download).collect_view().into_any();
    let handed_over = if sending.method == ShippingMethod::PickUp { words.hand_over_text } else { words.hand_in_text };
    let steps = match sending.method {
        ShippingMethod::Label | ShippingMethod::PickUp => view! {
            <li><h3>{words.get_your_label}</h3><p>{words.print_it}</p><div class="label-ways">{download}{facts}</div></li>
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{handed_over}</p></li>
        }
        .into_any(),
        ShippingMethod::DropOff => view! {
            <li><h3>{words.get_your_code}</h3><p>{words.show_drop_off}</p><div class="label-ways">{code}{facts}</div></li>
            <li><h3>{words.bring_pack}</h3><p>{words.bring_pack_text}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.hand_in_text}</p></li>
        }
        .into_any(),
        ShippingMethod::Paperless => view! {
            <li><h3>{words.get_your_code}</h3><p>{words.show_it}</p><div class="label-ways">{code}{facts}</div></li>
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.hand_in_text}</p></li>
        }
        .into_any(),
        ShippingMethod::InStore => view! {
            <li><h3>{words.bring_pack}</h3><p>{words.bring_pack_text}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.bring_text}</p><div class="label-ways">{code}</div></li>
        }
        .into_any(),
        ShippingMethod::OwnCarrier => view! {
            <li><h3>{words.pack_it}</h3><p>{pack}</p></li>
            <li><h3>{last}</h3>{description}<p>{words.send_text}</p><div class="label-ways">{facts}</div></li>
        }
        .into_any(),
    };
    view! {
        <section aria-labelledby="todo">
            <h2 class="visually-hidden" id="todo">{words.to_do}</h2>
            <ol class="todo">{steps}</ol>
        </section>
    }
    .into_any()
}

#[component]
fn Code(sending: ShippingSteps, number: String, words: &'static Words) -> impl IntoView {
    let text = if sending.method == ShippingMethod::InStore { words.show_in_shop } else { words.show_this };
    sending.code.map(|(width, path)| {
        let frame = format!("-2 -2 {0} {0}", width + 4);
        view! {
            <figure class="code-card">
                <svg viewBox=frame width="128" height="128" role="img" aria-label=format(words.code_of, &[&number]) shape-rendering="crispEdges">
                    <path d=path></path>
                </svg>
                <figcaption>{text}</figcaption>
            </figure>
        }
    })
}

#[component]
fn Facts(sending: ShippingSteps, words: &'static Words) -> impl IntoView {
    let fact = |name: &'static str, value: String, code: bool| {
        (!value.is_empty()).then(|| {
            let value = if code { view! { <span class="code">{value}</span> }.into_any() } else { value.into_any() };
            view! { <div><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div> }
        })
    };
    // Each line goes the way of its own letters: an address in Latin ones stands in Arabic pages too.
    let address = |name: &'static str, lines: Vec<String>| {
        (!lines.is_empty()).then(|| {
            let line =
                |(index, line): (usize, String)| view! { {(index > 0).then(|| view! { <br/> })} <bdi>{line}</bdi> };
            let lines = lines.into_iter().enumerate().map(line).collect_view();
            view! { <div><dt>{name}</dt><dd>{lines}</dd></div> }
        })
    };
    view! {
        <dl class="facts">
            {fact(words.way, sending.name, false)}
            {fact(words.parcel_number, sending.parcel.unwrap_or_default(), true)}
            {address(words.goes_to, sending.receiver)}
        </dl>
    }
    .into_any()
}
