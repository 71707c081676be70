//! Random interleavings of events around a payment on a provider's page, some of them simultaneous: a label requires payment,
//! a payment belongs to an open return or is refunded, and the cost lines always add up.

use crate::{
    payments_company::{Company, PaymentWorker, poll_payments},
    progress::to,
    seed::Seed,
    shop::{Customer, NOW, Shop},
};
use domain::{
    ReturnOrderId,
    payment::{PaymentKind, PaymentState},
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::StageName as N,
};
use fastrand::Rng;
use returns::Pays;
use store::testing::Database;

const PRICE: i64 = 495;
/// The default number of interleavings; `PAYMENTS=10000` sets more.
const FEW: usize = 40;

#[derive(Debug, Clone, Copy)]
enum RandomEvent {
    /// The shopper opens the page and pays.
    Pays,
    /// The shopper opens the page and leaves.
    Looks,
    ComesBack,
    Notice,
    /// The provider fails a call, or its answer is lost.
    Trouble(&'static str, &'static str),
    Cancels,
    /// This many minutes pass.
    TimePasses(i64),
    Arrives,
    Settled,
    /// A worker starts and is killed.
    WorkerDies,
}

impl RandomEvent {
    fn any(rng: &mut Rng) -> Self {
        match rng.u8(..18) {
            0..=3 => Self::Pays,
            4 => Self::Looks,
            5..=6 => Self::ComesBack,
            7 => Self::Notice,
            8 => Self::Trouble("open", "lose"),
            9 => Self::Trouble("refund", "lose"),
            10 => Self::Trouble(["look", "close", "refund"][rng.usize(..3)], "fail"),
            11 => Self::Trouble("refund", "refuse"),
            12 => Self::Cancels,
            13 => Self::TimePasses(90),
            14 => Self::TimePasses(48 * 60),
            15 => Self::Arrives,
            16 => Self::Settled,
            _ => Self::WorkerDies,
        }
    }

    /// Applies the event. A refusal is a valid result.
    async fn apply(self, company: &Company, (shop, customer): (&Shop, &Customer), order: ReturnOrderId) {
        let id = shop.account.id;
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        match self {
            Self::Pays => {
                if let Ok(Pays::There(page)) = shop.retour.pay(id, order, false).await {
                    company.control("pay", &page).await;
                }
            }
            Self::Looks => drop(shop.retour.pay(id, order, false).await),
            Self::ComesBack => drop(shop.retour.came_back(id, order).await),
            Self::Notice => {
                let checkouts = shop.whole(order).await.payment.unwrap().checkouts;
                let page = checkouts.last().and_then(|one| one.external_id.clone()).unwrap_or_default();
                shop.retour.mollie_notice(id, order, &page).await.unwrap();
            }
            Self::Trouble(call, does) => company.next(call, does, 1).await,
            Self::Cancels => drop(customer.cancel(order).await),
            Self::TimePasses(minutes) => {
                shop.source.set(shop.source.now().plus_seconds(minutes * 60));
                company.at(shop.source.now()).await;
                workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            }
            Self::Arrives => drop(shop.try_receive(request, 1, None).await),
            Self::Settled => drop(shop.update(request, to(N::ResolutionCompleted)).await),
            Self::WorkerDies => {
                let following = PaymentWorker::start(&shop.retour);
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                following.abort();
            }
        }
    }
}

/// Checks what must hold at any moment. Returns whether the return is cancelled or expired.
async fn check(shop: &Shop, order: ReturnOrderId, happened: &[RandomEvent]) -> bool {
    let whole = shop.whole(order).await;
    let (status, costs) = (whole.payment.as_ref().unwrap().status, whole.costs.breakdown().unwrap());
    let has_label = whole.shipments.unwrap().iter().any(|parcel| parcel.status == ShipmentStatus::LabelCreated);
    // A dying worker's last transaction may commit between the two reads, so an unpaid status is read again.
    let is_paid = async || shop.whole(order).await.payment.unwrap().status == PaymentState::Paid;
    assert!(!has_label || status == PaymentState::Paid || is_paid().await, "a label without payment: {happened:?}");
    let lines: i64 = costs.lines.iter().map(|line| line.amount.minor).sum();
    let comes_to = costs.estimated_refund.minor + costs.estimated_credit.minor - costs.payable_now.minor;
    assert_eq!(lines, comes_to, "{happened:?}");
    matches!(whole.status, ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired)
}

/// Checks what must hold once nothing is due: the provider keeps exactly the fee of each paid return. A refund stays refunded
/// even if the parcel of the cancelled return still arrives.
async fn check_in_the_end(
    shop: &Shop,
    company: &Company,
    order: ReturnOrderId,
    (happened, was_lost): (&[RandomEvent], bool),
) {
    let whole = shop.whole(order).await;
    let payment = whole.payment.unwrap();
    let kept: i64 = company.money_of(order).await.iter().map(|(paid, refunded)| paid - refunded).sum();
    let expected = if payment.status == PaymentState::Paid && !was_lost { PRICE } else { 0 };
    assert_eq!(kept, expected, "{happened:?} {payment:?} {}", whole.status.name());
    let recorded = if payment.status == PaymentState::Paid { payment.amount.minor - payment.refunded.minor } else { 0 };
    assert_eq!(kept, recorded, "{happened:?} {payment:?}");
    let is_waited_for = whole.status == ReturnOrderStatus::AwaitingPayment;
    assert!(is_waited_for || payment.checkouts.iter().all(|one| one.status != "Open"), "{happened:?} {payment:?}");
}

async fn interleave(company: &Company, shop: &Shop, database: &Database, rng: &mut Rng, number: usize) {
    shop.source.set(NOW);
    company.at(shop.source.now()).await;
    let customer = shop.sell(&format!("9{number}"), &[(1, 4_000)]).await;
    let order = customer.send_back(&[(0, 1)]).await.id;
    let (mut happened, mut was_lost) = (Vec::new(), false);
    for _ in 0..=rng.u32(..7) {
        let one = RandomEvent::any(rng);
        happened.push(one);
        // Sometimes two instances apply the event at the same time.
        if rng.u32(..3) == 0 {
            tokio::join!(one.apply(company, (shop, &customer), order), one.apply(company, (shop, &customer), order));
        } else {
            one.apply(company, (shop, &customer), order).await;
        }
        was_lost |= check(shop, order, &happened).await;
    }
    company.forgives().await;
    // The worker polls what the provider knows by now, and retries what is due.
    for seconds in [121, 3_600, 43_200, 86_400] {
        company.refunds("refunded").await;
        shop.source.set(shop.source.now().plus_seconds(seconds));
        company.at(shop.source.now()).await; // pages that cannot be closed expire
        poll_payments(shop, database).await;
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
    }
    was_lost |= check(shop, order, &happened).await;
    check_in_the_end(shop, company, order, (&happened, was_lost)).await;
}

store::on_each_database! {
    async fn money_is_kept_for_an_open_return_or_refunded(database: Database) {
        let many = std::env::var("PAYMENTS").map_or(FEW, |many| many.parse().unwrap());
        let seed = Seed::of_this_run();
        for kind in [PaymentKind::Stripe, PaymentKind::Mollie] {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let mut rng = seed.rng(u64::from(kind == PaymentKind::Stripe));
            for number in 0..many / 2 {
                Box::pin(interleave(&company, &shop, &database, &mut rng, number)).await;
            }
        }
    }
}
