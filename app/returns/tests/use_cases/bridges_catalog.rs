//! A sale that is known twice, from our catalog and from a shop that was connected later, is returned once.

use crate::{
    bridges::{SECRET, answer, answer_known_order, change_account, connected, order},
    shop::{Customer, EMAIL, HERE, Shop, refusal},
    webhooks::Hooked,
    webhooks_receiver::Receiver,
};
use domain::{RefusalCode, order::IneligibleCode};
use returns::{Error, ErrorCode, Proof};
use serde_json::{Value, json};
use store::testing::Database;

const TWICE: ErrorCode = ErrorCode::Refused(RefusalCode::DraftOutdated);

async fn connect(shop: &mut Shop, component: &Receiver) {
    become_a(shop, json!({"kind": "http", "url": component.url, "secret": SECRET})).await;
}

async fn become_a(shop: &mut Shop, bridge: Value) {
    change_account(shop, json!({"bridge": bridge})).await.unwrap();
    shop.account = shop.retour.account("fjord-fern").await.unwrap();
}

/// The listed products, and why each cannot be returned.
async fn listed(customer: &Customer) -> Vec<(String, Option<IneligibleCode>)> {
    let purchases = customer.purchases().await.into_iter();
    purchases.map(|purchase| (purchase.product.name, purchase.eligibility.code)).collect()
}

fn named(names: &[(&str, Option<IneligibleCode>)]) -> Vec<(String, Option<IneligibleCode>)> {
    names.iter().map(|(name, code)| ((*name).to_owned(), *code)).collect()
}

const NO: Option<IneligibleCode> = Some(IneligibleCode::NotReturnable);
const ELSEWHERE: Option<IneligibleCode> = Some(IneligibleCode::ReturnedElsewhere);

store::on_each_database! {
    async fn the_connected_shop_alone_lists_purchases(database: Database) {
        let mut shop = Hooked::open(&database).await.shop;
        let before = shop.sell("1001", &[(3, 2_000)]).await;
        let draft = before.draft(&[(0, 1)]).await;
        let component = Receiver::start(answer_known_order).await;
        connect(&mut shop, &component).await;
        assert_eq!(listed(&before).await, [], "the shop has not reported the order yet");
        let customer = shop.customer("1001").await;
        assert_eq!(listed(&customer).await, named(&[("Mug", None), ("Plate", NO)]));
        assert_eq!(refusal(before.submit(draft).await), TWICE, "the draft's purchases are not this shop's");
        // An order of the catalog that the shop does not know.
        shop.import(vec![shop.order("2002", &[(1, 100)])]).await;
        let refused = shop.retour.identify(&shop.account, "2002", Proof::Email(EMAIL.to_owned()), HERE).await;
        assert!(matches!(refused, Err(Error::InvalidOrderCredentials)), "{refused:?}");
    }

    async fn units_of_a_catalog_return_cannot_be_returned_through_the_shop(database: Database) {
        let mut shop = Hooked::open(&database).await.shop;
        let before = shop.sell("1001", &[(3, 2_000)]).await;
        let sent_back = before.send_back(&[(0, 1)]).await;
        let component = Receiver::start(answer_known_order).await;
        connect(&mut shop, &component).await;
        let customer = shop.customer("1001").await;
        assert_eq!(listed(&customer).await, named(&[("Mug", ELSEWHERE), ("Plate", ELSEWHERE)]));
        let refused = customer.try_draft(customer.choose(&[(0, 1)]).await, None).await;
        assert_eq!(crate::shop::fields(refused), ["selectedPurchases[0].purchaseId"]);
        // Once that return is cancelled, the units can be returned through the shop.
        before.cancel(sent_back.id).await.unwrap();
        assert_eq!(listed(&customer).await, named(&[("Mug", None), ("Plate", NO)]));
        customer.send_back(&[(0, 1)]).await;
    }

    async fn two_shops_may_use_one_number_for_two_sales(database: Database) {
        let mut shop = Hooked::open(&database).await.shop;
        let theirs = domain::order::NewOrder { email: "bob@example.com".to_owned(), ..shop.order("1001", &[(1, 100)]) };
        shop.import(vec![theirs]).await;
        let proof = Proof::Email("bob@example.com".to_owned());
        let shopper = shop.retour.identify(&shop.account, "1001", proof, HERE).await.unwrap().shopper;
        Customer { retour: shop.retour.clone(), shopper }.send_back(&[(0, 1)]).await;
        let component = Receiver::start(answer_known_order).await;
        connect(&mut shop, &component).await;
        // The catalog's order has another buyer and is nine days older.
        assert_eq!(listed(&shop.customer("1001").await).await, named(&[("Mug", None), ("Plate", NO)]));
    }

    async fn of_two_simultaneous_returns_of_one_sale_under_two_ids_one_succeeds(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let mut shop = connected(&database, &component).await;
        shop.customer("1001").await;
        become_a(&mut shop, json!({"kind": "catalog"})).await;
        let customer = shop.sell("1001", &[(3, 2_000)]).await;
        assert_eq!(listed(&customer).await, named(&[("Mug", None), ("Plate", NO), ("Mug 1", None)]));
        let both = customer.draft(&[(0, 1), (2, 1)]).await;
        assert_eq!(refusal(customer.submit(both).await), TWICE);
        let (one, other) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(2, 1)]).await);
        let (one, other) = tokio::join!(customer.submit(one), customer.submit(other));
        assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
        assert_eq!(listed(&customer).await.iter().filter(|(_, code)| code.is_none()).count(), 1, "one of the two ids is returnable");
    }

    async fn lines_under_new_ids_cannot_be_returned_again(database: Database) {
        let mut shop = Hooked::open(&database).await.shop;
        let known = domain::order::NewOrder { external_id: "o-1".to_owned(), ..shop.order("1001", &[(3, 2_000)]) };
        shop.import(vec![known]).await;
        shop.customer("1001").await.send_back(&[(0, 1)]).await;
        // The shop reports the same order under the same id, with other line ids.
        let component = Receiver::start(answer_known_order).await;
        connect(&mut shop, &component).await;
        let refused = shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await;
        assert!(matches!(refused, Err(Error::InvalidOrderCredentials)), "{refused:?}");
    }

    async fn an_answer_with_a_line_of_another_order_is_rejected(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let customer = shop.customer("1001").await;
        component.answer(|_| {
            let mut other = order(0);
            for line in other["purchases"].as_array_mut().unwrap() {
                line["order"]["number"] = json!("1002");
                line["order"]["id"] = json!("o-2");
            }
            // One order is valid; the other contains a line that belongs to another order.
            other["purchases"][0]["purchaseId"] = json!("l-9");
            other["purchases"][0]["order"]["id"] = json!("o-3");
            answer(200, &other)
        });
        let refused = shop.retour.identify(&shop.account, "1002", Proof::Email(EMAIL.to_owned()), HERE).await;
        assert_eq!(refusal(refused), ErrorCode::BridgeUnavailable);
        assert_eq!(database.rows("orders").await, 1, "nothing of the answer is kept");
        assert_eq!(customer.purchases().await.len(), 2);
    }
}
