//! Changes of many return requests, which run in steps and survive the end of their instance.

use crate::{
    handling::{agent, careful, once},
    progress::{because, returned},
    shop::{NOW, Shop, fields, fresh, refusal, sent},
};
use domain::{
    BulkRunId, RefusalCode, ReturnOrderId, ReturnRequestId, ServiceUserId,
    policy::Policy,
    returning::{BulkAction, BulkItem, ShipmentStatus},
    stage::StageName as N,
};
use returns::{
    BulkQuestion, Done, ErrorCode, NewBulkRun, Role, Scope, ServiceUserChange, Staff, UserChange,
    view::{BatchOutcome as Outcome, BulkObstacle as Obstacle, BulkRun},
};
use serde_json::json;
use std::time::Duration;
use store::testing::Database;

/// Times to look at a run that continues in the background.
const LOOKS: u32 = 500;

fn run(action: BulkAction, ids: &[ReturnRequestId], from_stage: N) -> NewBulkRun {
    let items = ids.iter().map(|id| BulkItem { return_request_id: *id, from_stage }).collect();
    let none = String::new;
    NewBulkRun { action, items, comment: none(), assignee_id: None, flag: none(), note: none() }
}

impl Shop {
    async fn start(&self, staff: &Staff, new: NewBulkRun) -> BulkRun {
        let begun = fresh(Box::pin(self.retour.merchant(staff).create_bulk_run(new, None)).await.unwrap(), 201);
        assert_eq!((begun.done, begun.results.as_deref()), (0, Some(&[][..])), "the answer is the run as it begins");
        self.retour.merchant(staff).bulk_run(begun.id).await.unwrap()
    }

    async fn obstacles(&self, staff: &Staff, action: BulkAction, ids: &[ReturnRequestId]) -> Vec<Option<Obstacle>> {
        let question = BulkQuestion { action, return_request_ids: ids.to_vec() };
        let plan = self.retour.merchant(staff).plan_bulk_run(question).await.unwrap().data;
        plan.into_iter().map(|item| item.obstacle).collect()
    }

    async fn stage_of(&self, id: ReturnRequestId) -> N {
        self.retour.merchant(&self.staff).return_request(id, &[]).await.unwrap().stage
    }
}

fn outcomes(run: &BulkRun) -> Vec<Outcome> {
    run.results.iter().flatten().map(|result| result.outcome).collect()
}

/// Returns of one item each.
async fn waiting(shop: &Shop, count: usize) -> Vec<(ReturnOrderId, ReturnRequestId)> {
    let customer = shop.sell("1001", &vec![(1, 1_000); count]).await;
    let mut all = Vec::new();
    for place in 0..count {
        let (order, ids) = returned(shop, &customer, &[(place, 1)]).await;
        all.push((order, ids[0]));
    }
    all
}

fn ids(returns: &[(ReturnOrderId, ReturnRequestId)]) -> Vec<ReturnRequestId> {
    returns.iter().map(|(_, id)| *id).collect()
}

async fn leave_out(shop: &Shop, order: ReturnOrderId) {
    let change = sent(json!({"leaveOutOfBulk": true}));
    shop.retour.merchant(&shop.staff).change_return_order(order, change, None, None).await.unwrap();
}

