//! What follows from a shop's notices: orders to read again, the reading of all changes, and requests about people.

use crate::support::*;
use domain::{AccountId, OrderId, Timestamp};
use store::{
    import::OrderSource,
    order_refreshes::OrderRefresh,
    privacy_requests::{PrivacyRequest, PrivacyWork},
    shop_orders::KnownOfShop,
    shop_reconciliations::ShopReconciliation,
    testing::Database,
};

const SHOP: &str = "shopify https://x.myshopify.com/";

macro_rules! claimed {
    ($database:expr, $table:ident, $at:expr) => {{
        let shares: Vec<_> =
            look!($database, $table::waiting, $at, EVERYBODY).into_iter().map(|account| (account, 8)).collect();
        keep!($database, $table::claim, $at, $at.plus_seconds(30), (&shares, 10))
    }};
}

async fn refreshes(database: &Database, at: Timestamp) -> Vec<OrderRefresh> {
    claimed!(database, order_refreshes, at)
}

async fn readings(database: &Database, at: Timestamp) -> Vec<ShopReconciliation> {
    claimed!(database, shop_reconciliations, at)
}

async fn requests(database: &Database, at: Timestamp) -> Vec<PrivacyRequest> {
    claimed!(database, privacy_requests, at)
}

fn a_request(account: AccountId, work: PrivacyWork) -> PrivacyRequest {
    PrivacyRequest {
        account_id: account,
        id: id(),
        shop: SHOP.to_owned(),
        work,
        email: "ada@example.com".to_owned(),
        orders: vec!["gid://shopify/Order/1".to_owned(), "gid://shopify/Order/2".to_owned()],
        reference: "77".to_owned(),
        last_order: None,
        tries: 0,
        created_at: NOW,
        held_until: Timestamp::from_micros(0),
    }
}

async fn from_shop(database: &Database, account: AccountId, number: &str, asked_at: Timestamp) -> OrderId {
    let order = incoming(an_order(number, vec![a_line(&format!("line {number}"), 1, 1_000)]));
    let source = OrderSource { shop: SHOP, asked_at };
    let id = order.id;
    assert_eq!(keep!(database, import::upsert, account, source, &[order]).refused, []);
    id
}

