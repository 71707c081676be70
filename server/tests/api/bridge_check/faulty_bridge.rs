//! A bridge that violates the contract in one way.

use super::SECRET;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// How the bridge violates the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BridgeFault {
    None,
    NoHealth,
    NeverVerifies,
    IgnoresTimestamps,
    ReadsFirstSignatureOnly,
    RefusesWith(u16),
    AcceptsAnyEmail,
    AcceptsPartsOfEmails,
    RevealsOrderByBody,
    RevealsOrderByStatus,
    ChangesBodies,
    WrongSum,
    OmitsFields,
    ChangingIds,
    AnotherOrder,
    ComparesExactly,
    Unavailable,
    Slow(Duration),
    AnswersUnknownPaths,
    FailsOnRepeatedRefunds,
    RefundsTwice,
    NeverCountsRefunds,
    FailsOnInvalidRequests,
    AcceptsInvalidRequests,
    RefusesRefunds,
    StaysPending,
    HasNoLabels,
    CreatesLabelsTwice,
    OmitsTrackingNumbers,
    RedrawsLabels,
    FailsOnRepeatedLabels,
    RefusesLabels,
    AnswersNoLabelFile,
    LeavesLabelsPending,
    LabelsUnavailable,
    RefusesConcurrentLabels,
    FailsLabelsLater,
}

pub struct FaultyBridge {
    fault: BridgeFault,
    /// The ids of refunded transactions. The references are their positions.
    refunds: Mutex<Vec<String>>,
    /// The ids of transactions with a label, in the same way.
    labels: Mutex<Vec<String>>,
    requests: AtomicU32,
}

