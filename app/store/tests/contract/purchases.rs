//! Purchases: who sees them, and the guards around their units.

use crate::support::*;
use domain::{PurchaseId, order::NewPurchase};
use std::collections::HashSet;
use store::{page::Page, purchases::Taking, testing::Database};

store::on_each_database! {
    async fn a_purchase_is_found_only_with_a_proof_of_its_order(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 3, 1_000).await;
        let hidden = a_purchase(&database, ours, "1002", 3, 1_000).await;
        assert_eq!(look!(database, purchases::find, ours, &proof_of("1001"), purchase.id, ""), Some(purchase.clone()));
        assert_eq!(look!(database, purchases::find, ours, &proof_of("1001"), hidden.id, ""), None);
        assert_eq!(look!(database, purchases::find, ours, &credentials("1001", "eve@example.com"), purchase.id, ""), None);
        assert_eq!(look!(database, purchases::find, theirs, &proof_of("1001"), purchase.id, ""), None);
        assert_eq!(look!(database, purchases::find, ours, &proof_of("1001"), PurchaseId(id()), ""), None);
        assert_eq!(look!(database, purchases::list, theirs, &proof_of("1001"), FIRST_PAGE, "").rows, []);
        assert_eq!(look!(database, purchases::list, ours, &credentials("1001", "eve@example.com"), FIRST_PAGE, "").rows, []);
        assert_eq!(look!(database, purchases::list_of_order, ours, purchase.order.id), [purchase.clone()]);
        assert_eq!(look!(database, purchases::list_of_order, theirs, purchase.order.id), []);
    }

    async fn a_line_without_a_date_waits_for_the_rest_of_its_order(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let sent = NewPurchase { fulfilled_at: None, ..a_line("sent", 2, 100) };
        let dated = NewPurchase { position: 2, ..a_line("dated", 1, 100) };
        let rest = NewPurchase { position: 3, fulfilled: 0, fulfilled_at: None, ..a_line("rest", 1, 100) };
        let waiting = async |rest: NewPurchase| {
            import(&database, ours, vec![an_order("1001", vec![sent.clone(), dated.clone(), rest])]).await;
            let lines = look!(database, purchases::list, ours, &proof_of("1001"), FIRST_PAGE, "").rows;
            lines.into_iter().map(|line| line.is_undated_part).collect::<Vec<_>>()
        };
        // Another order does not matter.
        import(&database, ours, vec![an_order("1002", vec![NewPurchase { fulfilled: 0, ..a_line("other", 1, 100) }])]).await;
        assert_eq!(waiting(rest.clone()).await, [true, false, true]);
        for whole in [
            NewPurchase { fulfilled: 1, ..rest.clone() },
            NewPurchase { removed: 1, ..rest.clone() },
            NewPurchase { shop_refunded: 1, ..rest.clone() },
        ] {
            assert_eq!(waiting(whole).await, [false, false, false]);
        }
        // One of two units, of the line itself or of another line.
        let part = NewPurchase { quantity: 2, fulfilled: 1, ..rest };
        assert_eq!(waiting(part).await, [true, false, true]);
    }

    async fn purchases_are_paged_in_the_order_in_which_they_were_stored(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let ids: Vec<String> = (0..7).map(|number| format!("line {number}")).collect();
        let line = |(position, id): (u32, &String)| NewPurchase { position, ..a_line(id, 1, 100) };
        import(&database, ours, vec![an_order("1001", (1..).zip(&ids).map(line).collect())]).await;
        let (mut seen, mut sizes, mut after) = (Vec::new(), Vec::new(), None);
        loop {
            let page = look!(database, purchases::list, ours, &proof_of("1001"), Page::at(after, 3), "");
            sizes.push(page.rows.len());
            seen.extend(page.rows.into_iter().map(|purchase| purchase.external_id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!((seen, sizes), (ids, vec![3, 3, 1]));
    }

    async fn the_second_page_starts_after_the_very_first_row(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 1), a_line("b", 1, 1)])]).await;
        let first = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(1), "");
        assert_eq!((first.rows[0].external_id.as_str(), first.next), ("a", Some(2)));
        let rest = look!(database, purchases::list, ours, &proof_of("1001"), Page::at(first.next, 1), "");
        assert_eq!((rest.rows[0].external_id.as_str(), rest.next), ("b", None));
    }

    async fn a_page_that_is_just_full_is_the_last(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        import(&database, ours, vec![an_order("1001", vec![a_line("a", 1, 1), a_line("b", 1, 1)])]).await;
        let page = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(2), "");
        assert_eq!((page.rows.len(), page.next), (2, None));
    }

    async fn units_are_taken_up_to_the_last_and_no_further(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 3, 900).await.id;
        assert!(keep!(database, purchases::take, ours, id, units(2, 0), 0));
        assert!(!keep!(database, purchases::take, ours, id, units(2, 0), 0));
        assert_eq!(the_purchase(&database, ours, "1001").await.units.taken, 2);
        assert!(keep!(database, purchases::take, ours, id, units(1, 0), 0));
        assert!(!keep!(database, purchases::take, ours, id, units(1, 0), 0));
    }

    async fn units_are_taken_only_at_the_calculated_price(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 4, 1_002).await.id; // two units cost 251, two 250
        assert!(keep!(database, purchases::take, ours, id, units(1, 1), 0));
        assert!(!keep!(database, purchases::take, ours, id, units(1, 1), 0), "the first dear unit is taken already");
        assert!(keep!(database, purchases::take, ours, id, units(1, 1), 1));
        assert!(keep!(database, purchases::take, ours, id, units(2, 0), 2));
        let purchase = the_purchase(&database, ours, "1001").await;
        assert_eq!((purchase.units.taken, purchase.units.taken_remainder_units), (4, 2));
    }

    async fn units_of_several_purchases_are_taken_where_each_alone_could_be(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        // One unit each, except of `d`: two of its units cost 251, two 250. `f` was not sent.
        let mut lines: Vec<NewPurchase> = ["a", "b", "c", "d", "e", "f", "g"].map(|id| a_line(id, 1, 100)).into();
        (lines[3].quantity, lines[3].fulfilled, lines[3].total) = (4, 4, 1_002);
        lines[5].fulfilled = 0;
        import(&database, ours, vec![an_order("1001", lines)]).await;
        let other = a_purchase(&database, theirs, "1001", 1, 100).await.id;
        let listed = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(10), "").rows;
        let id = |at: usize| listed[at].id;
        assert!(keep!(database, purchases::take, ours, id(1), units(1, 0), 0));
        let taking = |purchase, taken, dear_before| Taking { purchase, taken, dear_before };
        let one = |at| taking(id(at), units(1, 0), 0);
        let mut takings = vec![one(0), one(1), one(2), taking(id(3), units(3, 2), 0), taking(id(4), units(1, 0), 1), one(5)];
        takings.extend([one(6), taking(other, units(1, 0), 0)]);
        takings.sort_by_key(|taking| taking.purchase);
        let taken = keep!(database, purchases::take_several, ours, &takings);
        assert_eq!(taken, HashSet::from([id(0), id(2), id(3), id(6)]));
        let after = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(10), "").rows;
        let after: Vec<(u32, u32)> =
            after.iter().map(|one| (one.units.taken, one.units.taken_remainder_units)).collect();
        assert_eq!(after, [(1, 0), (1, 0), (1, 0), (3, 2), (0, 0), (0, 0), (1, 0)]);
        assert_eq!(the_purchase(&database, theirs, "1001").await.units.taken, 0);
        let none = keep!(database, purchases::take_several, ours, &takings);
        assert!(none.is_empty(), "all are taken, at another price, not sent, or of another account: {none:?}");
    }

    async fn units_of_any_number_of_purchases_are_taken(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let lines = (1..=103).map(|line| a_line(&format!("line {line}"), 2, 200)).collect();
        import(&database, ours, vec![an_order("1001", lines)]).await;
        let listed = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(200), "").rows;
        let takings: Vec<Taking> =
            listed.iter().map(|one| Taking { purchase: one.id, taken: units(2, 0), dear_before: 0 }).collect();
        let (first, rest) = takings.split_at(100);
        for some in [first, rest, &[]] {
            let expected = some.iter().map(|taking| taking.purchase).collect();
            assert_eq!(keep!(database, purchases::take_several, ours, some), expected);
        }
        let after = look!(database, purchases::list, ours, &proof_of("1001"), Page::first(200), "").rows;
        assert!(after.len() == 103 && after.iter().all(|one| one.units.taken == 2));
    }

    async fn what_the_shop_refunds_on_its_own_counts_the_same_for_one_purchase_and_for_several(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let line = |id| NewPurchase { shop_refunded: 2, ..a_line(id, 5, 500) };
        import(&database, ours, vec![an_order("1001", vec![line("a"), line("b"), line("c")])]).await;
        let lines = || async { look!(database, purchases::list, ours, &proof_of("1001"), Page::first(10), "").rows };
        let listed = lines().await;
        assert!(keep!(database, purchases::take, ours, listed[0].id, units(2, 0), 0));
        for (taken, expected) in [(4, 0), (2, 2)] {
            let takings = [1, 2].map(|at: usize| Taking { purchase: listed[at].id, taken: units(taken, 0), dear_before: 0 });
            assert_eq!(keep!(database, purchases::take_several, ours, &takings).len(), expected);
        }
        let after = lines().await;
        assert!(after.iter().all(|one| one.units == after[0].units), "{after:?}");
        assert_eq!(after[0].units.returnable(), 1);
        for one in &after {
            keep!(database, purchases::settle, ours, one.id, 2);
        }
        assert!(lines().await.iter().all(|one| one.units.returnable() == 1), "the shop's two are not ours");
    }

    async fn units_that_were_not_sent_cannot_be_taken(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let line = NewPurchase { fulfilled: 1, ..a_line("a", 3, 900) };
        import(&database, ours, vec![an_order("1001", vec![line])]).await;
        let id = the_purchase(&database, ours, "1001").await.id;
        assert!(!keep!(database, purchases::take, ours, id, units(2, 0), 0));
        assert!(keep!(database, purchases::take, ours, id, units(1, 0), 0));
    }

    async fn units_that_the_shop_has_refunded_cannot_be_taken(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let line = NewPurchase { shop_refunded: 2, ..a_line("a", 5, 500) };
        import(&database, ours, vec![an_order("1001", vec![line])]).await;
        let id = the_purchase(&database, ours, "1001").await.id;
        assert!(!keep!(database, purchases::take, ours, id, units(4, 0), 0));
        assert!(keep!(database, purchases::take, ours, id, units(3, 0), 0));
        // The shop refunded its two before ours were taken: settling ours frees nothing.
        keep!(database, purchases::settle, ours, id, 2);
        assert_eq!(the_purchase(&database, ours, "1001").await.units.returnable(), 0);
        assert!(!keep!(database, purchases::take, ours, id, units(1, 0), 0));
    }

    async fn units_that_were_given_back_can_be_taken_again(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 2, 101).await.id;
        assert!(keep!(database, purchases::take, ours, id, units(2, 1), 0));
        keep!(database, purchases::give_back, ours, id, units(1, 1));
        let after = the_purchase(&database, ours, "1001").await.units;
        assert_eq!((after.taken, after.taken_remainder_units), (1, 0));
        assert!(keep!(database, purchases::take, ours, id, units(1, 1), 0));
    }

    async fn no_more_units_are_given_back_or_settled_than_were_taken(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 3, 302).await.id;
        assert!(keep!(database, purchases::take, ours, id, units(2, 2), 0));
        assert!(try_keep!(database, purchases::give_back, ours, id, units(3, 2)).is_err());
        assert!(try_keep!(database, purchases::give_back, ours, id, units(2, 0)).is_err(), "dear units without units");
        assert!(try_keep!(database, purchases::settle, ours, id, 3).is_err());
        keep!(database, purchases::settle, ours, id, 2);
        assert!(try_keep!(database, purchases::give_back, ours, id, units(1, 1)).is_err(), "settled units stay taken");
        let after = the_purchase(&database, ours, "1001").await.units;
        assert_eq!((after.taken, after.taken_remainder_units, after.settled), (2, 2, 2));
    }

    async fn another_account_cannot_move_units(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 3, 301).await;
        assert!(!keep!(database, purchases::take, theirs, purchase.id, units(1, 0), 0));
        assert!(keep!(database, purchases::take, ours, purchase.id, units(2, 1), 0));
        keep!(database, purchases::give_back, theirs, purchase.id, units(1, 1));
        keep!(database, purchases::settle, theirs, purchase.id, 1);
        let after = the_purchase(&database, ours, "1001").await.units;
        assert_eq!((after.taken, after.taken_remainder_units, after.settled), (2, 1, 0));
    }

    async fn the_shipping_of_an_order_is_promised_at_most_once(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await; // 495 were paid for sending it
        let order = purchase.order.id;
        assert_eq!(purchase.order.shipping_left, 495);
        assert!(!keep!(database, orders::promise_shipping, theirs, order, 1));
        assert!(!keep!(database, orders::promise_shipping, ours, order, 496));
        assert!(keep!(database, orders::promise_shipping, ours, order, 0));
        assert!(keep!(database, orders::promise_shipping, ours, order, 400));
        assert!(!keep!(database, orders::promise_shipping, ours, order, 96));
        assert_eq!(the_purchase(&database, ours, "1001").await.order.shipping_left, 95);
        keep!(database, orders::take_promise_back, theirs, purchase.id, 400);
        assert_eq!(the_purchase(&database, ours, "1001").await.order.shipping_left, 95);
        keep!(database, orders::take_promise_back, ours, purchase.id, 400);
        assert!(try_keep!(database, orders::take_promise_back, ours, purchase.id, 1).is_err(), "nothing is promised");
        assert!(keep!(database, orders::promise_shipping, ours, order, 495));
        // A repeated report of the shop does not make it refundable again.
        import(&database, ours, vec![an_order("1001", vec![a_line("1001/1", 2, 200)])]).await;
        assert!(!keep!(database, orders::promise_shipping, ours, order, 1));
    }

    async fn the_return_that_completes_an_order_gets_the_rest_of_its_shipping(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let lines = vec![a_line("1001/1", 2, 200), a_line("1001/2", 1, 100)];
        import(&database, ours, vec![an_order("1001", lines)]).await;
        let first = the_purchase(&database, ours, "1001").await;
        let lines = look!(database, purchases::list_of_order, ours, first.order.id);
        let ids: Vec<_> = lines.iter().map(|line| line.id).collect();
        assert!(keep!(database, orders::promise_shipping, ours, first.order.id, 400));
        assert!(keep!(database, purchases::take, ours, ids[0], units(2, 0), 0));
        assert!(keep!(database, purchases::accept, ours, ids[0], 2));
        assert_eq!(keep!(database, orders::claim_shipping, ours, ids[0]), None, "a line is missing");
        assert!(keep!(database, purchases::take, ours, ids[1], units(1, 0), 0));
        assert_eq!(keep!(database, orders::claim_shipping, ours, ids[0]), None, "it is not accepted yet");
        assert!(!keep!(database, purchases::accept, theirs, ids[1], 1));
        assert!(keep!(database, purchases::accept, ours, ids[1], 1));
        assert_eq!(keep!(database, orders::claim_shipping, ours, ids[1]), Some(95), "the other part was promised before");
        assert_eq!(keep!(database, orders::claim_shipping, ours, ids[1]), Some(0));
    }

    async fn units_that_the_shop_has_refunded_cannot_be_accepted(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 3, 300).await.id;
        assert!(keep!(database, purchases::accept, ours, id, 1));
        let mut line = a_line("1001/1", 3, 300);
        line.shop_refunded = 2; // our unit and one more
        import(&database, ours, vec![an_order("1001", vec![line])]).await;
        assert!(!keep!(database, purchases::accept, ours, id, 2), "one of them was refunded already");
        assert!(keep!(database, purchases::accept, ours, id, 1));
    }

    async fn of_many_concurrent_returns_one_gets_the_last_unit(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let id = a_purchase(&database, ours, "1001", 5, 500).await.id;
        assert!(keep!(database, purchases::take, ours, id, units(4, 0), 0));
        let tasks: Vec<_> = (0..32)
            .map(|_| {
                let database = database.clone();
                tokio::spawn(async move { keep!(database, purchases::take, ours, id, units(1, 0), 0) })
            })
            .collect();
        let mut taken = 0;
        for task in tasks {
            taken += u32::from(task.await.unwrap());
        }
        assert_eq!((taken, the_purchase(&database, ours, "1001").await.units.taken), (1, 5));
    }

    async fn the_merchant_finds_every_purchase_with_its_order_by_either_id(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 3, 1_000).await;
        let found = look!(database, purchases::find_whole, ours, purchase.id).unwrap();
        assert_eq!(found.purchase, purchase);
        assert_eq!((found.order_external_id.as_str(), found.email.as_str()), ("1001", "Ada@Example.com"));
        assert_eq!((found.address.clone(), found.shipping_paid), (an_address(), 495));
        assert_eq!(look!(database, purchases::find_by_external_id, ours, "1001/1"), Some(found));
        assert_eq!(look!(database, purchases::find_by_external_id, ours, "1001"), None);
        assert_eq!(look!(database, purchases::find_by_external_id, theirs, "1001/1"), None);
        assert_eq!(look!(database, purchases::find_whole, theirs, purchase.id), None);
    }

    async fn the_merchant_lists_purchases_by_order_id_and_search(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let lines = vec![a_line("1001/1", 1, 100), NewPurchase { position: 2, ..a_line("1001/2", 1, 100) }];
        import(&database, ours, vec![an_order("1001", lines)]).await;
        a_purchase(&database, ours, "1002", 1, 100).await;
        a_purchase(&database, theirs, "1001", 1, 100).await;
        let ids = async |listing: &store::lists::Listing| {
            let rows = look!(database, purchases::list_all, ours, listing).rows;
            rows.into_iter().map(|bought| bought.purchase.external_id).collect::<Vec<_>>()
        };
        let all = ["1002/1", "1001/2", "1001/1"];
        assert_eq!(ids(&newest(None, 10)).await, all);
        let order = the_purchase(&database, ours, "1001").await.order.id;
        let list = &store::purchases::LIST;
        for (clause, wanted) in [
            ("orderNumber: # 1001".to_owned(), &all[1..]),
            ("orderNumber:100".to_owned(), &[]),
            ("orderNumber:".to_owned(), &[]),
            (format!("orderId:{order}"), &all[1..]),
            ("externalId:1001/1".to_owned(), &all[2..]),
            ("externalId:1001".to_owned(), &[]),
        ] {
            assert_eq!(ids(&asking(list, &[&clause])).await, wanted, "{clause}");
        }
        assert_eq!(ids(&asking(list, &["orderNumber:1001", "externalId:1001/2"])).await, ["1001/2"]);
        for (words, wanted) in [("#1002", &all[..1]), ("100", &all), ("ada@", &all), ("Love", &all), ("eve", &[])] {
            let listing = store::lists::Listing { search: Some(words.to_owned()), ..newest(None, 10) };
            assert_eq!(ids(&listing).await, wanted, "{words}");
        }
        let page = look!(database, purchases::list_all, ours, &newest(None, 2));
        assert_eq!(ids(&newest(page.next, 2)).await, all[2..]);
        let numbered = store::lists::Listing { page: Page::first(1), ..asking(list, &["orderNumber:1001"]) };
        let page = look!(database, purchases::list_all, ours, &numbered);
        let rest = store::lists::Listing { page: Page::at(page.next, 1), ..numbered };
        assert_eq!(ids(&rest).await, all[2..]);
    }

    async fn the_last_position_is_found_by_the_shops_id_of_the_order(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let lines = vec![a_line("a", 1, 100), NewPurchase { position: 7, ..a_line("b", 1, 100) }];
        import(&database, ours, vec![an_order("1001", lines)]).await;
        assert_eq!(look!(database, purchases::last_position, ours, "1001"), 7);
        assert_eq!(look!(database, purchases::last_position, ours, "1002"), 0);
        assert_eq!(look!(database, purchases::last_position, theirs, "1001"), 0);
    }

    async fn only_purchases_without_returns_are_deleted_and_the_order_with_its_last_line(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let lines = vec![a_line("a", 1, 100), NewPurchase { position: 2, ..a_line("b", 1, 100) }];
        import(&database, ours, vec![an_order("1001", lines)]).await;
        let first = the_purchase(&database, ours, "1001").await;
        let second = look!(database, purchases::find_by_external_id, ours, "b").unwrap().purchase;
        assert!(!keep!(database, purchases::delete_unreturned, theirs, first.id));
        assert!(keep!(database, purchases::take, ours, first.id, units(1, 0), 0));
        assert!(!keep!(database, purchases::delete_unreturned, ours, first.id), "units of it are taken");
        keep!(database, purchases::give_back, ours, first.id, units(1, 0));
        let order = kept_return_order(&database, ours, "R-1").await;
        let request = a_return_request(&order, &second);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        assert!(!keep!(database, purchases::delete_unreturned, ours, second.id), "it was in a return");
        assert!(keep!(database, purchases::delete_unreturned, ours, first.id));
        keep!(database, orders::delete_empty, ours, first.order.id);
        assert_eq!(database.rows("orders").await, 1, "the other line still exists");

        let alone = a_purchase(&database, ours, "1002", 1, 100).await;
        assert!(keep!(database, purchases::delete_unreturned, ours, alone.id));
        keep!(database, orders::delete_empty, theirs, alone.order.id);
        assert_eq!(database.rows("orders").await, 2);
        keep!(database, orders::delete_empty, ours, alone.order.id);
        assert_eq!((database.rows("orders").await, database.rows("purchases").await), (1, 1));
    }
}
