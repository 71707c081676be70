//! Look-ups of one client cannot block other clients, whatever they make the shop's server do.

use crate::{
    bridges::{answer, answer_known_order, connected},
    shop::{EMAIL, HERE, Shop},
    webhooks::{http, until},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use returns::{ClientAddress, Error, Identified, Proof};
use serde_json::json;
use store::testing::Database;
use tokio::task::JoinSet;

fn at(number: usize) -> ClientAddress {
    ClientAddress(std::net::IpAddr::from([198, 51, 100, u8::try_from(number).unwrap()]))
}

async fn prove(shop: &Shop, number: &str, from: ClientAddress) -> Result<Identified, Error> {
    let email = if number == "1001" { EMAIL.to_owned() } else { format!("eve{number}@example.com") };
    shop.retour.identify(&shop.account, number, Proof::Email(email), from).await
}

/// Starts look-ups of orders that do not exist, each from the address that `from` gives.
fn look_up_unknown_orders(
    shop: &Shop,
    orders: std::ops::Range<usize>,
    from: impl Fn(usize) -> ClientAddress,
) -> JoinSet<Error> {
    let mut all = JoinSet::new();
    for order in orders {
        let (shop, from) = (shop.clone(), from(order));
        all.spawn(async move { prove(&shop, &format!("x{order}"), from).await.unwrap_err() });
    }
    all
}

fn is_unavailable(error: &Error) -> bool {
    matches!(error, Error::BridgeUnavailable { .. })
}

/// Fails for orders that it does not have.
fn fails_for_unknown_orders(got: &RecordedRequest) -> Reply {
    if got.json()["credentials"]["orderNumber"] == "1001" { answer_known_order(got) } else { Reply::Status(500) }
}

store::on_each_database! {
    async fn a_client_that_makes_a_shop_fail_is_blocked_alone(database: Database) {
        let component = Receiver::start(fails_for_unknown_orders).await;
        let shop = connected(&database, &component).await;
        for turn in 0..2 {
            let refused = look_up_unknown_orders(&shop, turn * 5..turn * 5 + 5, |_| at(1)).join_all().await;
            assert!(refused.iter().all(is_unavailable), "{refused:?}");
        }
        assert_eq!(component.count(), 5, "the shop is not asked the second time");
        assert_eq!(shop.retour.shops_left_alone(), 1);
        assert!(prove(&shop, "1001", HERE).await.is_ok());
        // Five different clients in a row make it fail: the shop is not asked for anybody.
        look_up_unknown_orders(&shop, 20..25, at).join_all().await;
        let asked = component.count();
        assert!(prove(&shop, "1001", HERE).await.is_err_and(|error| is_unavailable(&error)));
        assert_eq!(component.count(), asked, "the shop is not asked");
    }

    async fn a_slow_shop_gets_a_limited_number_of_look_ups_at_once(database: Database) {
        let component = Receiver::start(|_| match answer(404, &json!({})) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let mut shop = connected(&database, &component).await;
        shop.retour = shop.retour.configured(|config| config.http = Some(http().with_max_concurrent_calls(1_000)));
        let mut all = look_up_unknown_orders(&shop, 0..8, |_| at(1));
        until("eight look-ups of one client are under way", || async { component.count() == 8 }).await;
        let busy = prove(&shop, "x8", at(1)).await.unwrap_err();
        assert!(matches!(busy, Error::BridgeUnavailable { seconds: Some(5) }), "{busy:?}");
        let others = look_up_unknown_orders(&shop, 100..124, at);
        until("32 look-ups are under way", || async { component.count() == 32 }).await;
        let busy = prove(&shop, "1001", HERE).await.unwrap_err();
        assert!(is_unavailable(&busy), "{busy:?}");
        assert_eq!(component.count(), 32);
        component.open();
        let answered = [all.join_next().await.unwrap().unwrap()].into_iter().chain(others.join_all().await);
        for error in answered.chain(all.join_all().await) {
            assert!(matches!(error, Error::InvalidOrderCredentials), "{error:?}");
        }
        component.answer(answer_known_order);
        prove(&shop, "1001", HERE).await.unwrap();
    }

    async fn a_shops_retry_after_reaches_the_shopper(database: Database) {
        let component = Receiver::always(Reply::With(503, "retry-after: 120\r\n".to_owned())).await;
        let shop = connected(&database, &component).await;
        let retry_after = async || match prove(&shop, "1001", HERE).await {
            Err(Error::BridgeUnavailable { seconds }) => seconds,
            other => panic!("{other:?}"),
        };
        assert_eq!(retry_after().await, Some(120));
        component.answer(|_| Reply::With(503, "retry-after: 999999999\r\n".to_owned()));
        assert_eq!(retry_after().await, Some(3_600));
        component.answer(|_| Reply::With(503, "retry-after: soon\r\n".to_owned()));
        assert_eq!(retry_after().await, None);
    }
}
