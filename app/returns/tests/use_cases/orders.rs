//! What counts for a whole sales order: its shipping comes back once, and only so much of it is kept.

use crate::shop::{Customer, Shop, fresh, refusal};
use domain::{Money, RefusalCode, costs::LineKind, money::Prices, policy::Policy, stage::StageName};
use returns::ErrorCode;
use store::testing::Database;

async fn sell_with_shipping(shop: &Shop, number: &str, paid: i64) -> Customer {
    let mut order = shop.order(number, &[(1, 1_000), (1, 2_000)]);
    order.shipping_paid = paid;
    shop.import(vec![order]).await;
    shop.customer(number).await
}

/// What all returns that still count promise of the shipping.
async fn shipping_back(customer: &Customer) -> i64 {
    let orders = customer.return_orders().await;
    let counts = |order: &&returns::view::ReturnOrderView| order.status != domain::status::ReturnOrderStatus::Cancelled;
    orders.iter().filter(counts).map(|order| order.cost_breakdown.total(LineKind::OutboundShippingRefund)).sum()
}

store::on_each_database! {
    async fn shipping_comes_back_with_the_return_that_completes_the_order(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 0);
        customer.send_back(&[(1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn two_drafts_that_together_bring_all_of_an_order_back_do_not_lose_its_shipping(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let (first, second) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(1, 1)]).await);
        fresh(customer.submit(first).await.unwrap(), 201);
        let Err(returns::Error::Outdated { refusal, costs, .. }) = customer.submit(second).await else {
            panic!("the draft was submitted");
        };
        assert_eq!((refusal.code, costs.unwrap().total(LineKind::OutboundShippingRefund)), (RefusalCode::DraftOutdated, 495));
        customer.send_back(&[(1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn shipping_does_not_come_back_when_a_part_of_the_order_stays_after_all(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let first = customer.send_back(&[(0, 1)]).await;
        let second = customer.send_back(&[(1, 1)]).await;
        assert_eq!(second.cost_breakdown.total(LineKind::OutboundShippingRefund), 495);
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        let receipt = returns::Receipt { quantity: 1, external_reference: None };
        fresh(shop.retour.receive(&shop.staff, request, receipt, None).await.unwrap(), 200);
        let order = shop.retour.return_order(&shop.staff, second.id, &[]).await.unwrap();
        assert_eq!(order.cost_breakdown.total(LineKind::OutboundShippingRefund), 0);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 0, "the next return can have it");
    }

    async fn shipping_never_comes_back_twice_by_cancelling_and_returning_again(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell_with_shipping(&shop, "1001", 495).await;
        let first = customer.send_back(&[(0, 1)]).await;
        let second = customer.send_back(&[(1, 1)]).await;
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        let again = customer.send_back(&[(0, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
        // Whoever calls off the return that had it gives it up, and the next that completes the order gets it.
        fresh(customer.cancel(second.id).await.unwrap(), 200);
        fresh(customer.cancel(again.id).await.unwrap(), 200);
        assert_eq!(shipping_back(&customer).await, 0);
        customer.send_back(&[(0, 1), (1, 1)]).await;
        assert_eq!(shipping_back(&customer).await, 495);
    }

    async fn drafts_side_by_side_keep_no_more_than_the_policy_says(database: Database) {
        let below = Prices::new([Money::new(1_500, domain::Currency::from_code("EUR").unwrap())]).unwrap();
        let policy = Policy { keep_item_below: below, ..Policy::default() };
        let shop = Shop::open_with(&database, "keeper", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 1_000), (1, 1_000)]).await;
        let (first, second) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(1, 1)]).await);
        let kept = fresh(customer.submit(first).await.unwrap(), 201);
        let stages: Vec<_> = customer.return_orders().await[0].return_requests.iter().flatten().map(|one| one.stage).collect();
        assert_eq!((kept.shipping_option_id, stages), (None, vec![StageName::ResolutionApproved]));
        assert_eq!(refusal(customer.submit(second).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        // The same by a new draft: it has to be sent now.
        let sent = customer.send_back(&[(1, 1)]).await;
        assert!(sent.shipping_option_id.is_some());
    }

    async fn a_draft_whose_purchase_costs_something_else_by_now_is_outdated_and_says_what_it_would_be(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        shop.import(vec![shop.order("1001", &[(3, 500)])]).await;
        let Err(returns::Error::Outdated { refusal, costs, .. }) = customer.submit(draft).await else {
            panic!("the draft was submitted");
        };
        assert_eq!(refusal.code, RefusalCode::DraftOutdated);
        assert_eq!(costs.unwrap().estimated_refund.minor, 167);
        assert_eq!(customer.purchases().await[0].returnable_quantity, 3, "nothing was taken");
    }
}