impl FaultyBridge {
    /// Starts the bridge. Returns its URL.
    pub async fn start(fault: BridgeFault) -> String {
        let bridge =
            Arc::new(Self { fault, refunds: Mutex::default(), labels: Mutex::default(), requests: AtomicU32::new(0) });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/shop", listener.local_addr().unwrap());
        let router = Router::new().fallback(Self::answer).with_state(bridge);
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    async fn answer(
        State(bridge): State<Arc<Self>>,
        method: Method,
        uri: Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> (StatusCode, String) {
        let request = bridge.requests.fetch_add(1, Ordering::SeqCst);
        let (status, body) = match (method, uri.path()) {
            (Method::GET, "/shop/health") if bridge.fault == BridgeFault::NoHealth => (404, String::new()),
            (Method::GET, "/shop/health") => (200, String::new()),
            _ if !bridge.verifies(&headers, &body) => match bridge.fault {
                BridgeFault::RefusesWith(status) => (status, String::new()),
                _ => (401, String::new()),
            },
            (_, "/shop/get-purchases") => {
                if let (BridgeFault::Slow(time), 1) = (bridge.fault, request) {
                    tokio::time::sleep(time).await;
                }
                bridge.get_purchases(&serde_json::from_slice(&body).unwrap())
            }
            (_, "/shop/resolve-return") => bridge.resolve_return(&serde_json::from_slice(&body).unwrap()),
            (_, "/shop/get-label") => bridge.get_label(&serde_json::from_slice(&body).unwrap(), request),
            _ if bridge.fault == BridgeFault::AnswersUnknownPaths => (200, String::new()),
            _ => (404, String::new()),
        };
        (StatusCode::from_u16(status).unwrap(), body)
    }

    fn verifies(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let webhook = Webhook::new(SECRET).unwrap();
        match self.fault {
            BridgeFault::NeverVerifies => true,
            BridgeFault::IgnoresTimestamps => {
                let header = |name| headers.get(name).map_or("", |value| value.to_str().unwrap());
                let at = header("webhook-timestamp").parse().unwrap_or_default();
                let signatures = header("webhook-signature");
                let ours = webhook.sign(header("webhook-id"), at, body).unwrap();
                signatures.split(' ').any(|signature| signature == ours)
            }
            BridgeFault::ReadsFirstSignatureOnly => {
                let mut one = headers.clone();
                if let Some(signature) = headers.get("webhook-signature") {
                    let first = signature.to_str().unwrap().split(' ').next().unwrap();
                    one.insert("webhook-signature", first.parse().unwrap());
                }
                webhook.verify(body, &one).is_ok()
            }
            _ => webhook.verify(body, headers).is_ok(),
        }
    }

    fn get_purchases(&self, request: &Value) -> (u16, String) {
        let [number, email] = ["orderNumber", "email"].map(|name| request["credentials"][name].as_str().unwrap_or(""));
        let plain = |text: &str| text.replace([' ', '#'], "").to_lowercase();
        let (is_number, is_email) = match self.fault {
            BridgeFault::Unavailable => return (503, String::new()),
            BridgeFault::ComparesExactly => (number == "1001", email == "ada@example.com"),
            BridgeFault::AcceptsAnyEmail => (plain(number) == "1001", true),
            BridgeFault::AcceptsPartsOfEmails => (plain(number) == "1001", "ada@example.com".contains(&plain(email))),
            _ => (plain(number) == "1001", plain(email) == "ada@example.com"),
        };
        if is_number && is_email {
            return (200, self.purchases().to_string());
        }
        match self.fault {
            BridgeFault::RevealsOrderByBody if is_number => (404, "another e-mail address".to_owned()),
            BridgeFault::RevealsOrderByStatus if is_number => (403, String::new()),
            BridgeFault::ChangesBodies => (404, text(&request["requestId"])),
            _ => (404, String::new()),
        }
    }

    fn purchases(&self) -> Value {
        let eur = |value: &str| json!({"value": value, "currency": "EUR"});
        let number = if self.fault == BridgeFault::AnotherOrder { "1002" } else { "1001" };
        let id = self.requests.load(Ordering::SeqCst);
        let id = if self.fault == BridgeFault::ChangingIds { format!("line-{id}") } else { "line".to_owned() };
        let refunded =
            if self.fault == BridgeFault::NeverCountsRefunds { 0 } else { self.refunds.lock().unwrap().len() };
        let order = json!({
            "id": "1001", "number": number, "orderedAt": "2026-01-31T12:00:00Z", "currency": "EUR", "shippingPaid": eur("0.00"),
        });
        let tax = eur(if self.fault == BridgeFault::WrongSum { "30.01" } else { "5.21" });
        let mut purchases = json!({
            "consumer": {"email": "ada@example.com"},
            "purchases": [{
                "purchaseId": id, "order": order, "product": {"name": "Mug"}, "quantity": 9, "paid": eur("30.00"), "tax": tax,
                "taxIncluded": true, "fulfilledAt": "2026-02-01T09:00:00Z", "refundedQuantity": refunded,
            }],
        });
        if self.fault == BridgeFault::OmitsFields {
            let line = purchases["purchases"][0].as_object_mut().unwrap();
            line.remove("refundedQuantity").unwrap();
            line["order"].as_object_mut().unwrap().remove("shippingPaid").unwrap();
        }
        purchases
    }

    fn resolve_return(&self, request: &Value) -> (u16, String) {
        let Some(item) = request.get("items").map(|items| &items[0]) else { return (400, String::new()) };
        let is_possible = item["purchaseId"] == "line"
            && item["quantity"].as_u64().unwrap() <= 9
            && item["amount"] == json!({"value": "0.01", "currency": "EUR"});
        match self.fault {
            BridgeFault::FailsOnInvalidRequests if !is_possible => return (500, String::new()),
            BridgeFault::AcceptsInvalidRequests if !is_possible => {
                return (200, json!({"status": "Completed"}).to_string());
            }
            BridgeFault::RefusesRefunds => return failed("The till is closed."),
            _ if !is_possible => return failed("No."),
            _ => {}
        }
        let id = text(&request["transactionId"]);
        let mut refunds = self.refunds.lock().unwrap();
        let known = refunds.iter().position(|known| *known == id).filter(|_| self.fault != BridgeFault::RefundsTwice);
        if known.is_some() && self.fault == BridgeFault::FailsOnRepeatedRefunds {
            return failed("It was refunded already.");
        }
        let place = known.unwrap_or_else(|| {
            refunds.push(id);
            refunds.len() - 1
        });
        let status = if self.fault == BridgeFault::StaysPending { "Pending" } else { "Completed" };
        (200, json!({"status": status, "externalReference": format!("refund-{place}")}).to_string())
    }

    fn get_label(&self, request: &Value, count: u32) -> (u16, String) {
        let mut labels = self.labels.lock().unwrap();
        let id = text(&request["transactionId"]);
        let known = labels.iter().position(|known| *known == id);
        match self.fault {
            BridgeFault::HasNoLabels => return (404, String::new()),
            BridgeFault::LabelsUnavailable => return (503, String::new()),
            BridgeFault::RefusesLabels => return failed("The carrier knows no such place."),
            BridgeFault::FailsOnRepeatedLabels if known.is_some() => return failed("It was made already."),
            BridgeFault::RefusesConcurrentLabels if known.is_none() => {
                labels.push(id);
                return (409, String::new());
            }
            BridgeFault::FailsLabelsLater if labels.len() == 2 => return failed("The carrier is closed."),
            BridgeFault::FailsLabelsLater => {
                labels.push(id);
                return (200, json!({"status": "Pending"}).to_string());
            }
            BridgeFault::LeavesLabelsPending | BridgeFault::StaysPending => {
                return (200, json!({"status": "Pending"}).to_string());
            }
            _ => {}
        }
        let place = known.filter(|_| self.fault != BridgeFault::CreatesLabelsTwice).unwrap_or_else(|| {
            labels.push(id);
            labels.len() - 1
        });
        let number =
            if self.fault == BridgeFault::OmitsTrackingNumbers { String::new() } else { format!("label-{place}") };
        let drawn =
            if self.fault == BridgeFault::RedrawsLabels { format!("at second {count}") } else { number.clone() };
        let zpl = format!("^XA^FO50,50^A0N,40^FD{} {drawn}^FS^XZ", text(&request["returnOrderNumber"]));
        let zpl = if self.fault == BridgeFault::AnswersNoLabelFile { "Here it is." } else { &zpl };
        let label = json!({"mediaType": "application/zpl", "data": STANDARD.encode(zpl)});
        (200, json!({"status": "Created", "trackingNumber": number, "label": label}).to_string())
    }
}

fn failed(reason: &str) -> (u16, String) {
    (200, json!({"status": "Failed", "reason": reason}).to_string())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
