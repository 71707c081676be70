//! Texts of decisions about many items.

use ui::word_table;

word_table! {
    /// The texts of decisions about many items.
    Bulk = EN {
        select: "Select {0}",
        approve: "Approve",
        reject: "Reject",
        select_hint: "The next page shows what will happen before anything does.",
        approve_title: "Approve the selected items",
        reject_title: "Reject the selected items",
        nothing_title: "Nothing is selected",
        nothing: "Go back and tick the rows that you want to decide about.",
        too_many: "Select at most {0} items at once.",
        can: "{0:one=1 item;other={0} items} can be decided now.",
        cannot: "{0:one=1 item cannot be decided;other={0} items cannot be decided}:",
        why_stage: "{0}: it is in “{1}”.",
        why_role: "{0}: your role does not decide about it.",
        money: "Value: {0}",
        return_number: "Return",
        item: "Item",
        stage: "Stage",
        value: "Value",
        caption: "Items that will be decided",
        comment: "Reason",
        comment_hint: "The customer reads it.",
        comment_missing: "Enter a reason.",
        count: "Number of items",
        count_hint: "Enter {0} to confirm.",
        count_wrong: "This is not the number of items. Nothing was decided.",
        back: "Back to the list",
        done: "{0:one=1 item decided;other={0} items decided}.",
        partly: "{0:one=1 item decided;other={0} items decided}. {1:one=1 was not;other={1} were not}: the page says why.",
    }
}
