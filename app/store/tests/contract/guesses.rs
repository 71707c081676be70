//! Wrong guesses are counted exactly, and nothing but hashes is kept of them.

use crate::support::*;
use std::collections::HashSet;
use store::testing::Database;

store::on_each_database! {
    async fn no_more_are_counted_than_are_allowed_however_many_come_at_once(database: Database) {
        let tasks: Vec<_> = (0..50)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, guesses::count, &[b"order".to_vec()], 10, NOW.plus_hours(1)) })
            })
            .collect();
        let mut counted = 0;
        for task in tasks {
            counted += u32::from(task.await.unwrap());
        }
        assert_eq!(counted, 10);
        assert_eq!(database.number("SELECT failures FROM guesses").await, 10);
        assert!(keep!(database, guesses::count, &[b"another".to_vec()], 10, NOW.plus_hours(1)));
    }

    async fn a_guess_that_was_right_is_given_back_and_never_more_than_were_counted(database: Database) {
        assert!(keep!(database, guesses::count, &[b"order".to_vec()], 1, NOW));
        assert!(!keep!(database, guesses::count, &[b"order".to_vec()], 1, NOW));
        for _ in 0..2 {
            keep!(database, guesses::give_back, &[b"order".to_vec()]);
        }
        assert!(keep!(database, guesses::count, &[b"order".to_vec()], 1, NOW));
        assert!(!keep!(database, guesses::count, &[b"order".to_vec()], 1, NOW));
    }

    async fn a_guess_at_two_things_counts_at_both_or_is_one_too_many(database: Database) {
        let [order, email] = [b"order".to_vec(), b"email".to_vec()];
        assert!(keep!(database, guesses::count, &[email.clone()], 2, NOW));
        let both = [email, order];
        assert!(keep!(database, guesses::count, &both, 2, NOW));
        assert!(!keep!(database, guesses::count, &both, 2, NOW));
        keep!(database, guesses::give_back, &both);
        // What was counted at the other is to be undone with the transaction; here it was kept.
        assert_eq!(database.number("SELECT CAST(SUM(failures) AS BIGINT) FROM guesses").await, 2);
    }

    async fn an_address_is_trusted_for_what_it_guessed_until_that_ends(database: Database) {
        let [order, other, here, there] = ["order", "other", "here", "there"].map(|text| text.as_bytes().to_vec());
        let later = NOW.plus_days(90);
        keep!(database, guesses::trust, &[(&order, here.clone())], NOW.plus_seconds(1));
        keep!(database, guesses::trust, &[(&order, here.clone()), (&other, there.clone())], later);
        let asked = [(&order, here), (&other, there.clone())];
        let both = HashSet::from([order.clone(), other.clone()]);
        assert_eq!(look!(database, guesses::find_trusted, &asked, later.plus_seconds(-1)), both);
        assert_eq!(look!(database, guesses::find_trusted, &asked, later), HashSet::new());
        let asked = [(&order, there.clone()), (&other, there)];
        assert_eq!(look!(database, guesses::find_trusted, &asked, NOW), HashSet::from([other]));
    }

    async fn only_what_is_over_is_forgotten(database: Database) {
        for (subject, expires_at) in [(b"old", NOW), (b"new", NOW.plus_seconds(1))] {
            let subject = subject.to_vec();
            keep!(database, guesses::trust, &[(&subject, b"here".to_vec())], expires_at);
            keep!(database, guesses::count, &[subject], 10, expires_at);
        }
        assert_eq!((keep!(database, guesses::prune, NOW), keep!(database, guesses::prune, NOW)), (1, 0));
        assert_eq!((keep!(database, guesses::prune_trusted, NOW), keep!(database, guesses::prune_trusted, NOW)), (1, 0));
        assert_eq!((database.rows("guesses").await, database.rows("trusted_addresses").await), (1, 1));
    }
}
