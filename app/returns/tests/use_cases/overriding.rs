//! Staff make a return for a customer who has looked nothing up, and override rules.

use crate::shop::{Customer, EMAIL, HERE, NOW, Shop, fields, for_consumer, fresh};
use domain::{
    costs::LineKind,
    order::NewOrder,
    policy::Policy,
    returning::{OverriddenRule, ReturnSource},
    stage::StageName,
};
use returns::{AccountUpdate, Error, Expand, OrderOfConsumer, OverrideInput, Proof, ReturnForConsumer, Shopper, view};
use store::testing::Database;

fn number(number: &str) -> OrderOfConsumer {
    OrderOfConsumer { order_number: Some(number.to_owned()), ..OrderOfConsumer::default() }
}

async fn look_up(shop: &Shop, order: OrderOfConsumer) -> Result<(bool, view::Consumer), Error> {
    shop.retour.merchant(&shop.staff).create_consumer(order).await
}

/// The customer of an order that staff look up.
async fn customer(shop: &Shop, order: &str) -> Customer {
    let (_, consumer) = look_up(shop, number(order)).await.unwrap();
    Customer { retour: shop.retour.clone(), shopper: Shopper { account: shop.account.id, consumer: consumer.id } }
}

fn because(rule: OverriddenRule) -> OverrideInput {
    OverrideInput { rule, reason: "Was in hospital".to_owned() }
}

async fn overriding(customer: &Customer, rules: &[OverriddenRule]) -> ReturnForConsumer {
    let purchases = customer.purchases().await;
    let option = purchases[0].shipping_options.first().map(|option| option.id);
    let overrides = rules.iter().copied().map(because).collect();
    ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, customer.choose(&[(0, 1)]).await, option) }
}

async fn set_policy(shop: &Shop, policy: Policy) {
    let update = AccountUpdate { policy: Some(policy), ..AccountUpdate::default() };
    shop.retour.operator().update_account(shop.account.id, update).await.unwrap();
}

