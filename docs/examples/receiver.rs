// Receives webhooks: SECRET=whsec_… cargo run
// cargo add axum@0.8 serde_json@1 standardwebhooks@1 tokio@1 --features tokio/full
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use standardwebhooks::Webhook;
use std::{env, sync::Arc};

#[tokio::main]
async fn main() {
    let webhook = Webhook::new(&env::var("SECRET").expect("SECRET")).expect("whsec_…");
    let router = Router::new().route("/", post(receive)).with_state(Arc::new(webhook));
    let port = env::var("PORT").unwrap_or_else(|_| "8000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("a free port");
    axum::serve(listener, router).await.expect("a server");
}

async fn receive(State(webhook): State<Arc<Webhook>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    // The raw bytes, not JSON that was written again.
    if webhook.verify(&body, &headers).is_err() {
        return StatusCode::BAD_REQUEST; // not from Retour, changed in transit, or older than five minutes
    }
    let Ok(event) = serde_json::from_slice::<serde_json::Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    println!("{} {}", event["id"].as_str().unwrap_or(""), event["type"].as_str().unwrap_or(""));
    StatusCode::NO_CONTENT
}
