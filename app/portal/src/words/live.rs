//! The texts that the browser writes too: amounts, the receipt, mistakes of a form.

use ui::word_table;

/// The id of the element that carries the words to the browser, one per line.
pub const ELEMENT: &str = "words";

/// The words that came with the page.
#[cfg(not(feature = "ssr"))]
pub(super) fn from_page() -> &'static str {
    #[cfg(feature = "hydrate")]
    let text = leptos::prelude::document().get_element_by_id(ELEMENT).and_then(|element| element.text_content());
    #[cfg(not(feature = "hydrate"))]
    let text: Option<String> = None;
    text.unwrap_or_default().leak()
}

word_table! {
    /// The texts that islands and pages share.
    Live = EN {
        tag: "en",
        decimal: ".",
        group: ",",
        // How many digits a number needs before it is grouped.
        least_grouped: "4",
        minus: "\u{2212}",
        // Symbol, number.
        amount: "{0}{1}",
        each: "each",
        of: "of {0}",
        receipt: "Your refund",
        receipt_exchange: "Your exchange",
        receipt_empty: "Select items to see your refund",
        receipt_later: "You’ll see your refund on the next page. Nothing is submitted yet.",
        bar_later: "You’ll see your refund on the next page",
        bar_empty: "No items selected",
        bar_up_to: "Refund up to",
        bar_back: "Your refund",
        bar_credit: "Store credit",
        bar_also: "+ {0} store credit",
        show_more: "Show breakdown",
        continue_: "Continue",
        units_of: "{0} × {1}",
        exchange_value: "Exchanged items",
        exchanged: "Exchange",
        exchanged_for: "{0} → {1}",
        replacement: "replacement",
        same_again: "Same item again",
        no_charge: "No charge",
        credit_bonus: "Bonus credit",
        outbound_shipping: "Original shipping",
        refund_limit: "Over the refund limit",
        adjustment: "Our adjustment",
        restocking: "Restocking fee",
        request_fee: "Handling fee",
        return_shipping: "Return shipping",
        waiver: "Fee waived",
        free: "Free",
        range: "{0}–{1}",
        choose_next: "Chosen in the next step",
        total: "Refund total",
        refund_later: "Refund later",
        up_to: "Refund up to",
        as_credit: "Store credit",
        as_money: "To your original payment method",
        payable: "Due now",
        due_first: "Due before you send it",
        outcome_up_to: "up to {0}",
        outcome_due: "{0} due",
        problem_title: "There’s a problem",
        error_prefix: "Error: ",
        about_row: "{0}: {1}",
        nothing_chosen: "Select at least one item",
        reason_missing: "Select a reason",
        quantity_wrong: "Enter a number from 1 to {0}",
        quantity_too_many: "You can return up to {0}",
        comment_too_long: "Keep it under 2,000 characters",
        resolution_not_offered: "Not available for this reason. Select something else.",
        exchange_for_missing: "Select a replacement",
        not_returnable: "This can no longer be returned",
        mixed_currencies: "These were paid in different currencies. Return one currency at a time.",
        sending: "One moment…",
        photo_too_large: "{0} is larger than 10\u{a0}MB. Select a smaller photo.",
        photos_sending: "Uploading your photos…",
        photos_lost: "Upload failed. Your photos are still selected; try again.",
        estimate_is: "{0}: {1}",
        find_in_orders: "Search this order",
        find_hint: "Name, colour, size",
        find: "Search",
        only_returnable: "Returnable items only",
        nothing_called: "No items match “{0}”",
        nothing_matches: "No matching items",
        try_another: "Try another word, or view your whole order. Your selection is kept.",
        show_everything: "Show all items",
        found_all: "{0} {0:one=item;other=items}, {1} returnable",
        found_some: "{0} of {1} {1:one=item;other=items} shown, {2} selected",
        found_none: "No items found, {0} selected",
        select_all: "Select all",
        select_none: "Clear selection",
        same_reason: "Same reason for all {0}",
        selected: "Selected ({0})",
    }
}
