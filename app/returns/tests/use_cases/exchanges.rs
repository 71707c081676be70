//! Exchanges: which goods the shopper can choose, and how the shop sends them or settles otherwise.

use crate::{
    bridges::{answer, answer_known_order, change_account},
    bridges_settling::{is_settling, request, settlement_requests, shop, start_settling, wait_for_stage},
    progress::to,
    shop::{Customer, Shop, for_consumer, fresh, select},
    webhooks_receiver::{Receiver, RecordedRequest, Reply},
};
use domain::{
    RefusalCode, ReturnRequestId,
    order::IneligibleCode,
    policy::{Policy, Resolution},
    stage::StageName,
};
use returns::{Error, Instead, Selection, StatusUpdate, view};
use serde_json::{Value, json};
use store::testing::Database;

/// Answers look-ups with two other mugs to choose from, and reports them as sold out when asked to exchange.
fn sold_out(got: &RecordedRequest) -> Reply {
    if is_settling(got) {
        let kind = got.json()["type"].clone();
        let failed = json!({"status": "Failed", "reason": "The green ones are sold out."});
        let done = json!({"status": "Completed", "externalReference": "r-1"});
        return answer(200, if kind == "Exchange" { &failed } else { &done });
    }
    let Reply::Raw(bytes) = answer_known_order(got) else { panic!("expected a raw reply") };
    let text = String::from_utf8(bytes).unwrap();
    let Ok(mut body) = serde_json::from_str::<Value>(text.rsplit_once("\r\n").unwrap().1) else { panic!("{text}") };
    if let Some(mugs) = body.pointer_mut("/purchases/0/product") {
        mugs["exchangeOptions"] = json!([{"sku": "MUG-GREEN", "name": "Green"}, {"sku": "MUG-RED", "name": "Red"}]);
    }
    let status = if body.get("purchases").is_some() { 200 } else { 404 };
    answer(status, &body)
}

async fn offering(database: &Database) -> (Shop, Receiver) {
    let (mut shop, component) = shop(database, |_| answer(500, &json!({}))).await;
    component.answer(sold_out);
    let policy =
        json!({"policy": {"resolutions": ["Refund", "StoreCredit", "Exchange"], "storeCreditBonusPercent": 10}});
    change_account(&shop, policy).await.unwrap();
    shop.account = shop.retour.account("fjord-fern").await.unwrap();
    (shop, component)
}

fn wanting(purchase: &view::PurchaseView, resolution: Resolution, sku: Option<&str>) -> Selection {
    Selection { resolution, exchange_for: sku.map(str::to_owned), ..select(purchase, 2) }
}

async fn received(shop: &Shop, customer: &Customer, selection: Selection) -> ReturnRequestId {
    let draft = fresh(customer.try_draft(vec![selection], None).await.unwrap(), 201);
    let order = fresh(customer.submit(draft.id).await.unwrap(), 201);
    let id = shop.whole(order.id).await.return_requests.unwrap()[0].id;
    let receipt = returns::Receipt { quantity: 2, external_reference: None };
    fresh(shop.retour.merchant(&shop.staff).receive(id, receipt, None).await.unwrap(), 200);
    id
}

fn instead(stage: StageName, resolution: Resolution, sku: Option<&str>) -> StatusUpdate {
    StatusUpdate { instead: Some(Instead { resolution, exchange_for: sku.map(str::to_owned) }), ..to(stage) }
}

async fn refused(shop: &Shop, id: ReturnRequestId, update: StatusUpdate) -> RefusalCode {
    match shop.retour.merchant(&shop.staff).update_status(id, update, None).await {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("expected a refusal: {other:?}"),
    }
}

