//! The portal's sessions.

use crate::support::*;
use store::testing::Database;

store::on_each_database! {
    async fn a_session_is_inserted_updated_and_deleted(database: Database) {
        let end = NOW.plus_seconds(10);
        assert!(keep!(database, sessions::insert, b"one", "first", end));
        assert!(!keep!(database, sessions::insert, b"one", "second", end), "the id is taken");
        assert_eq!(look!(database, sessions::find, b"one", NOW), Some(("first".to_owned(), end)));
        assert!(keep!(database, sessions::insert, b"two", "other", end));
        keep!(database, sessions::update, b"one", "second", end.plus_seconds(1));
        assert_eq!(look!(database, sessions::find, b"one", NOW), Some(("second".to_owned(), end.plus_seconds(1))));
        keep!(database, sessions::delete, b"one");
        keep!(database, sessions::update, b"one", "third", end);
        assert_eq!(look!(database, sessions::find, b"one", NOW), None, "an update does not restore a deleted session");
        assert_eq!(look!(database, sessions::find, b"two", NOW), Some(("other".to_owned(), end)));
    }

    async fn an_expired_session_is_not_found_and_is_then_deleted(database: Database) {
        keep!(database, sessions::insert, b"old", "x", NOW);
        keep!(database, sessions::insert, b"good", "x", NOW.plus_seconds(1));
        assert_eq!(look!(database, sessions::find, b"old", NOW), None);
        assert!(look!(database, sessions::find, b"good", NOW).is_some());
        assert_eq!(keep!(database, sessions::prune, NOW), 1);
        assert_eq!(database.rows("sessions").await, 1);
    }
}
