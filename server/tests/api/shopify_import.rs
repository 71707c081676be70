//! The import of all orders of a Shopify shop: against the stand-in of `end2end/peers/shopify`.

use crate::{
    bridge_check::run,
    harness::{Service, on_both_databases, text},
    program::command,
    shopify::StandIn,
};
use domain::{
    Currency, Timestamp,
    account::Account,
    address::Address,
    order::{NewOrder, OrderSums},
};
use returns::{
    ExportLoss, ShopImportError, ShopImportReport, ShopImportStep, ShopImportWish, Source,
    import::{ImportError, Parsed},
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{sync::Notify, time::sleep};

on_both_databases! {
    orders_are_stored_as_look_ups_store_them
    an_import_that_is_killed_again_and_again_ends_like_an_uninterrupted_one
    after_an_import_only_changed_orders_are_imported
    a_newer_look_up_and_the_erasure_of_a_person_stay
    one_command_imports_a_shop_at_a_time
    an_export_without_a_file_is_replaced_once
    orders_that_could_be_mixed_up_stay_as_they_are
}

const ALL: ShopImportWish = ShopImportWish { since: None, all: true };
const NEXT: ShopImportWish = ShopImportWish { since: None, all: false };
/// The columns of an order that come from the shop.
const OF_ORDER: [&str; 19] = [
    "external_id",
    "number",
    "number_key",
    "email_key",
    "postal_code_key",
    "email",
    "address",
    "currency",
    "ordered_at",
    "shipping_paid",
    "tags",
    "name_key",
    "last_name_key",
    "shop",
    "paid",
    "refunded",
    "is_partial",
    "review",
    "billing_postal_code",
];
/// The columns of a line that come from the shop.
const OF_LINE: [&str; 15] = [
    "external_id",
    "position",
    "product",
    "bought",
    "fulfilled",
    "shop_refunded",
    "total",
    "tax",
    "discount",
    "final_sale",
    "fulfilled_at",
    "delivered_at",
    "obstacle",
    "requires_shipping",
    "removed",
];

/// Two accounts with the same shop.
struct Connected {
    service: Service,
    shop: StandIn,
    now: Timestamp,
    /// The demo account.
    first: Account,
    second: Account,
}

impl Connected {
    async fn start(service: Service) -> Self {
        let shop = StandIn::start();
        let bridge = json!({"kind": "shopify", "url": shop.url, "clientId": shop.secret("clientId"),
            "secret": shop.secret("clientSecret")});
        for key in [&service.demo.key, &service.other_key] {
            let answer = service.patch("/api/v0/account", key, json!({"bridge": bridge})).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        let first = service.retour.account(&service.demo.account.slug).await.unwrap();
        let second = service.retour.account("other").await.unwrap();
        let now = Source::system().now();
        service.clock.set(now);
        Self { service, shop, now, first, second }
    }

    /// Moves the clock, so that leases of commands that are gone have ended.
    fn wait(&mut self, seconds: i64) {
        self.now = self.now.plus_seconds(seconds);
        self.service.clock.set(self.now);
    }

    async fn make_rich_orders(&self) -> Vec<(String, String)> {
        let orders: Vec<Value> =
            serde_json::from_str(include_str!("../../../end2end/peers/shopify/rich-orders.json")).unwrap();
        let mut named = Vec::new();
        for order in orders {
            let made = self.shop.control("orders", order["order"].clone()).await;
            for then in order["then"].as_array().into_iter().flatten() {
                self.shop.control(then["call"].as_str().unwrap(), then["body"].clone()).await;
            }
            let email = order["order"]["email"].as_str().unwrap_or("ada@example.com");
            named.push((text(&made["name"]), email.to_owned()));
        }
        named
    }

    async fn import(&self, account: &Account, wish: ShopImportWish) -> Result<ShopImportReport, ShopImportError> {
        self.import_with_steps(account, wish).await.0
    }

    async fn import_with_steps(
        &self,
        account: &Account,
        wish: ShopImportWish,
    ) -> (Result<ShopImportReport, ShopImportError>, Vec<ShopImportStep>) {
        let mut steps = Vec::new();
        let result = self.service.retour.operator().import_shop(account, wish, &mut |step| steps.push(step)).await;
        (result, steps)
    }

    /// Imports until a step or a moment, and then drops everything, as a crash does.
    async fn import_until(&self, account: &Account, moment: Duration, is_last: fn(&ShopImportStep) -> bool) {
        let reached = Arc::new(Notify::new());
        let mut tell = |step: ShopImportStep| {
            if is_last(&step) {
                reached.notify_one();
            }
        };
        let import = self.service.retour.operator().import_shop(account, NEXT, &mut tell);
        tokio::select! {
            biased;
            () = reached.notified() => {}
            () = sleep(moment) => {}
            _ = import => {}
        }
    }

    async fn look_up(&self, account: &Account, number: &str, email: &str) -> u16 {
        let body = json!({"account": account.slug, "orderNumber": number, "email": email});
        self.service.post("/auth/consumer", "", body).await.status
    }

    /// What is stored of the shop's orders, without ids and times of Retour's own.
    async fn stored(&self, account: &Account) -> Vec<String> {
        let of = |table: &str, columns: &[&str]| {
            let texts: Vec<String> =
                columns.iter().map(|column| format!("COALESCE(CAST({table}.{column} AS TEXT), '-')")).collect();
            texts.join(" || '|' || ")
        };
        let slug = &account.slug;
        let orders = format!(
            "SELECT {} || '|' || (SELECT COUNT(*) FROM order_spellings s WHERE s.account_id = o.account_id AND s.order_id = o.id) \
             FROM orders o JOIN accounts a ON a.id = o.account_id WHERE a.slug = '{slug}' AND o.shop <> '' ORDER BY 1",
            of("o", &OF_ORDER)
        );
        let lines = format!(
            "SELECT o.external_id || '|' || {} FROM purchases p \
             JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id \
             JOIN accounts a ON a.id = o.account_id WHERE a.slug = '{slug}' AND o.shop <> '' ORDER BY 1",
            of("p", &OF_LINE)
        );
        let mut stored = self.service.database.texts(&orders).await;
        stored.extend(self.service.database.texts(&lines).await);
        stored
    }

    async fn emails(&self, account: &Account) -> Vec<String> {
        let slug = &account.slug;
        let emails = format!(
            "SELECT o.number || ' ' || o.email FROM orders o JOIN accounts a ON a.id = o.account_id \
             WHERE a.slug = '{slug}' AND o.shop <> '' ORDER BY 1"
        );
        self.service.database.texts(&emails).await
    }
}

async fn orders_are_stored_as_look_ups_store_them(service: Service) {
    let test = Connected::start(service).await;
    let orders = test.make_rich_orders().await;
    let report = test.import(&test.first, ALL).await.unwrap();
    assert_eq!((report.orders, report.left_out, report.unreadable_count), (17, 1, 0), "{report:?}");
    assert_eq!(report.fulfilments_read, 6, "most orders need no request");
    for (number, email) in &orders {
        let status = test.look_up(&test.second, number, email).await;
        assert_eq!(status == 201 || status == 200, number != "#R9", "{number}: {status}");
    }
    let (imported, looked_up) = (test.stored(&test.first).await, test.stored(&test.second).await);
    assert_eq!(imported.len(), 16 + 23, "{imported:#?}");
    for (ours, theirs) in imported.iter().zip(&looked_up) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(imported.len(), looked_up.len());
    // A second import changes nothing, and neither does a look-up of an imported order.
    let again = test.import(&test.first, ALL).await.unwrap();
    assert_eq!((again.orders, again.changed), (17, 0));
    assert_eq!(test.look_up(&test.first, "#R4", "ada@example.com").await, 201);
    assert_eq!(test.stored(&test.first).await, imported);
    // Staff find the lines by API.
    let path = format!("/api/v0/account/{}/purchases?limit=100", test.first.id);
    let listed = test.service.read(&path).await.to_string();
    assert!(listed.contains("Quotes \\\" and \\\\ and ümläuts") && listed.contains("#R17"), "{listed}");
}

async fn an_import_that_is_killed_again_and_again_ends_like_an_uninterrupted_one(service: Service) {
    let mut test = Connected::start(service).await;
    test.make_rich_orders().await;
    let lines =
        json!([{"title": "Mug", "sku": "M-1", "quantity": 2, "price": "10.00", "taxRate": "0.19"}, {"price": "5.00"}]);
    test.shop.control("many", json!({"count": 2_000, "copies": true, "name": "#C", "lines": lines})).await;
    test.import(&test.second, ALL).await.unwrap();
    let (mut random, mut continued) = (7_u64, 0);
    for kill in 0..20 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = if kill % 4 == 3 { 5_000 } else { 1 + (random >> 33) % 600 };
        let is_last = if kill % 4 == 3 {
            |step: &ShopImportStep| matches!(step, ShopImportStep::Storing { .. })
        } else {
            |_: &ShopImportStep| false
        };
        test.import_until(&test.first, Duration::from_millis(moment), is_last).await;
        let status = test.service.retour.operator().shop_import_status(&test.first).await.unwrap();
        continued += u32::from(status.unfinished.is_some_and(|unfinished| unfinished.orders > 0));
        test.wait(10);
    }
    assert!(continued > 3, "some kills come after a part was stored");
    let report = test.import(&test.first, NEXT).await.unwrap();
    assert!(report.changed_since.is_some() || report.orders == 2_017, "{report:?}");
    let (interrupted, whole) = (test.stored(&test.first).await, test.stored(&test.second).await);
    assert_eq!(interrupted.len(), whole.len());
    for (ours, theirs) in interrupted.iter().zip(&whole) {
        assert_eq!(ours, theirs);
    }
}

async fn after_an_import_only_changed_orders_are_imported(service: Service) {
    let mut test = Connected::start(service).await;
    for name in ["#1", "#2", "#3"] {
        let lines = json!([{"title": "Mug", "quantity": 3, "price": "10.00"}]);
        let order = json!({"name": name, "createdAt": "2026-10-01T10:00:00Z", "lines": lines});
        test.shop.control("orders", order).await;
    }
    let first = test.import(&test.first, NEXT).await.unwrap();
    assert_eq!((first.orders, first.changed, first.changed_since), (3, 3, None));
    test.wait(3_600);
    test.shop.control("clock", json!({"advance": 3_600})).await;
    test.shop.control("edit", json!({"order": "#2", "line": 0, "current": 2})).await;
    let (next, steps) = test.import_with_steps(&test.first, NEXT).await;
    let next = next.unwrap();
    assert_eq!((next.orders, next.changed), (1, 1), "{next:?}");
    assert!(matches!(steps.first(), Some(ShopImportStep::OnlyChanged { .. })), "{steps:?}");
    assert_eq!(test.import(&test.first, ALL).await.unwrap().orders, 3);
    // Orders from before the last import's `since` are a new import.
    let since = |text: &str| ShopImportWish { since: Timestamp::parse(text), all: false };
    let narrow = test.import(&test.second, since("2026-11-01T00:00:00Z")).await.unwrap();
    assert_eq!((narrow.orders, narrow.changed_since), (0, None));
    let wider = test.import(&test.second, since("2026-09-01T00:00:00Z")).await.unwrap();
    assert_eq!((wider.orders, wider.changed_since), (3, None));
    let status = test.service.retour.operator().shop_import_status(&test.second).await.unwrap();
    let completed = status.completed.unwrap();
    assert_eq!((completed.orders, completed.created_since), (3, Timestamp::parse("2026-09-01T00:00:00Z")));
}

async fn a_newer_look_up_and_the_erasure_of_a_person_stay(service: Service) {
    let mut test = Connected::start(service).await;
    let lines = json!([{"title": "Mug", "quantity": 3, "price": "10.00"}]);
    for (name, email) in [("#1", "ada@example.com"), ("#2", "bob@example.com")] {
        test.shop.control("orders", json!({"name": name, "email": email, "lines": lines})).await;
    }
    // The export is from before the edit, and the look-up from after it.
    test.import_until(&test.first, Duration::from_secs(20), |step| matches!(step, ShopImportStep::Exporting { .. }))
        .await;
    sleep(Duration::from_millis(300)).await;
    test.shop.control("edit", json!({"order": "#1", "line": 0, "current": 1})).await;
    test.wait(10);
    assert_eq!(test.look_up(&test.first, "#1", "ada@example.com").await, 201);
    let looked_up = test.stored(&test.first).await;
    let (report, steps) = test.import_with_steps(&test.first, NEXT).await;
    assert_eq!(report.unwrap().orders, 2);
    assert!(steps.iter().any(|step| matches!(step, ShopImportStep::Continues { .. })), "{steps:?}");
    let stored = test.stored(&test.first).await;
    assert!(looked_up.iter().all(|row| stored.contains(row)), "{looked_up:#?} {stored:#?}");

    let erasure = json!({"email": "ada@example.com"});
    let erased = test.service.post("/api/v0/consumers/erasure", &test.service.demo.key, erasure).await;
    assert_eq!(erased.status, 204, "{}", erased.text());
    test.import(&test.first, ALL).await.unwrap();
    assert_eq!(test.emails(&test.first).await, ["#1 ", "#2 bob@example.com"]);
}

async fn one_command_imports_a_shop_at_a_time(service: Service) {
    let test = Connected::start(service).await;
    test.shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    test.shop.control("shop", json!({"bulkPolls": 1_000})).await;
    let first_steps = Arc::new(Mutex::new(Vec::new()));
    let running = tokio::spawn({
        let (retour, account, steps) = (test.service.retour.clone(), test.first.clone(), first_steps.clone());
        async move {
            let mut tell = |step| steps.lock().unwrap().push(step);
            retour.operator().import_shop(&account, NEXT, &mut tell).await.map(drop)
        }
    });
    while first_steps.lock().unwrap().is_empty() {
        sleep(Duration::from_millis(20)).await;
    }
    // The clock moves, so that the lease of the first command is renewed.
    let mover = tokio::spawn({
        let (clock, now) = (test.service.clock.clone(), test.now);
        async move {
            for second in 1..60 {
                sleep(Duration::from_millis(500)).await;
                clock.set(now.plus_seconds(second));
            }
        }
    });
    let (second, steps) = test.import_with_steps(&test.first, NEXT).await;
    assert!(matches!(second, Err(ShopImportError::Running)), "{second:?}");
    assert_eq!(steps, [ShopImportStep::Waiting]);
    let other_account = tokio::time::timeout(Duration::from_secs(1), test.import(&test.second, NEXT)).await;
    assert!(other_account.is_err(), "it runs, and does not wait");
    running.abort();
    mover.abort();
}

async fn an_export_without_a_file_is_replaced_once(service: Service) {
    let mut test = Connected::start(service).await;
    test.shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    let exporting = |step: &ShopImportStep| matches!(step, ShopImportStep::Exporting { .. });
    for (failure, loss) in [
        (json!({"status": "FAILED", "errorCode": "TIMEOUT", "partial": true}), ExportLoss::TimedOut),
        (json!({"status": "CANCELED"}), ExportLoss::Cancelled),
        (json!({"status": "EXPIRED"}), ExportLoss::Expired),
    ] {
        test.shop.control("bulk", failure.clone()).await;
        test.import_until(&test.first, Duration::from_secs(20), exporting).await;
        test.wait(10);
        let (report, steps) = test.import_with_steps(&test.first, NEXT).await;
        assert_eq!(report.unwrap().orders, 1);
        assert!(steps.contains(&ShopImportStep::StartsOver(loss)), "{steps:?}");
        // Without an interruption, the error is the command's.
        test.shop.control("bulk", failure).await;
        let failed = test.import(&test.first, ALL).await.unwrap_err();
        assert!(matches!(failed, ShopImportError::Lost(found) if found == loss), "{failed:?}");
        let status = test.service.retour.operator().shop_import_status(&test.first).await.unwrap();
        assert!(status.unfinished.is_none() && !status.is_running, "{status:?}");
        test.import(&test.first, ALL).await.unwrap();
        // The next round begins with an import of all orders again.
        test.service.database.run("DELETE FROM shop_imports").await;
    }
    let catalog = json!({"bridge": {"kind": "catalog"}});
    assert_eq!(test.service.patch("/api/v0/account", &test.service.demo.key, catalog).await.status, 200);
    let account = test.service.retour.account(&test.first.slug).await.unwrap();
    assert!(matches!(test.import(&account, NEXT).await, Err(ShopImportError::NotShopify)));
}

async fn orders_that_could_be_mixed_up_stay_as_they_are(service: Service) {
    let test = Connected::start(service).await;
    let made = test.shop.control("orders", json!({"name": "#1", "lines": [{"title": "Mug", "price": "1.00"}]})).await;
    test.shop.control("orders", json!({"name": "#2", "lines": [{"title": "Plate", "price": "2.00"}]})).await;
    // An order of a file has the id of another order of the shop.
    let own = NewOrder {
        external_id: text(&made["id"]),
        number: "C-77".to_owned(),
        email: "eve@example.com".to_owned(),
        address: Address::default(),
        currency: Currency::from_code("EUR").unwrap(),
        ordered_at: test.now,
        shipping_paid: 0,
        sums: OrderSums::default(),
        is_partial: false,
        review: None,
        billing_postal_code: String::new(),
        tags: Vec::new(),
        lines: Vec::new(),
    };
    let file = std::iter::once(Ok::<_, ImportError>(Parsed::from(own)));
    test.service.retour.operator().import(test.first.id, file).await.unwrap();
    let report = test.import(&test.first, NEXT).await.unwrap();
    assert_eq!((report.refused_count, report.refused.as_slice()), (1, &["#1".to_owned()][..]), "{report:?}");
    assert_eq!(test.emails(&test.first).await, ["#2 ada@example.com"]);
}

#[test]
fn the_command_shows_progress_and_says_what_is_wrong() {
    store::testing::on_sqlite(async |database| {
        let test = Connected::start(Service::start(database).await).await;
        test.make_rich_orders().await;
        let folder = tempfile::tempdir().unwrap();
        let import = async |arguments: &[&str], key: &str| {
            let mut program = command(&test.service.database.url, folder.path(), "import");
            program.arg("shopify").args(["--account", &test.first.slug]).args(arguments);
            program.env("RETOUR_SECRET_KEY", key).env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
            run(program).await
        };
        let key = crate::harness::SECRET_KEY;
        let refused = import(&[], "another key that is long enough too").await;
        assert!(refused.stderr.contains("RETOUR_SECRET_KEY is not the key"), "{}", refused.stderr);
        let nothing = import(&["--status"], key).await;
        assert_eq!(nothing.stdout, "no import is running\nno import has ended yet\n", "{}", nothing.stderr);
        let wrong = import(&["--since", "yesterday"], key).await;
        assert_eq!(wrong.stderr, "retour: --since: expected a date such as 2026-01-01\n");

        let done = import(&[], key).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        for line in ["17 orders, 23 of their lines new or changed, in ", "1 orders left out: ", "0 orders unreadable\n"]
        {
            assert!(done.stdout.contains(line), "{}", done.stdout);
        }
        let document: Value = serde_json::from_str(&import(&["--all", "--json"], key).await.stdout).unwrap();
        assert_eq!((&document["orders"], &document["changed"]), (&json!(17), &json!(0)), "{document}");
        let status: Value = serde_json::from_str(&import(&["--status", "--json"], key).await.stdout).unwrap();
        assert_eq!((&status["isRunning"], &status["completed"]["orders"]), (&json!(false), &json!(17)), "{status}");

        test.shop.control("scopes", json!({"without": ["read_orders", "write_orders"]})).await;
        let denied = import(&["--all"], key).await;
        assert!(denied.stderr.contains("the export has no file: Shopify refuses it to the app"), "{}", denied.stderr);
    });
}
