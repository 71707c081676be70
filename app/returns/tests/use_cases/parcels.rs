//! Weights and customs data of parcels decide before the submit which shipping options are offered; one return may need
//! several parcels.

use crate::{
    bridges::{self, answer, change_account, connected},
    shop::{Customer, Shop, fields, fresh, refusal, sent},
    webhooks_receiver::Receiver,
};
use domain::{
    Locale, RefusalCode, ShippingOptionId,
    order::NewOrder,
    policy::{Policy, ResolveOn},
    returning::{self, ShipmentStatus},
    stage::{Scan, StageName as N},
};
use returns::{
    Done, Error, ErrorCode, FieldError, IdempotencyKey, LabelFormat, Listing, Receipt, TrackingReport, lists, view,
};
use serde_json::{Value, json};
use store::testing::Database;

/// An order of one line of four units of this weight each.
fn order(shop: &Shop, grams: Option<u32>) -> NewOrder {
    let mut order = shop.order("1", &[(4, 10_000)]);
    order.lines[0].product.weight = grams;
    order
}

async fn option(shop: &Shop, new: Value) -> ShippingOptionId {
    fresh(shop.retour.merchant(&shop.staff).create_shipping_option(sent(new), None).await.unwrap(), 201).id
}

async fn ways(shop: &Shop, customer: &Customer, units: u32) -> Vec<(String, i64, i64)> {
    let selections = customer.choose(&[(0, units)]).await;
    let draft = fresh(shop.retour.consumer(&customer.shopper).draft(selections, None, None).await.unwrap(), 201).id;
    let offers = shop.retour.consumer(&customer.shopper).compare_shipping(draft, &Locale::default()).await.unwrap();
    let price_and_refund = |(way, costs): (view::ShippingOptionView, view::Costs)| {
        (way.name, way.fare.unwrap().price.minor, costs.breakdown().unwrap().estimated_refund.minor)
    };
    offers.ways.into_iter().map(price_and_refund).collect()
}

fn errors<T: std::fmt::Debug>(outcome: Result<T, Error>) -> Vec<FieldError> {
    match outcome {
        Err(Error::Invalid(errors)) => errors,
        other => panic!("expected invalid fields: {other:?}"),
    }
}

fn one_line(number: &Value, product: &Value) -> Value {
    let mut reported = bridges::order(0);
    reported["consumer"]["addresses"] = json!([{"street": "Hafenstraße 12", "postalCode": "20457", "country": "DE"}]);
    let mut line = reported["purchases"][0].clone();
    (line["order"]["number"], line["order"]["id"], line["purchaseId"]) =
        (number.clone(), number.clone(), number.clone());
    line["product"] = product.clone();
    reported["purchases"] = json!([line]);
    reported
}

