//! Answers that are given again.

use crate::support::*;
use store::{
    idempotency::{Answer, Claim, Key},
    testing::Database,
};

fn key(credential: &str, key: &str, fingerprint: &[u8]) -> Key {
    Key { credential: credential.to_owned(), key: key.to_owned(), fingerprint: fingerprint.to_vec() }
}

fn answer(body: &str) -> Answer {
    Answer { status: 201, body: body.to_owned() }
}

store::on_each_database! {
    async fn a_key_is_new_once_and_then_repeats_its_answer_byte_for_byte(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ours_key = key("consumer:1", "k", &[0, 255]);
        let given = answer("{\"b\":1,  \"a\":\"né\\u00e9 手\"}\n");
        assert_eq!(keep!(database, idempotency::claim, ours, &ours_key, NOW), Claim::New);
        keep!(database, idempotency::answer, ours, &ours_key, &given);
        for _ in 0..2 {
            assert_eq!(keep!(database, idempotency::claim, ours, &ours_key, NOW), Claim::Repeated(given.clone()));
        }
    }

    async fn a_key_that_was_used_for_something_else_is_a_mismatch(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &answer("1"));
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "k", b"two"), NOW), Claim::Mismatch);
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), Claim::Repeated(answer("1")));
    }

    async fn keys_belong_to_their_account_and_credential(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), Claim::New);
        assert_eq!(keep!(database, idempotency::claim, theirs, &first, NOW), Claim::New);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:2", "k", b"two"), NOW), Claim::New);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "K", b"two"), NOW), Claim::New);
        keep!(database, idempotency::answer, theirs, &first, &answer("theirs"));
        keep!(database, idempotency::answer, ours, &first, &answer("ours"));
        assert_eq!(keep!(database, idempotency::claim, theirs, &first, NOW), Claim::Repeated(answer("theirs")));
        assert_eq!(keep!(database, idempotency::claim, ours, &first, NOW), Claim::Repeated(answer("ours")));
    }

    async fn a_key_is_new_again_after_24_hours(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (first, second) = (key("consumer:1", "k", b"one"), key("consumer:1", "k", b"two"));
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &answer("1"));
        let last = NOW.plus_hours(24).plus_seconds(-1);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, last), Claim::Mismatch);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, NOW.plus_hours(24)), Claim::New);
        keep!(database, idempotency::answer, ours, &second, &answer("2"));
        let later = NOW.plus_hours(47);
        assert_eq!(keep!(database, idempotency::claim, ours, &second, later), Claim::Repeated(answer("2")));
    }

    async fn looking_a_key_up_claims_nothing(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        assert_eq!(look!(database, idempotency::find, ours, &first, NOW), Claim::New);
        keep!(database, idempotency::claim, ours, &first, NOW);
        keep!(database, idempotency::answer, ours, &first, &answer("1"));
        let last = NOW.plus_hours(24).plus_seconds(-1);
        assert_eq!(look!(database, idempotency::find, ours, &first, last), Claim::Repeated(answer("1")));
        assert_eq!(look!(database, idempotency::find, ours, &key("consumer:1", "k", b"two"), last), Claim::Mismatch);
        assert_eq!(look!(database, idempotency::find, ours, &first, NOW.plus_hours(24)), Claim::New);
        assert_eq!(look!(database, idempotency::find, theirs, &first, NOW), Claim::New);
    }

    async fn a_leased_key_is_under_way_until_it_is_answered_given_back_or_a_minute_old(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (first, second) = (key("consumer:1", "k", b"one"), key("consumer:1", "k", b"two"));
        assert_eq!(keep!(database, idempotency::lease, ours, &first, NOW), Claim::New);
        let last = NOW.plus_seconds(59);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, last), Claim::UnderWay);
        assert_eq!(look!(database, idempotency::find, ours, &first, last), Claim::UnderWay);
        assert_eq!(keep!(database, idempotency::lease, ours, &second, last), Claim::Mismatch);
        assert_eq!(keep!(database, idempotency::lease, theirs, &first, last), Claim::New);
        let later = NOW.plus_seconds(60);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, later), Claim::New);
        keep!(database, idempotency::release, ours, &first);
        assert_eq!(look!(database, idempotency::find, ours, &first, later), Claim::New);
        assert_eq!(look!(database, idempotency::find, theirs, &first, last), Claim::UnderWay);
        keep!(database, idempotency::claim, ours, &first, later);
        keep!(database, idempotency::answer, ours, &first, &answer("1"));
        keep!(database, idempotency::release, ours, &first);
        let day = later.plus_hours(24).plus_seconds(-1);
        assert_eq!(keep!(database, idempotency::lease, ours, &first, day), Claim::Repeated(answer("1")), "what was answered stays");
    }

    async fn only_expired_answers_are_forgotten(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        keep!(database, idempotency::claim, ours, &key("consumer:1", "old", b"1"), NOW);
        keep!(database, idempotency::claim, ours, &key("consumer:1", "good", b"1"), NOW.plus_seconds(1));
        assert_eq!(keep!(database, idempotency::prune, NOW.plus_hours(24)), 1);
        assert_eq!(database.texts("SELECT key FROM idempotency_keys").await, ["good"]);
    }

    async fn a_claim_that_is_undone_was_never_made(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let first = key("consumer:1", "k", b"one");
        let mut writing = database.store.write().await.unwrap();
        assert_eq!(store::idempotency::claim(writing.db(), ours, &first, NOW).await.unwrap(), Claim::New);
        drop(writing);
        assert_eq!(keep!(database, idempotency::claim, ours, &key("consumer:1", "k", b"two"), NOW), Claim::New);
    }

    async fn of_many_who_claim_a_key_at_once_one_gets_it_and_the_rest_its_answer(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let database = database.clone();
                tokio::spawn(async move {
                    let key = key("consumer:1", "k", b"one");
                    let mut writing = database.store.write().await.unwrap();
                    let claim = store::idempotency::claim(writing.db(), ours, &key, NOW).await.unwrap();
                    if claim == Claim::New {
                        store::idempotency::answer(writing.db(), ours, &key, &answer(&format!("{number}"))).await.unwrap();
                    }
                    writing.commit().await.unwrap();
                    claim
                })
            })
            .collect();
        let mut repeated = Vec::new();
        for task in tasks {
            if let Claim::Repeated(answer) = task.await.unwrap() {
                repeated.push(answer);
            }
        }
        assert_eq!(repeated.len(), 15);
        assert!(!repeated[0].body.is_empty() && repeated.iter().all(|answer| answer == &repeated[0]));
    }
}
