//! What is also written in the browser: figures, the receipt, mistakes in the form.

use super::table;

/// The id of the element that the words travel in, a line each.
pub const ELEMENT: &str = "words";

/// What came with the page.
#[cfg(not(feature = "ssr"))]
pub(super) fn told() -> &'static str {
    #[cfg(feature = "hydrate")]
    let text = leptos::prelude::document().get_element_by_id(ELEMENT).and_then(|element| element.text_content());
    #[cfg(not(feature = "hydrate"))]
    let text: Option<String> = None;
    text.unwrap_or_default().leak()
}

table! {
    /// Words that islands and pages share.
    Live = EN {
        tag: "en",
        decimal: ".",
        group: ",",
        // Numbers of fewer digits have no groups.
        least_grouped: "4",
        minus: "\u{2212}",
        plus: "+",
        // Symbol, number.
        amount: "{0}{1}",
        each: "each",
        of: "of {0}",
        receipt: "What you get back",
        receipt_empty: "Choose what goes back, and the amount stands here. Nothing is sent yet.",
        receipt_later: "You see what you get back on the next page. Nothing is sent yet.",
        bar_later: "You see what you get back on the next page",
        bar_empty: "Nothing chosen yet",
        bar_up_to: "You get up to",
        bar_back: "You get back",
        bar_credit: "As store credit",
        bar_also: "+ {0} store credit",
        show_more: "Show what it is made of",
        continue_: "Continue",
        units_of: "{0} × {1}",
        exchange_value: "Goes into your exchange",
        credit_bonus: "Extra store credit",
        outbound_shipping: "The shipping you paid",
        refund_limit: "Above what is left to refund",
        restocking: "Restocking",
        request_fee: "Handling",
        return_shipping: "Sending it back",
        waiver: "The shop waives the rest",
        free: "Free",
        range: "{0} to {1}",
        choose_next: "You choose next",
        total: "Total",
        up_to: "Up to",
        as_credit: "As store credit",
        as_money: "As money",
        payable: "You pay this first",
        problem_title: "There is a problem",
        error_prefix: "Error: ",
        about_row: "{0}: {1}",
        nothing_chosen: "Choose at least one thing to return",
        reason_missing: "Choose why it goes back",
        quantity_wrong: "Write how many, as a whole number from 1 to {0}",
        quantity_too_many: "Only {0} can go back. Choose {0} or fewer.",
        comment_too_long: "Say it in 2,000 characters or fewer",
        resolution_not_offered: "With this reason the shop does not offer that. Choose something else.",
        exchange_for_missing: "Choose what you want in its place",
        not_returnable: "This cannot go back any more",
        mixed_currencies: "These were paid in different currencies. Return them one currency at a time.",
        sending: "One moment…",
        photo_too_large: "{0} is larger than 10\u{a0}MB. Choose a smaller photo.",
        photos_sending: "Sending your photos…",
        photos_lost: "Your photos did not get through. They are still chosen: send them again.",
        estimate_is: "{0}: {1}",
        find_in_orders: "Find in your order",
        find_hint: "Name, colour, size",
        find: "Find",
        only_returnable: "Only what can go back",
        nothing_called: "Nothing here is called “{0}”",
        nothing_matches: "Nothing here matches",
        try_another: "Try another word, or look at everything in your order. What you chose is kept.",
        show_everything: "Show everything",
        found_all: "{0} {0:one=thing;other=things}, {1} can go back",
        found_some: "{0} of {1} {1:one=thing;other=things} shown, {2} chosen",
        found_none: "Nothing found, {0} chosen",
    }
}
