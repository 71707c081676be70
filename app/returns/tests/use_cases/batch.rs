//! Many moves in one call, and two people who decide about the same return.

use crate::{
    handling::{agent, careful, once},
    progress::{because, to},
    race::{Work, at_once},
    shop::{Shop, fields, fresh, refusal, sent},
};
use domain::{RefusalCode, ReturnOrderId, ReturnRequestId, policy::Policy, stage::StageName as N};
use returns::{
    BatchMove, Done, ErrorCode, StatusUpdate,
    view::{BatchOutcome as Outcome, BatchResults},
};
use serde_json::json;
use store::testing::Database;

/// Races of two people in each test. `RETOUR_RACES=1000 make test T=two_people` runs more.
const FEW_RACES: u32 = 12;

fn approve(id: ReturnRequestId) -> BatchMove {
    BatchMove { id, update: StatusUpdate { from_stage: Some(N::RequestedReview), ..to(N::RequestedApproved) } }
}

fn reject(id: ReturnRequestId) -> BatchMove {
    BatchMove {
        id,
        update: StatusUpdate { from_stage: Some(N::RequestedReview), ..because(N::RequestedRejected, "Worn") },
    }
}

/// Returns that wait for a decision, with their only requests.
async fn waiting(shop: &Shop, count: usize) -> Vec<(ReturnOrderId, ReturnRequestId)> {
    let customer = shop.sell("1001", &vec![(1, 1_000); count]).await;
    let mut all = Vec::new();
    for place in 0..count {
        let order = customer.send_back(&[(place, 1)]).await.id;
        all.push((order, shop.whole(order).await.return_requests.unwrap()[0].id));
    }
    all
}

fn outcomes(results: &BatchResults) -> Vec<Outcome> {
    results.results.iter().map(|result| result.outcome).collect()
}

