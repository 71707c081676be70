//! Texts of the page of withdrawals.

use ui::word_table;

word_table! {
    /// The texts of the page of withdrawals.
    Withdrawals = EN {
        title: "Withdrawals",
        lede: "Customers who withdrew from a contract. You have 14 days to pay the money back.",
        views: "Withdrawals shown",
        open: "Open",
        all: "All",
        none_title: "No withdrawals are waiting",
        none: "Withdrawals appear here as soon as a customer states one.",
        // States
        received: "Received",
        order_found: "Order found",
        closed: "Closed",
        linked: "Return linked",
        // Age.
        stated: "Stated {0} ago",
        stated_now: "Stated just now",
        days_left: "{0:one=1 day left;other={0} days left}",
        last_day: "Last day today",
        overdue: "{0:one=1 day overdue;other={0} days overdue}",
        // The statement
        statement: "Statement, as it was made",
        name: "Name",
        contract: "Contract",
        email: "Email",
        orders: "Orders found",
        return_of_it: "Return",
        note: "Note",
        // Forms
        return_number: "Return number",
        no_return: "There is no return with this number.",
        link_it: "Link the return",
        is_linked: "{0} is linked to return {1}.",
        close_note: "Close it: what you did (only your team sees this)",
        note_missing: "Enter what you did.",
        close: "Close",
        is_closed: "{0} is closed.",
    }
}
