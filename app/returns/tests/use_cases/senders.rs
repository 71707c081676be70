//! Staff correct the sender of a parcel before it is sent.

use crate::{
    handling::once,
    shop::{Shop, fields, fresh, refusal},
};
use domain::{RefusalCode, ShipmentId, address::Address, stage::Scan};
use returns::{Error, ErrorCode, Expand, SenderInput, TrackingReport, view};
use store::testing::Database;

impl Shop {
    async fn correct(&self, id: ShipmentId, address: Address) -> Result<view::ShipmentView, Error> {
        let input = SenderInput { address, reason: "Has moved".to_owned() };
        Ok(fresh(self.retour.merchant(&self.staff).correct_sender(id, input, None).await?, 200))
    }
}

fn address() -> Address {
    Address {
        name: "Ada Lovelace".to_owned(),
        street: "12 St James Square".to_owned(),
        postal_code: "SW1Y 4JH".to_owned(),
        city: "London".to_owned(),
        country: "GB".to_owned(),
        ..Address::default()
    }
}

store::on_each_database! {
    async fn the_sender_of_a_label_that_retour_draws_is_corrected_until_it_is_sent(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(1, 1_000)]);
        order.address = address();
        shop.import(vec![order]).await;
        let order = shop.customer("1001").await.send_back(&[(0, 1)]).await;
        let handle = shop.retour.merchant(&shop.staff);
        let whole = handle.return_order(order.id, &[Expand::Shipments]).await.unwrap();
        let shipment = whole.shipments.unwrap().remove(0);
        let moved = Address { street: "221b Baker Street".to_owned(), ..shipment.sender.clone() };
        let corrected = shop.correct(shipment.id, moved.clone()).await.unwrap();
        assert_eq!((corrected.sender, corrected.version), (moved.clone(), shipment.version + 1));
        assert_eq!(handle.return_order(order.id, &[]).await.unwrap().version, whole.version + 1);
        let request = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        let entries = handle.timeline(request).await.unwrap();
        assert!(entries.iter().any(|entry| entry.comment == "Sender: Has moved"), "{entries:?}");
        let audited = database.texts("SELECT action FROM audit_entries WHERE action = 'shipment.sender_corrected'").await;
        assert_eq!(audited.len(), 1);
        assert_eq!(shop.correct(shipment.id, moved.clone()).await.unwrap().version, corrected.version, "nothing changes");

        let abroad = Address { country: "FR".to_owned(), ..moved.clone() };
        assert_eq!(fields(shop.correct(shipment.id, abroad).await), ["address.country"]);
        let nowhere = Address { street: String::new(), ..moved.clone() };
        assert_eq!(fields(shop.correct(shipment.id, nowhere).await), ["address.street"]);
        let silent = SenderInput { address: moved.clone(), reason: " a ".to_owned() };
        assert_eq!(fields(handle.correct_sender(shipment.id, silent, once("1")).await), ["reason"]);
        let other = Shop::open_with(&database, "other", "EUR", domain::policy::Policy::default()).await;
        assert_eq!(refusal(other.correct(shipment.id, moved.clone()).await), ErrorCode::NotFound);

        let report = TrackingReport {
            status: Scan::InTransit,
            explanation: String::new(),
            happened_at: None,
            carrier: None,
            tracking_number: None,
            tracking_url: None,
        };
        fresh(handle.track(shipment.id, report, None).await.unwrap(), 200);
        let late = shop.correct(shipment.id, address()).await;
        assert_eq!(refusal(late), ErrorCode::Refused(RefusalCode::TooLate));
    }
}
