//! Imports of orders, for the first time and again.

use crate::support::*;
use domain::{
    address::Address,
    order::{NewOrder, NewPurchase, Product},
};
use store::{
    import::{OrderSource, RefusedBecause},
    testing::Database,
};

store::on_each_database! {
    async fn every_field_of_an_order_is_stored(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let line = NewPurchase {
            position: 7,
            product: Product {
                name: "Mug “Ø” 手".to_owned(),
                sku: "CM'031".to_owned(),
                barcode: "9501101530003".to_owned(),
                exchange_options: Vec::new(),
                weight: Some(350),
                hs_code: "6912.00".to_owned(),
                origin_country: "PT".to_owned(),
                image_urls: vec!["https://example.com/mug.jpg".to_owned()],
                attributes: [("Glaze".to_owned(), "Oatmeal".to_owned())].into(),
            },
            fulfilled: 4,
            shop_refunded: 1,
            tax: 210,
            duties: 34,
            discount: 99,
            final_sale: true,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: None,
            delivered_at: Some(NOW.plus_seconds(1)),
            ..a_line("a", 5, 1_234)
        };
        let order = an_order("1001", vec![line.clone()]);
        assert_eq!(import(&database, ours, vec![order.clone()]).await, 1);
        let kept = the_purchase(&database, ours, "1001").await;
        assert_eq!((kept.external_id, kept.position, kept.product), (line.external_id, line.position, line.product));
        assert_eq!((kept.units.bought, kept.units.fulfilled, kept.units.shop_refunded), (5, 4, 1));
        assert_eq!((kept.units.taken, kept.units.taken_remainder_units, kept.units.settled), (0, 0, 0));
        assert_eq!((kept.units.total, kept.tax, kept.duties, kept.discount, kept.final_sale), (1_234, 210, 34, 99, true));
        assert_eq!((kept.fulfilled_at, kept.delivered_at), (line.fulfilled_at, line.delivered_at));
        assert_eq!((kept.order.number, kept.order.ordered_at, kept.order.currency), (order.number, order.ordered_at, eur()));
        assert_eq!((kept.order.shipping_left, kept.order.tags), (order.shipping_paid, order.tags));
    }

    async fn changed_orders_are_updated_and_equal_ones_are_not_written(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let orders = vec![an_order("1001", vec![a_line("a", 1, 100), a_line("b", 2, 200)]), an_order("1002", vec![a_line("c", 3, 300)])];
        assert_eq!(import(&database, ours, orders.clone()).await, 3);
        let before = the_purchase(&database, ours, "1001").await;
        assert_eq!(import(&database, ours, orders.clone()).await, 0);
        assert_eq!(the_purchase(&database, ours, "1001").await, before);

        let line = &orders[0].lines[0];
        let changes = [
            NewPurchase { quantity: 2, fulfilled: 2, ..line.clone() },
            NewPurchase { fulfilled: 0, ..line.clone() },
            NewPurchase { total: 101, ..line.clone() },
            NewPurchase { tax: 1, ..line.clone() },
            NewPurchase { duties: 1, ..line.clone() },
            NewPurchase { discount: 1, ..line.clone() },
            NewPurchase { shop_refunded: 1, ..line.clone() },
            NewPurchase { final_sale: true, ..line.clone() },
            NewPurchase { fulfilled_at: None, ..line.clone() },
            NewPurchase { delivered_at: Some(NOW), ..line.clone() },
            NewPurchase { product: Product { name: "Another".to_owned(), ..line.product.clone() }, ..line.clone() },
        ];
        for changed in changes {
            let order = NewOrder { lines: vec![changed.clone(), orders[0].lines[1].clone()], ..orders[0].clone() };
            assert_eq!(import(&database, ours, vec![order.clone()]).await, 1, "{changed:?}");
            assert_eq!(import(&database, ours, vec![order]).await, 0, "{changed:?}");
            let kept = the_purchase(&database, ours, "1001").await;
            assert_eq!((kept.units.bought, kept.units.total, kept.product), (changed.quantity, changed.total, changed.product));
            assert_eq!(kept.id, before.id);
        }
        assert_eq!(database.rows("purchases").await, 3);
    }

    async fn a_changed_order_is_proved_by_its_current_data(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = an_order("1001", vec![a_line("a", 1, 100)]);
        import(&database, ours, vec![order.clone()]).await;
        let id = the_purchase(&database, ours, "1001").await.order.id;
        let address = Address { city: "Leith".to_owned(), ..an_address() };
        let renamed = NewOrder { number: "1001-B".to_owned(), address: address.clone(), ..order };
        assert_eq!(import(&database, ours, vec![renamed.clone()]).await, 0, "its line has not changed");
        import(&database, ours, vec![NewOrder { email: "eve@example.com".to_owned(), ..renamed }]).await;
        assert_eq!(look!(database, consumers::prove, ours, &claim_by_email("1001", "ada@example.com"), ""), None);
        let proved = look!(database, consumers::prove, ours, &claim_by_email("1001-b", "eve@example.com"), "").unwrap();
        assert_eq!((proved.email.as_str(), proved.address), ("eve@example.com", address));
        let rows = look!(database, purchases::list, ours, &credentials("1001-b", "eve@example.com"), FIRST_PAGE, "").rows;
        assert_eq!(rows[0].order.id, id);
    }

    async fn lines_with_units_in_returns_keep_their_price_and_units(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 3, 301).await;
        assert!(keep!(database, purchases::take, ours, purchase.id, units(1, 1), 0));
        let line = NewPurchase { quantity: 5, fulfilled: 5, total: 999, shop_refunded: 1, tax: 9, ..a_line("1001/1", 5, 999) };
        let order = an_order("1001", vec![line]);
        assert_eq!(import(&database, ours, vec![order.clone()]).await, 1);
        let kept = the_purchase(&database, ours, "1001").await;
        assert_eq!((kept.units.bought, kept.units.total, kept.units.fulfilled), (3, 301, 3));
        assert_eq!((kept.units.taken, kept.units.taken_remainder_units, kept.units.shop_refunded, kept.tax), (1, 1, 1, 9));
        assert_eq!(import(&database, ours, vec![order]).await, 0, "a repeated import writes nothing");
    }

    async fn an_import_changes_only_its_own_account_and_lines_by_their_ids(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 100)])]).await;
        assert_eq!(import(&database, theirs, vec![an_order("1001", vec![a_line("a", 2, 999)])]).await, 1);
        assert_eq!(the_purchase(&database, ours, "1001").await.units.total, 100);
        assert_eq!(the_purchase(&database, theirs, "1001").await.units.total, 999);
    }

    async fn an_order_known_under_another_id_or_in_another_currency_is_refused(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = an_order("1001", vec![a_line("a", 1, 100)]);
        import(&database, ours, vec![order.clone()]).await;
        let twin = NewOrder { external_id: "gid://1001".to_owned(), lines: vec![a_line("b", 1, 100)], ..order.clone() };
        let dollars = NewOrder { currency: domain::Currency::from_code("USD").unwrap(), lines: vec![a_line("a", 1, 999)], ..order.clone() };
        let of_another_buyer = NewOrder { external_id: "other".to_owned(), email: "eve@example.com".to_owned(), lines: vec![a_line("c", 1, 1)], ..order.clone() };
        let orders = [an_order("1000", vec![a_line("d", 1, 1)]), twin.clone(), dollars, of_another_buyer];
        let all = orders.map(incoming);
        let upserted = keep!(database, import::upsert, ours, OrderSource::HERE, &all);
        assert_eq!(upserted.changed, 2);
        let mut refused = upserted.refused;
        refused.sort_by_key(|&(place, _)| place);
        assert_eq!(refused, [(1, RefusedBecause::KnownUnderAnotherId), (2, RefusedBecause::OtherCurrency)]);
        let kept = look!(database, purchases::list, ours, &proof_of("1001"), FIRST_PAGE, "").rows;
        assert_eq!(kept.iter().map(|purchase| (purchase.external_id.as_str(), purchase.units.total)).collect::<Vec<_>>(), [("a", 100)]);
        let once = an_order("2001", vec![a_line("f", 1, 100)]);
        let again = NewOrder { external_id: "twin".to_owned(), number: " #2001".to_owned(), lines: vec![a_line("g", 1, 100)], ..once.clone() };
        let upserted = keep!(database, import::upsert, ours, OrderSource::HERE, &[once, again].map(incoming));
        assert_eq!((upserted.changed, upserted.refused), (1, vec![(1, RefusedBecause::KnownUnderAnotherId)]), "the same order twice in one file");
        let twin_elsewhere = [incoming(twin)];
        assert_eq!(keep!(database, import::upsert, theirs, OrderSource::HERE, &twin_elsewhere).refused, []);
    }

    async fn an_order_is_recognized_in_every_spelling_of_its_proofs(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = |id: &str, code: &str, country: &str, email: &str| {
            let address = Address { postal_code: code.to_owned(), country: country.to_owned(), ..Address::default() };
            NewOrder { email: email.to_owned(), address, lines: vec![a_line(&format!("{id}/1"), 1, 100)], ..an_order("1001", Vec::new()) }
        };
        let spellings = [
            ("US", "02134", "2134", "ada@example.com", "Ada@example.com"),
            ("US", "02134-1000", "21341000", "ben@example.com", "ben@example.com"),
            ("NL", "1012 AB", "1012-ab", "cleo@example.com", "cleo@example.com"),
            ("DE", "10115", "D-10115", "dora@example.com", "dora@example.com"),
            ("PL", "00-950", "00950", "zoe@müller.example", "zoe@xn--mller-kva.example"),
            ("GB", "EH6 7AB", "", "finn@example.com", "finn@example.com"),
        ];
        for (at, (country, one, other, email, same_email)) in spellings.into_iter().enumerate() {
            let ids = [format!("{at}a"), format!("{at}b")];
            let first = NewOrder { external_id: ids[0].clone(), ..order(&ids[0], one, country, email) };
            let again = NewOrder { external_id: ids[1].clone(), ..order(&ids[1], other, country, same_email) };
            assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(first.clone())]).changed, 1, "{one}");
            let upserted = keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(again)]);
            assert_eq!(upserted.refused, [(0, RefusedBecause::KnownUnderAnotherId)], "{one:?} and {other:?}");
            let elsewhere = order(&format!("{at}c"), "99999", country, email);
            let elsewhere = [incoming(NewOrder { external_id: format!("{at}c"), ..elsewhere })];
            assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &elsewhere).refused, [], "it has another delivery address");
        }
    }

    async fn an_order_with_a_known_id_and_another_number_is_the_known_one_only_with_its_buyer_and_date(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let known = NewOrder { external_id: "17".to_owned(), lines: vec![a_line("a", 1, 100)], ..an_order("2005", Vec::new()) };
        import(&database, ours, vec![known.clone()]).await;
        let other = NewOrder { number: "3006".to_owned(), lines: vec![a_line("b", 1, 900)], ..known.clone() };
        let (bob, later) = ("bob@example.com".to_owned(), known.ordered_at.plus_days(2));
        let nobody = |code: &str| {
            let address = Address { postal_code: code.to_owned(), country: "NL".to_owned(), ..Address::default() };
            NewOrder { email: String::new(), address, ..other.clone() }
        };
        for other in [
            NewOrder { email: bob.clone(), ..other.clone() },
            NewOrder { ordered_at: later, ..other.clone() },
            NewOrder { email: bob.clone(), ordered_at: later, ..other.clone() },
            nobody("9999 XX"),
        ] {
            let refused = keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(other.clone())]).refused;
            assert_eq!(refused, [(0, RefusedBecause::OtherOrder)], "{other:?}");
            let dollars = NewOrder { currency: domain::Currency::from_code("USD").unwrap(), ..other.clone() };
            let refused = keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(dollars)]).refused;
            assert_eq!(refused, [(0, RefusedBecause::OtherCurrency)], "{other:?}");
        }
        assert_eq!(the_purchase(&database, ours, "2005").await.units.total, 100);
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (1, 1));
        let elsewhere = NewOrder { email: bob.clone(), ..other.clone() };
        assert_eq!(keep!(database, import::upsert, theirs, OrderSource::HERE, &[incoming(elsewhere)]).refused, [], "another account");
        // Under the same number, a new e-mail address or date is a change of the order.
        let moved = NewOrder { email: bob, ordered_at: later, ..known.clone() };
        assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(moved)]).refused, []);
        // The shop renames an order. Its date may be in another time zone.
        let renamed = NewOrder { email: "Bob@example.com".to_owned(), ordered_at: known.ordered_at.plus_days(1), ..other };
        assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(renamed)]).refused, []);
    }

    async fn orders_that_lack_lines_are_marked_by_id_or_number(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = |number: &str| NewOrder { external_id: format!("id-{number}"), lines: vec![a_line(number, 1, 100)], ..an_order(number, Vec::new()) };
        for account in [ours, theirs] {
            import(&database, account, ["1001", "1002", "1003"].map(order).to_vec()).await;
        }
        keep!(database, completeness::mark_partial, ours, &["id-1001", "1003"], &["1002", "#9999"]);
        let mut partial = Vec::new();
        for account in [ours, theirs] {
            for number in ["1001", "1002", "1003"] {
                partial.push(the_purchase(&database, account, number).await.order.is_partial);
            }
        }
        assert_eq!(partial, [true, true, false, false, false, false]);
        import(&database, ours, vec![order("1001")]).await;
        assert!(!the_purchase(&database, ours, "1001").await.order.is_partial, "a later import has all its lines");
        keep!(database, completeness::mark_partial, ours, &[], &[]);
    }

    async fn an_id_that_equals_the_number_of_another_buyers_order_overwrites_nothing(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let by_number = NewOrder { external_id: "1002".to_owned(), lines: vec![a_line("a", 1, 100)], ..an_order("1002", Vec::new()) };
        import(&database, ours, vec![by_number.clone()]).await;
        let later = by_number.ordered_at.plus_days(1);
        let other = NewOrder { number: "1001".to_owned(), email: "eve@example.com".to_owned(), ordered_at: later, lines: vec![a_line("b", 1, 900)], ..by_number.clone() };
        let renamed = NewOrder { number: "2002".to_owned(), ..by_number.clone() };
        assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(other)]).refused, [(0, RefusedBecause::OtherOrder)]);
        assert_eq!(look!(database, purchases::list, ours, &proof_of("1002"), FIRST_PAGE, "").rows.len(), 1, "the order still exists");
        assert_eq!(keep!(database, import::upsert, ours, OrderSource::HERE, &[incoming(renamed)]).refused, [], "the same buyer may rename an order");
    }

    async fn a_line_of_another_order_is_not_changed(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 100)])]).await;
        assert_eq!(import(&database, ours, vec![an_order("1002", vec![a_line("a", 2, 999)])]).await, 0);
        assert_eq!(the_purchase(&database, ours, "1001").await.units.total, 100);
        assert_eq!(look!(database, purchases::list, ours, &proof_of("1002"), FIRST_PAGE, "").rows, []);
    }

    async fn an_import_larger_than_one_statement_is_complete(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let lines = |number: usize| (0..=number % 5).map(|line| a_line(&format!("{number}/{line}"), 1, 100)).collect();
        let orders: Vec<NewOrder> = (0..450).map(|number| an_order(&format!("{number}"), lines(number))).collect();
        let count = orders.iter().map(|order| order.lines.len() as u64).sum::<u64>();
        assert_eq!(import(&database, ours, orders.clone()).await, count);
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (450, i64::try_from(count).unwrap()));
        assert_eq!(import(&database, ours, orders).await, 0);
        assert_eq!(import(&database, ours, Vec::new()).await, 0);
    }
}
