//! Items that a person has ticked, and what is done to all of them.

use crate::words::Bulk;
use domain::{Money, ReturnRequestId, returning::BulkAction, stage::StageName};
use returns::{Scope, view::BulkPlanItem};
use std::collections::BTreeMap;

/// The most items of one change: as many as a bulk run of the API.
pub const MOST_SELECTED: usize = 1_000;
/// With this many items, the person types their number.
const CONFIRMED_FROM: usize = 26;
/// With a larger sum in one currency, the person types the number of items: units of the currency.
const CONFIRMED_ABOVE: i64 = 1_000;
/// With more items, the person needs a recent proof of who they are.
pub const PROVED_ABOVE: usize = 100;

/// What a person does to all selected items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    Approve,
    Reject,
    AssignMe,
    Assign,
    Flag,
    Note,
    Delivered,
    CountAll,
    Complete,
}

impl Doing {
    /// All of them, in the order of their buttons.
    pub const ALL: [Self; 9] = [
        Self::Approve,
        Self::Reject,
        Self::AssignMe,
        Self::Assign,
        Self::Flag,
        Self::Note,
        Self::Delivered,
        Self::CountAll,
        Self::Complete,
    ];

    /// The one of this name. Without a known one, the one that needs a reason.
    pub fn of(name: &str) -> Self {
        Self::ALL.into_iter().find(|doing| doing.name() == name).unwrap_or(Self::Reject)
    }

    /// The one that a run carries out.
    pub fn of_action(action: BulkAction) -> Self {
        // Handing on to oneself is handing on.
        let own = |doing: &Self| doing.action() == action && *doing != Self::AssignMe;
        Self::ALL.into_iter().find(own).unwrap_or(Self::Reject)
    }

    /// The name in addresses and forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::AssignMe => "assign-me",
            Self::Assign => "assign",
            Self::Flag => "flag",
            Self::Note => "note",
            Self::Delivered => "delivered",
            Self::CountAll => "count-all",
            Self::Complete => "complete",
        }
    }

    /// The action of the API.
    pub fn action(self) -> BulkAction {
        match self {
            Self::Approve => BulkAction::Approve,
            Self::Reject => BulkAction::Reject,
            Self::AssignMe | Self::Assign => BulkAction::Assign,
            Self::Flag => BulkAction::Flag,
            Self::Note => BulkAction::Note,
            Self::Delivered => BulkAction::ReportDelivered,
            Self::CountAll => BulkAction::CountAll,
            Self::Complete => BulkAction::Complete,
        }
    }

    /// The scopes of which it needs one.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Approve | Self::Reject => &[Scope::Write, Scope::Resolve],
            Self::Complete => &[Scope::Resolve],
            Self::CountAll => &[Scope::Receive],
            Self::AssignMe | Self::Assign | Self::Flag | Self::Note | Self::Delivered => &[Scope::Write],
        }
    }

    /// The text of its button.
    pub fn text(self, words: &Bulk) -> &'static str {
        match self {
            Self::Approve => words.approve,
            Self::Reject => words.reject,
            Self::AssignMe => words.assign_me,
            Self::Assign => words.assign,
            Self::Flag => words.flag,
            Self::Note => words.note,
            Self::Delivered => words.delivered,
            Self::CountAll => words.count_all,
            Self::Complete => words.complete,
        }
    }

    /// The title of the page before it.
    pub fn title(self, words: &Bulk) -> &'static str {
        match self {
            Self::Approve => words.approve_title,
            Self::Reject => words.reject_title,
            Self::AssignMe | Self::Assign => words.assign_title,
            Self::Flag => words.flag_title,
            Self::Note => words.note_title,
            Self::Delivered => words.delivered_title,
            Self::CountAll => words.count_all_title,
            Self::Complete => words.complete_title,
        }
    }
}

/// The ids of ticked rows, each once. A row has the ids of all of its items.
pub fn selected_ids<'a>(rows: impl Iterator<Item = &'a str>) -> Vec<ReturnRequestId> {
    let mut ids = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for id in rows.flat_map(|row| row.split(',')).filter_map(|id| id.trim().parse().ok()) {
        if seen.insert(id) {
            ids.push(id);
        }
    }
    ids
}

