//! The merchant's shop executes approved requests: once and to the cent, whatever fails in between.

use crate::{
    bridges::{answer, answer_known_order, change_account, connect, connected, order},
    progress::to,
    shop::{Shop, fresh},
    webhooks::{Hooked, until},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{ReturnRequestId, stage::StageName};
use returns::{StatusUpdate, view};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use store::testing::Database;
use tokio::{sync::oneshot, task::JoinHandle};

/// What a shop has paid, by transaction: one payment each, however often it is asked.
#[derive(Clone, Default)]
pub struct Ledger(Arc<Mutex<HashMap<String, Value>>>);

impl Ledger {
    pub fn pay(&self, asked: &Value) -> Reply {
        let mut paid = self.0.lock().unwrap();
        let id = asked["transactionId"].as_str().unwrap().to_owned();
        paid.entry(id.clone()).or_insert_with(|| asked.clone());
        answer(200, &json!({"status": "Completed", "externalReference": format!("refund of {id}")}))
    }

    pub fn paid(&self) -> Vec<Value> {
        self.0.lock().unwrap().values().cloned().collect()
    }
}

pub fn is_settling(got: &RecordedRequest) -> bool {
    got.json().get("transactionId").is_some()
}

pub struct SettlementWorker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

pub fn start_settling(shop: &Shop) -> SettlementWorker {
    let (stop, stopped) = oneshot::channel();
    let retour = shop.retour.clone();
    let stopped = async {
        let _ = stopped.await;
    };
    SettlementWorker {
        stop,
        task: tokio::spawn(async move { workers::Workers::new(&retour).settle_returns(stopped).await }),
    }
}

impl SettlementWorker {
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

/// Returns two of the three mugs; they arrive, and a rule approves the request.
async fn approved(shop: &Shop) -> ReturnRequestId {
    approved_of(shop, "1001").await
}

async fn approved_of(shop: &Shop, number: &str) -> ReturnRequestId {
    let customer = shop.customer(number).await;
    let order = customer.send_back(&[(0, 2)]).await;
    let id = shop.whole(order.id).await.return_requests.unwrap()[0].id;
    let receipt = returns::Receipt { quantity: 2, external_reference: None };
    fresh(shop.retour.merchant(&shop.staff).receive(id, receipt, None).await.unwrap(), 200);
    id
}

pub async fn request(shop: &Shop, id: ReturnRequestId) -> view::ReturnRequestView {
    shop.retour.merchant(&shop.staff).return_request(id, &[]).await.unwrap()
}

pub async fn wait_for_stage(shop: &Shop, id: ReturnRequestId, stage: StageName) {
    until(stage.as_str(), || async { request(shop, id).await.stage == stage }).await;
}

/// A shop whose component answers look-ups, and settlements with `settles`.
pub async fn shop(
    database: &Database,
    settles: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
) -> (Shop, Receiver) {
    let component =
        Receiver::start(move |got| if is_settling(got) { settles(got) } else { answer_known_order(got) }).await;
    (connected(database, &component).await, component)
}

/// Sells any order that it is asked for.
pub fn sells_all(got: &RecordedRequest) -> Reply {
    let number = got.json()["credentials"]["orderNumber"].clone();
    let mut sold = order(0);
    for line in sold["purchases"].as_array_mut().unwrap() {
        line["purchaseId"] = json!(format!("{number} {}", line["purchaseId"]));
        (line["order"]["id"], line["order"]["number"]) = (number.clone(), number.clone());
    }
    answer(200, &sold)
}

/// Waits until the shop has answered and the next attempt is scheduled.
pub async fn wait_for_retry(shop: &Shop, database: &Database) {
    let later = format!("settlements WHERE due_at > {}", shop.source.now().micros());
    until("the settlement is rescheduled", || async { database.rows(&later).await == 1 }).await;
}

pub fn settlement_requests(component: &Receiver) -> Vec<Value> {
    component.got().iter().filter(|got| is_settling(got)).map(RecordedRequest::json).collect()
}

store::on_each_database! {
    async fn the_shop_pays_what_is_approved(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (shop, component) = shop(&database, move |got| pays.pay(&got.json())).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let [paid] = ledger.paid().try_into().unwrap();
        // Three cost 20.00: two of them come to 13.34, as the units with the extra cent go first.
        assert_eq!(paid["items"], json!([{"returnRequestId": id, "purchaseId": "l-1", "quantity": 2,
            "amount": {"value": "13.34", "currency": "EUR"}, "disposition": null}]));
        assert_eq!((&paid["type"], &paid["orderId"]), (&json!("Refund"), &json!("o-1")));
        assert_eq!((&paid["fees"]["value"], &paid["shippingRefund"]["value"]), (&json!("0.00"), &json!("0.00")));
        let resolution = request(&shop, id).await.resolution;
        let reference = format!("refund of {}", paid["transactionId"].as_str().unwrap());
        assert_eq!(resolution.external_reference, Some(reference));
        assert_eq!(settlement_requests(&component).len(), 1);
        assert_eq!(database.rows("settlements").await, 0);
        let stages: Vec<_> = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap().into_iter().map(|entry| entry.to_stage).collect();
        let end = [StageName::ResolutionApproved, StageName::ResolutionProcessing, StageName::ResolutionCompleted];
        assert!(stages.ends_with(&end), "{stages:?}");
        settling.stop().await;
    }

    async fn the_retry_after_of_a_shop_is_respected(database: Database) {
        let (shop, _component) = shop(&database, |_| Reply::With(503, "Retry-After: 7200\r\n".to_owned())).await;
        let settling = start_settling(&shop);
        approved(&shop).await;
        wait_for_retry(&shop, &database).await;
        let due = database.number("SELECT due_at FROM settlements").await;
        assert_eq!(due, shop.source.now().plus_seconds(7_200).micros());
        settling.stop().await;
    }

    async fn units_that_the_warehouse_refuses_are_not_paid(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (mut shop, _component) = shop(&database, move |got| pays.pay(&got.json())).await;
        change_account(&shop, json!({"policy": {"resolveOn": "inspection"}})).await.unwrap();
        shop.account = shop.retour.account("fjord-fern").await.unwrap();
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 3)]).await;
        let id = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        shop.try_receive(id, 3, None).await.unwrap();
        shop.record_inspection(id, 2, 1).await.unwrap();
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let [paid] = ledger.paid().try_into().unwrap();
        // Two of three for 20.00.
        let item = &paid["items"][0];
        assert_eq!((&item["quantity"], &item["amount"]["value"]), (&json!(2), &json!("13.34")), "{paid}");
        assert_eq!(request(&shop, id).await.resolution.value.unwrap().minor, 1_334);
        settling.stop().await;
    }

    async fn a_shop_that_pays_and_then_drops_the_connection_pays_once(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (shop, component) = shop(&database, move |got| {
            pays.pay(&got.json());
            Reply::Status(500)
        }).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        until("the shop was asked", || async { settlement_requests(&component).len() == 1 }).await;
        assert_eq!(request(&shop, id).await.stage, StageName::ResolutionProcessing);
        let pays = ledger.clone();
        component.answer(move |got| if is_settling(got) { pays.pay(&got.json()) } else { answer_known_order(got) });
        until("the settlement is rescheduled", || async { database.texts("SELECT CAST(tries AS TEXT) FROM settlements").await == ["1"] }).await;
        shop.source.set(shop.source.now().plus_seconds(60));
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let both = settlement_requests(&component);
        assert_eq!((both.len(), &both[0]), (2, &both[1]), "the same request under the same transaction");
        assert_eq!(ledger.paid().len(), 1);
        settling.stop().await;
    }

    async fn a_refused_settlement_waits_for_staff_who_can_retry_it(database: Database) {
        let no = |_: &RecordedRequest| answer(200, &json!({"status": "Failed", "reason": "Out of stock"}));
        let (shop, component) = shop(&database, no).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        wait_for_stage(&shop, id, StageName::ResolutionFailed).await;
        let told = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
        assert_eq!(told.last().unwrap().comment, "Out of stock");
        let ledger = Ledger::default();
        let pays = ledger.clone();
        component.answer(move |got| if is_settling(got) { pays.pay(&got.json()) } else { answer_known_order(got) });
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionProcessing), None).await.unwrap(), 200);
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let both = settlement_requests(&component);
        assert_eq!(both[0]["transactionId"], both[1]["transactionId"]);
        settling.stop().await;
    }

    async fn a_pending_settlement_is_asked_about_again_after_five_minutes(database: Database) {
        let (shop, component) = shop(&database, |_| answer(200, &json!({"status": "Pending"}))).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        until("the shop was asked", || async { settlement_requests(&component).len() == 1 }).await;
        wait_for_retry(&shop, &database).await;
        shop.source.set(shop.source.now().plus_seconds(300));
        until("the shop was asked again", || async { settlement_requests(&component).len() == 2 }).await;
        wait_for_retry(&shop, &database).await;
        shop.source.set(shop.source.now().plus_seconds(72 * 3_600));
        wait_for_stage(&shop, id, StageName::ResolutionFailed).await;
        settling.stop().await;
    }

    async fn a_settlement_that_staff_gave_up_while_the_shop_paid_is_not_paid_again(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (shop, component) = shop(&database, move |got| {
            pays.pay(&got.json());
            Reply::Status(500)
        }).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        until("the settlement is rescheduled", || async { database.texts("SELECT CAST(tries AS TEXT) FROM settlements").await == ["1"] }).await;
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionFailed), None).await.unwrap(), 200);
        shop.source.set(shop.source.now().plus_seconds(60));
        until("the settlement waits for staff", || async { database.rows("settlements WHERE due_at IS NULL").await == 1 }).await;
        let pays = ledger.clone();
        component.answer(move |got| if is_settling(got) { pays.pay(&got.json()) } else { answer_known_order(got) });
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionProcessing), None).await.unwrap(), 200);
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        assert_eq!(ledger.paid().len(), 1);
        assert_eq!(database.rows("settlements").await, 0);
        settling.stop().await;
    }

    async fn a_settlement_that_staff_gave_up_too_early_is_paid_once_the_shop_confirms(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (shop, component) = shop(&database, move |got| match pays.pay(&got.json()) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        until("the shop has paid", || async { ledger.paid().len() == 1 }).await;
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionFailed), None).await.unwrap(), 200);
        component.open();
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        assert_eq!((ledger.paid().len(), database.rows("settlements").await), (1, 0));
        settling.stop().await;
    }

    async fn after_a_change_of_shop_the_new_one_pays_only_once_staff_retry(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (former, component) = shop(&database, move |got| {
            pays.pay(&got.json());
            Reply::Status(500)
        }).await;
        let settling = start_settling(&former);
        let id = approved(&former).await;
        until("the settlement is rescheduled", || async { database.texts("SELECT CAST(tries AS TEXT) FROM settlements").await == ["1"] }).await;
        let pays = ledger.clone();
        let other = Receiver::start(move |got| pays.pay(&got.json())).await;
        let change = json!({"bridge": {"kind": "http", "url": other.url, "secret": crate::bridges::SECRET}});
        change_account(&former, change).await.unwrap();
        former.source.set(former.source.now().plus_seconds(60));
        wait_for_stage(&former, id, StageName::ResolutionFailed).await;
        assert_eq!((settlement_requests(&component).len(), other.count()), (1, 0));
        // A member of staff has checked, and retries.
        fresh(former.retour.merchant(&former.staff).update_status(id, to(StageName::ResolutionProcessing), None).await.unwrap(), 200);
        wait_for_stage(&former, id, StageName::ResolutionCompleted).await;
        assert_eq!((settlement_requests(&component).len(), other.count()), (1, 1));
        settling.stop().await;
    }

    async fn a_hanging_shop_does_not_delay_other_shops(database: Database) {
        let hangs = |got: &RecordedRequest| if is_settling(got) { Reply::StatusWhenOpen(400) } else { sells_all(got) };
        let slow_component = Receiver::start(hangs).await;
        let slow = connected(&database, &slow_component).await;
        for number in 0..10 {
            approved_of(&slow, &format!("{}", 1_000 + number)).await;
        }
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let component = Receiver::start(move |got| if is_settling(got) { pays.pay(&got.json()) } else { answer_known_order(got) }).await;
        let other = Shop::open_with(&database, "other", "EUR", domain::policy::Policy::default()).await;
        let other = connect(Hooked::of(&database, other).shop, &component).await;
        let id = approved(&other).await;
        let settling = start_settling(&slow);
        wait_for_stage(&other, id, StageName::ResolutionCompleted).await;
        until("the slow shop has eight requests", || async { settlement_requests(&slow_component).len() == 8 }).await;
        // The worker polls whenever the clock moves.
        for _ in 0..3 {
            slow.source.set(slow.source.now().plus_seconds(1));
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(settlement_requests(&slow_component).len(), 8, "eight of ten");
        slow_component.open();
        until("the slow shop has the other two requests", || async { settlement_requests(&slow_component).len() == 10 }).await;
        settling.stop().await;
    }

    async fn requests_that_another_system_settles_are_left_to_it(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let (mut shop, component) = shop(&database, move |got| pays.pay(&got.json())).await;
        change_account(&shop, json!({"policy": {"resolver": "external"}})).await.unwrap();
        shop.account = shop.retour.account("fjord-fern").await.unwrap();
        let settling = start_settling(&shop);
        let id = approved(&shop).await;
        let claim = |reference: Option<&str>, stage, from| StatusUpdate {
            from_stage: Some(from),
            external_reference: reference.map(str::to_owned),
            ..to(stage)
        };
        let processing = claim(None, StageName::ResolutionProcessing, StageName::ResolutionApproved);
        fresh(shop.retour.merchant(&shop.staff).update_status(id, processing.clone(), None).await.unwrap(), 200);
        assert!(shop.retour.merchant(&shop.staff).update_status(id, processing, None).await.is_err(), "the second worker does not get it");
        let done = claim(Some("psp-7"), StageName::ResolutionCompleted, StageName::ResolutionProcessing);
        fresh(shop.retour.merchant(&shop.staff).update_status(id, done, None).await.unwrap(), 200);
        settling.stop().await;
        assert_eq!((settlement_requests(&component).len(), ledger.paid().len()), (0, 0));
    }
}
