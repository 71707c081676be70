//! Parcels with labels from a karrio server: labels of cancelled parcels are voided, other parcels are tracked until they
//! arrive.

use crate::{
    bridges::change_account,
    karrio_server::{Server, later, parcel, sent_back, work},
    shop::{NOW, Shop, fresh, refusal, sent},
    webhooks::Hooked,
};
use domain::{
    RefusalCode, ReturnOrderId,
    policy::Policy,
    returning::ShipmentStatus,
    stage::{Scan, StageName as N},
    webhook::EventType,
};
use returns::{ErrorCode, Listing, lists};
use serde_json::{Value, json};
use store::testing::Database;

/// A return with a label, and the label's tracking number.
async fn return_with_label(shop: &Shop, database: &Database, number: &str) -> (ReturnOrderId, String) {
    let (_, order) = sent_back(shop, number).await;
    work(shop, database).await;
    (order, parcel(shop, order).await.tracking_number.unwrap())
}

async fn cancel(shop: &Shop, order: ReturnOrderId) {
    fresh(shop.retour.merchant(&shop.staff).cancel_return_order(order, None).await.unwrap(), 200);
}

fn event(status: &str, hours: u32, description: &str) -> Value {
    let at = NOW.plus_hours(hours).to_string();
    json!({"date": at[..10], "time": at[11..16], "timestamp": at, "status": status, "description": description})
}

async fn seen(shop: &Shop, order: ReturnOrderId) -> Vec<(Scan, String)> {
    let updates = parcel(shop, order).await.tracking_updates;
    updates.into_iter().map(|update| (update.status, update.explanation)).collect()
}

async fn stage(shop: &Shop, order: ReturnOrderId) -> N {
    shop.whole(order).await.return_requests.unwrap()[0].stage
}

