//! Random lives of returns from a seed: parcels arrive short or late, requests are refused, cancelled or resolved by hand. In
//! every case the refunds equal what was paid for the accepted units, and the outbound shipping is refunded once.

use crate::{
    progress::{because, to},
    seed::Seed,
    shop::{Customer, Shop, fresh, select},
};
use domain::{
    Currency, Money, Percent, ReturnRequestId, Translated,
    costs::{CostBreakdown, LineKind},
    money::Prices,
    order::OrderSums,
    policy::{Policy, Resolution, ResolveOn, reason::Fault},
    stage::{StageGroup, StageName as N},
};
use fastrand::Rng;
use returns::{Done, NewReturnReason, view};
use std::collections::BTreeMap;
use store::testing::Database;

const SHIPPING: i64 = 1_200;

/// An order that is returned in portions, and its refunds so far.
struct Life {
    shop: Shop,
    customer: Customer,
    lines: Vec<(u32, i64)>,
    rng: Rng,
    is_easy: bool,
    /// What was paid and not refunded by the shop, where the shop reports it.
    left: Option<i64>,
    /// The value of each request at its approval, which never changes.
    fixed: BTreeMap<ReturnRequestId, i64>,
}

impl Life {
    async fn begin(database: &Database, number: u64, mut rng: Rng) -> Self {
        let currency = ["EUR", "JPY", "KWD"][usize::try_from(number % 3).unwrap()];
        let fee = Money::new(250, Currency::from_code(currency).unwrap());
        let policy = Policy {
            resolutions: vec![Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange],
            request_fee: Prices::new([fee]).unwrap(),
            resolve_on: [ResolveOn::Receipt, ResolveOn::Inspection, ResolveOn::Submission][rng.usize(..3)],
            auto_resolve: rng.bool(),
            ..Policy::default()
        };
        let shop = Shop::open_with(database, &format!("life-{number}"), currency, policy).await;
        for restocking in [1_500, 10_000] {
            fresh(shop.retour.merchant(&shop.staff).create_return_reason(reason(restocking), None).await.unwrap(), 201);
        }
        let lines: Vec<(u32, i64)> = (0..=rng.u32(..3)).map(|_| (rng.u32(1..=5), rng.i64(0..3_000))).collect();
        let mut order = shop.order("1001", &lines);
        order.shipping_paid = SHIPPING;
        let paid: i64 = lines.iter().map(|(_, total)| total).sum::<i64>() + SHIPPING;
        // The shop refunded part of some orders itself; some orders were never paid.
        let left = number.is_multiple_of(4).then(|| [0, paid / 3, paid][rng.usize(..3)]);
        if let Some(left) = left {
            order.sums = OrderSums { paid: Some(paid), refunded: paid - left };
        }
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        Self { shop, customer, lines, rng, is_easy: number.is_multiple_of(2), left, fixed: BTreeMap::new() }
    }

    /// Returns some of the remaining units; `false` when none remain.
    async fn send_back(&mut self) -> bool {
        let purchases = self.customer.purchases().await;
        let mut chosen = Vec::new();
        for purchase in purchases.iter().filter(|purchase| purchase.returnable_quantity > 0) {
            if self.rng.u32(..3) > 0 {
                let reason = &purchase.return_reasons[self.rng.usize(..purchase.return_reasons.len())];
                let resolution = reason.resolutions[self.rng.usize(..reason.resolutions.len())];
                let units = self.rng.u32(1..=purchase.returnable_quantity);
                chosen.push(returns::Selection {
                    return_reason_id: Some(reason.id),
                    resolution,
                    ..select(purchase, units)
                });
            }
        }
        if chosen.is_empty() {
            return purchases.iter().any(|purchase| purchase.returnable_quantity > 0);
        }
        let draft = fresh(self.customer.try_draft(chosen, None).await.unwrap(), 201);
        fresh(self.customer.submit(draft.id).await.unwrap(), 201);
        if self.left.is_some() {
            for request in self.customer.return_orders().await.remove(0).return_requests.unwrap() {
                drop(self.shop.update(request.id, to(N::RequestedApproved)).await);
            }
        }
        true
    }

    /// A random event happens to a request, if it can.
    async fn random_event(&mut self, request: &view::ReturnRequestView) {
        let (id, units) = (request.id, self.rng.u32(1..=request.quantity));
        // Many events are refused at that moment. In easy lives no units are refused.
        let event = if self.is_easy { [0, 1, 5, 7, 8, 10][self.rng.usize(..6)] } else { self.rng.u8(..12) };
        match event {
            0..4 => drop(self.shop.try_receive(id, units, None).await),
            4 => drop(self.shop.update(id, because(N::ResolutionPending, "Lost")).await),
            5 => drop(self.shop.record_inspection(id, request.received_quantity, 0).await),
            6 => {
                let refused = units.min(request.received_quantity);
                drop(self.shop.record_inspection(id, request.received_quantity - refused, refused).await);
            }
            7 => drop(self.shop.update(id, to(N::ResolutionApproved)).await),
            8 => drop(self.shop.update(id, to(N::ResolutionCompleted)).await),
            9 => drop(self.shop.update(id, because(N::ResolutionDenied, "Worn")).await),
            10 => drop(self.customer.cancel(request.return_order_id).await),
            _ => drop(self.shop.update(id, to(N::ClosedCancelled)).await),
        }
    }

