//! Counting a parcel, and taking it back.

use super::*;
use proptest::prelude::*;

fn sent(quantity: u32) -> RequestState {
    let taken = TakenUnits { units: quantity, remainder_units: quantity.min(3) };
    let submission =
        Submission { taken, kept: false, held: false, by_merchant: true, has_evidence: false, review: None };
    let context = StageContext { policy: &Policy::default(), zone: &TimeZone::UTC, now: NOW };
    let state = submit(submission, &ReasonRules::default(), &context).state;
    RequestState { stage: Stage::ShipmentDelivered, ..state }
}

fn refused(refused: u32) -> Findings {
    Findings { refused, condition: Some(Condition::Damaged), disposition: None, note: Some("Torn".to_owned()) }
}

#[test]
fn units_that_the_count_refuses_are_not_refunded_under_any_policy() {
    for resolve_on in [ResolveOn::Receipt, ResolveOn::Inspection] {
        let policy = policy(resolve_on, true);
        let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
        let count = |units, is_last, findings| {
            sent(3).count(&Count { units, is_last, findings: Some(findings) }, PURCHASE, &context)
        };
        let step = count(3, false, refused(1)).unwrap();
        assert_eq!((step.state.stage.name(), step.state.approved_units), (N::ResolutionApproved, Some(2)));
        assert_eq!(step.approval(), Some(Approval::ByRule));
        assert_eq!(count(3, false, refused(3)).unwrap().state.stage.name(), N::ResolutionDenied);
        assert_eq!(count(3, false, refused(4)).unwrap_err().code, RefusalCode::Mismatch);
        assert_eq!(count(2, false, refused(1)).unwrap_err().code, RefusalCode::IllegalTransition, "one is to come");
        let last = count(2, true, refused(1)).unwrap();
        assert_eq!((last.state.approved_units, last.freed.units), (Some(1), 1), "the missing unit is given up");
        let surplus = count(5, false, refused(0)).unwrap();
        assert_eq!((surplus.state.received, surplus.state.surplus), (3, 2));
    }
}

#[test]
fn a_count_without_findings_is_a_receipt() {
    for (resolve_on, auto) in [(ResolveOn::Receipt, true), (ResolveOn::Receipt, false), (ResolveOn::Inspection, true)] {
        let policy = policy(resolve_on, auto);
        let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
        for units in 1..5 {
            let count = Count { units, is_last: false, findings: None };
            let counted = sent(3).count(&count, PURCHASE, &context).unwrap();
            assert_eq!(counted, sent(3).apply(&Move::Receive { units, purchase: PURCHASE }, &context).unwrap());
        }
    }
}

#[test]
fn a_count_is_taken_back_until_the_resolution_begins() {
    let policy = policy(ResolveOn::Receipt, true);
    let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
    let before = sent(2);
    let after = before.apply(&Move::Receive { units: 2, purchase: PURCHASE }, &context).unwrap().state;
    assert_eq!(after.take_back(&before, &after).unwrap().state, before);
    let scanned = RequestState { scanned: !after.scanned, ..after.clone() };
    assert_eq!(
        scanned.take_back(&before, &after).unwrap().state,
        RequestState { scanned: scanned.scanned, ..before.clone() },
        "a scan does not matter"
    );
    let processing = after.apply(&Move::StartProcessing, &context).unwrap().state;
    let refusal = processing.take_back(&before, &after).unwrap_err();
    assert_eq!(refusal.code, RefusalCode::StageConflict);
    assert!(refusal.message.contains("has begun"), "{}", refusal.message);
    let more = processing.apply(&Move::Receive { units: 1, purchase: PURCHASE }, &context).unwrap().state;
    let again = more.take_back(&processing, &more).unwrap();
    assert_eq!(again.state, processing, "a surplus unit moves no money");
    assert!(more.take_back(&before, &after).unwrap_err().message.contains("since"));
}

#[test]
fn units_that_the_count_gave_up_are_taken_again() {
    let policy = policy(ResolveOn::Receipt, true);
    let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
    let before = sent(3);
    let counted = before.count(&Count { units: 2, is_last: true, findings: None }, PURCHASE, &context).unwrap();
    assert_eq!((counted.freed.units, counted.state.stage.name()), (1, N::ResolutionApproved));
    let back = counted.state.take_back(&before, &counted.state).unwrap();
    assert_eq!((&back.state, back.taken, back.freed.units), (&before, counted.freed, 0));
}

fn any_policy() -> impl Strategy<Value = Policy> {
    let resolve_on = prop::sample::select(vec![
        ResolveOn::Submission,
        ResolveOn::FirstScan,
        ResolveOn::Delivery,
        ResolveOn::Receipt,
        ResolveOn::Inspection,
    ]);
    (resolve_on, any::<bool>()).prop_map(|(resolve_on, auto_resolve)| policy(resolve_on, auto_resolve))
}

/// Writes a step as the store does.
fn write(purchase: &mut Units, step: &Step) {
    purchase.taken = purchase.taken + step.taken.units - step.freed.units;
    purchase.taken_remainder_units =
        purchase.taken_remainder_units + step.taken.remainder_units - step.freed.remainder_units;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Counts that are taken back in the opposite order leave the request and its purchase as they were.
    #[test]
    fn counting_and_taking_back_changes_nothing(
        stage in prop::sample::select(stages()),
        quantity in 1_u32..4,
        held in 0_u32..4,
        early in any::<bool>(),
        policy in any_policy(),
        counts in prop::collection::vec((0_u32..5, any::<bool>(), prop::option::of(0_u32..4)), 1..5),
    ) {
        let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
        let units = if stage.name().group() == StageGroup::Closed { 0 } else { quantity.min(held.max(1)) };
        let taken = TakenUnits { units, remainder_units: units.min(3) };
        let first = RequestState { stage, taken, without_receipt: early, ..sent(quantity) };
        let mut purchase = Units { taken: units, taken_remainder_units: taken.remainder_units, ..PURCHASE };
        let bought_before = purchase;
        let (mut now, mut done) = (first.clone(), Vec::new());
        for (units, is_last, refused) in counts {
            let findings = refused.map(|refused| Findings { refused, ..Findings::default() });
            let Ok(step) = now.count(&Count { units, is_last, findings }, purchase, &context) else { continue };
            if step.repeated {
                continue;
            }
            write(&mut purchase, &step);
            done.push((now, step.state.clone()));
            now = step.state;
        }
        while let Some((before, after)) = done.pop() {
            let back = now.take_back(&before, &after).unwrap();
            write(&mut purchase, &back);
            now = back.state;
            prop_assert_eq!(&now, &before);
        }
        prop_assert_eq!(&now, &first);
        prop_assert_eq!(purchase, bought_before);
    }
}

#[test]
fn findings_of_a_count_are_taken_back_after_the_stage_has_changed() {
    let policy = policy(ResolveOn::Receipt, true);
    let context = StageContext { policy: &policy, zone: &TimeZone::UTC, now: NOW };
    let whole = Count { units: 3, is_last: false, findings: Some(refused(1)) };
    let inspection = sent(3).count(&whole, PURCHASE, &context).unwrap().state.inspection;
    assert!(inspection.is_some());
    let before = sent(3);
    let again = TakenUnits { units: before.taken.units + 1, ..before.taken };
    let after = RequestState { surplus: 1, inspection, taken: again, ..before.clone() };
    let now = RequestState { stage: Stage::ShipmentException, ..after.clone() };
    let back = now.take_back(&before, &after).unwrap().state;
    assert_eq!(back, RequestState { stage: Stage::ShipmentException, ..before });
}