store::on_each_database! {
    async fn heavier_parcels_cost_more_and_too_heavy_ones_need_another_option(database: Database) {
        let shop = Shop::open(&database).await;
        let euro = |value: &str| json!([{"value": value, "currency": "EUR"}]);
        let post = option(&shop, json!({"name": {"en": "Post"}, "method": "DropOff", "prices": euro("4.95"), "maxWeight": 6000,
            "weightPrices": [{"above": 1500, "prices": euro("6.95")}, {"above": 3000, "prices": euro("9.95")}]})).await;
        shop.import(vec![order(&shop, Some(1_500))]).await;
        let customer = shop.customer("1").await;
        let offered = customer.purchases().await.remove(0);
        assert_eq!(offered.product.weight, Some(1_500));
        let offered = offered.shipping_options.iter().find(|one| one.id == post).unwrap();
        assert!(!offered.needs_printer);
        let fare = offered.fare.as_ref().unwrap();
        let steps: Vec<_> = fare.weight_prices.iter().map(|step| (step.above, step.price.unwrap().minor)).collect();
        assert_eq!((fare.price.minor, steps, offered.max_weight), (495, vec![(1_500, 695), (3_000, 995)], Some(6_000)));

        let of_post = |units| {
            let (shop, customer) = (shop.clone(), customer.clone());
            async move { ways(&shop, &customer, units).await.into_iter().find(|(name, ..)| name == "Post") }
        };
        let way = |price, refund| Some(("Post".to_owned(), price, refund));
        assert_eq!(of_post(1).await, way(495, 2_500 - 495));
        assert_eq!(of_post(2).await, way(695, 5_000 - 695));
        assert_eq!(of_post(4).await, way(995, 10_000 - 995), "the limit of 6,000 g is inclusive");

        // The shop reports a higher weight per unit: the older draft stays valid, a new one is too heavy.
        let selections = customer.choose(&[(0, 4)]).await;
        let before = fresh(shop.retour.consumer(&customer.shopper).draft(selections.clone(), Some(post), None).await.unwrap(), 201);
        shop.import(vec![order(&shop, Some(1_501))]).await;
        assert_eq!(of_post(4).await, None);
        assert_eq!(ways(&shop, &customer, 4).await.len(), 1, "only the default label is left");
        let refused = errors(shop.retour.consumer(&customer.shopper).draft(selections, Some(post), None).await);
        assert_eq!((refused[0].field.as_str(), refused[0].code.to_string()), ("shippingOptionId", "OutOfRange".to_owned()));
        let sent_back = fresh(customer.submit(before.id).await.unwrap(), 201);
        assert_eq!(sent_back.costs.breakdown().unwrap().estimated_refund.minor, 10_000 - 995);
    }

    async fn products_without_a_weight_have_the_default_weight_of_the_policy(database: Database) {
        let shop = Shop::open(&database).await;
        let post = json!({"name": {"en": "Post"}, "method": "PickUp", "prices": [{"value": "1.00", "currency": "EUR"}],
            "weightPrices": [{"above": 999, "prices": [{"value": "2.00", "currency": "EUR"}]}]});
        option(&shop, post).await;
        shop.import(vec![order(&shop, None)]).await;
        let customer = shop.customer("1").await;
        assert_eq!(ways(&shop, &customer, 1).await[1].1, 100, "500 g");
        assert_eq!(ways(&shop, &customer, 2).await[1].1, 200);
        change_account(&shop, json!({"policy": {"defaultWeight": 1000}})).await.unwrap();
        assert_eq!(ways(&shop, &customer, 1).await[1].1, 200);
        for wrong in [json!(0), json!(1_000_001)] {
            assert_eq!(fields(change_account(&shop, json!({"policy": {"defaultWeight": wrong}})).await), ["policy.defaultWeight"]);
        }
    }

    async fn customs_data_is_required_before_the_submit(database: Database) {
        // The shirt's data is complete; the mug has an origin, but its weight and HS code are invalid.
        let component = Receiver::start(|got| {
            let product = match got.json()["credentials"]["orderNumber"].as_str() {
                Some("1") => json!({"name": "Shirt", "weight": 200, "hsCode": "6109.10", "originCountry": "PT"}),
                Some("2") => json!({"name": "Mug", "weight": 0, "hsCode": "a mug", "originCountry": "PT"}),
                _ => return answer(404, &json!({})),
            };
            answer(200, &one_line(&got.json()["credentials"]["orderNumber"], &product))
        }).await;
        let shop = connected(&database, &component).await;
        let home = |country: &str| json!({"policy": {"returnAddress": {"name": "Returns", "city": "X", "country": country}}});
        let by_hand = option(&shop, json!({"name": {"en": "Any carrier"}, "method": "OwnCarrier", "prices": [{"value": "0", "currency": "EUR"}]})).await;
        change_account(&shop, json!({"carrier": {"kind": "bridge"}})).await.unwrap();
        change_account(&shop, home("CH")).await.unwrap();
        let [shirt, mug] = [shop.customer("1").await, shop.customer("2").await];
        assert_eq!(ways(&shop, &shirt, 1).await.len(), 2);
        let names: Vec<String> = ways(&shop, &mug, 1).await.into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["Any carrier"]);
        let purchase = mug.purchases().await.remove(0);
        assert_eq!((purchase.product.weight, purchase.product.hs_code.as_str(), purchase.product.origin_country.as_str()), (None, "", "PT"));
        let label = purchase.shipping_options.iter().find(|one| one.id != by_hand).unwrap().id;
        let selections = mug.choose(&[(0, 1)]).await;
        let refused = errors(shop.retour.consumer(&mug.shopper).draft(selections.clone(), Some(label), None).await);
        assert_eq!(refused.len(), 1);
        assert_eq!((refused[0].field.as_str(), refused[0].code.to_string()), ("shippingOptionId", "CustomsDataMissing".to_owned()));
        assert!(refused[0].message.contains("product.hsCode of") && refused[0].message.contains(&purchase.id.to_string()), "{}", refused[0].message);
        let draft = fresh(shop.retour.consumer(&mug.shopper).draft(selections, None, None).await.unwrap(), 201).id;
        let offers = shop.retour.consumer(&mug.shopper).compare_shipping(draft, &Locale::default()).await.unwrap();
        assert_eq!(offers.stopped_by_customs, [purchase.id]);
        let chosen = shop.retour.consumer(&mug.shopper).set_shipping_option(draft, label, None).await;
        assert_eq!(fields(chosen), ["shippingOptionId"]);
        fresh(shop.retour.consumer(&mug.shopper).set_shipping_option(draft, by_hand, None).await.unwrap(), 200);

        // The customer chooses the carrier and only needs the address.
        let order = fresh(mug.submit(draft).await.unwrap(), 201).id;
        let own = shop.retour.consumer(&mug.shopper);
        let to = own.return_address(order).await.unwrap().unwrap();
        assert_eq!((to.address.name.as_str(), to.address.country.as_str(), to.sent_from.as_str()), ("Returns", "CH", "DE"));
        let foreign = shop.retour.consumer(&shirt.shopper).return_address(order).await;
        assert!(matches!(foreign, Err(returns::Error::NotFound)), "{foreign:?}");
        fresh(mug.cancel(order).await.unwrap(), 200);
        assert!(own.return_address(order).await.unwrap().is_none(), "nothing is sent any more");

        // Inside the EU no customs data is needed, nor for a label of our own.
        change_account(&shop, home("NL")).await.unwrap();
        assert_eq!(ways(&shop, &mug, 1).await.len(), 2);
        change_account(&shop, home("CH")).await.unwrap();
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        assert_eq!(ways(&shop, &mug, 1).await.len(), 2);
    }

    async fn a_return_can_be_sent_in_several_parcels(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1", &[(2, 10_000), (1, 500)]).await;
        let order = customer.send_back(&[(0, 2), (1, 1)]).await.id;
        let requests = shop.whole(order).await.return_requests.unwrap();
        let add = |new: Value| shop.retour.merchant(&shop.staff).add_parcel(order, sent(new), None);
        let contents = json!([{"returnRequestId": requests[0].id, "quantity": 1}]);
        let second = fresh(add(json!({"contents": contents})).await.unwrap(), 201);
        assert_eq!(serde_json::to_value(&second.contents).unwrap(), contents);
        let parcels = shop.whole(order).await.shipments.unwrap();
        assert_eq!(parcels.len(), 2);
        assert_ne!(parcels[0].label_barcode, parcels[1].label_barcode);
        let label = |parcel| shop.retour.consumer(&customer.shopper).label(order, parcel, &[LabelFormat::Zpl]);
        assert_ne!(label(Some(second.id)).await.unwrap(), label(Some(parcels[0].id)).await.unwrap());
        assert_eq!(label(None).await.unwrap(), label(Some(parcels[0].id)).await.unwrap());
        let labels = database.texts("SELECT type FROM events WHERE type = 'shipment.label_created'").await;
        assert_eq!(labels.len(), 2);

        // The requests are delivered once every parcel is.
        let report = |status| TrackingReport { status, explanation: String::new(), happened_at: None, carrier: None, tracking_number: None, tracking_url: None };
        shop.retour.merchant(&shop.staff).track(parcels[0].id, report(Scan::Delivered), None).await.unwrap();
        let stages = async || shop.whole(order).await.return_requests.unwrap().iter().map(|one| one.stage).collect::<Vec<_>>();
        assert_eq!(stages().await, [N::ShipmentInTransit; 2]);
        let statuses = async || shop.whole(order).await.shipments.unwrap().iter().map(|one| one.status).collect::<Vec<_>>();
        assert_eq!(statuses().await, [ShipmentStatus::Delivered, ShipmentStatus::LabelCreated]);
        // A second report for the first parcel changes nothing while the other is on its way.
        let earlier = TrackingReport { happened_at: Some(crate::shop::NOW.plus_seconds(-60)), ..report(Scan::Delivered) };
        shop.retour.merchant(&shop.staff).track(parcels[0].id, earlier, None).await.unwrap();
        assert_eq!(stages().await, [N::ShipmentInTransit; 2]);
        shop.retour.merchant(&shop.staff).track(second.id, report(Scan::InTransit), None).await.unwrap();
        assert_eq!(stages().await, [N::ShipmentInTransit; 2]);
        shop.retour.merchant(&shop.staff).track(second.id, report(Scan::Delivered), None).await.unwrap();
        assert_eq!((stages().await, statuses().await), (vec![N::ShipmentDelivered; 2], vec![ShipmentStatus::Delivered; 2]));
        let deliveries = database.texts("SELECT type FROM events WHERE type = 'shipment.delivered'").await;
        assert_eq!(deliveries.len(), 2, "one event for each parcel");

        // Once everything is received, nothing is left for another parcel.
        fresh(add(json!({})).await.unwrap(), 201);
        for request in &requests {
            let receipt = Receipt { quantity: request.quantity, external_reference: None };
            shop.retour.merchant(&shop.staff).receive(request.id, receipt, None).await.unwrap();
        }
        assert_eq!(refusal(add(json!({})).await), ErrorCode::Refused(RefusalCode::IllegalTransition));

        // A scanned barcode finds its parcel.
        let read = lists::SHIPMENTS.condition(&format!("labelBarcode:]C100{}", second.label_barcode)).unwrap();
        let listing = Listing { conditions: vec![read], ..Listing::newest(crate::shop::ALL) };
        let found = shop.retour.merchant(&shop.staff).shipments(&listing).await.unwrap().data;
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [second.id]);
    }

    async fn a_parcel_that_is_not_sent_can_be_cancelled_alone(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1", &[(2, 10_000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        let first = shop.whole(order).await.shipments.unwrap()[0].id;
        let cancel = |parcel| shop.retour.merchant(&shop.staff).cancel_parcel(parcel, None);
        assert_eq!(refusal(cancel(first).await), ErrorCode::Refused(RefusalCode::IllegalTransition), "the only parcel");
        let add = || shop.retour.merchant(&shop.staff).add_parcel(order, sent(json!({})), None);
        let (second, third) = (fresh(add().await.unwrap(), 201).id, fresh(add().await.unwrap(), 201).id);
        let void = fresh(cancel(second).await.unwrap(), 200);
        assert_eq!((void.status, void.label_url.is_some()), (ShipmentStatus::Cancelled, false));
        let version = shop.whole(order).await.version;
        assert_eq!(fresh(cancel(second).await.unwrap(), 200).version, void.version, "a repeat changes nothing");
        assert_eq!(shop.whole(order).await.version, version);
        let label = shop.retour.consumer(&customer.shopper).label(order, Some(second), &[LabelFormat::Zpl]).await;
        assert!(matches!(label, Err(Error::NotFound)), "{label:?}");
        let theirs = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(theirs.retour.merchant(&theirs.staff).cancel_parcel(third, None).await), ErrorCode::NotFound);

        // When the last open parcel is cancelled, the delivered one completes the requests.
        let report = |status| TrackingReport { status, explanation: String::new(), happened_at: None, carrier: None, tracking_number: None, tracking_url: None };
        shop.retour.merchant(&shop.staff).track(first, report(Scan::Delivered), None).await.unwrap();
        let stage = async || shop.whole(order).await.return_requests.unwrap()[0].stage;
        assert_eq!(stage().await, N::ShipmentInTransit);
        assert_eq!(refusal(cancel(first).await), ErrorCode::Refused(RefusalCode::IllegalTransition), "it is delivered");
        fresh(cancel(third).await.unwrap(), 200);
        assert_eq!(stage().await, N::ShipmentDelivered);
        let deliveries = database.texts("SELECT type FROM events WHERE type = 'shipment.delivered'").await;
        assert_eq!(deliveries.len(), 1, "the delivered one");
    }

    async fn no_refund_is_approved_before_every_parcel_has_arrived(database: Database) {
        let policy = Policy { resolve_on: ResolveOn::Delivery, auto_resolve: true, ..Policy::default() };
        let shop = Shop::open_with(&database, "on-delivery", "EUR", policy).await;
        let customer = shop.sell("1", &[(2, 10_000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        let second = fresh(shop.retour.merchant(&shop.staff).add_parcel(order, sent(json!({})), None).await.unwrap(), 201).id;
        let first = shop.whole(order).await.shipments.unwrap()[0].id;
        let delivered = |seconds| TrackingReport { status: Scan::Delivered, explanation: String::new(), happened_at: Some(crate::shop::NOW.plus_seconds(seconds)), carrier: None, tracking_number: None, tracking_url: None };
        for seconds in [0, -60] {
            shop.retour.merchant(&shop.staff).track(first, delivered(seconds), None).await.unwrap();
        }
        let request = async || shop.whole(order).await.return_requests.unwrap().remove(0);
        assert_eq!(request().await.stage, N::ShipmentInTransit);
        fresh(shop.retour.merchant(&shop.staff).cancel_parcel(second, None).await.unwrap(), 200);
        assert_eq!(request().await.stage, N::ResolutionApproved);
        // The resolved request has one delivered and one voided parcel.
        let mut labels = shop.whole(order).await.shipments.unwrap().into_iter().map(|parcel| parcel.status);
        assert_eq!((labels.next(), labels.next()), (Some(ShipmentStatus::Delivered), Some(ShipmentStatus::Cancelled)));
    }

    async fn of_two_simultaneous_cancellations_of_the_last_two_parcels_one_succeeds(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1", &[(2, 10_000)]).await;
        for _ in 0..8 {
            let order = customer.send_back(&[(0, 1)]).await.id;
            fresh(shop.retour.merchant(&shop.staff).add_parcel(order, sent(json!({})), None).await.unwrap(), 201);
            let [one, two] = [0, 1].map(async |index| {
                let parcel = shop.whole(order).await.shipments.unwrap()[index].id;
                shop.retour.merchant(&shop.staff).cancel_parcel(parcel, None).await
            });
            let (one, two) = tokio::join!(one, two);
            assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1);
            fresh(customer.cancel(order).await.unwrap(), 200);
        }
    }

    async fn only_an_open_return_gets_another_parcel_and_only_with_its_own_contents(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1", &[(3, 10_000), (1, 500)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let other = customer.send_back(&[(0, 1)]).await.id;
        let own = shop.whole(order).await.return_requests.unwrap()[0].id;
        let foreign = shop.whole(other).await.return_requests.unwrap()[0].id;
        let add = |new: Value| shop.retour.merchant(&shop.staff).add_parcel(order, sent(new), None);
        let content = |id, quantity: u32| json!({"returnRequestId": id, "quantity": quantity});
        for (contents, field) in [
            (json!([]), "contents"),
            (json!([content(foreign, 1)]), "contents[0].returnRequestId"),
            (json!([content(own, 0)]), "contents[0].quantity"),
            (json!([content(own, 2)]), "contents[0].quantity"),
            (json!([content(own, 1), content(own, 1)]), "contents[1].returnRequestId"),
        ] {
            assert_eq!(fields(add(json!({"contents": contents})).await), [field]);
        }
        for _ in 1..returning::MAX_PARCELS {
            fresh(add(json!({})).await.unwrap(), 201);
        }
        assert_eq!(refusal(add(json!({})).await), ErrorCode::Refused(RefusalCode::LimitReached));
        let theirs = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(shop.retour.merchant(&theirs.staff).add_parcel(order, sent(json!({})), None).await), ErrorCode::NotFound);
        // A repeated request adds one parcel, and cancelling the return voids all of them.
        let key = || Some(IdempotencyKey { credential: "me".into(), key: "1".into(), fingerprint: vec![1] });
        let one = shop.retour.merchant(&shop.staff).add_parcel(other, sent(json!({})), key()).await.unwrap();
        assert!(matches!(one, Done::Fresh { status: 201, .. }));
        assert!(matches!(shop.retour.merchant(&shop.staff).add_parcel(other, sent(json!({})), key()).await.unwrap(), Done::Replayed(_)));
        assert_eq!(shop.whole(other).await.shipments.unwrap().len(), 2);
        fresh(customer.cancel(other).await.unwrap(), 200);
        assert!(shop.whole(other).await.shipments.unwrap().iter().all(|parcel| parcel.status == ShipmentStatus::Cancelled));
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).add_parcel(other, sent(json!({})), None).await), ErrorCode::Refused(RefusalCode::IllegalTransition));
    }
}
