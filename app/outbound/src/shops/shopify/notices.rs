//! Shopify's webhooks, called notices here: is one genuine, and what is it about?
//!
//! The signature follows Shopify's documentation, "Verify webhook deliveries". It covers the body alone, not the topic and the
//! shop's domain, which are in the header. So a topic that erases people is accepted only with the body of this topic.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;

/// The most orders of a request about a customer.
const MAX_ORDERS: usize = 10_000;
/// The most characters of an e-mail address.
const MAX_EMAIL_CHARS: usize = 320;

/// What a notice says. It is only a hint: Retour reads the truth from the shop.
#[derive(Clone, PartialEq, Eq)]
pub enum ShopNotice {
    /// Something about the order with this id (`gid://shopify/Order/…`) has changed.
    Order(String),
    /// A return of the order with this id has changed. That is no change of the order by itself.
    Return(String),
    /// The app was uninstalled.
    Uninstalled,
    /// The customer's data has to be erased.
    EraseCustomer(NoticedCustomer),
    /// The data of all of the shop's customers has to be erased.
    EraseShop {
        /// The shop's domain at Shopify.
        shop_domain: String,
    },
    /// The customer has asked for their data.
    Export(NoticedCustomer),
    /// Something that Retour does not need.
    Other,
}

/// The customer of a notice.
#[derive(Clone, PartialEq, Eq)]
pub struct NoticedCustomer {
    /// The shop's domain at Shopify.
    pub shop_domain: String,
    /// May be empty.
    pub email: String,
    /// The ids of their orders: `gid://shopify/Order/…`.
    pub orders: Vec<String>,
    /// Shopify's number of the request; may be empty.
    pub reference: String,
}

/// Shows nothing of the customer.
impl std::fmt::Debug for NoticedCustomer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NoticedCustomer")
    }
}

/// Omits the customer.
impl std::fmt::Debug for ShopNotice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Order(_) => "Order",
            Self::Return(_) => "Return",
            Self::Uninstalled => "Uninstalled",
            Self::EraseCustomer(_) => "EraseCustomer",
            Self::EraseShop { .. } => "EraseShop",
            Self::Export(_) => "Export",
            Self::Other => "Other",
        })
    }
}

/// The body of a genuine notice is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected JSON")]
pub struct NotJson;

/// Whether a secret of the app has signed a body: `X-Shopify-Hmac-Sha256`, the HMAC-SHA256 in Base64. Compares in constant time.
pub fn is_signed(secret: &str, signature: &str, body: &[u8]) -> bool {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
    mac.update(body);
    // An unreadable signature is compared as well, so that it takes as long.
    let signature = BASE64_STANDARD.decode(signature.trim()).unwrap_or_default();
    mac.verify_slice(&signature).is_ok()
}

/// What a genuine notice says. `topic`: such as `orders/updated`.
pub fn notice_of(topic: &str, body: &[u8]) -> Result<ShopNotice, NotJson> {
    let body: Value = serde_json::from_slice(body).map_err(|_| NotJson)?;
    Ok(match topic {
        "app/uninstalled" => ShopNotice::Uninstalled,
        "customers/redact" => match customer(&body, "/orders_to_redact") {
            Some(customer) if body.get("data_request").is_none() => ShopNotice::EraseCustomer(customer),
            _ => ShopNotice::Other,
        },
        "customers/data_request" => match customer(&body, "/orders_requested") {
            Some(customer) if body.get("data_request").is_some() => ShopNotice::Export(customer),
            _ => ShopNotice::Other,
        },
        "shop/redact" => match text(&body, "/shop_domain") {
            Some(shop_domain) if body.get("customer").is_none() => ShopNotice::EraseShop { shop_domain },
            _ => ShopNotice::Other,
        },
        _ => match order_of(topic, &body) {
            Some(order) if topic.starts_with("returns/") => ShopNotice::Return(order),
            Some(order) => ShopNotice::Order(order),
            None => ShopNotice::Other,
        },
    })
}

/// The id of the order that a topic's body is about: where it is in the body follows Shopify's reference of webhooks.
fn order_of(topic: &str, body: &Value) -> Option<String> {
    let (subject, what) = topic.split_once('/')?;
    let places: &[&str] = match (subject, what) {
        ("orders", "edited") => &["/order_edit/order_id"],
        ("orders", _) => &["/admin_graphql_api_id", "/admin_graphql_api_order_id", "/order_id", "/id"],
        ("refunds" | "fulfillments" | "fulfillment_events" | "order_transactions", _) => &["/order_id"],
        ("returns", _) => &["/order/admin_graphql_api_id", "/order/id", "/order_id"],
        _ => return None,
    };
    places.iter().find_map(|place| order_id(body.pointer(place)?))
}

/// An order's id, from a number or from its text.
fn order_id(value: &Value) -> Option<String> {
    let number = match value {
        Value::Number(number) => number.as_u64()?,
        Value::String(text) => text.strip_prefix("gid://shopify/Order/").unwrap_or(text).parse().ok()?,
        _ => return None,
    };
    Some(format!("gid://shopify/Order/{number}"))
}

fn customer(body: &Value, orders: &str) -> Option<NoticedCustomer> {
    let listed = body.pointer(orders).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_email = |email: &String| email.chars().count() <= MAX_EMAIL_CHARS && !email.contains(char::is_control);
    Some(NoticedCustomer {
        shop_domain: text(body, "/shop_domain")?,
        email: text(body, "/customer/email").filter(is_email).unwrap_or_default(),
        orders: listed.iter().filter_map(order_id).take(MAX_ORDERS).collect(),
        reference: body
            .pointer("/data_request/id")
            .and_then(Value::as_u64)
            .map_or_else(String::new, |id| id.to_string()),
    })
}

