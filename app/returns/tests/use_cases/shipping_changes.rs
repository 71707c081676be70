//! Staff choose another way of sending, before anybody has seen the parcel.

use crate::{
    handling::{agent, once},
    labels::{Press, label_requests, shop as shop_with_carrier, start_label_worker},
    payments::{charge_shipping_up_front, minor, statuses, unpaid_return},
    progress::{because, to},
    race::at_once,
    shop::{NOW, Shop, fields, fresh, refusal, sent},
    webhooks::until,
    webhooks_receiver::Reply,
};
use domain::{
    RefusalCode, ReturnOrderId, ShippingOptionId,
    costs::LineKind,
    payment::{PaymentState, PaymentStatus},
    policy::Policy,
    returning::ShipmentStatus,
    stage::{Scan, StageName as N},
};
use outbound::mail::Mailer;
use returns::{Error, ErrorCode, ShippingChangeInput, TrackingReport, view};
use serde_json::json;
use store::testing::Database;

fn into(option: ShippingOptionId) -> ShippingChangeInput {
    ShippingChangeInput { shipping_option_id: option, reason: "No printer".to_owned() }
}

impl Shop {
    async fn way(&self, name: &str, method: &str, price: &str) -> ShippingOptionId {
        let prices = json!([{"value": price, "currency": self.account.currency.code()}]);
        let new = json!({"name": {"en": name}, "method": method, "prices": prices});
        fresh(self.retour.merchant(&self.staff).create_shipping_option(sent(new), None).await.unwrap(), 201).id
    }

    async fn send_by(&self, order: ReturnOrderId, option: ShippingOptionId) -> Result<view::ReturnOrderView, Error> {
        let changed = self.retour.merchant(&self.staff).change_shipping(order, into(option), None, None).await?;
        Ok(fresh(changed, 200))
    }

    async fn parcels(&self, order: ReturnOrderId) -> Vec<ShipmentStatus> {
        let shipments = self.whole(order).await.shipments.unwrap();
        shipments.into_iter().map(|shipment| shipment.status).collect()
    }

    async fn fee(&self, order: ReturnOrderId) -> i64 {
        self.whole(order).await.costs.breakdown().unwrap().total(LineKind::ReturnShipping)
    }

    async fn stages(&self, order: ReturnOrderId) -> Vec<N> {
        self.whole(order).await.return_requests.unwrap().into_iter().map(|request| request.stage).collect()
    }
}

fn in_transit() -> TrackingReport {
    TrackingReport {
        status: Scan::InTransit,
        explanation: String::new(),
        happened_at: None,
        carrier: None,
        tracking_number: None,
        tracking_url: None,
    }
}

use ShipmentStatus::{Cancelled, LabelCreated, New};

