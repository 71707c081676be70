//! The next action that moves a return request on, by its stage.

use super::warehouse::missing;
use domain::{
    account::Account,
    returning::ReturnRequest,
    stage::{Scan, StageName},
};

/// An action on a return request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Set its stage.
    Update(StageName),
    /// The shopper pays.
    Pay,
    /// The carrier scans the parcel with this result; without a parcel, the warehouse receives the items.
    Carry(Scan),
    /// The warehouse receives this number of units.
    Receive(u32),
    /// The warehouse accepts all units in the inspection.
    Inspect,
    /// Another party has to act first. Holds the reason.
    Wait(&'static str),
    /// No action: the request has ended, or waits for another request of its return order.
    Nothing,
}

/// Whether a stage can still follow another one, directly or later.
pub(crate) fn is_ahead(from: StageName, wanted: StageName) -> bool {
    let mut seen = Vec::new();
    let mut ahead = from.next().to_vec();
    while let Some(stage) = ahead.pop() {
        if !seen.contains(&stage) {
            seen.push(stage);
            ahead.extend(stage.next());
        }
    }
    seen.contains(&wanted)
}

/// The next action, on the way to a stage if one is wanted.
pub(crate) fn next_action(account: &Account, request: &ReturnRequest, wanted: Option<StageName>) -> Action {
    use StageName as N;
    let is_settled_by_its_shop = account.is_settled_by_its_shop();
    match request.state.stage.name() {
        N::RequestedEvidencePending => Action::Wait("The return request waits for photos from the shopper."),
        N::RequestedReview if wanted == Some(N::RequestedRejected) => Action::Update(N::RequestedRejected),
        N::RequestedReview => Action::Update(N::RequestedApproved),
        N::SubmittedPaymentPending => Action::Pay,
        N::SubmittedLabelPending | N::SubmittedLabelFailed => {
            Action::Wait("The return request waits for the label of the account's carrier, which is not simulated.")
        }
        N::ShipmentInTransit if wanted == Some(N::ShipmentException) => Action::Carry(Scan::Exception),
        N::SubmittedReady => Action::Carry(Scan::InTransit),
        N::ShipmentInTransit | N::ShipmentException => Action::Carry(Scan::Delivered),
        N::ShipmentDelivered if wanted == Some(N::ReceivedPartial) && missing(request) > 1 => Action::Receive(1),
        N::ShipmentDelivered | N::ReceivedPartial if missing(request) > 0 => Action::Receive(missing(request)),
        N::InspectionPending => Action::Inspect,
        N::ResolutionPending if wanted == Some(N::ResolutionDenied) => Action::Update(N::ResolutionDenied),
        N::ResolutionPending => Action::Update(N::ResolutionApproved),
        N::ResolutionApproved | N::ResolutionProcessing | N::ResolutionFailed if is_settled_by_its_shop => {
            Action::Wait("The account's shop carries out the resolution.")
        }
        N::ResolutionApproved => Action::Update(N::ResolutionProcessing),
        N::ResolutionProcessing if wanted == Some(N::ResolutionFailed) => Action::Update(N::ResolutionFailed),
        N::ResolutionProcessing | N::ResolutionFailed => Action::Update(N::ResolutionCompleted),
        N::RequestedApproved
        | N::RequestedRejected
        | N::ShipmentDelivered
        | N::ReceivedPartial
        | N::ReceivedComplete
        | N::ResolutionCompleted
        | N::ResolutionDenied
        | N::ClosedCancelled
        | N::ClosedExpired => Action::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_ahead_only_where_something_leads_to_it() {
        use StageName as N;
        assert!(is_ahead(N::RequestedReview, N::ResolutionCompleted));
        assert!(is_ahead(N::ShipmentInTransit, N::ShipmentException));
        assert!(!is_ahead(N::ShipmentDelivered, N::SubmittedReady));
        assert!(!is_ahead(N::ResolutionCompleted, N::ResolutionCompleted));
        assert!(is_ahead(N::ResolutionPending, N::ResolutionPending), "a denial can be taken back");
    }
}
