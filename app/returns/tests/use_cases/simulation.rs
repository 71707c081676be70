//! Test accounts: specimen labels, the simulated carrier and warehouse, and triggered events.

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
    AccountUpdate, LabelFormat, NewAccount, PrintedLabel, Result, Retour, Role, Scope, Source, Trigger, Triggered,
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
        let left = hooked.retour.merchant(&hooked.staff).webhook_subscriptions(&returns::Listing::newest(crate::shop::ALL)).await;
        assert!(left.unwrap().data.is_empty(), "the disabled subscription is deleted");
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
        let unmarked = AccountUpdate { test: Some(false), ..AccountUpdate::default() };
        shop.retour.operator().update_account(shop.account.id, unmarked).await.unwrap();
        let marked = AccountUpdate { test: Some(true), ..AccountUpdate::default() };
        let marked = fresh(shop.retour.operator().update_account(shop.account.id, marked).await.unwrap(), 200);
        assert_eq!((marked.test, marked.carrier.kind), (true, CarrierKind::Own));
    }

    async fn the_test_mark_changes_only_before_the_first_return(database: Database) {
        let shop = Shop::open(&database).await;
        let mark = async |test: bool| {
            let update = AccountUpdate { test: Some(test), ..AccountUpdate::default() };
            shop.retour.operator().update_account(shop.account.id, update).await
        };
        let marked = fresh(mark(true).await.unwrap(), 200);
        assert_eq!((marked.test, marked.carrier.kind), (true, CarrierKind::Simulated));
        let unmarked = fresh(mark(false).await.unwrap(), 200);
        assert_eq!((unmarked.test, unmarked.carrier.kind), (false, CarrierKind::Own));
        sell_and_return(&shop).await;
        assert_eq!(fields(mark(true).await), ["test"]);
        fresh(mark(false).await.unwrap(), 200);
    }

    async fn triggers_of_the_operator_name_no_actor_in_the_timeline(database: Database) {
        let shop = test_shop(&database, manual_policy()).await;
        let order = trigger(&shop, E::ReturnOrderConfirmed, None, None).await.unwrap().return_order.unwrap().id;
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        let entries = shop.retour.merchant(&shop.staff).timeline(request).await.unwrap();
        assert!(entries.iter().all(|entry| entry.actor_id.is_none()), "{entries:?}");
    }
}
