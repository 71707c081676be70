//! The outbound shipping (postage) of an order is refunded with the last return that can complete the order, and only then.

use crate::{
    orders::shipping_back,
    progress::to,
    shop::{Customer, Shop, fresh},
};
use domain::{
    order::{IneligibleCode, NewOrder, NewPurchase},
    policy::Policy,
    stage::{StageGroup, StageName},
};
use store::testing::Database;

const POSTAGE: i64 = 495;

/// An order of two lines of 10.00 and 20.00, changed by `change` before the import.
fn two_lines(shop: &Shop, change: impl FnOnce(&mut NewOrder)) -> NewOrder {
    let mut order = shop.order("1001", &[(1, 1_000), (1, 2_000)]);
    order.shipping_paid = POSTAGE;
    change(&mut order);
    order
}

async fn sell(shop: &Shop, order: NewOrder) -> Customer {
    shop.import(vec![order]).await;
    shop.customer("1001").await
}

/// Receives everything that was returned, and sums what is refunded, postage included.
async fn accept_all(shop: &Shop, customer: &Customer) -> i64 {
    let mut paid = 0;
    for order in customer.return_orders().await {
        for request in order.return_requests.unwrap() {
            if request.stage.group() != StageGroup::Resolution && request.stage.group() != StageGroup::Closed {
                shop.try_receive(request.id, request.quantity, None).await.unwrap();
            }
            let request = shop.retour.merchant(&shop.staff).return_request(request.id, &[]).await.unwrap();
            paid += request.resolution.value.unwrap().minor;
        }
    }
    paid
}

store::on_each_database! {
    async fn lines_that_cannot_be_returned_do_not_hold_the_postage(database: Database) {
        type Change = fn(&mut NewPurchase);
        let changes: [(&str, Change); 4] = [
            ("removed", |line| (line.fulfilled, line.removed) = (0, 1)),
            ("download", |line| line.requires_shipping = false),
            ("tip", |line| (line.requires_shipping, line.obstacle) = (false, Some(IneligibleCode::NotShippable))),
            ("refunded by the shop", |line| line.shop_refunded = 1),
        ];
        for (number, (what, change)) in changes.into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{number}"), "EUR", Policy::default()).await;
            let customer = sell(&shop, two_lines(&shop, |order| change(&mut order.lines[1]))).await;
            customer.send_back(&[(0, 1)]).await;
            assert_eq!(shipping_back(&customer).await, POSTAGE, "{what}");
            assert_eq!(accept_all(&shop, &customer).await, 1_000 + POSTAGE, "{what}");
        }
    }

    async fn undelivered_and_final_sale_lines_hold_the_postage(database: Database) {
        type Change = fn(&mut NewPurchase);
        let changes: [Change; 2] = [|line| line.fulfilled = 0, |line| line.final_sale = true];
        for (number, change) in changes.into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{number}"), "EUR", Policy::default()).await;
            let customer = sell(&shop, two_lines(&shop, |order| change(&mut order.lines[1]))).await;
            customer.send_back(&[(0, 1)]).await;
            assert_eq!((shipping_back(&customer).await, accept_all(&shop, &customer).await), (0, 1_000));
        }
    }

    async fn a_partially_imported_order_never_refunds_its_postage(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, two_lines(&shop, |order| order.is_partial = true)).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!((shipping_back(&customer).await, accept_all(&shop, &customer).await), (0, 3_000));
    }

    async fn a_return_without_a_parcel_refunds_no_postage(database: Database) {
        let policy = Policy { return_without_shipping: true, ..Policy::default() };
        let shop = Shop::open_with(&database, "lenient", "EUR", policy).await;
        let order = two_lines(&shop, |order| {
            order.lines[0].requires_shipping = false;
            order.lines[1].shop_refunded = 1;
        });
        let customer = sell(&shop, order).await;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!((shipping_back(&customer).await, accept_all(&shop, &customer).await), (0, 1_000));
    }

    async fn a_gift_card_returned_with_the_last_goods_does_not_lose_their_postage(database: Database) {
        let policy = Policy { return_without_shipping: true, ..Policy::default() };
        let shop = Shop::open_with(&database, "lenient", "EUR", policy).await;
        let customer = sell(&shop, two_lines(&shop, |order| order.lines[1].requires_shipping = false)).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, POSTAGE);
        assert_eq!(accept_all(&shop, &customer).await, 3_000 + POSTAGE);
    }

    async fn units_that_the_shop_refunded_are_gone_and_our_refunds_do_not_count_twice(database: Database) {
        let shop = Shop::open(&database).await;
        let order_with_refunds = |refunded| {
            let mut order = shop.order("1001", &[(3, 3_000)]);
            (order.shipping_paid, order.lines[0].shop_refunded) = (POSTAGE, refunded);
            order
        };
        let customer = sell(&shop, order_with_refunds(1)).await;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 0, "one unit is left");
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        shop.try_receive(request, 1, None).await.unwrap();
        shop.update(request, to(StageName::ResolutionCompleted)).await.unwrap();
        // The shop made one refund of its own, whether its count includes ours or not.
        for refunded in [1, 2] {
            shop.import(vec![order_with_refunds(refunded)]).await;
            assert_eq!(customer.purchases().await[0].returnable_quantity, 1, "{refunded} refunded");
            assert!(customer.try_draft(customer.choose(&[(0, 2)]).await, None).await.is_err());
        }
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, POSTAGE);
        assert_eq!(accept_all(&shop, &customer).await, 2_000 + POSTAGE);
        assert_eq!(customer.purchases().await[0].returnable_quantity, 0);
    }

    async fn a_refund_that_the_shop_reports_before_the_approval_is_the_same_refund(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(2, 2_000)]);
        order.shipping_paid = POSTAGE;
        let customer = sell(&shop, order.clone()).await;
        customer.send_back(&[(0, 1)]).await;
        order.lines[0].shop_refunded = 1;
        shop.import(vec![order]).await;
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        shop.try_receive(request, 1, None).await.unwrap();
        // It may be the same money, so staff decide.
        shop.update(request, to(StageName::ResolutionApproved)).await.unwrap();
        shop.update(request, to(StageName::ResolutionCompleted)).await.unwrap();
        assert_eq!((shipping_back(&customer).await, customer.purchases().await[0].returnable_quantity), (0, 1));
        fresh(customer.submit(customer.draft(&[(0, 1)]).await).await.unwrap(), 201);
        assert_eq!(shipping_back(&customer).await, POSTAGE);
    }

    async fn removing_a_line_gives_the_postage_to_the_next_return(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, two_lines(&shop, |order| order.lines[1].fulfilled = 0)).await;
        let early = customer.send_back(&[(0, 1)]).await.id;
        assert_eq!(shipping_back(&customer).await, 0);
        fresh(customer.cancel(early).await.unwrap(), 200);
        shop.import(vec![two_lines(&shop, |order| (order.lines[1].fulfilled, order.lines[1].removed) = (0, 1))]).await;
        let again = customer.send_back(&[(0, 1)]).await.id;
        assert_eq!(shipping_back(&customer).await, POSTAGE);
        fresh(customer.cancel(again).await.unwrap(), 200);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 0);
    }
}
