//! Every stage that a request enters has a timeline entry and an event, in order.

use crate::shop::{Customer, EMAIL, NOW, Shop, fresh, refusal};
use domain::{
    RefusalCode, ReturnOrderId, ReturnRequestId,
    party::Actor,
    policy::{Policy, ResolveOn},
    stage::StageName,
};
use returns::{ErrorCode, Expand, LabelFormat, view::TimelineEntryView};
use serde_json::Value;
use store::testing::Database;

use StageName::{
    ClosedCancelled, RequestedApproved, RequestedReview, ResolutionApproved, ResolutionPending, SubmittedLabelPending,
    SubmittedReady,
};

async fn timeline(customer: &Customer, order: ReturnOrderId) -> Vec<TimelineEntryView> {
    customer.retour.consumer(&customer.shopper).timeline(order).await.unwrap()
}

fn stages(entries: &[TimelineEntryView], request: ReturnRequestId) -> Vec<(Option<StageName>, StageName, Actor)> {
    let own = entries.iter().filter(|entry| entry.return_request_id == request);
    own.map(|entry| (entry.from_stage, entry.to_stage, entry.actor)).collect()
}

async fn requests(customer: &Customer, order: ReturnOrderId) -> Vec<ReturnRequestId> {
    let shown =
        customer.retour.consumer(&customer.shopper).return_order(order, &[Expand::ReturnRequests]).await.unwrap();
    shown.return_requests.unwrap().iter().map(|request| request.id).collect()
}

/// The events, oldest first: type and data.
async fn events(database: &Database) -> Vec<(String, Value)> {
    let kinds = database.texts("SELECT type FROM events ORDER BY seq").await;
    let data = database.texts("SELECT data FROM events ORDER BY seq").await;
    kinds.into_iter().zip(data).map(|(kind, data)| (kind, serde_json::from_str(&data).unwrap())).collect()
}