fn text(body: &Value, place: &str) -> Option<String> {
    body.pointer(place).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(topic: &str, body: &Value) -> ShopNotice {
        notice_of(topic, body.to_string().as_bytes()).unwrap()
    }

    fn order(number: u64) -> ShopNotice {
        ShopNotice::Order(format!("gid://shopify/Order/{number}"))
    }

    #[test]
    fn a_signature_is_that_of_the_secret_and_the_whole_body() {
        // Computed with `openssl dgst -sha256 -hmac shpss_1 -binary | base64`.
        let signature = "wy76624z4KJ8BnoehWMER3bDGBzOAnSxYMKAM6HhW9I=";
        assert!(is_signed("shpss_1", signature, br#"{"id":1}"#));
        assert!(is_signed("shpss_1", &format!(" {signature} "), br#"{"id":1}"#));
        assert!(!is_signed("shpss_2", signature, br#"{"id":1}"#));
        assert!(!is_signed("shpss_1", signature, br#"{"id":2}"#));
        for wrong in ["", "?", "AAAA", &signature[..20]] {
            assert!(!is_signed("shpss_1", wrong, br#"{"id":1}"#), "{wrong}");
        }
    }

    #[test]
    fn each_topic_has_its_order_in_its_place() {
        let own = json!({"id": 7, "admin_graphql_api_id": "gid://shopify/Order/7", "updated_at": "2026-11-01"});
        for topic in ["orders/updated", "orders/cancelled", "orders/fulfilled", "orders/create"] {
            assert_eq!(read(topic, &own), order(7), "{topic}");
        }
        assert_eq!(read("orders/delete", &json!({"id": 7})), order(7));
        assert_eq!(read("orders/edited", &json!({"order_edit": {"id": 1, "order_id": 7}})), order(7));
        for topic in ["refunds/create", "fulfillments/create", "fulfillments/update", "order_transactions/create"] {
            assert_eq!(read(topic, &json!({"id": 1, "order_id": 7})), order(7), "{topic}");
        }
        let returned = json!({"id": 1, "admin_graphql_api_id": "gid://shopify/Return/1", "order": {"id": 7}});
        let of = |number: u64| ShopNotice::Return(format!("gid://shopify/Order/{number}"));
        for what in ["approve", "cancel", "close", "reopen", "decline", "request", "process", "update"] {
            assert_eq!(read(&format!("returns/{what}"), &returned), of(7), "{what}");
        }
        let by_text = json!({"order": {"admin_graphql_api_id": "gid://shopify/Order/8"}});
        assert_eq!(read("returns/close", &by_text), of(8));
    }

    #[test]
    fn what_names_no_order_is_nothing() {
        let nothing = json!({"id": 7, "admin_graphql_api_id": "gid://shopify/Return/1"});
        for topic in ["returns/update", "refunds/create", "products/update", "orders", "", "app/x"] {
            assert_eq!(read(topic, &nothing), ShopNotice::Other, "{topic}");
        }
        for id in [json!(-1), json!(1.5), json!("gid://shopify/Order/x"), json!("7\u{0}"), json!(null), json!([7])] {
            assert_eq!(read("refunds/create", &json!({"order_id": id})), ShopNotice::Other, "{id}");
        }
        assert_eq!(notice_of("orders/updated", b"{"), Err(NotJson));
        assert_eq!(read("orders/updated", &json!([])), ShopNotice::Other);
    }

    #[test]
    fn people_are_erased_only_by_the_body_of_that_topic() {
        let ada = json!({"id": 1, "email": "ada@example.com"});
        let redact = json!({"shop_domain": "x.myshopify.com", "customer": ada, "orders_to_redact": [7, 8, "nothing"]});
        let asked = json!({"shop_domain": "x.myshopify.com", "customer": ada, "orders_requested": [7], "data_request": {"id": 9}});
        let shop = json!({"shop_id": 1, "shop_domain": "x.myshopify.com"});
        let ShopNotice::EraseCustomer(customer) = read("customers/redact", &redact) else { panic!("{redact}") };
        assert_eq!((customer.email.as_str(), customer.shop_domain.as_str()), ("ada@example.com", "x.myshopify.com"));
        assert_eq!(customer.orders, ["gid://shopify/Order/7", "gid://shopify/Order/8"]);
        let ShopNotice::Export(customer) = read("customers/data_request", &asked) else { panic!("{asked}") };
        assert_eq!((customer.reference.as_str(), customer.orders.len()), ("9", 1));
        let erased = ShopNotice::EraseShop { shop_domain: "x.myshopify.com".to_owned() };
        assert_eq!(read("shop/redact", &shop), erased);
        for (topic, body) in [
            ("shop/redact", &redact),
            ("shop/redact", &asked),
            ("shop/redact", &json!({"id": 7})),
            ("customers/redact", &asked),
            ("customers/redact", &json!({"id": 7})),
            ("customers/data_request", &redact),
        ] {
            assert_eq!(read(topic, body), ShopNotice::Other, "{topic} {body}");
        }
        assert!(!format!("{:?}", read("customers/redact", &redact)).contains("ada"));
    }
}
