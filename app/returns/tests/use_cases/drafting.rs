//! Drafts that prefer a shipping option, renewed drafts, and submits that name a shipping option.

use crate::{
    gifts,
    questions::{broken, chosen},
    race::at_once,
    shop::{ALL, Customer, NOW, Shop, fields, fresh, refusal, sent, taken},
};
use domain::{
    Currency, DraftReturnOrderId, Locale, Money, Percent, RefusalCode, ReturnOrderId, ShippingOptionId,
    costs::LineKind,
    money::Prices,
    order::NewOrder,
    policy::Policy,
    returning::{DraftStatus, ReturnSource},
};
use returns::{
    Done, Error, ErrorCode, IdempotencyKey, Retour, Selection, Sent, Shopper,
    import::{ImportError, Parsed},
    view,
};
use serde_json::{Value, json};
use store::testing::Database;

/// A second shipping option, besides the default one of every account.
async fn courier(shop: &Shop) -> ShippingOptionId {
    let new = json!({"name": {"en": "Courier", "de": "Kurier"}, "method": "Label", "maxWeight": 1_000, "prices": [
        {"value": "9.00", "currency": "EUR"}, {"value": "10.00", "currency": "USD"}]});
    fresh(shop.retour.merchant(&shop.staff).create_shipping_option(sent(new), None).await.unwrap(), 201).id
}

async fn archive(shop: &Shop, option: ShippingOptionId) {
    let change = sent(json!({"archived": true}));
    fresh(shop.retour.merchant(&shop.staff).change_shipping_option(option, change, None, None).await.unwrap(), 200);
}

impl Customer {
    async fn submit_with_option(
        &self,
        draft: DraftReturnOrderId,
        option: ShippingOptionId,
    ) -> Result<Done<view::ReturnOrderView>, Error> {
        let sent = Sent { source: ReturnSource::Portal, language: String::new(), shipping_option: Some(option) };
        self.retour.consumer(&self.shopper).submit(draft, sent, None).await
    }

    async fn first_option(&self) -> ShippingOptionId {
        self.purchases().await[0].shipping_options[0].id
    }

    async fn stored_draft(&self, draft: DraftReturnOrderId) -> view::Draft {
        self.retour.consumer(&self.shopper).find_draft(draft).await.unwrap()
    }

    async fn renew(&self, draft: DraftReturnOrderId) -> Result<view::Draft, Error> {
        self.retour.consumer(&self.shopper).renew_draft(draft).await
    }

    async fn return_order_of(&self, draft: DraftReturnOrderId) -> Result<Option<ReturnOrderId>, Error> {
        self.retour.consumer(&self.shopper).find_draft(draft).await.map(|found| found.return_order_id)
    }
}

fn text(shown: &impl serde::Serialize) -> Value {
    serde_json::to_value(shown).unwrap()
}

fn refund(draft: &view::Draft) -> i64 {
    draft.costs.breakdown().unwrap().total(LineKind::ItemRefund)
}

fn sending(costs: &view::Costs) -> i64 {
    costs.breakdown().unwrap().total(LineKind::ReturnShipping)
}

