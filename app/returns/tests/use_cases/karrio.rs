//! Labels from a karrio server: one per parcel, whatever fails in between.

use crate::{
    bridges::change_account,
    karrio_server::{Server, berlin, later, leeds, parcel, sent_back, work},
    shop::{Customer, HERE, Shop, fields, fresh, sent},
};
use domain::{order::Product, returning::ShipmentStatus, stage::StageName as N};
use returns::{LabelFormat, PrintedLabel, Proof};
use serde_json::{Value, json};
use store::testing::Database;

/// The stage of the return's first request.
async fn stage(shop: &Shop, order: domain::ReturnOrderId) -> N {
    shop.whole(order).await.return_requests.unwrap()[0].stage
}

/// The code and message of the error that a parcel shows.
async fn shown_error(shop: &Shop, order: domain::ReturnOrderId) -> Option<(String, String)> {
    let parcel = parcel(shop, order).await;
    parcel.error_code.zip(parcel.error_message)
}

/// What staff do once the cause is fixed.
async fn try_again(shop: &Shop, database: &Database, order: domain::ReturnOrderId) {
    let id = parcel(shop, order).await.id;
    fresh(shop.retour.merchant(&shop.staff).retry_label(id, None).await.unwrap(), 200);
    work(shop, database).await;
}

