//! Names of the queues.

use ui::word_table;

word_table! {
    /// The names of the queues.
    Queues = EN {
        to_decide: "To decide",
        waiting_for_customer: "Waiting for the customer",
        label_trouble: "Label trouble",
        late_on_the_way: "Late on the way",
        arrived_not_counted: "Arrived, not counted",
        to_inspect: "To inspect",
        to_approve: "To approve",
        to_settle: "To settle",
        to_pay: "To pay",
        payment_failed: "Payment failed",
        withdrawn: "Withdrawn, open",
        without_papers: "Without papers",
        mine: "Mine",
        flagged: "Flagged",
    }
}
