//! Rules besides the table: early resolution, receipts, inspection, late parcels, reasons, deadlines.

use super::*;
use crate::integration::FailedAttempts;

/// Makes several moves in order and returns the last step.
fn walk(from: &RequestState, moves: &[Move], policy: &Policy) -> Step {
    let mut last = None;
    let mut state = from.clone();
    for mv in moves {
        let step = apply(&state, mv, policy).unwrap();
        state = step.state.clone();
        last = Some(step);
    }
    last.unwrap()
}

fn ready() -> RequestState {
    at(Stage::SubmittedReady { expires: Some(NOW) })
}

fn receive(units: u32, free: u32) -> Move {
    let taken = PURCHASE.bought - free;
    Move::Receive { units, purchase: Units { taken, taken_remainder_units: taken.min(3), ..PURCHASE } }
}

fn found(accepted: u32, refused: u32) -> Move {
    Move::Inspect(Inspection { accepted, refused, condition: None, disposition: None, note: None })
}

#[test]
fn resolve_on_decides_when_money_flows() {
    let proceed = Move::Proceed { payment_due: false, label_needed: true };
    let approved = at(Stage::RequestedApproved);
    let resolved = [N::ResolutionPending, N::ResolutionApproved];
    let on = |resolve_on| policy(resolve_on, true);

    let step = apply(&approved, &proceed, &on(ResolveOn::Submission)).unwrap();
    assert_eq!((entered(&step), step.state.refundable_units()), (resolved.to_vec(), 3));

    let step = apply(&ready(), &Move::Track(Scan::InTransit), &on(ResolveOn::FirstScan)).unwrap();
    assert_eq!(entered(&step), [&[N::ShipmentInTransit], &resolved[..]].concat());
    let exception = apply(&ready(), &Move::Track(Scan::Exception), &on(ResolveOn::FirstScan)).unwrap();
    assert_eq!(entered(&exception), [N::ShipmentException], "an exception does not prove that it is on its way");

    let moves = [Move::Track(Scan::InTransit), Move::Track(Scan::Delivered)];
    let step = walk(&ready(), &moves, &on(ResolveOn::Delivery));
    assert_eq!(entered(&step), [&[N::ShipmentDelivered], &resolved[..]].concat());

    let step = apply(&ready(), &receive(3, 2), &on(ResolveOn::Receipt)).unwrap();
    assert_eq!(entered(&step), [&[N::ReceivedComplete], &resolved[..]].concat());

    let step = apply(&ready(), &receive(3, 2), &on(ResolveOn::Inspection)).unwrap();
    assert_eq!(entered(&step), [N::ReceivedComplete, N::InspectionPending]);
    let step = apply(&step.state, &found(1, 2), &on(ResolveOn::Inspection)).unwrap();
    assert_eq!((entered(&step), step.state.refundable_units()), (resolved.to_vec(), 1));
}

#[test]
fn after_an_early_resolution_the_parcel_is_recorded() {
    let policy = policy(ResolveOn::FirstScan, true);
    let moves = [
        Move::Track(Scan::InTransit),
        Move::Track(Scan::Delivered),
        Move::LabelFailed { error: why() },
        receive(2, 2),
        receive(2, 2),
        found(1, 2),
    ];
    let step = walk(&ready(), &moves, &policy);
    assert_eq!(step.state.stage, Stage::ResolutionApproved);
    assert_eq!((step.state.received, step.state.surplus, step.state.refundable_units()), (3, 1, 3));
    let done = apply(&step.state, &Move::CompleteResolution { external_reference: None }, &policy).unwrap();
    assert_eq!(done.settled, 3);
}

#[test]
fn a_kept_item_is_resolved_without_a_parcel() {
    let policy = policy(ResolveOn::Inspection, false);
    let kept = RequestState { kept: true, ..at(Stage::RequestedApproved) };
    let moves = [Move::Proceed { payment_due: true, label_needed: false }, Move::PaymentSettled];
    let step = walk(&kept, &moves, &policy);
    assert_eq!((entered(&step), step.state.refundable_units()), (vec![N::ResolutionPending], 3));
    assert!(apply(&step.state, &Move::Track(Scan::InTransit), &policy).unwrap().state.is_cancellable());
}

