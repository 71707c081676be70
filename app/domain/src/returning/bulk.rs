//! Changes of many return requests, which run in steps.

use crate::{
    base::{
        id::{ReturnRequestId, UserId},
        refusal::RefusalCode,
    },
    stage::{StageGroup, StageName},
};
use serde::{Deserialize, Serialize};

/// What is done to each of many return requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum BulkAction {
    /// Approves a request that waits for a decision, or a resolution that waits for one.
    Approve,
    /// Rejects a request that waits for a decision, or denies a resolution that waits for one.
    Reject,
    /// Marks an approved resolution as carried out.
    Complete,
    /// Reports the parcels of the return order as delivered.
    ReportDelivered,
    /// Counts all units that have not arrived yet as arrived.
    CountAll,
    /// Changes who has the return order.
    Assign,
    /// Adds a flag to the return order.
    Flag,
    /// Adds a note to the return order.
    Note,
}

string_enum!(BulkAction);
enum_names!(BulkAction { Approve, Reject, Complete, ReportDelivered, CountAll, Assign, Flag, Note });

impl BulkAction {
    /// The stage that a request enters from another one. `None`: the action makes no such move.
    pub const fn target(self, stage: StageName) -> Option<StageName> {
        match (self, stage) {
            (Self::Approve, StageName::RequestedReview) => Some(StageName::RequestedApproved),
            (Self::Approve, StageName::ResolutionPending) => Some(StageName::ResolutionApproved),
            (Self::Reject, StageName::RequestedReview) => Some(StageName::RequestedRejected),
            (Self::Reject, StageName::ResolutionPending) => Some(StageName::ResolutionDenied),
            (
                Self::Complete,
                StageName::ResolutionApproved | StageName::ResolutionProcessing | StageName::ResolutionFailed,
            ) => Some(StageName::ResolutionCompleted),
            _ => None,
        }
    }

    /// Whether a request in this stage can be changed so.
    pub fn is_possible_in(self, stage: StageName) -> bool {
        let is_sent = stage == StageName::SubmittedReady || stage.group() == StageGroup::Shipment;
        match self {
            Self::Approve | Self::Reject | Self::Complete => self.target(stage).is_some(),
            Self::ReportDelivered => is_sent && stage != StageName::ShipmentDelivered,
            Self::CountAll => is_sent || stage == StageName::ReceivedPartial,
            Self::Assign | Self::Flag | Self::Note => true,
        }
    }

    /// Whether it changes the return order once, however many of its requests are named.
    pub const fn is_of_return_order(self) -> bool {
        matches!(self, Self::ReportDelivered | Self::Assign | Self::Flag | Self::Note)
    }
}

/// What a run does to each of its return requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkChange {
    /// The action.
    pub action: BulkAction,
    /// The reason of a decision; may be empty.
    pub comment: String,
    /// Who gets the return orders; `None`: nobody.
    pub assignee_id: Option<UserId>,
    /// The flag to add.
    pub flag: String,
    /// The note to add.
    pub note: String,
}

impl BulkChange {
    /// The change without what people wrote: once it is carried out, nobody needs that any more.
    #[must_use]
    pub fn without_texts(self) -> Self {
        Self { comment: String::new(), flag: String::new(), note: String::new(), ..self }
    }
}

/// A return request to change, and its stage as the caller knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkItem {
    /// The return request.
    pub return_request_id: ReturnRequestId,
    /// The current stage as you know it. For actions about stages and units, any other stage is a conflict.
    pub from_stage: StageName,
}

/// The result of one return request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkResult {
    /// Whether it was changed.
    pub outcome: BatchOutcome,
    /// Why a rule refused the change, for programs.
    pub code: Option<RefusalCode>,
    /// Why it was not changed, as a sentence for people.
    pub message: Option<String>,
}

/// Whether a change of one of many return requests was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum BatchOutcome {
    /// The change was made.
    Done,
    /// The return request is in another stage than the caller expected.
    Conflict,
    /// A rule does not allow the change.
    Refused,
    /// Its return order is left out of such changes (`leaveOutOfBulk`).
    LeftOut,
    /// A field has a value that is not allowed.
    Invalid,
    /// The caller may not make the change.
    Forbidden,
    /// The account has no such return request.
    NotFound,
    /// The service could not make the change. Send it again; in a batch, with the same key.
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_of_many_are_reported_and_counted_once_they_are_sent() {
        let stages = |action: BulkAction| -> Vec<StageName> {
            StageName::all().iter().copied().filter(|&stage| action.is_possible_in(stage)).collect()
        };
        let sent = [StageName::SubmittedReady, StageName::ShipmentInTransit, StageName::ShipmentException];
        assert_eq!(stages(BulkAction::ReportDelivered), sent);
        let arrived = [StageName::ShipmentDelivered, StageName::ReceivedPartial];
        assert_eq!(stages(BulkAction::CountAll), [&sent[..], &arrived].concat());
        assert_eq!(stages(BulkAction::Approve), [StageName::RequestedReview, StageName::ResolutionPending]);
        assert_eq!(stages(BulkAction::Note), StageName::all());
    }

    #[test]
    fn a_move_of_many_is_one_that_its_stage_allows() {
        for action in BulkAction::ALL {
            for &stage in StageName::all() {
                let target = action.target(stage);
                assert!(target.is_none_or(|target| stage.next().contains(&target)), "{action:?} from {stage}");
            }
        }
        let decided = |action: BulkAction| -> Vec<StageName> {
            StageName::all().iter().copied().filter(|stage| action.is_possible_in(*stage)).collect()
        };
        for action in [BulkAction::Approve, BulkAction::Reject] {
            assert_eq!(decided(action), [StageName::RequestedReview, StageName::ResolutionPending]);
        }
        assert_eq!(decided(BulkAction::Note).len(), StageName::all().len());
        let on_the_way = [StageName::SubmittedReady, StageName::ShipmentInTransit, StageName::ShipmentException];
        assert_eq!(decided(BulkAction::ReportDelivered), on_the_way);
    }

    #[test]
    fn a_change_that_is_done_keeps_no_texts() {
        let change = BulkChange {
            action: BulkAction::Reject,
            comment: "Worn".to_owned(),
            assignee_id: None,
            flag: "VIP".to_owned(),
            note: "Called".to_owned(),
        };
        let kept = change.without_texts();
        assert_eq!((kept.action, kept.comment + &kept.flag + &kept.note), (BulkAction::Reject, String::new()));
    }
}
