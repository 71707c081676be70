//! The estimate, while the selection changes.
//!
//! Islands avoid `AnyView`: it adds a second kind of hydration, which waits for data, and 14 kB of WebAssembly.

use crate::{
    amounts::{
        estimate::Terms,
        receipt::Receipt,
        view::{ReceiptLines, bar_also},
    },
    words::Live,
};
use leptos::{either::Either, prelude::*};
use ui::components::{
    icons::{self, icon_s},
    money_text,
};

/// A receipt that follows the selection. On the server, `terms` are only passed on to the browser.
#[cfg_attr(not(feature = "hydrate"), expect(unused_variables, reason = "the browser follows, the server does not"))]
fn followed(terms: Terms, start: Option<Receipt>, words: &'static Live) -> RwSignal<Option<Receipt>> {
    let receipt = RwSignal::new(start);
    #[cfg(feature = "hydrate")]
    super::browser::on_change(move || {
        let now = crate::amounts::estimate::estimate(&terms, &super::browser::picks(terms.wanted), words);
        if receipt.with_untracked(|before| *before != now) {
            receipt.set(now);
        }
    });
    receipt
}

/// The receipt beside the list.
#[island]
pub fn LiveReceipt(
    /// What the estimate needs to know of the shop.
    terms: Terms,
    /// The receipt as the server computed it.
    start: Option<Receipt>,
    language: String,
) -> impl IntoView {
    let words = Live::of(&language);
    #[cfg(feature = "hydrate")]
    {
        let terms = terms.clone();
        super::browser::on_change(move || super::browser::show_outcomes(&terms, words));
    }
    let receipt = followed(terms, start, words);
    let title = move || receipt.with(|receipt| receipt.as_ref().map_or(words.receipt, |receipt| receipt.title(words)));
    let lines = move || match receipt.get() {
        Some(receipt) => Either::Left(view! { <ReceiptLines receipt live=true/> }),
        None => Either::Right(view! { <p class="receipt-empty needs-script">{words.receipt_empty}</p> }),
    };
    view! {
        <div class="receipt">
            <h2>{title}</h2>
            <p class="receipt-empty without-script">{words.receipt_later}</p>
            {lines}
            <button class="button button-full" name="go" value="on">{words.continue_}</button>
        </div>
    }
}

/// The receipt as a bar at the foot of a phone.
#[island]
pub fn LiveBar(
    /// What the estimate needs to know of the shop.
    terms: Terms,
    /// The receipt as the server computed it.
    start: Option<Receipt>,
    language: String,
) -> impl IntoView {
    let words = Live::of(&language);
    let receipt = followed(terms, start, words);
    let label = move || {
        let label = |receipt: &Receipt| receipt.bar_label(words).to_owned();
        receipt.with(|receipt| receipt.as_ref().map_or_else(|| words.bar_empty.to_owned(), label))
    };
    let figure =
        move || receipt.with(|receipt| receipt.as_ref().map(|receipt| money_text(receipt.total.figure.clone())));
    let also = move || receipt.with(|receipt| receipt.as_ref().map(|receipt| bar_also(receipt, words)));
    let sheet = move || match receipt.get() {
        Some(receipt) => Either::Left(view! { <h2>{receipt.title(words)}</h2><ReceiptLines receipt/> }),
        None => Either::Right(view! { <p class="receipt-empty">{words.receipt_empty}</p> }),
    };
    view! {
        <div class="bar">
            <div class="bar-in">
                <p class="bar-sum bar-plain bar-label without-script">{words.bar_later}</p>
                <details class="bar-sum needs-script">
                    <summary>
                        <span class="bar-label">{label}</span>
                        <span class="bar-figure">{figure}</span>
                        {icon_s(icons::CHEVRON)}
                        {also}
                    </summary>
                    <div class="bar-sheet"><div class="receipt">{sheet}</div></div>
                </details>
                <button class="button" name="go" value="on">{words.continue_}</button>
            </div>
        </div>
    }
}
