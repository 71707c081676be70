//! Refunds against `localstripe`, an independent imitation of Stripe: run by `make test-peers`.

use crate::support::{at_home, bridge::now};
use domain::{Currency, Money, payment::RefundOutcome};
use outbound::{
    api_key::ApiKey,
    http::{Bytes, Call, Endpoint, Method},
    payments::{Processor, RefundRequest, Stripe},
};
use serde_json::Value;
use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

struct LocalStripe {
    url: String,
    server: Child,
}

impl Drop for LocalStripe {
    fn drop(&mut self) {
        let _ = self.server.kill();
    }
}

impl LocalStripe {
    async fn start() -> Self {
        let python = std::env::var("RETOUR_PYTHON").unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        // Its own command would listen on all interfaces. Starts without the data of an earlier run.
        let script = "import sys; from aiohttp import web; from localstripe.server import app; \
            web.run_app(app, host='127.0.0.1', port=int(sys.argv[1]))";
        let mut command = Command::new(python);
        let server = command.args(["-c", script, &port]).stdout(Stdio::null()).spawn().unwrap();
        let stripe = Self { url: format!("http://127.0.0.1:{port}"), server };
        for _ in 0..300 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if stripe.try_call(Method::GET, "v1/balance", "").await.is_some() {
                return stripe;
            }
        }
        panic!("localstripe did not start: `.ci/tools peers` installs it");
    }

    async fn try_call(&self, method: Method, path: &str, body: &str) -> Option<(u16, Value)> {
        let to = Endpoint::parse(&format!("{}/{path}", self.url)).unwrap();
        let headers = [
            ("authorization", "Bearer sk_test_x".to_owned()),
            ("content-type", "application/x-www-form-urlencoded".to_owned()),
        ];
        let body = Bytes::from(body.to_owned());
        let call = Call { to: &to, method, headers: &headers, body, max_response_bytes: 1 << 20, is_repeatable: true };
        let answer = at_home().call(call).await.ok()?;
        Some((answer.status, serde_json::from_slice(&answer.body).unwrap_or_default()))
    }

    async fn call(&self, method: Method, path: &str, body: &str) -> Value {
        let (status, value) = self.try_call(method, path, body).await.unwrap();
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    async fn refunds(&self, charge: &str) -> Vec<i64> {
        let list = self.call(Method::GET, &format!("v1/refunds?charge={charge}"), "").await;
        list["data"].as_array().unwrap().iter().map(|one| one["amount"].as_i64().unwrap()).collect()
    }
}

#[tokio::test]
#[ignore = "localstripe is installed by `make test-peers`"]
async fn partial_and_full_refunds_are_made_once() {
    let local = LocalStripe::start().await;
    let card = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2030&card[cvc]=123";
    let method = local.call(Method::POST, "v1/payment_methods", card).await;
    let intent = format!("amount=495&currency=eur&confirm=true&payment_method={}", method["id"].as_str().unwrap());
    let paid = local.call(Method::POST, "v1/payment_intents", &intent).await;
    let charge = paid["latest_charge"].as_str().or(paid["latest_charge"]["id"].as_str()).unwrap().to_owned();
    let key = ApiKey::parse("sk_test_x").unwrap();
    let stripe = Processor::Stripe(Stripe::new(at_home(), Endpoint::parse(&local.url).unwrap(), key));
    let back = |key: &str, minor: i64, before: i64| RefundRequest {
        key: key.to_owned(),
        id: String::new(),
        reference: charge.clone(),
        amount: Money::new(minor, Currency::from_code("EUR").unwrap()),
        before,
        was_seen: false,
    };
    for _ in 0..2 {
        assert_eq!(stripe.give_back(&back("one", 95, 0), now()).await, Ok(RefundOutcome::WentBack));
        assert_eq!(
            local.refunds(&charge).await,
            [95],
            "the refund was found, although this server has no idempotency keys"
        );
    }
    for _ in 0..2 {
        assert_eq!(stripe.give_back(&back("two", 400, 95), now()).await, Ok(RefundOutcome::WentBack));
        assert_eq!(local.refunds(&charge).await.iter().sum::<i64>(), 495);
    }
}
