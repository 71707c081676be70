//! What a consumer sees while choosing, reviewing and following a return.

use crate::shop::{Customer, HERE, Shop, fresh, select, sent};
use domain::{
    Locale, ReturnReasonId,
    order::{NewOrder, NewPurchase},
    policy::Policy,
    returning::ReturnOrderStatus,
};
use returns::{Expand, Proof, Selection};
use serde_json::{Value, json};
use store::testing::Database;

impl Shop {
    async fn reason(&self, rules: Value) -> ReturnReasonId {
        let mut new = json!({"description": {"en": "Other"}});
        new.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
        fresh(self.retour.merchant(&self.staff).create_return_reason(sent(new), None).await.unwrap(), 201).id
    }
}

impl Customer {
    /// Whether the draft of one unit with this reason says that it needs approval, and the status after its submit.
    async fn approval(&self, reason: Option<ReturnReasonId>) -> (bool, ReturnOrderStatus) {
        let usual = select(&self.purchases().await[0], 1);
        let chosen = Selection { return_reason_id: reason.or(usual.return_reason_id), ..usual };
        let draft = fresh(self.try_draft(vec![chosen], None).await.unwrap(), 201).id;
        let offers = self.retour.consumer(&self.shopper).compare_shipping(draft, &Locale::default()).await.unwrap();
        (offers.needs_approval, fresh(self.submit(draft).await.unwrap(), 201).status)
    }
}

