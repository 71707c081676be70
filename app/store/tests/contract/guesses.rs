//! Counters of guesses.

use crate::support::*;
use store::{guesses::Counter, testing::Database};

fn counter(subject: &[u8], allowed: i64) -> Counter {
    Counter { subject: subject.to_vec(), allowed }
}

store::on_each_database! {
    async fn concurrent_guesses_never_exceed_the_limit(database: Database) {
        let tasks: Vec<_> = (0..50)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, guesses::count, &[counter(b"order", 10)], NOW.plus_hours(1)) })
            })
            .collect();
        let mut counted = 0;
        for task in tasks {
            counted += u32::from(task.await.unwrap());
        }
        assert_eq!(counted, 10);
        assert_eq!(database.number("SELECT failures FROM guesses").await, 10);
        assert!(keep!(database, guesses::count, &[counter(b"another", 10)], NOW.plus_hours(1)));
    }

    async fn a_right_guess_is_given_back_and_no_counter_falls_below_zero(database: Database) {
        assert!(keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        assert!(!keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        for _ in 0..2 {
            keep!(database, guesses::give_back, &[b"order".to_vec()]);
        }
        assert!(keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        assert!(!keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
    }

    async fn a_guess_counts_on_all_its_counters_each_with_its_own_limit(database: Database) {
        let both = [counter(b"email", 3), counter(b"order", 2)];
        assert!(keep!(database, guesses::count, &both, NOW));
        assert!(keep!(database, guesses::count, &both, NOW));
        assert!(!keep!(database, guesses::count, &both, NOW), "the counter of the order is at its limit");
        keep!(database, guesses::give_back, &both.map(|counter| counter.subject));
        // The caller rolls back what the other counter counted; here it was committed.
        assert_eq!(database.number("SELECT CAST(SUM(failures) AS BIGINT) FROM guesses").await, 3);
    }

    async fn a_counter_is_full_at_its_limit(database: Database) {
        let [low, high] = [counter(b"low", 2), counter(b"high", 5)];
        assert!(!look!(database, guesses::is_any_full, &[low.clone(), high.clone()]), "nothing was counted yet");
        for full in [false, true] {
            keep!(database, guesses::count, std::slice::from_ref(&low), NOW);
            assert_eq!(look!(database, guesses::is_any_full, &[high.clone(), low.clone()]), full);
        }
        assert!(!look!(database, guesses::is_any_full, std::slice::from_ref(&high)), "the other counter has a higher limit");
    }

    async fn an_address_is_trusted_for_its_subject_until_it_expires(database: Database) {
        let [order, other, here, there] = ["order", "other", "here", "there"].map(|text| text.as_bytes().to_vec());
        let later = NOW.plus_days(90);
        keep!(database, guesses::trust, &order, &here, NOW.plus_seconds(1));
        keep!(database, guesses::trust, &order, &here, later);
        keep!(database, guesses::trust, &other, &there, later);
        assert!(look!(database, guesses::is_trusted, &order, &here, later.plus_seconds(-1)));
        assert!(!look!(database, guesses::is_trusted, &order, &here, later));
        assert!(!look!(database, guesses::is_trusted, &order, &there, NOW));
        assert!(look!(database, guesses::is_trusted, &other, &there, NOW));
    }

    async fn only_expired_counters_and_addresses_are_deleted(database: Database) {
        for (subject, expires_at) in [(b"old", NOW), (b"new", NOW.plus_seconds(1))] {
            let subject = subject.to_vec();
            keep!(database, guesses::trust, &subject, &b"here".to_vec(), expires_at);
            keep!(database, guesses::count, &[Counter { subject, allowed: 10 }], expires_at);
        }
        assert_eq!((keep!(database, guesses::prune, NOW), keep!(database, guesses::prune, NOW)), (1, 0));
        assert_eq!((keep!(database, guesses::prune_trusted, NOW), keep!(database, guesses::prune_trusted, NOW)), (1, 0));
        assert_eq!((database.rows("guesses").await, database.rows("trusted_addresses").await), (1, 1));
    }
}
