//! Unknown paths, wrong methods, and the headers of every answer.

use crate::harness::{Service, on_both_databases, send};
use reqwest::Method;

on_both_databases! {
    unknown_paths_answer_with_the_envelope
    wrong_methods_answer_with_the_envelope_and_the_allowed_ones
    pages_answer_their_methods_and_no_others
    every_answer_has_a_request_id_and_a_sent_one_comes_back
    the_service_is_live_and_ready
    all_pages_of_a_shop_work_at_its_own_host
}

async fn unknown_paths_answer_with_the_envelope(service: Service) {
    let key = &service.demo.key;
    let account = service.demo.account.id;
    service.get("/api/v0/nowhere", key).await.matches_snapshot("unknown-route");
    let paths = [
        "/api".to_owned(),
        "/api/".to_owned(),
        "/api/v0".to_owned(),
        "/api/v0/".to_owned(),
        "/api/v1/return-orders".to_owned(),
        "/api/v0/return-orders/".to_owned(),
        format!("/api/v0/account/{account}/nothing"),
        format!("/api/v0/consumer/{account}/nothing"),
        format!("/consumer/{account}/nothing"),
        format!("/consumer/{account}"),
        "/consumer".to_owned(),
        "/auth".to_owned(),
        "/auth/nobody".to_owned(),
    ];
    for path in &paths {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            for credential in ["", key] {
                let answer = send(service.request(method.clone(), path, credential)).await;
                assert_eq!(answer.status, 404, "{method} {path}");
                assert_eq!(answer.error_code(), "NotFound", "{method} {path}");
            }
        }
    }
    // Text that is no id names no existing object.
    for path in [
        "/api/v0/return-orders/1",
        "/api/v0/return-orders/%00",
        "/api/v0/account/x/return-orders",
        "/consumer/%ff/purchases",
    ] {
        assert_eq!(service.get(path, key).await.error_code(), "NotFound", "{path}");
    }
}

async fn wrong_methods_answer_with_the_envelope_and_the_allowed_ones(service: Service) {
    let id = service.demo.account.id;
    let cases = [
        (Method::GET, "/auth/consumer".to_owned(), "POST"),
        (Method::PUT, "/api/v0/auth/consumer".to_owned(), "POST"),
        (Method::DELETE, format!("/consumer/{id}/purchases"), "GET,HEAD"),
        (Method::GET, format!("/consumer/{id}/draft-return-order"), "POST"),
        (Method::POST, format!("/api/v0/consumer/{id}/draft-return-order/{id}/shipping-option"), "PATCH"),
        (Method::GET, format!("/consumer/{id}/draft-return-order/{id}/renew"), "POST"),
        (Method::GET, format!("/consumer/{id}/return-order"), "POST"),
        (Method::GET, format!("/consumer/{id}/return-order/{id}/cancel"), "POST"),
        (Method::POST, format!("/api/v0/account/{id}/return-requests"), "GET,HEAD"),
        (Method::PATCH, "/api/v0/return-orders".to_owned(), "GET,HEAD,POST"),
    ];
    for (method, path, allowed) in cases {
        let answer = send(service.request(method.clone(), &path, &service.demo.key)).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allowed)), "{method} {path}");
        answer.matches_snapshot("method-not-allowed");
    }
}

async fn pages_answer_their_methods_and_no_others(service: Service) {
    let slug = &service.demo.account.slug;
    let answer = async |method: Method, path: &str| {
        let sent = service.request(method, path, "").send().await.unwrap();
        (sent.status().as_u16(), sent.headers().get("allow").map(|methods| methods.to_str().unwrap().to_owned()))
    };
    let (page, preview) = (format!("/{slug}"), format!("/{slug}/preview"));
    assert_eq!(answer(Method::HEAD, &page).await, (200, None));
    for (method, path, allowed) in [
        (Method::POST, "/desk", "GET,HEAD"),
        (Method::PUT, "/desk/scan/photo", "POST,GET,HEAD"),
        (Method::PUT, &preview, "GET,HEAD,POST"),
    ] {
        assert_eq!(answer(method.clone(), path).await, (405, Some(allowed.to_owned())), "{method} {path}");
    }
}

async fn every_answer_has_a_request_id_and_a_sent_one_comes_back(service: Service) {
    let one = service.get("/api/v0/return-orders", &service.demo.key).await;
    let two = service.get("/api/nowhere", "").await;
    let id = |answer: &crate::harness::Answer| answer.header("x-request-id").unwrap().to_owned();
    assert!(!id(&one).is_empty() && id(&one) != id(&two));
    assert_eq!(one.header("x-content-type-options"), Some("nosniff"));
    let asked =
        async |id: &str| send(service.request(Method::GET, "/health/live", "").header("x-request-id", id)).await;
    assert_eq!(id(&asked("order-42.retry_1").await), "order-42.retry_1");
    for odd in ["", "two words", "<script>", &"x".repeat(200)] {
        assert_ne!(id(&asked(odd).await), odd, "only ids that are safe to log are used");
    }
}

async fn the_service_is_live_and_ready(service: Service) {
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(service.get(path, "").await.status, 200);
    }
}

async fn all_pages_of_a_shop_work_at_its_own_host(service: Service) {
    const HOST: &str = "returns.fern.example";
    let account = &service.demo.account;
    service
        .retour
        .operator()
        .update_account(
            account.id,
            returns::AccountUpdate { domain: Some(HOST.to_owned()), ..returns::AccountUpdate::default() },
        )
        .await
        .unwrap();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let get = async |path: String| send(client.get(format!("{}{path}", service.base())).header("Host", HOST)).await;
    for page in ["", "details", "purchases", "returns", "review", "withdraw"] {
        let answer = get(format!("/{page}")).await;
        assert!(answer.status < 400, "{page}: {}", answer.status);
    }
    assert_eq!(get("/nothing".to_owned()).await.status, 404);
}
