//! A merchant changes shipping options, return reasons, locations and the account.

use crate::{
    race::{Work, at_once},
    shop::{Shop, fields, fresh, refusal, sent},
};
use domain::{RefusalCode, ReturnLocationId, ShippingOptionId, policy::Policy};
use returns::{Done, Error, ErrorCode, Expand, IdempotencyKey, Listing, Page, lists, view};
use serde_json::{Value, json};
use store::testing::Database;

const ALL: Page = Page::first(100);

pub fn address(city: &str) -> Value {
    json!({"name": "Returns", "street": "1 Dock Road", "city": city, "country": "GB"})
}

impl Shop {
    async fn location(&self, city: &str, is_default: bool) -> view::ReturnLocation {
        let new = sent(json!({"name": city, "address": address(city), "isDefault": is_default}));
        fresh(self.retour.merchant(&self.staff).create_return_location(new, None).await.unwrap(), 201)
    }

    async fn relocate(&self, id: ReturnLocationId, change: Value) -> Result<Done<view::ReturnLocation>, Error> {
        self.retour.merchant(&self.staff).change_return_location(id, sent(change), None, None).await
    }

    async fn defaults(&self) -> Vec<String> {
        let list = self.retour.merchant(&self.staff).return_locations(&Listing::newest(ALL)).await.unwrap();
        list.data.into_iter().filter(|location| location.is_default).map(|location| location.name).collect()
    }

    async fn only_option(&self) -> view::ShippingOption {
        self.retour.merchant(&self.staff).shipping_options(&Listing::newest(ALL)).await.unwrap().data.remove(0)
    }

    async fn change_option(&self, id: ShippingOptionId, change: Value) -> Result<Done<view::ShippingOption>, Error> {
        self.retour.merchant(&self.staff).change_shipping_option(id, sent(change), None, None).await
    }

    /// Returns something. Gives the city where its parcel goes.
    async fn receiver(&self, number: &str) -> String {
        let order = self.sell(number, &[(1, 100)]).await.send_back(&[(0, 1)]).await.id;
        let order = self.retour.merchant(&self.staff).return_order(order, &[Expand::Shipments]).await.unwrap();
        order.shipments.unwrap().remove(0).receiver.city
    }
}

