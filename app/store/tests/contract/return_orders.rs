//! Return orders with their shipments, timelines and events.

use crate::support::*;
use domain::{
    AccountId, EventId, ReturnOrderId, ReturnRequestId,
    party::Actor,
    returning::{ReturnOrderStatus, ShipmentStatus, TimelineEntry},
    stage::StageName,
    webhook::EventType,
};
use store::{events::Event, testing::Database, timeline::NewEntry};

store::on_each_database! {
    async fn a_return_order_is_found_unchanged_by_id_and_by_draft(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order.clone()));
        assert_eq!(look!(database, return_orders::find_by_draft, ours, order.draft_return_order_id), Some(order.clone()));
        assert_eq!(look!(database, return_orders::find, theirs, order.id), None);
        assert_eq!(look!(database, return_orders::find_by_draft, theirs, order.draft_return_order_id), None);
        assert!(look!(database, return_orders::has_any, ours));
        assert!(!look!(database, return_orders::has_any, theirs));
        let mut unsent = a_return_order(order.consumer_id, "R-2");
        unsent.shipping_option = None;
        assert!(keep!(database, return_orders::insert, ours, &unsent));
        assert_eq!(look!(database, return_orders::find, ours, unsent.id), Some(unsent));
    }

    async fn a_taken_number_inserts_nothing_and_leaves_the_transaction_usable(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = kept_return_order(&database, ours, "R-1").await;
        let mut second = a_return_order(first.consumer_id, "R-1");
        let mut writing = database.store.write().await.unwrap();
        assert!(!store::return_orders::insert(writing.db(), ours, &second).await.unwrap());
        second.number = "R-2".to_owned();
        assert!(store::return_orders::insert(writing.db(), ours, &second).await.unwrap());
        writing.commit().await.unwrap();
        assert_eq!(look!(database, return_orders::find, ours, second.id), Some(second));
        kept_return_order(&database, theirs, "R-1").await; // each account has its own numbers
    }

    async fn a_draft_becomes_one_return_order(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = kept_return_order(&database, ours, "R-1").await;
        let mut second = a_return_order(first.consumer_id, "R-2");
        second.draft_return_order_id = first.draft_return_order_id;
        assert!(try_keep!(database, return_orders::insert, ours, &second).is_err());
    }

    async fn an_update_needs_the_latest_version(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut order = kept_return_order(&database, ours, "R-1").await;
        order.status = ReturnOrderStatus::Cancelled;
        order.payment = Some(a_payment());
        order.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, return_orders::update, theirs, &order));
        assert!(keep!(database, return_orders::update, ours, &order));
        assert!(!keep!(database, return_orders::update, ours, &order), "the stored version is 2");
        order.version = 2;
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order));
    }

    async fn a_return_order_is_locked_in_its_own_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        assert_eq!(keep!(database, return_orders::lock, ours, order.id), Some(order.clone()));
        assert_eq!(keep!(database, return_orders::lock, theirs, order.id), None);
        assert_eq!(keep!(database, return_orders::lock, ours, ReturnOrderId(id())), None);
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order), "a lock changes nothing");
    }

    async fn shipments_are_listed_oldest_first_and_cancelled_together(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (order, other) = (kept_return_order(&database, ours, "R-1").await, kept_return_order(&database, ours, "R-2").await);
        let (first, mut second, elsewhere) = (a_shipment(&order, "1"), a_shipment(&order, "2"), a_shipment(&other, "3"));
        "NoService".clone_into(&mut second.error_code);
        for shipment in [&first, &second, &elsewhere] {
            keep!(database, shipments::insert, ours, shipment);
        }
        assert_eq!(look!(database, shipments::list_of_return_orders, ours, &[order.id]), [first, second]);
        assert_eq!(look!(database, shipments::list_of_return_orders, theirs, &[order.id]), []);
        keep!(database, shipments::cancel_of_return_order, theirs, order.id, NOW);
        assert_eq!(look!(database, shipments::list_of_return_orders, ours, &[order.id])[0].status, ShipmentStatus::LabelCreated);
        keep!(database, shipments::cancel_of_return_order, ours, order.id, NOW.plus_seconds(1));
        keep!(database, shipments::cancel_of_return_order, ours, order.id, NOW.plus_seconds(2));
        for shipment in look!(database, shipments::list_of_return_orders, ours, &[order.id]) {
            assert_eq!((shipment.status, shipment.updated_at), (ShipmentStatus::Cancelled, NOW.plus_seconds(1)));
            assert_eq!(shipment.error_code, "");
        }
        assert_eq!(look!(database, shipments::list_of_return_orders, ours, &[other.id]), [elsewhere]);
    }

    async fn two_shipments_of_an_account_cannot_have_one_number(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            let order = kept_return_order(&database, account, "R-1").await;
            keep!(database, shipments::insert, account, &a_shipment(&order, "1"));
            assert!(try_keep!(database, shipments::insert, account, &a_shipment(&order, "1")).is_err());
        }
    }

    async fn the_timeline_is_in_the_order_of_the_writes(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let request = a_return_request(&order, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        // All at one moment, and one even earlier, as by another clock: the order of the writes counts.
        let entries = [
            entry(request.id, 9, Actor::Consumer, None, StageName::RequestedApproved),
            entry(request.id, 9, Actor::System, Some(StageName::RequestedApproved), StageName::SubmittedLabelPending),
            entry(request.id, 5, Actor::Merchant, Some(StageName::SubmittedLabelPending), StageName::SubmittedReady),
        ];
        let new = |entry: &TimelineEntry| NewEntry { account_id: ours, return_order_id: order.id, entry: entry.clone() };
        let mut writing = database.store.write().await.unwrap();
        for entry in &entries {
            writing.add_timeline_entry(new(entry));
        }
        writing.commit().await.unwrap();
        let [first, second, third] = entries;
        let third = TimelineEntry { at: second.at, ..third };
        assert_eq!(look!(database, timeline::list_of_return_order, ours, order.id), [first, second, third]);
        assert_eq!(look!(database, timeline::list_of_return_order, theirs, order.id), []);
        assert_eq!(look!(database, timeline::list_of_return_order, ours, ReturnOrderId(id())), []);
        let of_no_request = entry(ReturnRequestId(id()), 1, Actor::System, None, StageName::RequestedReview);
        let mut writing = database.store.write().await.unwrap();
        writing.add_timeline_entry(new(&of_no_request));
        assert!(writing.commit().await.is_err());
    }

    async fn events_are_counted_by_type_in_their_own_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut writing = database.store.write().await.unwrap();
        for kind in [EventType::ReturnOrderCreated, EventType::StageChanged, EventType::StageChanged] {
            writing.publish(event(ours, kind));
        }
        writing.commit().await.unwrap();
        let mut undone = database.store.write().await.unwrap();
        undone.publish(event(ours, EventType::ReturnOrderCreated));
        drop(undone);
        let counted = look!(database, events::count_by_type, ours);
        assert_eq!(counted, [("return_order.created".to_owned(), 1), ("return_request.stage_changed".to_owned(), 2)]);
        assert_eq!(look!(database, events::count_by_type, theirs), []);
    }
}

fn entry(request: ReturnRequestId, second: i64, actor: Actor, from: Option<StageName>, to: StageName) -> TimelineEntry {
    TimelineEntry {
        return_request_id: request,
        at: NOW.plus_seconds(second),
        actor,
        actor_id: None,
        from,
        to,
        comment: "because".to_owned(),
    }
}

fn event(account_id: AccountId, kind: EventType) -> Event {
    let (id, return_order_id) = (EventId(id()), ReturnOrderId(id()));
    Event { id, account_id, kind, stage: None, return_order_id, data: "{}".to_owned(), created_at: NOW }
}