#[test]
fn payment_remembers_whether_a_label_follows() {
    let policy = policy(ResolveOn::Receipt, true);
    let due = NOW.plus_hours(48);
    for (label_needed, to) in [(true, N::SubmittedLabelPending), (false, N::SubmittedReady)] {
        let pay = Move::Proceed { payment_due: true, label_needed };
        let step = apply(&at(Stage::RequestedApproved), &pay, &policy).unwrap();
        assert_eq!(step.state.stage, Stage::SubmittedPaymentPending { due, label_needed });
        assert_eq!(entered(&apply(&step.state, &Move::PaymentSettled, &policy).unwrap()), [to]);
    }
}

#[test]
fn closing_a_receipt_frees_missing_units() {
    let policy = policy(ResolveOn::Receipt, true);
    let some = apply(&ready(), &receive(1, 2), &policy).unwrap();
    assert_eq!(some.state.stage.deadline(), Some((NOW.plus_days(14), Move::CloseReceipt)));
    let closed = apply(&some.state, &Move::CloseReceipt, &policy).unwrap();
    assert_eq!(closed.freed, TakenUnits { units: 2, remainder_units: 2 });
    assert_eq!(closed.state.taken, TakenUnits { units: 1, remainder_units: 1 });
    assert_eq!(closed.state.refundable_units(), 1);
    let late = apply(&closed.state, &receive(1, 2), &policy).unwrap();
    assert_eq!((late.state.surplus, late.state.refundable_units(), late.taken.units), (1, 1, 0));
}

#[test]
fn late_parcels_take_available_units_again() {
    let policy = policy(ResolveOn::Receipt, true);
    let closed = apply(&ready(), &Move::Cancel, &policy).unwrap();
    assert_eq!((closed.freed.units, closed.state.taken.units), (3, 0));
    let gone = apply(&closed.state, &receive(1, 0), &policy).unwrap();
    assert_eq!((entered(&gone), gone.state.surplus, gone.taken.units), (vec![], 1, 0));

    let one = apply(&closed.state, &receive(1, 3), &policy).unwrap();
    assert_eq!((entered(&one), one.taken, one.state.taken), (vec![N::ReceivedPartial], one.state.taken, one.taken));
    let rest = apply(&one.state, &receive(2, 1), &policy).unwrap();
    assert_eq!((rest.state.received, rest.state.surplus, rest.taken.units), (2, 1, 1));
    assert_eq!(entered(&rest), [N::ReceivedComplete, N::ResolutionPending, N::ResolutionApproved]);
    assert_eq!(rest.state.refundable_units(), 2);
}

#[test]
fn a_late_parcel_of_an_early_resolution_counts_by_what_arrived() {
    let policy = policy(ResolveOn::Submission, false);
    let proceed = Move::Proceed { payment_due: false, label_needed: true };
    let moves = [proceed, Move::Cancel, receive(1, 3), Move::CloseReceipt];
    let closed = walk(&at(Stage::RequestedApproved), &moves, &policy).state;
    assert_eq!(closed.refundable_units(), 1);
    let later = apply(&closed, &receive(1, 3), &policy).unwrap();
    assert_eq!((later.state.surplus, later.taken.units, later.state.refundable_units()), (1, 0, 1));
}

#[test]
fn a_scanned_parcel_cannot_be_cancelled() {
    let policy = policy(ResolveOn::FirstScan, false);
    let lost = Move::ResolveWithoutReceipt { reason: why() };
    let unseen = walk(&ready(), std::slice::from_ref(&lost), &policy).state;
    assert_eq!(apply(&unseen, &Move::Cancel, &policy).unwrap().freed.units, 3);
    let seen = walk(&ready(), &[Move::Track(Scan::Exception), lost], &policy).state;
    let refusal = apply(&seen, &Move::Cancel, &policy).unwrap_err();
    assert!(!refusal.message.contains("Cancelled") && refusal.message.contains("Resolution: Denied"), "{refusal}");
}

#[test]
fn tracking_never_goes_backwards() {
    let policy = policy(ResolveOn::Receipt, true);
    let delivered = apply(&ready(), &Move::Track(Scan::Delivered), &policy).unwrap();
    for scan in [Scan::InTransit, Scan::Exception, Scan::Delivered] {
        assert!(apply(&delivered.state, &Move::Track(scan), &policy).unwrap().repeated);
    }
}