store::on_each_database! {
    async fn a_purchase_that_is_returned_names_its_newest_return(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 999), (1, 500), (1, 700)]).await;
        let consumer = shop.retour.consumer(&customer.shopper);
        customer.send_back(&[(0, 1)]).await;
        let to_choose = consumer.purchases_to_choose(&Locale::default()).await.unwrap();
        assert_eq!((to_choose.purchases.len(), to_choose.returned_with.len()), (3, 0), "each still has a unit");
        let cancelled = customer.send_back(&[(1, 1)]).await;
        fresh(customer.cancel(cancelled.id).await.unwrap(), 200);
        let first = customer.send_back(&[(0, 1)]).await;
        let second = customer.send_back(&[(1, 1)]).await;
        let to_choose = consumer.purchases_to_choose(&Locale::default()).await.unwrap();
        let with = |place: usize| {
            let with = to_choose.returned_with.get(&to_choose.purchases[place].id)?;
            Some((with.id, with.number.clone()))
        };
        assert_eq!((with(0), with(1)), (Some((first.id, first.number)), Some((second.id, second.number))));
        assert_eq!(with(2), None, "it can be returned");
    }

    async fn the_delivery_of_an_order_is_refunded_with_all_that_is_left_of_it(database: Database) {
        let shop = Shop::open(&database).await;
        let order = NewOrder { shipping_paid: 495, ..shop.order("1001", &[(2, 999), (1, 500)]) };
        let fixed = NewPurchase { final_sale: true, ..shop.order("1002", &[(1, 500)]).lines.remove(0) };
        let lines = [shop.order("1002", &[(1, 500), (1, 500)]).lines.remove(1), fixed].to_vec();
        let stays = NewOrder { shipping_paid: 495, lines, ..shop.order("1002", &[]) };
        shop.import(vec![order, stays]).await;
        let customer = shop.customer("1001").await;
        let refunded = async || {
            let to_choose = shop.retour.consumer(&customer.shopper).purchases_to_choose(&Locale::default()).await.unwrap();
            let of_first = to_choose.outbound_shipping.get(&to_choose.purchases[0].order_id).copied();
            of_first.map(|one| (one.amount, one.units))
        };
        assert_eq!(refunded().await, Some((495, 3)));
        let first = customer.send_back(&[(0, 1)]).await;
        assert_eq!(refunded().await, Some((495, 2)), "the units that are left");
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        customer.send_back(&[(0, 2), (1, 1)]).await;
        assert_eq!(refunded().await, None, "nothing is left to return");
        let customer = shop.customer("1002").await;
        let to_choose = shop.retour.consumer(&customer.shopper).purchases_to_choose(&Locale::default()).await.unwrap();
        assert!(to_choose.outbound_shipping.is_empty(), "one item stays, and so does the delivery");
    }

    async fn the_purchases_of_another_are_never_listed(database: Database) {
        let shop = Shop::open(&database).await;
        let (ada, _) = (shop.sell("1001", &[(1, 999)]).await, shop.sell("1002", &[(1, 500)]).await);
        let listed = shop.retour.consumer(&ada.shopper).all_purchases(None).await.unwrap();
        assert_eq!(listed.iter().map(|one| one.order_number.as_str()).collect::<Vec<_>>(), ["#1001"]);
    }

    async fn a_draft_needs_approval_exactly_if_its_return_waits_for_it(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(9, 9_000)]).await;
        let (open, requested) = (ReturnOrderStatus::Open, ReturnOrderStatus::Requested);
        assert_eq!(customer.approval(None).await, (false, open));
        assert_eq!(customer.approval(Some(shop.reason(json!({"evidence": "optional"})).await)).await, (false, open));
        assert_eq!(customer.approval(Some(shop.reason(json!({"evidence": "required"})).await)).await, (true, requested));
        assert_eq!(customer.approval(Some(shop.reason(json!({"review": true})).await)).await, (true, requested));
        let policy = Policy { auto_approve: false, ..Policy::default() };
        let careful = Shop::open_with(&database, "careful", "EUR", policy).await;
        assert_eq!(careful.sell("1001", &[(2, 1_000)]).await.approval(None).await, (true, requested));
    }

    async fn the_page_of_a_return_has_all_that_it_shows(database: Database) {
        let shop = Shop::open(&database).await;
        let (customer, stranger) = (shop.sell("1001", &[(2, 999)]).await, shop.sell("1002", &[(1, 500)]).await);
        let order = customer.send_back(&[(0, 1)]).await.id;
        let expand = [Expand::ReturnRequests, Expand::Shipments];
        let consumer = shop.retour.consumer(&customer.shopper);
        let details = consumer.follow(order, &expand, &Locale::default()).await.unwrap();
        assert_eq!((details.order.id, details.order.return_requests.map(|requests| requests.len())), (order, Some(1)));
        assert!(details.can_cancel && !details.timeline.is_empty());
        assert!(!details.offered.options.is_empty() && !details.offered.reasons.is_empty());
        fresh(customer.cancel(order).await.unwrap(), 200);
        let details = consumer.follow(order, &expand, &Locale::default()).await.unwrap();
        assert_eq!((details.order.status, details.can_cancel), (ReturnOrderStatus::Cancelled, false));
        let foreign = shop.retour.consumer(&stranger.shopper).follow(order, &expand, &Locale::default()).await;
        assert!(matches!(foreign, Err(returns::Error::NotFound)));
    }

    async fn a_proof_without_a_token_stores_none(database: Database) {
        let shop = Shop::open(&database).await;
        shop.import(vec![shop.order("1001", &[(1, 999)])]).await;
        let proof = || Proof::Email(crate::shop::EMAIL.to_owned());
        let shopper = shop.retour.identify_without_token(&shop.account, "1001", proof(), HERE).await.unwrap();
        assert_eq!((database.rows("consumers").await, database.rows("consumer_tokens").await), (1, 0));
        assert_eq!(shop.retour.consumer(&shopper).all_purchases(None).await.unwrap().len(), 1);
        let identified = shop.retour.identify(&shop.account, "1001", proof(), HERE).await.unwrap();
        assert_eq!((identified.shopper, identified.is_new), (shopper, false), "the same consumer");
        assert_eq!(shop.retour.shopper(&identified.token).await.unwrap(), shopper);
        assert_eq!(database.rows("consumer_tokens").await, 1);
    }
}
