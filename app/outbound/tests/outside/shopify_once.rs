//! Whatever is lost on the way, no money leaves twice.

use crate::{
    seed::Seed,
    support::{
        PATIENCE,
        bridge::now,
        shopify::{Shop, settle, shared},
    },
};
use domain::policy;
use outbound::bridge::{Resolved, contract::ResolveReturn};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

/// How many orders are refunded with random failures.
const RUNS: usize = 220;
/// How many of them run at a time.
const LANES: usize = 20;
/// The calls of one resolution, after which it has ended: Retour repeats a call for days.
const MAX_CALLS: usize = 40;
/// The time between two calls: all calls together take longer than a slow operation.
const BETWEEN: Duration = Duration::from_millis(10);
const FAILURES: [&str; 7] = ["before", "before-close", "after", "after-close", "throttled", "429", "slow"];
/// How long a slow operation takes before its effect, and the most time until the process dies, in milliseconds.
const SLOW: u64 = 120;

/// Four mugs, of which one comes back: the shop itself would allow four equal refunds.
fn mugs() -> Value {
    json!({"lines": [{"title": "Mug", "quantity": 4, "price": "20.00"}]})
}

#[tokio::test]
async fn each_lost_answer_leads_to_one_refund() {
    let shop = shared();
    for (number, (operation, how, is_paid)) in [
        ("refundCreate", "before", false),
        ("refundCreate", "before-close", false),
        ("refundCreate", "after", true),
        ("refundCreate", "after-close", true),
        ("metafieldsSet", "before", false),
        ("metafieldsSet", "after-close", false),
    ]
    .into_iter()
    .enumerate()
    {
        let bought = shop.bought(mugs()).await;
        let what = bought.refund(2_001 + number as u128, 1, 2000);
        shop.control("fail", json!({"operation": operation, "how": how, "order": bought.order_id})).await;
        let pending = settle(&shop.shopify(), &what).await;
        assert_eq!(pending, Ok(Resolved::Pending { external_reference: None }), "{operation} {how}");
        assert_eq!(shop.ledger(&bought.order_id).await.len(), usize::from(is_paid), "{operation} {how}");
        for _ in 0..2 {
            let done = settle(&shop.shopify(), &what).await;
            assert!(matches!(done, Ok(Resolved::Completed { .. })), "{operation} {how}: {done:?}");
            assert_eq!(shop.ledger(&bought.order_id).await.len(), 1, "{operation} {how}");
        }
    }
}

#[tokio::test]
async fn a_repeated_request_is_equal_although_the_order_has_changed() {
    let shop = shared();
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00"}, {"title": "Plate", "quantity": 1, "price": "9.00"}],
        "payments": [{"gateway": "gift_card", "amount": "15.00"}, {"gateway": "paypal"}],
    });
    let bought = shop.bought(order).await;
    let what = bought.refund(2_011, 1, 2000);
    let lost = json!({"operation": "refundCreate", "how": "before", "order": bought.order_id});
    shop.control("fail", lost).await;
    assert!(matches!(settle(&shop.shopify(), &what).await, Ok(Resolved::Pending { .. })));
    // Then staff refund the plate to the gift card, so that another plan would fit the order now.
    let by_hand = json!({"order": bought.order_id, "amount": "9.00", "gateway": "gift_card", "lines": [{"line": 1, "quantity": 1}]});
    shop.control("refund", by_hand).await;
    let refused = settle(&shop.shopify(), &what).await;
    let Ok(Resolved::Failed { reason, .. }) = refused else { panic!("the gift card has too little left: {refused:?}") };
    assert!(reason.starts_with("Shopify refused the refund"), "{reason}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1, "only what staff refunded");
    // A person tries again: the plan now fits.
    let done = settle(&shop.shopify(), &what).await;
    assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    let ours: Vec<String> =
        shop.paid_out(&bought.order_id).await.into_iter().skip(1).map(|(_, amount)| amount).collect();
    assert_eq!(ours, ["6.00", "14.00"]);
}

