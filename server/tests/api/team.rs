//! API keys, users and signing in: permissions, and when they begin and end.

use crate::{
    harness::{Answer, NOW, Service, on_both_databases, send, text},
    receiver::until,
};
use reqwest::Method;
use returns::{NewUser, Role, Scope};
use serde_json::{Value, json};
use server::api::operation::Access;
use std::{
    io,
    sync::{Mutex, PoisonError},
};

on_both_databases! {
    a_key_is_created_changed_rotated_and_revoked
    a_user_is_invited_signs_in_and_is_deleted
    unknown_emails_and_wrong_passwords_look_the_same
    a_role_allows_exactly_its_scopes
    an_answer_with_a_secret_is_repeated_byte_for_byte
    users_and_keys_are_private
    wrong_values_are_refused_with_what_is_allowed
    no_secret_is_logged_or_stored
}

const ABSENT: &str = "01999999-0000-7000-8000-000000000000";
const PASSWORD: &str = "correct horse battery";

impl Service {
    /// Creates a user, signs in, and returns the token.
    async fn signed_in(&self, email: &str, role: Role) -> String {
        let new = NewUser { email: email.to_owned(), name: String::new(), role, language: None };
        self.retour.operator().create_user(self.demo.account.id, new, PASSWORD.to_owned()).await.unwrap();
        let answer = self.post("/auth/user", "", json!({"email": email, "password": PASSWORD})).await;
        text(&answer.json()["accessToken"])
    }

    async fn keyed(&self, path: &str, credential: &str, key: &str, body: &Value) -> Answer {
        send(self.request(Method::POST, path, credential).header("idempotency-key", key).json(body)).await
    }
}

async fn a_key_is_created_changed_rotated_and_revoked(service: Service) {
    let (admin, keys) = (&service.demo.key, format!("/api/v0/account/{}/service-users", service.demo.account.id));
    let made = service.post(&keys, admin, json!({"name": " CRM ", "scopes": ["write", "read"]})).await;
    made.matches_snapshot("service-user-201");
    let (key, path) = (text(&made.json()["apiKey"]), format!("{keys}/{}", text(&made.json()["id"])));
    assert!(key.ends_with(&text(&made.json()["keyLastFour"])));
    assert_eq!(service.get("/api/v0/return-orders", &key).await.status, 200);
    assert_eq!(service.get(&keys, &key).await.status, 403, "only administrators manage keys");

    let one = service.get(&path, admin).await;
    assert_eq!((one.status, one.header("etag"), one.json().get("apiKey")), (200, Some("\"1\""), None));
    let nothing = service.patch(&path, admin, json!({})).await;
    assert_eq!((nothing.status, &nothing.json()["version"]), (200, &json!(1)));
    let change = json!({"scopes": ["read"]});
    let stale = send(service.request(Method::PATCH, &path, admin).header("if-match", "\"9\"").json(&change)).await;
    assert_eq!((stale.status, stale.error_code().as_str()), (412, "PreconditionFailed"));
    service.patch(&path, admin, change).await.matches_snapshot("service-user-changed");
    let cancel = format!("/api/v0/return-orders/{ABSENT}/cancel");
    assert_eq!(service.post(&cancel, &key, json!({})).await.status, 403, "the change applies at once");

    let rotated = service.post(&format!("{path}/rotate"), admin, json!({})).await;
    rotated.matches_snapshot("service-user-rotated");
    let new_key = text(&rotated.json()["apiKey"]);
    assert_eq!(service.get("/api/v0/return-orders", &key).await.status, 401);
    assert_eq!(service.get("/api/v0/return-orders", &new_key).await.status, 200);

    for _ in 0..2 {
        let revoked = service.delete(&path, admin).await;
        assert_eq!((revoked.status, revoked.body.len()), (204, 0));
    }
    assert_eq!(service.get("/api/v0/return-orders", &new_key).await.status, 401);
    let list = service.get("/api/v0/service-user", admin).await;
    let revoked = &list.json()["data"][0];
    assert_eq!((&revoked["revokedAt"], &revoked["name"]), (&json!(NOW.to_string()), &json!("CRM")));
    for (answer, code) in [
        (service.post(&format!("{path}/rotate"), admin, json!({})).await, "Revoked"),
        (service.patch(&path, admin, json!({"name": "ERP"})).await, "Revoked"),
        (service.delete(&format!("{keys}/{}", text(&list.json()["data"][1]["id"])), admin).await, "LastAdmin"),
    ] {
        assert_eq!((answer.status, answer.error_code().as_str()), (409, code));
    }
}

