//! What a return in Shopify should look like, and what a comparison with it leads to.

use super::documents::{
    ADD_PARCEL, APPROVE_RETURN, CANCEL_RETURN, CLOSE_RETURN, CREATE_RETURN, DECLINE_RETURN, DISPOSE_UNITS, Operation,
    REMOVE_EXCHANGES, REMOVE_UNITS, REQUEST_RETURN,
};
use serde_json::Value;

/// Among the names of what Shopify refused: its error did not name a part of a step, so steps have one part each from then on.
const ONE_BY_ONE: &str = "one by one";

/// A return of ours, as far as it concerns one sales order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredReturn {
    /// Shopify's id of the sales order.
    pub order_id: String,
    /// Our number of the return. It stands in the note of each line, by which we find the return again.
    pub return_order_number: String,
    /// Shopify's id of the return; `None` if we have not found it yet.
    pub external_id: Option<String>,
    /// Its items, with at most one for each line of the order.
    pub items: Vec<MirroredItem>,
    /// The tracking numbers and tracking pages of its parcels.
    pub parcels: Vec<MirroredParcel>,
    /// What Shopify refused before, by [`RefusedParts::names`]. It is not asked again.
    pub refused: Vec<String>,
}

impl MirroredReturn {
    pub(super) fn has_refused(&self, part: &str) -> bool {
        self.refused.iter().any(|refused| refused == part)
    }

    /// The most parts that a step may have.
    pub(super) fn most_parts(&self) -> usize {
        if self.has_refused(ONE_BY_ONE) { 1 } else { usize::MAX }
    }
}

/// Units of a line that come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredItem {
    /// Shopify's id of the line.
    pub purchase_id: String,
    /// The number of units.
    pub quantity: u32,
    /// The reason in the merchant's words.
    pub reason: String,
    /// The stock-keeping unit that is sent instead, one for each unit; `None` without an exchange.
    pub exchange_sku: Option<String>,
    /// The stock-keeping unit that was to be sent when the return was submitted, if it is not sent any more.
    pub dropped_exchange_sku: Option<String>,
    /// Whether it may come back.
    pub decision: MirroredDecision,
    /// The dispositions of its units; 0 of each while they can change.
    pub units: MirroredUnits,
    /// Whether nothing more happens with it.
    pub is_over: bool,
}

/// Whether an item may come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirroredDecision {
    /// Nobody has decided.
    Open,
    /// It may, or has come back already.
    Approved,
    /// It was rejected, cancelled or never sent.
    Refused,
}

/// The dispositions of the units of an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MirroredUnits {
    /// Back in stock.
    pub restocked: u32,
    /// Arrived, and not back in stock.
    pub not_restocked: u32,
    /// Neither arrived nor refunded, once it is over: they leave the return, so that they can be returned again.
    pub missing: u32,
}

/// A parcel that comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredParcel {
    /// The carrier's tracking number.
    pub tracking_number: String,
    /// The URL of the tracking page; may be empty.
    pub tracking_url: String,
}

/// What Shopify shows of a return, and what has to be done next.
#[derive(Debug)]
pub struct ReturnComparison {
    /// Shopify's id of the return; `None` if it has none of ours.
    pub external_id: Option<String>,
    /// The status there; `None` without a return.
    pub status: Option<ReturnStatus>,
    /// Whether all of its units are processed. Shopify closes such a return by itself.
    pub is_processed: bool,
    /// The next step.
    pub next: NextStep,
}

/// What has to be done next.
#[derive(Debug)]
pub enum NextStep {
    /// Nothing: both agree.
    Nothing,
    /// This.
    Step(ReturnStep),
    /// There is no return of ours, and none can be made. The reason is for the merchant's staff.
    Impossible(String),
    /// There is no return of ours, and none can be made while another return there has the units, because staff may refund
    /// them by that one. The reason is for the merchant's staff.
    Elsewhere(String),
}

/// The status of a return in Shopify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnStatus {
    /// It waits for approval.
    Requested,
    /// It is approved.
    Open,
    /// It is done.
    Closed,
    /// It was cancelled before anything arrived.
    Cancelled,
    /// The request was declined.
    Declined,
}

impl ReturnStatus {
    /// The status of Shopify's name.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "REQUESTED" => Some(Self::Requested),
            "OPEN" => Some(Self::Open),
            "CLOSED" => Some(Self::Closed),
            "CANCELED" => Some(Self::Cancelled),
            "DECLINED" => Some(Self::Declined),
            _ => None,
        }
    }

    /// Whether we change a return with this status.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Requested | Self::Open)
    }

    /// The participle for a sentence about a return that somebody has ended.
    pub fn ended(self) -> Option<&'static str> {
        match self {
            Self::Requested | Self::Open => None,
            Self::Closed => Some("closed"),
            Self::Cancelled => Some("cancelled"),
            Self::Declined => Some("declined"),
        }
    }
}

/// A change of a return in Shopify.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnStep {
    pub(super) change: ReturnChange,
    pub(super) variables: Value,
    /// The names of what it asks for, in the order of the request. What Shopify refuses of them is left out from then on; a step
    /// without them is tried again.
    pub(super) parts: Vec<String>,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReturnChange {
    Request,
    Create,
    Approve,
    Decline,
    Cancel,
    Close,
    AddParcel,
    Dispose,
    Remove,
    RemoveExchanges,
}

impl ReturnStep {
    /// Whether it makes the return, which must not happen twice.
    pub fn makes_return(&self) -> bool {
        matches!(self.change, ReturnChange::Request | ReturnChange::Create)
    }

