//! A receiver gets the events of one return order in order, and no return order waits for another.

use crate::{
    seed::Seed,
    shop::NOW,
    webhooks::{Hooked, in_order, start_delivering, until},
    webhooks_receiver::{Receiver, Reply},
};
use domain::{WebhookSubscriptionId, webhook::DeliveryStatus};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use store::testing::Database;

/// Moves the clock forward until no delivery is pending.
async fn pass_time(hooked: &Hooked, id: WebhookSubscriptionId) {
    let mut minutes = 0;
    until("no delivery is pending", || {
        minutes += 1;
        hooked.source.set(NOW.plus_seconds(60 * minutes));
        async { hooked.count_deliveries(id, DeliveryStatus::Pending).await == 0 }
    })
    .await;
}

/// A receiver that fails the first attempt of every `every`-th event of each return order. Also returns what it accepted,
/// by return order.
async fn failing_every(every: u64) -> (Receiver, Arc<Mutex<HashMap<u64, Vec<u64>>>>) {
    let taken: Arc<Mutex<HashMap<u64, Vec<u64>>>> = Arc::default();
    let (all, failed) = (Arc::clone(&taken), Mutex::new(Vec::new()));
    let receiver = Receiver::start(move |got| {
        let mut failed = failed.lock().unwrap();
        if got.place() % every == 0 && !failed.contains(&got.id()) {
            failed.push(got.id());
            return Reply::Status(500);
        }
        all.lock().unwrap().entry(got.order()).or_default().push(got.place());
        Reply::Status(200)
    });
    (receiver.await, taken)
}

store::on_each_database! {
    async fn events_after_a_failed_one_wait_and_other_return_orders_do_not(database: Database) {
        let hooked = Hooked::open(&database).await;
        let receiver = Receiver::start(|got| Reply::Status(if got.order() == 1 { 500 } else { 200 })).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        let before = hooked.emit(1, 0..3).await;
        hooked.wait_for_attempts(id, before[0], 1).await;
        let during = hooked.emit(1, 3..5).await; // while the first waits for its next attempt
        hooked.emit(2, 0..40).await;
        until("the other return order is delivered", || async { receiver.places(2).len() == 40 }).await;
        until("the deliveries are recorded", || async { hooked.count_deliveries(id, DeliveryStatus::Delivered).await == 40 }).await;
        assert_eq!(receiver.places(2), in_order(0..40));
        assert_eq!(receiver.places(1), [0], "the rest waits");
        let retried_at = hooked.delivery(id, before[0]).await.delivery.next_attempt_at;
        until("the later events wait as long", || async { hooked.delivery(id, during[1]).await.delivery.next_attempt_at == retried_at }).await;
        receiver.answer(|_| Reply::Status(200));
        hooked.source.set(retried_at.unwrap());
        hooked.wait_until_settled(id).await;
        assert_eq!(receiver.places(1), [0, 0, 1, 2, 3, 4]);
        sending.stop().await;
    }

    async fn long_backlogs_stay_in_order_although_some_deliveries_fail(database: Database) {
        let hooked = Hooked::open(&database).await;
        let (receiver, taken) = failing_every(40).await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        // One long return order, many short ones in between, and events that arrive while deliveries are under way.
        let pairs: Vec<_> = (0..300).flat_map(|place| [(1, place), (10 + place, 1)]).collect();
        hooked.emit_together(&pairs).await;
        hooked.emit_together(&(0..300).map(|place| (2, place)).collect::<Vec<_>>()).await;
        hooked.emit(1, 300..320).await;
        pass_time(&hooked, id).await;
        let taken = taken.lock().unwrap().clone();
        assert_eq!(taken[&1], in_order(0..320));
        assert_eq!(taken[&2], in_order(0..300));
        assert!((10..310).all(|order| taken[&order] == [1]));
        sending.stop().await;
    }

    async fn nothing_is_lost_or_reordered_when_a_receiver_fails_at_random(database: Database) {
        let hooked = Hooked::open(&database).await;
        let taken: Arc<Mutex<Vec<(u64, u64)>>> = Arc::default();
        let (all, rng) = (Arc::clone(&taken), Mutex::new(Seed::of_this_run().rng(0)));
        let receiver = Receiver::start(move |got| {
            if rng.lock().unwrap().u32(..6) == 0 {
                return Reply::Status(503);
            }
            all.lock().unwrap().push((got.order(), got.place()));
            Reply::Status(204)
        });
        let receiver = receiver.await;
        let id = hooked.subscribe(&receiver).await;
        let sending = start_delivering(&hooked.retour);
        for place in 0..20 {
            hooked.emit_together(&(0..12).map(|order| (order, place)).collect::<Vec<_>>()).await;
            hooked.source.set(hooked.source.now().plus_seconds(i64::try_from(place).unwrap()));
        }
        pass_time(&hooked, id).await;
        for order in 0..12 {
            let of_it = taken.lock().unwrap().iter().filter(|(of, _)| *of == order).map(|(_, place)| *place).collect::<Vec<_>>();
            assert_eq!(of_it, in_order(0..20), "return order {order}");
        }
        sending.stop().await;
    }
}