store::on_each_database! {
    async fn a_plan_says_what_can_be_changed_and_why_not_the_rest(database: Database) {
        let policy = Policy { auto_approve: false, auto_resolve: false, agent_limit: sent(json!([{"value": "9.99", "currency": "EUR"}])), ..Policy::default() };
        let shop = Shop::open_with(&database, "careful", "EUR", policy).await;
        let returns = waiting(&shop, 4).await;
        let ids = ids(&returns);
        leave_out(&shop, returns[1].0).await;
        shop.advance(ids[2], because(N::RequestedRejected, "Worn")).await;
        shop.advance(ids[3], because(N::RequestedApproved, "")).await;
        let (_, ada) = agent(&shop, "ada@shop.example").await;
        let expected = [None, Some(Obstacle::LeftOut), Some(Obstacle::Stage), Some(Obstacle::Stage)];
        assert_eq!(shop.obstacles(&ada, BulkAction::Approve, &ids).await, expected);
        let counted = [Some(Obstacle::Stage), Some(Obstacle::LeftOut), Some(Obstacle::Stage), None];
        assert_eq!(shop.obstacles(&ada, BulkAction::CountAll, &ids).await, counted);
        shop.try_receive(ids[3], 1, None).await.unwrap();
        assert_eq!(shop.stage_of(ids[3]).await, N::ResolutionPending);
        assert_eq!(shop.obstacles(&ada, BulkAction::Approve, &ids[3..]).await, [Some(Obstacle::AgentLimit)]);
        assert_eq!(shop.obstacles(&shop.staff, BulkAction::Approve, &ids[3..]).await, [None]);
        let key = shop.retour.operator().create_service_user(shop.account.id, "3PL", &[Scope::Receive]).await.unwrap();
        let warehouse = shop.retour.caller(&key).await.unwrap().as_staff(Scope::Receive).unwrap();
        assert_eq!(shop.obstacles(&warehouse, BulkAction::Note, &ids[..1]).await, [Some(Obstacle::Forbidden)]);
        let question = BulkQuestion { action: BulkAction::Note, return_request_ids: ids.clone() };
        let unpriced = shop.retour.merchant(&warehouse).plan_bulk_run(question).await.unwrap().data;
        assert!(unpriced.iter().all(|item| item.value.is_none()));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(other.obstacles(&other.staff, BulkAction::Note, &ids).await, []);
        let none = BulkQuestion { action: BulkAction::Note, return_request_ids: Vec::new() };
        assert_eq!(fields(shop.retour.merchant(&shop.staff).plan_bulk_run(none).await), ["returnRequestIds"]);
    }

    async fn each_item_of_a_run_has_its_own_result(database: Database) {
        let shop = careful(&database).await;
        let returns = waiting(&shop, 4).await;
        let mut ids = ids(&returns);
        shop.advance(ids[1], because(N::RequestedApproved, "")).await;
        leave_out(&shop, returns[2].0).await;
        ids.push(ReturnRequestId(returns[0].0.0));
        let reject = NewBulkRun { comment: "Worn".to_owned(), ..run(BulkAction::Reject, &ids, N::RequestedReview) };
        let done = shop.start(&shop.staff, reject).await;
        let expected = [Outcome::Done, Outcome::Conflict, Outcome::LeftOut, Outcome::Done, Outcome::NotFound];
        assert_eq!((outcomes(&done).as_slice(), done.total, done.done, done.failed), (&expected[..], 5, 5, 3));
        assert!(!done.is_running && !done.can_continue);
        let results = done.results.unwrap();
        assert_eq!((results[1].return_request_id, results[1].code), (ids[1], Some(RefusalCode::StageConflict)));
        let entries = shop.retour.merchant(&shop.staff).timeline(ids[0]).await.unwrap();
        assert_eq!(entries.last().map(|entry| entry.comment.as_str()), Some("Worn"));
        let kept = database.texts("SELECT change FROM bulk_runs").await;
        assert!(!kept[0].contains("Worn"), "nobody needs the text any more");
        let listed = shop.retour.merchant(&shop.staff).bulk_runs().await.unwrap().data;
        assert_eq!((listed.len(), listed[0].id, &listed[0].results), (1, done.id, &None));
        let audited = database.texts("SELECT after FROM audit_entries WHERE action = 'bulk_run.created'").await;
        assert_eq!(audited, [r#"{"action":"Reject","items":5}"#]);
    }

    async fn staff_hand_on_flag_note_count_and_report_many_returns(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000), (2, 2_000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1), (1, 2)]).await;
        let (ada, as_ada) = agent(&shop, "ada@shop.example").await;
        let of = |action| run(action, &ids, N::SubmittedReady);
        let both = [Outcome::Done, Outcome::Done];
        let assign = NewBulkRun { assignee_id: Some(ada), ..of(BulkAction::Assign) };
        assert_eq!(outcomes(&shop.start(&as_ada, assign).await), both);
        let flag = || NewBulkRun { flag: " VIP ".to_owned(), ..of(BulkAction::Flag) };
        assert_eq!(outcomes(&shop.start(&as_ada, flag()).await), both);
        assert_eq!(outcomes(&shop.start(&as_ada, flag()).await), both, "a flag that is there stays");
        let note = NewBulkRun { note: "Called".to_owned(), ..of(BulkAction::Note) };
        assert_eq!(outcomes(&shop.start(&as_ada, note).await), both);
        let whole = shop.whole(order).await;
        assert_eq!((whole.assignee_id, whole.flags.as_slice()), (Some(ada), &["VIP".to_owned()][..]));
        let notes = shop.retour.merchant(&shop.staff).notes(order).await.unwrap();
        assert_eq!(notes.len(), 1, "a return order with two of the requests gets one note");
        assert_eq!(outcomes(&shop.start(&as_ada, of(BulkAction::ReportDelivered)).await), both);
        assert_eq!(shop.whole(order).await.shipments.unwrap()[0].status, ShipmentStatus::Delivered);
        let counted = shop.start(&as_ada, run(BulkAction::CountAll, &ids, N::ShipmentDelivered)).await;
        assert_eq!(outcomes(&counted), both);
        assert_eq!(database.number("SELECT CAST(SUM(units) AS BIGINT) FROM receipts").await, 3);
        let paid = shop.start(&shop.staff, run(BulkAction::Complete, &ids, N::ResolutionApproved)).await;
        assert_eq!(outcomes(&paid), both);
        assert_eq!(shop.stage_of(ids[0]).await, N::ResolutionCompleted);
        let full = sent(json!({"flags": ["a", "b", "c", "d", "e"]}));
        shop.retour.merchant(&shop.staff).change_return_order(order, full, None, None).await.unwrap();
        let refused = shop.start(&as_ada, flag()).await;
        assert_eq!(refused.results.unwrap()[0].code, Some(RefusalCode::LimitReached));
    }

    async fn a_run_that_ended_half_way_is_continued_and_changes_nothing_twice(database: Database) {
        let shop = careful(&database).await;
        let returns = waiting(&shop, 3).await;
        let ids = ids(&returns);
        let merchant = shop.retour.merchant(&shop.staff);
        let whole = shop.start(&shop.staff, run(BulkAction::Approve, &ids, N::RequestedReview)).await;
        let note = NewBulkRun { note: "Called".to_owned(), ..run(BulkAction::Note, &ids, N::RequestedReview) };
        let noted = shop.start(&shop.staff, note).await;
        // As if the instance had died after it changed the items, and before it recorded the step.
        database.run("UPDATE bulk_runs SET results = '[]', done = 0").await;
        let stopped = merchant.bulk_run(whole.id).await.unwrap();
        assert!(stopped.can_continue && !stopped.is_running && stopped.done == 0);
        for id in [whole.id, noted.id] {
            let resumed = merchant.continue_bulk_run(id).await.unwrap();
            assert_eq!((outcomes(&resumed).as_slice(), resumed.failed), (&[Outcome::Done; 3][..], 0));
        }
        let approvals = "SELECT COUNT(*) FROM timeline_entries WHERE to_stage = 'Requested: Approved'";
        assert_eq!(database.number(approvals).await, 3);
        assert_eq!(database.rows("return_order_notes").await, 3);
        // Another instance has the step.
        let leased = "UPDATE bulk_runs SET results = '[]', done = 0, leased_until = 9000000000000000";
        database.run(leased).await;
        let busy = merchant.continue_bulk_run(whole.id).await.unwrap();
        assert!(busy.is_running && busy.done == 0);
        database.run("UPDATE bulk_runs SET leased_until = 0").await;
        shop.source.set(NOW.plus_hours(23));
        assert!(!merchant.bulk_run(whole.id).await.unwrap().can_continue);
        assert_eq!(refusal(merchant.continue_bulk_run(whole.id).await), ErrorCode::Refused(RefusalCode::TooLate));
        shop.source.set(NOW.plus_days(8));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(database.rows("bulk_runs").await, 0);
    }

    async fn more_than_one_step_continues_in_the_background(database: Database) {
        let shop = careful(&database).await;
        let returns = waiting(&shop, 2).await;
        // Unknown requests are quick.
        let unknown = (1..=148_u128).map(|number| ReturnRequestId(uuid::Uuid::from_u128(number)));
        let all: Vec<_> = [returns[0].1].into_iter().chain(unknown).chain([returns[1].1]).collect();
        let first = shop.start(&shop.staff, run(BulkAction::Approve, &all, N::RequestedReview)).await;
        assert!(first.done >= 100, "two steps are made when the answer arrives");
        let mut seen = first;
        for _ in 0..LOOKS {
            if seen.done == seen.total {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            seen = shop.retour.merchant(&shop.staff).bulk_run(seen.id).await.unwrap();
        }
        assert_eq!((seen.total, seen.done, seen.failed), (150, 150, 148));
        assert_eq!(shop.stage_of(returns[1].1).await, N::SubmittedReady);
    }

    async fn a_run_belongs_to_the_person_who_started_it(database: Database) {
        let shop = careful(&database).await;
        let ids = ids(&waiting(&shop, 1).await);
        let ((_, ada), (_, grace)) = (agent(&shop, "ada@shop.example").await, agent(&shop, "grace@shop.example").await);
        let of_ada = shop.start(&ada, run(BulkAction::Approve, &ids, N::RequestedReview)).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        for staff in [&grace, &other.staff] {
            let merchant = shop.retour.merchant(staff);
            assert_eq!(refusal(merchant.bulk_run(of_ada.id).await), ErrorCode::NotFound);
            assert_eq!(refusal(merchant.continue_bulk_run(of_ada.id).await), ErrorCode::NotFound);
            assert_eq!(merchant.bulk_runs().await.unwrap().data, []);
        }
        let key = shop.retour.operator().create_service_user(shop.account.id, "3PL", &[Scope::Receive]).await.unwrap();
        let warehouse = shop.retour.caller(&key).await.unwrap().as_staff(Scope::Receive).unwrap();
        for action in [BulkAction::Approve, BulkAction::Complete, BulkAction::Assign] {
            let new = NewBulkRun { comment: "x".to_owned(), ..run(action, &ids, N::RequestedReview) };
            let refused = shop.retour.merchant(&warehouse).create_bulk_run(new, None).await;
            assert_eq!(refusal(refused), ErrorCode::Forbidden, "{action:?}");
        }
        let missing = BulkRunId(uuid::Uuid::from_u128(1));
        assert_eq!(refusal(shop.retour.merchant(&ada).bulk_run(missing).await), ErrorCode::NotFound);
    }

    async fn a_run_stops_when_its_owner_gets_another_role(database: Database) {
        let shop = careful(&database).await;
        let ids = ids(&waiting(&shop, 1).await);
        let (id, ada) = agent(&shop, "ada@shop.example").await;
        let begun = shop.start(&ada, run(BulkAction::Approve, &ids, N::RequestedReview)).await;
        assert_eq!(begun.done, 1);
        database.run("UPDATE bulk_runs SET results = '[]', done = 0").await;
        let change = UserChange { role: Some(Role::Viewer), ..UserChange::default() };
        shop.retour.merchant(&shop.staff).update_user(id, change, None).await.unwrap();
        let resumed = shop.retour.merchant(&ada).continue_bulk_run(begun.id).await.unwrap();
        assert_eq!((resumed.done, resumed.is_running), (0, false));
    }

    async fn a_run_stops_when_its_key_is_revoked_or_has_other_scopes(database: Database) {
        let shop = careful(&database).await;
        let ids = ids(&waiting(&shop, 1).await);
        let operator = shop.retour.operator();
        for is_revoked in [true, false] {
            let key = operator.create_service_user(shop.account.id, "ERP", &[Scope::Write]).await.unwrap();
            let erp = shop.retour.caller(&key).await.unwrap().as_staff(Scope::Write).unwrap();
            let note = NewBulkRun { note: "Called".to_owned(), ..run(BulkAction::Note, &ids, N::RequestedReview) };
            let begun = shop.start(&erp, note).await;
            assert_eq!(begun.done, 1);
            database.run("UPDATE bulk_runs SET results = '[]', done = 0").await;
            let id = ServiceUserId(erp.id());
            let merchant = shop.retour.merchant(&shop.staff);
            if is_revoked {
                merchant.revoke_service_user(id).await.unwrap();
            } else {
                let fewer = ServiceUserChange { scopes: Some(vec![Scope::Receive]), ..ServiceUserChange::default() };
                merchant.update_service_user(id, fewer, None).await.unwrap();
            }
            let resumed = shop.retour.merchant(&erp).continue_bulk_run(begun.id).await.unwrap();
            assert_eq!((resumed.done, resumed.is_running), (0, false), "revoked: {is_revoked}");
        }
    }

    async fn a_run_has_its_limits_and_a_repeated_request_starts_one(database: Database) {
        let shop = careful(&database).await;
        let id = waiting(&shop, 1).await[0].1;
        let merchant = shop.retour.merchant(&shop.staff);
        let of = |action| run(action, &[id], N::RequestedReview);
        let many: Vec<_> = (0..1_001).map(|number| ReturnRequestId(uuid::Uuid::from_u128(number))).collect();
        let someone = NewBulkRun { assignee_id: Some(sent(json!(shop.account.id.to_string()))), ..of(BulkAction::Assign) };
        for (new, field) in [
            (run(BulkAction::Approve, &[], N::RequestedReview), "items"),
            (run(BulkAction::Approve, &many, N::RequestedReview), "items"),
            (run(BulkAction::Approve, &[id, id], N::RequestedReview), "items[1].returnRequestId"),
            (of(BulkAction::Reject), "comment"),
            (of(BulkAction::Flag), "flag"),
            (NewBulkRun { note: " ".to_owned(), ..of(BulkAction::Note) }, "note"),
            (someone, "assigneeId"),
        ] {
            assert_eq!(fields(merchant.create_bulk_run(new, None).await), [field]);
        }
        let note = || NewBulkRun { note: "Called".to_owned(), ..of(BulkAction::Note) };
        let first = fresh(merchant.create_bulk_run(note(), once("1")).await.unwrap(), 201);
        let Done::Replayed(again) = merchant.create_bulk_run(note(), once("1")).await.unwrap() else { panic!("a stored answer") };
        assert_eq!(again.body, serde_json::to_string(&first).unwrap());
        assert_eq!((database.rows("bulk_runs").await, database.rows("return_order_notes").await), (1, 1));
    }
}
