//! Pending evidence.

use crate::support::*;
use domain::{AccountId, ConsumerId, EvidenceId, PurchaseId};
use store::{pending_evidence::PendingEvidence, testing::Database};

async fn a_kept_consumer(database: &Database, account: AccountId, number: &str) -> ConsumerId {
    keep!(database, consumers::insert_or_find, account, &a_consumer(proof_of(number))).0.id
}

fn a_file(consumer: ConsumerId, purchase: PurchaseId, number: u8) -> PendingEvidence {
    PendingEvidence {
        id: EvidenceId(id()),
        consumer_id: consumer,
        purchase_id: purchase,
        name: format!("{number}.jpg"),
        media_type: "image/jpeg".to_owned(),
        bytes: 1_000 + i64::from(number),
        sha256: vec![number; 32],
        created_at: NOW.plus_seconds(i64::from(number)),
    }
}

async fn unclaimed(database: &Database) -> i64 {
    database.rows("unclaimed_files").await
}

store::on_each_database! {
    async fn pending_evidence_is_listed_in_the_order_of_the_uploads(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (a_kept_consumer(&database, ours, "1001").await, a_kept_consumer(&database, ours, "1002").await);
        let (one, two) = (PurchaseId(id()), PurchaseId(id()));
        let mut files: Vec<_> = (0..3).map(|number| a_file(ada, if number == 1 { two } else { one }, number)).collect();
        files.reverse(); // their ids decrease, so only the order of the uploads can sort them
        let other = a_file(ben, one, 9);
        for file in files.iter().chain([&other]) {
            keep!(database, files::announce, ours, file.id.0, NOW);
            keep!(database, pending_evidence::insert, ours, file);
        }
        assert_eq!(unclaimed(&database).await, 0, "their rows have claimed them");
        assert_eq!(look!(database, pending_evidence::list_of_consumer, ours, ada), files);
        let of_one = [files[0].clone(), files[2].clone()];
        assert_eq!(look!(database, pending_evidence::list_of_purchase, ours, ada, one), of_one);
        assert_eq!(look!(database, pending_evidence::list_of_purchase, ours, ben, one), [other.clone()]);
        assert_eq!(look!(database, pending_evidence::find, ours, ada, files[1].id), Some(files[1].clone()));

        assert_eq!(look!(database, pending_evidence::find, ours, ada, other.id), None, "it belongs to another consumer");
        assert_eq!(look!(database, pending_evidence::find, theirs, ada, files[1].id), None);
        assert_eq!(look!(database, pending_evidence::list_of_consumer, theirs, ada), []);
        assert_eq!(look!(database, pending_evidence::list_of_purchase, theirs, ada, one), []);
        let again = PendingEvidence { id: EvidenceId(id()), ..files[0].clone() };
        assert!(try_keep!(database, pending_evidence::insert, ours, &again).is_err(), "a file is stored once");
        assert!(try_keep!(database, pending_evidence::insert, theirs, &a_file(ada, one, 5)).is_err(), "the consumer belongs to another account");
    }

    async fn pending_evidence_is_deleted_once_and_with_its_consumer(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (a_kept_consumer(&database, ours, "1001").await, a_kept_consumer(&database, ours, "1002").await);
        let file = a_file(ada, PurchaseId(id()), 1);
        keep!(database, pending_evidence::insert, ours, &file);
        assert!(!keep!(database, pending_evidence::delete, theirs, ada, file.id));
        assert!(!keep!(database, pending_evidence::delete, ours, ben, file.id));
        assert_eq!(unclaimed(&database).await, 0);
        assert!(keep!(database, pending_evidence::delete, ours, ada, file.id));
        assert!(!keep!(database, pending_evidence::delete, ours, ada, file.id));
        assert_eq!(look!(database, files::list_unclaimed, NOW), [(ours, file.id.0)], "its file is discarded");
    }

    async fn taking_pending_evidence_keeps_its_files(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, ben) = (a_kept_consumer(&database, ours, "1001").await, a_kept_consumer(&database, ours, "1002").await);
        let (one, two) = (PurchaseId(id()), PurchaseId(id()));
        let mut files: Vec<_> = (0..4).map(|number| a_file(ada, one, number)).collect();
        files.reverse();
        let others = [a_file(ada, two, 1), a_file(ben, one, 1)];
        for file in files.iter().chain(&others) {
            keep!(database, pending_evidence::insert, ours, file);
        }
        assert_eq!(keep!(database, pending_evidence::take, theirs, ada, one), []);
        assert_eq!(keep!(database, pending_evidence::take, ours, ada, one), files);
        assert_eq!(keep!(database, pending_evidence::take, ours, ada, one), [], "once");
        assert_eq!((unclaimed(&database).await, database.rows("pending_evidence").await), (0, 2));
        keep!(database, pending_evidence::forget, ours, ada);
        assert_eq!(look!(database, pending_evidence::list_of_consumer, ours, ada), []);
        assert_eq!(look!(database, pending_evidence::list_of_consumer, ours, ben), [others[1].clone()]);
        assert_eq!(look!(database, files::list_unclaimed, NOW), [(ours, others[0].id.0)]);
    }

    async fn old_pending_evidence_is_deleted_with_its_files_in_small_steps(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (ada, eve) = (a_kept_consumer(&database, ours, "1001").await, a_kept_consumer(&database, theirs, "1001").await);
        let purchase = PurchaseId(id());
        for number in 0..101 {
            keep!(database, pending_evidence::insert, ours, &PendingEvidence { created_at: NOW, ..a_file(ada, purchase, number) });
        }
        let (old, new) = (PendingEvidence { created_at: NOW, ..a_file(eve, purchase, 0) }, a_file(eve, purchase, 1));
        keep!(database, pending_evidence::insert, theirs, &old);
        keep!(database, pending_evidence::insert, theirs, &new);
        assert_eq!(keep!(database, pending_evidence::prune, NOW.plus_seconds(-1)), 0);
        assert_eq!(keep!(database, pending_evidence::prune, NOW), 100);
        assert_eq!(keep!(database, pending_evidence::prune, NOW), 2);
        assert_eq!(keep!(database, pending_evidence::prune, NOW), 0);
        assert_eq!(unclaimed(&database).await, 102);
        assert_eq!(look!(database, pending_evidence::list_of_consumer, theirs, eve), [new]);
    }
}
