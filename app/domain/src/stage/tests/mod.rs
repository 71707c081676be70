//! The table, cell by cell. `flows` tests the other rules, `props` makes random moves.

mod flows;
mod props;
mod take_back;

use super::{StageName as N, *};
use crate::{
    base::{
        refusal::{Refusal, RefusalCode},
        time_zone::TimeZone,
        timestamp::Timestamp,
    },
    order::{TakenUnits, Units},
    policy::{
        Policy, ResolveOn,
        reason::{EvidenceRule, ReasonRules},
    },
};

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
const PURCHASE: Units =
    Units { bought: 5, fulfilled: 5, taken: 0, taken_remainder_units: 0, settled: 0, shop_refunded: 0, total: 1003 };

fn policy(resolve_on: ResolveOn, auto_resolve: bool) -> Policy {
    Policy { resolve_on, auto_resolve, ..Policy::default() }
}

fn why() -> String {
    "because".to_owned()
}

/// All stages, with data.
fn stages() -> Vec<Stage> {
    vec![
        Stage::RequestedEvidencePending { due: NOW },
        Stage::RequestedReview,
        Stage::RequestedApproved,
        Stage::RequestedRejected { reason: why() },
        Stage::SubmittedPaymentPending { due: NOW, label_needed: true },
        Stage::SubmittedLabelPending,
        Stage::SubmittedLabelFailed { error: why() },
        Stage::SubmittedReady { expires: Some(NOW.plus_seconds(-86_400 * i64::from(LATE_SCAN_DAYS))) },
        Stage::ShipmentInTransit,
        Stage::ShipmentException,
        Stage::ShipmentDelivered,
        Stage::ReceivedPartial { due: NOW },
        Stage::ReceivedComplete,
        Stage::InspectionPending,
        Stage::ResolutionPending { reason: None },
        Stage::ResolutionApproved,
        Stage::ResolutionProcessing { failed: None },
        Stage::ResolutionCompleted { external_reference: Some("r-1".to_owned()) },
        Stage::ResolutionFailed { reason: why() },
        Stage::ResolutionDenied { reason: why() },
        Stage::ClosedCancelled,
        Stage::ClosedExpired,
    ]
}

/// All moves, under the names that the tables below use.
fn moves() -> Vec<(&'static str, Move)> {
    let inspection = Inspection { accepted: 2, refused: 0, condition: None, disposition: None, note: None };
    vec![
        ("evidence", Move::AddEvidence),
        ("approve", Move::Approve),
        ("reject", Move::Reject { reason: why() }),
        ("proceed", Move::Proceed { payment_due: false, label_needed: false }),
        ("proceed+label", Move::Proceed { payment_due: false, label_needed: true }),
        ("proceed+pay", Move::Proceed { payment_due: true, label_needed: true }),
        ("paid", Move::PaymentSettled),
        ("label made", Move::LabelMade { expires: NOW }),
        ("label failed", Move::LabelFailed { error: why() }),
        ("retry label", Move::RetryLabel),
        ("another way+label", Move::SendAnotherWay { label_needed: true }),
        ("another way", Move::SendAnotherWay { label_needed: false }),
        ("in transit", Move::Track(Scan::InTransit)),
        ("exception", Move::Track(Scan::Exception)),
        ("delivered", Move::Track(Scan::Delivered)),
        ("late", Move::TrackLate(Scan::Delivered)),
        ("receive 1", Move::Receive { units: 1, purchase: PURCHASE }),
        ("receive 3", Move::Receive { units: 3, purchase: PURCHASE }),
        ("close receipt", Move::CloseReceipt),
        ("inspect", Move::Inspect(inspection)),
        ("lost", Move::ResolveWithoutReceipt { reason: why() }),
        ("resolve", Move::ApproveResolution),
        ("deny", Move::DenyResolution { reason: why() }),
        ("reopen", Move::ReopenResolution { reason: why() }),
        ("start", Move::StartProcessing),
        ("complete", Move::CompleteResolution { external_reference: None }),
        ("fail", Move::FailResolution { reason: why() }),
        ("cancel", Move::Cancel),
        ("expire", Move::Expire),
    ]
}