store::on_each_database! {
    async fn a_label_is_bought_once_at_the_cheapest_price(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (customer, order) = sent_back(&shop, "1").await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.status), (N::SubmittedLabelPending, ShipmentStatus::New));
        work(&shop, &database).await;
        let made = parcel(&shop, order).await;
        assert_eq!((stage(&shop, order).await, made.status), (N::SubmittedReady, ShipmentStatus::LabelCreated));
        assert_eq!((made.carrier.as_deref(), made.label_media_types.as_slice()), (Some("post"), &[LabelFormat::Pdf][..]));
        let number = made.tracking_number.unwrap();
        assert_eq!((made.label_barcode, made.tracking_url), (number.clone(), None), "karrio's path is not a public page");
        let label = shop.retour.merchant(&shop.staff).label(made.id, &[LabelFormat::Pdf]).await.unwrap();
        let PrintedLabel::File { bytes, .. } = label else { panic!("expected a file") };
        assert!(bytes.starts_with(b"%PDF-") && String::from_utf8_lossy(&bytes).contains(&number));
        shop.retour.consumer(&customer.shopper).label(order, None, &[LabelFormat::Pdf]).await.unwrap();
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)]);

        let draft = karrio.calls("draft").await.remove(0)["body"].clone();
        assert_eq!(draft["shipper"], json!({"person_name": "Ada Lovelace", "address_line1": "Hauptstraße 1",
            "postal_code": "LS1 1UR", "city": "Leeds", "country_code": "GB"}));
        let number = shop.whole(order).await.number;
        assert_eq!(draft["recipient"], json!({"company_name": "Fjord & Fern Returns", "person_name": number,
            "address_line1": "1 Dock Road", "postal_code": "EH6 6LU", "city": "Leith", "country_code": "GB"}));
        assert_eq!(draft["parcels"], json!([{"weight": "1.000", "weight_unit": "KG"}]), "two units of 500 g");
        assert_eq!((&draft["customs"], &draft["reference"]), (&Value::Null, &json!(number)));
        let bought = karrio.calls("purchase").await.remove(0);
        assert_eq!(bought["authorization"], "Token key_test");
        assert_eq!(karrio.services().await, ["standard_service"]);
    }

    async fn a_carrier_prints_no_name_or_street_for_a_shopper_who_proved_only_a_postal_code(database: Database) {
        let karrio = Server::start();
        let mut shop = karrio.shop(&database).await;
        change_account(&shop, json!({"policy": {"lookUpBy": ["postalCode"]}})).await.unwrap();
        shop.account = shop.retour.account(&shop.account.slug).await.unwrap();
        let mut order = shop.order("1", &[(2, 5_000)]);
        order.address = leeds();
        shop.import(vec![order]).await;
        let proof = Proof::PostalCode("LS1 1UR".to_owned());
        let shopper = shop.retour.identify(&shop.account, "1", proof, HERE).await.unwrap().shopper;
        let order = Customer { retour: shop.retour.clone(), shopper }.send_back(&[(0, 2)]).await;
        work(&shop, &database).await;
        assert_eq!(parcel(&shop, order.id).await.status, ShipmentStatus::LabelCreated);
        let draft = karrio.calls("draft").await.remove(0)["body"].clone();
        assert_eq!(draft["shipper"], json!({"person_name": order.number, "address_line1": order.number,
            "postal_code": "LS1 1UR", "city": "Leeds", "country_code": "GB"}));
        assert_eq!(parcel(&shop, order.id).await.sender, leeds(), "the shop sees the full address");
    }

    async fn whatever_fails_a_label_is_bought_once(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        for (place, (call, does)) in [("list", "fail"), ("draft", "fail"), ("draft", "lose"), ("purchase", "fail"), ("purchase", "lose")].into_iter().enumerate() {
            karrio.next(call, does, 1).await;
            let (_, order) = sent_back(&shop, &place.to_string()).await;
            work(&shop, &database).await;
            assert_eq!(stage(&shop, order).await, N::SubmittedLabelPending, "{call} {does}");
            // karrio may still be working: nobody asks before that is ruled out.
            let asked = karrio.calls("list").await.len();
            later(&shop, &database, 60).await;
            assert_eq!(karrio.calls("list").await.len(), asked, "{call} {does}");
            later(&shop, &database, 100).await;
            assert_eq!(stage(&shop, order).await, N::SubmittedReady, "{call} {does}");
            let PrintedLabel::File { bytes, .. } = shop.retour.merchant(&shop.staff).label(parcel(&shop, order).await.id, &[LabelFormat::Pdf]).await.unwrap() else { panic!("expected a file") };
            assert!(bytes.starts_with(b"%PDF-"));
        }
        let shipments = karrio.shipments().await;
        assert_eq!(shipments.len(), 5, "{shipments:?}");
        assert!(shipments.iter().all(|one| *one == ("created".to_owned(), 1)), "{shipments:?}");
    }

    async fn a_refused_label_is_retried_and_marked_failed_after_the_second_refusal(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        karrio.next("draft", "refuse", 1).await;
        karrio.next("purchase", "refuse", 1).await;
        let (_, order) = sent_back(&shop, "1").await;
        work(&shop, &database).await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.status), (N::SubmittedLabelPending, ShipmentStatus::New));
        let first = shown_error(&shop, order).await.unwrap();
        later(&shop, &database, 10).await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.status), (N::SubmittedLabelFailed, ShipmentStatus::LabelFailed));
        let second = shown_error(&shop, order).await.unwrap();
        assert_eq!((first.0.as_str(), second.0.as_str()), ("not_served", "68"));
        assert!(first.1.contains("does not serve this destination") && second.1.contains("xmlParseEntityRef"));
        later(&shop, &database, 60).await;
        assert_eq!((stage(&shop, order).await, shown_error(&shop, order).await), (N::SubmittedReady, None));
        assert_eq!(karrio.shipments().await, [("created".to_owned(), 1)]);
    }

    async fn settings_that_the_merchant_must_fix_are_named_and_not_retried(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let option = shop.retour.merchant(&shop.staff).shipping_options(&returns::Listing::newest(crate::shop::ALL)).await.unwrap().data.remove(0).id;
        let change = |change: Value| shop.retour.merchant(&shop.staff).change_shipping_option(option, sent(change), None, None);
        fresh(change(json!({"carrierService": "by_pigeon"})).await.unwrap(), 200);
        let (_, order) = sent_back(&shop, "1").await;
        work(&shop, &database).await;
        let (code, why) = shown_error(&shop, order).await.unwrap();
        assert_eq!((stage(&shop, order).await, code.as_str()), (N::SubmittedLabelFailed, "NoService"));
        assert!(why.contains("by_pigeon") && why.contains("standard_service"), "{why}");
        let asked = karrio.calls("draft").await.len();
        later(&shop, &database, 86_400).await;
        assert_eq!(karrio.calls("draft").await.len(), asked);
        // Another service, which the carrier has.
        fresh(change(json!({"carrierService": "express_service"})).await.unwrap(), 200);
        try_again(&shop, &database, order).await;
        assert_eq!(stage(&shop, order).await, N::SubmittedReady);
        assert_eq!(karrio.services().await, ["express_service"]);
        // An address that no carrier accepts.
        change_account(&shop, json!({"policy": {"returnAddress": {"name": "Returns", "street": "x".repeat(120), "city": "Leith", "country": "GB"}}})).await.unwrap();
        let (_, order) = sent_back(&shop, "3").await;
        work(&shop, &database).await;
        let (code, why) = shown_error(&shop, order).await.unwrap();
        assert_eq!(code, "validation");
        assert!(why.contains("recipient.address_line1"), "{why}");
        change_account(&shop, json!({"policy": {"returnAddress": {"name": "Returns", "street": "1 Dock Road", "city": "Leith", "country": "GB"}}})).await.unwrap();
        try_again(&shop, &database, order).await;
        assert_eq!((stage(&shop, order).await, parcel(&shop, order).await.receiver.street.as_str()), (N::SubmittedReady, "1 Dock Road"));
        // An invalid API key.
        change_account(&shop, json!({"carrier": {"kind": "karrio", "apiKey": "key_other"}})).await.unwrap();
        let (_, order) = sent_back(&shop, "4").await;
        work(&shop, &database).await;
        assert_eq!(shown_error(&shop, order).await.unwrap(), ("CarrierKeyRefused".to_owned(), "Karrio does not accept the API key, or the key lacks a permission.".to_owned()));
        assert_eq!(stage(&shop, order).await, N::SubmittedLabelFailed);
        change_account(&shop, json!({"carrier": karrio.setting()})).await.unwrap();
        try_again(&shop, &database, order).await;
        assert_eq!(stage(&shop, order).await, N::SubmittedReady);
    }

    async fn customs_data_is_sent_with_the_label_request(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let mut order = shop.order("1", &[(3, 10_000)]);
        order.address = berlin();
        order.lines[0].product = Product { name: "Shirt".to_owned(), sku: "S-1".to_owned(), weight: Some(180), hs_code: "6109.10".to_owned(), origin_country: "PT".to_owned(), ..Product::default() };
        shop.import(vec![order]).await;
        let customer = shop.customer("1").await;
        let order = customer.send_back(&[(0, 2)]).await;
        work(&shop, &database).await;
        assert_eq!(stage(&shop, order.id).await, N::SubmittedReady);
        let draft = karrio.calls("draft").await.remove(0)["body"].clone();
        assert_eq!(draft["parcels"][0]["weight"], "0.360");
        assert_eq!(draft["customs"], json!({"content_type": "return_merchandise", "incoterm": "DAP", "invoice": order.number,
            "invoice_date": "2026-03-01", "duty": {"paid_by": "recipient", "currency": "EUR", "declared_value": "66.66"},
            "commodities": [{"title": "Shirt", "description": "Shirt", "sku": "S-1", "hs_code": "610910", "origin_country": "PT",
                "quantity": 2, "weight": "0.180", "weight_unit": "KG", "value_amount": "33.33", "value_currency": "EUR"}]}));
    }

    async fn a_karrio_key_is_write_only_and_is_never_sent_to_another_server(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let settings = shop.retour.merchant(&shop.staff).account_settings().await.unwrap();
        let shown = serde_json::to_value(&settings.carrier).unwrap();
        let notices = format!("/api/v0/carrier-notices/karrio/{}", shop.account.id);
        assert_eq!(shown, json!({"kind": "karrio", "url": format!("{}/", karrio.url), "noticesUrl": notices}));
        assert!(!database.texts("SELECT carrier FROM accounts").await.concat().contains("key_test"));
        assert!(shop.retour.operator().can_open_secrets().await.unwrap());
        let elsewhere = shop.retour.clone().configured(|config| config.secret_keys = "another key, as long as keys have to be".replace(',', "").parse().unwrap());
        assert!(!elsewhere.operator().can_open_secrets().await.unwrap());

        let set = |carrier: Value| change_account(&shop, json!({"carrier": carrier}));
        assert_eq!(fields(set(json!({"kind": "karrio", "url": "https://karrio.example"})).await), ["carrier.apiKey"]);
        assert_eq!(fields(set(json!({"kind": "karrio", "url": "nowhere"})).await), ["carrier.url", "carrier.apiKey"]);
        assert_eq!(fields(set(json!({"kind": "karrio", "apiKey": "two words"})).await), ["carrier.apiKey"]);
        assert_eq!(fields(set(json!({"kind": "own", "apiKey": "key_test"})).await), ["carrier.apiKey"]);
        set(json!({"kind": "karrio"})).await.unwrap();
        set(json!({"kind": "own"})).await.unwrap();
        assert_eq!(fields(set(json!({"kind": "karrio"})).await), ["carrier.url", "carrier.apiKey"]);
    }

    async fn a_paperless_option_is_not_offered_with_karrio(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let code = json!({"name": {"en": "Show a code"}, "method": "Paperless", "prices": [{"value": "0", "currency": "EUR"}]});
        fresh(shop.retour.merchant(&shop.staff).create_shipping_option(sent(code), None).await.unwrap(), 201);
        let customer = shop.sell("1", &[(1, 500)]).await;
        let offered = async || customer.purchases().await.remove(0).shipping_options.len();
        assert_eq!(offered().await, 1);
        change_account(&shop, json!({"carrier": {"kind": "own"}})).await.unwrap();
        assert_eq!(offered().await, 2);
    }

    async fn each_of_several_parcels_has_its_own_label_weight_and_cancellation(database: Database) {
        let karrio = Server::start();
        let shop = karrio.shop(&database).await;
        let (_, order) = sent_back(&shop, "1").await;
        work(&shop, &database).await;
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        let new = sent(json!({"contents": [{"returnRequestId": request, "quantity": 1}]}));
        let second = fresh(shop.retour.merchant(&shop.staff).add_parcel(order, new, None).await.unwrap(), 201);
        assert_eq!((second.status, stage(&shop, order).await), (ShipmentStatus::New, N::SubmittedReady));
        work(&shop, &database).await;
        let weights: Vec<Value> = karrio.calls("draft").await.iter().map(|draft| draft["body"]["parcels"][0]["weight"].clone()).collect();
        assert_eq!(weights, ["1.000", "0.500"]);
        let parcels = shop.whole(order).await.shipments.unwrap();
        assert!(parcels.iter().all(|parcel| parcel.status == ShipmentStatus::LabelCreated));
        assert_ne!(parcels[0].tracking_number, parcels[1].tracking_number);
        fresh(shop.retour.merchant(&shop.staff).cancel_return_order(order, None).await.unwrap(), 200);
        work(&shop, &database).await;
        let shipments = karrio.shipments().await;
        assert_eq!(shipments, [("cancelled".to_owned(), 1), ("cancelled".to_owned(), 1)]);
    }

    async fn after_a_change_of_server_the_new_one_is_not_asked_for_the_same_label(database: Database) {
        let [karrio, other] = [Server::start(), Server::start()];
        let shop = karrio.shop(&database).await;
        let (_, lost) = {
            karrio.next("purchase", "lose", 1).await;
            let sent = sent_back(&shop, "1").await;
            work(&shop, &database).await;
            sent
        };
        let (_, made) = sent_back(&shop, "2").await;
        work(&shop, &database).await;
        change_account(&shop, json!({"carrier": other.setting()})).await.unwrap();
        later(&shop, &database, 200).await;
        assert_eq!(shown_error(&shop, lost).await.unwrap().0, "CarrierChanged");
        // Both returns are cancelled: neither label is voided, and the merchant sees an error.
        for order in [lost, made] {
            fresh(shop.retour.merchant(&shop.staff).cancel_return_order(order, None).await.unwrap(), 200);
        }
        later(&shop, &database, 200).await;
        for order in [lost, made] {
            let (code, why) = shown_error(&shop, order).await.unwrap();
            assert_eq!((code.as_str(), why.contains("now has another carrier")), ("LabelNotVoided", true));
        }
        assert_eq!((other.shipments().await.len(), other.calls("list").await.len()), (0, 0));
        // Staff who have checked retry with the new server.
        change_account(&shop, json!({"carrier": karrio.setting()})).await.unwrap();
        karrio.next("purchase", "lose", 1).await;
        let (_, third) = sent_back(&shop, "3").await;
        work(&shop, &database).await;
        change_account(&shop, json!({"carrier": other.setting()})).await.unwrap();
        later(&shop, &database, 200).await;
        try_again(&shop, &database, third).await;
        assert_eq!((stage(&shop, third).await, other.shipments().await.len()), (N::SubmittedReady, 1));
    }
}
