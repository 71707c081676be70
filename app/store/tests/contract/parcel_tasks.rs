//! Shipment tasks: how workers claim them, and notices during a lease.

use crate::support::*;
use domain::{AccountId, Timestamp, returning::Shipment, shipping::CarrierReference};
use store::{
    parcel_tasks::{ParcelTask, ParcelWork},
    testing::Database,
};

fn reference(id: &str) -> CarrierReference {
    CarrierReference { carrier: "karrio x".to_owned(), id: id.to_owned() }
}

async fn followed(database: &Database, account: AccountId, due: Timestamp) -> Shipment {
    let order = kept_return_order(database, account, &format!("R-{}", next())).await;
    let shipment = Shipment { tracking_number: format!("T-{}", next()), ..a_shipment(&order, &next().to_string()) };
    keep!(database, shipments::insert, account, &shipment);
    keep!(database, parcel_tasks::insert, account, shipment.id, ParcelWork::Follow, &reference("shp_1"), due, NOW);
    shipment
}

async fn claimed(database: &Database, at: Timestamp) -> Vec<ParcelTask> {
    let shares: Vec<_> =
        look!(database, parcel_tasks::waiting, at, EVERYBODY).into_iter().map(|account| (account, 2)).collect();
    keep!(database, parcel_tasks::claim, at, at.plus_seconds(30), (&shares, 10))
}

store::on_each_database! {
    async fn each_task_is_claimed_once_when_it_is_due(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (one, other) = (followed(&database, ours, NOW).await, followed(&database, theirs, NOW.plus_seconds(5)).await);
        assert_eq!(look!(database, parcel_tasks::backlog, NOW), (1, Some(NOW)));
        let first = claimed(&database, NOW).await;
        let told = |task: &ParcelTask| (task.account_id, task.shipment_id, task.work, task.reference.clone(), task.created_at);
        assert_eq!(first.iter().map(told).collect::<Vec<_>>(), [(ours, one.id, ParcelWork::Follow, reference("shp_1"), NOW)]);
        assert!(claimed(&database, NOW).await.is_empty());
        assert_eq!(claimed(&database, NOW.plus_seconds(5)).await[0].shipment_id, other.id);
        assert_eq!(claimed(&database, NOW.plus_seconds(35)).await.len(), 2, "the leases of programs that died have ended");
        let tasks = claimed(&database, NOW.plus_seconds(65)).await;
        for task in &tasks {
            keep!(database, parcel_tasks::later, task, NOW.plus_seconds(100), 3, None);
        }
        keep!(database, parcel_tasks::notice, ours, &one.tracking_number, NOW.plus_seconds(50));
        assert!(claimed(&database, NOW.plus_seconds(99)).await.is_empty(), "a notice does not advance a failing carrier");
        let tasks = claimed(&database, NOW.plus_seconds(100)).await;
        assert!(tasks.len() == 2 && tasks.iter().all(|task| task.tries == 3));
        for task in &tasks {
            assert!(keep!(database, parcel_tasks::delete, task));
        }
        assert_eq!(look!(database, parcel_tasks::backlog, NOW.plus_days(1)), (0, None));
    }

    async fn a_notice_during_a_lease_is_not_lost(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let parcel = followed(&database, ours, NOW).await;
        let number = parcel.tracking_number.as_str();
        let task = claimed(&database, NOW).await.remove(0);
        keep!(database, parcel_tasks::later, &task, NOW.plus_days(1), 0, Some(NOW));
        let is_followed = async |account, number: &str| look!(database, parcel_tasks::is_followed, account, number);
        assert_eq!((is_followed(ours, number).await, is_followed(theirs, number).await, is_followed(ours, "another").await), (true, false, false));
        keep!(database, parcel_tasks::notice, theirs, number, NOW.plus_seconds(10));
        keep!(database, parcel_tasks::notice, ours, "another", NOW.plus_seconds(10));
        assert!(claimed(&database, NOW.plus_seconds(10)).await.is_empty(), "the notice was about other shipments");
        keep!(database, parcel_tasks::notice, ours, number, NOW.plus_seconds(2));
        assert!(claimed(&database, NOW.plus_seconds(59)).await.is_empty(), "it ran within the last minute");
        let task = claimed(&database, NOW.plus_seconds(60)).await.remove(0);
        // The shipment is cancelled while a worker asks where it is.
        keep!(database, parcel_tasks::insert, ours, parcel.id, ParcelWork::Void, &reference("shp_2"), NOW.plus_seconds(66), NOW);
        assert!(!keep!(database, parcel_tasks::delete, &task));
        keep!(database, parcel_tasks::later, &task, NOW.plus_days(1), 13, Some(NOW));
        let void = claimed(&database, NOW.plus_seconds(66)).await.remove(0);
        assert_eq!((void.work, &void.reference, void.tries), (ParcelWork::Void, &reference("shp_2"), 0));
        keep!(database, parcel_tasks::forget, ours, parcel.return_order_id);
        keep!(database, parcel_tasks::later, &void, NOW.plus_seconds(66), 1, None);
        let void = claimed(&database, NOW.plus_seconds(66)).await.remove(0);
        assert!(keep!(database, parcel_tasks::delete, &void), "only tracking tasks are deleted");
        let other = followed(&database, ours, NOW).await;
        keep!(database, parcel_tasks::forget, ours, other.return_order_id);
        assert!(claimed(&database, NOW.plus_days(1)).await.is_empty());
    }
}