#[test]
fn an_inspection_accounts_for_every_unit() {
    let policy = policy(ResolveOn::Inspection, true);
    let pending = at(Stage::InspectionPending);
    for wrong in [found(2, 1), found(1, 0), found(u32::MAX, u32::MAX)] {
        assert_eq!(apply(&pending, &wrong, &policy).unwrap_err().code, RefusalCode::Mismatch);
    }
    let denied = apply(&pending, &found(0, 2), &policy).unwrap();
    assert_eq!(entered(&denied), [N::ResolutionPending, N::ResolutionDenied], "there is nothing to decide");
    // A person cannot approve nothing either.
    let by_hand = Policy { auto_resolve: false, ..policy.clone() };
    let refused = apply(&pending, &found(0, 2), &by_hand).unwrap();
    assert_eq!(refused.state.stage.name(), N::ResolutionPending);
    let refusal = apply(&refused.state, &Move::ApproveResolution, &policy).unwrap_err();
    assert_eq!(refusal.code, RefusalCode::NotAllowed);
    let corrected = walk(&refused.state, &[found(1, 1), Move::ApproveResolution], &policy);
    assert_eq!(corrected.state.approved_units, Some(1));
}

#[test]
fn an_automatic_approval_can_be_held_for_review() {
    let policy = policy(ResolveOn::Receipt, true);
    let step = apply(&ready(), &receive(3, 0), &policy).unwrap();
    assert_eq!((step.approval(), step.state.approved_units), (Some(Approval::ByRule), Some(3)));
    let waiting = step.held_for_review(ReviewReason::RefundedByShop);
    assert_eq!((waiting.approval(), waiting.state.approved_units), (None, None));
    assert_eq!(waiting.state.review, Some(ReviewReason::RefundedByShop));
    assert_eq!(waiting.state.stage.name(), N::ResolutionPending);
    let asked = apply(&waiting.state, &Move::ApproveResolution, &policy).unwrap();
    assert_eq!(asked.approval(), Some(Approval::ByPerson));
    assert_eq!(asked.clone().held_for_review(ReviewReason::SumsDiffer), asked);
}

#[test]
fn no_rule_approves_what_needs_a_review() {
    let policy = policy(ResolveOn::Receipt, true);
    let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
    for reason in [ReviewReason::RefundLimit, ReviewReason::SumsDiffer, ReviewReason::RefundedByShop] {
        let taken = TakenUnits { units: 3, remainder_units: 0 };
        let submission = Submission {
            taken,
            kept: false,
            held: false,
            by_merchant: false,
            has_evidence: false,
            review: Some(reason),
        };
        let first = submit(submission, &ReasonRules::default(), &context).state;
        assert_eq!(first.stage, Stage::RequestedReview);
        let by_merchant = submit(Submission { by_merchant: true, ..submission }, &ReasonRules::default(), &context);
        assert_eq!(by_merchant.state.stage, Stage::RequestedApproved, "a person made it");

        let step = apply(&RequestState { review: Some(reason), ..ready() }, &receive(3, 0), &policy).unwrap();
        assert_eq!((step.approval(), step.state.stage.name()), (None, N::ResolutionPending));
        let approved = apply(&step.state, &Move::ApproveResolution, &policy).unwrap();
        assert_eq!(approved.approval(), Some(Approval::ByPerson));
        let text = serde_json::to_string(&approved.state).unwrap();
        assert_eq!(serde_json::from_str::<RequestState>(&text).unwrap(), approved.state);
    }
}

#[test]
fn refusals_name_the_stages_that_can_be_set() {
    let policy = policy(ResolveOn::Receipt, true);
    let target = |stage| StageTarget { stage, comment: why(), external_reference: None };
    let (mut refused, mut naming) = (0, 0);
    for stage in stages() {
        let from = at(stage);
        let name = from.stage.name();
        for &wrong in N::all().iter().filter(|&&to| to != name && !name.next().contains(&to)) {
            let Err(refusal) = from.move_to(&target(wrong), &policy, PURCHASE) else { continue };
            refused += 1;
            let Some((_, named)) = refusal.message.split_once("can follow are: ") else { continue };
            naming += 1;
            for to in named.trim_end_matches('.').split(", ") {
                let to = N::parse(to).unwrap();
                assert!(from.move_to(&target(to), &policy, PURCHASE).is_ok(), "{name} to {to}");
            }
        }
    }
    assert!(refused > 300 && naming > refused / 2, "most refusals name what can be done: {naming} of {refused}");
}

