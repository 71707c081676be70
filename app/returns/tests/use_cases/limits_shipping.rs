//! The refund of an order's shipping stays within what was paid and is left.

use crate::{
    limits::{figures, latest, sold},
    progress::to,
    shop::{Shop, fresh},
};
use domain::{
    costs::LineKind,
    order::{NewOrder, OrderSums},
    stage::{ReviewReason, StageName as N},
};
use store::testing::Database;

store::on_each_database! {
    async fn shipping_that_the_shop_refunded_is_not_refunded_again(database: Database) {
        let shop = Shop::open(&database).await;
        let order = |number| NewOrder { shipping_paid: 1_000, ..sold(&shop, number, &[(1, 5_000), (1, 5_000)], (11_000, 1_000)) };
        shop.import(vec![order("1001"), order("1002")]).await;
        let given = |costs: &domain::costs::CostBreakdown| {
            [LineKind::ItemRefund, LineKind::OutboundShippingRefund, LineKind::RefundLimit].map(|kind| costs.total(kind))
        };
        // Both items in one return …
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(given(order.costs.breakdown().unwrap()), [10_000, 1_000, -1_000]);
        let requests = latest(&customer).await;
        for request in &requests {
            fresh(shop.update(request.id, to(N::RequestedApproved)).await.unwrap(), 200);
        }
        for request in &requests {
            assert_eq!(fresh(shop.try_receive(request.id, 1, None).await.unwrap(), 200).stage, N::ResolutionPending);
            shop.approve(request.id).await;
        }
        let order = customer.return_orders().await.remove(0);
        assert_eq!(given(order.costs.breakdown().unwrap()), [10_000, 1_000, -1_000]);
        let values: i64 = latest(&customer).await.iter().map(|request| figures(request).0).sum();
        assert_eq!(values, 10_000 + order.costs.breakdown().unwrap().total(LineKind::ReturnShipping));
        // … or one after the other: the first gets its full value, the last waits for staff.
        let customer = shop.customer("1002").await;
        customer.send_back(&[(0, 1)]).await;
        let first = latest(&customer).await[0].id;
        assert_eq!(shop.approve_and_receive(first, 1).await.stage, N::ResolutionApproved);
        customer.send_back(&[(1, 1)]).await;
        let second = latest(&customer).await.remove(0);
        assert_eq!(second.review_reason, Some(ReviewReason::RefundLimit));
        shop.approve_and_receive(second.id, 1).await;
        shop.approve(second.id).await;
        assert_eq!(given(customer.return_orders().await[0].costs.breakdown().unwrap()), [5_000, 1_000, -1_000]);
    }

    async fn shipping_beyond_the_limit_is_not_approved_automatically(database: Database) {
        let shop = Shop::open(&database).await;
        let order = |refunded| NewOrder { shipping_paid: 1_000, ..sold(&shop, "1001", &[(1, 5_000), (1, 5_000)], (11_000, refunded)) };
        shop.import(vec![order(0)]).await;
        let customer = shop.customer("1001").await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        let requests = latest(&customer).await;
        assert_eq!(shop.approve_and_receive(requests[0].id, 1).await.stage, N::ResolutionApproved);
        // The shipping costs less now and less was paid; the shop refunded nothing.
        let less = NewOrder { sums: OrderSums { paid: Some(10_500), refunded: 0 }, ..order(0) };
        shop.import(vec![less]).await;
        let last = shop.approve_and_receive(requests[1].id, 1).await;
        assert_eq!((last.stage, last.review_reason), (N::ResolutionPending, Some(ReviewReason::RefundLimit)));
        assert_eq!(database.number("SELECT CAST(SUM(accepted) AS BIGINT) FROM purchases").await, 1, "not accepted yet");
        shop.approve(last.id).await;
        let costs = customer.return_orders().await[0].costs.breakdown().unwrap().clone();
        assert_eq!([LineKind::OutboundShippingRefund, LineKind::RefundLimit].map(|kind| costs.total(kind)), [1_000, -500]);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 1_000);
    }
}
