//! Wrong guesses are counted exactly, and nothing but hashes is kept of them.

use crate::support::*;
use store::testing::Database;

store::on_each_database! {
    async fn no_more_are_counted_than_are_allowed_however_many_come_at_once(database: Database) {
        let tasks: Vec<_> = (0..50)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, guesses::count, b"order", 10, NOW.plus_hours(1)) })
            })
            .collect();
        let mut counted = 0;
        for task in tasks {
            counted += u32::from(task.await.unwrap());
        }
        assert_eq!(counted, 10);
        assert_eq!(database.number("SELECT failures FROM guesses").await, 10);
        assert!(keep!(database, guesses::count, b"another", 10, NOW.plus_hours(1)));
    }

    async fn a_guess_that_was_right_is_given_back_and_never_more_than_were_counted(database: Database) {
        assert!(keep!(database, guesses::count, b"order", 1, NOW));
        assert!(!keep!(database, guesses::count, b"order", 1, NOW));
        for _ in 0..2 {
            keep!(database, guesses::give_back, b"order");
        }
        assert!(keep!(database, guesses::count, b"order", 1, NOW));
        assert!(!keep!(database, guesses::count, b"order", 1, NOW));
    }

    async fn an_address_is_trusted_for_what_it_guessed_until_that_ends(database: Database) {
        let later = NOW.plus_days(90);
        keep!(database, guesses::trust, b"order", b"here", NOW.plus_seconds(1));
        keep!(database, guesses::trust, b"order", b"here", later);
        assert!(look!(database, guesses::is_trusted, b"order", b"here", later.plus_seconds(-1)));
        assert!(!look!(database, guesses::is_trusted, b"order", b"here", later));
        assert!(!look!(database, guesses::is_trusted, b"order", b"there", NOW));
        assert!(!look!(database, guesses::is_trusted, b"other", b"here", NOW));
    }

    async fn only_what_is_over_is_forgotten(database: Database) {
        for (subject, expires_at) in [(b"old", NOW), (b"new", NOW.plus_seconds(1))] {
            keep!(database, guesses::count, subject, 10, expires_at);
            keep!(database, guesses::trust, subject, b"here", expires_at);
        }
        assert_eq!((keep!(database, guesses::prune, NOW), keep!(database, guesses::prune, NOW)), (1, 0));
        assert_eq!((keep!(database, guesses::prune_trusted, NOW), keep!(database, guesses::prune_trusted, NOW)), (1, 0));
        assert_eq!((database.rows("guesses").await, database.rows("trusted_addresses").await), (1, 1));
    }
}
