//! Tracking reports of carriers, in any order and with repeats.

use crate::{
    seed::Seed,
    shop::{Customer, NOW, Shop, fresh, refusal},
};
use domain::{
    RefusalCode, ReturnOrderId, ShipmentId, Timestamp,
    party::Actor,
    policy::{Policy, ResolveOn},
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::{Scan, StageName as N},
};
use returns::{
    Done, Error, ErrorCode, Expand, IdempotencyKey, LabelFormat, Listing, Page, PrintedLabel, TrackingReport, lists,
    view,
};
use serde_json::Value;
use store::testing::Database;

fn report(status: Scan, seconds: i64) -> TrackingReport {
    let happened_at = Some(NOW.plus_seconds(seconds));
    TrackingReport {
        status,
        explanation: String::new(),
        happened_at,
        carrier: None,
        tracking_number: None,
        tracking_url: None,
    }
}

impl Shop {
    async fn track(&self, id: ShipmentId, report: TrackingReport) -> Result<Done<view::ShipmentView>, Error> {
        self.retour.merchant(&self.staff).track(id, report, None).await
    }

    async fn tracked(&self, id: ShipmentId, report: TrackingReport) -> view::ShipmentView {
        fresh(self.track(id, report).await.unwrap(), 200)
    }

    /// The stages of a return order's requests, and its status.
    async fn stages_and_status(&self, id: ReturnOrderId) -> (Vec<N>, ReturnOrderStatus) {
        let order = self.retour.merchant(&self.staff).return_order(id, &[Expand::ReturnRequests]).await.unwrap();
        (order.return_requests.unwrap().iter().map(|request| request.stage).collect(), order.status)
    }
}

/// Makes a return of these units. Gives its order and its parcel.
async fn sent(shop: &Shop, customer: &Customer, units: &[(usize, u32)]) -> (ReturnOrderId, ShipmentId) {
    let id = customer.send_back(units).await.id;
    let order = shop.retour.merchant(&shop.staff).return_order(id, &[Expand::Shipments]).await.unwrap();
    (id, order.shipments.unwrap()[0].id)
}

