//! Returns that shops show: how workers claim their comparisons, and changes during a lease.

use crate::support::*;
use domain::{AccountId, OrderId, ReturnOrderId, Timestamp};
use store::{
    shop_returns::{Compared, NewShopReturn, ShopReturn},
    testing::Database,
};

async fn shown(database: &Database, account: AccountId) -> (ReturnOrderId, OrderId) {
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    let new =
        NewShopReturn { id: id(), return_order_id: order.id, order_id: OrderId(id()), shop: "shopify https://x/" };
    for _ in 0..2 {
        keep!(database, shop_returns::insert, account, &new, NOW);
    }
    (order.id, new.order_id)
}

async fn claimed(database: &Database, at: Timestamp) -> Vec<ShopReturn> {
    let shares: Vec<_> =
        look!(database, shop_returns::waiting, at, EVERYBODY).into_iter().map(|account| (account, 4)).collect();
    keep!(database, shop_returns::claim, at, at.plus_seconds(60), (&shares, 10))
}

/// Says that a return order has changed.
async fn change(database: &Database, account: AccountId, order: ReturnOrderId, at: Timestamp) {
    let mut writing = database.store.write().await.unwrap();
    writing.compare_with_shop(account, order, at);
    writing.commit().await.unwrap();
}

fn compared(due_at: Timestamp) -> Compared<'static> {
    let external_id = Some("gid://shopify/Return/1");
    Compared { due_at, tries: 0, error: "", external_id, begun_at: None, refused: &[] }
}

