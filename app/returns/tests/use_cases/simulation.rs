//! Test accounts: specimen labels, the simulated carrier and warehouse, and triggered events.

use crate::race::{Work, at_once};
use crate::{
    bridges::{SECRET, change_account},
    karrio_server::{later, parcel, work},
    shop::{Customer, NOW, Shop, fields, fresh},
    team::user,
    webhooks::Hooked,
};
use domain::{
    Currency, TimeZone,
    branding::Branding,
    integration::CarrierKind,
    policy::{Policy, ResolveOn},
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::StageName as N,
    webhook::EventType as E,
};
use returns::{
    AccountUpdate, Done, LabelFormat, NewAccount, PrintedLabel, Result, Retour, Role, Scope, Source, Trigger,
    Triggered, view,
};
use serde_json::json;
use store::testing::Database;

/// A shop with a test account.
async fn test_shop(database: &Database, policy: Policy) -> Shop {
    let source = Source::held_at(NOW);
    let retour = Retour::new(database.store.clone(), source.clone());
    let new = NewAccount {
        slug: "test-shop".to_owned(),
        name: "Test shop".to_owned(),
        currency: Currency::from_code("EUR").unwrap(),
        time_zone: TimeZone::UTC,
        policy,
        branding: Branding::default(),
        api_origins: Vec::new(),
    };
    let account = retour.operator().create_test_account(new).await.unwrap();
    let key = retour.operator().create_service_user(account.id, "ERP", &[Scope::Admin]).await.unwrap();
    let staff = retour.caller(&key).await.unwrap().as_staff(Scope::Admin).unwrap();
    Shop { retour, source, account, staff }
}

fn manual_policy() -> Policy {
    Policy { auto_approve: false, resolve_on: ResolveOn::Inspection, auto_resolve: false, ..Policy::default() }
}

async fn trigger(shop: &Shop, event: E, stage: Option<N>, number: Option<&str>) -> Result<Triggered> {
    let account = shop.retour.account(&shop.account.slug).await?;
    let trigger = Trigger { event, stage, return_number: number.map(str::to_owned) };
    shop.retour.operator().trigger(&account, &trigger).await
}

fn names(triggered: &Triggered) -> Vec<&'static str> {
    triggered.events.iter().map(|event| event.kind.name()).collect()
}

async fn sell_and_return(shop: &Shop) -> (Customer, domain::ReturnOrderId) {
    let customer = shop.sell("1001", &[(2, 5_000)]).await;
    let order = customer.send_back(&[(0, 2)]).await.id;
    (customer, order)
}

/// Marks the account as a test, or as real.
async fn mark(shop: &Shop, test: bool) -> Result<Done<view::Account>> {
    let update = AccountUpdate { test: Some(test), ..AccountUpdate::default() };
    shop.retour.operator().update_account(shop.account.id, update).await
}

/// An account is a test account exactly if the simulated carrier has its only parcel, if there is one.
async fn assert_tests_alike(shop: &Shop) {
    let is_test = shop.retour.account(&shop.account.slug).await.unwrap().is_test;
    let listing = returns::Listing::newest(crate::shop::ALL);
    let orders = shop.retour.merchant(&shop.staff).return_orders(&listing, &[]).await.unwrap().data;
    for order in orders {
        let carrier = parcel(shop, order.id).await.carrier;
        assert_eq!(carrier.as_deref() == Some("Simulated carrier"), is_test, "{carrier:?}");
    }
}

#[test]
fn a_submit_that_waits_while_the_mark_changes_is_refused() {
    // SQLite has one writer: nothing changes while a submit waits.
    store::testing::on_postgres(|database| async move {
        let tests = test_shop(&database, Policy::default()).await;
        let real = Shop::open(&database).await;
        for (shop, test) in [(tests, false), (real, true)] {
            let customer = shop.sell("1001", &[(2, 5_000)]).await;
            let draft = customer.draft(&[(0, 2)]).await;
            let mut held = database.store.write().await.unwrap();
            assert!(store::consumers::hold(held.db(), shop.account.id, customer.shopper.consumer).await.unwrap());
            let submit = tokio::spawn(async move { customer.submit(draft).await });
            until_waiting(&database, 1, || false).await;
            let marking = shop.clone();
            let marked = tokio::spawn(async move { mark(&marking, test).await });
            until_waiting(&database, 2, || marked.is_finished()).await;
            held.commit().await.unwrap();
            let (submitted, marked) = (submit.await.unwrap(), marked.await.unwrap());
            assert!(submitted.is_ok() != marked.is_ok(), "{submitted:?} {marked:?}");
            assert_tests_alike(&shop).await;
        }
    });
}

