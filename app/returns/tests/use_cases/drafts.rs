//! What a draft fixes, and for how long.

use crate::shop::{HERE, NOW, Shop, fresh, refusal, taken};
use domain::{
    Currency, DraftReturnOrderId, PurchaseId, RefusalCode, ReturnReasonId, Timestamp,
    order::{IneligibleCode, NewOrder},
    policy::Policy,
};
use returns::{Error, ErrorCode, import::Parsed};
use store::testing::Database;

const EXPIRED: ErrorCode = ErrorCode::Refused(RefusalCode::DraftExpired);

store::on_each_database! {
    async fn a_draft_can_be_submitted_for_24_hours(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999)]).await;
        let (late, in_time) = (customer.draft(&[(0, 1)]).await, customer.draft(&[(0, 1)]).await);
        let option = customer.purchases().await[0].shipping_options[0].id;
        shop.source.set(NOW.plus_hours(24).plus_seconds(-1));
        fresh(customer.submit(in_time).await.unwrap(), 201);
        shop.source.set(NOW.plus_hours(24));
        assert_eq!(refusal(customer.submit(late).await), EXPIRED);
        assert_eq!(refusal(shop.retour.consumer(&customer.shopper).set_shipping_option(late, option, None).await), EXPIRED);
        fresh(customer.submit(in_time).await.unwrap(), 200); // a submitted draft still returns its return order
        assert_eq!(taken(&database).await.0, 1);
    }

    async fn a_token_is_valid_for_24_hours(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        let proof = returns::Proof::Email(crate::shop::EMAIL.to_owned());
        let identified = shop.retour.identify(&shop.account, "#1001", proof, HERE).await.unwrap();
        assert!(!identified.is_new && identified.expires_at == NOW.plus_hours(24));
        shop.source.set(NOW.plus_hours(24).plus_seconds(-1));
        assert_eq!(shop.retour.shopper(&identified.token).await.unwrap(), identified.shopper);
        shop.source.set(NOW.plus_hours(24));
        assert!(matches!(shop.retour.shopper(&identified.token).await, Err(Error::Unauthorized)));
    }

    async fn the_window_includes_the_whole_of_its_last_day(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999)]).await;
        let last = Timestamp::parse("2026-03-31T23:59:59Z").unwrap();
        assert_eq!(customer.purchases().await[0].eligibility.return_by, Some(last));
        shop.source.set(last);
        let draft = customer.draft(&[(0, 1)]).await;
        shop.source.set(last.plus_seconds(1));
        let purchase = &customer.purchases().await[0];
        assert_eq!((purchase.eligibility.returnable, purchase.eligibility.code), (false, Some(IneligibleCode::ReturnWindowExpired)));
        let Err(Error::Invalid(fields)) = customer.try_draft(customer.choose(&[(0, 1)]).await, None).await else { panic!("expected a refusal: the window is closed") };
        assert_eq!((fields[0].field.as_str(), fields[0].code), ("selectedPurchases[0].purchaseId", RefusalCode::NotReturnable));
        fresh(customer.submit(draft).await.unwrap(), 201); // a draft keeps the window in which it was made
    }

    async fn only_the_shop_can_declare_a_sale_final(database: Database) {
        let shop = Shop::open(&database).await;
        let (currency, tags) = (Currency::from_code("USD").unwrap(), vec!["outlet".to_owned()]);
        let dollars = NewOrder { currency, tags, ..shop.order("1002", &[(1, 999)]) };
        let orders = [shop.order("1001", &[(1, 999)]), dollars].map(|order| Ok(Parsed::Order(order.into())));
        let report = shop.retour.operator().import(shop.account.id, orders.into_iter()).await.unwrap();
        assert_eq!((report.orders, report.without_shipping_option.count), (2, 1));
        let (euros, dollars) = (shop.customer("1001").await, shop.customer("1002").await);
        let code = async |customer: &crate::shop::Customer| customer.purchases().await[0].eligibility.code;
        assert_eq!((code(&euros).await, code(&dollars).await), (None, Some(IneligibleCode::NoShippingOption)));
        let message = dollars.purchases().await[0].eligibility.message.clone().unwrap();
        assert!(message.contains("Ask the shop"), "{message}");
        database.run("UPDATE return_reasons SET archived_at = 1").await;
        database.run("UPDATE accounts SET settings_version = settings_version + 1").await;
        assert_eq!(code(&euros).await, Some(IneligibleCode::NoReturnReason));
        database.run("UPDATE shipping_options SET archived_at = 1").await;
        database.run("UPDATE accounts SET settings_version = settings_version + 1").await;
        assert_eq!(code(&euros).await, Some(IneligibleCode::NoShippingOption));
        // The shop's decision takes precedence over the missing shipping option.
        shop.retour.operator().update_account(shop.account.id, returns::AccountUpdate {
            policy: Some(Policy { final_sale: vec!["outlet".to_owned()], ..Policy::default() }),
            ..returns::AccountUpdate::default()
        }).await.unwrap();
        assert_eq!(code(&dollars).await, Some(IneligibleCode::FinalSale));
    }

    async fn a_refused_draft_names_every_bad_field(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999), (1, 1), (1, 1), (1, 1), (1, 1)]).await;
        let mut chosen = customer.choose(&[(0, 4), (1, 1), (2, 1), (3, 1), (4, 1)]).await;
        chosen[1].purchase_id = PurchaseId(uuid::Uuid::nil());
        chosen[2].quantity = 0;
        chosen[3].return_reason_id = None;
        chosen[4].return_reason_id = Some(ReturnReasonId(uuid::Uuid::nil()));
        let Err(Error::Invalid(fields)) = customer.try_draft(chosen, None).await else { panic!("expected a refusal: every field is wrong") };
        let named: Vec<_> = fields.iter().map(|field| (field.field.as_str(), field.code)).collect();
        let expected = [
            ("selectedPurchases[0].quantity", RefusalCode::QuantityExceeded),
            ("selectedPurchases[1].purchaseId", RefusalCode::NotAllowed),
            ("selectedPurchases[2].quantity", RefusalCode::OutOfRange),
            ("selectedPurchases[3].returnReasonId", RefusalCode::Required),
            ("selectedPurchases[4].returnReasonId", RefusalCode::NotAllowed),
        ];
        assert_eq!(named, expected);
        assert_eq!(database.rows("draft_return_orders").await, 0);
    }

    async fn drafts_and_refused_submits_take_no_units(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000), (1, 500)]).await;
        let both = customer.draft(&[(0, 2), (1, 1)]).await;
        assert_eq!(taken(&database).await, (0, 0));
        customer.send_back(&[(1, 1)]).await;
        let events = database.rows("events").await;
        let Err(Error::Outdated { refusal, details, .. }) = customer.submit(both).await else { panic!("expected a refusal: the second purchase is gone") };
        assert_eq!(refusal.code, RefusalCode::QuantityExceeded);
        assert_eq!(details.iter().map(|detail| detail.field.as_str()).collect::<Vec<_>>(), ["selectedPurchases[1].quantity"]);
        assert_eq!(taken(&database).await, (1, 0));
        assert_eq!((database.rows("return_orders").await, database.rows("return_requests").await), (1, 1));
        assert_eq!(database.rows("events").await, events);
        assert_eq!(shop.retour.consumer(&customer.shopper).find_draft(both).await.unwrap().status, domain::returning::DraftStatus::Open);
    }

    async fn a_submit_requires_a_shipping_option(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        let draft = shop.retour.consumer(&customer.shopper).draft(customer.choose(&[(0, 1)]).await, None, None).await.unwrap();
        let draft = fresh(draft, 201).id;
        assert_eq!(refusal(customer.submit(draft).await), ErrorCode::ValidationFailed);
        let option = customer.purchases().await[0].shipping_options[0].id;
        fresh(shop.retour.consumer(&customer.shopper).set_shipping_option(draft, option, None).await.unwrap(), 200);
        fresh(customer.submit(draft).await.unwrap(), 201);
        assert_eq!(refusal(shop.retour.consumer(&customer.shopper).set_shipping_option(draft, option, None).await), ErrorCode::Refused(RefusalCode::DraftOutdated));
    }

    async fn an_unknown_draft_is_not_found(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1_000)]).await;
        assert_eq!(refusal(customer.submit(DraftReturnOrderId(uuid::Uuid::nil())).await), ErrorCode::NotFound);
    }

    async fn wrong_credentials_give_one_error_whichever_part_is_wrong(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1001", &[(1, 100)]).await;
        let email = |text: &str| returns::Proof::Email(text.to_owned());
        let attempts = [("1001", "eve@example.com"), ("1002", "ada@example.com"), ("1001", ""), ("", "ada@example.com"), ("#", " ")];
        let tasks = attempts.map(|(number, address)| {
            let (shop, proof) = (shop.clone(), email(address));
            tokio::spawn(async move { shop.retour.identify(&shop.account, number, proof, HERE).await })
        });
        for task in tasks {
            assert_eq!(task.await.unwrap().unwrap_err().code(), ErrorCode::InvalidOrderCredentials);
        }
        assert_eq!(database.rows("consumers").await, 1);
    }
}