async fn a_user_is_invited_signs_in_and_is_deleted(service: Service) {
    let (admin, users) = (&service.demo.key, format!("/api/v0/account/{}/users", service.demo.account.id));
    let new = json!({"email": "Ada@Example.com", "name": "Ada King", "role": "admin"});
    let invited = service.post(&users, admin, new).await;
    invited.matches_snapshot("user-201");
    let path = format!("{users}/{}", text(&invited.json()["id"]));
    let token = text(&invited.json()["invitationToken"]);

    let short = service.post("/auth/password", "", json!({"token": token, "password": "password"})).await;
    assert_eq!((short.status, short.fields()), (422, vec!["password".to_owned()]));
    let set = json!({"token": token, "password": PASSWORD});
    assert_eq!(service.post("/auth/password", "", set.clone()).await.status, 204);
    service.post("/api/v0/auth/password", "", set).await.matches_snapshot("invitation-used");

    let signed_in = service.post("/auth/user", "", json!({"email": "ada@example.com", "password": PASSWORD})).await;
    signed_in.matches_snapshot("signed-in");
    let ada = text(&signed_in.json()["accessToken"]);
    let me = service.get("/auth/user", &ada).await;
    assert_eq!(me.json(), signed_in.json()["user"]);
    for other in [admin, &service.ada().await.token] {
        let refused = service.get("/auth/user", other).await;
        assert_eq!((refused.status, refused.error_code().as_str()), (403, "Forbidden"));
    }
    assert_eq!(service.get("/auth/user", "").await.status, 401);

    assert_eq!(
        service.get("/api/v0/users?filter=email:ada@example.com&filter=role:admin", &ada).await.json()["data"],
        json!([me.json()])
    );
    assert_eq!(service.get(&path, &ada).await.header("etag"), Some("\"2\""));
    for answer in [service.patch(&path, &ada, json!({"role": "viewer"})).await, service.delete(&path, &ada).await] {
        assert_eq!((answer.status, answer.error_code().as_str()), (409, "LastAdmin"));
    }
    let boss = service.signed_in("boss@example.com", Role::Admin).await;
    let demoted = service.patch(&path, &boss, json!({"role": "viewer", "name": ""})).await;
    assert_eq!(
        (demoted.status, &demoted.json()["role"], &demoted.json()["version"]),
        (200, &json!("viewer"), &json!(3))
    );
    assert_eq!(service.get("/auth/user", &ada).await.status, 401, "a new role needs a new sign-in");
    let again = json!({"email": "ada@example.com", "password": PASSWORD});
    let ada = text(&service.post("/auth/user", "", again).await.json()["accessToken"]);
    assert_eq!(service.get(&users, &ada).await.status, 403);
    assert_eq!(service.get("/api/v0/return-requests", &ada).await.status, 200);

    assert_eq!(service.delete("/auth/user", &ada).await.status, 204);
    let over = service.delete("/auth/user", &ada).await;
    assert_eq!((over.status, over.header("www-authenticate")), (401, Some("Bearer")));
    let again = service.post(&format!("{path}/invitation"), &boss, json!({})).await;
    assert_eq!((again.status, &again.json()["id"]), (201, &invited.json()["id"]));
    assert_eq!(service.delete(&path, &boss).await.status, 204);
    assert_eq!(service.delete(&path, &boss).await.status, 404);
    let gone = json!({"token": again.json()["invitationToken"], "password": PASSWORD});
    assert_eq!(service.post("/auth/password", "", gone).await.status, 401);
    service.clock.set(NOW.plus_hours(1));
    assert_eq!(service.get("/auth/user", &boss).await.status, 401);
}

async fn unknown_emails_and_wrong_passwords_look_the_same(service: Service) {
    service.signed_in("ada@example.com", Role::Admin).await;
    let try_it = async |email: &str, password: &str| {
        let started = tokio::time::Instant::now();
        let answer = service.post("/auth/user", "", json!({"email": email, "password": password})).await;
        assert!(started.elapsed() >= std::time::Duration::from_secs(1));
        answer
    };
    let wrong = try_it("ada@example.com", "another password").await;
    wrong.matches_snapshot("invalid-credentials");
    for (email, password) in [("eve@example.com", PASSWORD), ("", ""), ("ada@example.com", ""), ("\0", PASSWORD)] {
        let answer = try_it(email, password).await;
        assert_eq!((answer.status, answer.body), (401, wrong.body.clone()), "{email:?}");
    }
}

