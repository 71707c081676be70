//! The second factor of users.

use crate::{support::*, users::kept};
use store::{
    testing::Database,
    user_factors::{Resealed, Totp},
};

store::on_each_database! {
    async fn an_app_counts_once_a_code_has_confirmed_its_secret(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let find = async || look!(database, user_factors::find, ours, ada.id).unwrap();
        assert_eq!(look!(database, user_factors::find, theirs, ada.id), None);
        keep!(database, users::set_factor_due, ours, ada.id, Some(NOW));
        keep!(database, user_factors::begin, theirs, ada.id, "elsewhere");
        keep!(database, user_factors::begin, ours, ada.id, "one");
        assert_eq!(find().await, Totp { secret: String::new(), pending: "one".to_owned(), since: None });
        let confirm = async |pending, step| keep!(database, user_factors::confirm, ours, ada.id, pending, NOW, step);
        assert!(!confirm("", 7).await && !confirm("two", 7).await, "another secret is pending");
        assert!(confirm("one", 7).await);
        assert!(!confirm("one", 7).await && !confirm("", 7).await, "it is confirmed already");
        assert_eq!(find().await, Totp { secret: "one".to_owned(), pending: String::new(), since: Some(NOW) });
        let user = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((user.has_second_factor(), user.factor_due_at, user.version), (true, None, 2));
        keep!(database, user_factors::begin, ours, ada.id, "two");
        assert_eq!(find().await.secret, "one", "the first app stays valid until the second one is confirmed");
        assert_eq!(look!(database, user_factors::list_secrets), [(ours, ada.id, "one".to_owned())]);
        keep!(database, user_factors::remove, ours, ada.id, NOW.plus_seconds(1));
        assert_eq!(find().await, Totp { secret: String::new(), pending: String::new(), since: None });
        let user = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((user.has_second_factor(), user.factor_due_at), (false, Some(NOW.plus_seconds(1))));
    }

    async fn each_code_is_used_once_also_by_concurrent_requests(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        keep!(database, user_factors::begin, ours, ada.id, "one");
        assert!(keep!(database, user_factors::confirm, ours, ada.id, "one", NOW, 7));
        let used = async |stored, step| {
            keep!(database, user_factors::use_step, ours, ada.id, Resealed { stored, new: "one" }, step)
        };
        assert!(!used("one", 7).await, "the code that confirmed the app is used up");
        assert!(!used("two", 8).await && used("one", 8).await && !used("one", 8).await && !used("one", 7).await);
        keep!(database, user_factors::replace_codes, ours, ada.id, &[b"a".to_vec(), b"b".to_vec()]);
        for is_step in [true, false] {
            let tasks: Vec<_> = (0..16)
                .map(|_| {
                    let database = database.clone();
                    tokio::spawn(async move {
                        if is_step {
                            keep!(database, user_factors::use_step, ours, ada.id, Resealed { stored: "one", new: "one" }, 9)
                        } else {
                            keep!(database, user_factors::use_code, ours, ada.id, b"a")
                        }
                    })
                })
                .collect();
            let mut accepted = 0;
            for task in tasks {
                accepted += u32::from(task.await.unwrap());
            }
            assert_eq!(accepted, 1);
        }
        assert_eq!(look!(database, user_factors::count_codes, ours, ada.id), 1);
    }

    async fn recovery_codes_belong_to_their_user_and_end_with_the_factor(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "a@b", "admin").await, kept(&database, ours, "b@c", "agent").await);
        for user in [ada.id, ben.id] {
            keep!(database, user_factors::replace_codes, ours, user, &[b"a".to_vec(), b"b".to_vec()]);
        }
        assert!(!keep!(database, user_factors::use_code, theirs, ada.id, b"a"));
        assert!(keep!(database, user_factors::use_code, ours, ada.id, b"a"));
        assert_eq!(look!(database, user_factors::count_codes, ours, ben.id), 2);
        keep!(database, user_factors::replace_codes, ours, ada.id, &[b"c".to_vec()]);
        assert!(!keep!(database, user_factors::use_code, ours, ada.id, b"b"), "old codes end with new ones");
        keep!(database, user_factors::remove, ours, ada.id, NOW);
        keep!(database, users::delete, ours, ben.id);
        assert_eq!(database.rows("user_recovery_codes").await, 0);
    }
}
