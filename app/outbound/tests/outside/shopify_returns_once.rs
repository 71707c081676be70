//! Whatever is lost on the way, Shopify gets one return, one parcel and one refund or exchange.

use crate::{
    seed::Seed,
    support::{
        PATIENCE,
        bought::Bought,
        mirror::Mirror,
        shopify::{Shop, shared},
    },
};
use domain::policy;
use outbound::{
    bridge::{Resolved, contract::ResolveReturn},
    shops::shopify::{MirroredDecision, MirroredUnits, ReturnStatus},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

/// How many returns live with random failures.
const RUNS: usize = 220;
/// How many of them at a time.
const LANES: usize = 44;
/// The most turns of one part of a return's life.
const MAX_TURNS: usize = 60;
const FAILURES: [&str; 7] = ["before", "before-close", "after", "after-close", "throttled", "429", "slow"];
const OPERATIONS: [&str; 15] = [
    "returnRequest",
    "returnCreate",
    "returnApproveRequest",
    "reverseDeliveryCreateWithShipping",
    "reverseFulfillmentOrderDispose",
    "removeFromReturn",
    "returnProcess",
    "returnClose",
    "metafieldsSet",
    "Return",
    "Returns",
    "State",
    "Exchangeable",
    "Variants",
    "ExchangeOutcome",
];
/// How long a slow operation takes before its effect, and the most time until the process dies, in milliseconds.
const SLOW: u64 = 100;

/// What staff do in the shop before the refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByHand {
    Nothing,
    /// They refund an amount without units.
    Gift,
    /// They refund most units, so that too few are left.
    Units,
    /// They process the return.
    Return,
}

struct Life<'a> {
    shop: &'a Shop,
    bought: Bought,
    mirror: Mirror,
    what: ResolveReturn,
    random: &'a mut fastrand::Rng,
    name: String,
}