async fn a_role_allows_exactly_its_scopes(service: Service) {
    let account = service.demo.account.id.to_string();
    for (role, scopes) in Role::ALL.map(|role| (role, role.scopes())) {
        let token = service.signed_in(&format!("{}@example.com", role.name()), role).await;
        for operation in server::api::operations() {
            let needed = operation.access.scopes();
            if needed.is_empty() {
                continue;
            }
            let is_supervision = matches!(operation.access, Access::StaffButAgents(_));
            let is_allowed =
                needed.iter().any(|scope| scopes.contains(scope)) && !(is_supervision && role == Role::Agent);
            let path = operation.path().replace("{account_id}", &account);
            let path = path.split('/').map(|part| if part.starts_with('{') { ABSENT } else { part });
            let path = path.collect::<Vec<_>>().join("/");
            let answer = send(service.request(operation.method.clone(), &path, &token).json(&json!({}))).await;
            assert_ne!(answer.status, 401, "{role:?} {}", operation.id);
            assert_eq!(answer.status != 403, is_allowed, "{role:?} {} {}", operation.id, answer.text());
        }
    }
}

async fn an_answer_with_a_secret_is_repeated_byte_for_byte(service: Service) {
    let admin = &service.demo.key;
    let made = service.keyed("/api/v0/service-users", admin, "one", &json!({"name": "CRM", "scopes": ["admin"]})).await;
    let rotate = format!("/api/v0/service-users/{}/rotate", text(&made.json()["id"]));
    let new = json!({"email": "ada@example.com", "role": "viewer"});
    let requests = [
        ("/api/v0/service-users", "one", json!({"name": "CRM", "scopes": ["admin"]})),
        (rotate.as_str(), "two", json!({})),
        ("/api/v0/users", "three", new.clone()),
    ];
    for (path, key, body) in &requests {
        let first = service.keyed(path, admin, key, body).await;
        let again = service.keyed(path, admin, key, body).await;
        assert!(first.status < 300 && first.text().contains("rt"), "{path}");
        assert_eq!((first.status, first.text()), (again.status, again.text()));
        let other = service.keyed(path, admin, key, &json!({"name": "ERP", "scopes": ["read"]})).await;
        assert_eq!(other.status, 422, "{path}: another request");
    }
    assert_eq!(service.keyed(requests[0].0, admin, "one", &requests[0].2).await.body, made.body);
    assert_eq!((service.database.rows("service_users").await, service.database.rows("users").await), (3, 1));
    // After signing in again, the user has another credential, which cannot read the secret of the earlier answer.
    let (first, second) = (service.signed_in("boss@example.com", Role::Admin).await, {
        let body = json!({"email": "boss@example.com", "password": PASSWORD});
        text(&service.post("/auth/user", "", body).await.json()["accessToken"])
    });
    let body = json!({"name": "Till", "scopes": ["read"]});
    assert_eq!(service.keyed("/api/v0/service-users", &first, "four", &body).await.status, 201);
    service
        .keyed("/api/v0/service-users", &second, "four", &body)
        .await
        .matches_snapshot("secret-of-another-credential");
    // A failed request does not use its key up.
    assert_eq!(service.keyed("/api/v0/users", admin, "five", &new).await.status, 409);
    let free = json!({"email": "ben@example.com", "role": "viewer"});
    assert_eq!(service.keyed("/api/v0/users", admin, "five", &free).await.status, 201);
}

async fn users_and_keys_are_private(service: Service) {
    let admin = &service.demo.key;
    let user = service.post("/api/v0/users", admin, json!({"email": "ada@example.com", "role": "viewer"})).await.json();
    let key = service.post("/api/v0/service-users", admin, json!({"name": "CRM", "scopes": ["read"]})).await.json();
    let absent = service.get(&format!("/api/v0/users/{ABSENT}"), admin).await;
    assert_eq!(absent.status, 404);
    for (segment, id, rest) in [("users", &user["id"], "/invitation"), ("service-users", &key["id"], "/rotate")] {
        let id = text(id);
        for base in [format!("/api/v0/{segment}"), format!("/api/v0/account/{}/{segment}", service.demo.account.id)] {
            for (method, path) in [
                (Method::GET, format!("{base}/{id}")),
                (Method::PATCH, format!("{base}/{id}")),
                (Method::DELETE, format!("{base}/{id}")),
                (Method::POST, format!("{base}/{id}{rest}")),
            ] {
                let answer = send(service.request(method, &path, &service.other_key).json(&json!({}))).await;
                assert_eq!((answer.status, &answer.body), (404, &absent.body), "{path}");
            }
        }
        let theirs = service.get(&format!("/api/v0/{segment}"), &service.other_key).await.json();
        assert!(theirs["data"].as_array().unwrap().iter().all(|one| one["id"] != json!(id)));
    }
    // Another shop learns only that an address is taken.
    let taken = json!({"email": "ADA@example.com", "role": "admin"});
    service.post("/api/v0/users", &service.other_key, taken).await.matches_snapshot("email-taken");
}

