//! Imports of all orders of a connected shop.

use crate::support::*;
use domain::{AccountId, Timestamp};
use store::{
    shop_imports::{CompletedImport, ImportKey, ShopExport, StoredPart},
    testing::Database,
};

const SHOP: &str = "shopify https://x.myshopify.com/";

fn key(account: AccountId) -> ImportKey<'static> {
    ImportKey { account, shop: SHOP, lease_id: id() }
}

fn an_export(operation_id: &str, created_since: Option<Timestamp>) -> ShopExport {
    ShopExport {
        operation_id: operation_id.to_owned(),
        created_since,
        changed_since: None,
        asked_at: NOW,
        stored: StoredPart::default(),
    }
}

store::on_each_database! {
    async fn one_command_works_on_the_import_of_a_shop(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (first, second, until) = (key(ours), key(ours), NOW.plus_seconds(6));
        assert_eq!(look!(database, shop_imports::find, ours, SHOP), None);
        assert!(keep!(database, shop_imports::claim, first, NOW, until));
        assert!(!keep!(database, shop_imports::claim, second, NOW.plus_seconds(5), until));
        let other_shop = ImportKey { shop: "shopify https://y.myshopify.com/", ..second };
        assert!(keep!(database, shop_imports::claim, other_shop, NOW, until));
        assert!(keep!(database, shop_imports::claim, key(theirs), NOW, until));
        assert!(keep!(database, shop_imports::renew, first, NOW.plus_seconds(9)));
        assert!(!keep!(database, shop_imports::claim, second, until, NOW.plus_seconds(20)));
        // The first command is gone, or too slow: from now on, it records nothing.
        assert!(keep!(database, shop_imports::claim, second, NOW.plus_seconds(9), NOW.plus_seconds(20)));
        let export = an_export("gid://shopify/BulkOperation/1", None);
        assert!(!keep!(database, shop_imports::begin_export, first, &export));
        assert!(!keep!(database, shop_imports::renew, first, until));
        assert!(!keep!(database, shop_imports::complete, first, NOW));
        assert!(!keep!(database, shop_imports::abandon, first));
        assert!(keep!(database, shop_imports::begin_export, second, &export));
        let part = StoredPart { bytes: 10, orders: 1, ..StoredPart::default() };
        assert!(!keep!(database, shop_imports::advance, first, &export.operation_id, part));
        // A lease that is given back is free at once.
        assert!(keep!(database, shop_imports::renew, second, Timestamp::from_micros(0)));
        assert!(keep!(database, shop_imports::claim, first, NOW, until));
    }

    async fn an_import_keeps_how_far_it_is(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let key = key(ours);
        assert!(keep!(database, shop_imports::claim, key, NOW, NOW.plus_seconds(6)));
        let since = Some(NOW.plus_seconds(-86_400));
        let export = an_export("gid://shopify/BulkOperation/1", since);
        assert!(keep!(database, shop_imports::begin_export, key, &export));
        let part = StoredPart { bytes: 5_000_000_000, orders: 500, left_out: 20, unreadable: 1 };
        assert!(!keep!(database, shop_imports::advance, key, "gid://shopify/BulkOperation/2", part), "another export");
        assert!(keep!(database, shop_imports::advance, key, &export.operation_id, part));
        let found = look!(database, shop_imports::find, ours, SHOP).unwrap();
        assert_eq!(found.export, Some(ShopExport { stored: part, ..export }));
        assert_eq!((found.completed, found.leased_until), (None, NOW.plus_seconds(6)));

        assert!(keep!(database, shop_imports::complete, key, NOW.plus_seconds(60)));
        let found = look!(database, shop_imports::find, ours, SHOP).unwrap();
        let completed =
            CompletedImport { ended_at: NOW.plus_seconds(60), orders: 500, complete_from: since, complete_until: NOW };
        assert_eq!((found.export, found.completed), (None, Some(completed)));

        // The next export begins at its own start, and the last result stays until it ends.
        let next = ShopExport { changed_since: Some(NOW), ..an_export("gid://shopify/BulkOperation/3", since) };
        assert!(keep!(database, shop_imports::begin_export, key, &next));
        let found = look!(database, shop_imports::find, ours, SHOP).unwrap();
        assert_eq!((found.export, found.completed), (Some(next), Some(completed)));
        assert!(keep!(database, shop_imports::abandon, key));
        let found = look!(database, shop_imports::find, ours, SHOP).unwrap();
        assert_eq!((found.export, found.completed), (None, Some(completed)));
    }
}