store::on_each_database! {
    async fn a_preferred_option_that_is_not_offered_leaves_the_draft_without_one(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 5_000)]).await;
        let courier = courier(&shop).await;
        let made = async |units, option| {
            let chosen = customer.choose(&[(0, units)]).await;
            shop.retour.consumer(&customer.shopper).draft_preferring(chosen, option).await
        };
        let with = made(2, Some(courier)).await.unwrap();
        assert_eq!((with.shipping_option_id, sending(&with.costs)), (Some(courier), -900));
        assert_eq!(text(&customer.stored_draft(with.id).await), text(&with));
        let too_heavy = made(3, Some(courier)).await.unwrap(); // 500 g a unit
        assert_eq!((too_heavy.shipping_option_id, sending(&too_heavy.costs)), (None, 0));
        assert_eq!(made(1, None).await.unwrap().shipping_option_id, None);
        archive(&shop, courier).await;
        assert_eq!(made(1, Some(courier)).await.unwrap().shipping_option_id, None);
        assert_eq!(database.rows("draft_return_orders").await, 4, "no draft is made twice");

        assert_eq!(fields(made(6, Some(courier)).await), ["selectedPurchases[0].quantity"]);
        let refused = shop.retour.consumer(&customer.shopper).draft(customer.choose(&[(0, 1)]).await, Some(courier), None).await;
        assert_eq!(fields(refused), ["shippingOptionId"], "the error names the chosen option");
    }

    async fn a_submit_sets_the_option_that_it_names(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 5_000)]).await;
        let (courier, first) = (courier(&shop).await, customer.first_option().await);
        let (draft, in_two) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(0, 1)]).await);
        let order = fresh(customer.submit_with_option(draft, courier).await.unwrap(), 201);
        assert_eq!((order.shipping_option_id, sending(&order.costs)), (Some(courier), -900));
        let accepted = customer.stored_draft(draft).await;
        assert_eq!((accepted.status, accepted.shipping_option_id), (DraftStatus::Accepted, Some(courier)));
        assert_eq!((accepted.return_order_id, &accepted.costs), (Some(order.id), &order.costs));

        fresh(shop.retour.consumer(&customer.shopper).set_shipping_option(in_two, courier, None).await.unwrap(), 200);
        let in_two = fresh(customer.submit(in_two).await.unwrap(), 201);
        assert_eq!(sending(&in_two.costs), -900, "setting the option first costs the same");
        // Later submits return the same return order, whichever option they name.
        for option in [courier, first, ShippingOptionId(uuid::Uuid::nil())] {
            assert_eq!(text(&fresh(customer.submit_with_option(draft, option).await.unwrap(), 200)), text(&order));
        }
        assert_eq!((database.rows("return_orders").await, taken(&database).await.0), (2, 2));
        let undecided = shop.retour.consumer(&customer.shopper).draft_preferring(customer.choose(&[(0, 1)]).await, None).await;
        let undecided = undecided.unwrap().id;
        assert_eq!(fields(customer.submit(undecided).await), ["shippingOptionId"]);
        let order = fresh(customer.submit_with_option(undecided, first).await.unwrap(), 201);
        assert_eq!(order.shipping_option_id, Some(first));
    }

    async fn a_submit_with_an_option_that_cannot_be_chosen_changes_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(5, 5_000)]).await;
        let (courier, first) = (courier(&shop).await, customer.first_option().await);
        let draft = customer.draft(&[(0, 3)]).await;
        let before = text(&customer.stored_draft(draft).await);
        let Err(Error::Invalid(errors)) = customer.submit_with_option(draft, courier).await else { panic!("expected a refusal: the units are too heavy") };
        assert_eq!((errors[0].field.as_str(), errors[0].code), ("shippingOptionId", RefusalCode::OutOfRange));
        assert_eq!(fields(customer.submit_with_option(draft, ShippingOptionId(uuid::Uuid::nil())).await), ["shippingOptionId"]);
        assert_eq!(text(&customer.stored_draft(draft).await), before);
        assert_eq!((database.rows("return_orders").await, database.rows("events").await, taken(&database).await.0), (0, 0, 0));
        // Naming the draft's own option equals naming none: the draft is outdated.
        archive(&shop, first).await;
        assert_eq!(refusal(customer.submit_with_option(draft, first).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        assert_eq!(refusal(customer.submit(draft).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        shop.source.set(NOW.plus_hours(24));
        assert_eq!(refusal(customer.submit_with_option(draft, courier).await), ErrorCode::Refused(RefusalCode::DraftExpired));
        assert_eq!(text(&customer.stored_draft(draft).await)["shippingOptionId"], before["shippingOptionId"]);
    }

    async fn an_outdated_draft_stays_unchanged_whichever_option_is_named(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let courier = courier(&shop).await;
        let draft = customer.draft(&[(0, 1)]).await;
        let before = text(&customer.stored_draft(draft).await);
        shop.import(vec![shop.order("1001", &[(1, 2_000)])]).await;
        let Err(Error::Outdated { refusal, costs, .. }) = customer.submit_with_option(draft, courier).await else { panic!("expected a refusal: the price changed") };
        assert_eq!(refusal.code, RefusalCode::DraftOutdated);
        let costs = costs.unwrap();
        assert_eq!((costs.total(LineKind::ItemRefund), costs.total(LineKind::ReturnShipping)), (2_000, -900), "the new costs include the named option");
        assert_eq!(text(&customer.stored_draft(draft).await), before);
    }

    async fn kept_items_have_no_shipping_option(database: Database) {
        let below = Prices::new([Money::new(1_000, Currency::from_code("EUR").unwrap())]).unwrap();
        let shop = Shop::open_with(&database, "generous", "EUR", Policy { keep_item_below: below, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(1, 300)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        let order = fresh(customer.submit_with_option(draft, customer.first_option().await).await.unwrap(), 201);
        assert_eq!((order.shipping_option_id, database.rows("shipments").await), (None, 0));
    }

    async fn simultaneous_submits_with_two_options_make_one_return(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(20, 20_000)]).await;
        let (courier, first) = (courier(&shop).await, customer.first_option().await);
        for round in 1..=6 {
            let draft = customer.draft(&[(0, 1)]).await;
            let clicks = (0..8).map(|click| {
                let customer = customer.clone();
                let option = if click % 2 == 0 { courier } else { first };
                async move { (option, customer.submit_with_option(draft, option).await.unwrap()) }
            });
            let mut made = Vec::new();
            let mut orders = Vec::new();
            for (option, done) in at_once(clicks.collect()).await {
                let Done::Fresh { status, value } = done else { panic!("expected a fresh result: no key was sent") };
                made.extend((status == 201).then_some(option));
                orders.push(value);
            }
            assert_eq!(made.len(), 1);
            let draft = customer.stored_draft(draft).await;
            for order in &orders {
                assert_eq!((order.id, order.shipping_option_id), (orders[0].id, Some(made[0])));
                assert_eq!((&order.costs, draft.shipping_option_id), (&draft.costs, Some(made[0])));
            }
            assert_eq!((database.rows("return_orders").await, database.rows("shipments").await), (round, round));
            assert_eq!(taken(&database).await, (round, 0));
        }
    }

    async fn a_renewed_draft_has_current_figures(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 2_000), (3, 900)]).await;
        let courier = courier(&shop).await;
        let mut wanted: Vec<Selection> = customer.choose(&[(1, 1), (0, 1)]).await;
        "The handle broke".clone_into(&mut wanted[0].comment);
        let old = fresh(shop.retour.consumer(&customer.shopper).draft(wanted, Some(courier), None).await.unwrap(), 201);
        shop.import(vec![shop.order("1001", &[(2, 3_000), (3, 900)])]).await;
        shop.source.set(NOW.plus_hours(30));
        let before = text(&customer.stored_draft(old.id).await);
        let new = customer.renew(old.id).await.unwrap();
        assert_eq!((refund(&old), refund(&new)), (1_300, 1_800));
        assert_eq!((new.status, new.expires_at), (DraftStatus::Open, NOW.plus_hours(54)));
        assert_eq!(text(&new.selected_purchases), text(&old.selected_purchases));
        assert_eq!((new.shipping_option_id, sending(&new.costs)), (Some(courier), -900));
        assert_eq!(text(&customer.stored_draft(old.id).await), before, "the older draft stays unchanged");
        archive(&shop, courier).await;
        assert_eq!(customer.renew(new.id).await.unwrap().shipping_option_id, None);
        fresh(customer.submit_with_option(new.id, customer.first_option().await).await.unwrap(), 201);
    }

    async fn a_renewed_draft_drops_answers_to_removed_questions(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let reason = broken(&shop).await.id;
        let given = [("how", "It tore"), ("where", "zip")];
        let old = fresh(customer.try_draft(chosen(&customer, reason, &given).await, None).await.unwrap(), 201);
        let ask = async |questions: Value| {
            let change = sent(json!({"questions": questions}));
            fresh(shop.retour.merchant(&shop.staff).change_return_reason(reason, change, None, None).await.unwrap(), 200);
            customer.renew(old.id).await
        };
        let how = json!({"id": "how", "text": {"en": "How?"}, "required": true});
        let new = ask(json!([how])).await.unwrap();
        let answers: Vec<_> = new.selected_purchases[0].answers.iter().map(|one| one.value.as_str()).collect();
        assert_eq!(answers, ["It tore"]);
        let when = json!({"id": "when", "text": {"en": "When?"}, "required": true});
        assert_eq!(fields(ask(json!([how, when])).await), ["selectedPurchases[0].answers.when"]);
        assert!(ask(json!([])).await.unwrap().selected_purchases[0].answers.is_empty());
        fresh(shop.retour.merchant(&shop.staff).change_return_reason(reason, sent(json!({"archived": true})), None, None).await.unwrap(), 200);
        assert_eq!(fields(customer.renew(old.id).await), ["selectedPurchases[0].returnReasonId"]);
    }

    async fn a_refused_renewal_names_the_fields_of_the_older_draft(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000), (2, 1_000), (3, 900)]).await;
        let old = customer.draft(&[(2, 1), (1, 2), (0, 1)]).await;
        customer.send_back(&[(1, 1), (0, 1)]).await;
        assert_eq!(fields(customer.renew(old).await), ["selectedPurchases[1].quantity", "selectedPurchases[2].purchaseId"]);
        assert_eq!(database.rows("draft_return_orders").await, 2);
    }

    async fn a_key_renews_a_draft_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let old = customer.draft(&[(0, 1)]).await;
        let key = || {
            let (credential, key) = ("consumer:1".to_owned(), "k-1".to_owned());
            Some(IdempotencyKey { credential, key, fingerprint: b"renew".to_vec() })
        };
        let renew = || shop.retour.consumer(&customer.shopper).renew_draft_with_key(old, key());
        let first = fresh(renew().await.unwrap(), 201);
        customer.send_back(&[(0, 1)]).await;
        let Done::Replayed(answer) = renew().await.unwrap() else { panic!("expected a replayed answer") };
        assert_eq!((answer.status, answer.body), (201, serde_json::to_string(&first).unwrap()));
        assert_eq!(database.rows("draft_return_orders").await, 3);
    }

    async fn a_draft_leads_only_to_its_own_return(database: Database) {
        let shop = Shop::open(&database).await;
        let (customer, other) = (shop.sell("1001", &[(3, 999)]).await, shop.sell("1002", &[(3, 999)]).await);
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let stranger = theirs.sell("1001", &[(3, 999)]).await;
        let (sent, open) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(0, 1)]).await);
        let order = fresh(customer.submit(sent).await.unwrap(), 201).id;
        customer.send_back(&[(0, 1)]).await;
        assert_eq!((customer.return_order_of(sent).await.unwrap(), customer.return_order_of(open).await.unwrap()), (Some(order), None));
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(customer.return_order_of(sent).await.unwrap(), Some(order));
        let forged = Customer { shopper: Shopper { account: theirs.account.id, ..customer.shopper }, ..customer.clone() };
        for foreign in [&other, &stranger, &forged] {
            for draft in [sent, open, DraftReturnOrderId(uuid::Uuid::nil())] {
                assert_eq!(refusal(foreign.return_order_of(draft).await), ErrorCode::NotFound);
                assert_eq!(refusal(foreign.renew(draft).await), ErrorCode::NotFound);
            }
        }
        let listed = shop.retour.merchant(&shop.staff).draft_return_order(sent).await.unwrap();
        assert_eq!((listed.return_order_id, customer.stored_draft(open).await.return_order_id), (Some(order), None));
    }

    async fn the_offer_is_what_the_first_purchase_offers(database: Database) {
        let shop = gifts::shop(&database, &[(1, 1_999), (1, 500)]).await;
        courier(&shop).await;
        let abroad = json!({"name": {"en": "Abroad"}, "method": "Label", "countries": ["FR"],
            "prices": [{"value": "1.00", "currency": "EUR"}]});
        fresh(shop.retour.merchant(&shop.staff).create_shipping_option(sent(abroad), None).await.unwrap(), 201);
        broken(&shop).await;
        let fee = json!({"description": {"en": "Just so"}, "restockingFeePercent": 10});
        fresh(shop.retour.merchant(&shop.staff).create_return_reason(sent(fee), None).await.unwrap(), 201);
        let dollars = NewOrder { currency: Currency::from_code("USD").unwrap(), ..shop.order("1002", &[(1, 999)]) };
        let parsed = std::iter::once(Ok::<_, ImportError>(Parsed::from(dollars)));
        shop.retour.operator().import(shop.account.id, parsed).await.unwrap();
        let people = [shop.customer("1001").await, shop.customer("1002").await, gifts::recipient(&shop).await];
        let mut seen = Vec::new();
        for customer in &people {
            for locale in [Locale::default(), Locale("de".to_owned())] {
                let offered = shop.retour.consumer(&customer.shopper).offered(&locale).await.unwrap();
                let purchase = shop.retour.consumer(&customer.shopper).purchases(ALL, Some(&locale)).await.unwrap().data.remove(0);
                assert_eq!(text(&offered.options), text(&purchase.shipping_options));
                assert_eq!(text(&offered.reasons), text(&purchase.return_reasons));
                seen.push((offered.options.len(), offered.options.iter().filter(|option| option.fare.is_some()).count()));
            }
        }
        assert_eq!(seen, [(2, 2), (2, 2), (1, 1), (1, 1), (2, 0), (2, 0)]);
        database.run("DELETE FROM purchases").await;
        let nothing = shop.retour.consumer(&people[0].shopper).offered(&Locale::default()).await.unwrap();
        assert!(nothing.options.is_empty() && nothing.reasons.is_empty());
    }
    async fn changes_by_another_instance_are_offered_at_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_999)]).await;
        let other = Retour::new(database.store.clone(), shop.source.clone());
        let offers = async || {
            let offered = other.consumer(&customer.shopper).offered(&Locale::default()).await.unwrap();
            let account = other.account("fjord-fern").await.unwrap();
            let general = other.general_offer(&account, &Locale::default()).await.unwrap();
            assert_eq!(general.options.len(), offered.options.len());
            (offered.options.len(), offered.reasons.len(), general.restocking.1)
        };
        let (options, reasons, none) = offers().await;
        let ten = Percent::from_hundredths(1_000).unwrap();
        let fee = json!({"description": {"en": "Just so"}, "restockingFeePercent": 10});
        let reason = fresh(shop.retour.merchant(&shop.staff).create_return_reason(sent(fee), None).await.unwrap(), 201).id;
        assert_eq!(offers().await, (options, reasons + 1, ten));
        let option = courier(&shop).await;
        assert_eq!(offers().await, (options + 1, reasons + 1, ten));
        archive(&shop, option).await;
        assert_eq!(offers().await, (options, reasons + 1, ten));
        shop.retour.merchant(&shop.staff).delete_return_reason(reason).await.unwrap();
        assert_eq!(offers().await, (options, reasons, none));
    }
}
