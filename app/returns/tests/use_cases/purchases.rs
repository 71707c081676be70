//! A merchant's programs report purchases.

use crate::{
    race::{Work, at_once},
    shop::{NOW, Shop, fields, fresh, refusal, sent, taken},
};
use domain::{RefusalCode, costs::LineKind, policy::Policy};
use returns::{Done, Error, ErrorCode, IdempotencyKey, Listing, Page, view};
use serde_json::{Value, json};
use store::testing::Database;

fn money(value: &str) -> Value {
    json!({"value": value, "currency": "EUR"})
}

/// Two mugs of order 1001, with these changes.
fn mugs(changes: Value) -> Value {
    let order = json!({"externalId": "o-1", "number": "#1001", "email": "ada@example.com", "currency": "EUR", "orderedAt": NOW});
    let mut body = json!({"order": order, "product": {"name": "Mug"}, "quantity": 2, "totalPrice": money("10.01"), "fulfilledAt": NOW});
    merge(&mut body, changes);
    body
}

fn merge(into: &mut Value, changes: Value) {
    match (into, changes) {
        (Value::Object(fields), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(fields.entry(name).or_insert(Value::Null), change);
            }
        }
        (place, change) => *place = change,
    }
}

impl Shop {
    async fn put(&self, id: &str, body: Value) -> Result<(bool, view::Purchase), Error> {
        self.retour.merchant(&self.staff).put_purchase(id.to_owned(), sent(body)).await
    }
}

fn conflict(code: RefusalCode) -> ErrorCode {
    ErrorCode::Refused(code)
}