store::on_each_database! {
    async fn another_way_has_its_own_label_and_its_own_costs(database: Database) {
        let shop = Shop::open_with(&database, "unhurried", "EUR", Policy { auto_resolve: false, ..Policy::default() }).await;
        let order = shop.sell("1001", &[(1, 5_000), (1, 2_000)]).await.send_back(&[(0, 1), (1, 1)]).await;
        let (express, counter) = (shop.way("Express", "Label", "9.95").await, shop.way("Shop", "InStore", "0.00").await);
        let handle = shop.retour.merchant(&shop.staff);
        let refund = |costs: &view::Costs| costs.breakdown().unwrap().estimated_refund.minor;
        let preview = handle.preview_shipping(order.id, into(express)).await.unwrap();
        assert_eq!(preview.before.estimated_refund.minor, refund(&order.costs));
        assert_eq!((shop.whole(order.id).await.version, shop.parcels(order.id).await), (order.version, vec![LabelCreated]), "a preview changes nothing");

        let changed = fresh(handle.change_shipping(order.id, into(express), Some(order.version), once("1")).await.unwrap(), 200);
        assert_eq!((changed.shipping_option_id, changed.version), (Some(express), order.version + 1));
        assert_eq!((refund(&changed.costs), shop.fee(order.id).await), (preview.after.estimated_refund.minor, -995));
        let whole = shop.whole(order.id).await;
        let values: i64 = whole.return_requests.unwrap().iter().map(|request| request.resolution.value.unwrap().minor).sum();
        assert_eq!(values, preview.after.estimated_refund.minor, "the requests share the fee");
        assert_eq!((shop.parcels(order.id).await, shop.stages(order.id).await), (vec![Cancelled, LabelCreated], vec![N::SubmittedReady; 2]));
        let whole = shop.whole(order.id).await.shipments.unwrap();
        assert_ne!(whole[0].label_barcode, whole[1].label_barcode);
        handle.change_shipping(order.id, into(express), Some(order.version), once("1")).await.unwrap();
        assert_eq!(shop.parcels(order.id).await.len(), 2, "a repeated request makes no further label");
        assert_eq!(shop.send_by(order.id, express).await.unwrap().version, changed.version, "the same way changes nothing");

        shop.send_by(order.id, counter).await.unwrap();
        assert_eq!((shop.fee(order.id).await, shop.parcels(order.id).await), (0, vec![Cancelled, Cancelled]));
        assert_eq!(shop.stages(order.id).await, vec![N::SubmittedReady; 2]);
        shop.send_by(order.id, express).await.unwrap();
        assert_eq!(shop.parcels(order.id).await, [Cancelled, Cancelled, LabelCreated]);
        let made = database.texts("SELECT type FROM events WHERE type = 'shipment.label_created'").await;
        assert_eq!(made.len(), 3);
        let audited = database.texts("SELECT action FROM audit_entries WHERE action = 'return_order.shipping_changed'").await;
        assert_eq!(audited.len(), 3);
        let request = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        let entries = handle.timeline(request).await.unwrap();
        let said: Vec<&str> = entries.iter().map(|entry| entry.comment.as_str()).filter(|said| said.contains('→')).collect();
        assert_eq!((said.len(), said[1]), (3, "Express → Shop: No printer"));
    }

    async fn a_return_that_nobody_has_approved_gets_one_label_of_the_new_way(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await;
        let order = shop.sell("1001", &[(1, 5_000)]).await.send_back(&[(0, 1)]).await.id;
        let (express, counter) = (shop.way("Express", "Label", "9.95").await, shop.way("Shop", "InStore", "0.00").await);
        shop.send_by(order, counter).await.unwrap();
        shop.send_by(order, express).await.unwrap();
        assert_eq!((shop.stages(order).await, shop.parcels(order).await, shop.fee(order).await), (vec![N::RequestedReview], vec![], -995));
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        shop.advance(request, to(N::RequestedApproved)).await;
        assert_eq!((shop.stages(order).await, shop.parcels(order).await), (vec![N::SubmittedReady], vec![LabelCreated]));
        shop.try_receive(request, 1, None).await.unwrap();
        let paid = shop.whole(order).await.return_requests.unwrap()[0].resolution.value.unwrap().minor;
        assert_eq!(paid, 4_005, "what the preview said is what the resolution gives");
    }

    async fn only_what_nobody_has_seen_is_sent_in_another_way(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 5_000), (1, 1_000)]).await;
        let order = customer.send_back(&[(0, 1)]).await;
        let express = shop.way("Express", "Label", "9.95").await;
        let handle = shop.retour.merchant(&shop.staff);
        let stale = handle.change_shipping(order.id, into(express), Some(order.version + 1), None).await;
        assert_eq!(refusal(stale), ErrorCode::PreconditionFailed);
        let unknown = ShippingOptionId(order.id.0);
        assert_eq!(fields(shop.send_by(order.id, unknown).await), ["shippingOptionId"]);
        let silent = ShippingChangeInput { reason: " a ".to_owned(), ..into(express) };
        assert_eq!(fields(handle.change_shipping(order.id, silent, None, None).await), ["reason"]);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.send_by(order.id, express).await), ErrorCode::NotFound);

        let parcel = shop.whole(order.id).await.shipments.unwrap().remove(0).id;
        fresh(handle.track(parcel, in_transit(), None).await.unwrap(), 200);
        let late = ErrorCode::Refused(RefusalCode::IllegalTransition);
        assert_eq!(refusal(shop.send_by(order.id, express).await), late);
        assert_eq!(refusal(handle.preview_shipping(order.id, into(express)).await), late);
        // A part arrived without a scan.
        let both = customer.send_back(&[(0, 1), (1, 1)]).await.id;
        let request = shop.whole(both).await.return_requests.unwrap()[0].id;
        shop.try_receive(request, 1, None).await.unwrap();
        assert_eq!(refusal(shop.send_by(both, express).await), late);
    }

    async fn what_was_paid_for_the_return_is_not_raised(database: Database) {
        let mut shop = charge_shipping_up_front(Shop::open(&database).await).await;
        shop.retour = shop.retour.clone().configured(|config| config.simulates_payments = true);
        crate::bridges::change_account(&shop, json!({"payment": {"kind": "simulated"}})).await.unwrap();
        shop.account = shop.retour.account("fjord-fern").await.unwrap();
        let (dear, cheap) = (shop.way("Express", "Label", "9.95").await, shop.way("Box", "Label", "1.95").await);
        let (_, order) = unpaid_return(&shop).await;
        let late = ErrorCode::Refused(RefusalCode::TooLate);
        assert_eq!(refusal(shop.send_by(order, cheap).await), late, "the consumer is asked for the fee");
        shop.retour.pay_simulated(shop.account.id, order).await.unwrap();
        assert_eq!(refusal(shop.send_by(order, dear).await), late);
        shop.send_by(order, cheap).await.unwrap();
        assert_eq!((shop.parcels(order).await, shop.fee(order).await), (vec![Cancelled, LabelCreated], -195));
        assert_eq!(refusal(shop.send_by(order, dear).await), late);
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        shop.try_receive(request, 1, None).await.unwrap();
        shop.advance(request, to(N::ResolutionCompleted)).await;
        let over = shop.whole(order).await;
        assert_eq!(minor(&over), (PaymentState::Paid, 495, 300), "what the cheaper way saves goes back");
        assert_eq!(over.return_requests.unwrap()[0].resolution.value.unwrap().minor, 4_000);
    }

    async fn what_is_to_be_paid_follows_until_the_return_is_approved(database: Database) {
        let mut shop = charge_shipping_up_front(Shop::open(&database).await).await;
        shop.retour = shop.retour.clone().configured(|config| config.simulates_payments = true);
        crate::bridges::change_account(&shop, json!({"payment": {"kind": "simulated"}, "policy": {"autoApprove": false}})).await.unwrap();
        shop.account = shop.retour.account("fjord-fern").await.unwrap();
        let dear = shop.way("Express", "Label", "9.95").await;
        let (_, order) = unpaid_return(&shop).await;
        shop.send_by(order, dear).await.unwrap();
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        shop.advance(request, to(N::RequestedApproved)).await;
        let asked = shop.whole(order).await;
        assert_eq!((statuses(&asked).1, minor(&asked)), (PaymentStatus::Pending, (PaymentState::Pending, 995, 0)));
    }

    async fn an_agent_does_not_raise_a_value_above_the_limit_by_a_cheaper_way(database: Database) {
        let policy = Policy { auto_resolve: false, agent_limit: sent(json!([{"value": "48.00", "currency": "EUR"}])), ..Policy::default() };
        let shop = Shop::open_with(&database, "limited", "EUR", policy).await;
        let (dear, free) = (shop.way("Express", "Label", "9.95").await, shop.way("Shop", "InStore", "0.00").await);
        let order = shop.sell("1001", &[(1, 5_000)]).await.send_back(&[(0, 1)]).await.id;
        let (_, ada) = agent(&shop, "ada@shop.example").await;
        let as_ada = shop.retour.merchant(&ada);
        fresh(as_ada.change_shipping(order, into(dear), None, None).await.unwrap(), 200);
        assert_eq!(as_ada.worked_return_orders().await.unwrap().data[0].id, order);
        let beyond = ErrorCode::Refused(RefusalCode::AgentLimitExceeded);
        assert_eq!(refusal(as_ada.change_shipping(order, into(free), None, None).await), beyond);
        assert_eq!(refusal(as_ada.preview_shipping(order, into(free)).await), beyond);
        assert_eq!(shop.parcels(order).await, [Cancelled, LabelCreated], "nothing was written");
        shop.send_by(order, free).await.unwrap();
    }

    async fn a_carrier_voids_the_old_label_and_makes_the_new_one_once(database: Database) {
        let press = Press::default();
        let makes = press.clone();
        let (shop, component) = shop_with_carrier(&database, move |got| match makes.make(&got.json()) {
            Reply::Raw(bytes) => Reply::RawWhenOpen(bytes),
            other => other,
        }).await;
        let order = shop.customer("1001").await.send_back(&[(0, 1)]).await.id;
        let express = shop.way("Express", "Label", "9.95").await;
        let making = start_label_worker(&shop.retour);
        until("the carrier is asked", || async { label_requests(&component).len() == 1 }).await;
        shop.send_by(order, express).await.unwrap();
        assert_eq!((shop.parcels(order).await, shop.stages(order).await), (vec![Cancelled, New], vec![N::SubmittedLabelPending]));
        component.open();
        until("the answers are recorded", || async { database.rows("label_requests").await == 0 }).await;
        assert_eq!((shop.parcels(order).await, shop.stages(order).await), (vec![Cancelled, LabelCreated], vec![N::SubmittedReady]));
        let parcels = shop.whole(order).await.shipments.unwrap();
        assert_eq!((parcels[0].label_url.is_some(), parcels[1].label_url.is_some()), (false, true));
        assert_eq!((press.made(), parcels[0].tracking_number.as_deref()), (2, Some("3S0")), "the old number is kept to void it");
        let asked = label_requests(&component);
        assert_eq!(asked.last().unwrap()["shippingOption"]["id"], json!(express));
        making.stop().await;
    }

    async fn a_failed_label_is_replaced_by_that_of_another_way(database: Database) {
        let (shop, component) = shop_with_carrier(&database, |_| Reply::Status(422)).await;
        let order = shop.customer("1001").await.send_back(&[(0, 1)]).await.id;
        let counter = shop.way("Shop", "InStore", "0.00").await;
        let making = start_label_worker(&shop.retour);
        until("the label failed", || async { shop.stages(order).await == [N::SubmittedLabelFailed] }).await;
        making.stop().await;
        shop.send_by(order, counter).await.unwrap();
        assert_eq!((shop.parcels(order).await, shop.stages(order).await), (vec![Cancelled], vec![N::SubmittedReady]));
        assert!(!label_requests(&component).is_empty());
    }

    async fn of_many_changes_at_once_one_parcel_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 5_000)]).await;
        let ways = [shop.way("Express", "Label", "9.95").await, shop.way("Box", "Label", "1.95").await, shop.way("Shop", "InStore", "0.00").await];
        let order = customer.send_back(&[(0, 1)]).await.id;
        let changes = (0..12).map(|turn| {
            let (shop, way) = (shop.clone(), ways[turn % ways.len()]);
            async move { shop.send_by(order, way).await.is_ok() }
        });
        assert!(at_once(changes.collect()).await.into_iter().all(|done| done));
        let (whole, open) = (shop.whole(order).await, shop.parcels(order).await);
        let open = open.into_iter().filter(|status| *status != Cancelled).count();
        assert_eq!(open, usize::from(whole.shipping_option_id != Some(ways[2])));
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert!(shop.parcels(order).await.into_iter().all(|status| status == Cancelled));
        let late = shop.send_by(order, ways[0]).await;
        assert!(matches!(refusal(late), ErrorCode::Refused(RefusalCode::IllegalTransition)));
    }

    async fn the_customer_gets_the_mail_again(database: Database) {
        let folder = tempfile::tempdir().unwrap();
        let mut shop = Shop::open(&database).await;
        let mailer = Mailer::new(&format!("file://{}", folder.path().display()), "shop@example.com").unwrap();
        shop.retour = shop.retour.clone().configured(|config| config.mailer = Some(mailer));
        let mut customer = shop.sell("1001", &[(1, 5_000)]).await;
        customer.retour = shop.retour.clone();
        let order = customer.send_back(&[(0, 1)]).await.id;
        database.run("UPDATE mail_tasks SET told = 'Ready'").await;
        let express = shop.way("Express", "Label", "9.95").await;
        shop.send_by(order, express).await.unwrap();
        let told = database.texts("SELECT told FROM mail_tasks WHERE kind = 'Return'").await;
        assert_eq!(told, [""], "the mail of the same phase is due once more");
        let due = database.texts("SELECT CAST(due_at AS TEXT) FROM mail_tasks WHERE kind = 'Return'").await;
        assert!(due[0].parse::<i64>().unwrap() > NOW.micros(), "{due:?}");
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        shop.advance(request, because(N::ResolutionPending, "Lost")).await;
    }
}
