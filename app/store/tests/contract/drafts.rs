//! Drafts of return orders.

use crate::support::*;
use domain::{
    ConsumerId, DraftReturnOrderId, PurchaseId, ShippingOptionId, Timestamp,
    returning::{DraftReturnOrder, DraftStatus, ReturnOrder},
};
use store::testing::Database;

store::on_each_database! {
    async fn a_draft_is_found_unchanged_by_its_own_consumer(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        assert_eq!(look!(database, drafts::find, ours, consumer, draft.id), Some(draft.clone()));
        assert_eq!(look!(database, drafts::find, theirs, consumer, draft.id), None);
        assert_eq!(look!(database, drafts::find, ours, ConsumerId(id()), draft.id), None);
        assert_eq!(look!(database, drafts::find, ours, consumer, DraftReturnOrderId(id())), None);
    }

    async fn a_draft_is_accepted_once(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        assert_eq!(keep!(database, drafts::accept, theirs, consumer, draft.id, NOW), None);
        assert_eq!(keep!(database, drafts::accept, ours, ConsumerId(id()), draft.id, NOW), None);
        let accepted = DraftReturnOrder { status: DraftStatus::Accepted, updated_at: NOW.plus_seconds(5), ..draft };
        let given = keep!(database, drafts::accept, ours, consumer, accepted.id, NOW.plus_seconds(5));
        assert_eq!(given.as_ref(), Some(&accepted));
        assert_eq!(keep!(database, drafts::accept, ours, consumer, accepted.id, NOW.plus_seconds(6)), None);
        assert_eq!(look!(database, drafts::find, ours, consumer, accepted.id), Some(accepted));
    }

    async fn an_open_draft_can_be_kept_longer(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        let until = NOW.plus_days(7);
        assert!(!keep!(database, drafts::extend, theirs, draft.id, until, NOW));
        assert!(!keep!(database, drafts::extend, ours, draft.id, until, draft.expires_at), "it has expired");
        assert!(keep!(database, drafts::extend, ours, draft.id, until, NOW));
        assert_eq!(look!(database, drafts::find, ours, consumer, draft.id).map(|draft| draft.expires_at), Some(until));
        keep!(database, drafts::accept, ours, consumer, draft.id, NOW);
        assert!(!keep!(database, drafts::extend, ours, draft.id, until, NOW), "it is submitted");
    }

    async fn an_accepted_draft_knows_the_return_order_it_became(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        let open = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &open);
        let of_draft = |order: ReturnOrder| ReturnOrder { draft_return_order_id: draft.id, ..order };
        let of_theirs = kept_consumer(&database, theirs).await.id;
        assert!(keep!(database, return_orders::insert, theirs, &of_draft(a_return_order(of_theirs, "R-1"))));
        assert_eq!(look!(database, drafts::find, ours, consumer, draft.id), Some(draft.clone()), "the return order of another account does not count");

        let order = of_draft(a_return_order(consumer, "R-1"));
        assert!(keep!(database, return_orders::insert, ours, &order));
        let became = DraftReturnOrder { return_order_id: Some(order.id), ..draft };
        assert_eq!(look!(database, drafts::find, ours, consumer, became.id), Some(became.clone()));
        assert_eq!(look!(database, drafts::find_of_anyone, ours, became.id), Some(became.clone()));
        let both = [became.clone(), open.clone()];
        assert_eq!(look!(database, drafts::list_of_consumer, ours, consumer), both);
        let ids = both.each_ref().map(|draft| draft.id);
        assert_eq!(look!(database, drafts::list_of_ids, ours, &ids).len(), 2);
    }

    async fn one_of_many_concurrent_submits_accepts_a_draft(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let (database, draft) = (database.clone(), draft.id);
                tokio::spawn(async move { keep!(database, drafts::accept, ours, consumer, draft, NOW) })
            })
            .collect();
        let mut accepted = 0;
        for task in tasks {
            accepted += u32::from(task.await.unwrap().is_some());
        }
        assert_eq!(accepted, 1);
    }

    async fn the_shipping_option_of_an_open_draft_can_be_changed(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let mut draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        draft.shipping_option_id = Some(ShippingOptionId(id()));
        draft.cost_breakdown.fee_total.minor = 495;
        draft.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, drafts::set_shipping_option, theirs, &draft));
        assert!(keep!(database, drafts::set_shipping_option, ours, &draft));
        assert_eq!(look!(database, drafts::find, ours, consumer, draft.id), Some(draft.clone()));

        assert!(keep!(database, drafts::accept, ours, consumer, draft.id, NOW).is_some());
        draft.shipping_option_id = None;
        assert!(!keep!(database, drafts::set_shipping_option, ours, &draft));
        assert!(look!(database, drafts::find, ours, consumer, draft.id).unwrap().shipping_option_id.is_some());
        draft.status = DraftStatus::Accepted; // the transaction that accepts it may still change it
        assert!(keep!(database, drafts::set_shipping_option, ours, &draft));
        assert_eq!(look!(database, drafts::find, ours, consumer, draft.id).unwrap().shipping_option_id, None);
    }

    async fn drafts_without_a_return_order_are_deleted_after_they_expire(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let drafts = [(0, false), (1, false), (0, true)].map(|(seconds, accepted)| {
            let draft = a_draft(consumer, PurchaseId(id()));
            (DraftReturnOrder { expires_at: NOW.plus_seconds(seconds), ..draft }, accepted)
        });
        for (draft, accepted) in &drafts {
            keep!(database, drafts::insert, ours, draft);
            assert!(!accepted || keep!(database, drafts::accept, ours, consumer, draft.id, NOW).is_some());
        }
        assert_eq!(keep!(database, drafts::prune, NOW), 1);
        let left = drafts.map(|(draft, _)| draft.id);
        assert!(look!(database, drafts::find, ours, consumer, left[0]).is_none());
        assert!(look!(database, drafts::find, ours, consumer, left[1]).is_some());
        assert!(look!(database, drafts::find, ours, consumer, left[2]).is_some(), "it became a return order");
    }

    async fn an_accepted_draft_is_open_again_after_a_rollback(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let consumer = kept_consumer(&database, ours).await.id;
        let draft = a_draft(consumer, PurchaseId(id()));
        keep!(database, drafts::insert, ours, &draft);
        let mut writing = database.store.write().await.unwrap();
        let at = Timestamp::from_seconds(0);
        assert!(store::drafts::accept(writing.db(), ours, consumer, draft.id, at).await.unwrap().is_some());
        drop(writing);
        assert!(keep!(database, drafts::accept, ours, consumer, draft.id, NOW).is_some());
    }
}