store::on_each_database! {
    async fn only_what_the_shop_offers_can_be_chosen(database: Database) {
        let plain = Shop::open_with(&database, "plain", "EUR", Policy::default()).await;
        let customer = plain.sell("2001", &[(2, 2_000)]).await;
        let chosen = wanting(&customer.purchases().await[0], Resolution::Exchange, None);
        let unoffered = customer.try_draft(vec![chosen], None).await;
        assert_eq!(crate::shop::fields(unoffered), ["selectedPurchases[0].requestedResolution"], "the policy offers refunds only");
        let (shop, _component) = offering(&database).await;
        let customer = shop.customer("1001").await;
        let mugs = &customer.purchases().await[0];
        let names: Vec<_> = mugs.product.exchange_options.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Green", "Red"]);
        for (resolution, sku, field) in [
            (Resolution::Exchange, "MUG-GOLD", "selectedPurchases[0].exchangeFor.sku"),
            (Resolution::Refund, "MUG-GREEN", "selectedPurchases[0].exchangeFor"),
        ] {
            let Err(Error::Invalid(errors)) = customer.try_draft(vec![wanting(mugs, resolution, Some(sku))], None).await else {
                panic!("expected a refusal: {sku} for {resolution:?}");
            };
            assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [field]);
        }
        let chosen = wanting(mugs, Resolution::Exchange, Some("MUG-GREEN"));
        let draft = fresh(customer.try_draft(vec![chosen], None).await.unwrap(), 201);
        assert_eq!(draft.selected_purchases[0].exchange_for.as_ref().unwrap().name, "Green");
        assert_eq!((draft.costs.breakdown().unwrap().estimated_refund.minor, draft.costs.breakdown().unwrap().refund_total.minor), (0, 0));
    }

    async fn an_item_without_exchange_options_is_exchanged_by_staff_only(database: Database) {
        let resolutions = vec![Resolution::Exchange, Resolution::Refund];
        let shop = Shop::open_with(&database, "plain", "EUR", Policy { resolutions, ..Policy::default() }).await;
        let mut order = shop.order("2001", &[(2, 2_000)]);
        order.lines[0].product.exchange_options.clear();
        shop.import(vec![order]).await;
        let customer = shop.customer("2001").await;
        let seen = customer.purchases().await.remove(0);
        assert_eq!(seen.resolutions, [Resolution::Refund]);
        assert!(seen.return_reasons.iter().all(|reason| reason.resolutions == [Resolution::Refund]));
        let chosen = || vec![wanting(&seen, Resolution::Exchange, None)];
        let refused = customer.try_draft(chosen(), None).await;
        assert_eq!(crate::shop::fields(refused), ["selectedPurchases[0].requestedResolution"]);
        let by_staff = shop.retour.merchant(&shop.staff).create_draft(for_consumer(&customer.shopper, chosen(), None), None).await;
        assert_eq!(fresh(by_staff.unwrap(), 201).selected_purchases[0].requested_resolution, Resolution::Exchange);

        let policy = json!({"policy": {"resolutions": ["Exchange"]}});
        change_account(&shop, policy).await.unwrap();
        let seen = customer.purchases().await.remove(0);
        assert_eq!(seen.eligibility.code, Some(IneligibleCode::NoReturnReason), "no resolution is possible");
    }

    async fn a_sold_out_exchange_becomes_money_under_a_new_transaction(database: Database) {
        let (shop, component) = offering(&database).await;
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let id = received(&shop, &customer, wanting(&mugs, Resolution::Exchange, Some("MUG-GREEN"))).await;
        wait_for_stage(&shop, id, StageName::ResolutionFailed).await;
        let first = settlement_requests(&component)[0].clone();
        let item = &first["items"][0];
        assert_eq!((&first["type"], &item["exchangeSku"], &item["quantity"]), (&json!("Exchange"), &json!("MUG-GREEN"), &json!(2)));
        // The amount is the value of the goods; no money is owed.
        assert_eq!((&item["amount"]["value"], &first["fees"]["value"], &first["shippingRefund"]["value"]),
            (&json!("13.34"), &json!("0.00"), &json!("0.00")));
        let before = request(&shop, id).await;
        assert_eq!((before.resolution.value.unwrap().minor, before.exchange_for.unwrap().sku.as_str()), (0, "MUG-GREEN"));

        let bad = instead(StageName::ResolutionProcessing, Resolution::Refund, Some("MUG-RED"));
        let bad = shop.retour.merchant(&shop.staff).update_status(id, bad, None).await;
        assert!(matches!(&bad, Err(Error::Invalid(errors)) if errors[0].field == "exchangeFor"), "{bad:?}");
        let refund = instead(StageName::ResolutionProcessing, Resolution::Refund, None);
        let changed = fresh(shop.retour.merchant(&shop.staff).update_status(id, refund.clone(), None).await.unwrap(), 200);
        assert_eq!((changed.requested_resolution, changed.exchange_for, changed.resolution.value.unwrap().minor), (Resolution::Refund, None, 1_334));
        let whole = shop.whole(changed.return_order_id).await;
        assert_eq!(whole.costs.breakdown().unwrap().estimated_refund.minor, 1_334);
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let [_, second] = settlement_requests(&component).try_into().unwrap();
        assert_eq!((&second["type"], &second["items"][0]["amount"]["value"]), (&json!("Refund"), &json!("13.34")));
        assert!(second["items"][0].get("exchangeSku").is_none());
        assert_ne!(first["transactionId"], second["transactionId"]);
        assert_eq!(refused(&shop, id, refund).await, RefusalCode::IllegalTransition);
        settling.stop().await;
    }

    async fn another_article_can_be_sent_instead(database: Database) {
        let (shop, component) = offering(&database).await;
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let id = received(&shop, &customer, wanting(&mugs, Resolution::Exchange, Some("MUG-GREEN"))).await;
        wait_for_stage(&shop, id, StageName::ResolutionFailed).await;
        component.answer(|got| if is_settling(got) { answer(200, &json!({"status": "Completed"})) } else { sold_out(got) });
        let blue = instead(StageName::ResolutionProcessing, Resolution::Exchange, Some("MUG-BLUE"));
        fresh(shop.retour.merchant(&shop.staff).update_status(id, blue, None).await.unwrap(), 200);
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        assert_eq!(settlement_requests(&component)[1]["items"][0]["exchangeSku"], json!("MUG-BLUE"));
        settling.stop().await;
    }

    async fn an_exchange_without_a_chosen_article_is_left_to_staff(database: Database) {
        let (shop, component) = offering(&database).await;
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let id = received(&shop, &customer, wanting(&mugs, Resolution::Exchange, None)).await;
        assert_eq!(request(&shop, id).await.stage, StageName::ResolutionApproved);
        assert_eq!(database.rows("settlements").await, 0);
        // No shop has failed to settle it, so another resolution is not allowed.
        let early = instead(StageName::ResolutionProcessing, Resolution::Refund, None);
        assert_eq!(refused(&shop, id, early).await, RefusalCode::IllegalTransition);
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionCompleted), None).await.unwrap(), 200);
        assert!(settlement_requests(&component).is_empty());
        settling.stop().await;
    }

    async fn an_article_that_is_no_longer_offered_is_not_promised(database: Database) {
        let (shop, component) = offering(&database).await;
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let chosen = wanting(&mugs, Resolution::Exchange, Some("MUG-GREEN"));
        let draft = fresh(customer.try_draft(vec![chosen], None).await.unwrap(), 201);
        component.answer(answer_known_order);
        shop.customer("1001").await;
        let late = customer.submit(draft.id).await;
        assert!(matches!(&late, Err(Error::Outdated { refusal, .. }) if refusal.code == RefusalCode::DraftOutdated), "{late:?}");
    }

    async fn a_shop_that_never_sold_an_item_is_not_asked_to_exchange_it(database: Database) {
        let (shop, component) = offering(&database).await;
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let id = received(&shop, &customer, wanting(&mugs, Resolution::Exchange, None)).await;
        let url = component.url.replace("/hook", "/another");
        let bridge = json!({"bridge": {"kind": "http", "url": url, "secret": crate::bridges::SECRET}});
        change_account(&shop, bridge).await.unwrap();
        for stage in [StageName::ResolutionProcessing, StageName::ResolutionFailed] {
            fresh(shop.retour.merchant(&shop.staff).update_status(id, to(stage), None).await.unwrap(), 200);
        }
        let refund = instead(StageName::ResolutionProcessing, Resolution::Refund, None);
        assert_eq!(refused(&shop, id, refund).await, RefusalCode::IllegalTransition);
        let by_hand = instead(StageName::ResolutionCompleted, Resolution::Refund, None);
        let done = fresh(shop.retour.merchant(&shop.staff).update_status(id, by_hand, None).await.unwrap(), 200);
        assert_eq!((done.requested_resolution, done.resolution.value.unwrap().minor), (Resolution::Refund, 1_334));
        assert!(settlement_requests(&component).is_empty());
        settling.stop().await;
    }

    async fn while_the_shop_may_be_settling_no_other_resolution_is_possible(database: Database) {
        let (shop, component) = offering(&database).await;
        component.answer(|got| if is_settling(got) { answer(200, &json!({"status": "Pending"})) } else { sold_out(got) });
        let settling = start_settling(&shop);
        let customer = shop.customer("1001").await;
        let mugs = customer.purchases().await[0].clone();
        let id = received(&shop, &customer, wanting(&mugs, Resolution::Exchange, Some("MUG-RED"))).await;
        crate::webhooks::until("the shop was asked", || async { database.rows("settlements WHERE first_asked_at IS NOT NULL").await == 1 }).await;
        crate::bridges_settling::wait_for_retry(&shop, &database).await;
        fresh(shop.retour.merchant(&shop.staff).update_status(id, to(StageName::ResolutionFailed), None).await.unwrap(), 200);
        let credit = instead(StageName::ResolutionProcessing, Resolution::StoreCredit, None);
        assert_eq!(refused(&shop, id, credit.clone()).await, RefusalCode::StageConflict);
        shop.source.set(shop.source.now().plus_seconds(86_400));
        assert_eq!(refused(&shop, id, credit.clone()).await, RefusalCode::StageConflict, "time alone proves nothing");
        assert_eq!(request(&shop, id).await.requested_resolution, Resolution::Exchange);
        // A retry under the same transaction, which may name the article again: the shop answers that it gives nothing.
        component.answer(sold_out);
        let same = instead(StageName::ResolutionProcessing, Resolution::Exchange, Some("MUG-RED"));
        fresh(shop.retour.merchant(&shop.staff).update_status(id, same, None).await.unwrap(), 200);
        wait_for_stage(&shop, id, StageName::ResolutionFailed).await;
        let [first, again] = settlement_requests(&component).try_into().unwrap();
        assert_eq!(first["transactionId"], again["transactionId"]);
        component.answer(|got| if is_settling(got) { answer(200, &json!({"status": "Completed"})) } else { sold_out(got) });
        fresh(shop.retour.merchant(&shop.staff).update_status(id, credit, None).await.unwrap(), 200);
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let told = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
        assert!(told.iter().any(|entry| entry.comment == "StoreCredit instead of Exchange (MUG-RED)."), "{told:?}");
        // The draft promised no bonus.
        let last = settlement_requests(&component).pop().unwrap();
        assert_eq!((&last["type"], &last["items"][0]["amount"]["value"]), (&json!("StoreCredit"), &json!("13.34")));
        settling.stop().await;
    }
}