store::on_each_database! {
    async fn each_comparison_is_claimed_once_and_belongs_to_its_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (one, other) = (shown(&database, ours).await, shown(&database, theirs).await);
        assert_eq!(look!(database, shop_returns::backlog, NOW), (2, Some(NOW)));
        assert_eq!(look!(database, shop_returns::backlog, NOW.plus_seconds(-1)), (0, None));
        let first = claimed(&database, NOW).await;
        let mut orders: Vec<_> = first.iter().map(|one| (one.account_id, one.return_order_id, one.order_id)).collect();
        orders.sort_by_key(|(account, ..)| *account != ours);
        assert_eq!(orders, [(ours, one.0, one.1), (theirs, other.0, other.1)]);
        assert!(claimed(&database, NOW).await.is_empty(), "both are leased");
        assert_eq!(look!(database, shop_returns::find, theirs, one.0, one.1), None);
        let found = look!(database, shop_returns::find, ours, one.0, one.1).unwrap();
        assert_eq!((found.shop.as_str(), &found.external_id, found.is_over), ("shopify https://x/", &None, false));
        assert_eq!(claimed(&database, NOW.plus_seconds(60)).await.len(), 2, "the leases have ended");
    }

    async fn only_the_holder_of_the_lease_writes(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (order, sales_order) = shown(&database, ours).await;
        let late = claimed(&database, NOW).await.remove(0);
        let one = claimed(&database, NOW.plus_seconds(60)).await.remove(0);
        assert!(!keep!(database, shop_returns::begin, &late, NOW.plus_seconds(61)));
        assert!(!keep!(database, shop_returns::conclude, &late, &compared(NOW), NOW));
        assert!(!keep!(database, shop_returns::end, &late, "", None));
        assert!(keep!(database, shop_returns::begin, &one, NOW.plus_seconds(61)));
        // The holder dies.
        let next = claimed(&database, NOW.plus_seconds(120)).await.remove(0);
        assert_eq!((next.begun_at, next.tries), (Some(NOW.plus_seconds(61)), 0));
        let refused = ["parcel T-1".to_owned()];
        let failed = Compared {
            tries: 1, error: "Shopify did not answer", external_id: None, begun_at: next.begun_at, refused: &refused, ..compared(NOW.plus_days(1))
        };
        assert!(keep!(database, shop_returns::conclude, &next, &failed, NOW.plus_seconds(121)));
        change(&database, ours, order, NOW.plus_seconds(122)).await;
        assert!(claimed(&database, NOW.plus_seconds(122)).await.is_empty(), "one that fails keeps its pause");
        let next = claimed(&database, NOW.plus_days(1)).await.remove(0);
        assert_eq!((next.tries, next.error.as_str(), next.begun_at), (1, "Shopify did not answer", Some(NOW.plus_seconds(61))));
        keep!(database, shop_returns::try_again, ours, order, OrderId(order.0));
        let kept = look!(database, shop_returns::find, ours, order, sales_order).unwrap();
        assert_eq!((kept.tries, kept.refused.len()), (1, 1), "another sales order");
        keep!(database, shop_returns::try_again, ours, order, sales_order);
        let again = look!(database, shop_returns::find, ours, order, sales_order).unwrap();
        assert_eq!((again.tries, again.refused.len(), again.begun_at), (0, 0, next.begun_at));
        assert!(keep!(database, shop_returns::end, &next, "declined", Some("gid://shopify/Return/1")));
        change(&database, ours, order, NOW.plus_days(2)).await;
        assert!(claimed(&database, NOW.plus_days(3)).await.is_empty());
        let found = look!(database, shop_returns::find, ours, order, sales_order).unwrap();
        assert_eq!((found.is_over, found.external_id.as_deref(), found.error.as_str()), (true, Some("gid://shopify/Return/1"), "declined"));
        assert!(found.refused.is_empty());
        keep!(database, shop_returns::forget, ours, order);
        let found = look!(database, shop_returns::find, ours, order, sales_order).unwrap();
        assert!(found.error.is_empty() && found.refused.is_empty());
    }

    async fn what_staff_have_tried_again_during_a_lease_is_tried_again(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let (order, sales_order) = shown(&database, ours).await;
        let one = claimed(&database, NOW).await.remove(0);
        let refused = ["parcel T-1".to_owned()];
        let without = Compared { refused: &refused, ..compared(NOW) };
        assert!(keep!(database, shop_returns::conclude, &one, &without, NOW));
        let one = claimed(&database, NOW).await.remove(0);
        assert_eq!(one.refused, refused);
        keep!(database, shop_returns::try_again, ours, order, sales_order);
        change(&database, ours, order, NOW.plus_seconds(1)).await;
        assert!(keep!(database, shop_returns::conclude, &one, &without, NOW.plus_seconds(2)));
        assert!(claimed(&database, NOW.plus_seconds(2)).await.remove(0).refused.is_empty());
    }

    async fn a_change_during_a_lease_is_not_lost(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (order, sales_order) = shown(&database, ours).await;
        let one = claimed(&database, NOW).await.remove(0);
        change(&database, ours, order, NOW.plus_seconds(1)).await;
        assert!(keep!(database, shop_returns::conclude, &one, &compared(NOW.plus_days(1)), NOW.plus_seconds(2)));
        let one = claimed(&database, NOW.plus_seconds(2)).await.remove(0);
        assert_eq!(one.external_id.as_deref(), Some("gid://shopify/Return/1"));
        assert!(keep!(database, shop_returns::conclude, &one, &compared(NOW.plus_days(1)), NOW.plus_seconds(3)));
        change(&database, theirs, order, NOW.plus_seconds(4)).await;
        assert!(claimed(&database, NOW.plus_seconds(4)).await.is_empty(), "another account's change");
        change(&database, ours, order, NOW.plus_seconds(5)).await;
        let one = claimed(&database, NOW.plus_seconds(5)).await.remove(0);
        assert!(keep!(database, shop_returns::conclude, &one, &compared(NOW.plus_days(1)), NOW.plus_seconds(5)));
        keep!(database, shop_returns::wake_of_order, theirs, sales_order, NOW.plus_seconds(6));
        assert!(claimed(&database, NOW.plus_seconds(6)).await.is_empty(), "a notice of another account");
        keep!(database, shop_returns::wake_of_order, ours, sales_order, NOW.plus_seconds(7));
        assert!(claimed(&database, NOW.plus_seconds(6)).await.is_empty());
        let one = claimed(&database, NOW.plus_seconds(7)).await.remove(0);
        keep!(database, shop_returns::wake_of_order, ours, sales_order, NOW.plus_seconds(8));
        assert!(keep!(database, shop_returns::conclude, &one, &compared(NOW.plus_days(1)), NOW.plus_seconds(9)));
        assert_eq!(claimed(&database, NOW.plus_seconds(9)).await.len(), 1, "a notice during a lease");
    }
}
