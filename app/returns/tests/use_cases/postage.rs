//! What sending an order cost comes back with the last of it that could: neither before, nor never.

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

/// An order of two lines of 10.00 and 20.00, which somebody changes before it is taken in.
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

/// What comes back once all that a return holds was received, postage included.
async fn accept_all(shop: &Shop, customer: &Customer) -> i64 {
    let mut paid = 0;
    for order in customer.return_orders().await {
        for request in order.return_requests.unwrap() {
            if request.stage.group() != StageGroup::Resolution && request.stage.group() != StageGroup::Closed {
                shop.try_arrive(request.id, request.quantity, None).await.unwrap();
            }
            let request = shop.retour.merchant(&shop.staff).return_request(request.id, &[]).await.unwrap();
            paid += request.resolution.value.unwrap().minor;
        }
    }
    paid
}

store::on_each_database! {
    async fn what_cannot_come_back_does_not_keep_the_postage(database: Database) {
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

    async fn what_is_still_to_be_sent_or_sold_for_good_keeps_it(database: Database) {
        type Change = fn(&mut NewPurchase);
        let changes: [Change; 2] = [|line| line.fulfilled = 0, |line| line.final_sale = true];
        for (number, change) in changes.into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{number}"), "EUR", Policy::default()).await;
            let customer = sell(&shop, two_lines(&shop, |order| change(&mut order.lines[1]))).await;
            customer.send_back(&[(0, 1)]).await;
            assert_eq!((shipping_back(&customer).await, accept_all(&shop, &customer).await), (0, 1_000));
        }
    }

    async fn where_lines_are_not_known_the_postage_never_comes_back_by_itself(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, two_lines(&shop, |order| order.is_partial = true)).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!((shipping_back(&customer).await, accept_all(&shop, &customer).await), (0, 3_000));
    }

    async fn what_needs_no_parcel_brings_no_postage_back(database: Database) {
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

    async fn a_gift_card_beside_the_last_goods_does_not_lose_their_postage(database: Database) {
        let policy = Policy { return_without_shipping: true, ..Policy::default() };
        let shop = Shop::open_with(&database, "lenient", "EUR", policy).await;
        let customer = sell(&shop, two_lines(&shop, |order| order.lines[1].requires_shipping = false)).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, POSTAGE);
        assert_eq!(accept_all(&shop, &customer).await, 3_000 + POSTAGE);
    }

    async fn units_that_the_shop_refunded_itself_are_gone_and_ours_are_not_counted_twice(database: Database) {
        let shop = Shop::open(&database).await;
        let told = |refunded| {
            let mut order = shop.order("1001", &[(3, 3_000)]);
            (order.shipping_paid, order.lines[0].shop_refunded) = (POSTAGE, refunded);
            order
        };
        let customer = sell(&shop, told(1)).await;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 0, "one is still there");
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        shop.try_arrive(request, 1, None).await.unwrap();
        shop.update(request, to(StageName::ResolutionCompleted)).await.unwrap();
        // Whether the shop tells of the refund that it made for us, or does not: it made one by itself.
        for refunded in [1, 2] {
            shop.import(vec![told(refunded)]).await;
            assert_eq!(customer.purchases().await[0].returnable_quantity, 1, "{refunded} refunded");
            assert!(customer.try_draft(customer.choose(&[(0, 2)]).await, None).await.is_err());
        }
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, POSTAGE);
        assert_eq!(accept_all(&shop, &customer).await, 2_000 + POSTAGE);
        assert_eq!(customer.purchases().await[0].returnable_quantity, 0);
    }

    async fn a_refund_that_the_shop_tells_before_it_is_approved_here_is_ours(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(2, 2_000)]);
        order.shipping_paid = POSTAGE;
        let customer = sell(&shop, order.clone()).await;
        customer.send_back(&[(0, 1)]).await;
        order.lines[0].shop_refunded = 1;
        shop.import(vec![order]).await;
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        shop.try_arrive(request, 1, None).await.unwrap();
        // It may be the same money, so a person decides.
        shop.update(request, to(StageName::ResolutionApproved)).await.unwrap();
        shop.update(request, to(StageName::ResolutionCompleted)).await.unwrap();
        assert_eq!((shipping_back(&customer).await, customer.purchases().await[0].returnable_quantity), (0, 1));
        fresh(customer.submit(customer.draft(&[(0, 1)]).await).await.unwrap(), 201);
        assert_eq!(shipping_back(&customer).await, POSTAGE);
    }

    async fn a_line_that_is_removed_later_lets_the_next_return_have_the_postage(database: Database) {
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
