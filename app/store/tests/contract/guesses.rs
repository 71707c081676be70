//! Wrong guesses are counted exactly, and nothing but hashes is kept of them.

use crate::support::*;
use store::{guesses::Counter, testing::Database};

fn counter(subject: &[u8], allowed: i64) -> Counter {
    Counter { subject: subject.to_vec(), allowed }
}

store::on_each_database! {
    async fn no_more_are_counted_than_are_allowed_however_many_come_at_once(database: Database) {
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

    async fn a_guess_that_was_right_is_given_back_and_never_more_than_were_counted(database: Database) {
        assert!(keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        assert!(!keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        for _ in 0..2 {
            keep!(database, guesses::give_back, &[b"order".to_vec()]);
        }
        assert!(keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
        assert!(!keep!(database, guesses::count, &[counter(b"order", 1)], NOW));
    }

    async fn a_guess_counts_by_all_its_counts_each_with_a_limit_of_its_own(database: Database) {
        let both = [counter(b"email", 3), counter(b"order", 2)];
        assert!(keep!(database, guesses::count, &both, NOW));
        assert!(keep!(database, guesses::count, &both, NOW));
        assert!(!keep!(database, guesses::count, &both, NOW), "the order's is as high as it may be");
        keep!(database, guesses::give_back, &both.map(|counter| counter.subject));
        // What was counted by the other is to be undone with the transaction; here it was kept.
        assert_eq!(database.number("SELECT CAST(SUM(failures) AS BIGINT) FROM guesses").await, 3);
    }

    async fn a_count_is_full_when_it_is_as_high_as_it_may_be(database: Database) {
        let [low, high] = [counter(b"low", 2), counter(b"high", 5)];
        assert!(!look!(database, guesses::is_any_full, &[low.clone(), high.clone()]), "nothing is counted yet");
        for full in [false, true] {
            keep!(database, guesses::count, std::slice::from_ref(&low), NOW);
            assert_eq!(look!(database, guesses::is_any_full, &[high.clone(), low.clone()]), full);
        }
        assert!(!look!(database, guesses::is_any_full, std::slice::from_ref(&high)), "the other's");
    }

    async fn an_address_is_trusted_for_what_it_guessed_until_that_ends(database: Database) {
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

    async fn only_what_is_over_is_forgotten(database: Database) {
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
