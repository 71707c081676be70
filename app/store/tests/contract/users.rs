//! Users, their e-mail addresses and their tokens.

use crate::support::*;
use domain::{AccountId, UserId, proof::ProofKey};
use store::{
    lists::Listing,
    testing::Database,
    users::{self, SignIn, TokenPurpose, User},
};

fn a_user(email: &str, role: &str) -> User {
    User {
        id: UserId(id()),
        email: email.to_owned(),
        name: "Ada".to_owned(),
        role: role.to_owned(),
        has_password: true,
        last_signed_in_at: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

fn key(email: &str) -> ProofKey {
    ProofKey::new(email).unwrap()
}

async fn kept(database: &Database, account: AccountId, email: &str, role: &str) -> User {
    let user = a_user(email, role);
    assert!(keep!(database, users::insert, account, &user, &key(email), "$hash"));
    user
}

async fn found(database: &Database, account: AccountId, clause: &str) -> Vec<UserId> {
    let asked = Listing { conditions: vec![users::LIST.condition(clause).unwrap()], ..Listing::newest(FIRST_PAGE) };
    look!(database, users::list, account, &asked).rows.iter().map(|user| user.id).collect()
}

store::on_each_database! {
    async fn an_e_mail_address_belongs_to_one_user_of_the_installation(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "Ada@Example.com", "admin").await;
        for account in [ours, theirs] {
            let mut writing = database.store.write().await.unwrap();
            let again = a_user("ada@example.com", "viewer");
            assert!(!users::insert(writing.db(), account, &again, &key("ada@example.com"), "").await.unwrap());
        }
        assert_eq!(look!(database, users::find, ours, ada.id), Some(ada.clone()));
        assert_eq!(look!(database, users::find, theirs, ada.id), None);
        let known = look!(database, users::find_by_email, &key(" ADA@example.com")).unwrap();
        assert_eq!((known.account, known.id, known.password_hash.as_str()), (ours, ada.id, "$hash"));
        assert!(look!(database, users::find_by_email, &key("eve@example.com")).is_none());
    }

    async fn of_many_concurrent_users_one_gets_an_e_mail_address(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let (database, account) = (database.clone(), if number % 2 == 0 { ours } else { theirs });
                tokio::spawn(async move {
                    let mut writing = database.store.write().await.unwrap();
                    let is_free =
                        users::insert(writing.db(), account, &a_user("a@b", "viewer"), &key("a@b"), "").await.unwrap();
                    if is_free {
                        writing.commit().await.unwrap();
                    }
                    is_free
                })
            })
            .collect();
        let mut winners = 0;
        for task in tasks {
            winners += u32::from(task.await.unwrap());
        }
        assert_eq!((winners, database.rows("users").await), (1, 1));
    }

    async fn users_are_listed_by_e_mail_address_and_role_within_their_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "Ada@example.com", "admin").await, kept(&database, ours, "b@c", "viewer").await);
        kept(&database, theirs, "eve@example.com", "admin").await;
        assert_eq!(look!(database, users::list, ours, &Listing::newest(FIRST_PAGE)).rows, [ben.clone(), ada.clone()]);
        assert_eq!(found(&database, ours, "email:ada@EXAMPLE.com").await, [ada.id]);
        assert_eq!(found(&database, ours, "email:eve@example.com").await, []);
        assert_eq!(found(&database, ours, "role:viewer").await, [ben.id]);
    }

    async fn another_admin_belongs_to_the_account_and_can_sign_in(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        kept(&database, ours, "b@c", "agent").await;
        kept(&database, theirs, "c@d", "admin").await;
        let invited = a_user("d@e", "admin");
        assert!(keep!(database, users::insert, ours, &invited, &key("d@e"), ""));
        assert!(!look!(database, users::has_other_admin, ours, ada.id));
        keep!(database, users::set_password, ours, invited.id, "$set", NOW.plus_seconds(5));
        assert!(look!(database, users::has_other_admin, ours, ada.id));
        let active = look!(database, users::find, ours, invited.id).unwrap();
        assert_eq!((active.has_password, active.version, active.updated_at), (true, 2, NOW.plus_seconds(5)));
    }

    async fn a_token_is_valid_for_one_purpose_in_one_account_until_it_expires(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let end = NOW.plus_hours(1);
        keep!(database, users::insert_token, ours, b"token", ada.id, TokenPurpose::Access, end);
        let find = async |account, purpose, at| look!(database, users::find_token, account, b"token", purpose, at);
        assert_eq!(find(ours, TokenPurpose::Access, end.plus_seconds(-1)).await, Some(ada.clone()));
        assert_eq!(find(ours, TokenPurpose::Access, end).await, None);
        assert_eq!(find(ours, TokenPurpose::Password, NOW).await, None);
        assert_eq!(find(theirs, TokenPurpose::Access, NOW).await, None);
        assert!(!keep!(database, users::delete_token, ours, b"token", TokenPurpose::Password));
        assert!(!keep!(database, users::delete_token, theirs, b"token", TokenPurpose::Access));
        keep!(database, users::delete_tokens_for, ours, ada.id, TokenPurpose::Password);
        assert_eq!(find(ours, TokenPurpose::Access, NOW).await, Some(ada.clone()));
        let demoted = User { role: "viewer".to_owned(), ..ada.clone() };
        keep!(database, users::update, ours, &demoted);
        assert_eq!(find(ours, TokenPurpose::Access, NOW).await, Some(User { version: 2, ..demoted }), "a change of the user shows at once");
        assert!(keep!(database, users::delete_token, ours, b"token", TokenPurpose::Access));
        assert!(!keep!(database, users::delete_token, ours, b"token", TokenPurpose::Access));
    }

    async fn tokens_end_with_a_new_password_with_the_user_and_when_they_expire(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "a@b", "admin").await, kept(&database, ours, "b@c", "agent").await);
        for (hash, user) in [(b"1", ada.id), (b"2", ada.id), (b"3", ben.id)] {
            keep!(database, users::insert_token, ours, hash, user, TokenPurpose::Access, NOW.plus_hours(1));
        }
        keep!(database, users::set_password, ours, ada.id, "$new", NOW);
        assert_eq!(database.rows("user_tokens").await, 1);
        keep!(database, users::delete, ours, ben.id);
        assert_eq!((database.rows("user_tokens").await, database.rows("user_emails").await), (0, 1));
        assert!(keep!(database, users::insert, ours, &a_user("b@c", "viewer"), &key("b@c"), ""), "the address is free");
        for (hash, end) in [(b"4", NOW), (b"5", NOW.plus_seconds(1))] {
            keep!(database, users::insert_token, ours, hash, ada.id, TokenPurpose::Access, end);
        }
        assert_eq!((keep!(database, users::prune_tokens, NOW), keep!(database, users::prune_tokens, NOW)), (1, 0));
    }

    async fn a_password_that_was_changed_during_the_sign_in_is_refused(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let known = look!(database, users::find_by_email, &key("a@b")).unwrap();
        assert!(keep!(database, users::sign_in, &known, NOW.plus_seconds(1)));
        let seen = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((seen.last_signed_in_at, seen.version), (Some(NOW.plus_seconds(1)), 1));
        assert!(!keep!(database, users::sign_in, &SignIn { password_hash: "$old".to_owned(), ..known }, NOW));
    }
}