store::on_each_database! {
    async fn the_label_of_a_cancelled_return_is_voided_whatever_fails(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (first, _) = return_with_label(&shop, &database, "1").await;
        let (second, _) = return_with_label(&shop, &database, "2").await;
        let (_third, _) = return_with_label(&shop, &database, "3").await;
        karrio.next("cancel", "refuse", 1).await;
        karrio.next("cancel", "lose", 1).await;
        cancel(&shop, first).await;
        cancel(&shop, second).await;
        for seconds in [0, 30, 120] {
            later(&shop, &database, seconds).await;
        }
        let statuses: Vec<String> = karrio.shipments().await.into_iter().map(|(status, _)| status).collect();
        assert_eq!(statuses.iter().filter(|status| *status == "cancelled").count(), 2, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| *status == "created").count(), 1, "only the two cancelled labels are voided");
        let voided = parcel(&shop, first).await;
        assert_eq!((voided.status, voided.error_code, voided.label_url), (ShipmentStatus::Cancelled, None, None));
        assert_eq!(database.rows("parcel_tasks").await, 1, "the third parcel is tracked");
    }

    async fn a_label_made_after_the_cancellation_is_voided(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        karrio.next("purchase", "lose", 1).await;
        let (_, order) = sent_back(&shop, "1").await;
        work(&shop, &database).await;
        cancel(&shop, order).await;
        later(&shop, &database, 100).await;
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)], "the purchase may still be running");
        later(&shop, &database, 100).await;
        let shipments = karrio.shipments().await;
        assert_eq!(shipments, [("cancelled".to_owned(), 1)]);
        assert_eq!((database.rows("label_requests").await, database.rows("parcel_tasks").await), (0, 0));
    }

    async fn one_of_two_parcels_is_cancelled_and_voided_while_the_other_continues(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, _) = return_with_label(&shop, &database, "1").await;
        let add = || shop.retour.merchant(&shop.staff).add_parcel(order, sent(json!({})), None);
        let cancel = |id| shop.retour.merchant(&shop.staff).cancel_parcel(id, None);
        // The only usable label of a return cannot be cancelled.
        karrio.next("list", "fail", 1).await;
        let late = fresh(add().await.unwrap(), 201).id;
        work(&shop, &database).await;
        let first = shop.whole(order).await.shipments.unwrap()[0].id;
        assert_eq!(refusal(cancel(first).await), ErrorCode::Refused(RefusalCode::IllegalTransition));
        fresh(cancel(late).await.unwrap(), 200);
        // One parcel with a label, one that the carrier refuses, and one whose purchase got no answer.
        let second = fresh(add().await.unwrap(), 201).id;
        work(&shop, &database).await;
        karrio.next("draft", "refuse", 1).await;
        let refused = fresh(add().await.unwrap(), 201).id;
        work(&shop, &database).await;
        karrio.next("purchase", "lose", 1).await;
        let unheard = fresh(add().await.unwrap(), 201).id;
        work(&shop, &database).await;
        for parcel in [second, refused, unheard] {
            let void = fresh(cancel(parcel).await.unwrap(), 200);
            assert_eq!((void.status, void.error_code), (ShipmentStatus::Cancelled, None));
        }
        later(&shop, &database, 200).await;
        later(&shop, &database, 200).await;
        let mut statuses: Vec<String> = karrio.shipments().await.into_iter().map(|(status, _)| status).collect();
        statuses.sort();
        statuses.dedup();
        assert_eq!(statuses, ["cancelled", "created"]);
        assert_eq!(karrio.shipments().await.into_iter().filter(|(status, _)| status == "created").count(), 1);
        assert_eq!((stage(&shop, order).await, database.rows("label_requests").await), (N::SubmittedReady, 0));
        assert_eq!(database.rows("parcel_tasks").await, 1, "the first parcel is tracked");
    }

    async fn a_label_that_cannot_be_voided_is_shown_to_the_merchant(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = return_with_label(&shop, &database, "1").await;
        karrio.moves(&number, "in_transit", json!([event("in_transit", 0, "Sorted")])).await; // not polled yet
        cancel(&shop, order).await;
        work(&shop, &database).await;
        let parcel_now = parcel(&shop, order).await;
        assert_eq!((parcel_now.status, parcel_now.error_code.as_deref()), (ShipmentStatus::Cancelled, Some("LabelNotVoided")));
        assert!(parcel_now.error_message.is_some_and(|why| why.contains("can not be cancelled")));
        // The account makes its own labels now.
        let (order, _) = return_with_label(&shop, &database, "2").await;
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        cancel(&shop, order).await;
        work(&shop, &database).await;
        assert_eq!(parcel(&shop, order).await.error_code.as_deref(), Some("LabelNotVoided"));
        assert_eq!(database.rows("parcel_tasks").await, 0);
    }

    async fn a_label_that_the_server_cannot_void_for_three_days_is_shown_to_the_merchant(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, _) = return_with_label(&shop, &database, "1").await;
        karrio.next("cancel", "fail", 99).await;
        cancel(&shop, order).await;
        let began = shop.source.now();
        work(&shop, &database).await;
        while parcel(&shop, order).await.error_code.is_none() {
            assert!(shop.source.now() < began.plus_days(5), "retried without end");
            later(&shop, &database, 14_400).await;
        }
        assert!(shop.source.now() > began.plus_days(2), "given up too early");
        assert_eq!(parcel(&shop, order).await.error_code.as_deref(), Some("LabelNotVoided"));
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)]);
        let listing = Listing { conditions: vec![lists::SHIPMENTS.condition("errorCode:LabelNotVoided").unwrap()], ..Listing::newest(crate::shop::ALL) };
        assert_eq!(shop.retour.merchant(&shop.staff).shipments(&listing).await.unwrap().data.len(), 1);
        assert_eq!(database.rows("parcel_tasks").await, 0);
    }

    async fn after_a_month_a_parcel_is_polled_once_a_day(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        return_with_label(&shop, &database, "1").await;
        let polls = async || karrio.calls("track").await.len();
        later(&shop, &database, 29 * 86_400).await;
        later(&shop, &database, 7_200).await;
        assert_eq!(polls().await, 2, "every two hours");
        later(&shop, &database, 86_400).await;
        assert_eq!(polls().await, 3);
        later(&shop, &database, 86_399).await;
        assert_eq!(polls().await, 3, "once a day");
        later(&shop, &database, 1).await;
        assert_eq!(polls().await, 4);
    }

    async fn a_parcel_is_tracked_until_it_arrives(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = return_with_label(&shop, &database, "1").await;
        let [created, sorted, out] = [event("created", 0, "Shipment label created"), event("in_transit", 1, "Sorted"), event("out_for_delivery", 3, "With the driver")];
        // Carriers reuse numbers: events from before the label belong to another parcel.
        let before = json!({"date": "2026-02-01", "time": "12:00", "timestamp": null, "status": "delivered", "description": "Delivered"});
        karrio.moves(&number, "in_transit", json!([sorted, created, before])).await;
        work(&shop, &database).await;
        assert_eq!(seen(&shop, order).await, [], "the first poll is not due");
        later(&shop, &database, 3_600).await;
        assert_eq!(seen(&shop, order).await, [(Scan::InTransit, "Sorted".to_owned())]);
        assert_eq!(stage(&shop, order).await, N::ShipmentInTransit);
        // One repeated event, and one that arrives late.
        let late = event("on_hold", 2, "The lorry broke down");
        karrio.moves(&number, "out_for_delivery", json!([out, late])).await;
        later(&shop, &database, 7_199).await;
        assert_eq!(seen(&shop, order).await.len(), 1, "the next poll is not due");
        later(&shop, &database, 1).await;
        let texts: Vec<String> = seen(&shop, order).await.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["Sorted", "The lorry broke down", "With the driver"]);
        assert_eq!(stage(&shop, order).await, N::ShipmentInTransit);
        karrio.moves(&number, "delivered", json!([event("delivered", 5, "Delivered")])).await;
        later(&shop, &database, 7_200).await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.status), (N::ShipmentDelivered, ShipmentStatus::Delivered));
        assert_eq!(database.rows("parcel_tasks").await, 0, "nothing is left to poll");
        let hooked = Hooked { shop: shop.clone(), database: database.clone() };
        let kinds: Vec<EventType> = hooked.all_events().await.into_iter().map(|event| event.kind).collect();
        let count = |kind| kinds.iter().filter(|one| **one == kind).count();
        assert_eq!((count(EventType::TrackingUpdated), count(EventType::ShipmentDelivered)), (4, 1));
    }

    async fn a_notification_triggers_a_poll_and_proves_nothing_by_itself(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = return_with_label(&shop, &database, "1").await;
        let claims = |number: &str| json!({"event": "tracker_updated", "data": {"tracking_number": number, "status": "delivered", "delivered": true}}).to_string();
        // A forged notification: the parcel is polled, and has not moved.
        shop.source.set(NOW.plus_seconds(60));
        shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        work(&shop, &database).await;
        assert_eq!((karrio.calls("track").await.len(), stage(&shop, order).await), (1, N::SubmittedReady));
        // Notifications for another account, for unknown parcels, and without content.
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        shop.source.set(NOW.plus_seconds(120));
        shop.retour.karrio_notice(other.account.id, claims(&number).as_bytes()).await.unwrap();
        for body in [claims("another").as_str(), "{}", "[]", "", "{\"data\": {\"tracking_number\": 7}}", "{\"data\": {\"tracking_number\": \"a\\u0000b\"}}"] {
            shop.retour.karrio_notice(shop.account.id, body.as_bytes()).await.unwrap();
        }
        work(&shop, &database).await;
        assert_eq!(karrio.calls("track").await.len(), 1);
        karrio.moves(&number, "delivered", json!([event("delivered", 0, "Delivered")])).await;
        for _ in 0..3 {
            shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        }
        work(&shop, &database).await;
        assert_eq!((karrio.calls("track").await.len(), stage(&shop, order).await), (2, N::ShipmentDelivered));
        shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        work(&shop, &database).await;
        assert_eq!(karrio.calls("track").await.len(), 2, "an arrived parcel is not polled");
    }

    async fn an_unreachable_server_is_polled_again_and_tracking_ends_after_90_days(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = return_with_label(&shop, &database, "1").await;
        karrio.moves(&number, "in_transit", json!([event("in_transit", 0, "Sorted")])).await;
        karrio.next("track", "fail", 2).await;
        for seconds in [3_600, 30] {
            later(&shop, &database, seconds).await;
            assert_eq!(seen(&shop, order).await, []);
        }
        later(&shop, &database, 120).await;
        assert_eq!(seen(&shop, order).await.len(), 1);
        karrio.clear_failures().await;
        let asked = karrio.calls("track").await.len();
        later(&shop, &database, 91 * 86_400).await;
        assert_eq!((karrio.calls("track").await.len(), database.rows("parcel_tasks").await), (asked, 0));
    }
}
