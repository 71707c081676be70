//! Users, their e-mail addresses and their tokens.

use crate::support::*;
use domain::{AccountId, Locale, UserId, UserSessionId, proof::ProofKey, sign_in::SignInStep};
use store::{
    lists::Listing,
    testing::Database,
    user_sessions::{Session, SessionKind},
    users::{self, SignIn, User},
};

pub fn a_user(email: &str, role: &str) -> User {
    User {
        id: UserId(id()),
        email: email.to_owned(),
        name: "Ada".to_owned(),
        role: role.to_owned(),
        language: Some(Locale("pt-BR".to_owned())),
        has_password: true,
        has_app: false,
        has_passkey: false,
        factor_due_at: None,
        last_signed_in_at: None,
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

pub fn a_session(user: UserId) -> Session {
    Session {
        id: Some(UserSessionId(id())),
        user,
        kind: SessionKind::Desk,
        step: SignInStep::Complete,
        started_at: NOW,
        seen_at: NOW,
        confirmed_at: Some(NOW),
        expires_at: NOW.plus_hours(1),
        device: "Firefox on Linux".to_owned(),
        network: "203.0.113.0/24".to_owned(),
        wrong_codes: 0,
    }
}

fn key(email: &str) -> ProofKey {
    ProofKey::new(email).unwrap()
}

pub async fn kept(database: &Database, account: AccountId, email: &str, role: &str) -> User {
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

    async fn a_token_that_sets_a_password_is_valid_in_one_account_until_it_expires(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let end = NOW.plus_hours(1);
        keep!(database, users::insert_password_token, ours, b"token", ada.id, end);
        let find = async |account, at| look!(database, users::find_password_token, account, b"token", at);
        assert_eq!(find(ours, end.plus_seconds(-1)).await, Some(ada.clone()));
        assert_eq!((find(ours, end).await, find(theirs, NOW).await), (None, None));
        assert!(!keep!(database, users::delete_password_token, theirs, b"token"));
        assert!(keep!(database, users::delete_password_token, ours, b"token"));
        assert!(!keep!(database, users::delete_password_token, ours, b"token"));
        keep!(database, users::insert_password_token, ours, b"other", ada.id, end);
        keep!(database, user_sessions::insert, ours, b"session", &a_session(ada.id));
        keep!(database, users::delete_password_tokens, ours, ada.id);
        assert_eq!(database.rows("user_tokens").await, 1, "a session is no token that sets a password");
        assert!(!keep!(database, users::delete_password_token, ours, b"session"));
    }

    async fn tokens_end_with_a_new_password_with_the_user_and_when_they_expire(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "a@b", "admin").await, kept(&database, ours, "b@c", "agent").await);
        keep!(database, users::insert_password_token, ours, b"1", ada.id, NOW.plus_hours(1));
        for (hash, user) in [(b"2", ada.id), (b"3", ben.id)] {
            keep!(database, user_sessions::insert, ours, hash, &a_session(user));
        }
        keep!(database, users::set_password, ours, ada.id, "$new", NOW);
        assert_eq!(database.rows("user_tokens").await, 1);
        keep!(database, users::delete, ours, ben.id);
        assert_eq!((database.rows("user_tokens").await, database.rows("user_emails").await), (0, 1));
        assert!(keep!(database, users::insert, ours, &a_user("b@c", "viewer"), &key("b@c"), ""), "the address is free");
        for (hash, end) in [(b"4", NOW), (b"5", NOW.plus_seconds(1))] {
            keep!(database, users::insert_password_token, ours, hash, ada.id, end);
        }
        assert_eq!((keep!(database, users::prune_tokens, NOW), keep!(database, users::prune_tokens, NOW)), (1, 0));
    }

    async fn a_password_that_was_changed_during_the_sign_in_is_refused(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let known = look!(database, users::find_by_email, &key("a@b")).unwrap();
        assert!(keep!(database, users::hold_password, &known));
        keep!(database, users::signed_in, ours, ada.id, NOW.plus_seconds(1));
        let seen = look!(database, users::find, ours, ada.id).unwrap();
        assert_eq!((seen.last_signed_in_at, seen.version), (Some(NOW.plus_seconds(1)), 1));
        assert!(!keep!(database, users::hold_password, &SignIn { password_hash: "$old".to_owned(), ..known }));
    }
}

store::on_each_database! {
    async fn failed_sign_ins_count_until_one_succeeds(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let fail = async |account| keep!(database, users::count_wrong_sign_in, account, ada.id);
        assert_eq!((fail(ours).await, fail(ours).await, fail(theirs).await), (Some(1), Some(2), None));
        keep!(database, users::signed_in, ours, ada.id, NOW);
        assert_eq!(fail(ours).await, Some(1));
        keep!(database, users::set_factor_due, ours, ada.id, Some(NOW));
        assert_eq!(look!(database, users::find, ours, ada.id).unwrap().factor_due_at, Some(NOW));
    }
}
