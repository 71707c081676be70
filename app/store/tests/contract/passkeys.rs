//! Passkeys and their challenges.

use crate::{support::*, users::kept};
use domain::{PasskeyId, UserId};
use store::{passkeys::Passkey, testing::Database};

fn a_passkey(user: UserId, credential_id: &[u8]) -> Passkey {
    Passkey {
        id: PasskeyId(id()),
        user,
        credential_id: credential_id.to_vec(),
        public_key: vec![0xa5, 0, 0xff],
        name: "Work laptop".to_owned(),
        sign_count: 3,
        may_be_synced: true,
        created_at: NOW,
        last_used_at: None,
    }
}

store::on_each_database! {
    async fn a_passkey_belongs_to_its_user_and_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "a@b", "admin").await, kept(&database, ours, "b@c", "agent").await);
        let (first, second) = (a_passkey(ada.id, b"one"), a_passkey(ada.id, &[7; 1_023]));
        for passkey in [&first, &second] {
            assert!(keep!(database, passkeys::insert, ours, passkey));
        }
        assert!(!keep!(database, passkeys::insert, ours, &a_passkey(ben.id, b"one")), "it belongs to somebody already");
        assert_eq!(look!(database, passkeys::list, ours, ada.id), [first.clone(), second.clone()]);
        assert_eq!(look!(database, passkeys::find, ours, &[7; 1_023]), Some(second.clone()));
        assert_eq!(look!(database, passkeys::find, theirs, b"one"), None);
        assert_eq!(look!(database, passkeys::list, theirs, ada.id), []);
        let user = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((user.has_app, user.has_passkey, user.has_second_factor()), (false, true, true));
        assert!(!look!(database, users::find, ours, ben.id).unwrap().has_second_factor());
        let delete = async |account, user, id| keep!(database, passkeys::delete, account, user, id);
        assert!(!delete(theirs, ada.id, first.id).await && !delete(ours, ben.id, first.id).await);
        assert!(delete(ours, ada.id, first.id).await && !delete(ours, ada.id, first.id).await);
        keep!(database, users::delete, ours, ada.id);
        assert_eq!(database.rows("passkeys").await, 0);
    }

    async fn of_two_uses_of_one_passkey_that_was_read_one_counts(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let read = a_passkey(ada.id, b"one");
        keep!(database, passkeys::insert, ours, &read);
        let later = NOW.plus_seconds(60);
        let used = async |account, read: &Passkey, count| {
            keep!(database, passkeys::record_use, account, read, count, later)
        };
        assert!(!used(theirs, &read, 4).await && used(ours, &read, 4).await && !used(ours, &read, 5).await);
        let now = look!(database, passkeys::find, ours, b"one").unwrap();
        assert_eq!((now.sign_count, now.last_used_at), (4, Some(later)));
        keep!(database, passkeys::delete_all, ours, ada.id);
        assert!(!used(ours, &now, 5).await, "it was removed");
    }

    async fn recovery_codes_end_with_the_last_factor(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let passkey = a_passkey(ada.id, b"one");
        keep!(database, passkeys::insert, ours, &passkey);
        keep!(database, user_factors::begin, ours, ada.id, "one");
        keep!(database, user_factors::confirm, ours, ada.id, "one", NOW, 7);
        keep!(database, user_factors::replace_codes, ours, ada.id, &[b"a".to_vec()]);
        keep!(database, user_factors::remove, ours, ada.id, NOW);
        let user = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((user.has_app, user.has_second_factor(), user.factor_due_at), (false, true, None));
        assert_eq!(look!(database, user_factors::count_codes, ours, ada.id), 1, "the passkey is left");
        keep!(database, passkeys::delete, ours, ada.id, passkey.id);
        keep!(database, user_factors::note_removal, ours, ada.id, NOW);
        let user = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((user.has_second_factor(), user.factor_due_at), (false, Some(NOW)));
        assert_eq!(look!(database, user_factors::count_codes, ours, ada.id), 0);
    }

    async fn a_challenge_is_taken_once_and_in_time(database: Database) {
        for (hash, seconds) in [(b"a", 300), (b"b", 300), (b"c", 0)] {
            keep!(database, passkeys::insert_challenge, hash, NOW.plus_seconds(seconds));
        }
        let take = async |hash: &'static [u8]| keep!(database, passkeys::take_challenge, hash, NOW);
        assert!(!take(b"c").await, "it has expired");
        assert!(!take(b"d").await && take(b"a").await && !take(b"a").await);
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, passkeys::take_challenge, b"b", NOW) })
            })
            .collect();
        let mut taken = 0;
        for task in tasks {
            taken += u32::from(task.await.unwrap());
        }
        assert_eq!(taken, 1);
        assert_eq!(keep!(database, passkeys::prune_challenges, NOW), 1);
        assert_eq!(database.rows("passkey_challenges").await, 0);
    }
}