async fn events(database: &Database, kind: &str) -> Vec<Value> {
    let data = database.texts(&format!("SELECT data FROM events WHERE type = '{kind}' ORDER BY seq")).await;
    data.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

async fn contents(database: &Database) -> (i64, i64, i64) {
    (database.rows("events").await, database.rows("timeline_entries").await, database.rows("tracking_updates").await)
}

store::on_each_database! {
    async fn a_parcels_scans_move_everything_in_it(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000), (2, 3000)]).await;
        let (order, id) = sent(&shop, &customer, &[(0, 1), (1, 2)]).await;
        let first_report = TrackingReport {
            explanation: "Sorted at the depot".to_owned(),
            carrier: Some("PostNL".to_owned()),
            tracking_number: Some("3SABC".to_owned()),
            tracking_url: Some("https://carrier.example/3SABC".to_owned()),
            ..report(Scan::InTransit, 0)
        };
        let shipment = shop.tracked(id, first_report).await;
        assert_eq!((shipment.status, shipment.version), (ShipmentStatus::InTransit, 2));
        assert_eq!((shipment.carrier.as_deref(), shipment.tracking_number.as_deref()), (Some("PostNL"), Some("3SABC")));
        assert_eq!(shop.stages_and_status(order).await, (vec![N::ShipmentInTransit; 2], ReturnOrderStatus::Open));
        let entries = customer.retour.consumer(&customer.shopper).timeline(order).await.unwrap();
        let last = entries.last().unwrap();
        assert_eq!((last.actor, last.actor_id, last.comment.as_str()), (Actor::Merchant, Some(shop.staff.id()), "Sorted at the depot"));

        let shipment = shop.tracked(id, report(Scan::Delivered, 60)).await;
        assert_eq!((shipment.status, shipment.tracking_updates.len()), (ShipmentStatus::Delivered, 2));
        assert_eq!(shipment.carrier.as_deref(), Some("PostNL"), "values that the report omits stay");
        assert_eq!(shop.stages_and_status(order).await.0, [N::ShipmentDelivered; 2]);
        let (updates, delivered) = (events(&database, "shipment.received_tracking_updates").await, events(&database, "shipment.delivered").await);
        assert_eq!((updates.len(), delivered.len()), (2, 1));
        assert_eq!(delivered[0]["returnOrder"]["returnRequests"][1]["stage"], "Shipment: Delivered");
        assert_eq!(delivered[0]["trackingUpdates"][0]["explanation"], "Sorted at the depot");
        let shown = shop.retour.merchant(&shop.staff).shipment(id).await.unwrap();
        assert_eq!(serde_json::to_value(shown).unwrap(), serde_json::to_value(shipment).unwrap(), "the answer equals the stored shipment");
    }

    async fn a_repeated_report_counts_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, id) = sent(&shop, &customer, &[(0, 1)]).await;
        let first = shop.tracked(id, report(Scan::InTransit, 0)).await;
        let before = contents(&database).await;
        assert_eq!(shop.tracked(id, report(Scan::InTransit, 0)).await.version, first.version);
        assert_eq!(contents(&database).await, before);
        let (mut answers, mut tasks) = (Vec::new(), tokio::task::JoinSet::new());
        for _ in 0..6 {
            let shop = shop.clone();
            tasks.spawn(async move { shop.tracked(id, report(Scan::Delivered, 60)).await });
        }
        while let Some(answer) = tasks.join_next().await {
            answers.push(answer.unwrap().version);
        }
        assert_eq!(answers, [first.version + 1; 6], "six reports at the same time");
        assert_eq!(events(&database, "shipment.delivered").await.len(), 1);
        // The same report with a tracking number updates the parcel and adds no report.
        let named = TrackingReport { tracking_number: Some("3S".to_owned()), ..report(Scan::Delivered, 60) };
        let shipment = shop.tracked(id, named).await;
        assert_eq!((shipment.tracking_number.as_deref(), shipment.tracking_updates.len()), (Some("3S"), 2));
        assert_eq!(database.rows("tracking_updates").await, 2);
    }

    async fn a_late_report_is_stored_and_moves_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, id) = sent(&shop, &customer, &[(0, 1)]).await;
        shop.tracked(id, report(Scan::Exception, 60)).await;
        let entries = database.rows("timeline_entries").await;
        let late = TrackingReport { carrier: Some("PostNL".to_owned()), ..report(Scan::InTransit, 0) };
        let shipment = shop.tracked(id, late).await;
        assert_eq!((shipment.status, shop.stages_and_status(order).await.0), (ShipmentStatus::Exception, vec![N::ShipmentException]));
        assert_eq!(shipment.tracking_updates[0].status, Scan::InTransit, "sorted by the carrier's time");
        assert_eq!(shipment.carrier.as_deref(), Some("PostNL"), "the first report that names the carrier");
        assert_eq!(database.rows("timeline_entries").await, entries);
        assert_eq!(events(&database, "shipment.received_tracking_updates").await.len(), 2);
    }

    async fn the_same_reports_in_any_order_end_the_same(database: Database) {
        let reports = [(Scan::InTransit, 0), (Scan::Exception, 30), (Scan::Delivered, 20), (Scan::InTransit, 40), (Scan::Exception, 0)];
        let seed = Seed::of_this_run();
        for (turn, resolve_on) in [ResolveOn::Receipt, ResolveOn::FirstScan, ResolveOn::Delivery].into_iter().enumerate() {
            let policy = Policy { resolve_on, ..Policy::default() };
            let shop = Shop::open_with(&database, &format!("shop-{turn}"), "EUR", policy).await;
            let mut ends = Vec::new();
            for number in 0..5 {
                let customer = shop.sell(&format!("1{number}"), &[(1, 1000)]).await;
                let (order, id) = sent(&shop, &customer, &[(0, 1)]).await;
                let mut shuffled = reports;
                seed.rng(number).shuffle(&mut shuffled);
                for (scan, seconds) in shuffled {
                    shop.tracked(id, report(scan, seconds)).await;
                }
                let shipment = shop.retour.merchant(&shop.staff).shipment(id).await.unwrap();
                ends.push((shop.stages_and_status(order).await, shipment.status, shipment.tracking_updates.len()));
            }
            assert!(ends.iter().all(|end| *end == ends[0]), "{resolve_on:?} {ends:#?}");
            let stage = if resolve_on == ResolveOn::Receipt { N::ShipmentDelivered } else { N::ResolutionApproved };
            assert_eq!(ends[0], ((vec![stage], ReturnOrderStatus::Open), ShipmentStatus::Delivered, 5));
        }
    }

    async fn the_first_scan_approves_the_refund_where_the_policy_says_so(database: Database) {
        let policy = Policy { resolve_on: ResolveOn::FirstScan, ..Policy::default() };
        let shop = Shop::open_with(&database, "quick", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, id) = sent(&shop, &customer, &[(0, 1)]).await;
        shop.tracked(id, report(Scan::Exception, 60)).await;
        assert_eq!(shop.stages_and_status(order).await.0, [N::ShipmentException], "an exception does not prove that the parcel is on its way");
        let shipment = shop.tracked(id, report(Scan::InTransit, 0)).await;
        assert_eq!(shipment.status, ShipmentStatus::Exception);
        assert_eq!(shop.stages_and_status(order).await.0, [N::ResolutionApproved], "a late scan counts as a scan");
        assert_eq!(shop.tracked(id, report(Scan::Delivered, 90)).await.status, ShipmentStatus::Delivered);
        assert_eq!(shop.stages_and_status(order).await.0, [N::ResolutionApproved], "recorded without a change of stage");
    }

    async fn a_cancelled_parcel_accepts_no_reports_and_has_no_label(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, id) = sent(&shop, &customer, &[(0, 1)]).await;
        let label = shop.retour.merchant(&shop.staff).label(id, &[LabelFormat::Zpl, LabelFormat::Pdf]).await.unwrap();
        assert!(matches!(label, PrintedLabel::File { format: LabelFormat::Zpl, bytes } if bytes.starts_with(b"^XA")));
        fresh(customer.cancel(order).await.unwrap(), 200);
        let before = contents(&database).await;
        let cancelled = ErrorCode::Refused(RefusalCode::ShipmentCancelled);
        assert_eq!(refusal(shop.track(id, report(Scan::InTransit, 0)).await), cancelled);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).label(id, &[LabelFormat::Pdf]).await), cancelled);
        assert_eq!(contents(&database).await, before);
        assert_eq!(shop.retour.merchant(&shop.staff).shipment(id).await.unwrap().label_url, None);
    }

    async fn bad_reports_are_refused_by_field_and_change_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, id) = sent(&shop, &customer, &[(0, 1)]).await;
        let before = contents(&database).await;
        let bad = TrackingReport {
            status: Scan::InTransit,
            explanation: "x".repeat(501),
            happened_at: Some(NOW.plus_seconds(601)),
            carrier: Some("\0".to_owned()),
            tracking_number: Some("x".repeat(101)),
            tracking_url: Some("javascript:alert(1)".to_owned()),
        };
        let Err(Error::Invalid(errors)) = shop.track(id, bad).await else { panic!("expected invalid fields") };
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["explanation", "carrier", "trackingNumber", "trackingUrl", "happenedAt"]);
        for url in ["", "http://", "https://", "https:///3SABC", "https://carrier.example/3S ABC"] {
            let bad = TrackingReport { tracking_url: Some(url.to_owned()), ..report(Scan::InTransit, 0) };
            let Err(Error::Invalid(errors)) = shop.track(id, bad).await else { panic!("expected invalid fields for {url}") };
            assert_eq!(errors[0].field, "trackingUrl", "{url}");
        }
        assert_eq!(contents(&database).await, before);
        let most = TrackingReport {
            explanation: "手".repeat(500),
            carrier: Some("手".repeat(100)),
            tracking_url: Some(format!("https://{}", "x".repeat(1_992))),
            ..report(Scan::InTransit, 600)
        };
        shop.tracked(id, most).await;
        let now = TrackingReport { happened_at: None, ..report(Scan::Delivered, 0) };
        assert_eq!(shop.tracked(id, now).await.tracking_updates[0].happened_at, NOW);
    }

    async fn another_shop_finds_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, id) = sent(&shop, &customer, &[(0, 1)]).await;
        let all = Listing::newest(Page::first(10));
        assert_eq!(shop.retour.merchant(&shop.staff).shipments(&all).await.unwrap().data.len(), 1);
        assert!(other.retour.merchant(&other.staff).shipments(&all).await.unwrap().data.is_empty());
        let condition = lists::SHIPMENTS.condition("status:LabelCreated").unwrap();
        let created = Listing { conditions: vec![condition], ..all };
        assert_eq!(shop.retour.merchant(&shop.staff).shipments(&created).await.unwrap().data.len(), 1);
        assert_eq!(refusal(other.retour.merchant(&other.staff).shipment(id).await), ErrorCode::NotFound);
        assert_eq!(refusal(other.retour.merchant(&other.staff).label(id, &[LabelFormat::Pdf]).await), ErrorCode::NotFound);
        assert_eq!(refusal(other.track(id, report(Scan::InTransit, 0)).await), ErrorCode::NotFound);
        assert_eq!(database.rows("tracking_updates").await, 0);
    }

    async fn a_repeated_request_returns_its_first_answer(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, id) = sent(&shop, &customer, &[(0, 1)]).await;
        let key = || Some(IdempotencyKey { credential: "me".into(), key: "1".into(), fingerprint: vec![1] });
        let now = || TrackingReport { happened_at: None, ..report(Scan::InTransit, 0) };
        fresh(shop.retour.merchant(&shop.staff).track(id, now(), key()).await.unwrap(), 200);
        shop.source.set(Timestamp::from_micros(NOW.micros() + 5));
        let again = shop.retour.merchant(&shop.staff).track(id, now(), key()).await.unwrap();
        assert!(matches!(again, Done::Replayed(_)), "{again:?}");
        assert_eq!(database.rows("tracking_updates").await, 1);
    }
}