    /// What Shopify refuses if it refuses the step.
    pub(super) fn what(&self) -> &'static str {
        match self.change {
            ReturnChange::Request
            | ReturnChange::Create
            | ReturnChange::Approve
            | ReturnChange::Decline
            | ReturnChange::Cancel
            | ReturnChange::Close => "the return",
            ReturnChange::AddParcel => "the return's parcel",
            ReturnChange::Dispose => "the dispositions of the return's units",
            ReturnChange::Remove => "to remove units from the return",
            ReturnChange::RemoveExchanges => "to remove an exchange line from the return",
        }
    }

    /// What Shopify refuses if it refuses parts of the step.
    pub(super) fn what_of_parts(&self) -> &'static str {
        if self.makes_return() { "an exchange line of the return" } else { self.what() }
    }

    /// The list of the request that its parts are in, as errors name it.
    fn list(&self) -> Option<&'static str> {
        match self.change {
            ReturnChange::Dispose => Some("dispositionInputs"),
            ReturnChange::Remove => Some("returnLineItems"),
            ReturnChange::Create | ReturnChange::RemoveExchanges => Some("exchangeLineItems"),
            _ => None,
        }
    }

    /// What is refused by errors about these fields of the request; empty: the step as a whole.
    pub(super) fn refused_parts(&self, fields: &[Option<&[String]>]) -> Vec<String> {
        let place = |field: &&[String]| {
            let at = field.iter().position(|name| Some(name.as_str()) == self.list())?;
            Some(field.get(at.saturating_add(1)).and_then(|place| place.parse::<usize>().ok()))
        };
        let places: Vec<Option<usize>> = fields.iter().flatten().filter_map(place).collect();
        let mut named: Vec<String> =
            places.iter().flatten().filter_map(|place| self.parts.get(*place).cloned()).collect();
        named.sort();
        named.dedup();
        if !named.is_empty() {
            return named;
        }
        if self.makes_return() {
            // A return is made by one request. Errors may be about its exchange lines, unless they name something else.
            let is_about_parts = !places.is_empty() || fields.iter().all(Option::is_none);
            return if is_about_parts { self.parts.clone() } else { Vec::new() };
        }
        if self.parts.len() > 1 { vec![ONE_BY_ONE.to_owned()] } else { self.parts.clone() }
    }

    pub(super) fn operation(&self) -> Operation {
        match self.change {
            ReturnChange::Request => REQUEST_RETURN,
            ReturnChange::Create => CREATE_RETURN,
            ReturnChange::Approve => APPROVE_RETURN,
            ReturnChange::Decline => DECLINE_RETURN,
            ReturnChange::Cancel => CANCEL_RETURN,
            ReturnChange::Close => CLOSE_RETURN,
            ReturnChange::AddParcel => ADD_PARCEL,
            ReturnChange::Dispose => DISPOSE_UNITS,
            ReturnChange::Remove => REMOVE_UNITS,
            ReturnChange::RemoveExchanges => REMOVE_EXCHANGES,
        }
    }
}

/// How a change ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepResult {
    /// Shopify has made it.
    Done {
        /// The id of the return, if the change made it.
        external_id: Option<String>,
    },
    /// Shopify refused it. The reason is for the merchant's staff.
    Refused(String),
    /// Shopify refused parts of it, which the return can do without.
    RefusedParts(RefusedParts),
    /// Shopify may have made it, or may still be making it.
    Unknown,
}

/// Parts of a change that Shopify refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedParts {
    /// Their names, for [`MirroredReturn::refused`].
    pub names: Vec<String>,
    /// A sentence for the merchant's staff; `None` if the parts are only tried one by one.
    pub reason: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: ReturnChange, fields: &[Option<&[&str]>]) -> Vec<String> {
        let parts = ["a", "b"].map(str::to_owned).to_vec();
        let step = ReturnStep { change, variables: Value::Null, parts };
        let owned: Vec<Option<Vec<String>>> = fields
            .iter()
            .map(|field| field.map(|names| names.iter().map(|name| (*name).to_owned()).collect()))
            .collect();
        step.refused_parts(&owned.iter().map(Option::as_deref).collect::<Vec<_>>())
    }

    #[test]
    fn errors_refuse_the_parts_that_they_name() {
        let second: Option<&[&str]> = Some(&["dispositionInputs", "1", "quantity"]);
        assert_eq!(refused(ReturnChange::Dispose, &[second, second]), ["b"]);
        assert_eq!(refused(ReturnChange::Dispose, &[Some(&["dispositionInputs"])]), [ONE_BY_ONE]);
        assert_eq!(refused(ReturnChange::Dispose, &[None]), [ONE_BY_ONE]);
    }

    #[test]
    fn a_return_is_made_without_the_exchange_lines_that_errors_may_be_about() {
        let first: Option<&[&str]> = Some(&["returnInput", "exchangeLineItems", "0", "variantId"]);
        let line: Option<&[&str]> = Some(&["returnInput", "returnLineItems", "1", "quantity"]);
        assert_eq!(refused(ReturnChange::Create, &[first, line]), ["a"]);
        assert_eq!(refused(ReturnChange::Create, &[Some(&["exchangeLineItems"])]), ["a", "b"]);
        assert_eq!(refused(ReturnChange::Create, &[None]), ["a", "b"]);
        assert!(refused(ReturnChange::Create, &[line]).is_empty(), "the return itself");
    }
}