async fn wrong_values_are_refused_with_what_is_allowed(service: Service) {
    let admin = &service.demo.key;
    let (users, keys) = ("/api/v0/users", "/api/v0/service-users");
    let cases = [
        (users, json!({"email": "ada", "name": "x".repeat(101), "role": "admin"}), vec!["email", "name"]),
        (users, json!({"email": "ada@example.com", "role": "owner"}), vec!["role"]),
        (users, json!({"email": "ada@example.com"}), vec!["role"]),
        (users, json!({"email": "ada@example.com", "role": "admin", "password": PASSWORD}), vec!["password"]),
        (keys, json!({"name": "", "scopes": ["read"]}), vec!["name"]),
        (keys, json!({"name": "CRM", "scopes": []}), vec!["scopes"]),
        (keys, json!({"name": "CRM", "scopes": ["read", "root"]}), vec!["scopes[1]"]),
        (keys, json!({"name": "CRM"}), vec!["scopes"]),
        ("/auth/user", json!({"email": "ada@example.com"}), vec!["password"]),
        ("/auth/password", json!({"password": PASSWORD}), vec!["token"]),
    ];
    for (path, body, fields) in cases {
        let answer = service.post(path, admin, body.clone()).await;
        assert_eq!((answer.status, answer.error_code().as_str()), (422, "ValidationFailed"), "{path} {body}");
        assert_eq!(answer.fields(), fields, "{path} {body}");
    }
    for query in
        ["users?filter=role:owner", "users?filter=name:Ada", "service-users?filter=name:CRM", "users?sortBy=updatedAt"]
    {
        assert_eq!(service.get(&format!("/api/v0/{query}"), admin).await.status, 400, "{query}");
    }
}

/// Collects log lines that contain a secret, of any test.
#[derive(Clone)]
struct LeakDetector;

static LEAKED: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl io::Write for LeakDetector {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let leaks = ["rtk_", "rti_", "rtu_", "rts_", "rtc_", "whsec_", PASSWORD, "leaky.example", "leaky-path"];
        if leaks.iter().any(|leak| text.contains(leak)) {
            LEAKED.lock().unwrap_or_else(PoisonError::into_inner).push(text.into_owned());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn no_secret_is_logged_or_stored(service: Service) {
    // The client of the tests logs the cookies that it receives.
    let filter = "debug,cookie_store=off";
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(|| LeakDetector).try_init();
    let admin = &service.demo.key;
    let new = json!({"email": "ada@leaky.example", "name": "Ada", "role": "admin"});
    let invited = service.keyed("/api/v0/users", admin, "one", &new).await.json();
    let set = json!({"token": invited["invitationToken"], "password": PASSWORD});
    assert_eq!(service.post("/auth/password", "", set).await.status, 204);
    for password in ["wrong password", PASSWORD] {
        service.post("/auth/user", "", json!({"email": "ada@leaky.example", "password": password})).await;
    }
    let key =
        service.keyed("/api/v0/service-users", admin, "two", &json!({"name": "CRM", "scopes": [Scope::Read]})).await;
    // The secrets of webhooks, and their URLs, which often contain a secret of the receiver.
    let new = json!({"url": "http://127.0.0.1:9/leaky-path"});
    let hook = text(&service.post("/api/v0/webhook-subscriptions", admin, new).await.json()["id"]);
    let hook = format!("/api/v0/webhook-subscriptions/{hook}");
    service.keyed(&format!("{hook}/rotate-secret"), admin, "three", &json!({})).await;
    let secret = text(&service.get(&format!("{hook}/secret"), admin).await.json()["secret"]);
    service.deliver_webhooks();
    let ada = service.ada().await;
    service.create_return(&ada, &service.purchases(&ada).await[..1]).await;
    until(async || !service.get(&hook, admin).await.json()["failingSince"].is_null()).await;
    assert_eq!(service.post(&format!("{hook}/test"), admin, json!({})).await.json()["status"], "Failed");
    assert_eq!(*LEAKED.lock().unwrap_or_else(PoisonError::into_inner), Vec::<String>::new());

    let kept = service.database.texts("SELECT body FROM idempotency_keys").await;
    assert_eq!(kept.len(), 3);
    let secrets =
        ["whsec_", &secret[6..], "rtk_", "rti_", "ada@leaky.example", "CRM", &text(&key.json()["apiKey"])[40..]];
    assert!(kept.iter().all(|body| !body.is_empty() && secrets.iter().all(|secret| !body.contains(secret))));
}