store::on_each_database! {
    async fn staff_find_the_buyer_who_proves_the_order_later(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 1_000)])]).await;
        let (is_new, made) = look_up(&shop, number("# 1001")).await.unwrap();
        assert_eq!((is_new, made.email.as_str(), made.address.name.as_str()), (true, EMAIL, "Ada Lovelace"));
        let (is_new, again) = look_up(&shop, number("1001")).await.unwrap();
        assert_eq!((is_new, again.id), (false, made.id));
        let proved = shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await.unwrap();
        assert_eq!((proved.is_new, proved.shopper.consumer), (false, made.id));
        let order = Customer { retour: shop.retour.clone(), shopper: proved.shopper }.purchases().await[0].order_id;
        let by_id = OrderOfConsumer { order_id: Some(order), ..OrderOfConsumer::default() };
        assert_eq!(look_up(&shop, by_id).await.unwrap().1.id, made.id);
    }

    async fn the_one_who_proved_the_order_keeps_its_returns(database: Database) {
        let shop = Shop::open_with(&database, "by-code", "EUR", Policy {
            look_up_by: vec![domain::policy::LookUpBy::Email, domain::policy::LookUpBy::PostalCode],
            ..Policy::default()
        }).await;
        let mut order = shop.order("1001", &[(1, 1_000)]);
        order.address.postal_code = "EC1A 1BB".into();
        shop.import(vec![order]).await;
        let by_code = Proof::PostalCode("ec1a1bb".to_owned());
        let proved = shop.retour.identify(&shop.account, "1001", by_code, HERE).await.unwrap().shopper.consumer;
        let (is_new, found) = look_up(&shop, number("1001")).await.unwrap();
        assert_eq!((is_new, found.id), (false, proved), "although the e-mail address comes first");
    }

    async fn a_look_up_by_staff_names_what_is_wrong(database: Database) {
        let shop = Shop::open(&database).await;
        let of = |email: &str| NewOrder { external_id: format!("of-{email}"), email: email.to_owned(), ..shop.order("1001", &[(1, 1_000)]) };
        let mut second = of("eve@example.com");
        second.lines[0].external_id = "other/1".into();
        shop.import(vec![of(EMAIL), second]).await;
        assert_eq!(fields(look_up(&shop, number("1002")).await), ["orderNumber"]);
        assert_eq!(fields(look_up(&shop, OrderOfConsumer::default()).await), ["orderNumber"]);
        assert_eq!(fields(look_up(&shop, number("1001")).await), ["email"], "two people have the number");
        let with = |email: &str| OrderOfConsumer { email: Some(email.to_owned()), ..number("1001") };
        assert_eq!(look_up(&shop, with("EVE@example.com")).await.unwrap().1.email, "eve@example.com");
        assert_eq!(fields(look_up(&shop, with("bob@example.com")).await), ["orderNumber"]);
        assert_eq!(fields(look_up(&shop, with("bob")).await), ["email"]);
        assert_eq!(database.rows("consumers").await, 1);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(fields(look_up(&other, number("1001")).await), ["orderNumber"], "of another account");
    }

    async fn a_closed_window_and_a_final_sale_need_an_override_each(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(2, 2_000)]);
        order.lines[0].final_sale = true;
        shop.import(vec![order]).await;
        shop.source.set(NOW.plus_days(60));
        let customer = customer(&shop, "1001").await;
        let staff = shop.retour.merchant(&shop.staff);
        for rules in [&[][..], &[OverriddenRule::ReturnWindow], &[OverriddenRule::FinalSale], &[OverriddenRule::Fees]] {
            let refused = staff.create_return_order(overriding(&customer, rules).await, None).await;
            assert_eq!(fields(refused), ["selectedPurchases[0].purchaseId"], "{rules:?}");
        }
        let both = [OverriddenRule::ReturnWindow, OverriddenRule::FinalSale];
        let order = fresh(staff.create_return_order(overriding(&customer, &both).await, None).await.unwrap(), 201);
        let request = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        let timeline = staff.timeline(request).await.unwrap();
        let entry = timeline.iter().find(|entry| entry.comment.starts_with("Overridden")).unwrap();
        assert_eq!(entry.comment, "Overridden: the return window (“Was in hospital”); final sale (“Was in hospital”).");
        assert_eq!((entry.actor, entry.actor_id), (domain::party::Actor::Merchant, Some(shop.staff.id())));
        let shown = shop.retour.consumer(&customer.shopper).timeline(order.id).await.unwrap();
        assert!(shown.iter().all(|entry| !entry.comment.contains("hospital")), "the reasons are for staff: {shown:?}");
    }

    async fn no_override_gives_back_more_units_than_were_bought(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 1_000)])]).await;
        let customer = customer(&shop, "1001").await;
        let all: Vec<OverriddenRule> = OverriddenRule::all().to_vec();
        let staff = shop.retour.merchant(&shop.staff);
        fresh(staff.create_return_order(overriding(&customer, &all).await, None).await.unwrap(), 201);
        let again = staff.create_return_order(overriding(&customer, &all).await, None).await;
        assert_eq!(fields(again), ["selectedPurchases[0].purchaseId"]);
    }

    async fn waived_fees_stay_waived_until_the_refund(database: Database) {
        let fee = domain::Money::new(500, domain::Currency::from_code("EUR").unwrap());
        let policy = Policy { request_fee: domain::money::Prices::new([fee]).unwrap(), ..Policy::default() };
        let shop = Shop::open_with(&database, "with-fee", "EUR", policy).await;
        shop.import(vec![shop.order("1001", &[(2, 2_000)])]).await;
        let customer = customer(&shop, "1001").await;
        let staff = shop.retour.merchant(&shop.staff);
        let charged = fresh(staff.create_draft(overriding(&customer, &[]).await, None).await.unwrap(), 201);
        assert_eq!(charged.costs.breakdown().unwrap().estimated_refund.minor, 500);
        let waived = fresh(staff.create_draft(overriding(&customer, &[OverriddenRule::Fees]).await, None).await.unwrap(), 201);
        let costs = waived.costs.breakdown().unwrap();
        assert_eq!((costs.estimated_refund.minor, costs.fee_total.minor, costs.total(LineKind::FeeWaiver)), (1_000, 0, 500));
        assert_eq!(waived.overrides.len(), 1);
        let seen = shop.retour.consumer(&customer.shopper).find_draft(waived.id).await.unwrap();
        assert!(seen.overrides.is_empty(), "the reason is for staff");
        // The customer submits it, with the shipping option chosen again.
        let option = customer.purchases().await[0].shipping_options[0].id;
        fresh(shop.retour.consumer(&customer.shopper).set_shipping_option(waived.id, option, None).await.unwrap(), 200);
        let sent = ReturnSource::Portal;
        let order = fresh(shop.retour.consumer(&customer.shopper).submit(waived.id, sent, None).await.unwrap(), 201);
        let request = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        let receipt = returns::Receipt { quantity: 1, external_reference: None };
        let received = fresh(staff.receive(request, receipt, None).await.unwrap(), 200);
        assert_eq!((received.stage, received.resolution.value.unwrap().minor), (StageName::ResolutionApproved, 1_000));
    }

    async fn a_customer_keeps_what_staff_let_them_keep(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 90_000)])]).await;
        let customer = customer(&shop, "1001").await;
        let kept = overriding(&customer, &[OverriddenRule::SendingBack]).await;
        let staff = shop.retour.merchant(&shop.staff);
        let order = fresh(staff.create_return_order(kept, None).await.unwrap(), 201);
        let order = staff.return_order(order.id, &[Expand::ReturnRequests, Expand::Shipments]).await.unwrap();
        assert!(order.shipments.unwrap().is_empty());
        let request = &order.return_requests.unwrap()[0];
        assert_eq!((request.stage, request.resolution.value.unwrap().minor), (StageName::ResolutionApproved, 90_000));
    }

    async fn an_override_needs_a_reason_and_stands_once(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 1_000)])]).await;
        let customer = customer(&shop, "1001").await;
        let mut new = overriding(&customer, &[OverriddenRule::Fees, OverriddenRule::Fees, OverriddenRule::FinalSale]).await;
        new.overrides[2].reason = " ok ".into();
        let refused = shop.retour.merchant(&shop.staff).create_return_order(new, None).await;
        assert_eq!(fields(refused), ["overrides[1].rule", "overrides[2].reason"]);
        assert_eq!(database.rows("return_orders").await, 0);
    }

    async fn what_is_left_of_the_order_limits_a_return_with_overrides(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(1, 1_000)]);
        order.sums = domain::order::OrderSums { paid: Some(1_000), refunded: 700 };
        shop.import(vec![order]).await;
        let customer = customer(&shop, "1001").await;
        let all: Vec<OverriddenRule> = OverriddenRule::all().to_vec();
        let new = overriding(&customer, &all).await;
        let draft = fresh(shop.retour.merchant(&shop.staff).create_draft(new, None).await.unwrap(), 201);
        assert_eq!(draft.costs.breakdown().unwrap().estimated_refund.minor, 300);
    }

    async fn a_consumer_drafts_by_the_rules(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 1_000)])]).await;
        let customer = customer(&shop, "1001").await;
        set_policy(&shop, Policy { return_window_days: Some(1), ..Policy::default() }).await;
        shop.source.set(NOW.plus_days(10));
        let chosen = customer.choose(&[(0, 1)]).await;
        assert_eq!(fields(customer.try_draft(chosen, None).await), ["selectedPurchases[0].purchaseId"]);
        let new = overriding(&customer, &[OverriddenRule::ReturnWindow]).await;
        let draft = fresh(shop.retour.merchant(&shop.staff).create_draft(new, None).await.unwrap(), 201);
        fresh(customer.submit(draft.id).await.unwrap(), 201);
    }
}
