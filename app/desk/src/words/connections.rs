//! Texts of the page of connected systems.

use ui::word_table;

word_table! {
    /// The texts of the page of connected systems.
    Connections = EN {
        title: "Connections",
        lede: "The shop, the carrier and the payment provider that this account is connected to.",
        none_title: "Nothing is connected",
        none: "Connect a shop, a carrier or a payment provider, and its state appears here.",
        hint: "Retour repeats failed calls by itself. Check whether the system is available, and whether its credentials in the settings are right.",
        // On the first page. The parts, such as "Shop, Carrier".
        trouble: "Problem with a connection: {0}",
        // The parts
        shop: "Shop",
        carrier: "Carrier",
        payments: "Payment provider",
        own: "Your own program",
        // The state
        works: "Works",
        fails: "Calls fail",
        not_called: "Not called yet",
        none_called: "Retour has not called this system yet.",
        // The table
        caption: "Calls: {0}",
        operation: "Call",
        last_success: "Last success",
        attempts: "Failed in a row",
        last_error: "Last error",
        next_try: "Next try",
        never: "Never",
        no_error: "None",
        when_needed: "When it is needed again",
        // The calls
        look_up: "Find an order",
        resolution: "Refund or exchange",
        shop_return: "Update the return in the shop",
        label: "Make a label",
        tracking: "Track a parcel",
        voiding: "Void a label",
        checkout: "Make a payment page",
        payment_status: "Check a payment",
        refund: "Refund a payment",
    }
}
