//! Texts of the first page.

use ui::word_table;

word_table! {
    /// The texts of the first page.
    Today = EN {
        title: "Today",
        queues: "What is waiting",
        caption: "Queues",
        queue: "Queue",
        count: "Waiting",
        oldest: "Oldest",
        target: "Target",
        over_target: "{0} over target",
        on_time: "On time",
        no_target: "No target",
        start: "Start",
        start_queue: "Start with: {0}",
        nothing: "Nothing is waiting for you.",
        nothing_title: "All done",
        // The last 28 days
        figures: "Last 28 days",
        // The name of a time zone.
        figures_hint: "Beside each figure is that of the 28 days before. Days are those of {0}.",
        received_units: "Units received",
        refunded: "Refunded",
        kept_share: "Kept share",
        kept_share_hint: "Exchanges and store credit, as a share of all that customers got",
        median_time: "Median total time",
        median_time_hint: "From the request to its completion",
        // A figure.
        figure_before: "before: {0}",
        figure_none: "–",
        // A whole number of percent.
        percent: "{0}%",
        // What the person worked on
        recent: "Your last returns",
        recent_caption: "Returns that you worked on last",
        recent_none: "The returns that you work on appear here.",
        // An account without returns
        begin: "Get ready for the first return",
        begin_lede: "Retour is new here. These are the steps to the first return.",
        steps_done: "{0} of {1} done",
        done: "Done",
        open: "Not yet",
        orders: "Orders are in Retour",
        orders_hint: "Connect your shop, or import a file of orders.",
        address: "A return address is set",
        address_hint: "Parcels go there. It is printed on labels.",
        reasons: "Return reasons are set",
        reasons_hint: "Customers select one of them.",
        options: "A way of sending is set",
        options_hint: "Customers select how they send the parcel.",
        first_return: "The first return",
        first_return_hint: "Make one yourself to see how it works.",
        webhook: "A webhook tells your systems",
        webhook_hint: "Optional: your own programs learn of each step.",
    }
}
