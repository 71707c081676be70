//! Second factors, sessions and passwords of users.

use crate::{
    authenticator::code_of,
    harness::{NOW, Service, on_both_databases, text},
};
use returns::{NewUser, Role};
use serde_json::{Value, json};

on_both_databases! {
    a_user_sets_up_an_app_and_signs_in_with_it
    an_administrator_resets_a_factor_and_ends_sessions
    a_user_lists_and_ends_sessions_and_changes_the_password
    changes_of_people_and_keys_need_a_recent_sign_in
    a_required_factor_closes_everything_but_the_users_security
    forgotten_passwords_are_answered_alike
}

pub const PASSWORD: &str = "correct horse battery";
pub const ADA: &str = "ada@example.com";

impl Service {
    pub async fn add_user(&self, email: &str, role: Role) -> String {
        let new = NewUser { email: email.to_owned(), name: String::new(), role, language: None };
        let user = self.retour.operator().create_user(self.demo.account.id, new, PASSWORD.to_owned()).await.unwrap();
        user.id.to_string()
    }

    pub async fn token_of(&self, email: &str, code: Option<&str>) -> String {
        let answer = self.post("/auth/user", "", json!({"email": email, "password": PASSWORD, "code": code})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        text(&answer.json()["accessToken"])
    }

    /// Sets up an authenticator app. Returns its secret and the recovery codes.
    async fn enrol(&self, token: &str) -> (String, Vec<Value>) {
        let begun = self.post("/auth/user/totp", token, json!({})).await;
        assert_eq!(begun.status, 201, "{}", begun.text());
        let secret = text(&begun.json()["secret"]);
        assert!(text(&begun.json()["uri"]).contains(&format!("?secret={secret}&issuer=")), "{}", begun.text());
        let code = code_of(&secret, self.clock.now().seconds());
        let done = self.post("/auth/user/totp/confirm", token, json!({"code": code})).await;
        assert_eq!(done.status, 200, "{}", done.text());
        (secret, done.json()["recoveryCodes"].as_array().unwrap().clone())
    }
}

async fn a_user_sets_up_an_app_and_signs_in_with_it(service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let first = service.token_of(ADA, None).await;
    assert_eq!(service.get("/auth/user/second-factor", &first).await.json()["recoveryCodesLeft"], json!(0));
    let wrong = service.post("/auth/user/totp/confirm", &first, json!({"code": "000000"})).await;
    assert_eq!((wrong.status, wrong.error_code().as_str()), (409, "NoSecondFactor"));
    service.post("/auth/user/totp", &first, json!({})).await;
    let wrong = service.post("/auth/user/totp/confirm", &first, json!({"code": "12"})).await;
    assert_eq!((wrong.status, wrong.fields()), (422, vec!["code".to_owned()]));
    let (secret, codes) = service.enrol(&first).await;
    assert_eq!(codes.len(), 10);
    let sign_in = |code: Value| json!({"email": ADA, "password": PASSWORD, "code": code});
    let missing = service.post("/auth/user", "", json!({"email": ADA, "password": PASSWORD})).await;
    assert_eq!((missing.status, missing.error_code().as_str()), (401, "SecondFactorRequired"));
    let used = code_of(&secret, NOW.seconds());
    let wrong = service.post("/auth/user", "", sign_in(json!(used))).await;
    assert_eq!((wrong.status, wrong.error_code().as_str()), (401, "WrongCode"));
    service.clock.set(NOW.plus_seconds(60));
    let code = code_of(&secret, NOW.plus_seconds(60).seconds());
    let signed_in = service.post("/auth/user", "", sign_in(json!(code))).await;
    assert_eq!((signed_in.status, &signed_in.json()["step"]), (200, &json!("Complete")));
    assert_eq!(signed_in.json()["user"]["hasSecondFactor"], json!(true));
    assert_eq!(service.post("/auth/user", "", sign_in(codes[0].clone())).await.status, 200);
    assert_eq!(service.post("/auth/user", "", sign_in(codes[0].clone())).await.status, 401);
    service.clock.set(NOW.plus_seconds(700));
    let token = text(&signed_in.json()["accessToken"]);
    for answer in [
        service.post("/auth/user/totp", &token, json!({})).await,
        service.delete("/auth/user/totp", &token).await,
        service.post("/auth/user/recovery-codes", &token, json!({})).await,
    ] {
        assert_eq!((answer.status, answer.error_code().as_str()), (403, "ConfirmationRequired"));
    }
    let fresh = service.token_of(ADA, codes[1].as_str()).await;
    let renewed = service.post("/auth/user/recovery-codes", &fresh, json!({})).await;
    assert_eq!(renewed.json()["recoveryCodes"].as_array().unwrap().len(), 10);
    assert_eq!(service.delete("/auth/user/totp", &fresh).await.status, 204);
    assert_eq!(service.delete("/auth/user/totp", &fresh).await.status, 409);
    service.token_of(ADA, None).await;
}

async fn an_administrator_resets_a_factor_and_ends_sessions(service: Service) {
    let id = service.add_user(ADA, Role::Agent).await;
    let token = service.token_of(ADA, None).await;
    service.enrol(&token).await;
    let (admin, path) = (&service.demo.key, format!("/api/v0/users/{id}"));
    assert_eq!(service.get(&path, admin).await.json()["hasSecondFactor"], json!(true));
    assert_eq!(service.post(&format!("{path}/reset-factors"), &token, json!({})).await.status, 403);
    let reset = service.post(&format!("{path}/reset-factors"), admin, json!({})).await;
    assert_eq!((reset.status, &reset.json()["hasSecondFactor"]), (200, &json!(false)));
    assert_eq!(service.get("/auth/user", &token).await.status, 401);
    let (one, other) = (service.token_of(ADA, None).await, service.token_of(ADA, None).await);
    let sessions = service.get(&format!("{path}/sessions"), admin).await.json()["data"].clone();
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    let newest = format!("{path}/sessions/{}", text(&sessions[0]["id"]));
    assert_eq!((service.delete(&newest, admin).await.status, service.delete(&newest, admin).await.status), (204, 404));
    assert_eq!(service.delete(&format!("{path}/sessions"), admin).await.status, 204);
    for token in [one, other] {
        assert_eq!(service.get("/auth/user", &token).await.status, 401);
    }
    let entries = service.get("/api/v0/audit-entries", admin).await.json()["data"].clone();
    let actions: Vec<String> = entries.as_array().unwrap().iter().map(|entry| text(&entry["action"])).collect();
    for action in ["user.signed_in", "user.second_factor_added", "user.factors_reset", "user.sessions_ended"] {
        assert!(actions.iter().any(|known| known == action), "{action} is not in {actions:?}");
    }
}

async fn a_user_lists_and_ends_sessions_and_changes_the_password(service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let (mine, other) = (service.token_of(ADA, None).await, service.token_of(ADA, None).await);
    let sessions = service.get("/auth/user/sessions", &mine).await.json()["data"].as_array().unwrap().clone();
    let current: Vec<&Value> = sessions.iter().filter(|one| one["isCurrent"] == json!(true)).collect();
    assert_eq!((sessions.len(), current.len(), &current[0]["kind"]), (2, 1, &json!("Api")));
    assert_eq!(service.delete("/auth/user/sessions", &mine).await.status, 204);
    assert_eq!(service.get("/auth/user", &mine).await.status, 200);
    assert_eq!(service.get("/auth/user", &other).await.status, 401);
    let change = |current: &str, new: &str| json!({"currentPassword": current, "password": new});
    let wrong = service.post("/auth/user/password", &mine, change("not the password", "another password")).await;
    assert_eq!((wrong.status, wrong.fields()), (422, vec!["currentPassword".to_owned()]));
    let common = service.post("/auth/user/password", &mine, change(PASSWORD, "123456qwerty")).await;
    assert_eq!((common.status, common.fields()), (422, vec!["password".to_owned()]));
    let other = service.token_of(ADA, None).await;
    assert_eq!(service.post("/auth/user/password", &mine, change(PASSWORD, "another password")).await.status, 204);
    assert_eq!(service.get("/auth/user", &mine).await.status, 401, "it may have been copied");
    assert_eq!(service.get("/auth/user", &other).await.status, 401);
    let again = json!({"email": ADA, "password": "another password"});
    let again = text(&service.post("/auth/user", "", again).await.json()["accessToken"]);
    let sessions = service.get("/auth/user/sessions", &again).await.json()["data"].as_array().unwrap().clone();
    let id = text(&sessions.iter().find(|one| one["isCurrent"] == json!(true)).unwrap()["id"]);
    assert_eq!(service.delete(&format!("/auth/user/sessions/{id}"), &again).await.status, 204);
    assert_eq!(service.get("/auth/user", &again).await.status, 401);
}

async fn changes_of_people_and_keys_need_a_recent_sign_in(service: Service) {
    service.add_user(ADA, Role::Admin).await;
    let key = service.demo.key.clone();
    let eve = service.add_user("eve@example.com", Role::Agent).await;
    let stale = service.token_of(ADA, None).await;
    let made = service.post("/api/v0/service-users", &stale, json!({"name": "shop", "scopes": ["read"]})).await;
    assert_eq!(made.status, 201, "ten minutes have not passed");
    let program = text(&made.json()["id"]);
    service.clock.set(NOW.plus_seconds(601));
    let (user, key_path) = (format!("/api/v0/users/{eve}"), format!("/api/v0/service-users/{program}"));
    let invitation = json!({"email": "bob@example.com", "role": "agent"});
    for answer in [
        service.post("/api/v0/users", &stale, invitation.clone()).await,
        service.patch(&user, &stale, json!({"role": "viewer"})).await,
        service.post(&format!("{user}/invitation"), &stale, json!({})).await,
        service.post(&format!("{user}/reset-factors"), &stale, json!({})).await,
        service.delete(&format!("{user}/sessions"), &stale).await,
        service.delete(&user, &stale).await,
        service.post("/api/v0/service-users", &stale, json!({"name": "other", "scopes": ["read"]})).await,
        service.patch(&key_path, &stale, json!({"name": "till"})).await,
        service.post(&format!("{key_path}/rotate"), &stale, json!({})).await,
        service.delete(&key_path, &stale).await,
    ] {
        assert_eq!((answer.status, answer.error_code().as_str()), (403, "ConfirmationRequired"));
    }
    assert_eq!(service.get(&user, &stale).await.status, 200, "reading needs no proof");
    assert_eq!(service.patch(&key_path, &key, json!({"name": "till"})).await.status, 200, "keys have nothing to prove");
    let fresh = service.token_of(ADA, None).await;
    assert_eq!(service.post("/api/v0/users", &fresh, invitation).await.status, 201);
}

async fn a_required_factor_closes_everything_but_the_users_security(service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let everybody = json!({"policy": {"requireSecondFactor": "everybody"}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, everybody).await.status, 200);
    let first = service.token_of(ADA, None).await;
    assert_eq!(service.get("/api/v0/return-orders", &first).await.status, 200);
    let required = service.get("/auth/user/second-factor", &first).await.json()["requiredFrom"].clone();
    assert_eq!(required, json!(NOW.plus_days(7).to_string()));
    service.clock.set(NOW.plus_days(7));
    let late = service.post("/auth/user", "", json!({"email": ADA, "password": PASSWORD})).await;
    assert_eq!((late.status, &late.json()["step"]), (200, &json!("Enrol")));
    let late = text(&late.json()["accessToken"]);
    let closed = service.get("/api/v0/return-orders", &late).await;
    assert_eq!((closed.status, closed.error_code().as_str()), (403, "Forbidden"));
    assert_eq!(service.get("/auth/user", &late).await.status, 200);
    service.enrol(&late).await;
    assert_eq!(service.get("/api/v0/return-orders", &late).await.status, 200);
    assert_eq!(service.get("/api/v0/return-orders", &service.demo.key).await.status, 200, "keys need no factor");
}

async fn forgotten_passwords_are_answered_alike(mut service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let ask =
        async |service: &Service, email: &str| service.post("/auth/password/reset", "", json!({"email": email})).await;
    let without = ask(&service, ADA).await;
    assert_eq!((without.status, without.error_code().as_str()), (409, "NoMailServer"));
    let invalid = ask(&service, "ada").await;
    assert_eq!((invalid.status, invalid.fields()), (422, vec!["email".to_owned()]));
    let folder = tempfile::tempdir().unwrap();
    let mailer = returns::Mailer::new(&format!("file://{}", folder.path().display()), "desk@example.com").unwrap();
    service.serve(service.retour.clone().configured(|config| config.mailer = Some(mailer)));
    for email in [ADA, "eve@example.com"] {
        let answer = ask(&service, email).await;
        assert_eq!((answer.status, answer.body.len()), (202, 0), "{email}");
    }
}