#[test]
fn reasons_are_not_blank() {
    let policy = Policy::default();
    let reason = " \n".to_owned();
    for (stage, mv) in [
        (Stage::RequestedReview, Move::Reject { reason: reason.clone() }),
        (Stage::ShipmentInTransit, Move::ResolveWithoutReceipt { reason: reason.clone() }),
        (Stage::ResolutionPending { reason: None }, Move::DenyResolution { reason: reason.clone() }),
        (Stage::ResolutionDenied { reason: why() }, Move::ReopenResolution { reason }),
    ] {
        assert_eq!(apply(&at(stage), &mv, &policy).unwrap_err().code, RefusalCode::Required);
    }
}

#[test]
fn a_reopened_denial_waits_for_a_person() {
    let denied = at(Stage::ResolutionDenied { reason: why() });
    let step = apply(&denied, &Move::ReopenResolution { reason: why() }, &Policy::default()).unwrap();
    assert_eq!(entered(&step), [N::ResolutionPending]);
}

#[test]
fn nothing_expires_before_its_time() {
    let policy = Policy::default();
    let mut expiring = Vec::new();
    for stage in stages() {
        let Some((due, Move::Expire)) = stage.deadline() else { continue };
        expiring.push(stage.name());
        let now = Timestamp::from_micros(due.micros() - 1);
        let early = at(stage.clone())
            .apply(&Move::Expire, &StageContext { policy: &policy, zone: &TimeZone::UTC, now })
            .unwrap_err();
        assert_eq!(early.code, RefusalCode::IllegalTransition);
        assert_eq!(apply(&at(stage), &Move::Expire, &policy).unwrap().freed.units, 3);
    }
    assert_eq!(expiring, [N::RequestedEvidencePending, N::SubmittedPaymentPending, N::SubmittedReady]);
    let unlabelled = at(Stage::SubmittedReady { expires: None });
    assert!(apply(&unlabelled, &Move::Expire, &policy).is_err());
}

#[test]
fn two_systems_cannot_both_complete() {
    let policy = Policy::default();
    let complete =
        |reference: Option<&str>| Move::CompleteResolution { external_reference: reference.map(str::to_owned) };
    let done = apply(&at(Stage::ResolutionApproved), &complete(Some("a")), &policy).unwrap();
    assert_eq!(done.settled, 2);
    for same in [complete(Some("a")), complete(None)] {
        let again = apply(&done.state, &same, &policy).unwrap();
        assert!(again.repeated && again.settled == 0);
    }
    assert_eq!(apply(&done.state, &complete(Some("b")), &policy).unwrap_err().code, RefusalCode::IllegalTransition);
}

#[test]
fn a_requested_stage_is_reached_or_refused() {
    for resolve_on in [ResolveOn::Receipt, ResolveOn::Inspection] {
        let policy = policy(resolve_on, false);
        for (from, &stage) in
            stages().into_iter().map(at).flat_map(|from| N::all().iter().map(move |to| (from.clone(), to)))
        {
            let target = StageTarget { stage, comment: why(), external_reference: None };
            let here = from.stage.name();
            match from.move_to(&target, &policy, PURCHASE) {
                Ok(None) => assert!(here == stage || here.group() == StageGroup::Submitted),
                Ok(Some(mv)) => {
                    let step = apply(&from, &mv, &policy).unwrap();
                    assert!(entered(&step).contains(&stage) || (step.repeated && here == stage), "{here} {stage}");
                }
                Err(refusal) => assert_eq!(refusal.code, RefusalCode::IllegalTransition, "{here} {stage}"),
            }
        }
    }
}

#[test]
fn units_are_expected_until_all_of_a_parcel_are_counted() {
    assert!(ready().is_expected());
    assert!(RequestState { received: 1, surplus: 1, ..ready() }.is_expected());
    assert!(!RequestState { received: 2, surplus: 1, ..ready() }.is_expected());
    assert!(!RequestState { kept: true, ..ready() }.is_expected(), "the consumer keeps it");
    assert!(!at(Stage::SubmittedLabelPending).is_expected(), "the label is pending");
}

