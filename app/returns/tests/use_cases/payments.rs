//! Payments of returns: requested, settled once, refunded when the return is cancelled or expires.

use crate::{
    bridges::change_account,
    progress::to,
    seed::Seed,
    shop::{Customer, NOW, Shop, fields, fresh, refusal, taken},
};
use domain::{
    ReturnOrderId,
    payment::{PaymentKind, PaymentState, PaymentStatus},
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::StageName as N,
};
use fastrand::Rng;
use returns::{ErrorCode, view};
use serde_json::{Value, json};
use store::testing::Database;

const PRICE: i64 = 495;

/// A shop that charges return shipping up front, with simulated payments.
async fn shop(database: &Database) -> Shop {
    let mut shop = charge_shipping_up_front(Shop::open(database).await).await;
    shop.retour = shop.retour.clone().configured(|config| config.simulates_payments = true);
    change_account(&shop, json!({"payment": {"kind": "simulated"}})).await.unwrap();
    shop.account = shop.retour.account("fjord-fern").await.unwrap();
    shop
}

/// Makes return shipping cost 4.95, paid up front.
pub async fn charge_shipping_up_front(shop: Shop) -> Shop {
    let prices = json!([{"value": "4.95", "currency": "EUR"}]);
    let option = json!({"name": {"en": "Post"}, "method": "Label", "prices": prices});
    let old = shop
        .retour
        .merchant(&shop.staff)
        .shipping_options(&returns::Listing::newest(crate::shop::ALL))
        .await
        .unwrap()
        .data;
    for old in old {
        shop.retour.merchant(&shop.staff).delete_shipping_option(old.id).await.unwrap();
    }
    shop.retour.merchant(&shop.staff).create_shipping_option(crate::shop::sent(option), None).await.unwrap();
    change_account(&shop, json!({"policy": {"feeCollection": "prepay"}})).await.unwrap();
    shop
}

pub async fn unpaid_return(shop: &Shop) -> (Customer, ReturnOrderId) {
    let customer = shop.sell("1001", &[(1, 4_000)]).await;
    let order = customer.send_back(&[(0, 1)]).await.id;
    (customer, order)
}

async fn pay(shop: &Shop, order: ReturnOrderId) {
    shop.retour.pay_simulated(shop.account.id, order).await.unwrap();
}

pub fn statuses(order: &view::ReturnOrderView) -> (ReturnOrderStatus, PaymentStatus, Vec<N>) {
    let stages = order.return_requests.iter().flatten().map(|request| request.stage).collect();
    (order.status, order.payment_status, stages)
}

pub fn minor(order: &view::ReturnOrderView) -> (PaymentState, i64, i64) {
    let payment = order.payment.clone().unwrap();
    (payment.status, payment.amount.minor, payment.refunded.minor)
}

store::on_each_database! {
    async fn a_fee_is_paid_before_there_is_a_label(database: Database) {
        let shop = shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        let waiting = shop.whole(order).await;
        assert_eq!(statuses(&waiting), (ReturnOrderStatus::AwaitingPayment, PaymentStatus::Pending, vec![N::SubmittedPaymentPending]));
        assert_eq!(waiting.shipments.as_ref().map(Vec::len), Some(0));
        let payment = waiting.payment.clone().unwrap();
        assert_eq!((payment.kind, payment.amount.minor, payment.due_at), (PaymentKind::Simulated, PRICE, NOW.plus_hours(48)));
        assert_eq!(payment.checkout_url, Some(format!("/fjord-fern/pay/{order}")));
        assert_eq!(waiting.costs.breakdown().unwrap().payable_now.minor, PRICE);
        pay(&shop, order).await;
        pay(&shop, order).await;
        let paid = shop.whole(order).await;
        assert_eq!(statuses(&paid), (ReturnOrderStatus::Open, PaymentStatus::Paid, vec![N::SubmittedReady]));
        assert_eq!((minor(&paid), paid.payment.clone().unwrap().checkout_url), ((PaymentState::Paid, PRICE, 0), None));
        let parcels = paid.shipments.unwrap();
        assert_eq!((parcels.len(), parcels[0].status), (1, ShipmentStatus::LabelCreated));
        let kinds = database.texts("SELECT type FROM events WHERE type NOT LIKE 'return_request%' ORDER BY seq").await;
        assert_eq!(kinds, ["return_order.created", "return_order.confirmed", "shipment.label_created"]);
    }

    async fn cancelling_refunds_the_fee(database: Database) {
        let shop = shop(&database).await;
        let (customer, order) = unpaid_return(&shop).await;
        pay(&shop, order).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        let over = shop.whole(order).await;
        assert_eq!(statuses(&over), (ReturnOrderStatus::Cancelled, PaymentStatus::Refunded, vec![N::ClosedCancelled]));
        assert_eq!(minor(&over), (PaymentState::Paid, PRICE, PRICE));
        pay(&shop, order).await;
        assert_eq!(minor(&shop.whole(order).await), (PaymentState::Paid, PRICE, PRICE));
    }

    async fn money_that_arrives_after_the_cancellation_is_refunded(database: Database) {
        let shop = shop(&database).await;
        let (customer, order) = unpaid_return(&shop).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Expired);
        pay(&shop, order).await;
        let late = shop.whole(order).await;
        assert_eq!(statuses(&late), (ReturnOrderStatus::Cancelled, PaymentStatus::Refunded, vec![N::ClosedCancelled]));
        assert_eq!(late.shipments.map(|parcels| parcels.len()), Some(0));
    }

    async fn an_unpaid_return_expires_and_frees_its_units(database: Database) {
        let shop = shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        shop.source.set(NOW.plus_hours(48));
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        let over = shop.whole(order).await;
        assert_eq!(statuses(&over), (ReturnOrderStatus::Expired, PaymentStatus::Expired, vec![N::ClosedExpired]));
        assert_eq!(taken(&database).await.0, 0);
    }

    async fn a_completed_return_keeps_the_fee(database: Database) {
        let shop = shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        pay(&shop, order).await;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        fresh(shop.try_receive(id, 1, None).await.unwrap(), 200);
        fresh(shop.update(id, to(N::ResolutionCompleted)).await.unwrap(), 200);
        let done = shop.whole(order).await;
        assert_eq!((done.status, minor(&done)), (ReturnOrderStatus::Completed, (PaymentState::Paid, PRICE, 0)));
        assert_eq!(done.return_requests.unwrap()[0].resolution.value.unwrap().minor, 4_000, "the full price, as shipping was paid up front");
    }

    async fn without_a_payment_provider_no_fee_is_requested(database: Database) {
        let shop = shop(&database).await;
        change_account(&shop, json!({"payment": {"kind": "none"}})).await.unwrap();
        let (_, order) = unpaid_return(&shop).await;
        let free = shop.whole(order).await;
        assert_eq!(statuses(&free), (ReturnOrderStatus::Open, PaymentStatus::NotRequired, vec![N::SubmittedReady]));
        assert_eq!((free.payment.is_none(), free.costs.breakdown().unwrap().payable_now.minor), (true, 0));
        let not_found = shop.retour.pay_simulated(shop.account.id, order).await;
        assert_eq!(refusal(not_found), ErrorCode::NotFound);
    }

    async fn payments_are_simulated_only_where_the_operator_allows_it(database: Database) {
        let shop = Shop::open(&database).await;
        let wanted: Value = json!({"payment": {"kind": "simulated"}});
        assert_eq!(fields(change_account(&shop, wanted).await), ["payment.kind"]);
        let simulating = simulate_payments(shop).await;
        assert_eq!(simulating.retour.operator().accounts_that_simulate_payments().await.unwrap(), ["fjord-fern"]);
    }
}