store::on_each_database! {
    async fn a_purchase_is_created_once_and_then_updated(database: Database) {
        let shop = Shop::open(&database).await;
        let (is_new, mug) = shop.put("l/1", mugs(json!({}))).await.unwrap();
        assert!(is_new);
        assert_eq!((mug.external_id.as_str(), mug.position, mug.quantity, mug.fulfilled_quantity), ("l/1", 1, 2, 2));
        assert_eq!((mug.unit_price.minor, mug.total_price.minor, mug.returnable_quantity), (500, 1_001, 2));
        assert_eq!((mug.order.number.as_str(), mug.order.external_id.as_str(), mug.order.email.as_str()), ("#1001", "o-1", "ada@example.com"));
        let (is_new, again) = shop.put("l/1", mugs(json!({"quantity": 3, "unitPrice": money("4.00"), "totalPrice": null, "order": {"email": "eve@example.com"}}))).await.unwrap();
        assert!(!is_new);
        assert_eq!((again.id, again.quantity, again.total_price.minor), (mug.id, 3, 1_200));
        assert_eq!((again.order.id, again.order.email.as_str()), (mug.order.id, "eve@example.com"));
        // Our id works as well; a second line of the same order gets the next position.
        let (is_new, again) = shop.put(&mug.id.to_string(), mugs(json!({}))).await.unwrap();
        assert_eq!((is_new, again.id, again.quantity), (false, mug.id, 2));
        let (is_new, plate) = shop.put("l/2", mugs(json!({}))).await.unwrap();
        assert_eq!((is_new, plate.position, plate.order.id), (true, 2, mug.order.id));
        let customer = shop.customer("1001").await;
        customer.send_back(&[(0, 2), (1, 1)]).await;
        for id in ["l/1".to_owned(), mug.id.to_string()] {
            let now = shop.retour.merchant(&shop.staff).purchase(&id).await.unwrap();
            assert_eq!((now.id, now.taken_quantity, now.returnable_quantity, now.eligibility.returnable), (mug.id, 2, 0, false));
        }
    }

    async fn figures_that_a_return_was_calculated_from_cannot_change(database: Database) {
        let shop = Shop::open(&database).await;
        shop.put("l/1", mugs(json!({"quantity": 3}))).await.unwrap();
        shop.customer("1001").await.send_back(&[(0, 2)]).await;
        let (_, now) = shop.put("l/1", mugs(json!({"quantity": 5, "totalPrice": money("99.00"), "refundedQuantity": 1, "finalSale": true}))).await.unwrap();
        assert_eq!((now.quantity, now.total_price.minor, now.taken_quantity), (3, 1_001, 2));
        assert_eq!((now.refunded_quantity, now.final_sale), (1, true));
        for fewer in [json!({"quantity": 1}), json!({"quantity": 3, "fulfilledQuantity": 1})] {
            assert_eq!(refusal(shop.put("l/1", mugs(fewer)).await), conflict(RefusalCode::InUse));
        }
        let now = shop.retour.merchant(&shop.staff).purchase("l/1").await.unwrap();
        assert_eq!((now.quantity, now.fulfilled_quantity, now.refunded_quantity), (3, 3, 1), "a refused change changes nothing");
    }

    async fn units_that_were_removed_before_they_were_sent_keep_no_sent_unit(database: Database) {
        let shop = Shop::open(&database).await;
        let cancelled = json!({"quantity": 3, "fulfilledQuantity": 1, "removedQuantity": 2, "order": {"shippingPaid": money("4.95")}});
        let (_, mug) = shop.put("l/1", mugs(cancelled)).await.unwrap();
        assert_eq!((mug.quantity, mug.fulfilled_quantity, mug.removed_quantity, mug.returnable_quantity), (3, 1, 2, 1));
        // The number stays if it is left out.
        let (_, mug) = shop.put("l/1", mugs(json!({"quantity": 3, "fulfilledQuantity": 1, "order": {"shippingPaid": money("4.95")}}))).await.unwrap();
        assert_eq!((mug.removed_quantity, mug.returnable_quantity), (2, 1));
        let order = shop.customer("1001").await.send_back(&[(0, 1)]).await;
        assert_eq!(order.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 495, "nothing more can come back");
        let (_, plate) = shop.put("l/2", mugs(json!({"quantity": 3, "removedQuantity": 1}))).await.unwrap();
        assert_eq!((plate.fulfilled_quantity, plate.removed_quantity, plate.returnable_quantity), (2, 1, 2));
        let (_, plate) = shop.put("l/2", mugs(json!({"quantity": 3, "removedQuantity": 0}))).await.unwrap();
        assert_eq!((plate.fulfilled_quantity, plate.removed_quantity), (3, 0));
    }

    async fn a_line_that_is_no_good_cannot_be_returned(database: Database) {
        let shop = Shop::open(&database).await;
        for (place, (line, returnable)) in [
            (json!({"product": {"name": "Tip (10%)"}}), false),
            (json!({"product": {"name": "Handling fee (EU)"}}), false),
            (json!({"product": {"name": "Voucher"}}), false),
            (json!({"product": {"name": "Tip"}, "requiresShipping": true}), true),
            (json!({"product": {"name": "Tip", "sku": "TIP"}}), true),
            (json!({"product": {"name": "Heavy duty gloves"}}), true),
        ].into_iter().enumerate() {
            let (_, purchase) = shop.put(&format!("l/{place}"), mugs(line.clone())).await.unwrap();
            assert_eq!(purchase.eligibility.returnable, returnable, "{line}");
        }
    }

    async fn an_order_with_a_known_id_another_number_and_another_buyer_is_a_conflict(database: Database) {
        let shop = Shop::open(&database).await;
        shop.put("l/1", mugs(json!({}))).await.unwrap();
        let renamed = json!({"order": {"number": "#1002"}});
        assert_eq!(shop.put("l/1", mugs(renamed.clone())).await.unwrap().1.order.number, "#1002");
        for other in [json!({"email": "eve@example.com"}), json!({"orderedAt": NOW.plus_seconds(-9 * 86_400)})] {
            let mut changes = json!({"order": {"number": "#1003"}});
            merge(&mut changes["order"], other);
            for line in ["l/1", "l/2"] {
                assert_eq!(refusal(shop.put(line, mugs(changes.clone())).await), conflict(RefusalCode::OtherOrder));
            }
        }
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (1, 1));
    }

    async fn data_that_contradicts_the_known_order_is_a_conflict(database: Database) {
        let shop = Shop::open(&database).await;
        shop.put("l/1", mugs(json!({}))).await.unwrap();
        let dollars = json!({"order": {"currency": "USD"}, "totalPrice": {"value": "1.00", "currency": "USD"}});
        assert_eq!(refusal(shop.put("l/1", mugs(dollars.clone())).await), conflict(RefusalCode::OtherCurrency));
        assert_eq!(refusal(shop.put("l/2", mugs(dollars)).await), conflict(RefusalCode::OtherCurrency));
        let twin = json!({"order": {"externalId": "o-2"}});
        assert_eq!(refusal(shop.put("l/2", mugs(twin)).await), conflict(RefusalCode::KnownUnderAnotherId));
        let elsewhere = json!({"order": {"externalId": "o-2", "number": "#1002"}});
        assert_eq!(refusal(shop.put("l/1", mugs(elsewhere)).await), conflict(RefusalCode::OtherOrder));
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (1, 1));
    }

    async fn bad_figures_are_refused_by_field(database: Database) {
        let shop = Shop::open(&database).await;
        let cases = [
            (json!({"quantity": 0}), vec!["quantity"]),
            (json!({"quantity": 1_000_001}), vec!["quantity"]),
            (json!({"fulfilledQuantity": 3, "refundedQuantity": 3}), vec!["fulfilledQuantity", "refundedQuantity"]),
            (json!({"removedQuantity": 3}), vec!["removedQuantity"]),
            (json!({"fulfilledQuantity": 1, "removedQuantity": 2}), vec!["removedQuantity"]),
            (json!({"totalPrice": null}), vec!["totalPrice"]),
            (json!({"unitPrice": money("1.00")}), vec!["unitPrice"]),
            (json!({"totalPrice": money("-1.00")}), vec!["totalPrice"]),
            (json!({"totalPrice": {"value": "1", "currency": "JPY"}}), vec!["totalPrice.currency"]),
            (json!({"tax": money("10.02")}), vec!["tax"]),
            (json!({"product": {"name": "", "imageUrls": ["x"]}}), vec!["product.name", "product.imageUrls"]),
            (json!({"product": {"name": "a\0b"}}), vec!["product.name"]),
            (json!({"order": {"number": " # ", "email": ""}}), vec!["order.number", "order.email"]),
            (json!({"order": {"address": {"country": "nl"}}}), vec!["order.address.country"]),
            (json!({"order": null}), vec!["order"]),
            (json!({"externalId": "l/2"}), vec!["externalId"]),
            (json!({"deliveredAt": "2200-01-01T00:00:00Z"}), vec!["deliveredAt"]),
        ];
        for (changes, expected) in cases {
            assert_eq!(fields(shop.put("l/1", mugs(changes.clone())).await), expected, "{changes}");
        }
        assert_eq!(fields(shop.put(&"x".repeat(1_001), mugs(json!({}))).await), ["externalId"]);
        assert_eq!(fields(shop.put("a\0b", mugs(json!({}))).await), ["externalId"]);
        assert_eq!(database.rows("orders").await, 0);
    }

    async fn of_many_simultaneous_puts_of_one_purchase_one_creates_it(database: Database) {
        let shop = Shop::open(&database).await;
        let puts = (0..8).map(|_| {
            let shop = shop.clone();
            async move { shop.put("l/1", mugs(json!({}))).await.unwrap().0 }
        });
        assert_eq!(at_once(puts.collect()).await.into_iter().filter(|is_new| *is_new).count(), 1);
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (1, 1));
    }

    async fn a_purchase_can_be_deleted_only_if_it_was_never_returned(database: Database) {
        let shop = Shop::open(&database).await;
        for line in ["l/1", "l/2"] {
            shop.put(line, mugs(json!({}))).await.unwrap();
        }
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).delete_purchase("l/1".to_owned()).await), conflict(RefusalCode::InUse));
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(refusal(shop.retour.merchant(&shop.staff).delete_purchase("l/1".to_owned()).await), conflict(RefusalCode::InUse), "it was returned once");
        shop.retour.merchant(&shop.staff).delete_purchase("l/2".to_owned()).await.unwrap();
        assert!(matches!(shop.retour.merchant(&shop.staff).delete_purchase("l/2".to_owned()).await, Err(Error::NotFound)));
        assert_eq!(customer.purchases().await.len(), 1);
    }

    async fn of_a_simultaneous_submit_and_deletion_one_succeeds(database: Database) {
        let shop = Shop::open(&database).await;
        for number in 0..8 {
            let (order, line) = (format!("o-{number}"), format!("l-{number}"));
            shop.put(&line, mugs(json!({"order": {"externalId": order, "number": order}}))).await.unwrap();
            let customer = shop.customer(&order).await;
            let draft = customer.draft(&[(0, 1)]).await;
            let deleting = shop.clone();
            let work: Vec<Work<Result<(), Error>>> = vec![
                Box::pin(async move { customer.submit(draft).await.map(|_| ()) }),
                Box::pin(async move { deleting.retour.merchant(&deleting.staff).delete_purchase(line).await }),
            ];
            let outcomes = at_once(work).await;
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
            for outcome in outcomes {
                assert!(!matches!(outcome, Err(Error::Store(_) | Error::Broken(_))), "{outcome:?}");
            }
        }
        assert_eq!(taken(&database).await.0, database.rows("return_requests").await);
    }

    async fn a_bulk_import_takes_effect_once_for_its_key(database: Database) {
        let shop = Shop::open(&database).await;
        let line = |id: &str| json!({"externalId": id, "product": {"name": "Mug"}, "quantity": 1, "unitPrice": money("5.00")});
        let order = |number: &str| json!({"number": number, "email": "ada@example.com", "currency": "EUR", "orderedAt": NOW});
        let orders = sent(json!({"orders": [
            {"order": order("1001"), "purchases": [line("a"), line("b")]},
            {"order": order("1002"), "purchases": [line("c")]},
        ]}));
        let key = || Some(IdempotencyKey { credential: "serviceUser:1".to_owned(), key: "k".to_owned(), fingerprint: vec![1] });
        let report = fresh(shop.retour.merchant(&shop.staff).import_orders(&orders, false, key()).await.unwrap(), 200);
        assert_eq!((report.orders, report.lines, report.changed), (2, 3, 3));
        match shop.retour.merchant(&shop.staff).import_orders(&orders, false, key()).await.unwrap() {
            Done::Replayed(answer) => assert!(answer.body.contains("\"changed\":3"), "{}", answer.body),
            fresh @ Done::Fresh { .. } => panic!("{fresh:?}"),
        }
        assert_eq!(fresh(shop.retour.merchant(&shop.staff).import_orders(&orders, false, None).await.unwrap(), 200).changed, 0);
        assert_eq!(shop.retour.merchant(&shop.staff).purchase("b").await.unwrap().position, 2);

        let wrong = sent(json!({"orders": [
            {"order": order("1003"), "purchases": [line("d"), line("d")]},
            {"order": order("1003"), "purchases": []},
        ]}));
        let told = fields(shop.retour.merchant(&shop.staff).import_orders(&wrong, false, None).await);
        assert_eq!(told, ["orders[0].purchases[1].externalId", "orders[1].order.externalId", "orders[1].purchases"]);
        assert_eq!(database.rows("purchases").await, 3);
    }

    async fn another_account_cannot_see_the_purchases(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let (_, mug) = ours.put("l/1", mugs(json!({}))).await.unwrap();
        let listing = Listing::newest(Page::first(10));
        for id in ["l/1".to_owned(), mug.id.to_string()] {
            assert!(matches!(ours.retour.merchant(&theirs.staff).purchase(&id).await, Err(Error::NotFound)));
            assert!(matches!(ours.retour.merchant(&theirs.staff).delete_purchase(id).await, Err(Error::NotFound)));
        }
        assert!(ours.retour.merchant(&theirs.staff).all_purchases(&listing).await.unwrap().data.is_empty());
        let (is_new, other) = theirs.put("l/1", mugs(json!({}))).await.unwrap();
        assert!(is_new && other.id != mug.id);
        assert_eq!(ours.retour.merchant(&ours.staff).all_purchases(&listing).await.unwrap().data.len(), 1);
    }
}