    /// Brings a request to its end: missing units arrive, and staff approve it.
    async fn settle(&mut self, request: &view::ReturnRequestView) {
        let mut received = request.received_quantity;
        if request.stage.group() != StageGroup::Closed
            && let Ok(Done::Fresh { value, .. }) = self.shop.try_receive(request.id, request.quantity, None).await
        {
            received = value.received_quantity; // fewer than requested if another return has taken some
        }
        let refused = if self.is_easy { 0 } else { self.rng.u32(1..=request.quantity).min(received) };
        drop(self.shop.record_inspection(request.id, received - refused, refused).await);
        drop(self.shop.update(request.id, because(N::ResolutionPending, "Lost")).await);
        drop(self.shop.update(request.id, to(N::ResolutionApproved)).await);
        drop(self.shop.update(request.id, because(N::ResolutionDenied, "Nothing was accepted")).await);
    }

    /// Checks what must hold at any moment, and returns the current requests.
    async fn check(&mut self) -> Vec<view::ReturnRequestView> {
        let mut all = Vec::new();
        let mut sums = Sums::default();
        for order in self.customer.return_orders().await {
            let (costs, requests) = (order.costs.breakdown().unwrap().clone(), order.return_requests.unwrap());
            let lines: i64 = costs.lines.iter().map(|line| line.amount.minor).sum();
            assert_eq!(lines, costs.estimated_refund.minor + costs.estimated_credit.minor - costs.payable_now.minor);
            for request in &requests {
                let value = request.resolution.value.unwrap().minor;
                assert!(value >= 0, "{request:?}");
                if is_approved(request.stage) {
                    assert_eq!(
                        *self.fixed.entry(request.id).or_insert(value),
                        value,
                        "an approved value changed: {request:?}"
                    );
                    assert_eq!(value, costs.value_of(request.purchase_id, true));
                    sums.count(&costs, request);
                }
            }
            sums.promised += costs.total(LineKind::OutboundShippingRefund);
            sums.given += requests
                .iter()
                .filter(|one| is_approved(one.stage))
                .map(|one| costs.claim_of(one.purchase_id).total())
                .sum::<i64>();
            all.extend(requests);
        }
        let bought: u32 = self.lines.iter().map(|(units, _)| units).sum();
        let paid: i64 = self.lines.iter().map(|(_, total)| total).sum();
        assert!(sums.promised <= SHIPPING, "shipping promised twice: {sums:?}");
        assert!(
            self.left.is_none_or(|left| sums.given <= left),
            "refunded more than was left: {sums:?} {:?}",
            self.left
        );
        if sums.units == bought {
            assert_eq!((sums.items, sums.shipping), (paid, SHIPPING), "all of the order came back");
        } else {
            assert!(
                sums.units < bought && sums.items <= paid && sums.shipping == 0,
                "part of the order stays: {sums:?}"
            );
        }
        all
    }
}

/// Sums of the approved requests, in minor units, and the shipping that is promised.
#[derive(Debug, Default)]
struct Sums {
    units: u32,
    items: i64,
    shipping: i64,
    promised: i64,
    given: i64,
}

impl Sums {
    fn count(&mut self, costs: &CostBreakdown, request: &view::ReturnRequestView) {
        for line in costs.lines.iter().filter(|line| line.purchase_id == request.purchase_id) {
            match line.kind {
                LineKind::ItemRefund => {
                    self.units += line.quantity.unwrap();
                    self.items += line.amount.minor;
                }
                LineKind::OutboundShippingRefund => self.shipping += line.amount.minor,
                _ => {}
            }
        }
    }
}

fn is_approved(stage: N) -> bool {
    stage.group() == StageGroup::Resolution && !matches!(stage, N::ResolutionPending | N::ResolutionDenied)
}

/// A return reason with this restocking fee.
fn reason(restocking: u32) -> NewReturnReason {
    NewReturnReason {
        description: Translated::en("Changed my mind"),
        parent_id: None,
        position: None,
        evidence: None,
        review: false,
        fault: Some(Fault::Consumer),
        restocking_fee_percent: Percent::from_hundredths(restocking).unwrap(),
        allowed_resolutions: Vec::new(),
        questions: Vec::new(),
    }
}

store::on_each_database! {
    async fn refunds_equal_what_was_paid_whatever_happens_to_returns(database: Database) {
        let (mut complete, mut refused, mut before) = (0, 0, 0);
        let seed = Seed::of_this_run();
        let mut number = 0;
        // Sixteen lives, and more if the seed produces too few of one kind.
        while number < 16 || complete < 3 || refused < 3 {
            assert!(number < 200, "lives of one kind are missing: {complete} {refused}");
            println!("life {number}");
            let mut life = Life::begin(&database, number, seed.rng(number)).await;
            for _ in 0..3 {
                life.send_back().await;
                for _ in 0..12 {
                    let all = life.check().await;
                    if !all.is_empty() {
                        let place = life.rng.usize(..all.len());
                        life.random_event(&all[place]).await;
                    }
                }
            }
            // At the end everything left is returned, and everything on its way arrives and is accepted.
            while life.send_back().await {}
            for request in life.check().await {
                life.settle(&request).await;
            }
            let all = life.check().await;
            let left: Vec<_> =
                all.iter().filter(|request| !is_approved(request.stage) && !request.stage.is_end()).collect();
            assert!(left.is_empty(), "requests without an end: {left:?}");
            refused += all.iter().filter(|request| request.stage == N::ResolutionDenied).count();
            let bought: u32 = life.lines.iter().map(|(units, _)| units).sum();
            let accepted = database.number("SELECT CAST(SUM(accepted) AS BIGINT) FROM purchases").await - before;
            before += accepted;
            complete += usize::from(accepted == i64::from(bought));
            number += 1;
        }
    }
}
