//! Random moves under random policies, several requests of one purchase at a time.

use super::*;
use crate::{
    ReturnOrderId, ShipmentId,
    carrier::ParcelLabel,
    policy::Address,
    returning::{Shipment, TrackingUpdate},
    status::ShipmentStatus,
};
use proptest::prelude::*;

fn any_policy() -> impl Strategy<Value = Policy> {
    let resolve_on = prop_oneof![
        Just(ResolveOn::Submission),
        Just(ResolveOn::FirstScan),
        Just(ResolveOn::Delivery),
        Just(ResolveOn::Receipt),
        Just(ResolveOn::Inspection),
    ];
    (resolve_on, any::<bool>(), any::<bool>()).prop_map(|(resolve_on, auto_resolve, auto_approve)| Policy {
        auto_approve,
        ..policy(resolve_on, auto_resolve)
    })
}

/// A move: mostly one that is likely to do something, so that walks come far.
fn any_move(request: &Request, pick: usize, count: u32, purchase: Units) -> Move {
    let mut all: Vec<Move> = moves().into_iter().map(|(_, mv)| mv).collect();
    let refused = count.min(request.received);
    let inspection =
        Inspection { accepted: request.received - refused, refused, condition: None, disposition: None, note: None };
    for mv in &mut all {
        match mv {
            Move::Receive { units, .. } => *mv = Move::Receive { units: (*units).min(count.max(1)), purchase },
            Move::Inspect(_) => *mv = Move::Inspect(inspection.clone()),
            _ => {}
        }
    }
    let context = Policy::default();
    let likely: Vec<Move> = all
        .iter()
        .filter(|mv| {
            request
                .apply(mv, &Context { policy: &context, zone: &crate::TimeZone::UTC, now: LATER })
                .is_ok_and(|step| !step.repeated)
        })
        .cloned()
        .collect();
    let from = if pick.is_multiple_of(4) || likely.is_empty() { all } else { likely };
    from[pick / 4 % from.len()].clone()
}

/// After every deadline.
const LATER: Timestamp = Timestamp::from_seconds(2_000_000_000);

/// What the store does with a step, as its own guard would.
fn write(purchase: &mut Units, step: &Step) {
    assert!(step.taken.units <= purchase.returnable(), "took more than there was");
    purchase.taken = purchase.taken + step.taken.units - step.freed.units;
    purchase.taken_dear = purchase.taken_dear + step.taken.dear - step.freed.dear;
    purchase.settled += step.settled;
    assert!(purchase.taken <= purchase.bought && purchase.taken_dear <= purchase.dear());
    assert!(purchase.settled <= purchase.taken);
}

/// Every stage entered follows from the one before; ends stay ends; nothing is refunded twice or too much.
fn check(before: &Request, mv: &Move, step: &Step) {
    let mut last = before.stage.name();
    for stage in &step.entered {
        assert!(last.next().contains(&stage.name()), "{last} does not lead to {}", stage.name());
        last = stage.name();
    }
    let after = &step.state;
    assert_eq!(after.stage.name(), last);
    assert!(!step.repeated || (after == before && step.settled == 0 && step.freed.units == 0));
    if before.stage.name().is_end() && !step.entered.is_empty() {
        assert!(matches!(mv, Move::Receive { .. } | Move::ReopenResolution { .. }), "{mv:?} woke an end");
    }
    assert!(after.refundable_units() <= after.quantity.min(after.taken.units));
    assert!(after.received <= after.quantity && after.taken.dear <= after.taken.units);
    assert_eq!(before.taken.units + step.taken.units, after.taken.units + step.freed.units);
    assert_eq!(before.taken.dear + step.taken.dear, after.taken.dear + step.freed.dear);
    if before.approved_units.is_some() {
        assert_eq!(before.approved_units, after.approved_units, "what was approved is fixed");
    }
    assert!(step.settled == 0 || after.stage.name() == N::ResolutionCompleted);
    let text = serde_json::to_string(after).unwrap();
    assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), *after);
}