/// Waits until so many transactions wait for a lock, or until something else happens.
async fn until_waiting(database: &Database, count: i64, or: impl Fn() -> bool) {
    let waiting =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while database.number(waiting).await < count && !or() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

store::on_each_database! {
    async fn a_parcel_of_the_simulated_carrier_reaches_the_warehouse_within_a_minute(database: Database) {
        let shop = test_shop(&database, Policy { resolve_on: ResolveOn::Inspection, ..Policy::default() }).await;
        let (_, order) = sell_and_return(&shop).await;
        let made = parcel(&shop, order).await;
        assert_eq!((made.status, made.carrier.as_deref()), (ShipmentStatus::LabelCreated, Some("Simulated carrier")));
        work(&shop, &database).await;
        assert_eq!(parcel(&shop, order).await.status, ShipmentStatus::LabelCreated, "it is not handed over at once");
        let mut seen = Vec::new();
        for _ in 0..4 {
            later(&shop, &database, 10).await;
            let explanations = parcel(&shop, order).await.tracking_updates.into_iter().map(|update| update.explanation);
            seen.push(explanations.collect::<Vec<_>>().len());
        }
        assert_eq!(seen, [1, 2, 3, 3]);
        let whole = shop.whole(order).await;
        let request = &whole.return_requests.as_ref().unwrap()[0];
        assert_eq!(parcel(&shop, order).await.status, ShipmentStatus::Delivered);
        assert_eq!(request.received_quantity, 2, "the warehouse counts what was announced");
        assert!(matches!(request.stage.as_str().split(':').next(), Some("Resolution")), "{}", request.stage);
        assert_eq!(database.rows("parcel_tasks").await, 0, "nothing is left to do");
    }

    async fn a_cancelled_parcel_does_not_move(database: Database) {
        let shop = test_shop(&database, Policy::default()).await;
        let (customer, order) = sell_and_return(&shop).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        later(&shop, &database, 10).await;
        let parcel = parcel(&shop, order).await;
        assert_eq!((parcel.status, parcel.tracking_updates.len()), (ShipmentStatus::Cancelled, 0));
        assert_eq!(database.rows("parcel_tasks").await, 0);
    }

    async fn labels_of_test_accounts_alone_are_specimens(database: Database) {
        let (test, real) = (test_shop(&database, Policy::default()).await, Shop::open(&database).await);
        for (shop, is_specimen) in [(test, true), (real, false)] {
            let (_, order) = sell_and_return(&shop).await;
            let label = shop.retour.merchant(&shop.staff).label(parcel(&shop, order).await.id, &[LabelFormat::Zpl]).await.unwrap();
            let PrintedLabel::File { bytes, .. } = label else { panic!("{label:?}") };
            assert_eq!(String::from_utf8(bytes).unwrap().contains("SPECIMEN"), is_specimen);
        }
    }

    async fn triggering_an_event_takes_all_steps_that_lead_to_it(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        user(&shop, "ada@shop.example", Role::Agent).await;
        for event in [
            E::NoteAdded, E::ReturnOrderAssigned, E::StageChanged, E::ReturnOrderCreated, E::ReturnOrderConfirmed, E::ReturnOrderCompleted, E::ReturnOrderCancelled,
            E::LabelCreated, E::TrackingUpdated, E::ShipmentDelivered,
        ] {
            let triggered = trigger(&shop, event, None, None).await.unwrap();
            let names = names(&triggered);
            assert!(names.contains(&event.name()), "{}: {names:?}", event.name());
            assert!(names.contains(&"return_order.created"), "{}: {names:?}", event.name());
            let status = triggered.return_order.unwrap().status;
            let expected = match event {
                E::NoteAdded | E::ReturnOrderAssigned | E::StageChanged | E::ReturnOrderCreated => ReturnOrderStatus::Requested,
                E::ReturnOrderCompleted => ReturnOrderStatus::Completed,
                E::ReturnOrderCancelled => ReturnOrderStatus::Cancelled,
                _ => ReturnOrderStatus::Open,
            };
            assert_eq!(status, expected, "{}", event.name());
        }
    }

    async fn every_stage_that_staff_or_a_carrier_can_cause_can_be_triggered(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        for stage in [
            N::RequestedReview, N::RequestedApproved, N::RequestedRejected, N::SubmittedReady, N::ShipmentInTransit,
            N::ShipmentException, N::ShipmentDelivered, N::ReceivedPartial, N::ReceivedComplete, N::InspectionPending,
            N::ResolutionPending, N::ResolutionApproved, N::ResolutionProcessing, N::ResolutionCompleted, N::ResolutionFailed,
            N::ResolutionDenied, N::ClosedCancelled,
        ] {
            let triggered = trigger(&shop, E::StageChanged, Some(stage), None).await;
            let triggered = triggered.unwrap_or_else(|error| panic!("{stage}: {error}"));
            let order = triggered.return_order.unwrap().id;
            let whole = shop.whole(order).await;
            let timeline = shop.retour.merchant(&shop.staff).timeline(whole.return_requests.unwrap()[0].id).await.unwrap();
            assert!(timeline.iter().any(|entry| entry.to_stage == stage), "{stage}");
        }
    }

    async fn one_return_is_moved_step_by_step(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        let first = trigger(&shop, E::ReturnOrderCreated, None, None).await.unwrap().return_order.unwrap();
        let number = Some(first.number.as_str());
        let confirmed = trigger(&shop, E::ReturnOrderConfirmed, None, number).await.unwrap();
        assert_eq!(confirmed.return_order.as_ref().unwrap().id, first.id);
        assert!(!names(&confirmed).contains(&"return_order.created"), "only new events are listed: {:?}", names(&confirmed));
        let delivered = trigger(&shop, E::ShipmentDelivered, None, number).await.unwrap();
        assert!(names(&delivered).contains(&"shipment.delivered"));
        for event in [E::ReturnOrderCreated, E::ReturnOrderConfirmed, E::LabelCreated, E::ShipmentDelivered] {
            let refused = trigger(&shop, event, None, number).await.unwrap_err().to_string();
            assert!(refused.contains(&format!("cannot happen to return order {}.", first.number)), "{refused}");
        }
        let stages: Vec<N> = shop.whole(first.id).await.return_requests.unwrap().iter().map(|one| one.stage).collect();
        assert_eq!(stages, [N::ShipmentDelivered], "refused triggers move nothing");
        let unknown = trigger(&shop, E::ShipmentDelivered, None, Some("R-NONE")).await.unwrap_err().to_string();
        assert!(unknown.contains("no return order R-NONE"), "{unknown}");
    }

    async fn an_impossible_event_leaves_a_new_return_and_names_it(database: Database) {
        let shop = test_shop(&database, Policy::default()).await;
        let refused = trigger(&shop, E::StageChanged, Some(N::ResolutionDenied), None).await.unwrap_err().to_string();
        let listing = returns::Listing::newest(crate::shop::ALL);
        let left = shop.retour.merchant(&shop.staff).return_orders(&listing, &[]).await.unwrap().data;
        let [left] = left.as_slice() else { panic!("{left:?}") };
        let expected = format!("to Resolution: Denied cannot happen to return order {}.", left.number);
        assert!(refused.contains(&expected), "{refused}");
    }

    async fn events_without_a_return_can_be_triggered(database: Database) {
        let hooked = Hooked::of(&database, test_shop(&database, Policy::default()).await);
        for event in [E::WithdrawalReceived, E::ConsumerErased, E::SubscriptionDisabled] {
            let triggered = trigger(&hooked, event, None, None).await.unwrap();
            assert_eq!(names(&triggered), [event.name()]);
            assert!(triggered.return_order.is_none());
        }
        assert_eq!(database.rows("webhook_subscriptions").await, 0, "an interruption leaves none");
        let refused = trigger(&hooked, E::Ping, None, None).await.unwrap_err().to_string();
        assert!(refused.contains("no enabled webhook subscription"), "{refused}");
    }

    async fn a_live_account_is_refused(database: Database) {
        let shop = Shop::open(&database).await;
        let refused = trigger(&shop, E::ReturnOrderCreated, None, None).await.unwrap_err().to_string();
        assert!(refused.contains("is not a test"), "{refused}");
        assert_eq!(database.rows("orders").await, 0);
        let simulated = json!({"carrier": {"kind": "simulated"}});
        assert_eq!(fields(change_account(&shop, simulated).await), ["carrier.kind"]);
    }

    async fn the_simulated_carrier_requires_refunds_that_move_no_money(database: Database) {
        let shop = test_shop(&database, Policy::default()).await;
        let retour = shop.retour.clone().configured(|config| config.secret_keys = "a key for tests that is long enough".parse().unwrap());
        let shop = Shop { retour, ..shop };
        let http = json!({"bridge": {"kind": "http", "url": "https://shop.example/retour", "secret": SECRET}});
        assert_eq!(fields(change_account(&shop, http.clone()).await), ["carrier.kind"], "its refunds would be real");
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        change_account(&shop, http).await.unwrap();
        assert_eq!(fields(change_account(&shop, json!({"carrier": {"kind": "simulated"}})).await), ["carrier.kind"]);
        // Marking the account as a test does not select the simulated carrier while a shop is connected.
        mark(&shop, false).await.unwrap();
        let marked = fresh(mark(&shop, true).await.unwrap(), 200);
        assert_eq!((marked.test, marked.carrier.kind), (true, CarrierKind::Own));
    }

    async fn the_test_mark_changes_only_before_the_first_return(database: Database) {
        let shop = Shop::open(&database).await;
        let marked = fresh(mark(&shop, true).await.unwrap(), 200);
        assert_eq!((marked.test, marked.carrier.kind), (true, CarrierKind::Simulated));
        let unmarked = fresh(mark(&shop, false).await.unwrap(), 200);
        assert_eq!((unmarked.test, unmarked.carrier.kind), (false, CarrierKind::Own));
        sell_and_return(&shop).await;
        assert_eq!(fields(mark(&shop, true).await), ["test"]);
        fresh(mark(&shop, false).await.unwrap(), 200);
    }

    async fn a_mark_beside_the_first_return_leaves_both_tests_or_both_real(database: Database) {
        for round in 0..8 {
            let shop = Shop::open_with(&database, &format!("shop-{round}"), "EUR", Policy::default()).await;
            let customer = shop.sell("1001", &[(2, 5_000)]).await;
            let draft = customer.draft(&[(0, 2)]).await;
            let marked = shop.clone();
            let work: Vec<Work<bool>> = vec![
                Box::pin(async move { customer.submit(draft).await.is_ok() }),
                Box::pin(async move { mark(&marked, true).await.is_ok() }),
            ];
            at_once(work).await;
            assert_tests_alike(&shop).await;
        }
    }

    async fn racing_triggers_receive_each_unit_once(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        for _ in 0..4 {
            let number = trigger(&shop, E::ShipmentDelivered, None, None).await.unwrap().return_order.unwrap().number;
            let all = [N::ReceivedComplete, N::InspectionPending, N::ReceivedComplete, N::ReceivedPartial].map(|stage| {
                let (shop, number) = (shop.clone(), number.clone());
                async move { trigger(&shop, E::StageChanged, Some(stage), Some(&number)).await.map(drop) }
            });
            at_once(all.into()).await;
            let units = "SELECT CAST(SUM(units) AS BIGINT) FROM receipts WHERE return_request_id = \
                (SELECT id FROM return_requests ORDER BY seq DESC LIMIT 1)";
            assert_eq!(database.number(units).await, 2);
        }
    }

    async fn triggers_of_the_operator_name_no_actor_in_the_timeline(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        let order = trigger(&shop, E::ReturnOrderConfirmed, None, None).await.unwrap().return_order.unwrap().id;
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        let entries = shop.retour.merchant(&shop.staff).timeline(request).await.unwrap();
        assert!(entries.iter().all(|entry| entry.actor_id.is_none()), "{entries:?}");
    }
}
