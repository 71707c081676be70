//! Shipments and their tracking updates.

use crate::support::*;
use domain::{
    AccountId, ReturnRequestId, ShipmentId,
    returning::{ParcelContent, Shipment, ShipmentStatus, TrackingUpdate},
    stage::Scan,
};
use store::testing::Database;

fn report(status: Scan, explanation: &str, seconds: i64) -> TrackingUpdate {
    TrackingUpdate { status, explanation: explanation.to_owned(), happened_at: NOW.plus_seconds(seconds) }
}

async fn kept_shipment(database: &Database, account: AccountId, sscc: &str) -> Shipment {
    let order = kept_return_order(database, account, &format!("R-{sscc}")).await;
    let shipment = a_shipment(&order, sscc);
    keep!(database, shipments::insert, account, &shipment);
    shipment
}

store::on_each_database! {
    async fn a_shipment_is_found_unchanged_in_its_own_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let shipment = Shipment {
            status: ShipmentStatus::LabelFailed,
            contents: Some(vec![ParcelContent { return_request_id: ReturnRequestId(id()), quantity: 2 }]),
            carrier: "PostNL".to_owned(),
            tracking_number: "3S…№".to_owned(),
            tracking_url: "https://carrier.example/3S".to_owned(),
            error_code: "AddressUnknown".to_owned(),
            error_message: "Nobody lives there".to_owned(),
            failed_attempts: 3,
            next_attempt_at: Some(NOW.plus_seconds(900)),
            version: 7,
            ..a_shipment(&order, "1")
        };
        keep!(database, shipments::insert, ours, &shipment);
        assert_eq!(look!(database, shipments::find, ours, shipment.id), Some(shipment.clone()));
        assert_eq!(look!(database, shipments::find, theirs, shipment.id), None);
        assert_eq!(look!(database, shipments::find, ours, ShipmentId(id())), None);
    }

    async fn a_code_finds_labels_and_tracking_numbers_of_its_own_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let labelled = kept_shipment(&database, ours, "1").await;
        let order = kept_return_order(&database, ours, "R-2").await;
        let tracked = Shipment { tracking_number: "1".to_owned(), ..a_shipment(&order, "2") };
        keep!(database, shipments::insert, ours, &tracked);
        let other = kept_return_order(&database, theirs, "R-3").await;
        keep!(database, shipments::insert, theirs, &a_shipment(&other, "1"));
        let codes = |codes: &[&str]| codes.iter().map(|&code| code.to_owned()).collect::<Vec<_>>();
        assert_eq!(look!(database, shipments::list_by_codes, ours, &codes(&["1"])), [labelled.clone(), tracked.clone()]);
        assert_eq!(look!(database, shipments::list_by_codes, ours, &codes(&["0", "2"])), [tracked]);
        assert_eq!(look!(database, shipments::list_by_codes, ours, &codes(&["3"])), []);
    }

    async fn a_tracking_update_is_stored_once_and_ordered_by_the_carriers_time(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let shipment = kept_shipment(&database, ours, "1").await;
        let other = kept_shipment(&database, ours, "2").await;
        let longest = "手".repeat(500);
        let (late, early) = (report(Scan::Delivered, "At the door", 60), report(Scan::InTransit, &longest, 0));
        for (update, is_new) in [(&late, true), (&early, true), (&late, false), (&early, false)] {
            assert_eq!(keep!(database, tracking_updates::insert, ours, shipment.id, update, NOW), is_new);
        }
        let same_moment = report(Scan::Exception, "At the door", 60);
        assert!(keep!(database, tracking_updates::insert, ours, shipment.id, &same_moment, NOW));
        let wanted = vec![early.clone(), late.clone(), same_moment];
        assert_eq!(look!(database, shipments::find, ours, shipment.id).unwrap().tracking, wanted);
        assert_eq!(look!(database, shipments::list_of_return_orders, ours, &[shipment.return_order_id])[0].tracking, wanted);
        assert_eq!(look!(database, shipments::find, ours, other.id).unwrap().tracking, []);
        assert_eq!(look!(database, tracking_updates::list_of_shipments, theirs, &[shipment.id]), []);
        assert!(try_keep!(database, tracking_updates::insert, theirs, shipment.id, &late, NOW).is_err(), "the shipment belongs to another account");
    }

    async fn an_update_needs_the_latest_version(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut shipment = kept_shipment(&database, ours, "1").await;
        shipment.status = ShipmentStatus::InTransit;
        shipment.carrier = "PostNL".to_owned();
        shipment.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, shipments::update, theirs, &shipment));
        assert!(keep!(database, shipments::update, ours, &shipment));
        assert!(!keep!(database, shipments::update, ours, &shipment), "the stored version is 2");
        shipment.version = 2;
        assert_eq!(look!(database, shipments::find, ours, shipment.id), Some(shipment.clone()));
        keep!(database, shipments::cancel_of_return_order, ours, shipment.return_order_id, NOW);
        assert_eq!(look!(database, shipments::find, ours, shipment.id).unwrap().version, 3);
    }

    async fn every_field_finds_exactly_the_rows_with_its_value(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let one = kept_shipment(&database, ours, "1").await;
        let mut two = kept_shipment(&database, ours, "2").await;
        kept_shipment(&database, theirs, "1").await;
        two.status = ShipmentStatus::InTransit;
        two.tracking_number = "3S".to_owned();
        assert!(keep!(database, shipments::update, ours, &two));
        let cases = [
            (format!("returnOrderId:{}", one.return_order_id), vec![one.id]),
            ("status:InTransit".to_owned(), vec![two.id]),
            ("status:Cancelled".to_owned(), vec![]),
            ("labelBarcode:1".to_owned(), vec![one.id]),
            ("trackingNumber:3S".to_owned(), vec![two.id]),
            ("trackingNumber:".to_owned(), vec![]),
            (format!("createdAt>={NOW}"), vec![two.id, one.id]),
            (format!("createdAt>{NOW}"), vec![]),
        ];
        for (clause, wanted) in cases {
            let listing = asking(&store::shipments::LIST, &[&clause]);
            let found = look!(database, shipments::list, ours, &listing).rows;
            assert_eq!(found.into_iter().map(|shipment| shipment.id).collect::<Vec<_>>(), wanted, "{clause}");
        }
    }
}
