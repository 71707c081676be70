//! Retention: old events are deleted, and personal data is erased on request.

use crate::{
    shop::{EMAIL, NOW, fresh},
    webhooks::{Hooked, attempts, start_delivering, until},
    webhooks_receiver::{Receiver, Reply},
};
use returns::{Erasure, EventRedelivery};
use store::{events, testing::Database, webhook_attempts};

const DAY: i64 = 86_400;

/// Waits until the sender no longer uses data that it read before.
async fn a_while() {
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
}

store::on_each_database! {
    async fn after_thirty_days_events_are_deleted_with_their_deliveries_and_attempts(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::start(|got| Reply::Status(if got.order() == 1 { 500 } else { 200 })).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let old = hooked.emit_together(&(1..301).map(|order| (order, 0)).collect::<Vec<_>>()).await;
        hooked.wait_for_attempts(id, old[0], 1).await;
        until("every delivery has been attempted", || async { attempts(&database).await == 300 }).await;
        hooked.source.set(hooked.delivery(id, old[0]).await.delivery.next_attempt_at.unwrap());
        hooked.wait_for_attempts(id, old[0], 2).await;
        sending.stop().await;
        let rows = || async {
            [database.rows("events").await, database.rows("webhook_deliveries").await, database.rows("webhook_attempts").await]
        };
        hooked.source.set(NOW.plus_seconds(30 * DAY));
        hooked.retour.operator().prune().await.unwrap();
        assert_eq!(rows().await, [300, 300, 1], "nothing is too old yet");
        let young = hooked.emit(2, 1..2).await[0];
        hooked.source.set(NOW.plus_seconds(30 * DAY + 1));
        hooked.retour.operator().prune().await.unwrap();
        assert_eq!(rows().await, [1, 1, 0]);
        assert_eq!(hooked.all_events().await[0].id, young);
        assert!(matches!(hooked.retour.merchant(&hooked.staff).event(old[5]).await, Err(returns::Error::NotFound)));
    }

    async fn events_deleted_during_their_delivery_do_not_block_others(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::start(|got| if got.place() == 0 { Reply::WhenOpen } else { Reply::Status(200) }).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        hooked.emit(1, 0..2).await;
        until("the first event is under way", || async { receiver.count() == 1 }).await;
        hooked.source.set(NOW.plus_seconds(31 * DAY));
        hooked.retour.operator().prune().await.unwrap();
        let young = hooked.emit(1, 2..3).await[0];
        a_while().await;
        receiver.open();
        hooked.wait_for_attempts(id, young, 1).await;
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 2]);
        sending.stop().await;
    }

    async fn a_redelivery_during_an_erasure_sends_the_erased_data(database: Database) {
        let hooked = Hooked::open(&database).await;
        let [event] = hooked.emit(1, 0..1).await[..] else { panic!("expected one event") };
        let receiver = Receiver::accepting().await;
        hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let mut forgetting = hooked.database.store.write().await.unwrap();
        events::keep_data(forgetting.db(), hooked.account.id, event, "{\"order\": 1, \"place\": 7}").await.unwrap();
        webhook_attempts::erase(forgetting.db(), hooked.account.id, event).await.unwrap();
        let asking = {
            let (retour, staff) = (hooked.retour.clone(), hooked.staff);
            tokio::spawn(async move { retour.merchant(&staff).redeliver_event(event, &EventRedelivery::default(), None).await })
        };
        a_while().await;
        forgetting.commit().await.unwrap();
        fresh(asking.await.unwrap().unwrap(), 202);
        until("the receiver has the event", || async { receiver.count() == 1 }).await;
        assert_eq!(receiver.places(1), [7]);
        sending.stop().await;
    }

    async fn erased_personal_data_is_not_sent_again(database: Database) {
        let hooked = Hooked::open(&database).await;
        let customer = hooked.sell("1001", &[(2, 1_000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        customer.cancel(order).await.unwrap();
        let all = hooked.all_events().await;
        let receiver = Receiver::start(|got| Reply::Raw(
            format!("HTTP/1.1 500 Oh\r\ncontent-length: {}\r\n\r\n{}", got.body.len(), got.body).into_bytes(),
        ));
        let receiver = receiver.await;
        let id = hooked.subscribe(&receiver).await;
        let since = crate::shop::sent(serde_json::json!({"since": NOW}));
        hooked.retour.merchant(&hooked.staff).redeliver_since(id, &since, None).await.unwrap();
        let sending = start_delivering(&hooked.retour);
        until("the redelivery is gathered", || async { !hooked.subscription(id).await.catching_up }).await;
        hooked.wait_for_attempts(id, all[0].id, 1).await;
        let personal = |text: &str| text.contains(EMAIL) || text.contains("Too small") || text.contains("Lovelace");
        let texts = || async {
            let all = "SELECT answer FROM webhook_attempts UNION ALL SELECT COALESCE(answer, '') FROM webhook_deliveries";
            database.texts(all).await
        };
        assert!(personal(&receiver.got()[0].body) && texts().await.iter().any(|text| !text.is_empty()));
        // The erasure happens while the first event is sent again and the others wait behind it.
        receiver.answer(|_| Reply::EchoWhenOpen);
        hooked.source.set(hooked.delivery(id, all[0].id).await.delivery.next_attempt_at.unwrap());
        until("the first event is under way again", || async { receiver.count() == 2 }).await;
        let erased = hooked.retour.merchant(&hooked.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        assert!(matches!(erased, Erasure::Done));
        assert!(texts().await.iter().all(String::is_empty), "bodies that a receiver echoed are erased too");
        a_while().await;
        receiver.open();
        hooked.wait_until_settled(id).await;
        let got = receiver.got();
        assert_eq!(got.len(), all.len() + 2, "every event, the first one twice, and the erasure");
        assert!(got[2..].iter().all(|got| !personal(&got.body)));
        assert!(!texts().await.iter().any(|text| personal(text)), "later echoes are not stored either");
        sending.stop().await;
    }
}
