//! Imports a public data set of real orders twice, and makes returns that the customers really made.

use crate::shop::{Customer, HERE, Shop, fresh, select};
use domain::policy::Policy;
use returns::import::{Format, open, orders};
use std::{collections::BTreeMap, io::Read, path::PathBuf};
use store::testing::Database;

fn shared() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("RETOUR_SHARED").map_or_else(beside, PathBuf::from).join("data/online-retail");
    if folder.join("orders.csv.gz").exists() {
        return Some(folder);
    }
    println!("skipped: shared data absent");
    None
}

/// Lines and pence per currency, read from the file without our importer.
fn totals(mut file: impl Read) -> BTreeMap<String, (i64, i64)> {
    let mut rows = csv::Reader::from_reader(&mut file);
    let header = rows.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (currency, quantity, price) = (place("Currency"), place("Lineitem quantity"), place("Lineitem price"));
    let (mut sums, mut current) = (BTreeMap::new(), String::new());
    for row in rows.records() {
        let row = row.unwrap();
        if !row[currency].is_empty() {
            row[currency].clone_into(&mut current);
        }
        let (pounds, pence) = row[price].split_once('.').unwrap_or((&row[price], "0"));
        let unit: i64 = pounds.parse::<i64>().unwrap() * 100 + format!("{pence:0<2}").parse::<i64>().unwrap();
        let sum: &mut (i64, i64) = sums.entry(current.clone()).or_default();
        sum.0 += 1;
        sum.1 += unit * row[quantity].parse::<i64>().unwrap();
    }
    sums
}

store::on_each_database! {
    async fn real_orders_match_to_the_penny_and_a_second_import_changes_nothing(database: Database) {
        let Some(folder) = shared() else { return };
        let file = folder.join("orders.csv.gz");
        let shop = Shop::open_with(&database, "gifts", "GBP", Policy { return_window_days: None, ..Policy::default() }).await;
        let wanted = totals(open(&file).unwrap());
        let lines = wanted.values().map(|(lines, _)| *lines).sum::<i64>();
        for changed in [lines, 0] {
            let parsed = orders(Format::Shopify, open(&file).unwrap(), &domain::TimeZone::UTC).unwrap();
            let report = shop.retour.operator().import(shop.account.id, parsed).await.unwrap();
            assert_eq!((report.skipped, report.refused, report.stopped), (Vec::new(), Vec::new(), None));
            assert_eq!((report.orders, report.lines, report.changed), (4_706, lines.unsigned_abs(), changed.unsigned_abs()));
        }
        for (currency, sum) in &wanted {
            let of_currency = format!("FROM purchases p JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id WHERE o.currency = '{currency}'");
            let total = database.number(&format!("SELECT CAST(SUM(p.total) AS BIGINT) {of_currency}")).await;
            let count = database.number(&format!("SELECT COUNT(*) {of_currency}")).await;
            assert_eq!((count, total), *sum, "{currency}");
        }
        assert_eq!(database.rows("purchases").await, lines);
        make_real_returns(&shop, &folder).await;
    }
}

/// Makes the first hundred returns of the data set: each refunds what was paid.
async fn make_real_returns(shop: &Shop, folder: &std::path::Path) {
    let mut rows = csv::Reader::from_path(folder.join("returns.csv")).unwrap();
    for row in rows.deserialize::<BTreeMap<String, String>>().take(100) {
        let row = row.unwrap();
        let proof = returns::Proof::Email(row["email"].clone());
        let shopper = shop.retour.identify(&shop.account, &row["order_name"], proof, HERE).await.unwrap().shopper;
        let customer = Customer { retour: shop.retour.clone(), shopper };
        let suffix = format!("/{}", row["order_line"]);
        let purchases = customer.purchases().await;
        let purchase = purchases.iter().find(|purchase| purchase.external_id.ends_with(&suffix)).unwrap();
        let quantity: u32 = row["quantity"].parse().unwrap();
        let draft = fresh(customer.try_draft(vec![select(purchase, quantity)], None).await.unwrap(), 201).id;
        let order = fresh(customer.submit(draft).await.unwrap(), 201);
        let paid = i64::from(quantity) * row["unit_price_minor"].parse::<i64>().unwrap();
        assert_eq!(order.costs.breakdown().unwrap().total(domain::costs::LineKind::ItemRefund), paid, "{row:?}");
    }
}
