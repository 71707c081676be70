//! Limits per order: its shipping is refunded once, and the customer may keep only part of it.

use crate::{
    progress::{because, to},
    shop::{Customer, Shop, fields, fresh, refusal},
};
use domain::{Money, RefusalCode, costs::LineKind, money::Prices, policy::Policy, stage::StageName};
use returns::ErrorCode;
use store::testing::Database;

async fn sell_with_shipping(shop: &Shop, number: &str, paid: i64) -> Customer {
    let mut order = shop.order(number, &[(1, 1_000), (1, 2_000)]);
    order.shipping_paid = paid;
    shop.import(vec![order]).await;
    shop.customer(number).await
}

/// The shipping refund that all returns which are not cancelled promise together.
pub async fn shipping_back(customer: &Customer) -> i64 {
    let orders = customer.return_orders().await;
    let counts =
        |order: &&returns::view::ReturnOrderView| order.status != domain::returning::ReturnOrderStatus::Cancelled;
    orders
        .iter()
        .filter(counts)
        .map(|order| order.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund))
        .sum()
}

store::on_each_database! {
    async fn the_return_that_completes_the_order_refunds_its_shipping(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 0);
        customer.send_back(&[(1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn two_drafts_that_together_complete_an_order_do_not_lose_its_shipping(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let (first, second) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(1, 1)]).await);
        fresh(customer.submit(first).await.unwrap(), 201);
        let Err(returns::Error::Outdated { refusal, costs, .. }) = customer.submit(second).await else {
            panic!("expected an outdated draft");
        };
        assert_eq!((refusal.code, costs.unwrap().total(LineKind::OutboundShippingRefund)), (RefusalCode::DraftOutdated, 495));
        customer.send_back(&[(1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn shipping_is_not_refunded_when_part_of_the_order_stays(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let first = customer.send_back(&[(0, 1)]).await;
        let second = customer.send_back(&[(1, 1)]).await;
        assert_eq!(second.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 495);
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        let receipt = returns::Receipt { quantity: 1, external_reference: None };
        fresh(shop.retour.merchant(&shop.staff).receive(request, receipt, None).await.unwrap(), 200);
        let order = shop.retour.merchant(&shop.staff).return_order(second.id, &[]).await.unwrap();
        assert_eq!(order.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 0);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 0, "the next return can have it");
    }

    async fn cancelling_and_returning_again_never_refunds_shipping_twice(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let first = customer.send_back(&[(0, 1)]).await;
        let second = customer.send_back(&[(1, 1)]).await;
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        let again = customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
        // Cancelling the return that had the shipping frees it for the next return that completes the order.
        fresh(customer.cancel(second.id).await.unwrap(), 200);
        fresh(customer.cancel(again.id).await.unwrap(), 200);
        assert_eq!(shipping_back(&customer).await, 0);
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn shipping_waits_for_the_last_item_and_approved_amounts_stay(database: Database) {
        let policy = Policy { auto_resolve: true, ..Policy::default() };
        let shop = Shop::open_with(&database, "five", "EUR", policy).await;
        let mut order = shop.order("1001", &[(1, 1_000); 5]);
        order.shipping_paid = 1_200;
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        let first = customer.send_back(&[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]).await;
        assert_eq!(first.costs.breakdown().unwrap().estimated_refund.minor, 6_200);
        let ids: Vec<_> = customer.return_orders().await[0].return_requests.as_ref().unwrap().iter().map(|one| one.id).collect();
        let value = async |id| shop.retour.merchant(&shop.staff).return_request(id, &[]).await.unwrap().resolution.value.unwrap().minor;
        shop.try_receive(ids[0], 1, None).await.unwrap();
        shop.update(ids[0], to(StageName::ResolutionCompleted)).await.unwrap();
        assert_eq!(value(ids[0]).await, 1_000, "its own value, without shipping that depends on the others");
        for &id in &ids[1..] {
            shop.update(id, to(StageName::ClosedCancelled)).await.unwrap();
        }
        assert_eq!((value(ids[0]).await, shipping_back(&customer).await), (1_000, 0));
        customer.send_back(&[(1, 1), (2, 1), (3, 1), (4, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 1_200);
        let mut paid = value(ids[0]).await;
        for request in customer.return_orders().await[0].return_requests.as_ref().unwrap() {
            shop.try_receive(request.id, 1, None).await.unwrap();
            paid += value(request.id).await;
        }
        assert_eq!(paid, 6_200);
    }

    async fn the_return_that_is_accepted_last_refunds_the_shipping(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let first = customer.send_back(&[(0, 1)]).await.id;
        let second = customer.send_back(&[(1, 1)]).await.id;
        let request = async |order| {
            let order = shop.retour.merchant(&shop.staff).return_order(order, &[returns::Expand::ReturnRequests]).await.unwrap();
            order.return_requests.unwrap().remove(0)
        };
        shop.try_receive(request(second).await.id, 1, None).await.unwrap();
        assert_eq!((request(second).await.resolution.value.unwrap().minor, shipping_back(&customer).await), (2_000, 0));
        shop.try_receive(request(first).await.id, 1, None).await.unwrap();
        assert_eq!((request(first).await.resolution.value.unwrap().minor, shipping_back(&customer).await), (1_495, 495));
    }

    async fn what_the_shop_refunded_itself_is_not_approved_again(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 2_000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        let mut reported = shop.order("1001", &[(2, 2_000)]);
        reported.lines[0].shop_refunded = 1;
        shop.import(vec![reported]).await;
        let id = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        let request = fresh(shop.try_receive(id, 2, None).await.unwrap(), 200);
        assert_eq!(request.stage, StageName::ResolutionPending, "staff must decide");
        let refused = refusal(shop.update(id, to(StageName::ResolutionApproved)).await);
        assert_eq!(refused, ErrorCode::Refused(RefusalCode::QuantityExceeded));
        shop.record_inspection(id, 1, 1).await.unwrap();
        shop.update(id, to(StageName::ResolutionApproved)).await.unwrap();
        // The shop's later report of our refund changes nothing.
        shop.update(id, to(StageName::ResolutionCompleted)).await.unwrap();
        let whole = shop.retour.merchant(&shop.staff).return_order(order, &[]).await.unwrap();
        assert_eq!(whole.costs.breakdown().unwrap().estimated_refund.minor, 1_000);
    }

    async fn a_cancelled_return_promises_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let order = customer.send_back(&[(0, 1), (1, 1)]).await.id;
        let cancelled = fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!((cancelled.costs.breakdown().unwrap().lines.len(), cancelled.costs.breakdown().unwrap().estimated_refund.minor), (0, 0));
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 0);
        let cancellations = database.texts("SELECT data FROM events WHERE type = 'return_order.cancelled'").await;
        assert!(cancellations[0].contains("\"consumer\"") || cancellations[0].contains("\"consumerId\":{"), "{}", cancellations[0]);
    }

    async fn units_returned_again_are_worth_what_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(10, 11)]).await; // one of them costs 2, nine cost 1
        let first = customer.send_back(&[(0, 1)]).await;
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        customer.send_back(&[(0, 9)]).await;
        let orders = customer.return_orders().await;
        let mut paid = 0;
        for order in &orders {
            let request = &order.return_requests.as_ref().unwrap()[0];
            let request = fresh(shop.try_receive(request.id, request.quantity, None).await.unwrap(), 200);
            paid += request.resolution.value.unwrap().minor;
        }
        assert_eq!(paid, 11);
    }

    async fn two_orders_with_one_number_keep_their_shipping_apart(database: Database) {
        let shop = Shop::open_with(&database, "twins", "EUR", Policy { auto_resolve: false, ..Policy::default() }).await;
        let mut orders = vec![shop.order("A", &[(1, 1_000)]), shop.order("B", &[(1, 2_000)])];
        for (order, (paid, code)) in orders.iter_mut().zip([(500, "1011AA"), (700, "1012BB")]) {
            (order.number, order.shipping_paid, order.address.postal_code) = ("#1001".to_owned(), paid, code.to_owned());
        }
        shop.import(orders).await;
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(order.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 1_200);
        let requests = customer.return_orders().await.remove(0).return_requests.unwrap();
        for request in &requests {
            shop.try_receive(request.id, 1, None).await.unwrap();
        }
        let approved = fresh(shop.update(requests[0].id, to(StageName::ResolutionApproved)).await.unwrap(), 200);
        assert_eq!(approved.resolution.value.unwrap().minor, 1_500, "the shipping of its own order");
        shop.update(requests[1].id, because(StageName::ResolutionDenied, "Worn")).await.unwrap();
        assert_eq!(shipping_back(&customer).await, 500);
    }

    async fn a_late_parcel_does_not_take_units_of_another_price(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 10_000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        fresh(customer.cancel(order).await.unwrap(), 200);
        shop.import(vec![shop.order("1001", &[(2, 2_000)])]).await;
        let id = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        let request = fresh(shop.try_receive(id, 2, None).await.unwrap(), 200);
        assert_eq!((request.stage, request.surplus_quantity, request.resolution.value.unwrap().minor), (StageName::ClosedCancelled, 2, 0));
    }

    async fn an_unapproved_return_that_arrives_after_its_cancellation_waits_for_staff(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        fresh(customer.cancel(order).await.unwrap(), 200);
        let id = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        assert_eq!(fresh(shop.try_receive(id, 1, None).await.unwrap(), 200).stage, StageName::ResolutionPending);
    }

    async fn an_inspection_after_the_approval_is_recorded_and_changes_no_amount(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        customer.send_back(&[(0, 2)]).await;
        let id = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        assert_eq!(fields(shop.try_receive(id, 2, Some(" ")).await), ["externalReference"]);
        shop.try_receive(id, 2, None).await.unwrap();
        assert_eq!(shop.record_inspection(id, 1, 1).await.unwrap(), StageName::ResolutionApproved, "recorded without effect");
        assert_eq!(customer.return_orders().await[0].costs.breakdown().unwrap().estimated_refund.minor, 1_000);
    }

    async fn shipping_that_the_shop_lowers_is_refunded_at_its_current_amount(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        sell_with_shipping(&shop, "1001", 100).await;
        let requests = customer.return_orders().await.remove(0).return_requests.unwrap();
        for request in &requests {
            fresh(shop.try_receive(request.id, 1, None).await.unwrap(), 200);
        }
        assert_eq!(shipping_back(&customer).await, 100);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 100);
    }

    async fn drafts_made_side_by_side_keep_no_more_than_the_policy_allows(database: Database) {
        let below = Prices::new([Money::new(1_500, domain::Currency::from_code("EUR").unwrap())]).unwrap();
        let policy = Policy { keep_item_below: below, ..Policy::default() };
        let shop = Shop::open_with(&database, "keeper", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 1_000), (1, 1_000)]).await;
        let (first, second) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(1, 1)]).await);
        let kept = fresh(customer.submit(first).await.unwrap(), 201);
        let stages: Vec<_> = customer.return_orders().await[0].return_requests.iter().flatten().map(|one| one.stage).collect();
        assert_eq!((kept.shipping_option_id, stages), (None, vec![StageName::ResolutionApproved]));
        assert_eq!(refusal(customer.submit(second).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        // A new draft of the same item requires sending it.
        let sent = customer.send_back(&[(1, 1)]).await;
        assert!(sent.shipping_option_id.is_some());
    }

    async fn a_draft_with_a_changed_price_is_outdated_and_shows_the_new_costs(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        shop.import(vec![shop.order("1001", &[(3, 500)])]).await;
        let Err(returns::Error::Outdated { refusal, costs, .. }) = customer.submit(draft).await else {
            panic!("expected an outdated draft");
        };
        assert_eq!(refusal.code, RefusalCode::DraftOutdated);
        assert_eq!(costs.unwrap().estimated_refund.minor, 167);
        assert_eq!(customer.purchases().await[0].returnable_quantity, 3, "no units are taken");
    }
}