impl Life<'_> {
    /// How long the process lives.
    fn lives_for(&mut self) -> Duration {
        if self.random.u8(..3) == 0 { Duration::from_millis(self.random.u64(..SLOW)) } else { PATIENCE }
    }

    /// Some operations of this run fail.
    async fn plan_failures(&mut self, most: usize) {
        for _ in 0..self.random.usize(..=most) {
            let operation = OPERATIONS[self.random.usize(..OPERATIONS.len())];
            let how = FAILURES[self.random.usize(..FAILURES.len())];
            // These name neither the order nor the return's number, so any run meets them.
            let of = match operation {
                "returnCreate" | "returnRequest" | "metafieldsSet" | "State" | "Returns" => Some(&self.bought.order_id),
                "returnProcess" => Some(&self.mirror.asked.return_order_number),
                _ => None,
            };
            self.shop.control("fail", json!({"operation": operation, "how": how, "ms": SLOW, "order": of})).await;
        }
    }

    /// Requests that may still be running end, and the clock moves on accordingly.
    async fn let_end(&mut self) {
        sleep(Duration::from_millis(4 * SLOW)).await;
        self.shop.read("subscriptions").await;
        self.mirror.wait();
    }

    /// Turns of the worker until both agree.
    async fn agree(&mut self) {
        for _ in 0..MAX_TURNS {
            let (shopify, lives_for) = (self.shop.shopify(), self.lives_for());
            let answer = timeout(lives_for, self.mirror.turn(&shopify)).await;
            self.check_once().await;
            match answer {
                Ok(Ok(true)) => return,
                // It looks again at once, or later.
                Ok(Ok(false) | Err(_)) | Err(_) if self.random.bool() => self.let_end().await,
                Ok(Ok(false) | Err(_)) | Err(_) => {}
            }
        }
        panic!("{}: no end", self.name);
    }

    /// Refunds until it ends.
    async fn refund(&mut self) -> Resolved {
        let id = self.mirror.asked.external_id.clone().unwrap();
        for _ in 0..MAX_TURNS {
            let (shopify, lives_for) = (self.shop.shopify(), self.lives_for());
            let call = shopify.resolve_mirrored_return(&self.what, &id, self.mirror.now);
            let answer = timeout(lives_for, call).await;
            self.check_once().await;
            match answer {
                Ok(Ok(Resolved::Pending { .. }) | Err(_)) | Err(_) => {}
                Ok(Ok(end)) => return end,
            }
            if self.random.bool() {
                self.let_end().await;
            }
        }
        panic!("{}: no end of the refund", self.name);
    }

    async fn check_once(&self) {
        let order = self.shop.read(&format!("order?id={}", self.bought.order_id)).await;
        let returns = order["returns"].as_array().unwrap().len();
        assert!(returns <= 1, "{}: {returns} returns", self.name);
        let paid = self.paid("30.00").await;
        assert!(paid <= 1, "{}: paid {paid} times", self.name);
        let sent = self.sent().await;
        assert!(sent <= 2, "{}: sent {sent}", self.name);
    }

    /// How many units were sent in exchange.
    async fn sent(&self) -> u64 {
        let order = self.shop.read(&format!("order?id={}", self.bought.order_id)).await;
        let lines = order["lines"].as_array().unwrap().iter().skip(1);
        lines.map(|line| line["quantity"].as_u64().unwrap()).sum()
    }

    fn is_exchange(&self) -> bool {
        self.what.kind == policy::Resolution::Exchange
    }

    async fn paid(&self, amount: &str) -> usize {
        let ledger = self.shop.ledger(&self.bought.order_id).await;
        ledger.iter().filter(|entry| entry["amount"] == amount).count()
    }

    async fn act_by_hand(&self, by_hand: ByHand) {
        let refund = match by_hand {
            ByHand::Nothing => return,
            ByHand::Gift => json!({"order": self.bought.order_id, "amount": "5.00"}),
            ByHand::Units => {
                json!({"order": self.bought.order_id, "amount": "45.00", "lines": [{"line": 0, "quantity": 3}]})
            }
            ByHand::Return => return self.process_by_hand().await,
        };
        self.shop.control("refund", refund).await;
    }

    async fn process_by_hand(&self) {
        let order = self.shop.read(&format!("order?id={}", self.bought.order_id)).await;
        let made = &self.shop.returns(&self.bought.order_id).await[0];
        let lines = made["returnLineItems"]["nodes"].as_array().unwrap().iter();
        let lines: Vec<Value> = lines.map(|line| json!({"id": line["id"], "quantity": line["quantity"]})).collect();
        let money = json!({"amount": "30.00", "currencyCode": "EUR"});
        let payments = json!([{"parentId": order["transactions"][0]["id"], "transactionAmount": money}]);
        let input = json!({
            "returnId": made["id"], "returnLineItems": lines,
            "financialTransfer": {"issueRefund": {"orderTransactions": payments}},
        });
        let mutation =
            "mutation ByStaff($input: ReturnProcessInput!) { returnProcess(input: $input) { userErrors { message } } }";
        let done = self.shop.staff(mutation, json!({"input": input})).await;
        assert_eq!(done["returnProcess"]["userErrors"], json!([]), "{}", self.name);
    }

    /// From the request to the refund.
    async fn live(&mut self, by_hand: ByHand) {
        if self.random.bool() {
            self.mirror.item().decision = MirroredDecision::Open;
            self.plan_failures(2).await;
            self.agree().await;
            self.mirror.item().decision = MirroredDecision::Approved;
        }
        self.plan_failures(3).await;
        self.agree().await;
        self.mirror.send(&format!("T-{}", self.name));
        self.plan_failures(2).await;
        self.agree().await;
        self.act_by_hand(by_hand).await;
        self.plan_failures(3).await;
        let end = self.refund().await;
        let is_settled = by_hand != ByHand::Units;
        match end {
            Resolved::Completed { .. } if is_settled => {}
            Resolved::Failed { reason, .. } if !is_settled && reason.contains("can still be refunded") => {}
            other => panic!("{}: {other:?}", self.name),
        }
        let is_paid = is_settled && !self.is_exchange();
        assert_eq!(self.paid("30.00").await, usize::from(is_paid), "{}", self.name);
        assert_eq!(self.sent().await, if is_settled && self.is_exchange() { 2 } else { 0 }, "{}", self.name);
        self.mirror.item().units = MirroredUnits { restocked: 1, not_restocked: 1, missing: 0 };
        self.mirror.item().is_over = true;
        self.plan_failures(2).await;
        self.agree().await;
        self.check_end().await;
    }

    async fn check_end(&self) {
        let returns = self.shop.returns(&self.bought.order_id).await;
        assert_eq!((returns.len(), &returns[0]["status"]), (1, &json!("CLOSED")), "{}", self.name);
        let list = |value: &Value| value.as_array().unwrap().clone();
        let places = list(&returns[0]["reverseFulfillmentOrders"]["nodes"]);
        let parcels: Vec<Value> = places.iter().flat_map(|place| list(&place["reverseDeliveries"]["nodes"])).collect();
        assert_eq!(parcels.len(), 1, "{}", self.name);
        let lines = places.iter().flat_map(|place| list(&place["lineItems"]["nodes"]));
        let disposed: Vec<Value> = lines.flat_map(|line| list(&line["dispositions"])).collect();
        let units = [json!({"type": "RESTOCKED", "quantity": 1}), json!({"type": "NOT_RESTOCKED", "quantity": 1})];
        assert_eq!(disposed, units, "{}", self.name);
    }
}

