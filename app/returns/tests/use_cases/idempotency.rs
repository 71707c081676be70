//! Idempotency keys: a repeated request has one effect.

use crate::shop::{Customer, NOW, Shop, fresh, refusal, taken};
use domain::{DraftReturnOrderId, RefusalCode, returning::ReturnSource};
use returns::{Done, Error, ErrorCode, IdempotencyKey};
use store::testing::Database;

fn key(fingerprint: &[u8]) -> Option<IdempotencyKey> {
    Some(IdempotencyKey {
        credential: "consumer:1".to_owned(),
        key: "k-1".to_owned(),
        fingerprint: fingerprint.to_vec(),
    })
}

async fn submit(
    customer: &Customer,
    draft: DraftReturnOrderId,
    fingerprint: &[u8],
) -> Result<Done<returns::view::ReturnOrderView>, Error> {
    customer.retour.consumer(&customer.shopper).submit(draft, ReturnSource::Api, key(fingerprint)).await
}

store::on_each_database! {
    async fn a_repeated_request_returns_the_first_answer_byte_for_byte(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        let first = fresh(submit(&customer, draft, b"body").await.unwrap(), 201);
        let body = serde_json::to_string(&first).unwrap();
        shop.source.set(NOW.plus_hours(1));
        customer.cancel(first.id).await.unwrap(); // the return order changes, the stored answer does not
        for _ in 0..3 {
            let Done::Replayed(answer) = submit(&customer, draft, b"body").await.unwrap() else { panic!("expected a replayed answer") };
            assert_eq!((answer.status, &answer.body), (201, &body));
        }
        assert_eq!(database.rows("return_orders").await, 1);
    }

    async fn a_repeated_draft_creates_one_draft(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let chosen = customer.choose(&[(0, 1)]).await;
        let first = fresh(customer.try_draft(chosen.clone(), key(b"body")).await.unwrap(), 201);
        let Done::Replayed(answer) = customer.try_draft(chosen, key(b"body")).await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!(answer.body, serde_json::to_string(&first).unwrap());
        assert_eq!(database.rows("draft_return_orders").await, 1);
    }

    async fn a_repeated_cancel_or_choice_of_shipping_returns_its_first_answer(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let (draft, option) = (customer.draft(&[(0, 1)]).await, customer.purchases().await[0].shipping_options[0].id);
        let choose = || customer.retour.consumer(&customer.shopper).set_shipping_option(draft, option, key(b"option"));
        let chosen = fresh(choose().await.unwrap(), 200);
        let Done::Replayed(answer) = choose().await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!((answer.status, answer.body), (200, serde_json::to_string(&chosen).unwrap()));

        let order = customer.send_back(&[(0, 1)]).await.id;
        let key = || Some(IdempotencyKey { key: "k-2".to_owned(), ..key(b"cancel").unwrap() });
        let cancelled = fresh(customer.retour.consumer(&customer.shopper).cancel(order, key()).await.unwrap(), 200);
        let Done::Replayed(answer) = customer.retour.consumer(&customer.shopper).cancel(order, key()).await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!((answer.status, answer.body), (200, serde_json::to_string(&cancelled).unwrap()));
    }

    async fn a_key_that_was_used_for_another_request_does_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let (first, second) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(0, 1)]).await);
        fresh(submit(&customer, first, b"one").await.unwrap(), 201);
        assert!(matches!(submit(&customer, second, b"two").await, Err(Error::IdempotencyMismatch)));
        assert_eq!(taken(&database).await.0, 1);
    }

    async fn simultaneous_requests_with_one_key_have_one_effect_and_one_answer(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(16, 1_600)]).await;
        let chosen = customer.choose(&[(0, 1)]).await;
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let (customer, chosen) = (customer.clone(), chosen.clone());
                tokio::spawn(async move { customer.try_draft(chosen, key(b"draft")).await.unwrap() })
            })
            .collect();
        let (mut made, mut repeated) = (Vec::new(), Vec::new());
        for task in tasks {
            match task.await.unwrap() {
                Done::Fresh { status: 201, value } => made.push(serde_json::to_string(&value).unwrap()),
                Done::Replayed(answer) => repeated.push(answer.body),
                Done::Fresh { status, .. } => panic!("{status}"),
            }
        }
        assert_eq!((made.len(), repeated.len()), (1, 15));
        assert!(repeated.iter().all(|body| body == &made[0]));
        assert_eq!(database.rows("draft_return_orders").await, 1);
    }

    async fn a_failed_request_leaves_its_key_unused(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let (draft, winner) = (customer.draft(&[(0, 1)]).await, customer.send_back(&[(0, 1)]).await);
        let exceeded = ErrorCode::Refused(RefusalCode::QuantityExceeded);
        for _ in 0..2 {
            assert_eq!(refusal(submit(&customer, draft, b"body").await), exceeded);
        }
        assert_eq!(database.rows("idempotency_keys").await, 0);
        customer.cancel(winner.id).await.unwrap();
        fresh(submit(&customer, draft, b"body").await.unwrap(), 201);
    }

    async fn a_key_expires_after_a_day(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        fresh(submit(&customer, draft, b"one").await.unwrap(), 201);
        shop.source.set(NOW.plus_hours(24));
        let draft = customer.draft(&[(0, 1)]).await;
        fresh(submit(&customer, draft, b"two").await.unwrap(), 201);
        shop.source.set(NOW.plus_hours(48));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!((database.rows("idempotency_keys").await, database.rows("consumer_tokens").await), (0, 0));
    }
}
