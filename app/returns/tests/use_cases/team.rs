//! A merchant's API keys and users: their permissions and lifetimes, and how their secrets are stored.

use crate::shop::{HERE, NOW, Shop, fresh, refusal};
use domain::{RefusalCode, UserId};
use returns::{
    Caller, ClientAddress, Done, Error, ErrorCode, IdempotencyKey, NewUser, Role, Scope, SealedKey, ServiceUserChange,
    SignIn, UserChange, UserCredentials,
    view::{InvitedUser, ServiceUserWithKey, User, UserStatus},
};
use store::testing::Database;

pub const PASSWORD: &str = "correct horse battery";

/// A user who can sign in with [`PASSWORD`].
pub async fn user(shop: &Shop, email: &str, role: Role) -> User {
    let new = NewUser { email: email.to_owned(), name: String::new(), role, language: None };
    shop.retour.operator().create_user(shop.account.id, new, PASSWORD.to_owned()).await.unwrap()
}

/// Signs a user in to the API.
pub async fn sign_in(shop: &Shop, email: &str, password: &str, from: ClientAddress) -> Result<SignIn, Error> {
    let given = UserCredentials { email: email.to_owned(), password: password.to_owned(), code: None };
    shop.retour.sign_in(given, from, "curl/8").await
}

impl Shop {
    async fn signed_in(&self, email: &str) -> String {
        sign_in(self, email, PASSWORD, HERE).await.unwrap().token
    }

    async fn role(&self, token: &str) -> Option<Role> {
        match self.retour.caller(token).await {
            Ok(Caller::User(user)) => Some(user.role),
            Err(Error::Unauthorized) => None,
            other => panic!("{other:?}"),
        }
    }

    async fn invite(&self, email: &str, role: Role) -> Result<InvitedUser, Error> {
        let new = NewUser { email: email.to_owned(), name: "Ada".to_owned(), role, language: None };
        Ok(fresh(self.retour.merchant(&self.staff).invite_user(new, None).await?, 201))
    }

    async fn give_role(&self, id: UserId, role: Role) -> Result<User, Error> {
        let change = UserChange { role: Some(role), ..UserChange::default() };
        Ok(fresh(self.retour.merchant(&self.staff).update_user(id, change, None).await?, 200))
    }

    async fn key(&self, scopes: &[Scope]) -> ServiceUserWithKey {
        fresh(self.retour.merchant(&self.staff).add_service_user("CRM", scopes, None).await.unwrap(), 201)
    }

    async fn is_good(&self, key: &str) -> bool {
        self.retour.caller(key).await.is_ok()
    }
}

fn last_admin<T: std::fmt::Debug>(outcome: Result<T, Error>) {
    assert_eq!(refusal(outcome), ErrorCode::Refused(RefusalCode::LastAdmin));
}

/// An idempotency key that only the holder of this credential can open.
fn sealed(credential: &str) -> Option<SealedKey> {
    let key = IdempotencyKey { credential: "user:1".into(), key: "once".into(), fingerprint: b"request".to_vec() };
    Some(SealedKey::new(key, credential))
}

/// The texts of all tables that hold users, keys and answers.
async fn everything(database: &Database) -> String {
    let mut all = String::new();
    for query in [
        "SELECT name || scopes || key_last_four FROM service_users",
        "SELECT email || name || password_hash FROM users",
        "SELECT body FROM idempotency_keys",
        "SELECT data FROM events",
    ] {
        all.push_str(&database.texts(query).await.join("\n"));
    }
    all
}

