//! `retour import shopify` is killed at random and started again. In the end, the orders are those of an import that nobody
//! interrupted.

use crate::{
    crash::random,
    is_long,
    peer::Peer,
    support::process::{Server, command, run},
};
use serde_json::json;
use std::{
    process::Stdio,
    time::{Duration, Instant},
};
use store::testing::Database;

/// The token of a custom app in the stand-in.
const TOKEN: &str = "shpat_stand_in_custom_app";
/// Orders of the shop: in the long form, and in the usual one. They are stored in batches of 500.
const ORDERS: (usize, usize) = (12_000, 4_000);

store::on_each_database! {
    async fn a_killed_import_continues(database: Database) {
        let (orders, kills) = if is_long() { (ORDERS.0, 100) } else { (ORDERS.1, 20) };
        let shop = Peer::start("shopify");
        let url = shop.url.split(' ').next().unwrap().to_owned();
        let lines = json!([{"title": "Mug", "sku": "M-1", "quantity": 2, "price": "10.00"}, {"title": "Plate", "price": "5.00"}]);
        let many = json!({"count": orders, "copies": true, "lines": lines}).to_string();
        reqwest::Client::new().post(format!("{url}/control/many")).body(many).send().await.unwrap();
        run(&database.url, &["migrate"]);
        let server = Server::start(&database.url).await;
        for slug in ["whole", "killed"] {
            run(&database.url, &["account", "create", "--slug", slug, "--name", slug, "--currency", "EUR"]);
            let key = run(&database.url, &["service-user", "create", "--account", slug, "--name", "a", "--scopes", "admin"]);
            let bridge = json!({"bridge": {"kind": "shopify", "url": url, "accessToken": TOKEN, "secret": "shpss_1"}});
            let path = format!("{}/api/v0/account", server.base);
            let answer = reqwest::Client::new().patch(path).bearer_auth(key).json(&bridge).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
        }
        assert!(server.stop());
        let began = Instant::now();
        run(&database.url, &["import", "shopify", "--account", "whole"]);
        let longest = u64::try_from(began.elapsed().as_millis()).unwrap();
        for _ in 0..kills {
            let mut import = command(&database.url);
            import.args(["import", "shopify", "--account", "killed"]).stdout(Stdio::null()).stderr(Stdio::null());
            let mut import = import.spawn().unwrap();
            let (started, alive) = (Instant::now(), Duration::from_millis(random(longest / 3)));
            while started.elapsed() < alive && import.try_wait().unwrap().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let _ = import.kill(); // it may have ended
            import.wait().unwrap();
            // The next command begins at once, instead of after the seconds in which a dead one could still be alive.
            database.run("UPDATE shop_imports SET leased_until = 0").await;
        }
        let report = run(&database.url, &["import", "shopify", "--account", "killed"]);
        assert!(report.contains("0 orders unreadable"), "{report}");
        let stored = |slug: &str| format!(
            "SELECT o.external_id || o.number || o.email || o.address || p.external_id || p.product || p.bought || '/' || \
             p.fulfilled || '/' || p.total || '/' || p.fulfilled_at || '/' || p.delivered_at FROM purchases p \
             JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id \
             JOIN accounts a ON a.id = o.account_id WHERE a.slug = '{slug}' ORDER BY 1"
        );
        let (whole, killed) = (database.texts(&stored("whole")).await, database.texts(&stored("killed")).await);
        assert_eq!((whole.len(), killed.len()), (2 * orders, 2 * orders));
        assert!(whole == killed, "each order is stored as without a kill");
    }
}
