//! Service users and their keys.

use crate::support::*;
use domain::ServiceUserId;
use store::{
    lists::Listing,
    service_users::{KeptKey, ServiceUser},
    testing::Database,
};

fn a_program(name: &str, scopes: &str) -> ServiceUser {
    ServiceUser {
        id: ServiceUserId(id()),
        name: name.to_owned(),
        scopes: scopes.to_owned(),
        key_last_four: "0ff1".to_owned(),
        last_used_at: None,
        created_at: NOW,
        updated_at: NOW,
        revoked_at: None,
        version: 1,
    }
}

fn a_key(hash: &[u8]) -> KeptKey {
    KeptKey { hash: hash.to_vec(), last_four: "0ff1".to_owned() }
}

store::on_each_database! {
    async fn a_service_user_is_found_by_the_hash_of_its_key_in_its_own_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let program = a_program("ERP", "read,write");
        keep!(database, service_users::insert, ours, &program, &a_key(&[0, 255, 7]));
        assert_eq!(look!(database, service_users::find_by_key, ours, &[0, 255, 7]), Some(program.clone()));
        assert_eq!(look!(database, service_users::find, ours, program.id), Some(program.clone()));
        assert!(look!(database, service_users::find_by_key, theirs, &[0, 255, 7]).is_none());
        assert!(look!(database, service_users::find_by_key, ours, &[0, 255]).is_none());
        assert!(look!(database, service_users::find, theirs, program.id).is_none());
    }

    async fn the_last_use_of_a_key_is_recorded_in_its_own_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let program = a_program("ERP", "read");
        keep!(database, service_users::insert, ours, &program, &a_key(b"key"));
        keep!(database, service_users::touch, theirs, program.id, NOW);
        assert_eq!(look!(database, service_users::find_by_key, ours, b"key"), Some(program.clone()));
        keep!(database, service_users::touch, ours, program.id, NOW.plus_seconds(1));
        let used = ServiceUser { last_used_at: Some(NOW.plus_seconds(1)), ..program };
        assert_eq!(look!(database, service_users::find_by_key, ours, b"key"), Some(used), "its version stays");
    }

    async fn two_service_users_of_an_account_cannot_have_one_key(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for account in [ours, theirs] {
            keep!(database, service_users::insert, account, &a_program("ERP", "read"), &a_key(b"key"));
        }
        assert!(try_keep!(database, service_users::insert, ours, &a_program("CRM", "read"), &a_key(b"key")).is_err());
    }

    async fn updates_stay_within_their_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let program = a_program("ERP", "read");
        keep!(database, service_users::insert, ours, &program, &a_key(b"old"));
        let at = NOW.plus_seconds(9);
        let changed = ServiceUser { name: "CRM".to_owned(), scopes: "admin".to_owned(), updated_at: at, ..program.clone() };
        let new = KeptKey { hash: b"new".to_vec(), last_four: "beef".to_owned() };
        keep!(database, service_users::update, theirs, &changed);
        keep!(database, service_users::rotate, theirs, program.id, &new, at);
        assert_eq!(look!(database, service_users::find, ours, program.id), Some(program.clone()));

        keep!(database, service_users::update, ours, &changed);
        keep!(database, service_users::rotate, ours, program.id, &new, at.plus_seconds(1));
        assert!(look!(database, service_users::find_by_key, ours, b"old").is_none());
        let rotated = ServiceUser {
            key_last_four: "beef".to_owned(), updated_at: at.plus_seconds(1), version: 3, ..changed
        };
        assert_eq!(look!(database, service_users::find_by_key, ours, b"new"), Some(rotated.clone()));

        keep!(database, service_users::update, ours, &ServiceUser { revoked_at: Some(at), ..rotated });
        assert!(look!(database, service_users::find_by_key, ours, b"new").is_none());
        assert_eq!(look!(database, service_users::find, ours, program.id).unwrap().revoked_at, Some(at));
    }

    async fn scopes_of_others_are_those_of_the_accounts_other_valid_keys(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (mine, other) = (a_program("mine", "read"), a_program("other", "admin"));
        let revoked = ServiceUser { revoked_at: Some(NOW), ..a_program("revoked", "write") };
        for (account, program, key) in [(ours, &mine, b"1"), (ours, &other, b"2"), (ours, &revoked, b"3")] {
            keep!(database, service_users::insert, account, program, &a_key(key));
        }
        keep!(database, service_users::update, ours, &revoked);
        keep!(database, service_users::insert, theirs, &a_program("theirs", "read,admin"), &a_key(b"4"));
        assert_eq!(look!(database, service_users::scopes_of_others, ours, mine.id), ["admin"]);
        let names = look!(database, service_users::list, ours, &Listing::newest(FIRST_PAGE)).rows;
        assert_eq!(names.iter().map(|program| program.name.as_str()).collect::<Vec<_>>(), ["revoked", "other", "mine"]);
    }
}