store::on_each_database! {
    async fn each_move_of_a_batch_has_its_own_result(database: Database) {
        let shop = careful(&database).await;
        let returns = waiting(&shop, 5).await;
        let ids: Vec<ReturnRequestId> = returns.iter().map(|(_, id)| *id).collect();
        shop.advance(ids[1], because(N::RequestedRejected, "Worn")).await;
        let left_out = sent(json!({"leaveOutOfBulk": true}));
        shop.retour.merchant(&shop.staff).change_return_order(returns[2].0, left_out, None, None).await.unwrap();
        let silent = BatchMove { id: ids[3], update: StatusUpdate { from_stage: Some(N::RequestedReview), ..to(N::RequestedRejected) } };
        let unknown = ReturnRequestId(returns[0].0.0);
        let impossible = BatchMove { id: ids[4], update: StatusUpdate { from_stage: Some(N::RequestedReview), ..to(N::ResolutionCompleted) } };
        let moves = vec![approve(ids[0]), approve(ids[1]), approve(ids[2]), silent, approve(unknown), impossible];
        let answer = fresh(shop.retour.merchant(&shop.staff).update_many(moves, None).await.unwrap(), 200);
        let expected = [Outcome::Done, Outcome::Conflict, Outcome::LeftOut, Outcome::Invalid, Outcome::NotFound, Outcome::Refused];
        assert_eq!((outcomes(&answer).as_slice(), answer.done, answer.failed), (expected.as_slice(), 1, 5));
        assert_eq!(answer.results[0].stage, Some(N::SubmittedReady));
        assert_eq!(answer.results[1].code, Some(RefusalCode::StageConflict));
        assert_eq!(answer.results[3].details[0].field, "comment");
        assert!(answer.results[1..].iter().all(|result| result.message.is_some() && result.stage.is_none()));
        let stages = database.texts("SELECT stage FROM return_requests ORDER BY seq").await;
        assert_eq!(stages, ["Submitted: Ready", "Requested: Rejected", "Requested: Review", "Requested: Review", "Requested: Review"]);
    }

    async fn a_batch_has_1_to_100_moves_of_different_requests(database: Database) {
        let shop = careful(&database).await;
        let id = waiting(&shop, 1).await[0].1;
        let handle = shop.retour.merchant(&shop.staff);
        assert_eq!(fields(handle.update_many(Vec::new(), None).await), ["moves"]);
        assert_eq!(fields(handle.update_many(vec![approve(id), reject(id)], None).await), ["moves[1].id"]);
        let many = (0..101).map(|number| approve(ReturnRequestId(uuid::Uuid::from_u128(number)))).collect();
        assert_eq!(fields(handle.update_many(many, None).await), ["moves"]);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let theirs = fresh(other.retour.merchant(&other.staff).update_many(vec![approve(id)], None).await.unwrap(), 200);
        assert_eq!(outcomes(&theirs), [Outcome::NotFound]);
    }

    async fn a_repeated_batch_makes_each_move_once_even_if_it_ended_half_way(database: Database) {
        let shop = careful(&database).await;
        let ids: Vec<ReturnRequestId> = waiting(&shop, 4).await.into_iter().map(|(_, id)| id).collect();
        let all = || ids.iter().map(|id| approve(*id)).collect::<Vec<_>>();
        let handle = shop.retour.merchant(&shop.staff);
        let first = fresh(handle.update_many(all(), once("1")).await.unwrap(), 200);
        assert_eq!(first.done, 4);
        let Done::Replayed(again) = handle.update_many(all(), once("1")).await.unwrap() else { panic!("a stored answer") };
        assert_eq!(again.body, serde_json::to_string(&first).unwrap());
        // As if the instance had died before it stored the answer of the whole, and after two of the moves.
        database.run("DELETE FROM idempotency_keys WHERE key = '1' OR key LIKE '2/%' OR key LIKE '3/%'").await;
        let resumed = fresh(handle.update_many(all(), once("1")).await.unwrap(), 200);
        assert_eq!(outcomes(&resumed), [Outcome::Done, Outcome::Done, Outcome::Conflict, Outcome::Conflict]);
        let approvals = "SELECT COUNT(*) FROM timeline_entries WHERE to_stage = 'Requested: Approved'";
        assert_eq!(database.number(approvals).await, 4, "no move was made twice");
        let other = vec![reject(ids[0])];
        let reused = once("1").map(|key| returns::IdempotencyKey { fingerprint: b"another request".to_vec(), ..key });
        assert_eq!(refusal(handle.update_many(other, reused).await), ErrorCode::IdempotencyKeyReused);
    }

    async fn of_two_people_who_decide_at_once_one_succeeds(database: Database) {
        let races = std::env::var("RETOUR_RACES").map_or(FEW_RACES, |races| races.parse().unwrap());
        let shop = careful(&database).await;
        let (_, ada) = agent(&shop, "ada@shop.example").await;
        let (_, grace) = agent(&shop, "grace@shop.example").await;
        for race in 0..races {
            let number = (2_000 + race).to_string();
            let customer = shop.sell(&number, &[(1, 1_000)]).await;
            let order = customer.send_back(&[(0, 1)]).await.id;
            let id = shop.whole(order).await.return_requests.unwrap()[0].id;
            // Both approve, or one approves and one rejects.
            let second = if race % 2 == 0 { approve(id) } else { reject(id) };
            let work = [(ada, approve(id)), (grace, second)].map(|(staff, one)| {
                let (retour, id) = (shop.retour.clone(), one.id);
                let work: Work<_> = Box::pin(async move { retour.merchant(&staff).update_status(id, one.update, None).await });
                work
            });
            let outcomes = at_once(work.into()).await;
            let conflict = ErrorCode::Refused(RefusalCode::StageConflict);
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "race {race}: {outcomes:?}");
            assert!(outcomes.iter().all(|outcome| outcome.as_ref().map_or_else(|error| error.code() == conflict, |_| true)));
            let entries = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
            let decisions = entries.iter().filter(|entry| entry.from_stage == Some(N::RequestedReview)).count();
            assert_eq!(decisions, 1, "race {race}");
        }
        let races = i64::from(races);
        assert_eq!(database.number("SELECT COUNT(*) FROM timeline_entries WHERE from_stage = 'Requested: Review'").await, races);
        let approved = database.number("SELECT COUNT(*) FROM timeline_entries WHERE to_stage = 'Requested: Approved'").await;
        assert_eq!(database.rows("shipments").await, approved, "one shipment for each approval");
    }
}