/// Four mugs, of which two come back: the shop itself would allow two equal returns, and two equal refunds.
async fn survives(shop: &Shop, number: usize, random: &mut fastrand::Rng) {
    let lines = json!([{"title": "Mug", "quantity": 4, "price": "20.00", "variants": [{"sku": "BLUE"}]}]);
    // Half of them were sent in two parcels, and so come back to two places.
    let sent = |quantity: u32| json!({"lines": [{"line": 0, "quantity": quantity}]});
    let parcels = if random.bool() { json!([sent(1), sent(3)]) } else { json!([sent(4)]) };
    let mugs: Value = json!({"lines": lines, "fulfillments": parcels});
    let bought = shop.bought(mugs).await;
    let name = format!("R-{number:08}");
    let mut by_hand =
        [ByHand::Nothing, ByHand::Nothing, ByHand::Gift, ByHand::Units, ByHand::Return][random.usize(..5)];
    let refund = bought.refund(7_000 + number as u128, 2, 3000);
    let mut what = ResolveReturn { return_order_number: name.clone(), ..refund };
    let mut mirror = Mirror::new(&bought, &name, 2);
    if random.u8(..3) == 0 {
        what.kind = policy::Resolution::Exchange;
        what.items[0].exchange_sku = Some("BLUE".to_owned());
        mirror.item().exchange_sku = Some("BLUE".to_owned());
        if by_hand == ByHand::Return {
            by_hand = ByHand::Nothing; // staff refund by it
        }
    }
    Life { shop, bought, mirror, what, random, name }.live(by_hand).await;
}

#[tokio::test]
async fn one_return_and_one_refund_with_random_failures() {
    let (shop, seed) = (Shop::start(), Seed::of_this_run());
    let shop = Arc::new(shop);
    let no_limit = json!({"available": 1_000_000, "maximum": 1_000_000, "restore": 1_000_000});
    shop.control("bucket", no_limit).await;
    // Several at a time, because throttled requests wait.
    let mut runs = JoinSet::new();
    for lane in 0..LANES {
        let shop = Arc::clone(&shop);
        runs.spawn(async move {
            for number in (lane..RUNS).step_by(LANES) {
                survives(&shop, number, &mut seed.rng(number as u64)).await;
            }
        });
    }
    while let Some(run) = runs.join_next().await {
        run.unwrap();
    }
}

/// A shopper who requests a return in Shopify can write our number into its note.
#[tokio::test]
async fn a_return_of_other_items_is_not_taken_for_ours_although_it_names_our_number() {
    let shop = shared();
    let lines = json!([{"title": "Mug", "price": "20.00"}, {"title": "Ring", "price": "900.00"}]);
    let bought = shop.bought(json!({"lines": lines})).await;
    let theirs = json!([{"line": 1, "quantity": 1, "note": "R-7K3M9Q2A: Too small"}]);
    let theirs = shop.control("return", json!({"order": bought.order_id, "lines": theirs})).await;
    let mut mirror = Mirror::new(&bought, "R-7K3M9Q2A", 1);
    assert_eq!(mirror.settle(&shop.shopify()).await, Some(ReturnStatus::Open));
    let ours = mirror.asked.external_id.take();
    assert!(ours.as_deref().is_some_and(|ours| theirs["id"] != *ours), "{ours:?}");
    // It is found again.
    mirror.settle(&shop.shopify()).await;
    assert_eq!(mirror.asked.external_id, ours);
    assert_eq!(shop.returns(&bought.order_id).await.len(), 2);
}
