//! Evidence of return requests.

use crate::support::*;
use domain::{EvidenceId, returning::MAX_EVIDENCE};
use store::testing::Database;

store::on_each_database! {
    async fn evidence_is_listed_by_request_in_the_order_of_the_uploads(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let (one, two) = (a_return_request(&order, &purchase), a_return_request(&order, &purchase));
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&one));
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&two));
        let mut files: Vec<_> = (0..3).map(|number| an_evidence(&one, number)).collect();
        files.reverse(); // their ids decrease, so only the order of the uploads can sort them
        let other = an_evidence(&two, 9);
        for file in files.iter().chain([&other]) {
            keep!(database, evidence::insert, ours, file);
        }
        assert_eq!(look!(database, evidence::find, ours, other.id), Some(other.clone()));
        assert_eq!(look!(database, return_requests::find, ours, one.id).unwrap().evidence, files);
        let page = look!(database, return_requests::list, ours, &newest(None, 10)).rows;
        assert_eq!([&page[0].evidence[..], &page[1].evidence[..]], [&[other.clone()][..], &files[..]]);
        let whole = look!(database, return_requests::list_of_return_orders, ours, &[order.id]);
        assert_eq!([&whole[0].evidence[..], &whole[1].evidence[..]], [&files[..], &[other.clone()][..]]);

        assert_eq!(look!(database, evidence::find, theirs, other.id), None);
        assert_eq!(look!(database, evidence::find, ours, EvidenceId(id())), None);
        assert_eq!(look!(database, evidence::list_of_return_requests, theirs, &[one.id]), []);
        assert!(try_keep!(database, evidence::insert, theirs, &an_evidence(&one, 1)).is_err(), "the request belongs to another account");
        assert!(files.len() < MAX_EVIDENCE);
    }

    async fn evidence_is_deleted_once_and_in_its_own_account(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 2, 200).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let request = a_return_request(&order, &purchase);
        keep!(database, return_requests::insert, ours, std::slice::from_ref(&request));
        let file = an_evidence(&request, 1);
        keep!(database, evidence::insert, ours, &file);
        assert!(!keep!(database, evidence::delete, theirs, file.id));
        assert!(keep!(database, evidence::delete, ours, file.id));
        assert!(!keep!(database, evidence::delete, ours, file.id));
        assert_eq!(look!(database, return_requests::find, ours, request.id).unwrap().evidence, []);
    }
}