store::on_each_database! {
    async fn every_stage_has_its_entry_and_its_event_in_order(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 999), (1, 500)]).await;
        let order = customer.send_back(&[(0, 2), (1, 1)]).await.id;
        shop.source.set(NOW.plus_hours(1));
        fresh(customer.cancel(order).await.unwrap(), 200);
        let (entries, recorded) = (timeline(&customer, order).await, events(&database).await);
        let way = [
            (None, RequestedApproved, Actor::Consumer),
            (Some(RequestedApproved), SubmittedLabelPending, Actor::System),
            (Some(SubmittedLabelPending), SubmittedReady, Actor::System),
            (Some(SubmittedReady), ClosedCancelled, Actor::Consumer),
        ];
        assert_eq!(entries.len(), 8);
        for request in requests(&customer, order).await {
            assert_eq!(stages(&entries, request), way);
            let changes = recorded.iter().filter(|(kind, data)| kind == "return_request.stage_changed" && data["id"] == request.to_string());
            let changes: Vec<_> = changes.map(|(_, data)| (data["previousStage"].clone(), data["stage"].clone())).collect();
            let expected = way.map(|(from, to, _)| (from.map_or(Value::Null, |from| from.as_str().into()), Value::from(to.as_str())));
            assert_eq!(changes, expected);
        }
        let whose = recorded.iter().map(|(_, data)| if data["consumerId"].is_null() { &data["returnOrder"] } else { data });
        assert!(whose.into_iter().all(|data| data["consumerId"]["email"] == EMAIL), "each event contains the consumer");
        assert!(entries.iter().take(6).all(|entry| entry.at == NOW) && entries.iter().skip(6).all(|entry| entry.at == NOW.plus_hours(1)));
        let once: Vec<_> = recorded.iter().map(|(kind, _)| kind.as_str()).filter(|kind| *kind != "return_request.stage_changed").collect();
        assert_eq!(once, ["return_order.created", "return_order.confirmed", "shipment.label_created", "return_order.cancelled"]);
    }

    async fn a_stage_that_is_passed_at_once_has_an_event_too(database: Database) {
        let policy = Policy { resolve_on: ResolveOn::Submission, ..Policy::default() };
        let shop = Shop::open_with(&database, "early", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 999)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let entries = timeline(&customer, order).await;
        let way: Vec<_> = entries.iter().map(|entry| (entry.from_stage, entry.to_stage)).collect();
        let expected = [
            (None, RequestedApproved),
            (Some(RequestedApproved), ResolutionPending),
            (Some(ResolutionPending), ResolutionApproved),
        ];
        assert_eq!(way, expected);
        let before = events(&database).await;
        assert_eq!(before.iter().filter(|(kind, _)| kind == "return_request.stage_changed").count(), 3);
        assert_eq!(refusal(customer.cancel(order).await), ErrorCode::Refused(RefusalCode::NotCancellable));
        assert_eq!(events(&database).await.len(), before.len());
    }

    async fn a_return_that_needs_review_waits_and_is_not_confirmed(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(1, 999)]).await;
        let order = customer.send_back(&[(0, 1)]).await;
        assert_eq!(order.status, domain::returning::ReturnOrderStatus::Requested);
        let way: Vec<_> = timeline(&customer, order.id).await.iter().map(|entry| entry.to_stage).collect();
        assert_eq!(way, [RequestedReview]);
        let kinds: Vec<_> = events(&database).await.into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, ["return_request.stage_changed", "return_order.created"]);
        assert_eq!(database.rows("shipments").await, 0);
        assert_eq!(refusal(shop.retour.consumer(&customer.shopper).label(order.id, None, &[LabelFormat::Pdf]).await), ErrorCode::NotFound);
    }

    async fn a_second_cancellation_creates_no_events(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 999)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let first = fresh(customer.cancel(order).await.unwrap(), 200);
        let before = (events(&database).await, database.rows("timeline_entries").await);
        let second = fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!((events(&database).await, database.rows("timeline_entries").await), before);
        assert_eq!((first.version, first.status), (second.version, second.status));
        assert!(!shop.retour.consumer(&customer.shopper).can_cancel(order).await.unwrap());
        assert_eq!(refusal(shop.retour.consumer(&customer.shopper).label(order, None, &[LabelFormat::Pdf]).await), ErrorCode::NotFound, "its label is void");
    }

    async fn the_answer_equals_the_stored_return(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 999)]).await;
        let submitted = customer.send_back(&[(0, 1)]).await;
        let json = |order: &returns::view::ReturnOrderView| serde_json::to_value(order).unwrap();
        let kept = shop.retour.consumer(&customer.shopper).return_order(submitted.id, &[]).await.unwrap();
        assert_eq!(json(&submitted), json(&kept));
        let cancelled = fresh(customer.cancel(submitted.id).await.unwrap(), 200);
        let kept = shop.retour.merchant(&shop.staff).return_order(submitted.id, &[]).await.unwrap();
        assert_eq!(json(&cancelled), json(&kept));
    }

    async fn timestamps_stay_in_order_when_the_clock_steps_back(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 999), (1, 500)]).await;
        shop.source.set(NOW.plus_hours(1));
        let order = customer.send_back(&[(0, 2), (1, 1)]).await.id;
        shop.source.set(NOW);
        fresh(customer.cancel(order).await.unwrap(), 200);
        let entries = timeline(&customer, order).await;
        assert!(entries.is_sorted_by_key(|entry| entry.at), "{entries:?}");
        let times = "SELECT CAST(created_at AS TEXT) FROM events ORDER BY seq";
        let times: Vec<i64> = database.texts(times).await.iter().map(|at| at.parse().unwrap()).collect();
        assert!(times.is_sorted() && times.len() > 9, "{times:?}");
        assert!(times.iter().all(|at| *at == NOW.plus_hours(1).micros()), "{times:?}");
    }
}