/// A parcel of which nothing was reported yet.
fn parcel() -> Shipment {
    Shipment {
        id: ShipmentId(uuid::Uuid::nil()),
        return_order_id: ReturnOrderId(uuid::Uuid::nil()),
        contents: None,
        status: ShipmentStatus::LabelCreated,
        sscc: String::new(),
        label: ParcelLabel::Own,
        label_barcode: String::new(),
        sender: Address::default(),
        receiver: Address::default(),
        carrier: String::new(),
        tracking_number: String::new(),
        tracking_url: String::new(),
        error_code: String::new(),
        error_message: String::new(),
        failed_attempts: 0,
        next_attempt_at: None,
        tracking: Vec::new(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// What becomes of a parcel and of what is in it when reports come in this order.
fn tracked(reports: &[TrackingUpdate], policy: &Policy) -> (Shipment, Request) {
    let (mut shipment, mut request) = (parcel(), at(Stage::SubmittedReady { expires: None }));
    for report in reports {
        if let Some(mv) = shipment.record(report.clone()) {
            request = apply(&request, &mv, policy).unwrap().state;
        }
    }
    (shipment, request)
}

#[test]
fn a_report_is_late_only_behind_a_later_one() {
    let report = |explanation: &str, second| TrackingUpdate {
        status: Scan::InTransit,
        explanation: explanation.to_owned(),
        happened_at: NOW.plus_seconds(second),
    };
    let mut parcel = parcel();
    assert_eq!(parcel.record(report("collected", 1)), Some(Move::Track(Scan::InTransit)));
    assert_eq!(parcel.record(report("sorted", 1)), Some(Move::Track(Scan::InTransit)), "at the same time");
    assert_eq!(parcel.record(report("sorted", 1)), None, "known already");
    assert_eq!(parcel.record(report("announced", 0)), Some(Move::TrackLate(Scan::InTransit)));
}

fn any_report() -> impl Strategy<Value = TrackingUpdate> {
    let scan = prop_oneof![Just(Scan::InTransit), Just(Scan::Exception), Just(Scan::Delivered)];
    (scan, 0_i64..4).prop_map(|(status, second)| TrackingUpdate {
        status,
        explanation: String::new(),
        happened_at: NOW.plus_seconds(second),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn reports_end_the_same_in_whichever_order_they_come(
        reports in prop::collection::vec(any_report(), 1..6).prop_shuffle(),
        policy in any_policy(),
    ) {
        let mut in_order = reports.clone();
        in_order.sort_by_key(TrackingUpdate::rank);
        in_order.dedup();
        let ((ours, request), (theirs, other)) = (tracked(&reports, &policy), tracked(&in_order, &policy));
        prop_assert_eq!(ours.status, theirs.status);
        prop_assert_eq!(ours.tracking.len(), theirs.tracking.len(), "each once");
        prop_assert_eq!(request, other);
        let delivered = reports.iter().any(|report| report.status == Scan::Delivered);
        prop_assert_eq!(ours.status == ShipmentStatus::Delivered, delivered, "nothing comes after the delivery");
    }

    #[test]
    fn no_walk_leaves_the_table_or_loses_a_unit(
        bought in 1_u32..8,
        total in 0_i64..10_000,
        policies in prop::collection::vec(any_policy(), 1..3),
        walk in prop::collection::vec((0_usize..6, any::<usize>(), 0_u32..5), 0..120),
    ) {
        let mut purchase = Units { bought, fulfilled: bought, total, ..PURCHASE };
        let mut requests: Vec<Request> = Vec::new();
        for (turn, (who, pick, count)) in walk.into_iter().enumerate() {
            // Now and then the merchant changes the rules.
            let policy = &policies[turn / 40 % policies.len()];
            let context = Context { policy, zone: &crate::TimeZone::UTC, now: LATER };
            let Some(request) = requests.get_mut(who) else {
                let Some(taken) = purchase.take(count) else { continue };
                let (kept, by_merchant) = (pick.is_multiple_of(5), pick.is_multiple_of(3));
                let submission = Submission { taken, kept, by_merchant, has_evidence: pick.is_multiple_of(2), review: None };
                let evidence = if pick.is_multiple_of(7) { Evidence::Required } else { Evidence::None };
                let step = submit(submission, &ReasonRules { evidence, ..ReasonRules::default() }, &context);
                write(&mut purchase, &step);
                requests.push(step.state);
                continue;
            };
            let mv = any_move(request, pick, count, purchase);
            if let Ok(step) = request.apply(&mv, &context) {
                check(request, &mv, &step);
                write(&mut purchase, &step);
                *request = step.state;
            }
            prop_assert_eq!(requests.iter().map(|request| request.taken.units).sum::<u32>(), purchase.taken);
            prop_assert_eq!(requests.iter().map(|request| request.taken.dear).sum::<u32>(), purchase.taken_dear);
            let settled = requests.iter().filter(|request| request.stage.name() == N::ResolutionCompleted);
            prop_assert_eq!(settled.map(Request::refundable_units).sum::<u32>(), purchase.settled);
        }
    }
}
