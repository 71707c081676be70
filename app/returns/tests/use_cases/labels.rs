//! Labels that a carrier makes after the submit: one per parcel, whatever fails in between.

use crate::{
    bridges::{answer, answer_known_order, change_account, connect, connected},
    progress::to,
    shop::{Customer, Shop, fields, fresh, refusal},
    webhooks::{Hooked, until},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{
    RefusalCode, ReturnOrderId, ShipmentId,
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::StageName as N,
};
use returns::{Done, ErrorCode, LabelFormat, PrintedLabel, Retour, view};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use store::testing::Database;
use tokio::{sync::oneshot, task::JoinHandle};

pub const PDF: &[u8] = b"%PDF-1.7 a label";
/// [`PDF`] in Base64.
const PDF_TEXT: &str = "JVBERi0xLjcgYSBsYWJlbA==";

/// A carrier's labels by transaction: one each, however often it is asked.
#[derive(Clone, Default)]
pub struct Press(Arc<Mutex<HashMap<String, usize>>>);

impl Press {
    pub fn make(&self, asked: &Value) -> Reply {
        let mut made = self.0.lock().unwrap();
        let next = made.len();
        let number = *made.entry(asked["transactionId"].as_str().unwrap().to_owned()).or_insert(next);
        answer(
            200,
            &json!({"status": "Created", "carrier": "Post", "trackingNumber": format!("3S{number}"),
            "trackingUrl": format!("https://post.example/3S{number}"),
            "label": {"mediaType": "application/pdf", "data": PDF_TEXT}}),
        )
    }

    pub fn made(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn is_label(got: &RecordedRequest) -> bool {
    got.json().get("sscc").is_some()
}

pub fn label_requests(component: &Receiver) -> Vec<Value> {
    component.got().iter().filter(|got| is_label(got)).map(RecordedRequest::json).collect()
}

fn labels(component: &Receiver, labels: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) {
    component.answer(move |got| if is_label(got) { labels(got) } else { answer_known_order(got) });
}

/// A shop whose component answers look-ups, and label requests with `makes`.
pub async fn shop(
    database: &Database,
    makes: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
) -> (Shop, Receiver) {
    let component = Receiver::start(answer_known_order).await;
    labels(&component, makes);
    let mut shop = connected(database, &component).await;
    change_account(&shop, json!({"carrier": {"kind": "bridge"}})).await.unwrap();
    shop.account = shop.retour.account(&shop.account.slug).await.unwrap();
    (shop, component)
}

pub struct LabelWorker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

pub fn start_label_worker(retour: &Retour) -> LabelWorker {
    let (stop, stopped) = oneshot::channel();
    let retour = retour.clone();
    let stopped = async {
        let _ = stopped.await;
    };
    LabelWorker { stop, task: tokio::spawn(async move { workers::Workers::new(&retour).make_labels(stopped).await }) }
}

impl LabelWorker {
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

pub async fn sent_back(shop: &Shop) -> (Customer, ReturnOrderId) {
    let customer = shop.customer("1001").await;
    let order = customer.send_back(&[(0, 1)]).await.id;
    (customer, order)
}

pub async fn parcel(shop: &Shop, order: ReturnOrderId) -> view::ShipmentView {
    let whole = shop.whole(order).await;
    let [parcel] = <[_; 1]>::try_from(whole.shipments.unwrap()).unwrap();
    // Holds for every reader, also while the worker commits.
    let is_ready = whole.return_requests.unwrap().iter().any(|request| request.stage == N::SubmittedReady);
    assert!(!is_ready || parcel.status == ShipmentStatus::LabelCreated, "ready without a label");
    parcel
}

pub async fn stages(shop: &Shop, order: ReturnOrderId) -> Vec<N> {
    shop.whole(order).await.return_requests.unwrap().iter().map(|request| request.stage).collect()
}

pub async fn wait_for_status(shop: &Shop, order: ReturnOrderId, status: ShipmentStatus) {
    until(status.name(), || async { parcel(shop, order).await.status == status }).await;
}

async fn retry(shop: &Shop, id: ShipmentId) -> Result<Done<view::ShipmentView>, returns::Error> {
    shop.retour.merchant(&shop.staff).retry_label(id, None).await
}

/// Waits until the carrier was asked `tries` times and the request is not leased.
async fn wait_for_tries(database: &Database, tries: u32) {
    let tries = tries.to_string();
    until("the lease is released", || async {
        database.texts("SELECT CAST(tries AS TEXT) FROM label_requests WHERE held_until = 0").await == [tries.as_str()]
    })
    .await;
}

store::on_each_database! {
    async fn a_label_is_made_after_the_submit(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, component) = shop(&database, move |got| makes.make(&got.json())).await;
        let (customer, order) = sent_back(&shop).await;
        let whole = shop.whole(order).await;
        assert_eq!((whole.status, stages(&shop, order).await), (ReturnOrderStatus::Open, vec![N::SubmittedLabelPending]));
        let waiting = parcel(&shop, order).await;
        assert_eq!((waiting.status, waiting.label_url, waiting.label_barcode.as_str()), (ShipmentStatus::New, None, ""));
        let not_ready = ErrorCode::Refused(RefusalCode::LabelNotReady);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).label(waiting.id, &[LabelFormat::Pdf]).await), not_ready);

        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!(stages(&shop, order).await, [N::SubmittedReady]);
        let made = parcel(&shop, order).await;
        let known = |text: Option<String>| text.unwrap_or_default();
        assert_eq!((known(made.carrier), known(made.tracking_number)), ("Post".to_owned(), "3S0".to_owned()));
        assert_eq!((made.label_barcode.as_str(), known(made.tracking_url)), ("3S0", "https://post.example/3S0".to_owned()));
        let file = PrintedLabel::File { format: LabelFormat::Pdf, bytes: PDF.to_vec() };
        let wanted = [LabelFormat::Png, LabelFormat::Pdf];
        assert_eq!(shop.retour.merchant(&shop.staff).label(made.id, &wanted).await.unwrap(), file);
        assert_eq!(shop.retour.consumer(&customer.shopper).label(order, None, &wanted).await.unwrap(), file);
        let only = shop.retour.merchant(&shop.staff).label(made.id, &[LabelFormat::Zpl]).await.unwrap();
        assert_eq!(only, PrintedLabel::OnlyAs(LabelFormat::Pdf));

        let [ref asked] = label_requests(&component)[..] else { panic!("expected one label request") };
        assert_eq!((&asked["account"], &asked["returnOrderNumber"]), (&json!("fjord-fern"), &json!(whole.number)));
        assert_eq!((&asked["orderNumbers"], &asked["shippingOption"]["method"]), (&json!(["1001"]), &json!("Label")));
        assert_eq!(asked["sender"]["postalCode"], "9999", "the address of the delivery");
        assert_eq!(asked["items"], json!([{"purchaseId": "l-1", "name": "Mug", "sku": "", "quantity": 1,
            "value": {"value": "6.67", "currency": "EUR"}, "weight": 500, "hsCode": "", "originCountry": ""}]));
        assert_eq!((&asked["weight"], &asked["passesCustoms"]), (&json!(500), &json!(false)));
        assert_eq!((database.rows("label_requests").await, database.rows("unclaimed_files").await), (0, 0));
        let shipment_events = database.texts("SELECT type FROM events WHERE type LIKE 'shipment%' ORDER BY seq").await;
        assert_eq!(shipment_events, ["shipment.label_created"]);
        making.stop().await;
    }

    async fn a_carrier_that_makes_a_label_and_then_fails_makes_one_label(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, component) = shop(&database, move |got| {
            makes.make(&got.json());
            Reply::Status(500)
        }).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_tries(&database, 1).await;
        let waiting = parcel(&shop, order).await;
        assert_eq!((waiting.status, waiting.error_code.as_deref()), (ShipmentStatus::New, Some("CarrierUnavailable")));
        let makes = press.clone();
        labels(&component, move |got| makes.make(&got.json()));
        shop.source.set(shop.source.now().plus_seconds(10));
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!(parcel(&shop, order).await.error_code, None);
        let both = label_requests(&component);
        assert_eq!((both.len(), &both[0]), (2, &both[1]), "the same request under the same transaction");
        assert_eq!(press.made(), 1);
        making.stop().await;
    }

    async fn a_refused_label_waits_for_staff_who_can_retry_it(database: Database) {
        let no = |_: &RecordedRequest| answer(200, &json!({"status": "Failed", "errorCode": "address", "reason": "No such street"}));
        let (shop, component) = shop(&database, no).await;
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        assert_eq!(stages(&shop, order).await, [N::SubmittedLabelFailed]);
        let failed = parcel(&shop, order).await;
        assert_eq!((failed.error_code.as_deref(), failed.error_message.as_deref()), (Some("address"), Some("No such street")));
        let seen = shop.retour.consumer(&customer.shopper).return_order(order, &[returns::Expand::Shipments]).await.unwrap();
        assert_eq!(seen.shipments.unwrap()[0].error_message, None, "shoppers do not see carrier errors");
        assert_eq!(database.rows("label_requests").await, 0);

        let press = Press::default();
        let makes = press.clone();
        labels(&component, move |got| makes.make(&got.json()));
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        fresh(shop.update(id, to(N::SubmittedLabelPending)).await.unwrap(), 200);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!((stages(&shop, order).await, parcel(&shop, order).await.error_message), (vec![N::SubmittedReady], None));
        let both = label_requests(&component);
        assert_ne!(both[0]["transactionId"], both[1]["transactionId"], "the first transaction has surely failed");
        making.stop().await;
    }

    async fn a_retry_covers_all_requests_in_the_parcel(database: Database) {
        let no = |_: &RecordedRequest| answer(200, &json!({"status": "Failed", "reason": "No"}));
        let (shop, component) = shop(&database, no).await;
        let two = move |got: &RecordedRequest| {
            let mut sold = crate::bridges::order(0);
            sold["purchases"][1]["returnable"] = json!(true);
            if is_label(got) { no(got) } else { answer(200, &sold) }
        };
        component.answer(two);
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1), (1, 1)]).await.id;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        assert_eq!(stages(&shop, order).await, [N::SubmittedLabelFailed; 2]);
        making.stop().await;
        let id = shop.whole(order).await.return_requests.unwrap()[1].id;
        fresh(shop.update(id, to(N::SubmittedLabelPending)).await.unwrap(), 200);
        assert_eq!(stages(&shop, order).await, [N::SubmittedLabelPending; 2]);
        let id = parcel(&shop, order).await.id;
        // While the label is requested, a retry has no effect.
        assert_eq!(database.rows("label_requests").await, 1);
        assert_eq!(fresh(retry(&shop, id).await.unwrap(), 200).status, ShipmentStatus::New);
        assert_eq!(database.rows("label_requests").await, 1);

        let press = Press::default();
        let makes = press.clone();
        labels(&component, move |got| makes.make(&got.json()));
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!((stages(&shop, order).await, press.made()), (vec![N::SubmittedReady; 2], 1));
        let there = ErrorCode::Refused(RefusalCode::IllegalTransition);
        assert_eq!(refusal(retry(&shop, id).await), there);
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(refusal(retry(&shop, id).await), ErrorCode::Refused(RefusalCode::ShipmentCancelled));
        making.stop().await;
    }

    async fn an_unreachable_carrier_is_retried_and_staff_see_the_delay(database: Database) {
        let press = Press::default();
        let (shop, component) = shop(&database, |_| Reply::Status(503)).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        for (tries, wait) in (1..).zip([10, 60, 300, 900]) {
            wait_for_tries(&database, tries).await;
            let late = tries >= 4;
            let expected = if late { N::SubmittedLabelFailed } else { N::SubmittedLabelPending };
            assert_eq!(stages(&shop, order).await, [expected], "after {tries}");
            let due = database.number("SELECT due_at FROM label_requests").await;
            assert_eq!(due, shop.source.now().plus_seconds(wait).micros());
            if !late {
                shop.source.set(shop.source.now().plus_seconds(wait));
            }
        }
        let makes = press.clone();
        labels(&component, move |got| makes.make(&got.json()));
        shop.source.set(shop.source.now().plus_seconds(900));
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!((stages(&shop, order).await, press.made()), (vec![N::SubmittedReady], 1));
        let entries = shop.retour.merchant(&shop.staff).timeline(shop.whole(order).await.return_requests.unwrap()[0].id).await.unwrap();
        let way: Vec<_> = entries.iter().map(|entry| entry.to_stage).collect();
        assert!(way.ends_with(&[N::SubmittedLabelFailed, N::SubmittedLabelPending, N::SubmittedReady]), "{way:?}");
        making.stop().await;
    }

    async fn when_the_outcome_is_unknown_staff_retry_under_the_same_transaction(database: Database) {
        let (shop, component) = shop(&database, |_| Reply::Status(500)).await;
        let (_, order) = sent_back(&shop).await;
        database.run("UPDATE label_requests SET tries = 10").await;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        until("the request waits for staff", || async { database.rows("label_requests WHERE due_at IS NULL").await == 1 }).await;
        shop.source.set(shop.source.now().plus_days(30));
        assert_eq!(label_requests(&component).len(), 1);
        let press = Press::default();
        let makes = press.clone();
        labels(&component, move |got| makes.make(&got.json()));
        fresh(retry(&shop, parcel(&shop, order).await.id).await.unwrap(), 200);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        let both = label_requests(&component);
        assert_eq!((both.len(), &both[0]["transactionId"]), (2, &both[1]["transactionId"]));
        making.stop().await;
    }

    async fn a_slow_carrier_is_asked_again_each_minute_for_a_day(database: Database) {
        let (shop, component) = shop(&database, |_| answer(200, &json!({"status": "Pending"}))).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        let later = format!("label_requests WHERE held_until = 0 AND due_at > {}", shop.source.now().micros());
        until("the request is rescheduled", || async { database.rows(&later).await == 1 }).await;
        assert_eq!(stages(&shop, order).await, [N::SubmittedLabelPending]);
        shop.source.set(shop.source.now().plus_seconds(60));
        until("the carrier is asked again", || async { label_requests(&component).len() == 2 }).await;
        shop.source.set(shop.source.now().plus_hours(24));
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        assert_eq!(parcel(&shop, order).await.error_code.as_deref(), Some("CarrierPending"));
        making.stop().await;
    }

    async fn after_a_change_of_component_the_new_one_makes_the_label_only_once_staff_retry(database: Database) {
        let press = Press::default();
        let (shop, component) = shop(&database, |_| Reply::Status(500)).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_tries(&database, 1).await;
        let other = Receiver::start(answer_known_order).await;
        let makes = press.clone();
        labels(&other, move |got| makes.make(&got.json()));
        let moved = json!({"bridge": {"kind": "http", "url": other.url, "secret": crate::bridges::SECRET}});
        change_account(&shop, moved).await.unwrap();
        shop.source.set(shop.source.now().plus_seconds(10));
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        let failed = parcel(&shop, order).await;
        assert_eq!((failed.error_code.as_deref(), label_requests(&component).len(), press.made()), (Some("CarrierChanged"), 1, 0));
        fresh(retry(&shop, failed.id).await.unwrap(), 200);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!(press.made(), 1);
        making.stop().await;
    }

    async fn the_retry_after_of_a_carrier_is_respected_and_staff_see_the_delay(database: Database) {
        let (shop, _component) = shop(&database, |_| Reply::With(503, "Retry-After: 7200\r\n".to_owned())).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        let due = database.number("SELECT due_at FROM label_requests").await;
        assert_eq!((due, stages(&shop, order).await), (shop.source.now().plus_seconds(7_200).micros(), vec![N::SubmittedLabelFailed]));
        making.stop().await;
    }

    async fn after_a_change_to_own_labels_a_retry_draws_the_failed_label(database: Database) {
        let no = |_: &RecordedRequest| answer(200, &json!({"status": "Failed", "reason": "No contract"}));
        let (shop, component) = shop(&database, no).await;
        let (_, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelFailed).await;
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        fresh(retry(&shop, parcel(&shop, order).await.id).await.unwrap(), 200);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        let drawn = parcel(&shop, order).await;
        assert_eq!((drawn.label_barcode.len(), stages(&shop, order).await), (18, vec![N::SubmittedReady]));
        let label = shop.retour.merchant(&shop.staff).label(drawn.id, &[LabelFormat::Zpl]).await.unwrap();
        assert!(matches!(label, PrintedLabel::File { format: LabelFormat::Zpl, .. }));
        assert_eq!(label_requests(&component).len(), 1);
        making.stop().await;
    }

    async fn a_qr_code_can_replace_a_label(database: Database) {
        let codes = |_: &RecordedRequest| answer(200, &json!({"status": "Created", "qrCode": "POST:1", "trackingNumber": "3S1"}));
        let (shop, _component) = shop(&database, codes).await;
        let (customer, order) = sent_back(&shop).await;
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        let made = parcel(&shop, order).await;
        assert_eq!((made.qr_code.as_deref(), made.label_url), (Some("POST:1"), None));
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).label(made.id, &[LabelFormat::Pdf]).await), ErrorCode::NotFound);
        assert_eq!(refusal(shop.retour.consumer(&customer.shopper).label(order, None, &[LabelFormat::Pdf]).await), ErrorCode::NotFound);
        making.stop().await;
    }

    async fn of_two_instances_one_requests_each_label(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, component) = shop(&database, move |got| makes.make(&got.json())).await;
        component.answer({
            let makes = press.clone();
            move |got| if is_label(got) { makes.make(&got.json()) } else { crate::bridges_settling::sells_all(got) }
        });
        let mut orders = Vec::new();
        for number in 0..12 {
            orders.push(shop.customer(&format!("{number}")).await.send_back(&[(0, 1)]).await.id);
        }
        let (one, two) = (start_label_worker(&shop.retour), start_label_worker(&shop.retour));
        // Readers watch each parcel all the time.
        let watchers: Vec<_> = orders.into_iter().map(|order| {
            let shop = shop.clone();
            tokio::spawn(async move {
                while parcel(&shop, order).await.status != ShipmentStatus::LabelCreated {}
            })
        }).collect();
        for watcher in watchers {
            watcher.await.unwrap();
        }
        assert_eq!((label_requests(&component).len(), press.made()), (12, 12));
        one.stop().await;
        two.stop().await;
    }

    async fn only_the_merchants_own_component_makes_labels(database: Database) {
        let shop = Hooked::open(&database).await.shop;
        let wanted = || json!({"carrier": {"kind": "bridge"}});
        assert_eq!(fields(change_account(&shop, wanted()).await), ["carrier.kind"]);
        let component = Receiver::start(answer_known_order).await;
        let shop = connect(shop, &component).await;
        assert_eq!(change_account(&shop, wanted()).await.unwrap().carrier.kind, domain::integration::CarrierKind::Bridge);
        assert_eq!(fields(change_account(&shop, json!({"bridge": {"kind": "catalog"}})).await), ["carrier.kind"]);
        let back = json!({"bridge": {"kind": "catalog"}, "carrier": {"kind": "own"}});
        assert_eq!(change_account(&shop, back).await.unwrap().carrier.kind, domain::integration::CarrierKind::Own);
    }

    async fn a_return_that_is_resolved_at_once_still_gets_its_label(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, _component) = shop(&database, move |got| makes.make(&got.json())).await;
        change_account(&shop, json!({"policy": {"resolveOn": "submission", "resolver": "external"}})).await.unwrap();
        let (_, order) = sent_back(&shop).await;
        assert_eq!(stages(&shop, order).await, [N::ResolutionApproved]);
        let making = start_label_worker(&shop.retour);
        wait_for_status(&shop, order, ShipmentStatus::LabelCreated).await;
        assert_eq!(stages(&shop, order).await, [N::ResolutionApproved]);
        making.stop().await;
    }
}