/// The default number of interleavings; `PAYMENTS=10000` sets more.
const FEW: usize = 60;

/// An event in the life of a return; events come in any order.
#[derive(Debug, Clone, Copy)]
enum RandomEvent {
    Notice,
    Cancel,
    TimePasses,
    Arrives,
    Settled,
}

impl RandomEvent {
    fn any(rng: &mut Rng) -> Self {
        match rng.u8(..7) {
            0..=2 => Self::Notice,
            3 => Self::Cancel,
            4 => Self::TimePasses,
            5 => Self::Arrives,
            _ => Self::Settled,
        }
    }

    /// Applies the event. A refusal is a valid result.
    async fn apply(self, shop: &Shop, customer: &Customer, order: ReturnOrderId) {
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        match self {
            Self::Notice => pay(shop, order).await,
            Self::Cancel => drop(customer.cancel(order).await),
            Self::TimePasses => {
                shop.source.set(shop.source.now().plus_hours(48));
                workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            }
            Self::Arrives => drop(shop.try_receive(request, 1, None).await),
            Self::Settled => drop(shop.update(request, to(N::ResolutionCompleted)).await),
        }
    }
}

/// A label requires payment; a paid fee belongs to an open return or is refunded; the cost lines add up.
async fn check(shop: &Shop, order: ReturnOrderId, happened: &[RandomEvent]) {
    let whole = shop.whole(order).await;
    let payment = whole.payment.clone().unwrap();
    let (status, refunded) = (payment.status, payment.refunded.minor);
    let was_paid = happened.iter().any(|one| matches!(one, RandomEvent::Notice));
    assert_eq!(status == PaymentState::Paid, was_paid, "{happened:?}");
    let has_label = whole.shipments.unwrap().iter().any(|parcel| parcel.status == ShipmentStatus::LabelCreated);
    assert!(!has_label || (status == PaymentState::Paid && refunded == 0), "a label without payment: {happened:?}");
    let is_lost = matches!(whole.status, ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired);
    assert!(!(was_paid && is_lost) || refunded == PRICE, "a lost return keeps the fee: {happened:?}");
    assert!(refunded == 0 || refunded == PRICE, "{happened:?}");
    let costs = whole.costs.breakdown().unwrap();
    let lines: i64 = costs.lines.iter().map(|line| line.amount.minor).sum();
    assert_eq!(
        lines,
        costs.estimated_refund.minor + costs.estimated_credit.minor - costs.payable_now.minor,
        "{happened:?}"
    );
}

store::on_each_database! {
    async fn money_is_kept_for_an_open_return_or_refunded_in_any_order_of_events(database: Database) {
        let many = std::env::var("PAYMENTS").map_or(FEW, |many| many.parse().unwrap());
        let shop = shop(&database).await;
        let mut rng = Seed::of_this_run().rng(0);
        for number in 0..many {
            shop.source.set(NOW);
            let customer = shop.sell(&format!("9{number}"), &[(1, 4_000)]).await;
            let order = customer.send_back(&[(0, 1)]).await.id;
            let mut happened = Vec::new();
            for _ in 0..=rng.u32(..5) {
                let one = RandomEvent::any(&mut rng);
                // Sometimes two instances apply the event at the same time.
                if rng.u32(..3) == 0 {
                    tokio::join!(one.apply(&shop, &customer, order), one.apply(&shop, &customer, order));
                } else {
                    one.apply(&shop, &customer, order).await;
                }
                happened.push(one);
                check(&shop, order, &happened).await;
            }
        }
    }
}

async fn simulate_payments(shop: Shop) -> Shop {
    let retour = shop.retour.clone().configured(|config| config.simulates_payments = true);
    let shop = Shop { retour, ..shop };
    change_account(&shop, json!({"payment": {"kind": "simulated"}})).await.unwrap();
    shop
}
