//! Which answers of a shop count as the wanted order, and how other answers are reported.

use crate::support::{
    PATIENCE, Receiver,
    bridge::{asked, now, ok},
    medusa::{KEY, says, thrown},
    read_request,
    scripted::{answer, count, scripted as shop},
};
use outbound::{
    bridge::{BridgeError, LookUp, Rejected, Unavailable},
    http::CallError,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::timeout;

const ORDERS: &str = "GET /shop/admin/orders?";

async fn look_up(receiver: &Receiver) -> Result<LookUp, BridgeError> {
    timeout(PATIENCE, says(receiver).get_purchases(&asked(), now())).await.expect("the call should have ended")
}

/// A page of other shoppers' orders.
fn page(orders: usize, count: usize) -> (&'static str, String) {
    let order = |number: usize| json!({"id": "order_1", "display_id": number, "email": "ada@example.com"});
    let orders: Vec<Value> = (0..orders).map(|at| order(10_010 + at)).collect();
    (ORDERS, ok(&json!({"orders": orders, "count": count})))
}

#[tokio::test]
async fn a_look_up_searches_page_by_page_and_changes_nothing() {
    let (receiver, requests) = shop(vec![page(20, 41), page(20, 41), page(1, 41)]);
    assert_eq!(look_up(&receiver).await, Ok(LookUp::NotFound));
    let requests = requests.lock().unwrap().clone();
    assert_eq!(requests.len(), 3);
    for (request, offset) in requests.iter().zip([0, 20, 40]) {
        let start = format!("{ORDERS}q=1001+ada%40example.com&order=display_id&limit=20&offset={offset}&fields=id%2C");
        assert!(request.starts_with(&start), "{request}");
        assert!(request.contains("\r\nauthorization: Basic c2tfMWY3YTo=\r\n"), "{request}");
    }
    assert!(!format!("{:?}", says(&receiver)).contains(KEY));

    // A search without end is stopped.
    let (receiver, requests) = shop(vec![page(20, 1_000_000); 100]);
    assert!(matches!(look_up(&receiver).await, Err(BridgeError::BadAnswer(_))));
    assert_eq!(count(&requests, ORDERS), 40);
}

#[tokio::test]
async fn an_order_is_found_only_with_matching_credentials() {
    let found = json!({"id": "order_7", "display_id": 1001, "email": "ADA@example.com"});
    let order = |field: &str, value: Value| {
        let mut order = json!({
            "id": "order_7", "display_id": 1001, "custom_display_id": null, "email": "Ada@Example.com",
            "status": "pending", "currency_code": "eur", "created_at": "2026-11-22T02:00:00Z", "shipping_methods": [],
            "fulfillments": [], "items": [{
                "id": "l", "created_at": "2026-11-22T02:00:00Z", "title": "Bag", "unit_price": 24.95, "quantity": 1,
                "is_tax_inclusive": true, "total": 24.95, "detail": {
                    "fulfilled_quantity": 0, "return_requested_quantity": 0, "return_received_quantity": 0,
                    "return_dismissed_quantity": 0, "written_off_quantity": 0,
                },
            }],
        });
        order[field] = value;
        ok(&json!({ "order": order }))
    };
    let look_up = async |answer: String| {
        let list = ok(&json!({"orders": [found], "count": 1}));
        look_up(&shop(vec![(ORDERS, list), ("GET /shop/admin/orders/order_7?", answer)]).0).await
    };
    assert!(matches!(look_up(order("status", json!("completed"))).await, Ok(LookUp::Found(_))));
    for (field, value) in [
        ("id", json!("order_8")),
        ("display_id", json!(1002)),
        ("email", json!("eve@example.com")),
        ("email", json!(null)),
        ("status", json!("draft")),
        ("status", json!("canceled")),
        ("items", json!([])),
    ] {
        assert_eq!(look_up(order(field, value.clone())).await, Ok(LookUp::NotFound), "{field}: {value}");
    }
    assert_eq!(look_up(thrown("404 Not Found", "not_found")).await, Ok(LookUp::NotFound));
}

#[tokio::test]
async fn errors_of_a_shop_are_reported() {
    let error_of = async |answer: String| look_up(&Receiver::writing(answer)).await.unwrap_err();
    let unavailable = |status, wait_seconds| BridgeError::from(Unavailable::Status { status, wait_seconds });
    assert_eq!(error_of(answer("502 Bad Gateway", "")).await, unavailable(502, None));
    assert_eq!(error_of(answer("429 Too Many\r\nRetry-After: 7", "")).await, unavailable(429, Some(7)));
    assert_eq!(error_of(answer("404 Not Found", "<html></html>")).await, Rejected { status: 404 }.into());
    for status in ["401 Unauthorized", "403 Forbidden"] {
        assert!(matches!(error_of(answer(status, "{}")).await, BridgeError::KeyRefused(_)));
    }
    let bad = [
        answer("200 OK", "<html>ada@example.com</html>"),
        ok(&json!({"orders": null})),
        ok(&json!({"orders": [{"id": "order_1", "display_id": "ada@example.com"}], "count": 1})),
        answer("200 OK", &" ".repeat(5 * 1024 * 1024)),
    ];
    for answer in bad {
        let error = error_of(answer).await;
        assert!(matches!(error, BridgeError::BadAnswer(_)) && !format!("{error:?}").contains("ada@"), "{error:?}");
    }
    let hanging = Receiver::start(async |mut stream| {
        read_request(&mut stream).await;
        std::future::pending::<()>().await;
    });
    let (short, started) = (Duration::from_millis(300), Instant::now());
    let looked_up = says(&hanging).with_timeout(short).get_purchases(&asked(), now()).await;
    assert!(looked_up.is_err_and(|error| error.is_timeout()) && started.elapsed() < 20 * short);
    let (losing, requests) = shop(Vec::new());
    assert_eq!(look_up(&losing).await.unwrap_err(), CallError::BrokenOff.into());
    assert_eq!(requests.lock().unwrap().len(), 2, "a look-up is repeated once");
}