store::on_each_database! {
    async fn parcels_go_to_the_location_of_the_option_else_to_the_default_else_to_the_account(database: Database) {
        let policy = Policy { return_address: serde_json::from_value(address("Edinburgh")).unwrap(), ..Policy::default() };
        let shop = Shop::open_with(&database, "fjord-fern", "EUR", policy).await;
        assert_eq!(shop.receiver("1").await, "Edinburgh");
        let leith = shop.location("Leith", false).await;
        assert_eq!(shop.receiver("2").await, "Edinburgh");
        shop.location("Perth", true).await;
        assert_eq!(shop.receiver("3").await, "Perth");
        let option = shop.only_option().await;
        fresh(shop.change_option(option.id, json!({"returnLocationId": leith.id})).await.unwrap(), 200);
        assert_eq!(shop.receiver("4").await, "Leith");
        shop.retour.merchant(&shop.staff).delete_return_location(leith.id).await.unwrap();
        assert_eq!(shop.receiver("5").await, "Perth", "an archived location gets no parcels");
        let again = fresh(shop.relocate(leith.id, json!({"archived": false})).await.unwrap(), 200);
        assert_eq!(again.archived_at, None);
        assert_eq!(shop.receiver("6").await, "Leith");
        fresh(shop.change_option(option.id, json!({"returnLocationId": null})).await.unwrap(), 200);
        assert_eq!(shop.receiver("7").await, "Perth");
    }

    async fn of_many_simultaneous_defaults_one_remains(database: Database) {
        let shop = Shop::open(&database).await;
        let mut ids = Vec::new();
        for city in ["Leith", "Perth", "Oban", "Wick"] {
            ids.push(shop.location(city, false).await.id);
        }
        let changes = ids.iter().map(|&id| {
            let shop = shop.clone();
            async move { fresh(shop.relocate(id, json!({"isDefault": true})).await.unwrap(), 200).is_default }
        });
        let creations = (0..4).map(|number| {
            let shop = shop.clone();
            async move { shop.location(&format!("New {number}"), true).await.is_default }
        });
        let mut all: Vec<Work<bool>> = Vec::new();
        changes.for_each(|change| all.push(Box::pin(change)));
        creations.for_each(|creation| all.push(Box::pin(creation)));
        assert!(at_once(all).await.into_iter().all(|is_default| is_default));
        assert_eq!(shop.defaults().await.len(), 1);
    }

    async fn the_default_can_be_removed_and_ends_when_it_is_archived(database: Database) {
        let shop = Shop::open(&database).await;
        let leith = shop.location("Leith", true).await;
        let kept = fresh(shop.relocate(leith.id, json!({"archived": true})).await.unwrap(), 200);
        assert!(!kept.is_default && kept.archived_at.is_some());
        assert_eq!(fields(shop.relocate(leith.id, json!({"isDefault": true})).await), ["isDefault"]);
        let both = json!({"archived": false, "isDefault": true});
        assert!(fresh(shop.relocate(leith.id, both).await.unwrap(), 200).is_default);
        assert!(!fresh(shop.relocate(leith.id, json!({"isDefault": false})).await.unwrap(), 200).is_default);
        assert!(shop.defaults().await.is_empty());
        shop.retour.merchant(&shop.staff).delete_return_location(leith.id).await.unwrap();
        assert!(matches!(shop.relocate(leith.id, json!({})).await, Err(Error::NotFound)), "nothing referred to it, so it is deleted");
    }

    async fn an_option_that_a_draft_names_is_archived_and_the_draft_cannot_be_submitted(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let option = shop.only_option().await;
        let draft = customer.draft(&[(0, 1)]).await;
        shop.retour.merchant(&shop.staff).delete_shipping_option(option.id).await.unwrap();
        shop.retour.merchant(&shop.staff).delete_shipping_option(option.id).await.unwrap();
        let kept = shop.retour.merchant(&shop.staff).shipping_option(option.id).await.unwrap();
        assert_eq!((kept.archived_at.is_some(), kept.version), (true, 2), "the second time changes nothing");
        assert!(customer.purchases().await[0].shipping_options.is_empty());
        assert_eq!(refusal(customer.submit(draft).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        fresh(shop.change_option(option.id, json!({"archived": false})).await.unwrap(), 200);
        fresh(customer.submit(draft).await.unwrap(), 201);
    }

    async fn options_deleted_while_drafts_choose_them_are_archived_or_gone(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(9, 9_000)]).await;
        let option = shop.only_option().await.id;
        let draft = customer.draft(&[(0, 1)]).await;
        let (submitting, deleting) = (customer.clone(), shop.clone());
        let work: Vec<Work<Result<(), Error>>> = vec![
            Box::pin(async move { submitting.submit(draft).await.map(|_| ()) }),
            Box::pin(async move { deleting.retour.merchant(&deleting.staff).delete_shipping_option(option).await }),
        ];
        for outcome in at_once(work).await {
            assert!(outcome.is_ok() || outcome.unwrap_err().code() == ErrorCode::Refused(RefusalCode::DraftOutdated));
        }
        assert!(shop.retour.merchant(&shop.staff).shipping_option(option).await.unwrap().archived_at.is_some());
    }

    async fn a_used_reason_is_archived_with_its_sub_reasons_and_can_be_restored(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let used = customer.purchases().await[0].return_reasons[0].id;
        customer.send_back(&[(0, 1)]).await;
        let part = sent(json!({"description": {"en": "At the sleeves"}, "parentId": used}));
        let part = fresh(shop.retour.merchant(&shop.staff).create_return_reason(part, None).await.unwrap(), 201);
        assert_eq!((part.parent_id, part.position), (Some(used), 8));
        let offered = async || customer.purchases().await[0].return_reasons.iter().map(|reason| reason.id).collect::<Vec<_>>();
        assert!(offered().await.contains(&part.id));
        shop.retour.merchant(&shop.staff).delete_return_reason(used).await.unwrap();
        let kept = shop.retour.merchant(&shop.staff).return_reason(used).await.unwrap();
        assert!(kept.archived_at.is_some());
        assert!(!offered().await.contains(&used) && !offered().await.contains(&part.id));
        let back = sent(json!({"archived": false}));
        fresh(shop.retour.merchant(&shop.staff).change_return_reason(used, back, None, None).await.unwrap(), 200);
        assert!(offered().await.contains(&used) && offered().await.contains(&part.id));
        shop.retour.merchant(&shop.staff).delete_return_reason(part.id).await.unwrap();
        assert!(matches!(shop.retour.merchant(&shop.staff).return_reason(part.id).await, Err(Error::NotFound)));
    }

    async fn reasons_have_one_level_of_sub_reasons(database: Database) {
        let shop = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let listing = Listing::newest(ALL);
        let reasons = shop.retour.merchant(&shop.staff).return_reasons(&listing).await.unwrap().data;
        let foreign = theirs.retour.merchant(&theirs.staff).return_reasons(&listing).await.unwrap().data[0].id;
        let (one, two, three) = (reasons[0].id, reasons[1].id, reasons[2].id);
        let under = async |id, parent: Value| {
            shop.retour.merchant(&shop.staff).change_return_reason(id, sent(json!({"parentId": parent})), None, None).await
        };
        fresh(under(two, json!(one)).await.unwrap(), 200);
        assert_eq!(fields(under(three, json!(two)).await), ["parentId"], "two levels");
        assert_eq!(fields(under(one, json!(three)).await), ["parentId"], "it has sub-reasons itself");
        assert_eq!(fields(under(three, json!(three)).await), ["parentId"], "itself");
        assert_eq!(fields(under(three, json!(foreign)).await), ["parentId"], "another account's reason");
        fresh(under(two, Value::Null).await.unwrap(), 200);
        fresh(under(three, json!(two)).await.unwrap(), 200);
    }

    async fn simultaneous_additions_stop_at_200(database: Database) {
        let shop = Shop::open(&database).await;
        let new = || sent(json!({"name": {"en": "Label"}, "method": "Label", "prices": [{"value": "1.00", "currency": "EUR"}]}));
        for _ in 0..196 {
            fresh(shop.retour.merchant(&shop.staff).create_shipping_option(new(), None).await.unwrap(), 201);
        }
        let last = (0..8).map(|_| {
            let (shop, new) = (shop.clone(), new());
            async move { shop.retour.merchant(&shop.staff).create_shipping_option(new, None).await.map(|_| ()) }
        });
        let outcomes = at_once(last.collect()).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
        let full = outcomes.into_iter().find(Result::is_err).unwrap();
        assert_eq!(refusal(full), ErrorCode::Refused(RefusalCode::LimitReached));
        assert_eq!(database.rows("shipping_options").await, 200);
    }

    async fn an_empty_change_keeps_the_version(database: Database) {
        let shop = Shop::open(&database).await;
        let option = shop.only_option().await;
        shop.source.set(crate::shop::NOW.plus_seconds(60));
        let same = json!({"name": option.name, "prices": option.prices, "archived": false});
        for change in [json!({}), same] {
            let kept = fresh(shop.change_option(option.id, change).await.unwrap(), 200);
            assert_eq!((kept.version, kept.updated_at), (1, option.updated_at));
        }
        let kept = fresh(shop.change_option(option.id, json!({"position": 5})).await.unwrap(), 200);
        assert_eq!((kept.version, kept.updated_at, kept.created_at), (2, crate::shop::NOW.plus_seconds(60), option.created_at));
        let before = shop.retour.merchant(&shop.staff).account_settings().await.unwrap();
        let kept = fresh(shop.retour.merchant(&shop.staff).change_account(sent(json!({"policy": {}})), None, None).await.unwrap(), 200);
        assert_eq!((kept.version, kept.updated_at), (before.version, before.updated_at));
    }

    async fn a_change_of_an_outdated_version_is_refused(database: Database) {
        let shop = Shop::open(&database).await;
        let option = shop.only_option().await.id;
        let change = async |version| {
            let change = sent(json!({"position": 5}));
            shop.retour.merchant(&shop.staff).change_shipping_option(option, change, Some(version), None).await
        };
        assert!(matches!(change(2).await, Err(Error::PreconditionFailed(1))));
        fresh(change(1).await.unwrap(), 200);
        assert!(matches!(change(1).await, Err(Error::PreconditionFailed(2))));
        let account = async |version| {
            shop.retour.merchant(&shop.staff).change_account(sent(json!({"name": "New"})), Some(version), None).await
        };
        assert!(matches!(account(9).await, Err(Error::PreconditionFailed(1))));
        fresh(account(1).await.unwrap(), 200);
    }

    async fn a_repeated_addition_adds_once(database: Database) {
        let shop = Shop::open(&database).await;
        let key = || Some(IdempotencyKey { credential: "serviceUser:1".to_owned(), key: "k".to_owned(), fingerprint: vec![1] });
        let add = async || {
            let new = sent(json!({"name": "Leith", "address": address("Leith")}));
            shop.retour.merchant(&shop.staff).create_return_location(new, key()).await.unwrap()
        };
        let first = serde_json::to_string(&fresh(add().await, 201)).unwrap();
        match add().await {
            Done::Replayed(answer) => assert_eq!((answer.status, answer.body), (201, first)),
            fresh @ Done::Fresh { .. } => panic!("{fresh:?}"),
        }
        assert_eq!(database.rows("return_locations").await, 1);
    }

    async fn another_account_cannot_see_the_settings(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let (retour, them) = (&ours.retour, &theirs.staff);
        let option = ours.only_option().await.id;
        let reason = retour.merchant(&ours.staff).return_reasons(&Listing::newest(ALL)).await.unwrap().data[0].id;
        let location = ours.location("Leith", false).await.id;
        let before = (database.texts("SELECT CAST(version AS TEXT) FROM shipping_options").await, database.rows("return_reasons").await);
        assert!(matches!(retour.merchant(them).shipping_option(option).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).change_shipping_option(option, sent(json!({"position": 2})), None, None).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).delete_shipping_option(option).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).return_reason(reason).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).change_return_reason(reason, sent(json!({"position": 2})), None, None).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).delete_return_reason(reason).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).return_location(location).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).change_return_location(location, sent(json!({"name": "x"})), None, None).await, Err(Error::NotFound)));
        assert!(matches!(retour.merchant(them).delete_return_location(location).await, Err(Error::NotFound)));
        let own = theirs.only_option().await.id;
        assert_eq!(fields(theirs.change_option(own, json!({"returnLocationId": location})).await), ["returnLocationId"]);
        let archived = lists::SHIPPING_OPTIONS.condition("archived:true").unwrap();
        let listing = Listing { conditions: vec![archived], ..Listing::newest(ALL) };
        assert!(retour.merchant(them).shipping_options(&listing).await.unwrap().data.is_empty());
        assert!(retour.merchant(them).return_locations(&Listing::newest(ALL)).await.unwrap().data.is_empty());
        assert_eq!(before, (database.texts("SELECT CAST(version AS TEXT) FROM shipping_options").await, database.rows("return_reasons").await));
    }

    async fn an_option_is_offered_in_its_countries_and_is_free_above_an_amount(database: Database) {
        let shop = Shop::open(&database).await;
        let option = shop.only_option().await;
        let elsewhere = json!({"name": {"en": "Courier"}, "method": "Label", "countries": ["FR", "BE"],
            "prices": [{"value": "1.00", "currency": "EUR"}]});
        let elsewhere = fresh(shop.retour.merchant(&shop.staff).create_shipping_option(sent(elsewhere), None).await.unwrap(), 201);
        let prices = json!([{"value": "4.95", "currency": "EUR"}]);
        let change = json!({"prices": prices, "countries": ["GB"], "freeFrom": [{"value": "50.00", "currency": "EUR"}]});
        let kept = fresh(shop.change_option(option.id, change).await.unwrap(), 200);
        assert_eq!((kept.countries.as_slice(), kept.free_from.minor(shop.account.currency)), (&["GB".to_owned()][..], Some(5_000)));
        let customer = shop.sell("1", &[(2, 6_000)]).await; // delivered to Great Britain
        let offered = customer.purchases().await.remove(0).shipping_options;
        assert_eq!(offered.iter().map(|offer| offer.id).collect::<Vec<_>>(), [option.id]);
        assert_eq!(offered[0].fare.as_ref().unwrap().free_from.map(|least| least.minor), Some(5_000));
        let chosen = customer.choose(&[(0, 1)]).await;
        let refused = shop.retour.consumer(&customer.shopper).draft(chosen, Some(elsewhere.id), None).await;
        assert_eq!(fields(refused), ["shippingOptionId"]);

        let costs = |units| {
            let (shop, customer) = (shop.clone(), customer.clone());
            async move {
                let draft = customer.draft(&[(0, units)]).await;
                let compared = shop.retour.consumer(&customer.shopper).compare_shipping(draft, &domain::Locale::default()).await.unwrap().ways;
                assert_eq!(compared.len(), 1);
                let draft = shop.retour.consumer(&customer.shopper).find_draft(draft).await.unwrap();
                assert_eq!(draft.costs, compared[0].1);
                (compared[0].0.fare.as_ref().unwrap().price.minor, draft.costs.breakdown().unwrap().estimated_refund.minor)
            }
        };
        assert_eq!(costs(1).await, (495, 3_000 - 495));
        assert_eq!(costs(2).await, (0, 6_000));

        // An option that is withdrawn between draft and submit outdates the draft.
        let draft = customer.draft(&[(0, 1)]).await;
        fresh(shop.change_option(option.id, json!({"countries": ["DE"]})).await.unwrap(), 200);
        assert_eq!(refusal(customer.submit(draft).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
        let purchase = customer.purchases().await.remove(0);
        assert_eq!((purchase.eligibility.returnable, purchase.shipping_options.len()), (false, 0));
        let wrong = json!({"countries": ["DE", "Holland", "DE"]});
        assert_eq!(fields(shop.change_option(option.id, wrong).await), ["countries[1]", "countries[2]"]);
    }
}