/// The sums of the values, one for each currency.
pub fn sums<'a>(items: impl Iterator<Item = &'a BulkPlanItem>) -> Vec<Money> {
    let mut sums: BTreeMap<String, Money> = BTreeMap::new();
    for value in items.filter_map(|item| item.value) {
        let sum = sums.entry(value.currency.code().to_owned()).or_insert(Money::new(0, value.currency));
        sum.minor = sum.minor.saturating_add(value.minor);
    }
    sums.into_values().collect()
}

/// Whether the person types the number of items before something is done to all of them.
pub fn needs_number(count: usize, sums: &[Money]) -> bool {
    let is_much = |sum: &Money| {
        let units = 10_i64.checked_pow(sum.currency.exponent()).and_then(|minor| minor.checked_mul(CONFIRMED_ABOVE));
        units.is_some_and(|limit| sum.minor > limit)
    };
    count >= CONFIRMED_FROM || sums.iter().any(is_much)
}

/// The items of a form: each with the stage in which the person saw it.
pub fn written<'a>(items: impl Iterator<Item = &'a BulkPlanItem>) -> String {
    let one = |item: &BulkPlanItem| format!("{}={}", item.return_request_id, item.stage);
    items.map(one).collect::<Vec<_>>().join(";")
}

/// Reads what [`written`] wrote.
pub fn read(text: &str) -> Vec<(ReturnRequestId, StageName)> {
    let one = |one: &str| {
        let (id, stage) = one.split_once('=')?;
        Some((id.parse().ok()?, StageName::parse(stage)?))
    };
    text.split(';').filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Currency, ReturnOrderId};

    fn id(number: u8) -> ReturnRequestId {
        format!("0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d{number:02x}").parse().unwrap()
    }

    fn one(number: u8, minor: i64, code: &str) -> BulkPlanItem {
        BulkPlanItem {
            return_request_id: id(number),
            return_order_id: ReturnOrderId(id(number).0),
            return_number: "R-1".to_owned(),
            product_name: "Mug".to_owned(),
            stage: StageName::RequestedReview,
            value: Some(Money::new(minor, Currency::from_code(code).unwrap())),
            obstacle: None,
        }
    }

    #[test]
    fn rows_name_each_item_once() {
        let (first, second) = (id(1).to_string(), id(2).to_string());
        let rows = [format!("{first},{second}"), second, "nonsense".to_owned()];
        assert_eq!(selected_ids(rows.iter().map(String::as_str)), [id(1), id(2)]);
    }

    #[test]
    fn sums_are_by_currency() {
        let items = [one(1, 100, "EUR"), one(2, 250, "EUR"), one(3, 5, "JPY")];
        let sums = sums(items.iter());
        let sums: Vec<_> = sums.iter().map(|sum| (sum.minor, sum.currency.code())).collect();
        assert_eq!(sums, [(350, "EUR"), (5, "JPY")]);
    }

    #[test]
    fn many_items_and_much_money_need_the_number() {
        let sum = |minor, code| vec![Money::new(minor, Currency::from_code(code).unwrap())];
        assert!(needs_number(26, &[]) && !needs_number(25, &[]));
        assert!(needs_number(1, &sum(100_001, "EUR")) && !needs_number(1, &sum(100_000, "EUR")));
        assert!(needs_number(1, &sum(1_001, "JPY")), "a currency without minor units");
    }

    #[test]
    fn a_form_says_in_which_stage_each_item_was_seen() {
        let items = [one(1, 100, "EUR"), one(2, 250, "EUR")];
        let stages = [(id(1), StageName::RequestedReview), (id(2), StageName::RequestedReview)];
        assert_eq!(read(&written(items.iter())), stages);
        assert_eq!(read("x;y=z;"), []);
    }

    #[test]
    fn names_lead_back_to_what_is_done() {
        for doing in Doing::ALL {
            assert_eq!(Doing::of(doing.name()), doing);
            assert_eq!(Doing::of_action(doing.action()).action(), doing.action());
        }
        assert_eq!(Doing::of("fly"), Doing::Reject);
        assert_eq!(Doing::of_action(BulkAction::Assign), Doing::Assign);
    }
}
