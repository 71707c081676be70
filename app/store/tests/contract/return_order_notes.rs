//! Notes about return orders, and visits to them.

use crate::support::*;
use domain::{NoteId, ReturnOrderId, UserId, returning::ReturnOrderStatus};
use store::{queues, return_order_notes::Note, return_order_visits::Visit, testing::Database};

fn a_note(order: ReturnOrderId, text: &str) -> Note {
    Note {
        id: NoteId(id()),
        return_order_id: order,
        author_id: Some(id()),
        text: text.to_owned(),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

store::on_each_database! {
    async fn notes_are_listed_oldest_first_for_their_account_alone(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await.id;
        let (first, second) = (a_note(order, "First"), Note { author_id: None, ..a_note(order, "Second\nline") });
        keep!(database, return_order_notes::insert, ours, &first);
        keep!(database, return_order_notes::insert, ours, &second);
        assert_eq!(look!(database, return_order_notes::list_of_return_order, ours, order), [first.clone(), second.clone()]);
        assert_eq!(look!(database, return_order_notes::count_of_return_order, ours, order), 2);
        assert_eq!(look!(database, return_order_notes::find, ours, second.id), Some(second));
        assert_eq!(look!(database, return_order_notes::list_of_return_order, theirs, order), []);
        assert_eq!(look!(database, return_order_notes::count_of_return_order, theirs, order), 0);
        assert_eq!(look!(database, return_order_notes::find, theirs, first.id), None);
    }

    async fn a_change_of_a_note_needs_the_latest_version(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await.id;
        let mut note = a_note(order, "First");
        keep!(database, return_order_notes::insert, ours, &note);
        (note.text, note.updated_at) = ("Changed".to_owned(), NOW.plus_seconds(5));
        assert!(!keep!(database, return_order_notes::update, theirs, &note));
        assert!(keep!(database, return_order_notes::update, ours, &note));
        assert!(!keep!(database, return_order_notes::update, ours, &note), "the stored version is 2");
        note.version = 2;
        assert_eq!(look!(database, return_order_notes::find, ours, note.id), Some(note.clone()));
        keep!(database, return_order_notes::scrub, theirs, order);
        assert_eq!(look!(database, return_order_notes::find, ours, note.id), Some(note.clone()));
        keep!(database, return_order_notes::scrub, ours, order);
        assert_eq!(look!(database, return_order_notes::find, ours, note.id), Some(Note { text: String::new(), ..note }));
    }

    async fn the_latest_visits_are_listed_and_old_ones_pruned(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await.id;
        let visit = |number: u128, seconds| Visit { visitor_id: uuid::Uuid::from_u128(number), seen_at: NOW.plus_seconds(seconds), is_writing: seconds > 10 };
        for seen in [visit(1, 0), visit(2, 10), visit(1, 20)] {
            keep!(database, return_order_visits::record, ours, order, seen);
        }
        assert_eq!(look!(database, return_order_visits::list_since, ours, order, NOW), [visit(1, 20), visit(2, 10)]);
        assert_eq!(look!(database, return_order_visits::list_since, ours, order, NOW.plus_seconds(10)), [visit(1, 20)]);
        assert_eq!(look!(database, return_order_visits::list_since, theirs, order, NOW), []);
        assert_eq!(keep!(database, return_order_visits::prune, NOW.plus_seconds(10)), 1);
        assert_eq!(look!(database, return_order_visits::list_since, ours, order, NOW), [visit(1, 20)]);
    }

    async fn handling_is_stored_with_one_row_for_each_flag(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let mut order = kept_return_order(&database, ours, "R-1").await;
        let user = UserId(id());
        order.assignee_id = Some(user);
        order.flags = vec!["VIP".to_owned(), "fraud?".to_owned()];
        (order.leave_out_of_bulk, order.updated_at) = (true, NOW.plus_seconds(5));
        assert!(keep!(database, return_orders::set_handling, ours, &order));
        assert!(!keep!(database, return_orders::set_handling, ours, &order), "the stored version is 2");
        order.version = 2;
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order.clone()));
        assert_eq!(database.rows("return_order_flags").await, 2);
        let one = queues::Waiting { rows: 1, ..queues::Waiting::default() };
        assert_eq!(look!(database, queues::count_flagged, ours, 1), one);
        assert_eq!(look!(database, queues::count_assigned, ours, user, 1), one);
        let more = queues::Waiting { rows: 0, is_capped: true, ..queues::Waiting::default() };
        assert_eq!(look!(database, queues::count_flagged, ours, 0), more);
        assert_eq!(look!(database, queues::count_assigned, ours, user, 0), more);
        let nothing = queues::Waiting::default();
        assert_eq!(look!(database, queues::count_flagged, theirs, 1), nothing);
        assert_eq!(look!(database, queues::count_assigned, theirs, user, 1), nothing);
        assert_eq!(look!(database, queues::count_assigned, ours, UserId(id()), 1), nothing);
        keep!(database, return_orders::unassign, theirs, user);
        keep!(database, return_orders::scrub_flags, theirs, order.id);
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order.clone()));
        keep!(database, return_orders::unassign, ours, user);
        keep!(database, return_orders::scrub_flags, ours, order.id);
        (order.assignee_id, order.flags, order.version) = (None, Vec::new(), 3);
        assert_eq!(look!(database, return_orders::find, ours, order.id), Some(order));
        assert_eq!(database.rows("return_order_flags").await, 0);
        assert_eq!(look!(database, queues::count_flagged, ours, 1), nothing);
        assert_eq!(look!(database, queues::count_assigned, ours, user, 1), nothing);
    }

    async fn a_return_that_is_over_is_in_no_queue_of_its_handling(database: Database) {
        let ours = two_accounts(&database).await.0;
        let mut order = kept_return_order(&database, ours, "R-1").await;
        let user = UserId(id());
        (order.assignee_id, order.flags) = (Some(user), vec!["VIP".to_owned()]);
        assert!(keep!(database, return_orders::set_handling, ours, &order));
        for status in ReturnOrderStatus::all().iter().copied() {
            (order.status, order.version) = (status, order.version + 1);
            assert!(keep!(database, return_orders::update, ours, &order));
            let counted = i64::from(!status.is_over());
            assert_eq!(look!(database, queues::count_flagged, ours, 5).rows, counted, "{status:?}");
            assert_eq!(look!(database, queues::count_assigned, ours, user, 5).rows, counted, "{status:?}");
        }
    }
}
