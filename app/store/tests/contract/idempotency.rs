//! Idempotency keys.

use crate::support::*;
use store::{
    idempotency::{IdempotencyKey, KeyClaim, StoredResponse},
    testing::Database,
};

fn key(credential: &str, key: &str, fingerprint: &[u8]) -> IdempotencyKey {
    IdempotencyKey { credential: credential.to_owned(), key: key.to_owned(), fingerprint: fingerprint.to_vec() }
}

fn response(body: &str) -> StoredResponse {
    StoredResponse { status: 201, body: body.to_owned() }
}

store::on_each_database! {
    async fn a_key_is_new_once_and_then_repeats_its_response_byte_for_byte(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ours_key = key("consumer:1", "k", &[0, 255]);
        let given = response("{\"b\":1,  \"a\":\"né\\u00e9 手\"}\n");
        assert_eq!(keep!(database, idempotency::claim, ours, &ours_key, NOW), KeyClaim::New);
        keep!(database, idempotency::answer, ours, &ours_key, &given);
        for _ in 0..2 {
            assert_eq!(keep!(database, idempotency::claim, ours, &ours_key, NOW), KeyClaim::Repeated(given.clone()));
        }
    }

    async fn a_key_of_another_request_is_a_mismatch(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &response("1"));
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "k", b"two"), NOW), KeyClaim::Mismatch);
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), KeyClaim::Repeated(response("1")));
    }

    async fn keys_belong_to_their_account_and_credential(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), KeyClaim::New);
        assert_eq!(keep!(database, idempotency::claim, theirs, &first, NOW), KeyClaim::New);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:2", "k", b"two"), NOW), KeyClaim::New);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "K", b"two"), NOW), KeyClaim::New);
        keep!(database, idempotency::answer, theirs, &first, &response("theirs"));
        keep!(database, idempotency::answer, ours, &first, &response("ours"));
        assert_eq!(keep!(database, idempotency::claim, theirs, &first, NOW), KeyClaim::Repeated(response("theirs")));
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), KeyClaim::Repeated(response("ours")));
    }

    async fn a_key_is_new_again_after_24_hours(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (first, second) = (key("consumer:1", "k", b"one"), key("consumer:1", "k", b"two"));
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &response("1"));
        let last = NOW.plus_hours(24).plus_seconds(-1);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, last), KeyClaim::Mismatch);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, NOW.plus_hours(24)), KeyClaim::New);
        keep!(database, idempotency::answer, ours, &second, &response("2"));
        let later = NOW.plus_hours(47);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, later), KeyClaim::Repeated(response("2")));
    }

    async fn finding_a_key_does_not_claim_it(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        assert_eq!(look!(database, idempotency::find, ours, &first, NOW), KeyClaim::New);
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &response("1"));
        let last = NOW.plus_hours(24).plus_seconds(-1);
        assert_eq!(look!(database, idempotency::find, ours, &first, last), KeyClaim::Repeated(response("1")));
        assert_eq!(look!(database, idempotency::find, ours, &key("consumer:1", "k", b"two"), last), KeyClaim::Mismatch);
        assert_eq!(look!(database, idempotency::find, ours, &first, NOW.plus_hours(24)), KeyClaim::New);
        assert_eq!(look!(database, idempotency::find, theirs, &first, NOW), KeyClaim::New);
    }

    async fn a_lease_ends_with_the_response_a_release_or_after_a_minute(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (first, second) = (key("consumer:1", "k", b"one"), key("consumer:1", "k", b"two"));
        assert_eq!(keep!(database, idempotency::lease, ours, &first, NOW), KeyClaim::New);
        let last = NOW.plus_seconds(59);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, last), KeyClaim::UnderWay);
        assert_eq!(look!(database, idempotency::find, ours, &first, last), KeyClaim::UnderWay);
        assert_eq!(keep!(database, idempotency::lease, ours, &second, last), KeyClaim::Mismatch);
        assert_eq!(keep!(database, idempotency::lease, theirs, &first, last), KeyClaim::New);
        let later = NOW.plus_seconds(60);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, later), KeyClaim::New);
        keep!(database, idempotency::release, ours, &first);
        assert_eq!(look!(database, idempotency::find, ours, &first, later), KeyClaim::New);
        assert_eq!(look!(database, idempotency::find, theirs, &first, last), KeyClaim::UnderWay);
        keep!(database, idempotency::claim, ours, &first, later);
        keep!(database, idempotency::answer, ours, &first, &response("1"));
        keep!(database, idempotency::release, ours, &first);
        let day = later.plus_hours(24).plus_seconds(-1);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, day), KeyClaim::Repeated(response("1")), "a release does not delete a response");
    }

    async fn only_expired_responses_are_deleted(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        keep!(database, idempotency::claim, ours, &key("consumer:1", "old", b"1"), NOW);
        keep!(database, idempotency::claim, ours, &key("consumer:1", "good", b"1"), NOW.plus_seconds(1));
        assert_eq!(keep!(database, idempotency::prune, NOW.plus_hours(24)), 1);
        assert_eq!(database.texts("SELECT key FROM idempotency_keys").await, ["good"]);
    }

    async fn a_claim_that_is_rolled_back_has_no_effect(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        let mut writing = database.store.write().await.unwrap();
        assert_eq!(store::idempotency::claim(writing.db(), ours, &first, NOW).await.unwrap(), KeyClaim::New);
        drop(writing);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "k", b"two"), NOW), KeyClaim::New);
    }

    async fn of_many_concurrent_claims_one_gets_the_key_and_the_others_its_response(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let database = database.clone();
                tokio::spawn(async move {
                    let key = key("consumer:1", "k", b"one");
                    let mut writing = database.store.write().await.unwrap();
                    let claim = store::idempotency::claim(writing.db(), ours, &key, NOW).await.unwrap();
                    if claim == KeyClaim::New {
                        store::idempotency::answer(writing.db(), ours, &key, &response(&format!("{number}"))).await.unwrap();
                    }
                    writing.commit().await.unwrap();
                    claim
                })
            })
            .collect();
        let mut repeated = Vec::new();
        for task in tasks {
            if let KeyClaim::Repeated(answer) = task.await.unwrap() {
                repeated.push(answer);
            }
        }
        assert_eq!(repeated.len(), 15);
        assert!(!repeated[0].body.is_empty() && repeated.iter().all(|answer| answer == &repeated[0]));
    }
}
