//! Tenants are isolated: other accounts and consumers see `NotFound`, as if nothing existed.
//!
//! `server/tests/api/matrix.rs` tries each HTTP operation. This adds the use cases that only pages call, a consumer of one account
//! in another, and altered credentials.

use crate::shop::{ALL, Customer, HERE, Shop, fresh};
use domain::{DraftReturnOrderId, Locale, ReturnOrderId, policy::Policy, returning::ReturnSource};
use returns::{Error, Expand, LabelFormat, Listing, Retour, Scope, Shopper, Staff, lists};
use store::testing::Database;

const EVERYTHING: [Expand; 3] = [Expand::Consumer, Expand::Shipments, Expand::ReturnRequests];

#[track_caller]
fn not_found<T: std::fmt::Debug>(what: &str, outcome: Result<T, Error>) {
    assert!(matches!(outcome, Err(Error::NotFound)), "{what}: {outcome:?}");
}

/// Calls every use case that takes a draft or a return order by its id.
async fn finds_nothing(
    retour: &Retour,
    shopper: Shopper,
    draft: DraftReturnOrderId,
    order: ReturnOrderId,
    of: &Customer,
) {
    let option = of.purchases().await[0].shipping_options[0].id;
    not_found("find_draft", retour.consumer(&shopper).find_draft(draft).await);
    not_found("compare_shipping", retour.consumer(&shopper).compare_shipping(draft, &Locale::default()).await);
    not_found("set_shipping_option", retour.consumer(&shopper).set_shipping_option(draft, option, None).await);
    not_found("renew_draft", retour.consumer(&shopper).renew_draft(draft).await);
    not_found("submit_or_renew", retour.consumer(&shopper).submit_or_renew(draft, ReturnSource::Portal).await);
    not_found("choose_shipping_or_renew", retour.consumer(&shopper).choose_shipping_or_renew(draft, option).await);
    not_found("follow", retour.consumer(&shopper).follow(order, &EVERYTHING, &Locale::default()).await);
    not_found("submit", retour.consumer(&shopper).submit(draft, ReturnSource::Api, None).await);
    not_found("return_order", retour.consumer(&shopper).return_order(order, &EVERYTHING).await);
    not_found("timeline", retour.consumer(&shopper).timeline(order).await);
    not_found("can_cancel", retour.consumer(&shopper).can_cancel(order).await);
    not_found("cancel", retour.consumer(&shopper).cancel(order, None).await);
    not_found("label", retour.consumer(&shopper).label(order, None, &[LabelFormat::Pdf]).await);
}

store::on_each_database! {
    async fn a_shopper_of_another_account_finds_nothing(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let (customer, stranger) = (ours.sell("1001", &[(3, 999)]).await, theirs.sell("1001", &[(3, 999)]).await);
        let order = customer.send_back(&[(0, 1)]).await.id;
        let draft = customer.draft(&[(0, 1)]).await;
        finds_nothing(&ours.retour, stranger.shopper, draft, order, &customer).await;
        assert!(stranger.return_orders().await.is_empty());

        // Our consumer's id within their account, as their API key could request it.
        let forged = Shopper { account: theirs.account.id, consumer: customer.shopper.consumer };
        finds_nothing(&ours.retour, forged, draft, order, &customer).await;
        not_found("purchases", ours.retour.consumer(&forged).purchases(ALL, None).await);
        not_found("return_orders", ours.retour.consumer(&forged).return_orders(ALL, &[]).await);
        not_found("draft", ours.retour.consumer(&forged).draft(customer.choose(&[(0, 1)]).await, None, None).await);

        let foreign = customer.choose(&[(0, 1)]).await;
        assert!(matches!(stranger.try_draft(foreign, None).await, Err(Error::Invalid(_))), "our purchase in their draft");
        fresh(customer.submit(draft).await.unwrap(), 201); // all attempts left the draft unchanged
    }

    async fn another_consumer_of_the_account_finds_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let (customer, other) = (shop.sell("1001", &[(3, 999)]).await, shop.sell("1002", &[(3, 999)]).await);
        let order = customer.send_back(&[(0, 1)]).await.id;
        let draft = customer.draft(&[(0, 1)]).await;
        finds_nothing(&shop.retour, other.shopper, draft, order, &customer).await;
        assert!(other.return_orders().await.is_empty());
        let foreign = customer.choose(&[(0, 1)]).await;
        assert!(matches!(other.try_draft(foreign, None).await, Err(Error::Invalid(_))));
        fresh(customer.submit(draft).await.unwrap(), 201);
    }

    async fn staff_of_another_account_find_nothing(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let customer = ours.sell("1001", &[(3, 999)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let request = customer.return_orders().await[0].return_requests.as_ref().unwrap()[0].id;
        let everything = Listing::newest(ALL);
        let condition = lists::RETURN_REQUESTS.condition("purchaseOrderNumber:1001").unwrap();
        let numbered = Listing { conditions: vec![condition], ..everything.clone() };
        let (retour, stranger): (&Retour, &Staff) = (&ours.retour, &theirs.staff);
        not_found("return_order", retour.merchant(stranger).return_order(order, &EVERYTHING).await);
        not_found("return_request", retour.merchant(stranger).return_request(request, &EVERYTHING).await);
        assert!(retour.merchant(stranger).return_orders(&everything, &EVERYTHING).await.unwrap().data.is_empty());
        assert!(retour.merchant(stranger).return_requests(&everything, &EVERYTHING).await.unwrap().data.is_empty());
        assert!(retour.merchant(stranger).return_requests(&numbered, &[]).await.unwrap().data.is_empty());
        assert_eq!(retour.merchant(&ours.staff).return_requests(&numbered, &EVERYTHING).await.unwrap().data.len(), 1);
        assert_eq!(retour.merchant(&ours.staff).return_order(order, &EVERYTHING).await.unwrap().id, order);
    }

    async fn a_credential_opens_only_the_account_that_it_names(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        ours.sell("1001", &[(1, 100)]).await;
        let key = ours.retour.operator().create_service_user(ours.account.id, "CRM", &[Scope::Read]).await.unwrap();
        let proof = returns::Proof::Email(crate::shop::EMAIL.to_owned());
        let token = ours.retour.identify(&ours.account, "1001", proof, HERE).await.unwrap().token;
        let (us, them) = (ours.account.id.0.simple().to_string(), theirs.account.id.0.simple().to_string());
        assert_eq!(ours.retour.program(&key).await.unwrap().account, ours.account.id);
        assert!(key.contains(&us) && token.contains(&us));
        let wrong = [key.replace(&us, &them), key.to_uppercase(), token.clone(), String::new(), "rtk_é".to_owned(), format!("{key}0")];
        for credential in wrong {
            assert!(matches!(ours.retour.program(&credential).await, Err(Error::Unauthorized)), "{credential}");
        }
        for credential in [token.replace(&us, &them), key, String::new(), "rtc_".repeat(99)] {
            assert!(matches!(ours.retour.shopper(&credential).await, Err(Error::Unauthorized)), "{credential}");
        }
    }
}
