//! Sessions of users.

use crate::{
    support::*,
    users::{a_session, kept},
};
use domain::{AccountId, UserSessionId, sign_in::SignInStep};
use store::{
    testing::Database,
    user_sessions::{Renewal, Session, SessionKind},
};

async fn found(database: &Database, account: AccountId, token: &[u8]) -> Option<Session> {
    look!(database, user_sessions::find, account, token, SessionKind::Desk, NOW)
}

store::on_each_database! {
    async fn a_session_is_found_by_its_token_in_its_account_until_it_ends(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let session = a_session(ada.id);
        keep!(database, user_sessions::insert, ours, b"token", &session);
        assert_eq!(found(&database, ours, b"token").await, Some(session.clone()));
        assert_eq!((found(&database, theirs, b"token").await, found(&database, ours, b"other").await), (None, None));
        let find = async |kind, at| look!(database, user_sessions::find, ours, b"token", kind, at);
        assert_eq!(find(SessionKind::Api, NOW).await, None, "a cookie is no token of the API");
        assert_eq!(find(SessionKind::Desk, NOW.plus_hours(1)).await, None);
        keep!(database, user_sessions::touch, ours, b"token", NOW.plus_seconds(60), NOW.plus_hours(2));
        let used = find(SessionKind::Desk, NOW.plus_hours(1)).await.unwrap();
        assert_eq!((used.seen_at, used.expires_at), (NOW.plus_seconds(60), NOW.plus_hours(2)));
        keep!(database, user_sessions::touch, ours, b"token", NOW.plus_seconds(60), NOW.plus_hours(9));
        assert_eq!(find(SessionKind::Desk, NOW).await.unwrap().expires_at, NOW.plus_hours(2), "a late write changes nothing");
        keep!(database, user_sessions::delete, ours, b"token", SessionKind::Api);
        assert!(found(&database, ours, b"token").await.is_some());
        keep!(database, user_sessions::delete, ours, b"token", SessionKind::Desk);
        assert_eq!(found(&database, ours, b"token").await, None);
    }

    async fn a_renewed_session_has_another_token_and_the_old_one_is_dead(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let ada = kept(&database, ours, "a@b", "admin").await;
        let begun = Session { step: SignInStep::SecondFactor, confirmed_at: None, ..a_session(ada.id) };
        keep!(database, user_sessions::insert, ours, b"old", &begun);
        let wrong = async |account| keep!(database, user_sessions::count_wrong_code, account, b"old");
        assert_eq!((wrong(ours).await, wrong(ours).await, wrong(theirs).await), (Some(1), Some(2), None));
        let new = Renewal { token_hash: b"new", step: SignInStep::Complete, confirmed_at: Some(NOW), now: NOW, expires_at: NOW.plus_hours(1) };
        assert!(!keep!(database, user_sessions::renew, theirs, b"old", new));
        assert!(keep!(database, user_sessions::renew, ours, b"old", new));
        assert!(!keep!(database, user_sessions::renew, ours, b"old", new), "another request was faster");
        assert_eq!(found(&database, ours, b"old").await, None);
        let complete = Session { step: SignInStep::Complete, confirmed_at: Some(NOW), ..begun };
        assert_eq!(found(&database, ours, b"new").await, Some(complete), "no wrong codes are left");
        let late = Renewal { now: NOW.plus_hours(1), token_hash: b"late", ..new };
        assert!(!keep!(database, user_sessions::renew, ours, b"new", late), "it has ended");
    }

    async fn sessions_are_listed_and_ended_within_their_user(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (kept(&database, ours, "a@b", "admin").await, kept(&database, ours, "b@c", "agent").await);
        let api = Session { kind: SessionKind::Api, started_at: NOW.plus_seconds(1), step: SignInStep::Enrol, ..a_session(ada.id) };
        let (desk, other) = (a_session(ada.id), a_session(ben.id));
        let over = Session { expires_at: NOW, ..a_session(ada.id) };
        let from_before = Session { id: None, ..a_session(ada.id) };
        for (token, session) in [(b"1", &desk), (b"2", &api), (b"3", &other), (b"4", &over), (b"5", &from_before)] {
            keep!(database, user_sessions::insert, ours, token, session);
        }
        let list = async |user| look!(database, user_sessions::list, ours, user, NOW);
        assert_eq!(list(ada.id).await, [api.clone(), desk.clone()]);
        assert_eq!(look!(database, user_sessions::list, theirs, ada.id, NOW), []);
        let end = async |account, user, id: Option<UserSessionId>| keep!(database, user_sessions::end, account, user, id.unwrap());
        assert!(!end(theirs, ada.id, desk.id).await && !end(ours, ada.id, other.id).await);
        keep!(database, user_sessions::complete, ours, ada.id, api.id.unwrap());
        assert_eq!(list(ada.id).await[0].step, SignInStep::Complete);
        keep!(database, user_sessions::end_others, ours, ada.id, api.id.unwrap());
        assert_eq!(list(ada.id).await.len(), 1);
        assert!(end(ours, ada.id, api.id).await && !end(ours, ada.id, api.id).await);
        keep!(database, user_sessions::end_all, ours, ada.id);
        assert_eq!((database.rows("user_tokens").await, list(ben.id).await.len()), (1, 1));
    }
}
