//! Accounts whose orders live in the merchant's own shop: a look-up asks that shop.

use crate::{
    shop::{Customer, EMAIL, HERE, Shop, fields, fresh, sent},
    webhooks::{Hooked, KEY, http, signed_with, until},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::order::IneligibleCode;
use returns::{Error, Proof, view};
use serde_json::{Value, json};
use store::testing::Database;

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

pub fn answer(status: u16, body: &Value) -> Reply {
    let body = body.to_string();
    Reply::Raw(format!("HTTP/1.1 {status} Said\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

fn eur(value: &str) -> Value {
    json!({"value": value, "currency": "EUR"})
}

/// An order of three mugs, `refunded` of them refunded already, and a plate that the shop does not take back.
pub fn order(refunded: u32) -> Value {
    let order = json!({"id": "o-1", "number": "1001", "orderedAt": "2026-02-20T12:00:00Z", "currency": "EUR",
        "shippingPaid": eur("4.95")});
    let line = |id: &str, name: &str, quantity: u32, paid: &str| {
        json!({"purchaseId": id, "order": order, "product": {"name": name}, "quantity": quantity, "paid": eur(paid),
            "tax": eur("1.00"), "taxIncluded": true, "refundedQuantity": 0, "fulfilledAt": "2026-02-21T12:00:00Z"})
    };
    let mut mugs = line("l-1", "Mug", 3, "20.00");
    mugs["refundedQuantity"] = json!(refunded);
    let mut plate = line("l-2", "Plate", 1, "8.00");
    plate["returnable"] = json!(false);
    json!({
        "consumer": {"email": "Ada@Example.com", "firstName": "Ada", "addresses": [
            {"street": "1 Elsewhere", "postalCode": "9999"}, {"street": "12 Analytical Lane", "postalCode": "EC1A 1BB"}]},
        "purchases": [mugs, plate],
    })
}

/// Answers the right number with the right e-mail address or postal code, and 404 otherwise.
pub fn answer_known_order(got: &RecordedRequest) -> Reply {
    let asked = &got.json()["credentials"];
    let is_right = asked["orderNumber"] == "1001" && (asked["email"] == EMAIL || asked["postalCode"] == "ec1a1bb");
    if is_right { answer(200, &order(0)) } else { answer(404, &json!({})) }
}

/// A shop that is connected to a bridge component.
pub async fn connected(database: &Database, component: &Receiver) -> Shop {
    connect(Hooked::open(database).await.shop, component).await
}

pub async fn connect(mut shop: Shop, component: &Receiver) -> Shop {
    let change = json!({"bridge": {"kind": "http", "url": component.url, "secret": SECRET},
        "policy": {"lookUpBy": ["email", "postalCode"]}});
    change_account(&shop, change).await.unwrap();
    shop.account = shop.retour.account(&shop.account.slug).await.unwrap();
    shop
}

pub async fn change_account(shop: &Shop, change: Value) -> Result<view::Account, Error> {
    let done = Box::pin(shop.retour.merchant(&shop.staff).change_account(sent(change), None, None)).await?;
    Ok(fresh(done, 200))
}

async fn prove(shop: &Shop, number: &str, email: &str) -> Result<returns::Identified, Error> {
    shop.retour.identify(&shop.account, number, Proof::Email(email.to_owned()), HERE).await
}

store::on_each_database! {
    async fn the_shopper_sees_what_the_shop_reports(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let customer = shop.customer("1001").await;
        let seen = customer.purchases().await;
        assert_eq!(seen.len(), 2);
        assert_eq!((seen[0].product.name.as_str(), seen[0].returnable_quantity), ("Mug", 3));
        assert_eq!(seen[1].eligibility.code, Some(IneligibleCode::NotReturnable));
        let asked = component.got()[0].json();
        assert_eq!((&asked["account"], &asked["maxAgeDays"]), (&json!("fjord-fern"), &json!(null)));
        // The next look-up asks the shop again, which has refunded two mugs since.
        component.answer(|_| answer(200, &order(2)));
        let again = shop.customer("1001").await;
        assert_eq!(again.shopper, customer.shopper, "the consumer stays the same");
        assert_eq!(again.purchases().await[0].returnable_quantity, 1);
        // The postal code of the second address proves the order too.
        component.answer(answer_known_order);
        let proof = Proof::PostalCode("ec1a1bb".to_owned());
        shop.retour.identify(&shop.account, "1001", proof, HERE).await.unwrap();
    }

    async fn an_order_keeps_the_address_that_proved_it(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let proof = Proof::PostalCode("ec1a1bb".to_owned());
        let shopper = shop.retour.identify(&shop.account, "1001", proof, HERE).await.unwrap().shopper;
        let by_postal_code = Customer { retour: shop.retour.clone(), shopper };
        shop.customer("1001").await;
        assert_eq!(by_postal_code.purchases().await.len(), 2, "the look-up by e-mail keeps the proven postal code");
        // Once the shop reports another address, the former postal code proves nothing.
        component.answer(|_| {
            let mut moved = order(0);
            moved["consumer"]["addresses"] = json!([{"street": "1 Elsewhere", "postalCode": "9999"}]);
            answer(200, &moved)
        });
        shop.customer("1001").await;
        assert_eq!(by_postal_code.purchases().await.len(), 0);
    }

    async fn a_slow_look_up_does_not_overwrite_a_later_one(database: Database) {
        let component = Receiver::start(|_| match answer(200, &order(0)) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let shop = connected(&database, &component).await;
        let slow = tokio::spawn({
            let shop = shop.clone();
            async move { shop.customer("1001").await }
        });
        until("the shop receives the look-up", || async { component.count() == 1 }).await;
        // The first answer is still pending when the shop refunds two units and a second look-up asks it.
        component.answer(|_| answer(200, &order(2)));
        shop.source.set(shop.source.now().plus_seconds(1));
        shop.customer("1001").await;
        component.open();
        assert_eq!(slow.await.unwrap().purchases().await[0].returnable_quantity, 1);
        // A clock that ran ahead once does not block later updates of the order.
        component.answer(|_| answer(200, &order(3)));
        shop.source.set(shop.source.now().plus_seconds(-3_600));
        assert_eq!(shop.customer("1001").await.purchases().await[0].returnable_quantity, 0);
    }

    async fn lines_that_the_shop_dropped_cannot_be_returned_and_one_id_means_one_order(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let ada = shop.customer("1001").await;
        // The shop now reports only the plate and no buyer.
        component.answer(|_| {
            let mut left = order(0);
            left["purchases"].as_array_mut().unwrap().remove(0);
            left["purchases"][0]["returnable"] = json!(true);
            answer(200, &left)
        });
        shop.customer("1001").await;
        let seen = ada.purchases().await;
        assert_eq!(seen[0].eligibility.code, Some(IneligibleCode::NotInOrder));
        assert_eq!((seen[1].product.name.as_str(), seen[1].returnable_quantity), ("Plate", 1));
        // The shop reuses the id for another buyer's order.
        component.answer(|_| {
            let mut other = order(0);
            other["consumer"]["email"] = json!("bob@example.com");
            for line in other["purchases"].as_array_mut().unwrap() {
                line["order"]["number"] = json!("1002");
            }
            answer(200, &other)
        });
        let refused = prove(&shop, "1002", "bob@example.com").await;
        assert!(matches!(refused, Err(Error::InvalidOrderCredentials)), "{refused:?}");
        assert_eq!(ada.purchases().await.len(), 2);
    }

    async fn after_20_wrong_guesses_the_shop_is_not_asked(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        for batch in 0..4 {
            let mut guesses = tokio::task::JoinSet::new();
            for guess in 0..5 {
                let (shop, email) = (shop.clone(), format!("guess{batch}{guess}@example.com"));
                guesses.spawn(async move { prove(&shop, "1001", &email).await });
            }
            let outcomes = guesses.join_all().await;
            assert!(outcomes.iter().all(|one| matches!(one, Err(Error::InvalidOrderCredentials))), "{outcomes:?}");
        }
        assert_eq!(component.count(), 20);
        let refused = prove(&shop, "1001", "guess21@example.com").await;
        assert!(matches!(refused, Err(Error::TooManyGuesses { .. })), "{refused:?}");
        assert_eq!(component.count(), 20);
    }

    async fn another_buyers_order_is_not_shown(database: Database) {
        let component = Receiver::start(|_| answer(200, &order(0))).await;
        let shop = connected(&database, &component).await;
        let refused = prove(&shop, "1001", "eve@example.com").await;
        assert!(matches!(refused, Err(Error::InvalidOrderCredentials)), "{refused:?}");
        let refused = prove(&shop, "1002", EMAIL).await;
        assert!(matches!(refused, Err(Error::InvalidOrderCredentials)), "{refused:?}");
        assert_eq!(database.rows("orders").await, 0);
    }

    async fn an_unreachable_shop_costs_no_guess_and_is_not_asked_for_a_while(database: Database) {
        let component = Receiver::always(Reply::Status(503)).await;
        let shop = connected(&database, &component).await;
        for _ in 0..5 {
            assert!(matches!(prove(&shop, "1001", EMAIL).await, Err(Error::BridgeUnavailable { .. })));
        }
        component.answer(answer_known_order);
        assert!(matches!(prove(&shop, "1001", EMAIL).await, Err(Error::BridgeUnavailable { .. })), "the shop is not asked for a while");
        assert_eq!(component.count(), 5);
        // A second instance has not seen the failure and asks the shop; the guess is still the first.
        let other = returns::Retour::new(database.store.clone(), shop.source.clone());
        let shop = Shop { retour: other.configured(|config| config.secret_keys = KEY.parse().unwrap()).configured(|config| config.http = Some(http())), ..shop };
        prove(&shop, "1001", EMAIL).await.unwrap();
        component.answer(|_| answer(200, &json!({"consumer": {}, "purchases": [{"quantity": -1}]})));
        assert!(matches!(prove(&shop, "1001", EMAIL).await, Err(Error::BridgeUnavailable { .. })), "the answer violates the contract");
    }

    async fn both_secrets_sign_while_one_replaces_the_other(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let set = async |kind: &str, secret: &str| {
            let bridge = json!({"kind": kind, "url": component.url, "secret": secret});
            change_account(&shop, json!({"bridge": bridge})).await.unwrap();
        };
        let signed_by = async |secrets: &[&str]| {
            let shop = Shop { account: shop.retour.account("fjord-fern").await.unwrap(), ..shop.clone() };
            prove(&shop, "1001", EMAIL).await.unwrap();
            let got = component.got().pop().unwrap();
            assert_eq!(got.header("webhook-signature"), signed_with(&got, secrets));
        };
        signed_by(&[SECRET]).await;
        set("http", OTHER_SECRET).await;
        signed_by(&[OTHER_SECRET, SECRET]).await;
        let kept = database.texts("SELECT bridge FROM accounts").await.remove(0);
        assert!(kept.contains("previousSecret") && !kept.contains("MfKQ9r8G"), "{kept}");
        // Setting the same secret again neither ends nor restarts the overlap.
        shop.source.set(shop.source.now().plus_hours(23));
        set("http", OTHER_SECRET).await;
        change_account(&shop, json!({"bridge": {"kind": "http", "url": component.url}})).await.unwrap();
        signed_by(&[OTHER_SECRET, SECRET]).await;
        let under_another = shop.retour.clone().configured(|config| config.secret_keys = "fedcba9876543210fedcba9876543210".parse().unwrap());
        assert!(shop.retour.operator().can_open_secrets().await.unwrap() && !under_another.operator().can_open_secrets().await.unwrap());
        shop.source.set(shop.source.now().plus_hours(1));
        signed_by(&[OTHER_SECRET]).await;
        // API keys have no overlap: only the new one is sent.
        set("medusa", "sk_1").await;
        set("medusa", "sk_2").await;
        assert!(!database.texts("SELECT bridge FROM accounts").await[0].contains("previousSecret"));
    }

    async fn a_bridge_secret_is_write_only(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let url = "http://127.0.0.1:9/retour";
        let bad = [
            (json!({"kind": "http"}), vec!["bridge.url", "bridge.secret"]),
            (json!({"kind": "http", "url": url}), vec!["bridge.secret"]),
            (json!({"kind": "http", "url": url, "secret": "short"}), vec!["bridge.secret"]),
            (json!({"kind": "http", "url": "ftp://example.com", "secret": SECRET}), vec!["bridge.url"]),
            (json!({"kind": "http", "url": "http://10.0.0.1/", "secret": SECRET}), vec!["bridge.url"]),
            (json!({"kind": "catalog", "url": url}), vec!["bridge.url"]),
        ];
        for (bridge, wrong) in bad {
            assert_eq!(fields(change_account(&shop, json!({"bridge": bridge})).await), wrong, "{bridge}");
        }
        let set = json!({"bridge": {"kind": "http", "url": url, "secret": SECRET}});
        let shown = serde_json::to_value(change_account(&shop, set).await.unwrap()).unwrap();
        assert_eq!(shown["bridge"], json!({"kind": "http", "url": url}));
        let kept = &database.texts("SELECT bridge FROM accounts").await[0];
        assert!(kept.contains(url) && !kept.contains("MfKQ9r8G"), "{kept}");
        // The secret stays while the address stays; another address requires it again.
        change_account(&shop, json!({"bridge": {"kind": "http", "url": url}})).await.unwrap();
        let elsewhere = json!({"bridge": {"kind": "http", "url": "http://127.0.0.1:9/elsewhere"}});
        assert_eq!(fields(change_account(&shop, elsewhere).await), ["bridge.secret"]);
        let shown = change_account(&shop, json!({"bridge": {"kind": "catalog"}})).await.unwrap();
        assert_eq!(shown.bridge.url, None);
    }
}
