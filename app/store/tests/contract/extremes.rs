//! The largest, smallest and most unusual values.

use crate::support::*;
use domain::{Timestamp, order::NewPurchase};
use store::testing::Database;

const MOMENTS: [i64; 6] = [i64::MIN, -1, 0, 1, 1_772_366_400_123_456, i64::MAX];

store::on_each_database! {
    async fn moments_are_stored_to_the_microsecond(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        for micros in MOMENTS {
            let at = Timestamp::from_micros(micros);
            let mut order = a_return_order(consumer, &format!("R{micros}"));
            (order.created_at, order.updated_at) = (at, at);
            assert!(keep!(database, return_orders::insert, ours, &order));
            assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order));
            let line = NewPurchase { fulfilled_at: Some(at), ..a_line(&format!("{micros}"), 1, 1) };
            let mut order = an_order(&format!("{micros}"), vec![line]);
            order.ordered_at = at;
            import(&database, ours, vec![order]).await;
            let kept = the_purchase(&database, ours, &format!("{micros}")).await;
            assert_eq!((kept.fulfilled_at, kept.order.ordered_at), (Some(at), at));
        }
    }

    async fn amounts_and_quantities_are_stored_exactly(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        for (number, total) in [("1", 0), ("2", 1), ("3", i64::MAX)] {
            let line = NewPurchase { tax: total, discount: total, ..a_line(number, u32::MAX, total) };
            import(&database, ours, vec![an_order(number, vec![line])]).await;
            let kept = the_purchase(&database, ours, number).await;
            assert_eq!((kept.units.total, kept.tax, kept.discount, kept.units.bought), (total, total, total, u32::MAX));
            let order = kept_return_order(&database, ours, &format!("R-{number}")).await;
            let mut request = a_return_request(&order, &kept);
            (request.purchase_price.minor, request.quantity) = (total, u32::MAX);
            keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
            assert_eq!(look!(database, return_requests::find, ours, request.id), Some(request));
        }
        let all = u32::MAX;
        let purchase = the_purchase(&database, ours, "1").await;
        assert!(keep!(database, purchases::take, ours, purchase.id, units(all, 0), 0));
        assert!(!keep!(database, purchases::take, ours, purchase.id, units(1, 0), 0));
        keep!(database, purchases::settle, ours, purchase.id, all);
    }

    async fn texts_are_stored_unchanged(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let odd = "'; DROP TABLE orders; -- \" \\ \u{202e}\u{1f9e6}\r\n\t%_".to_owned();
        let mut order = a_return_order(kept_consumer(&database, ours).await.id, &odd);
        order.order_numbers = vec![odd.clone(), String::new()];
        assert!(keep!(database, return_orders::insert, ours, &order));
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order));
    }

    async fn the_largest_and_the_smallest_page_work_at_any_cursor(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        for after in [None, Some(i64::MAX)] {
            for limit in [1, store::page::MAX_LIMIT] {
                assert_eq!(look!(database, return_orders::list, ours, &newest(after, limit)).rows, [order.clone()]);
            }
        }
        for after in [i64::MIN, -1, 0, 1] {
            assert_eq!(look!(database, return_orders::list, ours, &newest(Some(after), 1)).rows, []);
        }
    }
}