#[tokio::test]
async fn a_slow_refund_is_pending_and_not_repeated() {
    let shop = shared();
    let bought = shop.bought(mugs()).await;
    let what = bought.refund(2_021, 1, 2000);
    let slow = json!({"operation": "refundCreate", "how": "slow", "ms": 8_000, "order": bought.order_id});
    shop.control("fail", slow).await;
    let impatient = shop.shopify().with_timeout(Duration::from_secs(5));
    assert_eq!(settle(&impatient, &what).await, Ok(Resolved::Pending { external_reference: None }));
    // The shop is still working on it, and refuses a second request with the same key.
    let pending = Ok(Resolved::Pending { external_reference: None });
    let mut answers = vec![settle(&shop.shopify(), &what).await];
    while answers.last() == Some(&pending) {
        sleep(Duration::from_millis(500)).await;
        answers.push(settle(&shop.shopify(), &what).await);
    }
    assert!(matches!(answers.last(), Some(Ok(Resolved::Completed { .. }))), "{answers:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn an_attempt_that_shopify_has_forgotten_needs_a_person() {
    let shop = shared();
    let bought = shop.bought(mugs()).await;
    let what = bought.refund(2_031, 1, 2000);
    shop.control("fail", json!({"operation": "refundCreate", "how": "before", "order": bought.order_id})).await;
    assert!(matches!(settle(&shop.shopify(), &what).await, Ok(Resolved::Pending { .. })));
    let a_day_later = now().plus_hours(24);
    let unclear = shop.shopify().resolve_return(&what, a_day_later).await;
    let Ok(Resolved::Unclear { external_reference: None, reason }) = unclear else { panic!("{unclear:?}") };
    assert!(reason.starts_with("A refund of 20.00 EUR was started, but the shop shows no such refund"), "{reason}");
    assert!(shop.ledger(&bought.order_id).await.is_empty());
    // A person has looked, and tries again.
    let done = shop.shopify().resolve_return(&what, a_day_later).await;
    assert!(matches!(done, Ok(Resolved::Completed { .. })), "{done:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
}

/// One resolution with random failures of its operations and random deaths of the process, repeated until it ends, as Retour
/// does.
async fn survives(shop: &Shop, number: usize, random: &mut fastrand::Rng) {
    let bought = shop.bought(mugs()).await;
    let kind = if random.u8(..4) == 0 { policy::Resolution::StoreCredit } else { policy::Resolution::Refund };
    let what = ResolveReturn { kind, ..bought.refund(3_000 + number as u128, 1, 1500) };
    for _ in 0..random.usize(1..5) {
        let operation = ["refundCreate", "metafieldsSet", "State"][random.usize(..3)];
        let how = FAILURES[random.usize(..FAILURES.len())];
        let fail = json!({"operation": operation, "how": how, "ms": SLOW, "order": bought.order_id});
        shop.control("fail", fail).await;
    }
    for call in 0..MAX_CALLS {
        let shopify = shop.shopify();
        // Some calls end with the process, and the shop may still be working on their last request.
        let dies_after = if random.u8(..3) == 0 { Duration::from_millis(random.u64(..SLOW)) } else { PATIENCE };
        let answer = timeout(dies_after, settle(&shopify, &what)).await;
        let paid = shop.ledger(&bought.order_id).await;
        assert!(paid.len() <= 1, "run {number}: paid twice: {paid:?}");
        match answer {
            Ok(Ok(Resolved::Completed { .. })) => {
                assert_eq!((paid.len(), &paid[0]["amount"]), (1, &json!("15.00")), "run {number}: {paid:?}");
                return;
            }
            Ok(Ok(Resolved::Pending { .. }) | Err(_)) | Err(_) => sleep(BETWEEN).await,
            other => panic!("run {number}, call {call}: {other:?}"),
        }
    }
    panic!("run {number} did not end");
}

#[tokio::test]
async fn no_money_leaves_twice_with_random_failures() {
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
    assert_eq!(shop.read("ledger").await.as_array().unwrap().len(), RUNS, "each order was paid once");
}
