//! Return requests.

use crate::support::*;
use domain::{
    OrderId, ProposalId, ReturnRequestId,
    order::Purchase,
    returning::{Proposal, ProposalKind, ReturnOrder, ReturnRequest},
    stage::Stage,
};
use store::testing::Database;

store::on_each_database! {
    async fn a_return_request_is_found_unchanged_in_its_own_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let request = a_return_request(&order, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        assert_eq!(look!(database, return_requests::find, ours, request.id), Some(request.clone()));
        assert_eq!(look!(database, return_requests::list_of_return_orders, ours, &[order.id]), [request.clone()]);
        assert_eq!(look!(database, return_requests::find, theirs, request.id), None);
        assert_eq!(look!(database, return_requests::find, ours, ReturnRequestId(id())), None);
        assert_eq!(look!(database, return_requests::list_of_return_orders, theirs, &[order.id]), []);
        assert_eq!(look!(database, return_requests::list, theirs, &newest(None, 100)).rows, []);
    }

    async fn a_receipt_is_stored_once_for_each_reference(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 5, 500).await;
        let request = a_return_request(&kept_return_order(&database, ours, "R-1").await, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        assert!(keep!(database, receipts::insert, ours, request.id, "GR-2", 2, NOW.plus_days(1)));
        assert!(keep!(database, receipts::insert, ours, request.id, "GR-1", 3, NOW));
        assert!(!keep!(database, receipts::insert, ours, request.id, "GR-1", 1, NOW.plus_days(2)));
        assert_eq!(look!(database, receipts::find_units, ours, request.id, "GR-1"), Some(3));
        assert_eq!(look!(database, receipts::find_units, theirs, request.id, "GR-1"), None);
        keep!(database, receipts::rename, theirs, request.id, "GR-1", "none");
        keep!(database, receipts::rename, ours, request.id, "GR-2", "none");
        let kept = look!(database, receipts::list_of_return_request, ours, request.id);
        let kept: Vec<_> = kept.iter().map(|one| (one.external_reference.as_str(), one.units, one.at)).collect();
        assert_eq!(kept, [("GR-1", 3, NOW), ("none", 2, NOW.plus_days(1))]);
        assert!(look!(database, receipts::list_of_return_request, theirs, request.id).is_empty());
    }

    async fn every_stage_is_stored_with_its_data(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let stages = [
            Stage::RequestedEvidencePending { due: NOW },
            Stage::SubmittedPaymentPending { due: NOW, label_needed: true },
            Stage::SubmittedReady { expires: None },
            Stage::ResolutionDenied { reason: "“Worn” – néé 手".to_owned() },
            Stage::ResolutionCompleted { external_reference: Some("re_1".to_owned()) },
        ];
        for stage in stages {
            let mut request = a_return_request(&order, &purchase);
            request.state = state(stage);
            keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
            assert_eq!(look!(database, return_requests::find, ours, request.id), Some(request));
        }
    }

    async fn an_update_needs_the_latest_version(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let mut request = a_return_request(&order, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        request.state = state(Stage::RequestedApproved);
        request.updated_at = NOW.plus_seconds(1);
        assert!(!keep!(database, return_requests::update, theirs, &request));
        assert!(keep!(database, return_requests::update, ours, &request));
        assert!(!keep!(database, return_requests::update, ours, &request), "the stored version is 2");
        request.version = 2;
        assert_eq!(look!(database, return_requests::find, ours, request.id), Some(request));
        assert_eq!(database.texts("SELECT stage FROM return_requests").await, ["Requested: Approved"]);
    }

    async fn a_proposal_is_found_until_its_request_has_gone_on(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let mut request = a_return_request(&order, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        let proposal = Proposal {
            id: ProposalId(id()),
            kind: ProposalKind::Adjustment,
            amount: Some(domain::Money::new(-100, eur())),
            comment: "A scratch".to_owned(),
            proposed_by: Some(id()),
            created_at: NOW.plus_seconds(1),
        };
        request.proposal = Some(proposal.clone());
        assert!(keep!(database, return_requests::update, ours, &request));
        request.version = 2;
        assert_eq!(look!(database, return_requests::find, ours, request.id), Some(request.clone()));
        let asked = asking(&store::return_requests::LIST, &["proposal:Adjustment|Override"]);
        assert_eq!(look!(database, return_requests::list, ours, &asked).rows, [request.clone()]);
        assert!(look!(database, return_requests::list, theirs, &asked).rows.is_empty());
        let waiting = look!(database, queues::count_proposals, ours, Some(NOW.plus_seconds(2)), 10);
        assert_eq!((waiting.rows, waiting.oldest, waiting.over_target), (1, Some(NOW.plus_seconds(1)), 1));
        assert_eq!(look!(database, queues::count_proposals, theirs, None, 10).rows, 0);
        // The previous version knows no proposals, and moves the request on.
        request.state = state(Stage::ResolutionApproved);
        assert!(keep!(database, return_requests::update, ours, &request));
        assert_eq!(look!(database, return_requests::find, ours, request.id).unwrap().proposal, None);
        keep!(database, return_requests::scrub, ours, &request);
        assert_eq!(look!(database, queues::count_proposals, ours, None, 10).rows, 0);
        let held = ReturnRequest { id: ReturnRequestId(id()), proposal: Some(proposal), ..a_return_request(&order, &purchase) };
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&held));
        assert_eq!(look!(database, return_requests::find, ours, held.id), Some(held));
    }

    async fn an_order_number_finds_its_requests_in_every_spelling(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let mut wanted = Vec::new();
        for number in ["AB-1", "AB-10", "AB-1"] {
            import(&database, ours, vec![an_order(number, vec![a_line(&format!("{number}/1"), 2, 200)])]).await;
            let purchase = the_purchase(&database, ours, number).await;
            let request = a_return_request(&order, &purchase);
            keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
            if number == "AB-1" {
                wanted.insert(0, request);
            }
        }
        for typed in ["AB-1", "#ab-1", " a b - 1 "] {
            let asked = asking(&store::return_requests::LIST, &[&format!("purchaseOrderNumber:{typed}")]);
            assert_eq!(look!(database, return_requests::list, ours, &asked).rows, wanted, "{typed}");
            assert_eq!(look!(database, return_requests::list, theirs, &asked).rows, []);
        }
        let part = asking(&store::return_requests::LIST, &["purchaseOrderNumber:AB"]);
        assert_eq!(look!(database, return_requests::list, ours, &part).rows, []);
        assert_eq!(look!(database, return_requests::list, ours, &newest(None, 100)).rows.len(), 3);
    }

    async fn requests_that_are_inserted_together_are_listed_in_their_order(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 9, 900).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let mut requests: Vec<_> = (0..7).map(|_| a_return_request(&order, &purchase)).collect();
        requests.reverse(); // their ids decrease, so only the order of the inserts can sort them
        keep!(database, return_requests::insert, ours, &requests);
        let astray = "SELECT COUNT(*) FROM return_requests a, return_requests b WHERE a.seq < b.seq AND a.changed >= b.changed";
        assert_eq!(database.number(astray).await, 0, "each change has its own number");
        assert_eq!(look!(database, return_requests::list_of_return_orders, ours, &[order.id]), requests);
    }

    async fn units_that_the_consumer_keeps_count_while_their_return_does(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 9, 900).await;
        let other = a_purchase(&database, ours, "1002", 9, 900).await;
        let sent = kept_return_order(&database, ours, "R-1").await;
        let mut kept = a_return_order(sent.consumer_id, "R-2");
        kept.shipping_option = None;
        assert!(keep!(database, return_orders::insert, ours, &kept));
        assert_eq!(look!(database, return_requests::sum_kept, ours, purchase.order.id), 0);

        keep_request(&database, ours, &sent, &purchase, Stage::RequestedApproved, 1).await;
        keep_request(&database, ours, &kept, &other, Stage::RequestedApproved, 2).await;
        keep_request(&database, ours, &kept, &purchase, Stage::ResolutionPending { reason: None }, 40).await;
        keep_request(&database, ours, &kept, &purchase, Stage::ResolutionCompleted { external_reference: None }, 200).await;
        keep_request(&database, ours, &kept, &purchase, Stage::ClosedCancelled, 8_000).await;
        keep_request(&database, ours, &kept, &purchase, Stage::ClosedExpired, 16_000).await;
        keep_request(&database, ours, &kept, &purchase, Stage::RequestedRejected { reason: String::new() }, 32_000).await;
        assert_eq!(look!(database, return_requests::sum_kept, ours, purchase.order.id), 240);
        assert_eq!(look!(database, return_requests::sum_kept, theirs, purchase.order.id), 0);
        assert_eq!(look!(database, return_requests::sum_kept, ours, OrderId(id())), 0);
    }
}

async fn keep_request(
    database: &Database,
    account: domain::AccountId,
    order: &ReturnOrder,
    purchase: &Purchase,
    stage: Stage,
    value: i64,
) {
    let mut request = a_return_request(order, purchase);
    request.state = state(stage);
    request.purchase_price.minor = value;
    keep!(database, return_requests::insert, account, std::slice::from_ref(&request));
}
