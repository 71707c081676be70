//! Items that a person has ticked, and the decision about them.

use domain::{
    Money, ReturnRequestId,
    stage::{StageGroup, StageName},
};
use returns::{Scope, view};
use std::collections::BTreeMap;

/// The most items of one decision: as many as a batch of the API.
pub const MOST_SELECTED: usize = 100;
/// With more items, the person types their number.
pub const CONFIRMED_FROM: usize = 26;

/// A decision about many items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Reject,
}

impl Decision {
    /// The decision of this name. Without a known one, the decision that needs a reason.
    pub fn of(name: &str) -> Self {
        if name == "approve" { Self::Approve } else { Self::Reject }
    }

    /// The name in addresses and forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
        }
    }

    /// The stage that an item enters. `None`: nothing is to be decided in its stage.
    pub fn target(self, stage: StageName) -> Option<StageName> {
        match (stage, self) {
            (StageName::RequestedReview, Self::Approve) => Some(StageName::RequestedApproved),
            (StageName::RequestedReview, Self::Reject) => Some(StageName::RequestedRejected),
            (StageName::ResolutionPending, Self::Approve) => Some(StageName::ResolutionApproved),
            (StageName::ResolutionPending, Self::Reject) => Some(StageName::ResolutionDenied),
            _ => None,
        }
    }

    /// The scope that such a decision needs in a stage.
    pub fn scope(stage: StageName) -> Scope {
        if stage.group() == StageGroup::Resolution { Scope::Resolve } else { Scope::Write }
    }
}

/// A selected item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    pub id: ReturnRequestId,
    pub number: String,
    pub product: String,
    pub stage: StageName,
    /// `None`: the person's role shows no money.
    pub value: Option<Money>,
}

impl Selected {
    pub fn of(request: &view::ReturnRequestView) -> Self {
        let product = &request.product;
        Self {
            id: request.id,
            number: request.return_number.clone(),
            product: if product.name.is_empty() { product.sku.clone() } else { product.name.clone() },
            stage: request.stage,
            value: request.resolution.value,
        }
    }
}

/// The ids of ticked rows, each once. A row has the ids of all of its items.
pub fn selected_ids<'a>(rows: impl Iterator<Item = &'a str>) -> Vec<ReturnRequestId> {
    let mut ids = Vec::new();
    for id in rows.flat_map(|row| row.split(',')).filter_map(|id| id.trim().parse().ok()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The sums of the values, one for each currency.
pub fn sums(selected: &[Selected]) -> Vec<Money> {
    let mut sums: BTreeMap<String, Money> = BTreeMap::new();
    for value in selected.iter().filter_map(|one| one.value) {
        let sum = sums.entry(value.currency.code().to_owned()).or_insert(Money::new(0, value.currency));
        sum.minor = sum.minor.saturating_add(value.minor);
    }
    sums.into_values().collect()
}

/// The items of a form: each with the stage in which the person saw it.
pub fn written(selected: &[Selected]) -> String {
    let one = |one: &Selected| format!("{}={}", one.id, one.stage);
    selected.iter().map(one).collect::<Vec<_>>().join(";")
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
    use domain::Currency;

    fn id(number: u8) -> ReturnRequestId {
        format!("0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d{number:02x}").parse().unwrap()
    }

    fn one(number: u8, minor: i64, code: &str) -> Selected {
        Selected {
            id: id(number),
            number: "R-1".to_owned(),
            product: "Mug".to_owned(),
            stage: StageName::RequestedReview,
            value: Some(Money::new(minor, Currency::from_code(code).unwrap())),
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
        let sums = sums(&[one(1, 100, "EUR"), one(2, 250, "EUR"), one(3, 5, "JPY")]);
        assert_eq!(
            sums.iter().map(|sum| (sum.minor, sum.currency.code())).collect::<Vec<_>>(),
            [(350, "EUR"), (5, "JPY")]
        );
    }

    #[test]
    fn a_form_says_in_which_stage_each_item_was_seen() {
        let selected = [one(1, 100, "EUR"), one(2, 250, "EUR")];
        let stages = [(id(1), StageName::RequestedReview), (id(2), StageName::RequestedReview)];
        assert_eq!(read(&written(&selected)), stages);
        assert_eq!(read("x;y=z;"), []);
    }

    #[test]
    fn only_what_waits_for_a_decision_is_decided() {
        let decided: Vec<StageName> =
            StageName::all().iter().copied().filter(|stage| Decision::Approve.target(*stage).is_some()).collect();
        assert_eq!(decided, [StageName::RequestedReview, StageName::ResolutionPending]);
        for decision in [Decision::Approve, Decision::Reject] {
            for stage in StageName::all() {
                assert!(decision.target(*stage).is_none_or(|target| stage.next().contains(&target)), "{stage}");
            }
            assert_eq!(Decision::of(decision.name()), decision);
        }
    }
}
