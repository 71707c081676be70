//! The state of a return request.

use super::{inspection_result::Inspection, names::StageName, review::ReviewReason, state::Stage};
use crate::{integration::FailedAttempts, order::TakenUnits};
use serde::{Deserialize, Serialize};

/// Everything that the state machine remembers of one return request. Stored as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own: none excludes another")]
pub struct RequestState {
    /// The current stage.
    pub stage: Stage,
    /// The number of units to return.
    pub quantity: u32,
    /// Units of the purchase that it holds now: all; the received ones after a partial receipt; none after a
    /// cancellation. Refused and denied units stay held, so that nobody returns them again.
    pub taken: TakenUnits,
    /// Whether the consumer keeps the item: nothing is sent.
    pub kept: bool,
    /// Whether a carrier has scanned it.
    pub scanned: bool,
    /// Units that arrived and count.
    pub received: u32,
    /// Units that arrived and do not count: more than requested, or no longer available.
    pub surplus: u32,
    /// The result of the inspection.
    pub inspection: Option<Inspection>,
    /// Whether its resolution began before anything arrived: an early `resolveOn`, a kept item or a lost parcel.
    pub without_receipt: bool,
    /// Whether it ended before anyone approved it. If it arrives anyway, a person decides.
    #[serde(default)]
    pub undecided: bool,
    /// Units that the resolution was approved for. Fixed from then on, whatever arrives later.
    pub approved_units: Option<u32>,
    /// The reason why a person approves its resolution, whatever `autoResolve` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewReason>,
}

impl RequestState {
    /// Units to refund: the accepted ones after an inspection, else the received ones, or the requested ones if it is
    /// resolved without a receipt. Never more than it holds.
    pub fn refundable_units(&self) -> u32 {
        let units = match (self.approved_units, &self.inspection) {
            (Some(approved), _) => approved,
            (None, Some(inspection)) => inspection.accepted,
            (None, None) if self.without_receipt => self.quantity,
            (None, None) => self.received,
        };
        units.min(self.taken.units)
    }

    /// Whether it can be cancelled now: until a carrier or the warehouse has seen the parcel, and until the resolution
    /// is approved.
    pub fn is_cancellable(&self) -> bool {
        let name = self.stage.name();
        name.next().contains(&StageName::ClosedCancelled) && (name != StageName::ResolutionPending || self.is_unseen())
    }

    /// Whether neither a carrier nor the warehouse has seen any of it.
    pub fn is_unseen(&self) -> bool {
        !self.scanned && self.received == 0 && self.surplus == 0
    }

    /// The state without texts that people wrote: reasons and notes may contain personal data.
    #[must_use]
    pub fn redacted(self) -> Self {
        let stage = match self.stage {
            Stage::RequestedRejected { .. } => Stage::RequestedRejected { reason: String::new() },
            Stage::SubmittedLabelFailed { .. } => Stage::SubmittedLabelFailed { error: String::new() },
            Stage::ResolutionPending { .. } => Stage::ResolutionPending { reason: None },
            Stage::ResolutionDenied { .. } => Stage::ResolutionDenied { reason: String::new() },
            Stage::ResolutionFailed { .. } => Stage::ResolutionFailed { reason: String::new() },
            Stage::ResolutionProcessing { failed } => Stage::ResolutionProcessing {
                failed: failed.map(|failed| FailedAttempts { message: String::new(), ..failed }),
            },
            stage => stage,
        };
        let inspection = self.inspection.map(|inspection| Inspection { note: None, ..inspection });
        Self { stage, inspection, ..self }
    }

    /// The failed calls to the shop that carries out the resolution.
    pub fn failed_attempts(&self) -> Option<&FailedAttempts> {
        match &self.stage {
            Stage::ResolutionProcessing { failed } => failed.as_ref(),
            _ => None,
        }
    }

    /// Replaces the failed calls to the shop. Returns `false` if nothing changes or the stage is not `Resolution:
    /// Processing`.
    pub fn set_failed_attempts(&mut self, attempts: Option<FailedAttempts>) -> bool {
        match &mut self.stage {
            Stage::ResolutionProcessing { failed } if *failed != attempts => {
                *failed = attempts;
                true
            }
            _ => false,
        }
    }

    /// The stages that can follow now.
    pub fn next(&self) -> Vec<StageName> {
        let mut next = self.stage.name().next().to_vec();
        next.retain(|&stage| stage != StageName::ClosedCancelled || self.is_cancellable());
        next
    }
}
