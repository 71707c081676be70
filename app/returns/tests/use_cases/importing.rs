//! Repeated imports of order files: known orders and lines keep their identity, however a file names them.

use crate::{
    seed::Seed,
    shop::{Customer, EMAIL, HERE, NOW, Shop, fresh},
};
use domain::{
    TimeZone,
    costs::LineKind,
    policy::{LookUpBy, Policy},
};
use returns::{
    Done, IdempotencyKey, ImportSummary, Proof, RefusedBecause,
    import::{Format, orders},
};
use std::fmt::Write as _;
use store::testing::Database;

const HEADER: &str = "Name,Id,Email,Created at,Fulfilled at,Currency,Fulfillment Status,Financial Status,Subtotal,Lineitem name,\
    Lineitem quantity,Lineitem price,Lineitem sku,Lineitem fulfillment status";

/// An order of a Shopify export.
#[derive(Clone)]
struct Export {
    number: String,
    id: String,
    email: String,
    currency: &'static str,
    subtotal: String,
    /// Name, units, price in cents, SKU.
    lines: Vec<(String, u32, u32, String)>,
}

impl Export {
    fn new(number: &str, id: &str, email: &str, lines: &[(&str, u32, u32)]) -> Self {
        let line = |&(name, units, cents): &(&str, u32, u32)| (name.to_owned(), units, cents, format!("SKU-{name}"));
        let [number, id, email] = [number, id, email].map(str::to_owned);
        Self { number, id, email, currency: "EUR", subtotal: String::new(), lines: lines.iter().map(line).collect() }
    }

    fn rows(&self) -> String {
        let mut rows = String::new();
        for (index, (name, units, cents, sku)) in self.lines.iter().enumerate() {
            let at = NOW.plus_seconds(-86_400 * 3).to_string();
            let first = if index == 0 {
                format!("{},{},{at},{at},{},fulfilled,paid,{}", self.id, self.email, self.currency, self.subtotal)
            } else {
                ",,,,,,,".to_owned()
            };
            let price = format!("{}.{:02}", cents / 100, cents % 100);
            writeln!(rows, "{},{first},{name},{units},{price},{sku},fulfilled", self.number).unwrap();
        }
        rows
    }
}

fn file(exports: &[Export]) -> String {
    format!("{HEADER}\n{}", exports.iter().map(Export::rows).collect::<String>())
}

async fn import(shop: &Shop, text: &str) -> ImportSummary {
    shop.retour
        .operator()
        .import(shop.account.id, orders(Format::Shopify, text.as_bytes(), &TimeZone::UTC).unwrap())
        .await
        .unwrap()
}

async fn customer(shop: &Shop, number: &str, email: &str) -> Option<Customer> {
    let proved = shop.retour.identify(&shop.account, number, Proof::Email(email.to_owned()), HERE).await;
    proved.ok().map(|found| Customer { retour: shop.retour.clone(), shopper: found.shopper })
}

/// What a customer sees of each purchase: name, units bought, returnable units, price of one unit.
async fn seen(customer: &Customer) -> Vec<(String, u32, u32, i64)> {
    let mut seen: Vec<_> = customer
        .purchases()
        .await
        .iter()
        .map(|one| {
            (one.product.name.clone(), one.quantity, one.returnable_quantity, one.prices.unwrap().unit_price.minor)
        })
        .collect();
    seen.sort();
    seen
}

/// Name, external id and units in returns of each line.
async fn lines(database: &Database) -> Vec<String> {
    database
        .texts(
            "SELECT external_id || ' ' || product || ' ' || taken || ' ' || total FROM purchases ORDER BY external_id",
        )
        .await
}