store::on_each_database! {
    async fn many_changes_of_an_order_are_one_refresh(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (one, due) = (OrderId(id()), NOW.plus_seconds(5));
        for seconds in 0..3 {
            keep!(database, order_refreshes::insert, ours, one, due.plus_seconds(seconds), NOW);
        }
        keep!(database, order_refreshes::insert, theirs, one, due.plus_seconds(1), NOW);
        assert!(refreshes(&database, NOW).await.is_empty());
        let first = refreshes(&database, due).await;
        assert_eq!(first.iter().map(|one| (one.account_id, one.order_id)).collect::<Vec<_>>(), [(ours, one)]);
        assert_eq!(look!(database, order_refreshes::backlog, due), (1, Some(due)));
        assert!(refreshes(&database, due).await.is_empty(), "it is leased");
        assert!(keep!(database, order_refreshes::delete, &first[0]));
        assert_eq!(refreshes(&database, due.plus_seconds(1)).await[0].account_id, theirs);
        // The lease of an instance that died ends.
        assert_eq!(refreshes(&database, due.plus_seconds(31)).await.len(), 1);
    }

    async fn a_change_during_a_refresh_leads_to_another(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let one = OrderId(id());
        keep!(database, order_refreshes::insert, ours, one, NOW, NOW);
        let refresh = refreshes(&database, NOW).await.remove(0);
        keep!(database, order_refreshes::insert, ours, one, NOW.plus_seconds(60), NOW);
        assert!(!keep!(database, order_refreshes::delete, &refresh));
        keep!(database, order_refreshes::later, &refresh, NOW.plus_days(1), 4, NOW.plus_seconds(5));
        let again = refreshes(&database, NOW.plus_seconds(5)).await.remove(0);
        assert_eq!(again.tries, 0);
        keep!(database, order_refreshes::later, &again, NOW.plus_seconds(100), 1, NOW);
        keep!(database, order_refreshes::later, &refresh, NOW, 0, NOW); // its lease has ended
        keep!(database, order_refreshes::insert, ours, one, NOW, NOW);
        assert!(refreshes(&database, NOW.plus_seconds(99)).await.is_empty(), "a change does not advance a failing shop");
        assert_eq!(refreshes(&database, NOW.plus_seconds(100)).await[0].tries, 1);
    }

    async fn an_account_refreshes_two_orders_at_a_time(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        for _ in 0..5 {
            keep!(database, order_refreshes::insert, ours, OrderId(id()), NOW, NOW);
        }
        let first = refreshes(&database, NOW).await;
        assert_eq!(first.len(), 2);
        keep!(database, order_refreshes::insert, theirs, OrderId(id()), NOW, NOW);
        assert_eq!(refreshes(&database, NOW).await.iter().map(|one| one.account_id).collect::<Vec<_>>(), [theirs]);
        assert!(keep!(database, order_refreshes::delete, &first[0]));
        assert!(refreshes(&database, NOW).await.is_empty(), "the second one is still read");
        assert!(keep!(database, order_refreshes::delete, &first[1]));
        assert_eq!(refreshes(&database, NOW).await.len(), 2);
    }

    async fn a_reading_of_changes_goes_on_where_it_ended(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        keep!(database, shop_reconciliations::insert, ours, SHOP, NOW.plus_seconds(-900), NOW);
        keep!(database, shop_reconciliations::wake, theirs, NOW); // it has no such shop
        let mut one = readings(&database, NOW).await.remove(0);
        assert_eq!((one.account_id, one.shop.as_str(), one.changes_read_through, one.begun_at), (ours, SHOP, NOW.plus_seconds(-900), None));
        one.begun_at = Some(NOW);
        one.list_cursor = "abc".to_owned();
        assert!(keep!(database, shop_reconciliations::progress, &one));
        // The instance dies, and another one goes on.
        let mut other = readings(&database, NOW.plus_seconds(30)).await.remove(0);
        assert_eq!((other.begun_at, other.list_cursor.as_str()), (Some(NOW), "abc"));
        assert!(!keep!(database, shop_reconciliations::progress, &one));
        other.changes_read_through = NOW;
        (other.begun_at, other.list_cursor) = (None, String::new());
        keep!(database, shop_reconciliations::later, &other, NOW.plus_days(1));
        assert!(readings(&database, NOW.plus_seconds(86_399)).await.is_empty());
        // The same shop with another secret: at once, from where it was. Another shop: anew.
        keep!(database, shop_reconciliations::insert, ours, SHOP, NOW.plus_seconds(-5), NOW.plus_seconds(40));
        let mut again = readings(&database, NOW.plus_seconds(40)).await.remove(0);
        assert_eq!(again.changes_read_through, NOW);
        keep!(database, shop_reconciliations::insert, ours, "shopify https://y.myshopify.com/", NOW.plus_seconds(-5), NOW.plus_seconds(41));
        again.begun_at = Some(NOW);
        assert!(!keep!(database, shop_reconciliations::progress, &again));
        keep!(database, shop_reconciliations::later, &again, NOW.plus_days(3));
        let anew = readings(&database, NOW.plus_seconds(42)).await.remove(0);
        assert_eq!((anew.changes_read_through, anew.begun_at), (NOW.plus_seconds(-5), None));
        keep!(database, shop_reconciliations::later, &anew, NOW.plus_days(3));
        keep!(database, shop_reconciliations::wake, ours, NOW.plus_seconds(60));
        assert_eq!(readings(&database, NOW.plus_seconds(60)).await.len(), 1);
        keep!(database, shop_reconciliations::delete, ours);
        assert!(readings(&database, NOW.plus_days(9)).await.is_empty());
    }

    async fn a_request_about_a_person_is_done_once_in_steps(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let request = a_request(ours, PrivacyWork::EraseCustomer);
        assert!(keep!(database, privacy_requests::insert, &request));
        assert!(!keep!(database, privacy_requests::insert, &request));
        let mut claimed = requests(&database, NOW).await;
        let mut one = claimed.remove(0);
        assert!(claimed.is_empty());
        assert_eq!(one, PrivacyRequest { held_until: one.held_until, ..request.clone() });
        assert!(!format!("{one:?}").contains("ada@"), "{one:?}");
        one.email.clear();
        one.orders.remove(0);
        one.last_order = Some(OrderId(id()));
        keep!(database, privacy_requests::later, &one, NOW.plus_seconds(1));
        let rest = requests(&database, NOW.plus_seconds(1)).await.remove(0);
        assert_eq!(rest, PrivacyRequest { held_until: rest.held_until, ..one.clone() });
        assert!(!keep!(database, privacy_requests::delete, &one), "its lease has ended");
        assert!(keep!(database, privacy_requests::delete, &rest));
        for work in [PrivacyWork::EraseShop, PrivacyWork::Export] {
            assert!(keep!(database, privacy_requests::insert, &a_request(ours, work)));
            assert_eq!(requests(&database, NOW).await[0].work, work);
        }
    }

    async fn orders_are_found_by_their_shop(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut stored = [from_shop(&database, ours, "1", NOW).await, from_shop(&database, ours, "2", NOW).await];
        from_shop(&database, theirs, "1", NOW).await;
        import(&database, ours, vec![an_order("3", vec![a_line("line 3", 1, 100)])]).await;
        let known = look!(database, shop_orders::list_known, ours, SHOP, &["2", "3", "9"]);
        assert_eq!(known, [KnownOfShop { id: stored[1], external_id: "2".to_owned(), asked_at: NOW }]);
        assert!(look!(database, shop_orders::list_known, ours, "shopify other", &["2"]).is_empty());
        assert!(look!(database, shop_orders::list_known, ours, SHOP, &[]).is_empty());
        stored.sort_unstable_by_key(|order| order.0);
        let ids = |rows: Vec<(OrderId, String)>| rows.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(ids(look!(database, shop_orders::list_after, ours, SHOP, None, 1)), [stored[0]]);
        assert_eq!(ids(look!(database, shop_orders::list_after, ours, SHOP, Some(stored[0]), 9)), [stored[1]]);
        assert!(look!(database, shop_orders::list_after, ours, SHOP, Some(stored[1]), 9).is_empty());
        assert!(look!(database, shop_orders::consumers_of, ours, stored[0]).is_empty());
        let emptied = keep!(database, erasures::scrub_order, ours, stored[0]);
        assert_eq!(emptied.len(), 1);
        assert_eq!(look!(database, orders::find, ours, stored[0]).unwrap().email, "");
        assert!(keep!(database, erasures::scrub_order, theirs, stored[0]).is_empty());
    }
}
