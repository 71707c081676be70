//! Passkeys over HTTP.

use crate::{
    harness::{NOW, Service, on_both_databases, text},
    passkey_device::{Device, Made, Used},
    sign_in::{ADA, PASSWORD},
};
use returns::Role;
use serde_json::{Value, json};

on_both_databases! {
    a_user_adds_a_passkey_and_signs_in_with_it
    a_passkey_that_is_not_accepted_is_answered_alike
}

const DESK: &str = "http://localhost:3000";

impl Service {
    async fn make(&self, token: &str, device: &mut Device) -> Value {
        let options = self.post("/auth/user/passkeys/options", token, json!({})).await;
        assert_eq!(options.status, 201, "{}", options.text());
        let options = options.json();
        assert_eq!((&options["rp"]["id"], &options["attestation"]), (&json!("localhost"), &json!("none")));
        assert_eq!(options["authenticatorSelection"]["userVerification"], json!("required"));
        let Made { client_data, attestation } =
            device.make(&text(&options["challenge"]), &text(&options["user"]["id"]));
        json!({"name": "Work laptop", "clientDataJson": client_data, "attestationObject": attestation})
    }

    async fn proof(&self, device: &Device) -> Value {
        let options = self.post("/auth/passkey/options", "", json!({})).await;
        assert_eq!((options.status, &options.json()["rpId"]), (201, &json!("localhost")), "{}", options.text());
        assert_eq!(options.json().as_object().unwrap().len(), 4, "it names no passkeys");
        let used = device.sign(&text(&options.json()["challenge"]));
        let Used { id, client_data, authenticator_data, signature, user_handle } = used;
        json!({"credentialId": id, "clientDataJson": client_data, "authenticatorData": authenticator_data,
            "signature": signature, "userHandle": user_handle})
    }
}

async fn a_user_adds_a_passkey_and_signs_in_with_it(service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let first = service.token_of(ADA, None).await;
    let mut device = Device::new(1, DESK);
    let new = service.make(&first, &mut device).await;
    let added = service.post("/auth/user/passkeys", &first, new.clone()).await;
    assert_eq!(added.status, 201, "{}", added.text());
    assert_eq!(added.json()["recoveryCodes"].as_array().unwrap().len(), 10);
    let again = service.post("/auth/user/passkeys", &first, new).await;
    assert_eq!((again.status, again.fields()), (422, vec!["clientDataJson".to_owned()]), "a challenge counts once");
    let signed_in = service.post("/auth/passkey", "", service.proof(&device).await).await;
    assert_eq!((signed_in.status, &signed_in.json()["step"]), (200, &json!("Complete")), "{}", signed_in.text());
    let token = text(&signed_in.json()["accessToken"]);
    assert_eq!(service.get("/api/v0/return-orders", &token).await.status, 200);
    let password = service.post("/auth/user", "", json!({"email": ADA, "password": PASSWORD})).await;
    assert_eq!((password.status, password.error_code().as_str()), (401, "SecondFactorRequired"));
    let listed = service.get("/auth/user/passkeys", &token).await.json();
    assert_eq!((&listed["host"], &listed["data"][0]["name"]), (&json!("localhost"), &json!("Work laptop")));
    assert_eq!(listed["data"][0]["lastUsedAt"], json!(NOW.to_string()));
    let path = format!("/auth/user/passkeys/{}", text(&listed["data"][0]["id"]));
    let renamed = service.patch(&path, &token, json!({"name": " Home laptop "})).await;
    assert_eq!((renamed.status, &renamed.json()["name"]), (200, &json!("Home laptop")), "{}", renamed.text());
    for name in ["", "two\nlines", &"a".repeat(101)] {
        let wrong = service.patch(&path, &token, json!({"name": name})).await;
        assert_eq!((wrong.status, wrong.fields()), (422, vec!["name".to_owned()]));
    }
    let unknown = format!("/auth/user/passkeys/{}", "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10");
    assert_eq!(service.patch(&unknown, &token, json!({"name": "Mine"})).await.status, 404);
    service.clock.set(NOW.plus_seconds(700));
    for late in
        [service.delete(&path, &token).await, service.post("/auth/user/passkeys/options", &token, json!({})).await]
    {
        assert_eq!((late.status, late.error_code().as_str()), (403, "ConfirmationRequired"));
    }
    let fresh = text(&service.post("/auth/passkey", "", service.proof(&device).await).await.json()["accessToken"]);
    assert_eq!((service.delete(&path, &fresh).await.status, service.delete(&path, &fresh).await.status), (204, 404));
    assert_eq!(service.post("/auth/passkey", "", service.proof(&device).await).await.status, 401);
    service.token_of(ADA, None).await;
}

async fn a_passkey_that_is_not_accepted_is_answered_alike(service: Service) {
    service.add_user(ADA, Role::Agent).await;
    let token = service.token_of(ADA, None).await;
    let mut device = Device::new(1, DESK);
    let new = service.make(&token, &mut device).await;
    assert_eq!(service.post("/auth/user/passkeys", &token, new).await.status, 201);
    let right = service.proof(&device).await;
    assert_eq!(service.post("/auth/passkey", "", right.clone()).await.status, 200);
    let mut stranger = Device::new(2, DESK);
    stranger.make("", &device.user_handle);
    let unknown = service.proof(&stranger).await;
    "https://desk.example.com".clone_into(&mut device.origin);
    let phished = service.proof(&device).await;
    let empty =
        json!({"credentialId": "", "clientDataJson": "", "authenticatorData": "", "signature": "", "userHandle": ""});
    let mut answers = Vec::new();
    for body in [right, unknown, phished, empty] {
        let answer = service.post("/auth/passkey", "", body).await;
        answers.push((answer.status, answer.error_code(), answer.text()));
    }
    assert_eq!((answers[0].0, answers[0].1.as_str()), (401, "WrongPasskey"));
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}