store::on_each_database! {
    async fn two_orders_with_one_number_stay_two_orders(database: Database) {
        let shop = Shop::open(&database).await;
        let (ann, bob) = (Export::new("#1001", "11", "ann@example.com", &[("Mug", 1, 1_000)]), Export::new("#1001", "22", "bob@example.com", &[("Ring", 1, 50_000)]));
        let report = import(&shop, &file(&[ann.clone(), bob.clone()])).await;
        assert_eq!((report.orders, report.changed, report.skipped_count, report.refused_count), (2, 2, 0, 0));
        for (export, good, price) in [(&ann, "Mug", 1_000), (&bob, "Ring", 50_000)] {
            let customer = customer(&shop, "1001", &export.email).await.unwrap();
            assert_eq!(seen(&customer).await, [(good.to_owned(), 1, 1, price)]);
        }
        // A rounded id cannot tell the two known orders apart, so it is refused; a third buyer's order is new.
        let rounded = |export: &Export| Export { id: "6.9E+12".to_owned(), ..export.clone() };
        let eve = Export { email: "eve@example.com".to_owned(), ..bob.clone() };
        let before = lines(&database).await;
        let report = import(&shop, &file(&[rounded(&ann)])).await;
        assert_eq!(report.refused, [("#1001".to_owned(), RefusedBecause::KnownUnderAnotherId)]);
        assert_eq!((report.rounded_ids.count, report.took_nothing()), (1, true));
        assert_eq!(lines(&database).await, before);
        assert_eq!(import(&shop, &file(&[rounded(&eve)])).await.changed, 1);
        // An order that is known by its number alone is not overwritten by another order with that number.
        let before = lines(&database).await;
        let zoe = Export { email: "zoe@example.com".to_owned(), id: String::new(), ..ann.clone() };
        let report = import(&shop, &file(&[zoe])).await;
        assert_eq!(report.refused, [("#1001".to_owned(), RefusedBecause::OtherOrder)]);
        assert_eq!(lines(&database).await, before);
        assert_eq!(import(&shop, &file(&[rounded(&eve)])).await.changed, 0);
        // The reverse: the exact id arrives later.
        let report = import(&shop, &file(&[Export { id: "33".to_owned(), ..eve }])).await;
        assert_eq!(report.refused, [("#1001".to_owned(), RefusedBecause::KnownUnderAnotherId)]);
    }

    async fn an_id_that_does_not_tell_two_orders_apart_overwrites_nothing_over_two_files(database: Database) {
        let ids = [
            "6516730000000", "6516730000000.0", "6516730000000.00", "\"6516730000000,00\"", "\"6,516,730,000,000\"", "6.51673E+12",
            "'6.51673E+12", "6.51673 E+12", "651673E+7", "########", "null", "NULL", "N/A", "-", "0", "None", "#REF!", "#NAME?", "17", "",
        ];
        for (place, id) in ids.into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{place}"), "EUR", Policy::default()).await;
            let (ann, bob) = (Export::new("#2005", id, "ann@example.com", &[("Mug", 1, 1_000), ("Lamp", 1, 7_000)]), Export::new("#3006", id, "bob@example.com", &[("Plate", 1, 2_000)]));
            import(&shop, &file(&[ann])).await;
            let report = import(&shop, &file(&[bob])).await;
            let is_exact = id == "17";
            let refused = if is_exact { vec![("#3006".to_owned(), RefusedBecause::OtherOrder)] } else { vec![] };
            assert_eq!((report.refused, report.skipped_count), (refused, 0), "{id}");
            let wanted = [("Lamp", 7_000), ("Mug", 1_000)].map(|(name, price)| (name.to_owned(), 1, 1, price));
            assert_eq!(seen(&customer(&shop, "2005", "ann@example.com").await.unwrap()).await, wanted, "{id}");
            let bobs = match customer(&shop, "3006", "bob@example.com").await {
                Some(customer) => seen(&customer).await,
                None => Vec::new(),
            };
            let wanted = if is_exact { vec![] } else { vec![("Plate".to_owned(), 1, 1, 2_000)] };
            assert_eq!(bobs, wanted, "{id}");
        }
    }

    async fn a_row_that_stands_elsewhere_does_not_bring_the_shipping_early(database: Database) {
        let header = "order_number,order_id,ordered_at,email,currency,shipping_paid,line_id,product,quantity,fulfilled_at,total\n";
        let row = |number: &str, line: &str| {
            let at = NOW.plus_seconds(-86_400 * 3);
            format!("{number},id-{number},{at},{EMAIL},EUR,9.00,{line},Good {line},1,{at},5.00\n")
        };
        let of_next_batch: String = (0..10_000).map(|line| row("N-8", &line.to_string())).collect();
        for (place, (before, between, behind)) in [
            ("", row("N-9", "1"), row("N-1", "2")),
            ("", row("N-9", "1"), "N-1,,,,,,2,Good,1,,5.00\n".to_owned()),
            ("", of_next_batch + &row("N-9", "1"), row("N-1", "2")),
            ("N-1,,,,,,2,Good,1,,5.00\n", String::new(), String::new()),
            ("N-1,id-N-1,,,,,2,Good,1,,5.00\nN-8,,,,,,2,Good,1,,5.00\n", row("N-9", "1"), String::new()),
        ].into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{place}"), "EUR", Policy::default()).await;
            let text = format!("{header}{before}{}{between}{behind}", row("N-1", "1"));
            let import = async |text: &str| {
                let parsed = orders(Format::Retour, text.as_bytes(), &TimeZone::UTC).unwrap();
                shop.retour.operator().import(shop.account.id, parsed).await.unwrap()
            };
            let report = import(&text).await;
            assert_ne!(report.skipped_count, 0, "{place}");
            let shipping = async |number: &str| {
                let customer = customer(&shop, number, EMAIL).await.unwrap();
                let draft = fresh(customer.try_draft(customer.choose(&[(0, 1)]).await, None).await.unwrap(), 201);
                draft.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund)
            };
            assert_eq!(shipping("N-1").await, 0, "{place}");
            if between.contains("N-9") {
                assert_eq!(shipping("N-9").await, 900, "{place}: the other order is complete");
            }
            import(&format!("{header}{}", row("N-1", "1"))).await;
            assert_eq!(shipping("N-1").await, 900, "{place}: now nothing is skipped");
        }
    }

    async fn lines_keep_their_identity_in_any_order_of_the_file(database: Database) {
        let shop = Shop::open(&database).await;
        let seed = Seed::of_this_run();
        for part in 0..12 {
            let mut rng = seed.rng(part);
            let number = format!("{}", 2_000 + part);
            let names = ["Mug", "Plate", "Bowl", "Spoon", "Fork", "Jar"];
            let mut export = Export::new(&number, &format!("id-{number}"), EMAIL, &[]);
            export.lines = (0..rng.usize(2..9)).map(|_| {
                let name = names[rng.usize(..names.len())];
                (name.to_owned(), rng.u32(1..4), rng.u32(1..2_000), if rng.bool() { format!("SKU-{name}") } else { String::new() })
            }).collect();
            let gross: u32 = export.lines.iter().map(|(_, units, cents, _)| units * cents).sum();
            let net = gross - rng.u32(..gross);
            export.subtotal = format!("{}.{:02}", net / 100, net % 100);
            import(&shop, &file(std::slice::from_ref(&export))).await;
            let customer = customer(&shop, &number, EMAIL).await.unwrap();
            let index = rng.usize(..export.lines.len());
            let chosen = customer.purchases().await[index].clone();
            fresh(customer.submit(customer.draft(&[(index, 1)]).await).await.unwrap(), 201);
            let (before, table) = (seen(&customer).await, lines(&database).await);
            for _ in 0..4 {
                rng.shuffle(&mut export.lines);
                let report = import(&shop, &file(std::slice::from_ref(&export))).await;
                assert_eq!((report.skipped_count, report.refused_count), (0, 0), "part {part}");
                assert_eq!(seen(&customer).await, before, "part {part}");
                assert_eq!(lines(&database).await, table, "part {part}");
            }
            // A new first line does not change the ids of the others.
            export.lines.insert(0, ("New".to_owned(), 1, 100, "SKU-NEW".to_owned()));
            export.subtotal = String::new();
            import(&shop, &file(std::slice::from_ref(&export))).await;
            let after = customer.purchases().await;
            assert_eq!(after.len(), export.lines.len(), "part {part}");
            let kept = after.iter().find(|one| one.id == chosen.id).unwrap();
            assert_eq!(kept.product, chosen.product, "part {part}");
            let taken = kept.quantity - kept.returnable_quantity;
            assert_eq!(taken, 1, "part {part}: the returned unit still belongs to the same product");
        }
    }

    async fn a_product_that_replaces_returned_goods_is_a_new_line(database: Database) {
        let shop = Shop::open(&database).await;
        let export = Export::new("1001", "11", EMAIL, &[("Mug", 1, 1_000), ("Plate", 1, 2_000)]);
        import(&shop, &file(std::slice::from_ref(&export))).await;
        let customer = customer(&shop, "1001", EMAIL).await.unwrap();
        let mug = customer.purchases().await.iter().position(|one| one.product.name == "Mug").unwrap();
        fresh(customer.submit(customer.draft(&[(mug, 1)]).await).await.unwrap(), 201);
        let changed = Export::new("1001", "11", EMAIL, &[("Ring", 1, 50_000), ("Dish", 1, 2_000)]);
        import(&shop, &file(std::slice::from_ref(&changed))).await;
        let wanted = [("Dish", 1, 1, 2_000), ("Mug", 1, 0, 1_000), ("Ring", 1, 1, 50_000)];
        assert_eq!(seen(&customer).await, wanted.map(|(name, units, left, price)| (name.to_owned(), units, left, price)));
        let before = lines(&database).await;
        assert_eq!(import(&shop, &file(&[changed])).await.changed, 0);
        assert_eq!(lines(&database).await, before);
    }

    async fn the_report_lists_what_needs_attention_and_a_dry_run_writes_nothing(database: Database) {
        let policy = Policy { look_up_by: vec![LookUpBy::Email], ..Policy::default() };
        let shop = Shop::open_with(&database, "gifts", "EUR", policy).await;
        let known = Export::new("1", "1", EMAIL, &[("Mug", 1, 1_000)]);
        import(&shop, &file(&[known])).await;
        let before = lines(&database).await;
        let mug = |number: &str, id: &str, email: &str| Export::new(number, id, email, &[("Mug", 1, 1_000)]);
        let dollars = Export { currency: "USD", ..mug("2", "2", EMAIL) };
        let text = file(&[mug("1", "one", EMAIL), dollars, mug("3", "3", ""), mug("4", "6.9E+12", EMAIL)]) + "5,5,x,yesterday,,EUR,,,,Mug,1,1,,\n";
        let mut reports = Vec::new();
        for is_dry_run in [true, false] {
            let mut importer = shop.retour.operator().importer(shop.account.id, is_dry_run).await.unwrap();
            for parsed in orders(Format::Shopify, text.as_bytes(), &TimeZone::UTC).unwrap() {
                importer.take(parsed).await.unwrap();
            }
            reports.push(importer.finish().await.unwrap());
            if is_dry_run {
                assert_eq!(lines(&database).await, before);
            }
        }
        let named = |count: u64, number: &str| returns::OrderSample { count, numbers: vec![number.to_owned()] };
        let report = &reports[1];
        assert_eq!((report.orders, report.changed, report.skipped_count), (4, 3, 1));
        assert_eq!(report.refused, [("1".to_owned(), RefusedBecause::KnownUnderAnotherId)]);
        assert_eq!((&report.unprovable, &report.without_shipping_option, &report.rounded_ids), (&named(1, "3"), &named(1, "2"), &named(1, "4")));
        assert_eq!(reports[0], ImportSummary { is_dry_run: true, ..report.clone() });
    }

    async fn the_last_batch_stores_the_answer_for_its_key(database: Database) {
        let shop = Shop::open(&database).await;
        let key = || Some(IdempotencyKey { credential: "c".to_owned(), key: "k".to_owned(), fingerprint: vec![1] });
        let text = file(&[Export::new("1", "1", EMAIL, &[("Mug", 1, 1_000)])]);
        for round in 0..3 {
            let mut importer = shop.retour.merchant(&shop.staff).import_file(round == 0).await.unwrap();
            for parsed in orders(Format::Shopify, text.as_bytes(), &TimeZone::UTC).unwrap() {
                importer.take(parsed).await.unwrap();
            }
            match (round, importer.conclude(key()).await.unwrap()) {
                (0 | 1, Done::Fresh { value, .. }) => assert_eq!((value.changed, value.dry_run), (1, round == 0)),
                (2, Done::Replayed(answer)) => assert!(answer.body.contains("\"changed\":1"), "{}", answer.body),
                other => panic!("{other:?}"),
            }
        }
    }
}
