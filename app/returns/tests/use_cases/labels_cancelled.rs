//! Labels of returns that are cancelled, and of consumers who are erased: before, during and after the label request.

use crate::{
    labels::{Press, label_requests, parcel, sent_back, shop, stages, start_label_worker, wait_for_status},
    shop::fresh,
    webhooks::until,
    webhooks_receiver::Reply,
};
use domain::{returning::ShipmentStatus, stage::StageName as N};
use returns::LabelFormat;
use store::testing::Database;

store::on_each_database! {
    async fn a_return_cancelled_before_its_label_request_requests_no_label(database: Database) {
        let (shop, component) = shop(&database, |_| Reply::Status(500)).await;
        let (customer, order) = sent_back(&shop).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        let making = start_label_worker(&shop.retour);
        until("the label request is deleted", || async { database.rows("label_requests").await == 0 }).await;
        assert_eq!((label_requests(&component).len(), parcel(&shop, order).await.status), (0, ShipmentStatus::Cancelled));
        making.stop().await;
    }

    async fn a_return_cancelled_during_its_label_request_has_no_label_but_a_number_to_void(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, component) = shop(&database, move |got| match makes.make(&got.json()) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let (customer, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        until("the carrier is asked", || async { label_requests(&component).len() == 1 }).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        component.open();
        until("the answer is recorded", || async { database.rows("label_requests").await == 0 }).await;
        let void = parcel(&shop, order).await;
        assert_eq!((void.status, void.label_url, void.tracking_number.as_deref()), (ShipmentStatus::Cancelled, None, Some("3S0")));
        assert_eq!(stages(&shop, order).await, [N::ClosedCancelled]);
        assert_eq!(database.rows("unclaimed_files").await, 1, "its file is unclaimed");
        making.stop().await;
    }

    async fn an_erasure_during_a_label_request_is_not_undone(database: Database) {
        let press = Press::default();
        let (shop, component) = shop(&database, move |got| match press.make(&got.json()) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let (customer, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        until("the carrier is asked", || async { label_requests(&component).len() == 1 }).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        shop.retour.merchant(&shop.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        component.open();
        until("the label request is deleted", || async { database.rows("label_requests").await == 0 }).await;
        let left = parcel(&shop, order).await;
        assert_eq!((left.tracking_number, left.label_barcode.as_str(), left.label_url), (None, "", None));
        assert_eq!(database.rows("unclaimed_files").await, 1, "its file is unclaimed");
        making.stop().await;
    }

    async fn an_erasure_deletes_the_label(database: Database) {
        let press = Press::default();
        let (shop, _component) = shop(&database, move |got| press.make(&got.json())).await;
        let (customer, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        making.stop().await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        shop.retour.merchant(&shop.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        let left = parcel(&shop, order).await;
        assert_eq!((left.tracking_number, left.label_barcode.as_str()), (None, ""));
        let kept = database.texts("SELECT label FROM shipments").await;
        assert_eq!(kept, [r#"{"by":"carrier"}"#]);
        until("its file is deleted", || async { database.rows("unclaimed_files").await == 0 }).await;
        let on_disk = shop.retour.merchant(&shop.staff).label(left.id, &[LabelFormat::Pdf]).await;
        assert!(on_disk.is_err());
    }
}
