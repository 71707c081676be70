//! The second factor: authenticator apps, recovery codes, and who needs one.

use crate::{
    authenticator::code_of,
    shop::{HERE, NOW, Shop, refusal},
    team::{PASSWORD, user},
};
use domain::{
    RefusalCode, Timestamp,
    policy::{Policy, SecondFactorRule},
};
use returns::{
    Caller, ClientAddress, Error, ErrorCode, Role, Scope, SecretKeys, SignIn, SignInStep, SignedIn, UserCredentials,
};
use std::net::{IpAddr, Ipv4Addr};
use store::testing::Database;
use tokio::task::JoinSet;

pub const KEY: &str = "0123456789abcdef0123456789abcdef";
pub const ADA: &str = "ada@example.com";
/// A network where the user has never been.
pub const ELSEWHERE: ClientAddress = ClientAddress(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7)));

/// A shop that can store secrets, with this rule.
pub async fn open(database: &Database, rule: SecondFactorRule) -> Shop {
    let policy = Policy { require_second_factor: rule, ..Policy::default() };
    let shop = Shop::open_with(database, "fjord-fern", "EUR", policy).await;
    let retour = shop.retour.clone().configured(|config| config.secret_keys = KEY.parse().unwrap());
    Shop { retour, ..shop }
}

pub async fn try_sign_in(shop: &Shop, code: Option<&str>, from: ClientAddress) -> Result<SignIn, Error> {
    let given = UserCredentials { email: ADA.to_owned(), password: PASSWORD.to_owned(), code: code.map(str::to_owned) };
    shop.retour.sign_in(given, from, "curl/8").await
}

pub async fn me(shop: &Shop, token: &str) -> SignedIn {
    match shop.retour.caller(token).await.unwrap() {
        Caller::User(me) => me,
        other => panic!("{other:?}"),
    }
}

/// Sets up an authenticator app. Returns its secret and the recovery codes. The code of the current step is used up.
pub async fn enrol(shop: &Shop, me: &SignedIn) -> (String, Vec<String>) {
    let secret = shop.retour.begin_totp(me).await.unwrap().secret;
    let codes = shop.retour.confirm_totp(me, &code_of(&secret, shop.source.now().seconds())).await.unwrap();
    (secret, codes.recovery_codes)
}

/// Moves the clock so that the app shows another code.
fn later(shop: &Shop, seconds: i64) -> Timestamp {
    shop.source.set(shop.source.now().plus_seconds(seconds));
    shop.source.now()
}

