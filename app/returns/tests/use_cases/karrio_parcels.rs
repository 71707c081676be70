//! Parcels with labels of a karrio server: voided when they are called off, followed until they have arrived.

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

/// A return with its label, and the label's number.
async fn labelled(shop: &Shop, database: &Database, number: &str) -> (ReturnOrderId, String) {
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
    async fn a_label_that_is_called_off_is_voided_whatever_is_lost(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (first, _) = labelled(&shop, &database, "1").await;
        let (second, _) = labelled(&shop, &database, "2").await;
        let (_third, _) = labelled(&shop, &database, "3").await;
        karrio.next("cancel", "refuse", 1).await;
        karrio.next("cancel", "lose", 1).await;
        cancel(&shop, first).await;
        cancel(&shop, second).await;
        for seconds in [0, 30, 120] {
            later(&shop, &database, seconds).await;
        }
        let statuses: Vec<String> = karrio.shipments().await.into_iter().map(|(status, _)| status).collect();
        assert_eq!(statuses.iter().filter(|status| *status == "cancelled").count(), 2, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| *status == "created").count(), 1, "nobody else's");
        let voided = parcel(&shop, first).await;
        assert_eq!((voided.status, voided.error_code, voided.label_url), (ShipmentStatus::Cancelled, None, None));
        assert_eq!(database.rows("parcel_tasks").await, 1, "the third is followed");
    }

    async fn a_label_that_comes_after_the_end_is_voided(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        karrio.next("purchase", "lose", 1).await;
        let (_, order) = sent_back(&shop, "1").await;
        work(&shop, &database).await;
        cancel(&shop, order).await;
        later(&shop, &database, 100).await;
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)], "it may be under way yet");
        later(&shop, &database, 100).await;
        let shipments = karrio.shipments().await;
        assert_eq!(shipments, [("cancelled".to_owned(), 1)]);
        assert_eq!((database.rows("label_requests").await, database.rows("parcel_tasks").await), (0, 0));
    }

    async fn one_of_two_parcels_is_called_off_and_voided_while_the_other_goes_on(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, _) = labelled(&shop, &database, "1").await;
        let add = || shop.retour.merchant(&shop.staff).add_parcel(order, sent(json!({})), None);
        let cancel = |id| shop.retour.merchant(&shop.staff).cancel_parcel(id, None);
        // What can be sent keeps a label to be sent by.
        karrio.next("list", "fail", 1).await;
        let late = fresh(add().await.unwrap(), 201).id;
        work(&shop, &database).await;
        let first = shop.whole(order).await.shipments.unwrap()[0].id;
        assert_eq!(refusal(cancel(first).await), ErrorCode::Refused(RefusalCode::IllegalTransition));
        fresh(cancel(late).await.unwrap(), 200);
        // One with its label, one that the carrier refuses, and one that it may have made: nobody knows.
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
        assert_eq!(database.rows("parcel_tasks").await, 1, "the first is followed");
    }

    async fn what_can_not_be_voided_is_told_to_the_merchant(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = labelled(&shop, &database, "1").await;
        karrio.moves(&number, "in_transit", json!([event("in_transit", 0, "Sorted")])).await; // nobody has heard of it here
        cancel(&shop, order).await;
        work(&shop, &database).await;
        let parcel_now = parcel(&shop, order).await;
        assert_eq!((parcel_now.status, parcel_now.error_code.as_deref()), (ShipmentStatus::Cancelled, Some("LabelNotVoided")));
        assert!(parcel_now.error_message.is_some_and(|why| why.contains("can not be cancelled")));
        // Somebody else makes the labels by now.
        let (order, _) = labelled(&shop, &database, "2").await;
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        cancel(&shop, order).await;
        work(&shop, &database).await;
        assert_eq!(parcel(&shop, order).await.error_code.as_deref(), Some("LabelNotVoided"));
        assert_eq!(database.rows("parcel_tasks").await, 0);
    }

    async fn what_the_server_can_not_void_for_three_days_is_told_to_the_merchant(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, _) = labelled(&shop, &database, "1").await;
        karrio.next("cancel", "fail", 99).await;
        cancel(&shop, order).await;
        let began = shop.source.now();
        work(&shop, &database).await;
        while parcel(&shop, order).await.error_code.is_none() {
            assert!(shop.source.now() < began.plus_days(5), "it is tried for ever");
            later(&shop, &database, 14_400).await;
        }
        assert!(shop.source.now() > began.plus_days(2), "given up too early");
        assert_eq!(parcel(&shop, order).await.error_code.as_deref(), Some("LabelNotVoided"));
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)]);
        let listing = Listing { conditions: vec![lists::SHIPMENTS.condition("errorCode:LabelNotVoided").unwrap()], ..Listing::newest(crate::shop::ALL) };
        assert_eq!(shop.retour.merchant(&shop.staff).shipments(&listing).await.unwrap().data.len(), 1);
        assert_eq!(database.rows("parcel_tasks").await, 0);
    }

    async fn after_a_month_a_parcel_is_asked_for_once_a_day(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        labelled(&shop, &database, "1").await;
        let asked = async || karrio.asked("track").await.len();
        later(&shop, &database, 29 * 86_400).await;
        later(&shop, &database, 7_200).await;
        assert_eq!(asked().await, 2, "every two hours");
        later(&shop, &database, 86_400).await;
        assert_eq!(asked().await, 3);
        later(&shop, &database, 86_399).await;
        assert_eq!(asked().await, 3, "once a day");
        later(&shop, &database, 1).await;
        assert_eq!(asked().await, 4);
    }

    async fn a_parcel_is_followed_until_it_has_arrived(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = labelled(&shop, &database, "1").await;
        let [created, sorted, out] = [event("created", 0, "Shipment label created"), event("in_transit", 1, "Sorted"), event("out_for_delivery", 3, "With the driver")];
        // Carriers give numbers out again: what happened before there was a label happened to another parcel.
        let before = json!({"date": "2026-02-01", "time": "12:00", "timestamp": null, "status": "delivered", "description": "Delivered"});
        karrio.moves(&number, "in_transit", json!([sorted, created, before])).await;
        work(&shop, &database).await;
        assert_eq!(seen(&shop, order).await, [], "it is not asked yet");
        later(&shop, &database, 3_600).await;
        assert_eq!(seen(&shop, order).await, [(Scan::InTransit, "Sorted".to_owned())]);
        assert_eq!(stage(&shop, order).await, N::ShipmentInTransit);
        // Twice the same, and one that comes late in between.
        let late = event("on_hold", 2, "The lorry broke down");
        karrio.moves(&number, "out_for_delivery", json!([out, late])).await;
        later(&shop, &database, 7_199).await;
        assert_eq!(seen(&shop, order).await.len(), 1, "it is not its turn");
        later(&shop, &database, 1).await;
        let texts: Vec<String> = seen(&shop, order).await.into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["Sorted", "The lorry broke down", "With the driver"]);
        assert_eq!(stage(&shop, order).await, N::ShipmentInTransit);
        karrio.moves(&number, "delivered", json!([event("delivered", 5, "Delivered")])).await;
        later(&shop, &database, 7_200).await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.status), (N::ShipmentDelivered, ShipmentStatus::Delivered));
        assert_eq!(database.rows("parcel_tasks").await, 0, "there is nothing more to ask");
        let hooked = Hooked { shop: shop.clone(), database: database.clone() };
        let told: Vec<EventType> = hooked.all_events().await.into_iter().map(|event| event.kind).collect();
        let count = |kind| told.iter().filter(|one| **one == kind).count();
        assert_eq!((count(EventType::TrackingUpdated), count(EventType::ShipmentDelivered)), (4, 1));
    }

    async fn a_notice_has_it_asked_at_once_and_says_nothing_by_itself(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = labelled(&shop, &database, "1").await;
        let claims = |number: &str| json!({"event": "tracker_updated", "data": {"tracking_number": number, "status": "delivered", "delivered": true}}).to_string();
        // Made up: it is asked, and has not moved.
        shop.source.set(NOW.plus_seconds(60));
        shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        work(&shop, &database).await;
        assert_eq!((karrio.asked("track").await.len(), stage(&shop, order).await), (1, N::SubmittedReady));
        // Of others, of nobody, of nothing.
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        shop.source.set(NOW.plus_seconds(120));
        shop.retour.karrio_notice(other.account.id, claims(&number).as_bytes()).await.unwrap();
        for body in [claims("another").as_str(), "{}", "[]", "", "{\"data\": {\"tracking_number\": 7}}", "{\"data\": {\"tracking_number\": \"a\\u0000b\"}}"] {
            shop.retour.karrio_notice(shop.account.id, body.as_bytes()).await.unwrap();
        }
        work(&shop, &database).await;
        assert_eq!(karrio.asked("track").await.len(), 1);
        karrio.moves(&number, "delivered", json!([event("delivered", 0, "Delivered")])).await;
        for _ in 0..3 {
            shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        }
        work(&shop, &database).await;
        assert_eq!((karrio.asked("track").await.len(), stage(&shop, order).await), (2, N::ShipmentDelivered));
        shop.retour.karrio_notice(shop.account.id, claims(&number).as_bytes()).await.unwrap();
        work(&shop, &database).await;
        assert_eq!(karrio.asked("track").await.len(), 2, "it has arrived");
    }

    async fn a_server_that_is_away_is_asked_again_and_nobody_is_followed_for_ever(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (order, number) = labelled(&shop, &database, "1").await;
        karrio.moves(&number, "in_transit", json!([event("in_transit", 0, "Sorted")])).await;
        karrio.next("track", "fail", 2).await;
        for seconds in [3_600, 30] {
            later(&shop, &database, seconds).await;
            assert_eq!(seen(&shop, order).await, []);
        }
        later(&shop, &database, 120).await;
        assert_eq!(seen(&shop, order).await.len(), 1);
        karrio.forgives().await;
        let asked = karrio.asked("track").await.len();
        later(&shop, &database, 91 * 86_400).await;
        assert_eq!((karrio.asked("track").await.len(), database.rows("parcel_tasks").await), (asked, 0));
    }
}
