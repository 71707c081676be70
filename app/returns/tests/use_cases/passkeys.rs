//! Passkeys: added, used to sign in and as a proof, removed; and answers that do not count.

use crate::{
    passkey_device::Device,
    shop::{HERE, Shop, refusal},
    sign_in::{ADA, ELSEWHERE, enrol, me, open, try_sign_in},
    team::{PASSWORD, user},
};
use domain::{RefusalCode, audit::AuditAction, policy::SecondFactorRule};
use returns::{
    DeskProof, Error, ErrorCode, Listing, NewDeskSession, NewPasskey, PasskeyProof, Role, SignIn, SignInStep, SignedIn,
    view,
};
use store::testing::Database;
use tokio::task::JoinSet;

const DESK: &str = "http://localhost:3000";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

fn proof(device: &Device, challenge: &str) -> PasskeyProof {
    let used = device.sign(challenge);
    PasskeyProof {
        credential_id: used.id,
        client_data_json: used.client_data,
        authenticator_data: used.authenticator_data,
        signature: used.signature,
        user_handle: used.user_handle,
    }
}

async fn made(shop: &Shop, me: &SignedIn, device: &mut Device) -> NewPasskey {
    let options = shop.retour.begin_passkey(me).await.unwrap();
    let made = device.make(&options.challenge, &options.user.id);
    NewPasskey { name: String::new(), client_data_json: made.client_data, attestation_object: made.attestation }
}

async fn add(shop: &Shop, me: &SignedIn, device: &mut Device) -> Result<view::NewPasskey, Error> {
    let new = made(shop, me, device).await;
    shop.retour.add_passkey(me, new, FIREFOX).await
}

/// A user with a passkey and nothing else; the recovery codes.
async fn with_passkey(shop: &Shop) -> (SignedIn, Device, Vec<String>) {
    user(shop, ADA, Role::Agent).await;
    let first = try_sign_in(shop, None, HERE).await.unwrap();
    let (ada, mut device) = (me(shop, &first.token).await, Device::new(1, DESK));
    let added = add(shop, &ada, &mut device).await.unwrap();
    (ada, device, added.recovery_codes.unwrap())
}

async fn challenge(shop: &Shop) -> String {
    shop.retour.begin_passkey_sign_in().await.unwrap().challenge
}

async fn sign_in(shop: &Shop, proof: PasskeyProof) -> Result<SignIn, Error> {
    shop.retour.sign_in_with_passkey(proof, HERE, FIREFOX).await
}

/// Signs in to the desk.
async fn desk(shop: &Shop, device: &Device) -> Result<NewDeskSession, Error> {
    let proof = proof(device, &challenge(shop).await);
    shop.retour.desk_sign_in_with_passkey(proof, HERE, FIREFOX).await
}

async fn confirm(shop: &Shop, token: &str, device: &Device) -> Result<NewDeskSession, Error> {
    let challenge = shop.retour.desk_begin_passkey(token).await.unwrap().challenge;
    shop.retour.desk_confirm(token, DeskProof::Passkey(proof(device, &challenge)), HERE).await
}

async fn count(shop: &Shop, action: AuditAction) -> usize {
    let newest = Listing::newest(crate::shop::ALL);
    let entries = shop.retour.merchant(&shop.staff).audit_entries(&newest).await.unwrap().data;
    entries.iter().filter(|entry| entry.action == action).count()
}

fn wrong<T: std::fmt::Debug>(outcome: Result<T, Error>) {
    assert_eq!(refusal(outcome), ErrorCode::WrongPasskey);
}

