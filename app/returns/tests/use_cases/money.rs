//! In any portions, the refunds of an order add up to what was paid, to the last minor unit.

use crate::{
    seed::Seed,
    shop::{Customer, Shop, fresh, taken},
};
use domain::{costs::LineKind, policy::Policy, returning::ReturnOrderStatus, stage::StageName};
use fastrand::Rng;
use returns::view::ReturnOrderView;
use store::testing::Database;

/// The total purchase price of requests that are not cancelled.
async fn refunded(customer: &Customer) -> i64 {
    let orders = customer.return_orders().await;
    let requests = orders.iter().flat_map(|order| order.return_requests.as_ref().unwrap());
    requests
        .filter(|request| request.stage != StageName::ClosedCancelled)
        .map(|request| request.purchase_price.unwrap().minor)
        .sum()
}

/// A random choice of units that can still be returned.
async fn portion(customer: &Customer, rng: &mut Rng) -> Vec<(usize, u32)> {
    let left: Vec<_> =
        customer.purchases().await.into_iter().map(|purchase| purchase.returnable_quantity).enumerate().collect();
    let left: Vec<_> = left.into_iter().filter(|&(_, units)| units > 0).collect();
    let mut chosen: Vec<_> = left.iter().filter(|_| rng.bool()).copied().collect();
    if chosen.is_empty() {
        chosen.extend(left.first());
    }
    chosen.into_iter().map(|(place, units)| (place, rng.u32(1..=units))).collect()
}

/// Returns everything in random portions and cancels some of them in between.
async fn return_everything(customer: &Customer, rng: &mut Rng) {
    let mut open: Vec<ReturnOrderView> = Vec::new();
    loop {
        let units = portion(customer, rng).await;
        if units.is_empty() {
            return;
        }
        open.push(customer.send_back(&units).await);
        if rng.u32(..3) == 0 {
            let place = rng.usize(..open.len());
            fresh(customer.cancel(open.swap_remove(place).id).await.unwrap(), 200);
        }
    }
}

store::on_each_database! {
    async fn refunds_add_up_to_what_was_paid_in_any_portions(database: Database) {
        let seed = Seed::of_this_run();
        for (part, currency) in [(1, "EUR"), (2, "JPY"), (3, "KWD")] {
            let rng = &mut seed.rng(part);
            let shop = Shop::open_with(&database, &currency.to_lowercase(), currency, Policy::default()).await;
            for number in 0..4 {
                // Totals that the quantity does not divide, totals below one minor unit per item, and zero.
                let lines: Vec<(u32, i64)> = (0..=rng.u32(..4)).map(|_| (rng.u32(1..=12), price(rng))).collect();
                let customer = shop.sell(&format!("{currency}-{number}"), &lines).await;
                return_everything(&customer, rng).await;
                assert_eq!(refunded(&customer).await, lines.iter().map(|(_, total)| total).sum::<i64>(), "{currency} {lines:?}");
            }
        }
        let (bought, dear) = ("SUM(bought)", "SUM(total % bought)");
        let sum = |what: &str| format!("SELECT CAST({what} AS BIGINT) FROM purchases");
        assert_eq!(taken(&database).await, (database.number(&sum(bought)).await, database.number(&sum(dear)).await));
    }

    async fn a_cancelled_return_frees_its_units_including_those_with_an_extra_cent(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 1_003)]).await; // three units cost 201, two 200
        let first = customer.send_back(&[(0, 2)]).await;
        let second = customer.send_back(&[(0, 2)]).await;
        assert_eq!((taken(&database).await, refunded(&customer).await), ((4, 3), 402 + 401));
        customer.cancel(first.id).await.unwrap();
        assert_eq!((taken(&database).await, refunded(&customer).await), ((2, 1), 401));
        assert_eq!(customer.purchases().await[0].prices.unwrap().dearer_units, 2);
        let third = customer.send_back(&[(0, 3)]).await;
        assert_eq!((taken(&database).await, refunded(&customer).await), ((5, 3), 1_003));
        customer.cancel(second.id).await.unwrap();
        customer.cancel(third.id).await.unwrap();
        assert_eq!((taken(&database).await, refunded(&customer).await), ((0, 0), 0));
    }

    async fn the_outbound_shipping_is_refunded_at_most_once(database: Database) {
        let shop = Shop::open(&database).await;
        let rng = &mut Seed::of_this_run().rng(0);
        for number in 0..6 {
            let mut order = shop.order(&format!("{number}"), &[(2, 999), (1, 500), (3, 100)]);
            order.shipping_paid = 495;
            shop.import(vec![order]).await;
            let customer = shop.customer(&format!("{number}")).await;
            return_everything(&customer, rng).await;
            let orders = customer.return_orders().await;
            let counting = orders.iter().filter(|order| order.status != ReturnOrderStatus::Cancelled);
            let back: i64 = counting.map(|order| order.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund)).sum();
            assert_eq!(back, 495, "everything came back");
        }
        assert_eq!(database.number("SELECT CAST(SUM(shipping_returned) AS BIGINT) FROM orders").await, 6 * 495);
    }

    async fn a_draft_shows_the_figures_of_the_return_it_becomes(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000), (7, 999), (1, 0)]).await;
        let draft = fresh(customer.try_draft(customer.choose(&[(1, 5), (0, 2), (2, 1)]).await, None).await.unwrap(), 201);
        let order = fresh(customer.submit(draft.id).await.unwrap(), 201);
        assert_eq!(order.costs, draft.costs);
        let items: i64 = customer.return_orders().await[0].return_requests.as_ref().unwrap().iter().map(|one| one.purchase_price.unwrap().minor).sum();
        assert_eq!(items, draft.costs.breakdown().unwrap().total(LineKind::ItemRefund));
        assert_eq!(items, 667 + 715);
        let lines: i64 = draft.costs.breakdown().unwrap().lines.iter().map(|line| line.amount.minor).sum();
        let costs = draft.costs.breakdown().unwrap();
        assert_eq!(lines, costs.estimated_refund.minor + costs.estimated_credit.minor - costs.payable_now.minor);
    }
}

fn price(rng: &mut Rng) -> i64 {
    let bound = [2, 10, 100_000][rng.usize(..3)];
    rng.i64(0..bound)
}