#[test]
fn failed_calls_are_recorded_only_while_the_shop_carries_out_the_resolution() {
    let attempts = Some(FailedAttempts { count: 1, message: why(), next_at: NOW });
    let mut processing = at(Stage::ResolutionProcessing { failed: None });
    assert!(processing.set_failed_attempts(attempts.clone()));
    assert_eq!(processing.failed_attempts(), attempts.as_ref());
    assert!(!processing.set_failed_attempts(attempts.clone()), "nothing changes");
    let mut approved = at(Stage::ResolutionApproved);
    assert!(!approved.set_failed_attempts(attempts));
    assert_eq!(approved.failed_attempts(), None);
}

#[test]
fn a_review_reason_is_found_by_its_sentence() {
    for reason in [ReviewReason::RefundLimit, ReviewReason::SumsDiffer, ReviewReason::RefundedByShop] {
        assert_eq!(ReviewReason::from_comment(reason.comment()), Some(reason));
    }
    assert_eq!(ReviewReason::from_comment(&why()), None);
}

#[test]
fn an_approved_resolution_stays_approved_until_it_completes_or_fails() {
    let approved: Vec<N> = N::all().iter().copied().filter(|stage| stage.is_approved()).collect();
    let all = [N::ResolutionApproved, N::ResolutionProcessing, N::ResolutionCompleted, N::ResolutionFailed];
    assert_eq!(approved, all);
}

#[test]
fn a_stage_is_reached_by_its_name_if_it_needs_nothing_else() {
    let policy = policy(ResolveOn::Receipt, true);
    let ready = || Stage::SubmittedReady { expires: Some(NOW) };
    let target = |stage| StageTarget { stage, comment: why(), external_reference: None };
    let to_inspection = |resolve_on| {
        at(Stage::ReceivedPartial { due: NOW }).move_to(
            &target(N::InspectionPending),
            &super::policy(resolve_on, true),
            PURCHASE,
        )
    };
    assert_eq!(to_inspection(ResolveOn::Inspection).unwrap(), Some(Move::CloseReceipt));
    assert_eq!(to_inspection(ResolveOn::Receipt).unwrap_err().code, RefusalCode::IllegalTransition);
    let move_to = |from: Stage, stage| at(from).move_to(&target(stage), &policy, PURCHASE);
    assert_eq!(move_to(ready(), N::RequestedApproved).unwrap(), None, "it was approved before");
    assert_eq!(move_to(ready(), N::ShipmentInTransit).unwrap(), Some(Move::Track(Scan::InTransit)));
    let without_receipt = Some(Move::ResolveWithoutReceipt { reason: why() });
    assert_eq!(move_to(ready(), N::ResolutionPending).unwrap(), without_receipt);
    let to_resolution = |resolve_on| {
        at(Stage::ReceivedComplete).move_to(&target(N::ResolutionPending), &super::policy(resolve_on, true), PURCHASE)
    };
    assert_eq!(to_resolution(ResolveOn::Receipt).unwrap(), Some(Move::CloseReceipt));
    let refusal = to_resolution(ResolveOn::Inspection).unwrap_err();
    assert!(refusal.message.contains("post the inspection"), "{}", refusal.message);
    let reopened = Some(Move::ReopenResolution { reason: why() });
    assert_eq!(move_to(Stage::ResolutionDenied { reason: why() }, N::ResolutionPending).unwrap(), reopened);
    let refusal = move_to(Stage::ShipmentDelivered, N::ReceivedPartial).unwrap_err();
    assert!(refusal.message.contains("post a receipt"), "{}", refusal.message);
}

#[test]
fn a_parcel_that_was_scanned_cannot_be_sent_another_way() {
    let policy = Policy::default();
    let ready = at(Stage::SubmittedReady { expires: None });
    let another_way = Move::SendAnotherWay { label_needed: true };
    assert_eq!(apply(&ready, &another_way, &policy).unwrap().state.stage, Stage::SubmittedLabelPending);
    let scanned = RequestState { scanned: true, ..ready };
    assert_eq!(apply(&scanned, &another_way, &policy).unwrap_err().code, RefusalCode::IllegalTransition);
}

#[test]
fn nothing_to_refund_is_denied_by_rule_only_after_an_inspection() {
    let policy = policy(ResolveOn::Receipt, true);
    let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
    let pending = RequestState { received: 0, ..at(Stage::ResolutionPending { reason: None }) };
    let decided = |state: &RequestState| Step::stay(state).decided_by_rule(&context).state.stage.name();
    assert_eq!(decided(&pending), N::ResolutionPending, "nothing was counted");
    assert_eq!(decided(&RequestState { received: 1, ..pending }), N::ResolutionApproved);
}
