//! The stage of a return request: a word and a colour.

use crate::words::{Stages, Words};
use domain::stage::StageName;
use leptos::prelude::*;
use ui::{
    components::Tone,
    html::{Html, IntoHtml},
};

/// The stage as a badge.
pub fn stage_badge(stage: StageName, words: &Words) -> Html {
    view! { <span class="badge" data-tone=tone(stage).name()>{stage_text(stage, words)}</span> }.into_html()
}

/// The stage in words.
pub fn stage_text(stage: StageName, words: &Words) -> &'static str {
    let words: &Stages = words.stages;
    match stage {
        StageName::RequestedEvidencePending => words.evidence_pending,
        StageName::RequestedReview => words.review,
        StageName::RequestedApproved => words.approved,
        StageName::RequestedRejected => words.rejected,
        StageName::SubmittedPaymentPending => words.payment_pending,
        StageName::SubmittedLabelPending => words.label_pending,
        StageName::SubmittedLabelFailed => words.label_failed,
        StageName::SubmittedReady => words.ready,
        StageName::ShipmentInTransit => words.in_transit,
        StageName::ShipmentException => words.exception,
        StageName::ShipmentDelivered => words.delivered,
        StageName::ReceivedPartial => words.received_partial,
        StageName::ReceivedComplete => words.received_complete,
        StageName::InspectionPending => words.inspection_pending,
        StageName::ResolutionPending => words.resolution_pending,
        StageName::ResolutionApproved => words.resolution_approved,
        StageName::ResolutionProcessing => words.resolution_processing,
        StageName::ResolutionCompleted => words.completed,
        StageName::ResolutionFailed => words.resolution_failed,
        StageName::ResolutionDenied => words.denied,
        StageName::ClosedCancelled => words.cancelled,
        StageName::ClosedExpired => words.expired,
    }
}

/// Amber waits for staff, red has failed, green is done, grey waits for others or is over.
fn tone(stage: StageName) -> Tone {
    match stage {
        StageName::RequestedReview
        | StageName::ShipmentDelivered
        | StageName::ReceivedPartial
        | StageName::ReceivedComplete
        | StageName::InspectionPending
        | StageName::ResolutionPending
        | StageName::ResolutionApproved => Tone::Warn,
        StageName::SubmittedLabelFailed | StageName::ShipmentException | StageName::ResolutionFailed => Tone::Danger,
        StageName::ResolutionCompleted => Tone::Good,
        StageName::RequestedApproved
        | StageName::ShipmentInTransit
        | StageName::SubmittedReady
        | StageName::ResolutionProcessing => Tone::Accent,
        _ => Tone::Quiet,
    }
}
