//! Random moves under random policies, for several requests of one purchase.

use super::*;
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

/// A move, mostly one that changes something, so that walks get far.
fn any_move(request: &RequestState, pick: usize, count: u32, purchase: Units) -> Move {
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
                .apply(mv, &StageContext { policy: &context, zone: &TimeZone::UTC, now: LATER })
                .is_ok_and(|step| !step.repeated)
        })
        .cloned()
        .collect();
    let from = if pick.is_multiple_of(4) || likely.is_empty() { all } else { likely };
    from[pick / 4 % from.len()].clone()
}

/// A moment after every deadline.
const LATER: Timestamp = Timestamp::from_seconds(2_000_000_000);

/// Writes a step as the store does, with the store's guard.
fn write(purchase: &mut Units, step: &Step) {
    assert!(step.taken.units <= purchase.returnable(), "took more than there was");
    purchase.taken = purchase.taken + step.taken.units - step.freed.units;
    purchase.taken_remainder_units =
        purchase.taken_remainder_units + step.taken.remainder_units - step.freed.remainder_units;
    purchase.settled += step.settled;
    assert!(purchase.taken <= purchase.bought && purchase.taken_remainder_units <= purchase.remainder_units());
    assert!(purchase.settled <= purchase.taken);
}

/// Checks that each stage follows from the one before, that ends stay ends, and that nothing is refunded twice or too
/// much.
fn check(before: &RequestState, mv: &Move, step: &Step) {
    let mut last = before.stage.name();
    for stage in &step.entered {
        assert!(last.next().contains(&stage.name()), "{last} does not lead to {}", stage.name());
        last = stage.name();
    }
    let after = &step.state;
    assert_eq!(after.stage.name(), last);
    assert!(!step.repeated || (after == before && step.settled == 0 && step.freed.units == 0));
    if before.stage.name().is_end() && !step.entered.is_empty() {
        assert!(matches!(mv, Move::Receive { .. } | Move::ReopenResolution { .. }), "{mv:?} revived an end");
    }
    assert!(after.refundable_units() <= after.quantity.min(after.taken.units));
    assert!(after.received <= after.quantity && after.taken.remainder_units <= after.taken.units);
    assert_eq!(before.taken.units + step.taken.units, after.taken.units + step.freed.units);
    assert_eq!(
        before.taken.remainder_units + step.taken.remainder_units,
        after.taken.remainder_units + step.freed.remainder_units
    );
    if before.approved_units.is_some() {
        assert_eq!(before.approved_units, after.approved_units, "what was approved is fixed");
    }
    assert!(step.settled == 0 || after.stage.name() == N::ResolutionCompleted);
    let text = serde_json::to_string(after).unwrap();
    assert_eq!(serde_json::from_str::<RequestState>(&text).unwrap(), *after);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_walk_leaves_the_table_or_loses_a_unit(
        bought in 1_u32..8,
        total in 0_i64..10_000,
        policies in prop::collection::vec(any_policy(), 1..3),
        walk in prop::collection::vec((0_usize..6, any::<usize>(), 0_u32..5), 0..120),
    ) {
        let mut purchase = Units { bought, fulfilled: bought, total, ..PURCHASE };
        let mut requests: Vec<RequestState> = Vec::new();
        for (turn, (who, pick, count)) in walk.into_iter().enumerate() {
            // The merchant changes the policy from time to time.
            let policy = &policies[turn / 40 % policies.len()];
            let context = StageContext { policy, zone: &TimeZone::UTC, now: LATER };
            let Some(request) = requests.get_mut(who) else {
                let Some(taken) = purchase.take(count) else { continue };
                let (kept, by_merchant) = (pick.is_multiple_of(5), pick.is_multiple_of(3));
                let submission = Submission { taken, kept, held: false, by_merchant, has_evidence: pick.is_multiple_of(2), review: None };
                let evidence = if pick.is_multiple_of(7) { EvidenceRule::Required } else { EvidenceRule::None };
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
            prop_assert_eq!(requests.iter().map(|request| request.taken.remainder_units).sum::<u32>(), purchase.taken_remainder_units);
            let settled = requests.iter().filter(|request| request.stage.name() == N::ResolutionCompleted);
            prop_assert_eq!(settled.map(RequestState::refundable_units).sum::<u32>(), purchase.settled);
        }
    }
}
