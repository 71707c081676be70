//! Ledgers of orders: the sums of the shop, the locks, and the promises of returns.

use crate::support::*;
use domain::{
    AccountId, Money, OrderId, ReturnOrderId,
    costs::{CostLine, LineKind},
    order::{Ledger, NewOrder, OrderReview, OrderSums},
    policy::Resolution,
    returning::{ReturnOrder, ReturnRequest},
    stage::Stage,
};
use std::collections::BTreeMap;
use store::testing::Database;

async fn sold(database: &Database, account: AccountId, number: &str, sums: OrderSums) -> domain::order::Purchase {
    let order =
        NewOrder { sums, review: Some(OrderReview::SumsDiffer), ..an_order(number, vec![a_line(number, 3, 3_000)]) };
    import(database, account, vec![order]).await;
    the_purchase(database, account, number).await
}

/// A return whose breakdown has these amounts of a purchase, and whose request is at this stage.
fn returned(
    consumer: domain::ConsumerId,
    purchase: &domain::order::Purchase,
    number: &str,
    stage: Stage,
) -> (ReturnOrder, ReturnRequest) {
    let mut order = a_return_order(consumer, number);
    let line = |kind, minor| CostLine {
        kind,
        purchase_id: purchase.id,
        quantity: None,
        shipping_option_id: None,
        amount: Money::new(minor, eur()),
    };
    order.cost_breakdown.lines = vec![
        line(LineKind::ItemRefund, 1_000),
        line(LineKind::OutboundShippingRefund, 495),
        line(LineKind::RefundLimit, -200),
        line(LineKind::ReturnShipping, -300),
    ];
    let request = ReturnRequest { resolution_value: 995, state: state(stage), ..a_return_request(&order, purchase) };
    (order, request)
}

store::on_each_database! {
    async fn the_money_of_an_order_is_what_its_shop_reports(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let sums = OrderSums { paid: Some(3_495), refunded: 500 };
        let purchase = sold(&database, ours, "1001", sums).await;
        let order = purchase.order.id;
        let money = look!(database, ledgers::find, ours, order).unwrap();
        assert_eq!((money.order, money.sums, money.refunded_before, money.review), (order, sums, 0, Some(OrderReview::SumsDiffer)));
        assert_eq!(keep!(database, ledgers::hold, ours, purchase.id), Some(money));
        assert_eq!(keep!(database, ledgers::hold, theirs, purchase.id), None);
        assert_eq!(look!(database, ledgers::find, theirs, order), None);
        keep!(database, ledgers::set_refunded_before, theirs, order, 9);
        keep!(database, ledgers::set_refunded_before, ours, order, 500);
        assert_eq!(look!(database, ledgers::find, ours, order).unwrap().refunded_before, 500);
        assert_eq!(look!(database, ledgers::find, ours, OrderId(id())), None);
        let silent = sold(&database, ours, "1002", OrderSums::default()).await;
        assert!(look!(database, ledgers::find, ours, silent.order.id).unwrap().is_silent());
    }

    async fn promises_are_summed_up_from_the_returns(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = sold(&database, ours, "1001", OrderSums { paid: Some(9_000), refunded: 0 }).await;
        let other = sold(&database, ours, "1002", OrderSums { paid: Some(9_000), refunded: 0 }).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let mut ids: Vec<ReturnOrderId> = Vec::new();
        let cases = [
            (&purchase, Stage::RequestedReview, Resolution::Refund),
            (&purchase, Stage::ResolutionApproved, Resolution::Refund),
            (&purchase, Stage::ResolutionCompleted { external_reference: None }, Resolution::StoreCredit),
            (&other, Stage::ResolutionApproved, Resolution::Refund),
        ];
        for (number, (of, stage, resolution)) in cases.into_iter().enumerate() {
            let (order, request) = returned(consumer, of, &format!("R-{number}"), stage);
            let request = ReturnRequest { requested_resolution: resolution, ..request };
            assert!(keep!(database, return_orders::insert, ours, &order));
            assert!(keep!(database, purchases::take, ours, of.id, units(1, 0), 0));
            keep!(database, return_requests::insert, ours, &[request]);
            ids.push(order.id);
        }
        let money = look!(database, ledgers::find, ours, purchase.order.id).unwrap();
        let all = look!(database, ledgers::of_others, ours, &money, None);
        // Each is 10.00 plus 4.95 minus 2.00 before fees; a refund is the amount after fees.
        assert_eq!((all.promised, all.fixed, all.approved), (3 * 1_295, 2 * 1_295, 995));
        assert_eq!(all.left(), Some(9_000 - 3 * 1_295));
        let without = look!(database, ledgers::of_others, ours, &money, Some(ids[1]));
        assert_eq!((without.promised, without.fixed, without.approved), (2 * 1_295, 1_295, 0));

        // For several orders at once, and by known lines.
        keep!(database, ledgers::set_refunded_before, ours, purchase.order.id, 500);
        let all = Ledger { refunded_before: 500, ..all };
        let listed = look!(database, ledgers::list, ours, &[purchase.order.id, other.order.id]);
        assert_eq!((listed.len(), listed[&purchase.order.id], listed[&other.order.id].approved), (2, all, 995));
        let sums = BTreeMap::from([(purchase.order.id, purchase.order.sums)]);
        let lines = BTreeMap::from([(purchase.id, purchase.order.id)]);
        assert_eq!(look!(database, ledgers::of_lines, ours, &sums, &lines)[&purchase.order.id], all);
        let (theirs, none) = (AccountId(id()), BTreeMap::new());
        assert_eq!(look!(database, ledgers::list, theirs, &[purchase.order.id]), none);
        let foreign = look!(database, ledgers::of_lines, theirs, &sums, &lines)[&purchase.order.id];
        assert_eq!((foreign.promised, foreign.approved), (0, 0), "returns of another account do not count");
    }
}