/// A request of 3 units in a stage; 2 have arrived where the stage is about receipts.
fn at(stage: Stage) -> RequestState {
    let name = stage.name();
    let gone = matches!(name, N::RequestedRejected | N::ClosedCancelled | N::ClosedExpired);
    let arrived = matches!(name.group(), StageGroup::Received | StageGroup::Inspection | StageGroup::Resolution);
    let received = match name {
        N::ReceivedComplete => 3,
        _ if arrived => 2,
        _ => 0,
    };
    let held = if gone { 0 } else { 3 };
    RequestState {
        stage,
        quantity: 3,
        taken: TakenUnits { units: held, remainder_units: held },
        kept: false,
        scanned: arrived || name.group() == StageGroup::Shipment,
        received,
        surplus: 0,
        inspection: None,
        without_receipt: false,
        undecided: false,
        approved_units: None,
        review: None,
    }
}

fn apply(request: &RequestState, mv: &Move, policy: &Policy) -> Result<Step, Refusal> {
    request.apply(mv, &StageContext { policy, zone: &TimeZone::UTC, now: NOW })
}

fn entered(step: &Step) -> Vec<N> {
    step.entered.iter().map(Stage::name).collect()
}

/// Stage, move, stages entered: each cell of the table with `resolveOn: receipt` and without `autoResolve`.
const CELLS: &[(N, &str, &[N])] = &[
    (N::RequestedEvidencePending, "evidence", &[N::RequestedReview]),
    (N::RequestedEvidencePending, "cancel", &[N::ClosedCancelled]),
    (N::RequestedEvidencePending, "expire", &[N::ClosedExpired]),
    (N::RequestedReview, "approve", &[N::RequestedApproved]),
    (N::RequestedReview, "reject", &[N::RequestedRejected]),
    (N::RequestedReview, "cancel", &[N::ClosedCancelled]),
    (N::RequestedApproved, "proceed", &[N::SubmittedReady]),
    (N::RequestedApproved, "proceed+label", &[N::SubmittedLabelPending]),
    (N::RequestedApproved, "proceed+pay", &[N::SubmittedPaymentPending]),
    (N::RequestedApproved, "cancel", &[N::ClosedCancelled]),
    (N::SubmittedPaymentPending, "paid", &[N::SubmittedLabelPending]),
    (N::SubmittedPaymentPending, "cancel", &[N::ClosedCancelled]),
    (N::SubmittedPaymentPending, "expire", &[N::ClosedExpired]),
    (N::SubmittedLabelPending, "label made", &[N::SubmittedReady]),
    (N::SubmittedLabelPending, "label failed", &[N::SubmittedLabelFailed]),
    (N::SubmittedLabelPending, "another way", &[N::SubmittedReady]),
    (N::SubmittedLabelPending, "cancel", &[N::ClosedCancelled]),
    (N::SubmittedLabelFailed, "retry label", &[N::SubmittedLabelPending]),
    (N::SubmittedLabelFailed, "another way+label", &[N::SubmittedLabelPending]),
    (N::SubmittedLabelFailed, "another way", &[N::SubmittedReady]),
    (N::SubmittedLabelFailed, "cancel", &[N::ClosedCancelled]),
    (N::SubmittedReady, "another way+label", &[N::SubmittedLabelPending]),
    (N::SubmittedReady, "in transit", &[N::ShipmentInTransit]),
    (N::SubmittedReady, "exception", &[N::ShipmentException]),
    (N::SubmittedReady, "delivered", &[N::ShipmentDelivered]),
    (N::SubmittedReady, "receive 1", &[N::ReceivedPartial]),
    (N::SubmittedReady, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::SubmittedReady, "lost", &[N::ResolutionPending]),
    (N::SubmittedReady, "cancel", &[N::ClosedCancelled]),
    (N::SubmittedReady, "expire", &[N::ClosedExpired]),
    (N::ShipmentInTransit, "exception", &[N::ShipmentException]),
    (N::ShipmentInTransit, "delivered", &[N::ShipmentDelivered]),
    (N::ShipmentInTransit, "receive 1", &[N::ReceivedPartial]),
    (N::ShipmentInTransit, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ShipmentInTransit, "lost", &[N::ResolutionPending]),
    (N::ShipmentException, "in transit", &[N::ShipmentInTransit]),
    (N::ShipmentException, "delivered", &[N::ShipmentDelivered]),
    (N::ShipmentException, "receive 1", &[N::ReceivedPartial]),
    (N::ShipmentException, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ShipmentException, "lost", &[N::ResolutionPending]),
    (N::ShipmentDelivered, "receive 1", &[N::ReceivedPartial]),
    (N::ShipmentDelivered, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ShipmentDelivered, "lost", &[N::ResolutionPending]),
    (N::ReceivedPartial, "receive 1", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ReceivedPartial, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ReceivedPartial, "close receipt", &[N::ResolutionPending]),
    (N::ReceivedComplete, "close receipt", &[N::ResolutionPending]),
    (N::InspectionPending, "inspect", &[N::ResolutionPending]),
    (N::ResolutionPending, "resolve", &[N::ResolutionApproved]),
    (N::ResolutionPending, "deny", &[N::ResolutionDenied]),
    (N::ResolutionApproved, "start", &[N::ResolutionProcessing]),
    (N::ResolutionApproved, "complete", &[N::ResolutionCompleted]),
    (N::ResolutionProcessing, "complete", &[N::ResolutionCompleted]),
    (N::ResolutionProcessing, "fail", &[N::ResolutionFailed]),
    (N::ResolutionFailed, "start", &[N::ResolutionProcessing]),
    (N::ResolutionFailed, "complete", &[N::ResolutionCompleted]),
    (N::ResolutionDenied, "reopen", &[N::ResolutionPending]),
    (N::ClosedCancelled, "receive 1", &[N::ReceivedPartial]),
    (N::ClosedCancelled, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
    (N::ClosedExpired, "receive 1", &[N::ReceivedPartial]),
    (N::ClosedExpired, "receive 3", &[N::ReceivedComplete, N::ResolutionPending]),
];

/// Moves that are recorded, or already made, without a change of stage.
fn stays(stage: N, mv: &str) -> bool {
    use StageGroup as G;
    let group = stage.group();
    let under_way = !matches!(group, G::Requested) && (group != G::Submitted || stage == N::SubmittedReady);
    match mv {
        "evidence" => !stage.is_end(),
        "approve" => group == G::Submitted || stage == N::RequestedApproved,
        "reject" => stage == N::RequestedRejected,
        "label made" => group == G::Resolution || stage == N::SubmittedReady,
        "label failed" => group == G::Resolution || stage == N::SubmittedLabelFailed,
        "retry label" => group == G::Resolution || stage == N::SubmittedLabelPending,
        "another way+label" => stage == N::SubmittedLabelPending || (group == G::Requested && !stage.is_end()),
        "another way" => stage == N::SubmittedReady || (group == G::Requested && !stage.is_end()),
        "in transit" | "exception" | "delivered" => under_way,
        "late" => true,
        "receive 1" | "receive 3" => matches!(group, G::Received | G::Inspection | G::Resolution),
        "inspect" => group == G::Resolution,
        "resolve" => stage == N::ResolutionApproved,
        "deny" => stage == N::ResolutionDenied,
        "reopen" => stage == N::ResolutionPending,
        "start" => stage == N::ResolutionProcessing,
        "complete" => stage == N::ResolutionCompleted,
        "fail" => stage == N::ResolutionFailed,
        "cancel" => stage == N::ClosedCancelled,
        "expire" => stage == N::ClosedExpired,
        _ => false,
    }
}

#[test]
fn every_cell_moves_and_nothing_else_does() {
    let policy = policy(ResolveOn::Receipt, false);
    for stage in stages() {
        let from = at(stage);
        for (name, mv) in moves() {
            let here = from.stage.name();
            let cell = CELLS.iter().find(|(stage, mv, _)| *stage == here && *mv == name);
            match (apply(&from, &mv, &policy), cell) {
                (Ok(step), Some((_, _, to))) => assert_eq!(entered(&step), *to, "{here} {name}"),
                (Ok(step), None) => {
                    assert!(stays(here, name), "{here} {name} is not in the table");
                    assert!(step.entered.is_empty() && step.state.stage.name() == here, "{here} {name}");
                    assert_eq!((step.freed.units, step.settled), (0, 0), "{here} {name}");
                }
                (Err(refusal), cell) => {
                    assert!(cell.is_none() && !stays(here, name), "{here} {name}: {refusal}");
                    assert_eq!(refusal.code, RefusalCode::IllegalTransition, "{here} {name}");
                    let listed = from.next().iter().all(|next| refusal.message.contains(next.as_str()));
                    assert!(listed || name == "expire", "{refusal}");
                }
            }
        }
    }
}

#[test]
fn every_way_out_of_a_stage_can_be_taken() {
    let ways = N::all().iter().flat_map(|&from| from.next().iter().map(move |&to| (from, to)));
    let mut unused: Vec<(N, N)> = ways.collect();
    let without_label = Stage::SubmittedPaymentPending { due: NOW, label_needed: false };
    let unseen = RequestState { received: 0, scanned: false, ..at(Stage::ResolutionPending { reason: None }) };
    let starts = stages().into_iter().map(at).chain([at(without_label), unseen]);
    for (from, (_, mv)) in starts.flat_map(|from| moves().into_iter().map(move |mv| (from.clone(), mv))) {
        for resolve_on in [ResolveOn::Submission, ResolveOn::Receipt, ResolveOn::Inspection] {
            let Ok(step) = apply(&from, &mv, &policy(resolve_on, false)) else { continue };
            let mut last = from.stage.name();
            for next in entered(&step) {
                unused.retain(|&way| way != (last, next));
                last = next;
            }
        }
    }
    assert_eq!(unused, []);
}

#[test]
fn policy_and_reason_decide_the_first_stage() {
    let taken = TakenUnits { units: 2, remainder_units: 1 };
    let first_of = |evidence, review, auto_approve, by_merchant, has_evidence| {
        let policy = Policy { auto_approve, ..Policy::default() };
        let rules = ReasonRules { evidence, review, ..ReasonRules::default() };
        let submission = Submission { taken, kept: false, held: false, by_merchant, has_evidence, review: None };
        let step = submit(submission, &rules, &StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW });
        assert_eq!((step.taken, step.state.taken, step.state.quantity), (taken, taken, 2));
        assert_eq!(step.entered, std::slice::from_ref(&step.state.stage));
        step.state.stage
    };
    let first =
        |evidence, review, auto_approve, by_merchant| first_of(evidence, review, auto_approve, by_merchant, false);
    let due = TimeZone::UTC.end_of_day(NOW, 14); // the whole day that the shopper sees
    assert_eq!(first(EvidenceRule::Required, false, true, false), Stage::RequestedEvidencePending { due });
    assert_eq!(first(EvidenceRule::Optional, true, true, false), Stage::RequestedReview);
    assert_eq!(first(EvidenceRule::None, false, false, false), Stage::RequestedReview);
    assert_eq!(first(EvidenceRule::None, false, true, false), Stage::RequestedApproved);
    assert_eq!(first(EvidenceRule::Required, true, false, true), Stage::RequestedApproved);

    // If required evidence is already there, the request is reviewed; otherwise evidence changes nothing.
    assert_eq!(first_of(EvidenceRule::Required, false, true, false, true), Stage::RequestedReview);
    assert_eq!(first_of(EvidenceRule::Optional, false, true, false, true), Stage::RequestedApproved);
    assert_eq!(first_of(EvidenceRule::Optional, true, true, false, true), Stage::RequestedReview);
    assert_eq!(first_of(EvidenceRule::Required, true, false, true, true), Stage::RequestedApproved);
}

#[test]
fn names_and_json_are_one() {
    assert_eq!(stages().len(), N::all().len());
    for (stage, &name) in stages().iter().zip(N::all()) {
        assert_eq!(stage.name(), name);
        assert_eq!(N::parse(name.as_str()), Some(name));
        assert_eq!(format!("{:?}", name.group()), name.as_str().split(": ").next().unwrap());
        let json = serde_json::to_value(stage).unwrap();
        assert_eq!(json["stage"], name.as_str());
        assert_eq!(json["stage"], serde_json::to_value(name).unwrap());
        assert_eq!(serde_json::from_value::<Stage>(json).unwrap(), *stage);
        let request = at(stage.clone());
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<RequestState>(&text).unwrap(), request);
    }
    assert_eq!(N::parse("Resolution: approved"), None);
    assert!(serde_json::from_str::<N>("\"Nowhere\"").is_err());
}
