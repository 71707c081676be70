//! What the audit log keeps of sign-ins.

use crate::{
    shop::{ALL, HERE, Shop},
    sign_in::{ADA, ELSEWHERE, enrol, me, open, try_sign_in},
    team::{PASSWORD, user},
};
use domain::{
    audit::{AuditAction as A, AuditActorKind},
    policy::SecondFactorRule,
};
use returns::{Listing, Role, UserCredentials, view::AuditEntry};
use store::testing::Database;

/// The log, oldest first.
async fn log(shop: &Shop) -> Vec<AuditEntry> {
    let mut entries = shop.retour.merchant(&shop.staff).audit_entries(&Listing::newest(ALL)).await.unwrap().data;
    entries.reverse();
    entries
}

fn actions(log: &[AuditEntry]) -> Vec<A> {
    log.iter().map(|entry| entry.action).collect()
}

store::on_each_database! {
    async fn sign_ins_and_changes_of_factors_are_recorded(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let ada = user(&shop, ADA, Role::Agent).await;
        let before = log(&shop).await.len();
        let wrong = UserCredentials { email: ADA.to_owned(), password: "another password".to_owned(), code: None };
        shop.retour.sign_in(wrong, ELSEWHERE, "curl/8").await.unwrap_err();
        let signed_in = try_sign_in(&shop, None, HERE).await.unwrap();
        let herself = me(&shop, &signed_in.token).await;
        enrol(&shop, &herself).await;
        shop.retour.renew_recovery_codes(&herself).await.unwrap();
        shop.retour.remove_totp(&herself).await.unwrap();
        shop.retour.end_other_sessions(&herself).await.unwrap();
        shop.retour.sign_out(&herself, &signed_in.token).await.unwrap();
        let log = log(&shop).await.split_off(before);
        let expected = [
            A::UserSignInFailed,
            A::UserSignedIn,
            A::UserFactorAdded,
            A::UserRecoveryCodesRenewed,
            A::UserFactorRemoved,
            A::UserSessionsEnded,
            A::UserSignedOut,
        ];
        assert_eq!(actions(&log), expected);
        assert!(log.iter().all(|entry| entry.subject_id == ada.id.to_string()));
        let (failed, succeeded) = (&log[0], &log[1]);
        assert_eq!((failed.actor, failed.actor_id), (AuditActorKind::Nobody, None));
        assert_eq!(failed.network.as_deref(), Some("198.51.100.0/24"));
        assert_eq!((succeeded.actor, succeeded.actor_id), (AuditActorKind::User, Some(ada.id.0)));
        assert_eq!(succeeded.network.as_deref(), Some("203.0.113.0/24"));
        assert!(log[2..].iter().all(|entry| entry.session_id.is_some()), "the session is known");
        assert!(!format!("{log:?}").contains(PASSWORD));
    }

    async fn an_unknown_address_leaves_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let before = log(&shop).await.len();
        let given = UserCredentials { email: "eve@example.com".to_owned(), password: PASSWORD.to_owned(), code: None };
        shop.retour.sign_in(given, HERE, "curl/8").await.unwrap_err();
        assert_eq!(log(&shop).await.len(), before, "no account knows the address");
    }
}
