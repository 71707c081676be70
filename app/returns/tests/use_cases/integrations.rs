//! Failed calls to shops, carriers and payment providers are visible to staff at once, and never to shoppers.

use crate::{
    bridges::{answer, answer_known_order, change_account, connected, order},
    bridges_settling::{Ledger, is_settling, request, shop, start_settling, wait_for_retry, wait_for_stage},
    labels,
    payments::unpaid_return,
    payments_company::{Company, payment_page},
    shop::{Customer, EMAIL, HERE, NOW, Shop, fresh, refusal},
    webhooks::until,
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{
    ReturnOrderId, ReturnRequestId,
    integration::{IntegrationOperation as Operation, IntegrationRole as Role},
    payment::PaymentKind,
    stage::StageName as N,
};
use returns::{ErrorCode, Proof, view};
use serde_json::json;
use store::testing::Database;

const WRONG: &str = "The bridge's answer violates the contract. status: this field is missing";

async fn integrations(shop: &Shop) -> Vec<view::Integration> {
    shop.retour.merchant(&shop.staff).integrations().await.unwrap().data
}

async fn of_role(shop: &Shop, role: Role) -> view::Integration {
    integrations(shop).await.into_iter().find(|one| one.role == role).unwrap()
}

fn operation(integration: &view::Integration, operation: Operation) -> view::HealthView {
    integration.operations.iter().find(|one| one.operation == operation).unwrap().health.clone()
}

async fn approved(shop: &Shop) -> (Customer, ReturnOrderId, ReturnRequestId) {
    let customer = shop.customer("1001").await;
    let order = customer.send_back(&[(0, 2)]).await.id;
    let id = shop.whole(order).await.return_requests.unwrap()[0].id;
    let receipt = returns::Receipt { quantity: 2, external_reference: None };
    fresh(shop.retour.merchant(&shop.staff).receive(id, receipt, None).await.unwrap(), 200);
    (customer, order, id)
}

/// Waits until the request shows this number of failed attempts.
async fn wait_for_failures(shop: &Shop, id: ReturnRequestId, times: u32) -> view::ResolutionView {
    until("the request shows the failed attempts", || async {
        request(shop, id).await.resolution.failed_attempts == times
    })
    .await;
    request(shop, id).await.resolution
}

/// The errors of failed calls in the timeline.
async fn error_entries(shop: &Shop, id: ReturnRequestId) -> Vec<String> {
    let entries = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
    entries.into_iter().filter(|entry| entry.from_stage == Some(entry.to_stage)).map(|entry| entry.comment).collect()
}

fn settles(component: &Receiver, settles: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) {
    component.answer(move |got| if is_settling(got) { settles(got) } else { answer_known_order(got) });
}

store::on_each_database! {
    async fn a_wrong_answer_to_a_settlement_is_shown_at_once(database: Database) {
        let (shop, component) = shop(&database, |_| answer(200, &json!({"status": "Paid"}))).await;
        let settling = start_settling(&shop);
        let (customer, order, id) = approved(&shop).await;
        let first = wait_for_failures(&shop, id, 1).await;
        settles(&component, |_| answer(200, &json!({})));
        let message = first.error_message.unwrap();
        assert!(message.starts_with("The bridge's answer violates the contract. "), "{message}");
        assert_eq!(first.next_attempt_at, Some(NOW.plus_seconds(60)));
        assert_eq!((request(&shop, id).await.stage, error_entries(&shop, id).await), (N::ResolutionProcessing, vec![message]));
        // A new error adds an entry, the same error does not.
        for (times, seconds) in [(2, 60), (3, 300)] {
            wait_for_retry(&shop, &database).await;
            shop.source.set(shop.source.now().plus_seconds(seconds));
            assert_eq!(wait_for_failures(&shop, id, times).await.error_message.as_deref(), Some(WRONG));
        }
        assert_eq!(error_entries(&shop, id).await[1..], [WRONG]);
        // The shopper sees no errors.
        let own = shop.retour.consumer(&customer.shopper).return_order(order, &[returns::Expand::ReturnRequests]).await.unwrap();
        let seen = own.return_requests.unwrap().remove(0).resolution;
        assert_eq!((seen.error_message, seen.failed_attempts, seen.next_attempt_at), (None, 0, None));
        let entries = shop.retour.consumer(&customer.shopper).timeline(order).await.unwrap();
        assert!(entries.iter().all(|entry| entry.from_stage != Some(entry.to_stage)), "{entries:?}");
        assert_eq!(entries.last().unwrap().to_stage, N::ResolutionProcessing);
        settling.stop().await;
    }

    async fn a_correct_answer_clears_the_error(database: Database) {
        let (shop, component) = shop(&database, |_| answer(200, &json!({}))).await;
        let settling = start_settling(&shop);
        let (_, _, id) = approved(&shop).await;
        wait_for_failures(&shop, id, 1).await;
        let failing = of_role(&shop, Role::Shop).await;
        assert_eq!((failing.kind, failing.health.failed_attempts), (view::IntegrationKind::Http, 1));
        assert_eq!(failing.health.error_message.as_deref(), Some(WRONG));
        assert_eq!((failing.health.last_error_at, failing.health.next_attempt_at), (Some(NOW), Some(NOW.plus_seconds(60))));
        assert_eq!(operation(&failing, Operation::Resolution).last_success_at, None);
        until("the look-up is recorded", || async { of_role(&shop, Role::Shop).await.operations.len() == 2 }).await;
        let looked_up = operation(&of_role(&shop, Role::Shop).await, Operation::LookUp);
        assert_eq!((looked_up.last_success_at, looked_up.failed_attempts), (Some(NOW), 0));
        // `Pending` is a usable answer.
        settles(&component, |_| answer(200, &json!({"status": "Pending"})));
        wait_for_retry(&shop, &database).await;
        shop.source.set(NOW.plus_seconds(60));
        let seen = wait_for_failures(&shop, id, 0).await;
        assert_eq!((seen.error_message, seen.next_attempt_at), (None, None));
        let works = operation(&of_role(&shop, Role::Shop).await, Operation::Resolution);
        assert_eq!((works.last_success_at, works.failed_attempts), (Some(NOW.plus_seconds(60)), 0));
        assert_eq!((works.error_message.as_deref(), works.last_error_at), (Some(WRONG), Some(NOW)), "the last error stays readable");
        let ledger = Ledger::default();
        settles(&component, move |got| ledger.pay(&got.json()));
        wait_for_retry(&shop, &database).await;
        shop.source.set(NOW.plus_seconds(360));
        wait_for_stage(&shop, id, N::ResolutionCompleted).await;
        assert_eq!(request(&shop, id).await.resolution.error_message, None);
        settling.stop().await;
    }

    async fn a_settlement_whose_connection_broke_is_retried_within_seconds_under_the_same_id(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        // The shop pays, and the connection breaks.
        let (shop, component) = shop(&database, move |got| {
            pays.pay(&got.json());
            Reply::Raw(Vec::new())
        }).await;
        let settling = start_settling(&shop);
        let (_, _, id) = approved(&shop).await;
        let broken = wait_for_failures(&shop, id, 1).await;
        assert_eq!(broken.next_attempt_at, Some(NOW.plus_seconds(5)));
        // The connection breaks again: the next delay is a minute, as for other errors.
        wait_for_retry(&shop, &database).await;
        shop.source.set(NOW.plus_seconds(5));
        assert_eq!(wait_for_failures(&shop, id, 2).await.next_attempt_at, Some(NOW.plus_seconds(65)));
        assert_eq!(error_entries(&shop, id).await.len(), 1);
        let pays = ledger.clone();
        settles(&component, move |got| pays.pay(&got.json()));
        wait_for_retry(&shop, &database).await;
        shop.source.set(NOW.plus_seconds(65));
        wait_for_stage(&shop, id, N::ResolutionCompleted).await;
        let all: Vec<_> = component.got().into_iter().filter(is_settling).map(|got| got.json()).collect();
        assert_eq!((all.len(), ledger.paid().len()), (3, 1), "asked three times, paid once");
        assert!(all.iter().all(|asked| *asked == all[0]), "all three requests are the same");
        settling.stop().await;
    }

    async fn failed_look_ups_are_shown_and_successes_are_recorded_once_a_minute(database: Database) {
        let component = Receiver::start(answer_known_order).await;
        let shop = connected(&database, &component).await;
        let prove = async || shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await;
        let known = async || operation(&of_role(&shop, Role::Shop).await, Operation::LookUp);
        assert_eq!(of_role(&shop, Role::Shop).await.health.last_success_at, None);
        prove().await.unwrap();
        until("the success is recorded", || async { !of_role(&shop, Role::Shop).await.operations.is_empty() }).await;
        assert_eq!(known().await.last_success_at, Some(NOW));
        // A second success within the minute is not recorded.
        shop.source.set(NOW.plus_seconds(59));
        prove().await.unwrap();
        component.answer(|_| Reply::Status(500));
        prove().await.unwrap_err();
        until("the failure is recorded", || async { known().await.failed_attempts == 1 }).await;
        let failed = known().await;
        assert_eq!(failed.last_success_at, Some(NOW));
        assert_eq!(failed.error_message.as_deref(), Some("The bridge answered with status 500."));
        // The shop answers with another person's order: the error names the fields, not their values.
        component.answer(|_| answer(200, &order(0)));
        shop.retour.identify(&shop.account, "1001", Proof::Email("eve@example.com".to_owned()), HERE).await.unwrap_err();
        until("the second failure is recorded", || async { known().await.failed_attempts == 2 }).await;
        let message = known().await.error_message.unwrap();
        assert!(message.contains("another person's") && message.contains("consumer.email"), "{message}");
        assert!(!message.contains("ada") && !message.contains("eve"), "{message}");
        // After a failure, the next success is recorded at once.
        prove().await.unwrap();
        until("the look-up works again", || async { known().await.failed_attempts == 0 }).await;
        assert_eq!(known().await.last_success_at, Some(NOW.plus_seconds(59)));
    }

    async fn each_account_sees_its_own_integrations_and_a_changed_setting_clears_their_record(database: Database) {
        let component = Receiver::start(|_| Reply::Status(503)).await;
        let shop = connected(&database, &component).await;
        shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await.unwrap_err();
        until("the failure is recorded", || async { of_role(&shop, Role::Shop).await.health.failed_attempts == 1 }).await;
        let other = Shop::open_with(&database, "other", "EUR", domain::policy::Policy::default()).await;
        assert_eq!(integrations(&other).await.len(), 0, "the other account has no integrations");
        let next = Receiver::start(answer_known_order).await;
        let change = json!({"bridge": {"kind": "http", "url": next.url, "secret": crate::bridges::SECRET}});
        change_account(&shop, change).await.unwrap();
        let fresh = of_role(&shop, Role::Shop).await;
        assert_eq!((fresh.operations.len(), fresh.health.error_message), (0, None));
        // Changes of other settings keep the record.
        let shop = Shop { account: shop.retour.account("fjord-fern").await.unwrap(), ..shop.clone() };
        shop.customer("1001").await;
        until("the success is recorded", || async { !of_role(&shop, Role::Shop).await.operations.is_empty() }).await;
        change_account(&shop, json!({"name": "Fern & Fjord"})).await.unwrap();
        assert_eq!(of_role(&shop, Role::Shop).await.operations.len(), 1);
        change_account(&shop, json!({"bridge": {"kind": "catalog"}})).await.unwrap();
        assert_eq!(integrations(&shop).await.len(), 0);
    }

    async fn a_label_that_the_carrier_does_not_make_is_shown_at_once(database: Database) {
        let (shop, _component) = labels::shop(&database, |_| Reply::Status(503)).await;
        let (customer, order) = labels::sent_back(&shop).await;
        let making = labels::start_label_worker(&shop.retour);
        until("the shipment shows the failed attempt", || async { labels::parcel(&shop, order).await.failed_attempts == 1 }).await;
        let parcel = labels::parcel(&shop, order).await;
        assert_eq!(parcel.error_message.as_deref(), Some("The bridge answered with status 503."));
        assert_eq!(parcel.next_attempt_at, Some(NOW.plus_seconds(10)));
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        assert_eq!(error_entries(&shop, id).await, ["The bridge answered with status 503."]);
        let own = shop.retour.consumer(&customer.shopper).return_order(order, &[returns::Expand::Shipments]).await.unwrap();
        let seen = own.shipments.unwrap().remove(0);
        assert_eq!((seen.error_message, seen.failed_attempts, seen.next_attempt_at), (None, 0, None));
        let carrier = of_role(&shop, Role::Carrier).await;
        assert_eq!((carrier.kind, carrier.health.failed_attempts), (view::IntegrationKind::Bridge, 1));
        assert_eq!(operation(&carrier, Operation::Label).next_attempt_at, Some(NOW.plus_seconds(10)));
        making.stop().await;
    }

    async fn a_failing_payment_provider_is_shown_at_once(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let shop = company.shop(&database).await;
        let (customer, order) = unpaid_return(&shop).await;
        company.next("open", "fail", 1).await;
        assert_eq!(refusal(shop.retour.pay(shop.account.id, order, false).await), ErrorCode::PaymentUnavailable);
        let payment = shop.whole(order).await.payment.unwrap();
        let message = payment.error_message.unwrap();
        assert_eq!((payment.failed_attempts, payment.next_attempt_at), (1, None), "the provider is asked again only when a shopper wants to pay");
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        assert_eq!(error_entries(&shop, id).await, std::slice::from_ref(&message));
        let provider = of_role(&shop, Role::PaymentProvider).await;
        assert_eq!((provider.kind, provider.health.error_message), (view::IntegrationKind::Stripe, Some(message)));
        let own = shop.retour.consumer(&customer.shopper).return_order(order, &[]).await.unwrap().payment.unwrap();
        assert_eq!((own.error_message, own.failed_attempts), (None, 0));
        assert!(payment_page(&shop, order).await.is_some());
        let payment = shop.whole(order).await.payment.unwrap();
        assert_eq!((payment.error_message, payment.failed_attempts), (None, 0));
        let works = operation(&of_role(&shop, Role::PaymentProvider).await, Operation::Checkout);
        assert_eq!((works.last_success_at, works.failed_attempts), (Some(NOW), 0));
    }
}
