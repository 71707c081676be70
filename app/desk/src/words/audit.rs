//! Texts of the audit log.

use ui::word_table;

word_table! {
    /// The texts of the audit log.
    Audit = EN {
        title: "Audit log",
        lede: "What people, API keys and the command line changed. Each return has its own timeline.",
        money_only: "You see only the entries about money.",
        caption: "Entries of the audit log, newest first",
        when: "When",
        who: "Who",
        what: "What",
        about: "About",
        change: "Change",
        from: "From",
        csv: "Download as CSV",
        page_of: "{0} entries on this page",
        // Filters
        filter_actor: "Person or key",
        filter_topic: "Subject",
        filter_action: "Action",
        filter_id: "Id",
        filter_since: "From day",
        filter_until: "To day",
        all: "All",
        not_a_day: "Enter a day, such as 2026-03-01.",
        // Empty
        none_title: "No entries",
        none: "Nothing has been changed yet. Entries appear here as soon as somebody changes something.",
        none_filtered: "No entry matches these filters. Remove one of them.",
        // Actors
        operator: "Command line",
        shop: "The shop",
        nobody: "Unknown person",
        unknown: "Deleted person or key",
        key: "{0} (API key)",
        request: "Request {0}",
        session: "Session {0}",
        nothing: "empty",
        // Topics
        topic_money: "Money",
        topic_settings: "Settings",
        topic_team: "People and keys",
        topic_data: "Orders and data",
        topic_webhooks: "Webhooks",
    }
}
