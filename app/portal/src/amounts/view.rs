//! The receipt in pages and islands.

use crate::{
    amounts::receipt::{Receipt, ReceiptLine},
    words::Live,
};
use leptos::prelude::*;
use ui::{components::money_text, text::format};

/// Further amounts beside the total in the bar at the foot of a phone: store credit, and a payment due first.
pub fn bar_also(receipt: &Receipt, words: &Live) -> Vec<impl IntoView + use<>> {
    let credit = receipt.also.as_ref().map(|also| format(words.bar_also, &[&also.figure]));
    let due = receipt.payable.as_ref().map(|due| format!("{} {}", due.what, due.figure));
    let span = |text: String| view! { <span class="bar-also">{text}</span> };
    credit.into_iter().chain(due).map(span).collect()
}

fn line(line: ReceiptLine) -> impl IntoView {
    let note = (!line.note.is_empty()).then(|| view! { <span class="note">{line.note}</span> });
    view! { <div><dt><bdi>{line.what}</bdi>{note}</dt><dd>{money_text(line.figure)}</dd></div> }
}

/// The lines and sums of a receipt.
#[component]
pub fn ReceiptLines(
    receipt: Receipt,
    /// Whether it changes as the shopper types, which needs scripting.
    #[prop(optional)]
    live: bool,
) -> impl IntoView {
    let also = receipt
        .also
        .map(|also| view! { <div class="receipt-also"><dt>{also.what}</dt><dd>{money_text(also.figure)}</dd></div> });
    let payable = receipt.payable.map(
        |payable| view! { <div class="receipt-payable"><dt>{payable.what}</dt><dd>{money_text(payable.figure)}</dd></div> },
    );
    view! {
        <dl class=if live { "receipt-lines needs-script" } else { "receipt-lines" }>
            {receipt.lines.into_iter().map(line).collect_view()}
            {payable}
            {also}
            <div class="receipt-total"><dt>{receipt.total.what}</dt><dd>{money_text(receipt.total.figure)}</dd></div>
        </dl>
    }
}
