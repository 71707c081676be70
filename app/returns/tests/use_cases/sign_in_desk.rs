//! Sessions at the desk: their tokens, their ends, and proofs of who the user is.

use crate::{
    authenticator::code_of,
    shop::{HERE, NOW, Shop, fresh, refusal},
    sign_in::{ADA, ELSEWHERE, enrol, me, open, try_sign_in},
    team::{PASSWORD, user},
};
use domain::{UserId, audit::AuditAction, policy::SecondFactorRule};
use returns::{
    ClientAddress, DeskProof, Error, ErrorCode, Listing, NewDeskSession, Role, Scope, SignInStep, UserChange,
    view::{UserSessionKind, UserSessions},
};
use store::testing::Database;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn desk(shop: &Shop, password: &str, from: ClientAddress) -> Result<NewDeskSession, Error> {
    shop.retour.desk_sign_in(ADA, password.to_owned(), from, FIREFOX).await
}

async fn is_open(shop: &Shop, token: &str) -> bool {
    shop.retour.desk_session(token).await.unwrap().is_some()
}

async fn confirm(shop: &Shop, token: &str, code: &str) -> Result<NewDeskSession, Error> {
    shop.retour.desk_confirm(token, DeskProof::Code(code.to_owned()), HERE).await
}

/// Waits until the use of the session is written, which happens in the background.
async fn wait_for_touch(database: &Database, shop: &Shop) {
    let now = shop.source.now().micros();
    for _ in 0..600 {
        if database.number("SELECT MAX(seen_at) FROM user_tokens WHERE purpose = 'desk'").await == now {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the use of the session was not written");
}

/// A user with an authenticator app; its secret.
async fn with_app(shop: &Shop) -> (UserId, String, Vec<String>) {
    let ada = user(shop, ADA, Role::Admin).await;
    let first = try_sign_in(shop, None, HERE).await.unwrap();
    let (secret, codes) = enrol(shop, &me(shop, &first.token).await).await;
    shop.source.set(shop.source.now().plus_seconds(60));
    (ada.id, secret, codes)
}

store::on_each_database! {
    async fn a_session_acts_for_the_account_once_the_sign_in_is_complete(database: Database) {
        let shop = open(&database, SecondFactorRule::Admins).await;
        let (id, secret, _) = with_app(&shop).await;
        let begun = desk(&shop, PASSWORD, HERE).await.unwrap();
        assert_eq!(begun.step, SignInStep::SecondFactor);
        let half = shop.retour.desk_session(&begun.token).await.unwrap().unwrap();
        assert!(matches!(half.caller().as_staff(Scope::Read), Err(Error::Forbidden(_))));
        assert!(!half.is_fresh(shop.source.now()), "the password alone proves nothing");
        let proof = DeskProof::Password(PASSWORD.to_owned());
        assert_eq!(refusal(shop.retour.desk_confirm(&begun.token, proof, HERE).await), ErrorCode::SecondFactorRequired);
        let (current, new) = (PASSWORD.to_owned(), "another password".to_owned());
        let changed = shop.retour.desk_change_password(&begun.token, current, new, HERE).await;
        assert_eq!(refusal(changed), ErrorCode::SecondFactorRequired);
        let whole = confirm(&shop, &begun.token, &code_of(&secret, shop.source.now().seconds())).await.unwrap();
        assert_eq!(whole.step, SignInStep::Complete);
        assert!(whole.token != begun.token && !is_open(&shop, &begun.token).await, "a planted token is dead");
        let session = shop.retour.desk_session(&whole.token).await.unwrap().unwrap();
        assert_eq!((session.user.id, session.account, session.id), (id, shop.account.id, half.id));
        assert_eq!(session.caller().as_staff(Scope::Admin).unwrap().id(), id.0);
        assert!(session.is_fresh(shop.source.now()));
        assert_eq!(refusal(shop.retour.caller(&whole.token).await), ErrorCode::Unauthorized, "a cookie is no bearer token");
        for token in ["", "rts_1", &whole.token.replace("rts_", "rtu_"), &format!("{}0", whole.token)] {
            assert!(!is_open(&shop, token).await, "{token}");
        }
        let again = desk(&shop, PASSWORD, HERE).await.unwrap();
        assert!(is_open(&shop, &whole.token).await && is_open(&shop, &again.token).await);
        shop.retour.desk_sign_out(&whole.token).await.unwrap();
        assert!(!is_open(&shop, &whole.token).await && is_open(&shop, &again.token).await);
    }

    async fn a_wrong_password_and_an_unknown_address_are_answered_alike(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let wrong = desk(&shop, "not the password", HERE).await.unwrap_err();
        let unknown = shop.retour.desk_sign_in("eve@example.com", PASSWORD.to_owned(), HERE, FIREFOX).await.unwrap_err();
        assert_eq!((wrong.code(), wrong.to_string()), (unknown.code(), unknown.to_string()));
        assert_eq!(database.rows("user_tokens").await, 0);
    }

    async fn after_five_wrong_codes_the_password_is_needed_again(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, secret, codes) = with_app(&shop).await;
        let begun = desk(&shop, PASSWORD, HERE).await.unwrap();
        for left in [4, 3, 2, 1, 0] {
            let refused = confirm(&shop, &begun.token, "000000").await.unwrap_err();
            assert!(matches!(refused, Error::WrongCode { left: now } if now == left), "{left}: {refused:?}");
        }
        let code = code_of(&secret, shop.source.now().seconds());
        assert_eq!(refusal(confirm(&shop, &begun.token, &code).await), ErrorCode::Unauthorized);
        let again = desk(&shop, PASSWORD, HERE).await.unwrap();
        confirm(&shop, &again.token, "000000").await.unwrap_err();
        assert_eq!(confirm(&shop, &again.token, &codes[0]).await.unwrap().step, SignInStep::Complete);
        let late = desk(&shop, PASSWORD, HERE).await.unwrap();
        shop.source.set(shop.source.now().plus_seconds(600));
        assert!(!is_open(&shop, &late.token).await, "a sign-in that lacks the factor ends after ten minutes");
    }

    async fn of_two_uses_of_one_code_in_two_sessions_one_succeeds(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, secret, codes) = with_app(&shop).await;
        for code in [code_of(&secret, shop.source.now().seconds()), codes[0].clone()] {
            let (one, other) = (desk(&shop, PASSWORD, HERE).await.unwrap(), desk(&shop, PASSWORD, ELSEWHERE).await.unwrap());
            let (one, other) = tokio::join!(confirm(&shop, &one.token, &code), confirm(&shop, &other.token, &code));
            assert_eq!(u32::from(one.is_ok()) + u32::from(other.is_ok()), 1, "{one:?} {other:?}");
        }
    }

    async fn a_session_ends_after_an_hour_without_use_and_after_twelve_in_all(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let idle = desk(&shop, PASSWORD, HERE).await.unwrap();
        shop.source.set(NOW.plus_seconds(3_599));
        assert!(is_open(&shop, &idle.token).await);
        wait_for_touch(&database, &shop).await;
        shop.source.set(NOW.plus_seconds(2 * 3_599));
        assert!(is_open(&shop, &idle.token).await, "each use gives another hour");
        wait_for_touch(&database, &shop).await;
        shop.source.set(NOW.plus_seconds(2 * 3_599 + 3_600));
        assert!(!is_open(&shop, &idle.token).await);
        let start = shop.source.now();
        let busy = desk(&shop, PASSWORD, HERE).await.unwrap();
        assert_eq!(busy.ends_at, start.plus_hours(12));
        for half_hours in 1..24 {
            shop.source.set(start.plus_seconds(half_hours * 1_800));
            assert!(is_open(&shop, &busy.token).await, "{half_hours}");
            wait_for_touch(&database, &shop).await;
        }
        let proof = DeskProof::Password(PASSWORD.to_owned());
        let renewed = shop.retour.desk_confirm(&busy.token, proof, HERE).await.unwrap();
        assert_eq!(renewed.ends_at, start.plus_hours(12), "a proof does not prolong the session");
        shop.source.set(start.plus_hours(12));
        assert!(!is_open(&shop, &renewed.token).await);
    }

    async fn a_proof_is_fresh_for_ten_minutes_and_changes_the_token(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, secret, _) = with_app(&shop).await;
        let begun = desk(&shop, PASSWORD, HERE).await.unwrap();
        let whole = confirm(&shop, &begun.token, &code_of(&secret, shop.source.now().seconds())).await.unwrap();
        shop.source.set(shop.source.now().plus_seconds(600));
        assert!(!shop.retour.desk_session(&whole.token).await.unwrap().unwrap().is_fresh(shop.source.now()));
        let wrong = DeskProof::Password("not the password".to_owned());
        assert_eq!(refusal(shop.retour.desk_confirm(&whole.token, wrong, HERE).await), ErrorCode::InvalidCredentials);
        let by_code = confirm(&shop, &whole.token, &code_of(&secret, shop.source.now().seconds())).await.unwrap();
        let session = shop.retour.desk_session(&by_code.token).await.unwrap().unwrap();
        assert!(session.is_fresh(shop.source.now()) && !is_open(&shop, &whole.token).await);
        shop.source.set(shop.source.now().plus_seconds(600));
        let right = || DeskProof::Password(PASSWORD.to_owned());
        let (one, other) = tokio::join!(
            shop.retour.desk_confirm(&by_code.token, right(), HERE),
            shop.retour.desk_confirm(&by_code.token, right(), HERE)
        );
        assert_eq!(u32::from(one.is_ok()) + u32::from(other.is_ok()), 1, "one request gets the new token");
        assert!(!is_open(&shop, &by_code.token).await);
    }

    async fn a_required_factor_is_set_up_at_the_desk(database: Database) {
        let shop = open(&database, SecondFactorRule::Everybody).await;
        user(&shop, ADA, Role::Agent).await;
        let first = desk(&shop, PASSWORD, HERE).await.unwrap();
        let session = shop.retour.desk_session(&first.token).await.unwrap().unwrap();
        assert_eq!((session.step, session.factor_due_at), (SignInStep::Complete, Some(NOW.plus_days(7))));
        shop.source.set(NOW.plus_days(8));
        let late = desk(&shop, PASSWORD, HERE).await.unwrap();
        assert_eq!(late.step, SignInStep::Enrol);
        assert!(matches!(confirm(&shop, &late.token, "000000").await, Err(Error::WrongCode { left: 0 })));
        let mine = shop.retour.desk_session(&late.token).await.unwrap().unwrap().signed_in();
        let secret = shop.retour.begin_totp(&mine).await.unwrap().secret;
        let code = code_of(&secret, shop.source.now().seconds());
        let (whole, codes) = shop.retour.desk_confirm_totp(&late.token, &code, HERE).await.unwrap();
        assert_eq!((whole.step, codes.recovery_codes.len()), (SignInStep::Complete, 10));
        assert!(!is_open(&shop, &late.token).await);
        let session = shop.retour.desk_session(&whole.token).await.unwrap().unwrap();
        assert!(session.caller().as_staff(Scope::Read).is_ok() && session.factor_due_at.is_none());
    }

    async fn a_new_role_password_removal_or_reset_ends_all_sessions_at_once(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, "boss@example.com", Role::Admin).await;
        let id = user(&shop, ADA, Role::Agent).await.id;
        let merchant = shop.retour.merchant(&shop.staff);
        let role = async |role| {
            let change = UserChange { role: Some(role), ..UserChange::default() };
            fresh(merchant.update_user(id, change, None).await.unwrap(), 200);
        };
        let sessions = async || [desk(&shop, PASSWORD, HERE).await.unwrap().token, desk(&shop, PASSWORD, ELSEWHERE).await.unwrap().token];
        let are_dead = async |tokens: [String; 2]| !is_open(&shop, &tokens[0]).await && !is_open(&shop, &tokens[1]).await;
        let tokens = sessions().await;
        role(Role::Agent).await;
        assert!(!are_dead(tokens.clone()).await, "the role is the same");
        role(Role::Viewer).await;
        assert!(are_dead(tokens).await);
        let tokens = sessions().await;
        merchant.reset_factors(id, None).await.unwrap();
        assert!(are_dead(tokens).await);
        let tokens = sessions().await;
        merchant.end_user_sessions(id).await.unwrap();
        assert!(are_dead(tokens).await);
        let tokens = sessions().await;
        let again = fresh(merchant.invite_user_again(id, None).await.unwrap(), 201);
        shop.retour.set_password(&again.invitation_token, PASSWORD.to_owned(), HERE).await.unwrap();
        assert!(are_dead(tokens).await);
        let tokens = sessions().await;
        merchant.delete_user(id).await.unwrap();
        assert!(are_dead(tokens).await);
    }

    async fn sessions_are_listed_and_ended_by_their_user_and_by_admins(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", domain::policy::Policy::default()).await;
        let id = user(&shop, ADA, Role::Agent).await.id;
        let api = try_sign_in(&shop, None, ELSEWHERE).await.unwrap();
        shop.source.set(NOW.plus_seconds(30));
        let here = desk(&shop, PASSWORD, HERE).await.unwrap();
        let mine = shop.retour.desk_session(&here.token).await.unwrap().unwrap().signed_in();
        let UserSessions { data } = shop.retour.own_sessions(&mine).await.unwrap();
        let shown: Vec<_> = data.iter().map(|one| (one.kind, one.device.as_str(), one.network.as_str(), one.is_current)).collect();
        assert_eq!(shown, [(UserSessionKind::Desk, "Firefox on Linux", "203.0.113.0/24", true), (UserSessionKind::Api, "curl", "198.51.100.0/24", false)]);
        assert_eq!(refusal(theirs.retour.merchant(&theirs.staff).user_sessions(id).await), ErrorCode::NotFound);
        assert_eq!(refusal(theirs.retour.merchant(&theirs.staff).end_user_session(id, data[1].id).await), ErrorCode::NotFound);
        assert_eq!(refusal(theirs.retour.merchant(&theirs.staff).end_user_sessions(id).await), ErrorCode::NotFound);
        assert_eq!(refusal(theirs.retour.merchant(&theirs.staff).reset_factors(id, None).await), ErrorCode::NotFound);
        shop.retour.end_own_session(&mine, data[1].id).await.unwrap();
        assert_eq!(refusal(shop.retour.end_own_session(&mine, data[1].id).await), ErrorCode::NotFound);
        assert_eq!(refusal(shop.retour.caller(&api.token).await), ErrorCode::Unauthorized);
        let other = desk(&shop, PASSWORD, ELSEWHERE).await.unwrap();
        shop.retour.end_other_sessions(&mine).await.unwrap();
        assert!(is_open(&shop, &here.token).await && !is_open(&shop, &other.token).await);
        let seen = shop.retour.merchant(&shop.staff).user_sessions(id).await.unwrap().data;
        assert_eq!((seen.len(), seen[0].is_current), (1, false));
        shop.retour.merchant(&shop.staff).end_user_session(id, seen[0].id).await.unwrap();
        assert!(!is_open(&shop, &here.token).await);
    }

    async fn a_user_changes_the_password_and_stays_signed_in_at_one_desk(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let (here, other) = (desk(&shop, PASSWORD, HERE).await.unwrap(), desk(&shop, PASSWORD, ELSEWHERE).await.unwrap());
        let change = async |current: &str, new: &str| {
            shop.retour.desk_change_password(&here.token, current.to_owned(), new.to_owned(), HERE).await
        };
        assert!(matches!(change(PASSWORD, "short").await, Err(Error::Invalid(fields)) if fields[0].field == "password"));
        let wrong = change("not the password", "another password").await;
        assert!(matches!(wrong, Err(Error::Invalid(fields)) if fields[0].field == "currentPassword"));
        let new = change(PASSWORD, "another password").await.unwrap();
        assert!(is_open(&shop, &new.token).await && !is_open(&shop, &here.token).await && !is_open(&shop, &other.token).await);
        assert_eq!(refusal(desk(&shop, PASSWORD, HERE).await), ErrorCode::InvalidCredentials);
        assert!(desk(&shop, "another password", HERE).await.is_ok());
    }

    async fn sign_ins_and_their_changes_are_in_the_audit_log(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (id, secret, _) = with_app(&shop).await;
        let begun = desk(&shop, PASSWORD, HERE).await.unwrap();
        confirm(&shop, &begun.token, "000000").await.unwrap_err();
        let whole = confirm(&shop, &begun.token, &code_of(&secret, shop.source.now().seconds())).await.unwrap();
        let session = shop.retour.desk_session(&whole.token).await.unwrap().unwrap();
        let mine = session.signed_in().coming_from(HERE.into());
        shop.retour.renew_recovery_codes(&mine).await.unwrap();
        shop.retour.end_other_sessions(&mine).await.unwrap();
        shop.retour.remove_totp(&mine).await.unwrap();
        shop.retour.desk_sign_out(&whole.token).await.unwrap();
        desk(&shop, "not the password", ELSEWHERE).await.unwrap_err();
        shop.retour.merchant(&shop.staff).reset_factors(id, None).await.unwrap();
        let newest = Listing::newest(crate::shop::ALL);
        let entries = shop.retour.merchant(&shop.staff).audit_entries(&newest).await.unwrap().data;
        let shown = |action: AuditAction| entries.iter().filter(move |entry| entry.action == action);
        for (action, count) in [
            (AuditAction::UserFactorAdded, 1), (AuditAction::UserSignedIn, 2), (AuditAction::UserSignInFailed, 2),
            (AuditAction::UserRecoveryCodesRenewed, 1), (AuditAction::UserSessionsEnded, 1),
            (AuditAction::UserFactorRemoved, 1), (AuditAction::UserSignedOut, 1), (AuditAction::UserFactorsReset, 1),
        ] {
            assert_eq!(shown(action).count(), count, "{action:?}");
        }
        let renewed = shown(AuditAction::UserRecoveryCodesRenewed).next().unwrap();
        assert_eq!((renewed.session_id, renewed.network.as_deref()), (Some(session.id.0), Some("203.0.113.0/24")));
    }
}
