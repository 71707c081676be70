//! Subscriptions, senders and deliveries.

use crate::support::{NOW, id, next, two_accounts};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp, WebhookDeliveryId, WebhookSenderId, WebhookSubscriptionId,
    webhook::{DeliveryOutcome, DeliveryStatus, DisabledReason, EventFilter, EventType},
};
use std::collections::HashSet;
use store::{
    events::Event,
    testing::Database,
    webhook_attempts::{Attempt, Tried},
    webhook_deliveries::{DeliveryLane, DueDelivery, DuePlace, Portion},
    webhook_subscriptions::{CatchUp, ReceiverHealth, Subscription},
};
use uuid::Uuid;

fn a_subscription() -> Subscription {
    Subscription {
        // The id of a delivery is derived from this id and the event's: ids that count up would collide.
        id: WebhookSubscriptionId(Uuid::from_u128(u128::from(next()) << 32)),
        url: "https://example.com/hook".to_owned(),
        interest: EventFilter::default(),
        description: String::new(),
        disabled: None,
        secret: "sealed".to_owned(),
        previous_secret: None,
        health: ReceiverHealth::default(),
        catch_up: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

/// Inserts a subscription of an account.
async fn kept(database: &Database, account: AccountId) -> WebhookSubscriptionId {
    let subscription = a_subscription();
    keep!(database, webhook_subscriptions::insert, account, &subscription);
    subscription.id
}

fn an_event(account: AccountId, order: ReturnOrderId, at: Timestamp) -> Event {
    Event {
        id: EventId(id()),
        account_id: account,
        kind: EventType::TrackingUpdated,
        stage: None,
        return_order_id: order,
        data: "{}".to_owned(),
        created_at: at,
    }
}

async fn publish(database: &Database, account: AccountId, order: ReturnOrderId, at: Timestamp) -> EventId {
    let event = an_event(account, order, at);
    let mut writing = database.store.write().await.unwrap();
    writing.publish(event.clone());
    writing.commit().await.unwrap();
    event.id
}

async fn due(
    database: &Database,
    (account, to): (AccountId, WebhookSubscriptionId),
    at: Timestamp,
) -> Vec<DueDelivery> {
    due_behind(database, (account, to), at, DuePlace::START, 100).await.0
}

async fn due_behind(
    database: &Database,
    subscribed: (AccountId, WebhookSubscriptionId),
    at: Timestamp,
    place: DuePlace,
    rows: usize,
) -> (Vec<DueDelivery>, bool) {
    let portion = Portion { rows, bytes: 1_000_000 };
    look!(database, webhook_deliveries::list_due, subscribed, at, place, portion)
}

fn events(due: &[DueDelivery]) -> Vec<EventId> {
    due.iter().map(|due| due.event.id).collect()
}

fn an_attempt() -> Attempt {
    let (outcome, answer) = (DeliveryOutcome::Delivered, "ok".to_owned());
    Attempt { at: NOW, duration: 5, outcome, status_code: Some(200), answer }
}

fn refused() -> Attempt {
    Attempt { outcome: DeliveryOutcome::Refused, status_code: Some(500), answer: "no".to_owned(), ..an_attempt() }
}

store::on_each_database! {
    async fn one_sender_has_a_subscription_until_it_leaves_or_stops_its_heartbeat(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let subscribed = (account, kept(&database, account).await);
        let (one, two) = (WebhookSenderId(id()), WebhookSenderId(id()));
        for sender in [one, two] {
            keep!(database, webhook_subscriptions::seen, sender, NOW);
        }
        let claim = async |sender, alive_since: Timestamp| keep!(database, webhook_subscriptions::claim, subscribed, sender, alive_since);
        let before = NOW.plus_seconds(-30);
        assert!(claim(one, before).await);
        assert!(claim(one, before).await, "it has claimed it already");
        assert!(!claim(two, before).await);
        keep!(database, webhook_subscriptions::release, subscribed, two);
        assert!(!claim(two, before).await, "a sender releases only its own claim");
        assert!(claim(two, NOW).await, "the first sender was not seen since");
        assert_eq!(look!(database, webhook_subscriptions::list_claimed, one), []);
        assert_eq!(look!(database, webhook_subscriptions::list_claimed, two), [subscribed]);
        keep!(database, webhook_subscriptions::leave, two, before);
        assert_eq!(look!(database, webhook_subscriptions::list_senders, before), [one]);
        assert!(claim(one, before).await);
        keep!(database, webhook_subscriptions::release, subscribed, one);
        assert!(claim(two, before).await);
        keep!(database, webhook_subscriptions::leave, two, NOW.plus_seconds(1));
        assert_eq!(look!(database, webhook_subscriptions::list_senders, before), [], "senders without a heartbeat are deleted");
    }

    async fn a_delivery_is_not_due_before_the_first_of_its_lane(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let subscribed = (account, kept(&database, account).await);
        let order = ReturnOrderId(id());
        let (first, second) = (publish(&database, account, order, NOW).await, publish(&database, account, order, NOW).await);
        let other = publish(&database, account, ReturnOrderId(id()), NOW).await;
        assert_eq!(events(&due(&database, subscribed, NOW).await), [first, second, other]);
        let line = DeliveryLane { account_id: account, subscription_id: subscribed.1, return_order_id: order };
        let next = NOW.plus_seconds(60);
        let tried = Tried { id: WebhookDeliveryId::of(first, subscribed.1), tries: 0 };
        assert_eq!(keep!(database, webhook_attempts::keep, line, tried, &refused(), Some(next)), Some(true));
        assert_eq!(events(&due(&database, subscribed, NOW).await), [other]);
        let third = publish(&database, account, order, NOW).await;
        let found = due(&database, subscribed, NOW).await;
        assert_eq!(events(&found), [other, third], "it was published later");
        assert!(found[0].before_seq.is_none());
        assert!(found[1].before_seq.is_some_and(|before| before < found[0].event_seq), "the second one is before it, and waits");
        keep!(database, webhook_deliveries::wait_for_first, line, NOW);
        assert_eq!(events(&due(&database, subscribed, NOW).await), [other]);
        assert_eq!(events(&due(&database, subscribed, next).await), [other, first, second, third]);
        keep!(database, webhook_deliveries::hurry, line, NOW);
        assert_eq!(due(&database, subscribed, NOW).await.len(), 4);
        assert_eq!(look!(database, webhook_subscriptions::list_due, NOW), [subscribed]);
        assert_eq!(look!(database, webhook_subscriptions::list_due, NOW.plus_seconds(-1)), []);
    }

    async fn an_attempt_is_recorded_only_for_an_existing_delivery(database: Database) {
        let (account, other) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let event = publish(&database, account, ReturnOrderId(id()), NOW).await;
        let (there, gone) = (WebhookDeliveryId::of(event, to), WebhookDeliveryId(id()));
        let answer = an_attempt();
        let both = [(there, &answer), (gone, &answer)];
        assert_eq!(keep!(database, webhook_attempts::keep_first, other, &both), [].into(), "the delivery belongs to another account");
        assert_eq!(keep!(database, webhook_attempts::keep_first, account, &both), [there].into());
        assert_eq!(keep!(database, webhook_attempts::keep_first, account, &both), [].into(), "it was not the first attempt");
        let line = DeliveryLane { account_id: account, subscription_id: to, return_order_id: ReturnOrderId(id()) };
        let tried = Tried { id: gone, tries: 0 };
        assert_eq!(keep!(database, webhook_attempts::keep, line, tried, &answer, None), None);
        assert_eq!(look!(database, webhook_attempts::list, account, there), [(1, an_attempt())]);
        assert_eq!(look!(database, webhook_attempts::list, other, there), []);
        assert!(look!(database, webhook_deliveries::find, other, there).is_none());
        let found = look!(database, webhook_deliveries::find, account, there).unwrap();
        assert_eq!((found.status, found.attempts), (DeliveryStatus::Delivered, 1));
    }

    async fn due_deliveries_are_read_from_a_place_on_in_portions(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let subscribed = (account, kept(&database, account).await);
        let mut told = Vec::new();
        for seconds in [3, 1, 2, 1] {
            told.push(publish(&database, account, ReturnOrderId(id()), NOW.plus_seconds(seconds)).await);
        }
        let at = NOW.plus_seconds(9);
        let (two, is_more) = due_behind(&database, subscribed, at, DuePlace::START, 2).await;
        assert_eq!((events(&two), is_more), (vec![told[1], told[3]], true), "longest due first");
        let (rest, is_more) = due_behind(&database, subscribed, at, two[1].place(), 100).await;
        assert_eq!((events(&rest), is_more), (vec![told[2], told[0]], false));
        assert_eq!(due_behind(&database, subscribed, at, rest[1].place(), 100).await.0.len(), 0);
        let portion = Portion { rows: 100, bytes: 3 }; // each event has two
        let (two, is_more) = look!(database, webhook_deliveries::list_due, subscribed, at, DuePlace::START, portion);
        assert_eq!((two.len(), is_more), (2, true));
        assert_eq!(due(&database, subscribed, at).await.len(), 4, "the connection can be used again");
    }

    async fn a_failure_of_an_earlier_round_does_not_count(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let order = ReturnOrderId(id());
        let delivery = WebhookDeliveryId::of(publish(&database, account, order, NOW).await, to);
        let line = DeliveryLane { account_id: account, subscription_id: to, return_order_id: order };
        let keep = async |tries, attempt: Attempt, next: Option<Timestamp>| {
            keep!(database, webhook_attempts::keep, line, Tried { id: delivery, tries }, &attempt, next)
        };
        assert_eq!(keep(0, refused(), Some(NOW.plus_seconds(5))).await, Some(true));
        keep!(database, webhook_deliveries::again, account, delivery, false, NOW);
        assert_eq!(keep(1, refused(), None).await, Some(true), "the last attempt of the earlier round");
        let attempts = look!(database, webhook_attempts::list, account, delivery);
        assert_eq!(attempts, [(1, refused()), (2, refused())]);
        let due = due(&database, (account, to), NOW).await;
        assert_eq!(due.iter().map(|due| (due.id, due.attempts, due.tries)).collect::<Vec<_>>(), [(delivery, 2, 0)]);
        assert_eq!(keep(0, an_attempt(), None).await, Some(false));
        let attempts = look!(database, webhook_attempts::list, account, delivery);
        assert_eq!(attempts, [(1, refused()), (2, refused()), (3, an_attempt())]);
    }

    async fn a_response_after_an_erasure_is_not_stored(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let event = publish(&database, account, ReturnOrderId(id()), NOW).await;
        let delivery = WebhookDeliveryId::of(event, to);
        let line = DeliveryLane { account_id: account, subscription_id: to, return_order_id: ReturnOrderId(id()) };
        let keep = async |tries, attempt: &Attempt| {
            keep!(database, webhook_attempts::keep, line, Tried { id: delivery, tries }, attempt, Some(NOW))
        };
        keep(0, &refused()).await;
        keep(1, &refused()).await;
        keep!(database, webhook_attempts::erase, account, event);
        keep(2, &refused()).await;
        let answers = async || {
            let attempts: Vec<(u32, Attempt)> = look!(database, webhook_attempts::list, account, delivery);
            attempts.into_iter().map(|(number, attempt)| (number, attempt.answer)).collect::<Vec<_>>()
        };
        assert_eq!(answers().await, [1, 2, 3].map(|number| (number, String::new())));
        let of_another_person = WebhookDeliveryId::of(publish(&database, account, ReturnOrderId(id()), NOW).await, to);
        keep!(database, webhook_attempts::keep_first, account, &[(of_another_person, &an_attempt())]);
        assert_eq!(look!(database, webhook_attempts::list, account, of_another_person), [(1, an_attempt())], "it is about another person");
    }

    async fn a_first_response_after_an_erasure_is_not_stored(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let event = publish(&database, account, ReturnOrderId(id()), NOW).await;
        let delivery = WebhookDeliveryId::of(event, to);
        keep!(database, webhook_attempts::erase, account, event);
        keep!(database, webhook_attempts::keep_first, account, &[(delivery, &an_attempt())]);
        let kept = look!(database, webhook_attempts::list, account, delivery);
        assert_eq!(kept, [(1, Attempt { answer: String::new(), ..an_attempt() })]);
    }

    async fn each_of_many_first_responses_is_stored_with_its_own_delivery(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let mut writing = database.store.write().await.unwrap();
        let told: Vec<Event> = (0..150).map(|_| an_event(account, ReturnOrderId(id()), NOW)).collect();
        for event in &told {
            writing.publish(event.clone());
        }
        writing.commit().await.unwrap();
        keep!(database, webhook_attempts::erase, account, told[7].id);
        let attempt = |number: u16| Attempt {
            at: NOW.plus_seconds(i64::from(number)),
            duration: i64::from(number),
            status_code: (number != 9).then_some(200 + number % 100),
            answer: format!("answer {number}, \"quoted\" {{NULL}}"),
            ..an_attempt()
        };
        let attempts: Vec<Attempt> = (0..150).map(attempt).collect();
        let ids: Vec<WebhookDeliveryId> = told.iter().map(|event| WebhookDeliveryId::of(event.id, to)).collect();
        let mut delivered: Vec<_> = ids.iter().copied().zip(&attempts).collect();
        delivered.sort_unstable_by_key(|(delivery, _)| *delivery);
        assert_eq!(keep!(database, webhook_attempts::keep_first, account, &[]), HashSet::new());
        let kept = keep!(database, webhook_attempts::keep_first, account, &delivered);
        assert_eq!(kept, ids.iter().copied().collect());
        for (at, (delivery, mut expected)) in ids.into_iter().zip(attempts).enumerate() {
            if at == 7 {
                expected.answer.clear(); // its person was erased
            }
            assert_eq!(look!(database, webhook_attempts::list, account, delivery), [(1, expected)]);
        }
    }

    async fn a_delivery_that_was_given_up_counts_as_delivered_only_if_the_receiver_has_it(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let to = kept(&database, account).await;
        let order = ReturnOrderId(id());
        let (one, two) = (publish(&database, account, order, NOW).await, publish(&database, account, order, NOW).await);
        assert_eq!(keep!(database, webhook_deliveries::give_up_some, account, to), 2);
        assert_eq!(keep!(database, webhook_deliveries::give_up_some, account, to), 0);
        let line = DeliveryLane { account_id: account, subscription_id: to, return_order_id: order };
        keep!(database, webhook_attempts::keep_first, account, &[(WebhookDeliveryId::of(one, to), &an_attempt())]);
        let tried = Tried { id: WebhookDeliveryId::of(two, to), tries: 0 };
        let due = keep!(database, webhook_attempts::keep, line, tried, &refused(), Some(NOW.plus_seconds(5)));
        assert_eq!(due, Some(false));
        let status = async |event| look!(database, webhook_deliveries::find, account, WebhookDeliveryId::of(event, to)).unwrap().status;
        assert_eq!((status(one).await, status(two).await), (DeliveryStatus::Delivered, DeliveryStatus::Failed));
        for (event, only_failed) in [(one, true), (two, true)] {
            keep!(database, webhook_deliveries::again, account, WebhookDeliveryId::of(event, to), only_failed, NOW);
        }
        assert_eq!((status(one).await, status(two).await), (DeliveryStatus::Delivered, DeliveryStatus::Pending));
    }

    async fn many_deliveries_are_sent_again_and_no_others(database: Database) {
        let (account, other) = two_accounts(&database).await;
        let (to, second) = (kept(&database, account).await, kept(&database, account).await);
        let mut writing = database.store.write().await.unwrap();
        let told: Vec<Event> = (0..450).map(|_| an_event(account, ReturnOrderId(id()), NOW)).collect();
        for event in &told {
            writing.publish(event.clone());
        }
        writing.commit().await.unwrap();
        let ids: Vec<_> = told.iter().map(|event| WebhookDeliveryId::of(event.id, to)).collect();
        keep!(database, webhook_attempts::keep_first, account, &[(ids[0], &an_attempt())]);
        for subscription in [to, second] {
            while keep!(database, webhook_deliveries::give_up_some, account, subscription) > 0 {}
        }
        let waiting = async || due_behind(&database, (account, to), NOW.plus_seconds(9), DuePlace::START, 999).await.0.len();
        keep!(database, webhook_deliveries::again_some, other, &ids, false, NOW);
        keep!(database, webhook_deliveries::again_some, account, &[], false, NOW);
        assert_eq!(waiting().await, 0);
        keep!(database, webhook_deliveries::again_some, account, &ids[..440], true, NOW.plus_seconds(9));
        assert_eq!(waiting().await, 439, "one was delivered, ten were not requested");
        assert_eq!(due(&database, (account, to), NOW).await.len(), 0, "not before");
        keep!(database, webhook_deliveries::again_some, account, &ids, false, NOW);
        assert_eq!(waiting().await, 450);
        assert_eq!(due(&database, (account, second), NOW).await.len(), 0);
    }

    async fn a_catch_up_continues_where_it_stopped(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let asked = CatchUp { after: 10, until: 90, all: true };
        let subscription = Subscription { catch_up: Some(asked), ..a_subscription() };
        keep!(database, webhook_subscriptions::insert, account, &subscription);
        keep!(database, webhook_subscriptions::update, account, &subscription);
        let found = async || look!(database, webhook_subscriptions::find, account, subscription.id).unwrap();
        assert_eq!((found().await.catch_up, found().await.version), (Some(asked), 2));
        keep!(database, webhook_subscriptions::keep_catch_up, account, subscription.id, Some(30));
        assert_eq!(found().await.catch_up, Some(CatchUp { after: 30, ..asked }));
        keep!(database, webhook_subscriptions::keep_catch_up, account, subscription.id, None);
        assert_eq!(found().await.catch_up, None);
    }

    async fn disabled_and_deleted_subscriptions_get_no_deliveries_and_are_cleaned_up(database: Database) {
        let (account, _) = two_accounts(&database).await;
        let off = Subscription { disabled: Some((DisabledReason::Gone, NOW)), ..a_subscription() };
        keep!(database, webhook_subscriptions::insert, account, &off);
        let (on, gone) = (kept(&database, account).await, kept(&database, account).await);
        publish(&database, account, ReturnOrderId(id()), NOW).await;
        assert!(keep!(database, webhook_subscriptions::delete, account, gone, NOW));
        assert!(!keep!(database, webhook_subscriptions::delete, account, gone, NOW), "once");
        let listed = look!(database, webhook_subscriptions::list_enabled, account);
        assert_eq!(listed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [on]);
        assert_eq!(database.rows("webhook_deliveries").await, 2, "no delivery for the disabled subscription");
        let live = look!(database, webhook_subscriptions::find, account, on);
        assert!(live.is_some_and(|found| found.disabled.is_none()));
        keep!(database, webhook_subscriptions::update, account, &Subscription { id: on, ..off.clone() });
        assert_eq!(look!(database, webhook_subscriptions::list_stopped), [(account, on)]);
        assert_eq!(look!(database, webhook_subscriptions::list_deleted, NOW.plus_seconds(-1)), []);
        assert_eq!(look!(database, webhook_subscriptions::list_deleted, NOW), [(account, gone)]);
        assert_eq!(keep!(database, webhook_deliveries::delete_some, account, gone), 1);
        keep!(database, webhook_subscriptions::remove, account, gone);
        keep!(database, webhook_subscriptions::remove, account, on);
        assert_eq!(database.rows("webhook_subscriptions").await, 2, "only deleted subscriptions are removed");
    }
}
