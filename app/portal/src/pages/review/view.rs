//! `/{slug}/review`: is this right, and how is it sent?

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    amounts::{
        receipt::Receipt,
        view::{ReceiptLines, bar_also},
    },
    forms::photos::SentPhoto,
    frame::{
        steps::{CustomText, Steps},
        theme::Theme,
    },
    islands::Helper,
    pages::photos::view::thumbnails,
    progress::outcome::ExpectedOutcome,
    words::Words,
};
use domain::{DraftReturnOrderId, ShippingOptionId, shipping::ShippingMethod};
use leptos::prelude::*;
use ui::{
    components::{
        Alert, FieldMistake, Notice, NoticeText, ProductSummary, Tone,
        icons::{self, icon_s},
        money_text, product_photo, variant,
    },
    html::{Html, IntoHtml},
    text::{format, isolated},
};

/// What the page shows.
#[derive(Debug, Clone)]
pub struct Review {
    pub theme: Theme,
    pub draft: DraftReturnOrderId,
    /// The items to return, or to keep and have refunded.
    pub items: Vec<ReviewItem>,
    /// Whether nothing has to be sent.
    pub kept: bool,
    /// The shipping options. If nothing is sent, one entry without an option.
    pub ways: Vec<Way>,
    /// The position of the selected option.
    pub chosen: usize,
    /// Whether the mistake is that no option is selected.
    pub way_missing: bool,
    /// Whether the return has to be sent but no option is available.
    pub cannot_go: bool,
    /// Items that customs would stop with some options, which are left out.
    pub stopped_by_customs: Vec<String>,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
    /// Changed amounts: label, before, after.
    pub changes: Vec<(&'static str, String, String)>,
}

/// An item of the draft.
#[derive(Debug, Clone)]
pub struct ReviewItem {
    pub product: ProductSummary,
    /// Quantity and resolution.
    pub what: String,
    pub why: String,
    /// Questions and answers.
    pub answers: Vec<(String, String)>,
    /// The shopper's note.
    pub comment: String,
    /// The photos.
    pub photos: Vec<SentPhoto>,
    /// Where to change the item.
    pub change: String,
}

/// A shipping option and its costs.
#[derive(Debug, Clone)]
pub struct Way {
    /// The option. `None` if nothing is sent.
    pub option: Option<Offer>,
    /// The receipt. `None` if amounts are not shown.
    pub receipt: Option<Receipt>,
    /// What the shopper gets.
    pub outcome: ExpectedOutcome,
    /// When, as a part of a sentence. Empty if nothing is promised.
    pub when: String,
    /// The text of the button.
    pub button: String,
}

/// A shipping option as its card shows it.
#[derive(Debug, Clone)]
pub struct Offer {
    pub id: ShippingOptionId,
    pub name: String,
    pub description: String,
    /// What the shopper has to do.
    pub method: ShippingMethod,
    /// The price for this shopper. `None` if amounts are not shown.
    pub price: Option<String>,
}

/// The page.
#[component]
pub fn ReviewPage(page: Review, words: &'static Words) -> impl IntoView {
    let Review { theme, draft, items, kept, ways, chosen, way_missing, cannot_go, stopped_by_customs, notice, changes } =
        page;
    let missing = way_missing.then(|| words.option_missing.to_owned());
    let alerts = missing.iter().map(|text| ("#way1".to_owned(), text.clone())).collect();
    let change = theme.path("purchases");
    let items = items.into_iter().map(|item| view! { <ReviewedItem item words/> }).collect_view();
    let cards = ways
        .iter()
        .enumerate()
        .filter_map(|(index, way)| card(index, way, index == chosen && !way_missing, words))
        .collect_view();
    let terms = theme.terms_url.clone().filter(|_| !cannot_go).map(|url| {
        // The policy opens in a new tab: the selection of this page is not saved yet, and frames show only the portal.
        view! { <p class="terms"><a class="textlink" href=url target="_blank" rel="noopener">{words.terms_new_tab}</a></p> }
    });
    let has_cards = ways.iter().any(|way| way.option.is_some());
    let receipts =
        ways.iter().enumerate().map(|(index, way)| receipt(index, way, index == chosen, words)).collect_view();
    let several = ways.len() > 1;
    let bars = ways.iter().enumerate().map(|(index, way)| bar(index, way, index == chosen, several, words));
    let buttons = ways.iter().enumerate().map(|(index, way)| {
        view! { <button class="button" data-way=(index + 1).to_string() data-saved=(index == chosen).then_some("")>{way.button.clone()}</button> }
    });
    view! {
        <form method="post" action=theme.path("call/submit") class="split review" novalidate>
            <div class="split-main">
                <input type="hidden" name="draft" value=draft.to_string()/>
                <Steps current=2 theme=theme.clone() words/>
                <Alert mistakes=alerts words/>
                {notice.map(|notice| view! { <Notice notice more=changed(changes, words).into_html()/> })}
                {stopped(cannot_go, stopped_by_customs, words)}
                <div class="head">
                    <h1>{words.review_title}</h1>
                    {(!cannot_go).then(|| view! { <p class="lede">{if kept { words.keep_lede } else { words.review_lede }}</p> })}
                    <CustomText text=theme.custom_texts.review.clone()/>
                </div>
                <section aria-labelledby="back">
                    <div class="order-head"><h2 id="back">{if kept { words.stays } else { words.goes_back }}</h2></div>
                    <ul class="answers">{items}</ul>
                    <p><a class="textlink" href=change>{icon_s(icons::PLUS)}{words.add_something}</a></p>
                </section>
                {has_cards.then(|| view! {
                    <fieldset class="section" aria-describedby=way_missing.then_some("way-error")>
                        <legend><h2>{words.how_send}</h2></legend>
                        <FieldMistake id="way-error".to_owned() text=missing words/>
                        <div class="cards">{cards}</div>
                    </fieldset>
                })}
                {terms}
                <Helper language=words.tag.to_owned()/>
            </div>
            {(!cannot_go).then(|| view! {
                <aside class="split-side" aria-label=words.live().receipt><div class="stay">{receipts}</div></aside>
            })}
            {(!cannot_go).then(|| view! {
                <div class="bar">
                    <div class="bar-in">
                        {bars.collect_view()}
                        {buttons.collect_view()}
                    </div>
                </div>
            })}
        </form>
    }
    .into_html()
}

/// Which items customs stop, or why no option is available.
fn stopped(cannot_go: bool, names: Vec<String>, words: &'static Words) -> impl IntoView {
    let (title, text) = match (cannot_go, names.is_empty()) {
        (true, true) => (words.no_way_title, words.no_way),
        (true, false) => (words.no_way_title, words.customs_no_way),
        (false, _) => (words.customs_title, words.customs),
    };
    let notice = NoticeText { icon: icons::ALERT, tone: Tone::Warn, title, text };
    (cannot_go || !names.is_empty()).then(|| {
        let names = names.into_iter().map(|name| view! { <li><bdi>{name}</bdi></li> }).collect_view();
        let more = view! { <ul class="named">{names}</ul> }.into_html();
        view! { <Notice notice more/> }
    })
}

fn changed(changes: Vec<(&'static str, String, String)>, words: &'static Words) -> impl IntoView {
    let change = |(what, before, after): (&'static str, String, String)| {
        view! {
            <li>
                <span>{what}</span>
                <span>
                    <del><span class="visually-hidden">{words.was}" "</span>{money_text(before)}</del>" "
                    <ins><span class="visually-hidden">{words.now}" "</span>{money_text(after)}</ins>
                </span>
            </li>
        }
    };
    (!changes.is_empty()).then(|| view! { <ul class="changes">{changes.into_iter().map(change).collect_view()}</ul> })
}

#[component]
fn ReviewedItem(item: ReviewItem, words: &'static Words) -> impl IntoView {
    let ReviewItem { product, what, why, answers, comment, photos, change } = item;
    let answer = |(question, answer)| view! { <div><dt><bdi>{question}</bdi></dt><dd><bdi>{answer}</bdi></dd></div> };
    let answers = (!answers.is_empty())
        .then(|| view! { <dl class="answers-given">{answers.into_iter().map(answer).collect_view()}</dl> });
    view! {
        <li>
            {product_photo(&product, true)}
            <div class="item-body">
                <span class="item-name"><bdi>{product.name.clone()}</bdi></span>
                <p class="item-meta">{variant(&product)}</p>
                <p>{what}</p>
                <p class="quiet small">{why}</p>
                {answers}
                {thumbnails(&photos, words)}
                {(!comment.is_empty()).then(|| view! { <blockquote class="answers-quote" dir="auto">{comment}</blockquote> })}
            </div>
            <a class="textlink" href=change aria-label=format(words.live().about_row, &[words.change, &isolated(&product.name, words)])>{words.change}</a>
        </li>
    }
    .into_html()
}

fn card(index: usize, way: &Way, checked: bool, words: &'static Words) -> Option<Html> {
    let offer = way.option.clone()?;
    let number = index + 1;
    let id = format!("way{number}");
    let about = format!("way{number}-about");
    let (fact_icon, fact) = match offer.method {
        ShippingMethod::Label => (icons::PRINTER, words.fact_label),
        ShippingMethod::Paperless => (icons::QR, words.fact_paperless),
        ShippingMethod::DropOff => (icons::QR, words.fact_drop_off),
        ShippingMethod::PickUp => (icons::PRINTER, words.fact_pick_up),
        ShippingMethod::InStore => (icons::STORE, words.fact_in_store),
        ShippingMethod::OwnCarrier => (icons::TRUCK, words.fact_own),
    };
    let description = (!offer.description.is_empty()).then(|| view! { <p>{offer.description}</p> });
    let card = view! {
        <div class="card">
            <input class="tick" type="radio" name="shippingOption" id=id.clone() value=offer.id.to_string() data-pick=number.to_string() checked=checked aria-describedby=about.clone()/>
            <label class="card-name" for=id><bdi>{offer.name}</bdi></label>
            {offer.price.map(|price| view! { <span class="card-price">{money_text(price)}</span> })}
            <div class="card-body" id=about>
                {description}
                <ul class="card-facts"><li>{icon_s(fact_icon)}{fact}</li></ul>
                <p class="card-result">{way.outcome.view()}</p>
            </div>
        </div>
    };
    Some(card.into_html())
}

/// The amount of an option in the bar at the foot of a phone. With several options, also the name of the option.
fn bar(index: usize, way: &Way, chosen: bool, several: bool, words: &'static Words) -> impl IntoView + use<> {
    let live = words.live();
    let sum = match &way.receipt {
        Some(receipt) => view! {
            <span class="bar-label">{receipt.bar_label(live).to_owned()}</span>
            <span class="bar-figure">{money_text(receipt.total.figure.clone())}</span>
            {bar_also(receipt, live)}
        }
        .into_html(),
        None => view! { <span class="bar-label">{way.outcome.view()}</span> }.into_html(),
    };
    // The card of the option may be far above.
    let name =
        way.option.as_ref().filter(|_| several).map(|offer| view! { <bdi class="bar-way">{offer.name.clone()}</bdi> });
    let (number, saved) = ((index + 1).to_string(), chosen.then_some(""));
    view! { <p class="bar-sum bar-plain" data-way=number data-saved=saved>{sum}{name}</p> }.into_html()
}

fn receipt(index: usize, way: &Way, chosen: bool, words: &'static Words) -> impl IntoView + use<> {
    let after = way.outcome.promise(way.when.clone(), words);
    let live = words.live();
    let title = way.receipt.as_ref().map_or_else(|| way.outcome.title(words), |receipt| receipt.title(live));
    view! {
        <div class="receipt" data-way=(index + 1).to_string() data-saved=chosen.then_some("")>
            <h2>{title}</h2>
            {way.receipt.clone().map(|receipt| view! { <ReceiptLines receipt/> })}
            <p class="receipt-after">{after}</p>
            <button class="button button-full only-wide">{way.button.clone()}</button>
        </div>
    }
    .into_html()
}
