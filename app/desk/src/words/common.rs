//! Texts that all pages share.

use ui::word_table;

word_table! {
    /// The texts that all pages share.
    Common = EN {
        tag: "en",
        decimal: ".",
        group: ",",
        // How many digits a number needs before it is grouped.
        least_grouped: "4",
        minus: "\u{2212}",
        // Symbol, number.
        amount: "{0}{1}",
        at_time: "{0}, {1}",
        // Between the parts of a list
        list_comma: ", ",
        // Frame
        desk: "Desk",
        skip: "Skip to content",
        navigation: "Pages",
        languages: "Language",
        more: "More",
        person_menu: "Your account",
        search: "Search",
        search_hint: "Number, name or email",
        your_settings: "Your settings",
        sign_out: "Sign out",
        test_account: "Test account: nothing is sent and nothing is paid.",
        // Forms
        problem_title: "Please check",
        error_prefix: "Error: ",
        save: "Save",
        cancel: "Cancel",
        go_back: "Go back",
        required: "Fill in this field.",
        not_allowed: "Select one of the values offered.",
        invalid: "Check this value.",
        // Tables
        previous_page: "Previous",
        next_page: "Next",
        pages: "Pages of this list",
        apply_filters: "Filter",
        remove_filter: "Remove filter: {0}",
        // What cannot be done, why
        why_not: "{0}: {1}",
        // Ages
        age_now: "now",
        age_minutes: "{0} min",
        age_hours: "{0} h",
        age_days: "{0} d",
        age_weeks: "{0} w",
        age_years: "{0} {0:one=y;other=y}",
        // Error pages
        not_found_title: "Page not found",
        not_found: "There is nothing at this address, or it belongs to another account.",
        forbidden_title: "Your role does not allow this",
        forbidden: "Ask an admin of your account if you need it.",
        changed: "Somebody else has changed this since you opened it. Check it and try again.",
        already_used: "This form was sent before with other values. Check what you see and try again.",
        too_many_title: "Too many requests",
        too_many: "Wait a moment, then try again.",
        too_slow_title: "That took too long",
        too_slow: "Your connection was too slow. Nothing was saved.",
        busy_title: "The service is busy",
        busy: "Nothing was saved. Try again in a moment.",
        too_large_title: "That is too large",
        too_large: "The form was larger than the service accepts. Nothing was saved.",
        malformed_title: "The form could not be read",
        malformed: "Nothing was saved. Go back and send the form again.",
        foreign_title: "This form came from another website",
        foreign: "Nothing was changed. Open the page here and send the form again.",
        broken_title: "Something went wrong",
        broken: "The service had an error. Try again; if it happens again, contact the person who runs it.",
        request_number: "(Request {0})",
        try_again: "Try again",
        to_the_start: "Go to the first page",
        // Keys
        keys_title: "Keyboard shortcuts",
        keys_close: "Close",
        keys_help: "This list",
        keys_search: "Search",
        keys_everywhere: "On every page",
        keys_in_lists: "In a list",
        keys_on_return: "On a return",
        keys_rows: "Next row, previous row",
        keys_open: "Open the row",
        keys_tick: "Select the row",
        keys_pane: "Show the row beside the list",
        keys_go: "Go to {0}",
        keys_up: "Back, or close the form",
        keys_walk: "Next return, previous return",
        // What can be undone for ten seconds
        undo: "Undo",
        open_again: "Open it again",
        selected: "{0} selected",
    }
}