store::on_each_database! {
    async fn a_passkey_alone_signs_in_and_counts_as_a_second_factor(database: Database) {
        let shop = open(&database, SecondFactorRule::Everybody).await;
        let (ada, device, codes) = with_passkey(&shop).await;
        assert_eq!(codes.len(), 10);
        let listed = shop.retour.passkeys(&ada).await.unwrap();
        assert_eq!((listed.host.as_deref(), listed.data.len()), (Some("localhost"), 1));
        assert_eq!((listed.data[0].name.as_str(), listed.data[0].last_used_at), ("Firefox on Linux", None));
        let signed_in = sign_in(&shop, proof(&device, &challenge(&shop).await)).await.unwrap();
        assert_eq!((signed_in.step, signed_in.user.id), (SignInStep::Complete, ada.id));
        assert!(signed_in.user.has_second_factor);
        let session = desk(&shop, &device).await.unwrap();
        assert_eq!(session.step, SignInStep::Complete);
        let session = shop.retour.desk_session(&session.token).await.unwrap().unwrap();
        assert!(session.is_fresh(shop.source.now()) && session.has_passkey && !session.has_app);
        assert_eq!(session.factor_due_at, None);
        assert_eq!(shop.retour.passkeys(&ada).await.unwrap().data[0].last_used_at, Some(shop.source.now()));
        assert_eq!(count(&shop, AuditAction::UserSignedInWithPasskey).await, 2);
        // The password alone is not enough any more. A recovery code replaces the passkey once.
        assert_eq!(refusal(try_sign_in(&shop, None, HERE).await), ErrorCode::SecondFactorRequired);
        try_sign_in(&shop, Some(&codes[0]), HERE).await.unwrap();
        assert_eq!(refusal(try_sign_in(&shop, Some(&codes[0]), HERE).await), ErrorCode::WrongCode);
        assert_eq!(refusal(try_sign_in(&shop, Some("123456"), HERE).await), ErrorCode::WrongCode);
    }

    async fn a_required_factor_is_set_up_by_a_passkey(database: Database) {
        let shop = open(&database, SecondFactorRule::Everybody).await;
        user(&shop, ADA, Role::Agent).await;
        try_sign_in(&shop, None, HERE).await.unwrap();
        shop.source.set(shop.source.now().plus_days(8));
        let late = shop.retour.desk_sign_in(ADA, PASSWORD.to_owned(), HERE, FIREFOX).await.unwrap();
        assert_eq!(late.step, SignInStep::Enrol);
        let session = shop.retour.desk_session(&late.token).await.unwrap().unwrap();
        let mut device = Device::new(1, DESK);
        let new = made(&shop, &session.signed_in(), &mut device).await;
        let (session, added) = shop.retour.desk_add_passkey(&late.token, new, HERE, FIREFOX).await.unwrap();
        assert_eq!((session.step, added.recovery_codes.map(|codes| codes.len())), (SignInStep::Complete, Some(10)));
        assert!(shop.retour.desk_session(&late.token).await.unwrap().is_none(), "the token has changed");
        // The same for a token of the API.
        shop.retour.merchant(&shop.staff).reset_factors(session_user(&shop, &session).await, None).await.unwrap();
        let late = try_sign_in(&shop, None, HERE).await.unwrap();
        assert_eq!(late.step, SignInStep::Enrol);
        add(&shop, &me(&shop, &late.token).await, &mut Device::new(2, DESK)).await.unwrap();
        assert_eq!(me(&shop, &late.token).await.step, SignInStep::Complete);
    }

    async fn an_answer_counts_once_and_for_its_own_challenge(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (ada, device, _) = with_passkey(&shop).await;
        let once = proof(&device, &challenge(&shop).await);
        sign_in(&shop, once.clone()).await.unwrap();
        wrong(sign_in(&shop, once.clone()).await);
        wrong(shop.retour.desk_sign_in_with_passkey(once, HERE, FIREFOX).await);
        wrong(sign_in(&shop, proof(&device, "AAAA")).await);
        // Two pages, each with its own challenge: both work, in any order.
        let (one, other) = (challenge(&shop).await, challenge(&shop).await);
        sign_in(&shop, proof(&device, &other)).await.unwrap();
        sign_in(&shop, proof(&device, &one)).await.unwrap();
        let late = challenge(&shop).await;
        shop.source.set(shop.source.now().plus_seconds(300));
        wrong(sign_in(&shop, proof(&device, &late)).await);
        // What was begun for something else does not sign in.
        shop.source.set(shop.source.now().plus_seconds(-300));
        let adding = shop.retour.begin_passkey(&ada).await.unwrap().challenge;
        wrong(sign_in(&shop, proof(&device, &adding)).await);
        let session = desk(&shop, &device).await.unwrap();
        let confirming = shop.retour.desk_begin_passkey(&session.token).await.unwrap().challenge;
        wrong(sign_in(&shop, proof(&device, &confirming)).await);
        let elsewhere = desk(&shop, &device).await.unwrap();
        let confirming = shop.retour.desk_begin_passkey(&session.token).await.unwrap().challenge;
        let planted = DeskProof::Passkey(proof(&device, &confirming));
        wrong(shop.retour.desk_confirm(&elsewhere.token, planted, HERE).await);
        assert_eq!(database.rows("passkey_challenges").await, 4, "a wrong answer uses up no challenge of another kind");
    }

    async fn of_many_uses_of_one_answer_one_succeeds(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, device, _) = with_passkey(&shop).await;
        let once = proof(&device, &challenge(&shop).await);
        let mut uses = JoinSet::new();
        for _ in 0..4 {
            let (shop, once) = (shop.clone(), once.clone());
            uses.spawn(async move { sign_in(&shop, once).await.is_ok() });
        }
        assert_eq!(uses.join_all().await.into_iter().filter(|is_right| *is_right).count(), 1);
    }

    async fn a_phished_or_forged_answer_is_refused_and_locks_nobody_out(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, mut device, codes) = with_passkey(&shop).await;
        "http://localhost:4000".clone_into(&mut device.origin);
        wrong(desk(&shop, &device).await);
        (device.origin, device.host) = (DESK.to_owned(), "example.com".to_owned());
        wrong(desk(&shop, &device).await);
        "localhost".clone_into(&mut device.host);
        device.flags = 0b1001;
        wrong(desk(&shop, &device).await);
        device.flags = 0b1101;
        let refused = count(&shop, AuditAction::UserPasskeyRefused).await;
        assert_eq!(refused, 3);
        let mut forger = Device::new(2, DESK);
        forger.make("", &device.user_handle);
        let mut forgeries = JoinSet::new();
        for _ in 0..30 {
            let mut forged = proof(&forger, &challenge(&shop).await);
            forged.credential_id = crate::passkey_device::encoded(&[1; 16]);
            let shop = shop.clone();
            forgeries.spawn(async move { shop.retour.sign_in_with_passkey(forged, ELSEWHERE, FIREFOX).await });
        }
        forgeries.join_all().await.into_iter().for_each(wrong);
        wrong(desk(&shop, &forger).await);
        assert_eq!(count(&shop, AuditAction::UserPasskeyRefused).await, refused + 30, "an unknown passkey is nobody's");
        desk(&shop, &device).await.unwrap();
        try_sign_in(&shop, Some(&codes[0]), HERE).await.unwrap();
    }

    async fn a_counter_that_goes_back_is_refused(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, mut device, _) = with_passkey(&shop).await;
        device.count = 5;
        desk(&shop, &device).await.unwrap();
        for count in [5, 4, 0] {
            device.count = count;
            wrong(desk(&shop, &device).await);
        }
        assert_eq!(count(&shop, AuditAction::UserPasskeyRefused).await, 3);
        device.count = 6;
        desk(&shop, &device).await.unwrap();
    }

    async fn a_passkey_completes_a_sign_in_and_proves_again(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (_, device, _) = with_passkey(&shop).await;
        let begun = shop.retour.desk_sign_in(ADA, PASSWORD.to_owned(), HERE, FIREFOX).await.unwrap();
        assert_eq!(begun.step, SignInStep::SecondFactor);
        let whole = confirm(&shop, &begun.token, &device).await.unwrap();
        assert_eq!(whole.step, SignInStep::Complete);
        shop.source.set(shop.source.now().plus_seconds(700));
        let session = shop.retour.desk_session(&whole.token).await.unwrap().unwrap();
        assert_eq!(refusal(shop.retour.begin_passkey(&session.signed_in()).await), ErrorCode::ConfirmationRequired);
        let again = confirm(&shop, &whole.token, &device).await.unwrap();
        let session = shop.retour.desk_session(&again.token).await.unwrap().unwrap();
        assert!(session.is_fresh(shop.source.now()));
        assert!(shop.retour.desk_session(&whole.token).await.unwrap().is_none(), "the token has changed");
        // Somebody else's passkey proves nothing here, and does not end the session.
        let (eve, mut other) = ("eve@example.com", Device::new(9, DESK));
        user(&shop, eve, Role::Agent).await;
        let hers = crate::team::sign_in(&shop, eve, PASSWORD, HERE).await.unwrap();
        add(&shop, &me(&shop, &hers.token).await, &mut other).await.unwrap();
        let mut tries = JoinSet::new();
        for _ in 0..6 {
            let challenge = shop.retour.desk_begin_passkey(&again.token).await.unwrap().challenge;
            let (shop, token, proof) = (shop.clone(), again.token.clone(), proof(&other, &challenge));
            tries.spawn(async move { shop.retour.desk_confirm(&token, DeskProof::Passkey(proof), HERE).await });
        }
        tries.join_all().await.into_iter().for_each(wrong);
        confirm(&shop, &again.token, &device).await.unwrap();
    }

    async fn a_passkey_is_added_once_for_its_website_and_within_limits(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (ada, mut device, _) = with_passkey(&shop).await;
        let fields = |outcome: Result<view::NewPasskey, Error>| match outcome {
            Err(Error::Invalid(fields)) => fields.into_iter().map(|field| field.field).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(fields(add(&shop, &ada, &mut device).await), ["attestationObject"], "it is added already");
        let mut phished = Device::new(3, "https://example.com");
        assert_eq!(fields(add(&shop, &ada, &mut phished).await), ["clientDataJson"]);
        let new = made(&shop, &ada, &mut Device::new(3, DESK)).await;
        let named = |name: &str| NewPasskey { name: name.to_owned(), ..new.clone() };
        assert_eq!(fields(shop.retour.add_passkey(&ada, named(&"x".repeat(101)), "").await), ["name"]);
        let added = shop.retour.add_passkey(&ada, named(" Key ring "), "").await.unwrap();
        assert_eq!((added.passkey.name.as_str(), added.recovery_codes), ("Key ring", None), "there are codes already");
        assert_eq!(fields(shop.retour.add_passkey(&ada, new, "").await), ["clientDataJson"], "the challenge is used");
        for garbled in ["", "?", "AAAA"] {
            let new = NewPasskey {
                name: String::new(),
                client_data_json: garbled.to_owned(),
                attestation_object: garbled.to_owned(),
            };
            assert_eq!(fields(shop.retour.add_passkey(&ada, new, "").await), ["clientDataJson"], "{garbled}");
        }
        for seed in 10..28 {
            add(&shop, &ada, &mut Device::new(seed, DESK)).await.unwrap();
        }
        let full = ErrorCode::Refused(RefusalCode::LimitReached);
        assert_eq!(refusal(shop.retour.begin_passkey(&ada).await), full);
        let nowhere = shop.retour.clone().configured(|config| "http://192.0.2.1".clone_into(&mut config.public_url));
        assert_eq!(nowhere.passkeys(&ada).await.unwrap().host, None);
        let none = ErrorCode::Refused(RefusalCode::NoHostName);
        assert_eq!(refusal(nowhere.begin_passkey_sign_in().await), none);
    }

    async fn removed_and_reset_passkeys_are_worth_nothing(database: Database) {
        let shop = open(&database, SecondFactorRule::Off).await;
        let (ada, device, codes) = with_passkey(&shop).await;
        let other = desk(&shop, &device).await.unwrap();
        let id = shop.retour.passkeys(&ada).await.unwrap().data[0].id;
        let eve = user(&shop, "eve@example.com", Role::Agent).await;
        let hers = crate::team::sign_in(&shop, "eve@example.com", PASSWORD, HERE).await.unwrap();
        let not_hers = shop.retour.remove_passkey(&me(&shop, &hers.token).await, id).await;
        assert_eq!(refusal(not_hers), ErrorCode::NotFound);
        shop.retour.rename_passkey(&ada, id, "Laptop").await.unwrap();
        assert_eq!(count(&shop, AuditAction::UserPasskeyRenamed).await, 1);
        shop.retour.remove_passkey(&ada, id).await.unwrap();
        assert_eq!(refusal(shop.retour.remove_passkey(&ada, id).await), ErrorCode::NotFound);
        assert!(shop.retour.desk_session(&other.token).await.unwrap().is_none(), "other sessions end");
        wrong(desk(&shop, &device).await);
        // It was the last second factor: the password is enough again, and recovery codes are over.
        try_sign_in(&shop, None, HERE).await.unwrap();
        assert_eq!(shop.retour.second_factor(&ada).await.unwrap().recovery_codes_left, 0, "{codes:?}");
        assert_eq!(count(&shop, AuditAction::UserPasskeyAdded).await, 1);
        assert_eq!(count(&shop, AuditAction::UserPasskeyRemoved).await, 1);
        // An app stays when passkeys go, and keeps the codes; a reset removes both.
        enrol(&shop, &ada).await;
        let mut second = Device::new(2, DESK);
        let added = add(&shop, &ada, &mut second).await.unwrap();
        shop.retour.remove_passkey(&ada, added.passkey.id).await.unwrap();
        assert_eq!(shop.retour.second_factor(&ada).await.unwrap().recovery_codes_left, 10);
        add(&shop, &ada, &mut second).await.unwrap();
        let session = desk(&shop, &second).await.unwrap();
        shop.retour.merchant(&shop.staff).reset_factors(ada.id, None).await.unwrap();
        assert!(shop.retour.desk_session(&session.token).await.unwrap().is_none());
        wrong(desk(&shop, &second).await);
        assert_eq!(database.rows("passkeys").await, 0);
        // A user who is removed takes the passkeys along.
        let mut third = Device::new(3, DESK);
        add(&shop, &me(&shop, &hers.token).await, &mut third).await.unwrap();
        shop.retour.merchant(&shop.staff).delete_user(eve.id).await.unwrap();
        wrong(desk(&shop, &third).await);
        assert_eq!(database.rows("passkeys").await, 0);
    }
}

async fn session_user(shop: &Shop, session: &NewDeskSession) -> domain::UserId {
    shop.retour.desk_session(&session.token).await.unwrap().unwrap().user.id
}
