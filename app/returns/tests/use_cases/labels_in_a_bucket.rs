//! Labels of carriers where files are stored in a bucket, which may be unreachable for a while.

use crate::{
    labels::{PDF, Press, parcel, sent_back, shop, start_label_worker, wait_for_status},
    s3_server::S3Server,
    shop::{NOW, fresh},
    webhooks::until,
};
use domain::returning::ShipmentStatus;
use returns::{Files, LabelFormat, PrintedLabel, S3Settings};
use store::testing::Database;

fn bucket(server: &S3Server) -> Files {
    let key = server.key("retour");
    let settings = S3Settings {
        access_key_id: key.id,
        secret_access_key: key.secret,
        endpoint: server.url(),
        ..S3Settings::default()
    };
    Files::open("s3://my-returns/files", &settings).unwrap()
}

store::on_each_database! {
    async fn a_label_that_cannot_be_stored_is_fetched_again_and_deleted_with_its_consumer(database: Database) {
        let press = Press::default();
        let presses = press.clone();
        let (mut shop, _component) = shop(&database, move |got| presses.make(&got.json())).await;
        let mut server = S3Server::start();
        shop.retour = shop.retour.clone().configured(|config| config.files = Some(bucket(&server)));
        server.kill();
        let (customer, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        until("the request is rescheduled", || async {
            database.texts("SELECT CAST(tries AS TEXT) FROM label_requests").await == ["1"]
        })
        .await;
        assert_eq!((parcel(&shop, order).await.status, press.made()), (ShipmentStatus::New, 1));

        server.start_again();
        shop.source.set(NOW.plus_seconds(7_200));
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        making.stop().await;
        assert_eq!((press.made(), server.names("my-returns").len()), (1, 1), "one label, stored once");
        let label = shop.retour.merchant(&shop.staff).label(parcel(&shop, order).await.id, &[LabelFormat::Pdf]).await.unwrap();
        assert_eq!(label, PrintedLabel::File { format: LabelFormat::Pdf, bytes: PDF.to_vec() });

        fresh(customer.cancel(order).await.unwrap(), 200);
        shop.retour.merchant(&shop.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        until("its file is deleted", || async { database.rows("unclaimed_files").await == 0 }).await;
        assert_eq!(server.names("my-returns"), [""; 0]);
    }
}