store::on_each_database! {
    async fn an_invitation_sets_a_password_once_and_then_the_user_can_sign_in(database: Database) {
        let shop = Shop::open(&database).await;
        let invited = shop.invite("Ada@Example.com", Role::Agent).await.unwrap();
        assert_eq!((invited.user.status, invited.invitation_expires_at), (UserStatus::Invited, NOW.plus_days(7)));
        let token = invited.invitation_token.as_str();
        let set = async |token: &str, password: &str| shop.retour.set_password(token, password.to_owned(), HERE).await;
        for bad in ["short", "ADA@example.com", "password1234"] {
            assert!(matches!(set(token, bad).await, Err(Error::Invalid(_))), "{bad}");
        }
        assert_eq!(refusal(sign_in(&shop, "ada@example.com", "", HERE).await), ErrorCode::InvalidCredentials);
        set(token, PASSWORD).await.unwrap();
        for (token, why) in [(token, "used"), ("", "none"), ("rti_1", "nonsense"), (&token.replace("rti_", "rtu_"), "another kind")] {
            assert_eq!(refusal(set(token, PASSWORD).await), ErrorCode::InvalidInvitation, "{why}");
        }
        let signed_in = sign_in(&shop, "ada@example.com", PASSWORD, HERE).await.unwrap();
        assert_eq!((signed_in.user.status, signed_in.expires_at), (UserStatus::Active, NOW.plus_hours(1)));
        assert_eq!(shop.role(&signed_in.token).await, Some(Role::Agent));
        shop.source.set(NOW.plus_hours(1));
        assert_eq!(shop.role(&signed_in.token).await, None);
    }

    async fn an_invitation_ends_after_a_week_or_with_a_new_one(database: Database) {
        let shop = Shop::open(&database).await;
        let first = shop.invite("ada@example.com", Role::Admin).await.unwrap();
        let again = fresh(shop.retour.merchant(&shop.staff).invite_user_again(first.user.id, None).await.unwrap(), 201);
        let set = async |token: &str| shop.retour.set_password(token, PASSWORD.to_owned(), HERE).await;
        assert_eq!(refusal(set(&first.invitation_token).await), ErrorCode::InvalidInvitation);
        shop.source.set(NOW.plus_days(7));
        assert_eq!(refusal(set(&again.invitation_token).await), ErrorCode::InvalidInvitation);
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(database.rows("user_tokens").await, 0);
        let late = fresh(shop.retour.merchant(&shop.staff).invite_user_again(first.user.id, None).await.unwrap(), 201);
        set(&late.invitation_token).await.unwrap();
        // Setting a new password ends sessions that used the old one.
        let token = shop.signed_in("ada@example.com").await;
        let forgotten = fresh(shop.retour.merchant(&shop.staff).invite_user_again(first.user.id, None).await.unwrap(), 201);
        assert_eq!(shop.role(&token).await, Some(Role::Admin), "a new invitation alone ends nothing");
        set(&forgotten.invitation_token).await.unwrap();
        assert_eq!(shop.role(&token).await, None);
    }

    async fn of_two_simultaneous_uses_of_an_invitation_one_succeeds(database: Database) {
        let shop = Shop::open(&database).await;
        let token = shop.invite("ada@example.com", Role::Admin).await.unwrap().invitation_token;
        let set = |password: &str| shop.retour.set_password(&token, password.to_owned(), HERE);
        let (one, other) = tokio::join!(set("the first password"), set("the other password"));
        assert_eq!(u32::from(one.is_ok()) + u32::from(other.is_ok()), 1);
    }

    async fn demotion_removal_and_signing_out_take_effect_at_once(database: Database) {
        let shop = Shop::open(&database).await;
        user(&shop, "boss@example.com", Role::Admin).await;
        let ada = user(&shop, "ada@example.com", Role::Admin).await;
        let (token, other) = (shop.signed_in("ada@example.com").await, shop.signed_in("ada@example.com").await);
        assert_eq!(shop.give_role(ada.id, Role::Viewer).await.unwrap().version, 2);
        assert_eq!((shop.role(&token).await, shop.role(&other).await), (None, None), "a new role needs a new sign-in");
        let (token, other) = (shop.signed_in("ada@example.com").await, shop.signed_in("ada@example.com").await);
        let caller = shop.retour.caller(&token).await.unwrap();
        assert!(matches!(caller.as_staff(Scope::Write), Err(Error::Forbidden(_))));
        let Caller::User(me) = caller else { panic!("expected a user") };
        shop.retour.sign_out(&me, &token).await.unwrap();
        assert_eq!((shop.role(&token).await, shop.role(&other).await), (None, Some(Role::Viewer)));
        shop.retour.merchant(&shop.staff).delete_user(ada.id).await.unwrap();
        assert_eq!(shop.role(&other).await, None);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).user(ada.id).await), ErrorCode::NotFound);
        user(&shop, "ada@example.com", Role::Viewer).await;
    }

    async fn the_last_admin_can_be_neither_demoted_nor_removed(database: Database) {
        let shop = Shop::open(&database).await;
        let boss = user(&shop, "boss@example.com", Role::Admin).await;
        let invited = shop.invite("ada@example.com", Role::Admin).await.unwrap().user;
        last_admin(shop.give_role(boss.id, Role::Agent).await);
        last_admin(shop.retour.merchant(&shop.staff).delete_user(boss.id).await);
        assert_eq!(shop.give_role(boss.id, Role::Admin).await.unwrap().version, 1, "the role stays the same");
        // An invited admin without a password does not count, and can be demoted and removed.
        shop.give_role(invited.id, Role::Viewer).await.unwrap();
        shop.retour.merchant(&shop.staff).delete_user(invited.id).await.unwrap();
    }

    async fn of_two_simultaneous_removals_of_the_last_two_admins_one_is_refused(database: Database) {
        let shop = Shop::open(&database).await;
        for round in 0..8 {
            let one = user(&shop, &format!("one{round}@example.com"), Role::Admin).await.id;
            let other = user(&shop, &format!("other{round}@example.com"), Role::Admin).await.id;
            // Removes the survivors of the round before.
            for left in shop.retour.merchant(&shop.staff).users(&returns::Listing::newest(crate::shop::ALL)).await.unwrap().data {
                if ![one, other].contains(&left.id) {
                    shop.retour.merchant(&shop.staff).delete_user(left.id).await.unwrap();
                }
            }
            let demote = shop.give_role(one, Role::Viewer);
            let delete = async { shop.retour.merchant(&shop.staff).delete_user(other).await };
            let (demoted, deleted) = tokio::join!(demote, delete);
            assert_eq!(u32::from(demoted.is_ok()) + u32::from(deleted.is_ok()), 1, "{demoted:?} {deleted:?}");
        }
    }

    async fn a_key_ends_at_once_when_it_is_rotated_or_revoked(database: Database) {
        let shop = Shop::open(&database).await;
        let made = shop.key(&[Scope::Write, Scope::Read, Scope::Read]).await;
        assert_eq!(made.service_user.scopes, [Scope::Read, Scope::Write]);
        assert!(made.api_key.ends_with(&made.service_user.key_last_four) && shop.is_good(&made.api_key).await);
        let id = made.service_user.id;
        let rotated = fresh(shop.retour.merchant(&shop.staff).rotate_service_user(id, None).await.unwrap(), 200);
        assert_eq!((rotated.service_user.version, rotated.service_user.id), (2, id));
        assert!(!shop.is_good(&made.api_key).await && shop.is_good(&rotated.api_key).await);
        let change = || ServiceUserChange { scopes: Some(vec![Scope::Read]), ..ServiceUserChange::default() };
        fresh(shop.retour.merchant(&shop.staff).update_service_user(id, change(), None).await.unwrap(), 200);
        let caller = shop.retour.caller(&rotated.api_key).await.unwrap();
        assert!(caller.as_staff(Scope::Read).is_ok() && caller.as_staff(Scope::Write).is_err());
        for _ in 0..2 {
            shop.retour.merchant(&shop.staff).revoke_service_user(id).await.unwrap();
            assert!(!shop.is_good(&rotated.api_key).await);
        }
        let kept = shop.retour.merchant(&shop.staff).service_user(id).await.unwrap();
        assert_eq!((kept.revoked_at, kept.version), (Some(NOW), 4));
        let revoked = ErrorCode::Refused(RefusalCode::Revoked);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).rotate_service_user(id, None).await), revoked);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).update_service_user(id, change(), None).await), revoked);
    }

    async fn the_last_admin_credential_cannot_be_revoked(database: Database) {
        let shop = Shop::open(&database).await;
        let only = domain::ServiceUserId(shop.staff.id());
        let downgrade = || ServiceUserChange { scopes: Some(vec![Scope::Write]), ..ServiceUserChange::default() };
        shop.key(&[Scope::Read, Scope::Write]).await;
        shop.invite("ada@example.com", Role::Admin).await.unwrap();
        last_admin(shop.retour.merchant(&shop.staff).revoke_service_user(only).await);
        last_admin(shop.retour.merchant(&shop.staff).update_service_user(only, downgrade(), None).await);
        fresh(shop.retour.merchant(&shop.staff).rotate_service_user(only, None).await.unwrap(), 200);
        // Of two keys revoked at the same time, one stays.
        let second = shop.key(&[Scope::Admin]).await.service_user.id;
        let (one, other) = tokio::join!(
            shop.retour.merchant(&shop.staff).revoke_service_user(only),
            shop.retour.merchant(&shop.staff).revoke_service_user(second)
        );
        assert_eq!(u32::from(one.is_ok()) + u32::from(other.is_ok()), 1);
        // A user who can sign in as an administrator counts as an admin credential.
        user(&shop, "boss@example.com", Role::Admin).await;
        for id in [only, second] {
            shop.retour.merchant(&shop.staff).revoke_service_user(id).await.unwrap();
        }
    }

    async fn another_account_cannot_reach_users_and_keys(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", domain::policy::Policy::default()).await;
        let (ada, key) = (user(&ours, "ada@example.com", Role::Viewer).await, ours.key(&[Scope::Read]).await);
        let (retour, staff, id, program) = (&theirs.retour, &theirs.staff, ada.id, key.service_user.id);
        let gone = ErrorCode::NotFound;
        assert_eq!(refusal(retour.merchant(staff).user(id).await), gone);
        assert_eq!(refusal(retour.merchant(staff).update_user(id, UserChange::default(), None).await), gone);
        assert_eq!(refusal(retour.merchant(staff).invite_user_again(id, None).await), gone);
        assert_eq!(refusal(retour.merchant(staff).delete_user(id).await), gone);
        assert_eq!(refusal(retour.merchant(staff).service_user(program).await), gone);
        assert_eq!(refusal(retour.merchant(staff).rotate_service_user(program, None).await), gone);
        assert_eq!(refusal(retour.merchant(staff).revoke_service_user(program).await), gone);
        let change = ServiceUserChange::default();
        assert_eq!(refusal(retour.merchant(staff).update_service_user(program, change, None).await), gone);
        assert_eq!(refusal(theirs.invite("ADA@example.com", Role::Admin).await), ErrorCode::Refused(RefusalCode::EmailTaken));
        assert!(ours.is_good(&key.api_key).await);
        assert_eq!(ours.retour.merchant(&ours.staff).user(id).await.unwrap().version, 1);
    }

    async fn an_answer_with_a_secret_is_replayed_to_its_credential_only(database: Database) {
        let shop = Shop::open(&database).await;
        let make = async |credential: &str| shop.retour.merchant(&shop.staff).add_service_user("CRM", &[Scope::Read], sealed(credential)).await;
        let made = fresh(make("rtk_mine").await.unwrap(), 201);
        let Done::Replayed(answer) = make("rtk_mine").await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!((answer.status, answer.body), (201, serde_json::to_string(&made).unwrap()));
        assert_eq!(refusal(make("rtk_another").await), ErrorCode::Conflict);
        assert_eq!(database.rows("service_users").await, 2, "the shop's own and the new one");

        let new = || NewUser { email: "ada@example.com".to_owned(), name: String::new(), role: Role::Admin, language: None };
        let key = IdempotencyKey { credential: "user:1".into(), key: "two".into(), fingerprint: b"invite".to_vec() };
        let invite = async || shop.retour.merchant(&shop.staff).invite_user(new(), Some(SealedKey::new(key.clone(), "rtk_mine"))).await;
        let invited = fresh(invite().await.unwrap(), 201);
        let Done::Replayed(answer) = invite().await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!(answer.body, serde_json::to_string(&invited).unwrap());

        shop.retour.set_password(&invited.invitation_token, PASSWORD.to_owned(), HERE).await.unwrap();
        let token = shop.signed_in("ada@example.com").await;
        let all = everything(&database).await;
        assert!(all.contains("$argon2id$v=19$m=19456,t=2,p=1$"));
        for secret in [&made.api_key, &invited.invitation_token, &token, PASSWORD] {
            assert!(!all.contains(secret), "{secret}");
        }
    }

    async fn bad_names_addresses_and_scopes_are_reported_together(database: Database) {
        let shop = Shop::open(&database).await;
        let fields = |error: Error| match error {
            Error::Invalid(details) => details.into_iter().map(|detail| detail.field).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let new = |email: &str, name: &str| NewUser { email: email.to_owned(), name: name.to_owned(), role: Role::Agent, language: None };
        let long = "x".repeat(101);
        let far = format!("{}@example.com", "x".repeat(254));
        for email in ["", "ada", "@example.com", "ada@", "a da@example.com", "ada\0@example.com", &far] {
            assert_eq!(fields(shop.retour.merchant(&shop.staff).invite_user(new(email, &long), None).await.unwrap_err()), ["email", "name"], "{email}");
        }
        for name in ["", "  ", "two\nlines", "\0", &long] {
            assert_eq!(fields(shop.retour.merchant(&shop.staff).add_service_user(name, &[Scope::Read], None).await.unwrap_err()), ["name"], "{name:?}");
        }
        assert_eq!(fields(shop.retour.merchant(&shop.staff).add_service_user("CRM", &[], None).await.unwrap_err()), ["scopes"]);
        assert_eq!((database.rows("users").await, database.rows("service_users").await), (0, 1));
    }
}