store::on_each_database! {
    async fn with_an_app_each_sign_in_needs_a_code_that_counts_once(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        let (secret, _) = enrol(&shop, &me(&shop, &first.token).await).await;
        assert_eq!(refusal(try_sign_in(&shop, None, HERE).await), ErrorCode::SecondFactorRequired);
        let used = code_of(&secret, NOW.seconds());
        assert_eq!(refusal(try_sign_in(&shop, Some(&used), HERE).await), ErrorCode::WrongCode, "it confirmed the app");
        let now = later(&shop, 60);
        let code = code_of(&secret, now.seconds());
        let spaced = format!("{} {}", &code[..3], &code[3..]);
        let signed_in = try_sign_in(&shop, Some(&spaced), HERE).await.unwrap();
        assert_eq!((signed_in.step, signed_in.user.has_second_factor), (SignInStep::Complete, true));
        assert_eq!(refusal(try_sign_in(&shop, Some(&code), HERE).await), ErrorCode::WrongCode, "a code counts once");
        let before = code_of(&secret, now.seconds() - 30);
        assert_eq!(refusal(try_sign_in(&shop, Some(&before), HERE).await), ErrorCode::WrongCode, "earlier ones end with it");
        let stored = database.texts("SELECT totp_secret || totp_pending FROM users").await;
        assert!(!stored[0].is_empty() && !stored[0].contains(&secret), "the secret is encrypted");
    }

    async fn of_many_uses_of_one_code_one_succeeds(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        let (secret, recovery) = enrol(&shop, &me(&shop, &first.token).await).await;
        for code in [code_of(&secret, later(&shop, 60).seconds()), recovery[0].clone()] {
            let mut uses = JoinSet::new();
            for _ in 0..4 {
                let (shop, code) = (shop.clone(), code.clone());
                uses.spawn(async move { try_sign_in(&shop, Some(&code), HERE).await.is_ok() });
            }
            assert_eq!(uses.join_all().await.into_iter().filter(|is_right| *is_right).count(), 1, "{code}");
        }
    }

    async fn a_recovery_code_replaces_the_app_once(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let ada = user(&shop, ADA, Role::Agent).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        let (_, old) = enrol(&shop, &me(&shop, &first.token).await).await;
        assert_eq!(old.len(), 10);
        let signed_in = try_sign_in(&shop, Some(&old[0].to_uppercase()), HERE).await.unwrap();
        assert_eq!(refusal(try_sign_in(&shop, Some(&old[0]), HERE).await), ErrorCode::WrongCode);
        let mine = me(&shop, &signed_in.token).await;
        assert_eq!(shop.retour.second_factor(&mine).await.unwrap().recovery_codes_left, 9);
        let new = shop.retour.renew_recovery_codes(&mine).await.unwrap().recovery_codes;
        assert_eq!(refusal(try_sign_in(&shop, Some(&old[1]), HERE).await), ErrorCode::WrongCode, "old ones end");
        try_sign_in(&shop, Some(&new[1]), HERE).await.unwrap();
        // An administrator resets the factor of somebody who has lost both.
        shop.retour.merchant(&shop.staff).reset_factors(ada.id, None).await.unwrap();
        assert_eq!(refusal(shop.retour.caller(&signed_in.token).await), ErrorCode::Unauthorized);
        assert_eq!(try_sign_in(&shop, None, HERE).await.unwrap().step, SignInStep::Complete);
    }

    async fn wrong_codes_block_a_stranger_and_not_the_user(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        let (secret, _) = enrol(&shop, &me(&shop, &first.token).await).await;
        try_sign_in(&shop, Some(&code_of(&secret, later(&shop, 60).seconds())), HERE).await.unwrap();
        // The stranger knows the password, and tries codes from another network.
        let mut answers = Vec::new();
        for _ in 0..5 {
            let mut guesses = JoinSet::new();
            for _ in 0..5 {
                let shop = shop.clone();
                guesses.spawn(async move { refusal(try_sign_in(&shop, Some("000000"), ELSEWHERE).await) });
            }
            answers.extend(guesses.join_all().await);
        }
        let evaluated = answers.iter().filter(|answer| **answer == ErrorCode::WrongCode).count();
        assert_eq!(evaluated, 20);
        assert!(answers.iter().all(|answer| [ErrorCode::WrongCode, ErrorCode::TooManyRequests].contains(answer)));
        let code = code_of(&secret, later(&shop, 60).seconds());
        assert_eq!(refusal(try_sign_in(&shop, Some(&code), ELSEWHERE).await), ErrorCode::TooManyRequests);
        try_sign_in(&shop, Some(&code), HERE).await.unwrap();
    }

    async fn a_required_factor_leaves_a_week_and_then_opens_the_users_security_alone(database: Database) {
        let shop = open(&database, SecondFactorRule::Admins).await;
        user(&shop, ADA, Role::Admin).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        assert_eq!(first.step, SignInStep::Complete);
        let factor = shop.retour.second_factor(&me(&shop, &first.token).await).await.unwrap();
        assert_eq!((factor.totp_since, factor.required_from), (None, Some(NOW.plus_days(7))));
        shop.source.set(NOW.plus_days(7));
        let late = try_sign_in(&shop, None, HERE).await.unwrap();
        assert_eq!(late.step, SignInStep::Enrol);
        let caller = shop.retour.caller(&late.token).await.unwrap();
        for scope in Scope::ALL {
            assert!(matches!(caller.as_staff(scope), Err(Error::Forbidden(_))), "{scope:?}");
        }
        let (secret, _) = enrol(&shop, &me(&shop, &late.token).await).await;
        assert!(shop.retour.caller(&late.token).await.unwrap().as_staff(Scope::Admin).is_ok(), "the sign-in is complete");
        let mine = me(&shop, &late.token).await;
        shop.retour.remove_totp(&mine).await.unwrap();
        assert_eq!(try_sign_in(&shop, None, HERE).await.unwrap().step, SignInStep::Enrol, "no second week without a factor");
        let again = try_sign_in(&shop, None, HERE).await.unwrap();
        let (other, _) = enrol(&shop, &me(&shop, &again.token).await).await;
        assert_ne!(secret, other);
    }

    async fn without_a_key_no_factor_is_set_up_and_none_is_required(database: Database) {
        let shop = open(&database, SecondFactorRule::Everybody).await;
        user(&shop, ADA, Role::Admin).await;
        let keyless = Shop { retour: shop.retour.clone().configured(|config| config.secret_keys = SecretKeys::default()), ..shop.clone() };
        let first = try_sign_in(&keyless, None, HERE).await.unwrap();
        let refused = keyless.retour.begin_totp(&me(&keyless, &first.token).await).await.unwrap_err();
        assert!(refused.to_string().contains("RETOUR_SECRET_KEY"), "{refused}");
        assert_eq!(refused.code(), ErrorCode::Refused(RefusalCode::NoSecretKey));
        shop.source.set(NOW.plus_days(30));
        assert_eq!(try_sign_in(&keyless, None, HERE).await.unwrap().step, SignInStep::Complete);
        // With a key, the week begins.
        assert_eq!(try_sign_in(&shop, None, HERE).await.unwrap().step, SignInStep::Complete);
        shop.source.set(NOW.plus_days(37));
        assert_eq!(try_sign_in(&shop, None, HERE).await.unwrap().step, SignInStep::Enrol);
    }

    async fn a_change_of_factors_needs_a_recent_proof(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        user(&shop, ADA, Role::Agent).await;
        let first = try_sign_in(&shop, None, HERE).await.unwrap();
        let fresh = me(&shop, &first.token).await;
        let no_factor = ErrorCode::Refused(RefusalCode::NoSecondFactor);
        assert_eq!(refusal(shop.retour.renew_recovery_codes(&fresh).await), no_factor);
        assert_eq!(refusal(shop.retour.remove_totp(&fresh).await), no_factor);
        assert_eq!(refusal(shop.retour.confirm_totp(&fresh, "000000").await), no_factor);
        let secret = shop.retour.begin_totp(&fresh).await.unwrap().secret;
        assert!(matches!(shop.retour.confirm_totp(&fresh, "12345").await, Err(Error::Invalid(fields)) if fields[0].field == "code"));
        later(&shop, 600);
        let stale = me(&shop, &first.token).await;
        let code = code_of(&secret, shop.source.now().seconds());
        let needed = ErrorCode::ConfirmationRequired;
        assert_eq!(refusal(shop.retour.begin_totp(&stale).await), needed);
        assert_eq!(refusal(shop.retour.confirm_totp(&stale, &code).await), needed);
        assert_eq!(refusal(shop.retour.remove_totp(&stale).await), needed);
        assert_eq!(refusal(shop.retour.renew_recovery_codes(&stale).await), needed);
    }
}
