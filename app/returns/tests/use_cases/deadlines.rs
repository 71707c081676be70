//! Deadlines: what happens when nobody acts.

use crate::{
    evidence::broken,
    progress::to,
    shop::{NOW, Shop, fresh, taken},
};
use domain::{
    TimeZone, Timestamp,
    party::Actor,
    policy::Policy,
    returning::{ReturnOrderStatus, ShipmentStatus},
    stage::StageName as N,
};
use store::{DatabaseKind, testing::Database};

/// The last second of the day, in the shop's time zone, that is `days` days from now.
fn end_of_day(days: u32) -> Timestamp {
    TimeZone::UTC.end_of_day(NOW, days)
}

/// When a label expires: late scans of its last day have been reported by then.
fn label_over() -> Timestamp {
    end_of_day(30).plus_days(domain::stage::LATE_SCAN_DAYS)
}

async fn stage_entries(database: &Database) -> i64 {
    database.number("SELECT COUNT(*) FROM timeline_entries WHERE to_stage = 'Closed: Expired'").await
}

store::on_each_database! {
    async fn an_expired_label_frees_its_units(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 4000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        shop.source.set(label_over().plus_seconds(-1));
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        assert_eq!((shop.whole(order).await.status, taken(&database).await.0), (ReturnOrderStatus::Open, 2));
        shop.source.set(label_over());
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        let whole = shop.whole(order).await;
        let request = &whole.return_requests.as_ref().unwrap()[0];
        assert_eq!((whole.status, request.stage), (ReturnOrderStatus::Expired, N::ClosedExpired));
        assert_eq!(whole.shipments.unwrap()[0].status, ShipmentStatus::Cancelled);
        let entries = shop.retour.merchant(&shop.staff).timeline(request.id).await.unwrap();
        let last = entries.last().unwrap();
        assert_eq!((last.actor, last.from_stage, last.to_stage), (Actor::System, Some(N::SubmittedReady), N::ClosedExpired));
        let stage_events = database.number("SELECT COUNT(*) FROM events WHERE stage = 'Closed: Expired'").await;
        assert_eq!((stage_events, taken(&database).await.0), (1, 0));
        let before = database.texts("SELECT CAST(version AS TEXT) FROM return_requests").await;
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        assert_eq!(database.texts("SELECT CAST(version AS TEXT) FROM return_requests").await, before, "a second run changes nothing");
    }

    async fn a_parcel_that_arrives_after_its_label_expired_is_accepted(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 4000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        shop.source.set(label_over());
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        let late = fresh(shop.try_receive(id, 2, None).await.unwrap(), 200);
        assert_eq!((late.stage, taken(&database).await.0), (N::ResolutionApproved, 2));
        assert_eq!(shop.whole(order).await.status, ReturnOrderStatus::Open);
    }

    async fn missing_photos_delay_the_other_requests_only_until_the_deadline(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 4000), (1, 2500)]).await;
        let mut chosen = customer.choose(&[(0, 1), (1, 1)]).await;
        chosen[0].return_reason_id = Some(broken(&shop).await);
        let draft = fresh(customer.try_draft(chosen, None).await.unwrap(), 201).id;
        let order = fresh(customer.submit(draft).await.unwrap(), 201).id;
        assert_eq!(shop.whole(order).await.status, ReturnOrderStatus::Requested);
        shop.source.set(end_of_day(Policy::default().evidence_days));
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        let whole = shop.whole(order).await;
        let stages: Vec<N> = whole.return_requests.unwrap().iter().map(|request| request.stage).collect();
        assert_eq!(stages, [N::ClosedExpired, N::SubmittedReady]);
        assert_eq!((whole.status, whole.shipments.unwrap().len()), (ReturnOrderStatus::Open, 1));
        assert_eq!(taken(&database).await.0, 1);
    }

    async fn units_that_stay_missing_are_given_up(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 3000)]).await;
        let order = customer.send_back(&[(0, 3)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        assert_eq!(fresh(shop.try_receive(id, 1, None).await.unwrap(), 200).stage, N::ReceivedPartial);
        shop.source.set(NOW.plus_days(domain::stage::MISSING_UNITS_DAYS));
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        let request = &shop.whole(order).await.return_requests.unwrap()[0];
        assert_eq!((request.stage, request.quantity), (N::ResolutionApproved, 3));
        assert_eq!((request.resolution.value.unwrap().minor, taken(&database).await.0), (1000, 1));
    }

    async fn of_two_instances_one_handles_each_deadline(database: Database) {
        let shop = Shop::open(&database).await;
        for number in 0..20 {
            shop.sell(&number.to_string(), &[(1, 4000)]).await.send_back(&[(0, 1)]).await;
        }
        shop.source.set(label_over());
        let other = returns::Retour::new(database.store.clone(), shop.source.clone());
        let (ours, theirs) = tokio::join!(workers::Workers::new(&shop.retour).do_what_is_due(), workers::Workers::new(&other).do_what_is_due());
        ours.unwrap();
        theirs.unwrap();
        assert_eq!((stage_entries(&database).await, taken(&database).await.0), (20, 0));
    }

    async fn a_deadline_that_cannot_be_handled_does_not_block_others(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1", &[(1, 4000)]).await.send_back(&[(0, 1)]).await;
        database.run("UPDATE return_requests SET state = '{}'").await;
        shop.sell("2", &[(1, 4000)]).await.send_back(&[(0, 1)]).await;
        shop.source.set(label_over());
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        assert_eq!(stage_entries(&database).await, 1);
        let put_off = format!("SELECT COUNT(*) FROM return_requests WHERE due_at > {}", label_over().micros());
        assert_eq!(database.number(put_off.leak()).await, 1);
    }

    async fn a_request_that_moved_on_has_no_deadline(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 4000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        fresh(shop.update(id, to(N::ShipmentInTransit)).await.unwrap(), 200);
        shop.source.set(label_over());
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        assert_eq!(shop.whole(order).await.return_requests.unwrap()[0].stage, N::ShipmentInTransit);
        assert_eq!(database.number("SELECT COUNT(*) FROM return_requests WHERE due_at IS NOT NULL").await, 0);
    }

    async fn the_worker_follows_the_clock_and_stops_when_asked(database: Database) {
        let shop = Shop::open(&database).await;
        let order = shop.sell("1001", &[(1, 4000)]).await.send_back(&[(0, 1)]).await.id;
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let retour = shop.retour.clone();
        let worker = tokio::spawn(async move { workers::Workers::new(&retour).keep_deadlines(async move { drop(stopped.await) }).await });
        while shop.whole(order).await.status != ReturnOrderStatus::Expired {
            shop.source.set(label_over());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        stop.send(()).unwrap();
        worker.await.unwrap();
    }

    async fn the_migration_gives_older_requests_their_deadlines(database: Database) {
        let shop = Shop::open(&database).await;
        shop.sell("1", &[(1, 4000)]).await.send_back(&[(0, 1)]).await;
        let customer = shop.sell("2", &[(2, 4000)]).await;
        let order = customer.send_back(&[(0, 2)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        fresh(shop.try_receive(id, 1, None).await.unwrap(), 200);
        let late = shop.sell("3", &[(1, 4000)]).await.send_back(&[(0, 1)]).await.id;
        fresh(shop.retour.merchant(&shop.staff).cancel_return_order(late, None).await.unwrap(), 200);
        let migration = match database.store.kind() {
            DatabaseKind::Sqlite => include_str!("../../../../migrations/sqlite/0012_deadlines.sql"),
            DatabaseKind::Postgres => include_str!("../../../../migrations/postgres/0012_deadlines.sql"),
        };
        let update = migration.split(';').find(|statement| statement.contains("UPDATE")).unwrap();
        let wanted = "SELECT COALESCE(CAST(due_at / 1000000 AS TEXT), '') FROM return_requests ORDER BY seq";
        let before = database.texts(wanted).await;
        database.run("UPDATE return_requests SET due_at = NULL").await;
        database.run(update).await;
        let after = database.texts(wanted).await;
        let seconds = |text: &String| text.parse::<i64>().ok();
        let late_by_one: Vec<_> = before.iter().map(|text| seconds(text).map(|at| at + 1)).collect();
        assert_eq!(after.iter().map(seconds).collect::<Vec<_>>(), late_by_one);
        assert_eq!(late_by_one.iter().filter(|at| at.is_some()).count(), 2);
    }

    async fn a_deadline_that_an_older_version_left_behind_is_cleared(database: Database) {
        let shop = Shop::open(&database).await;
        let order = shop.sell("1001", &[(1, 4000)]).await.send_back(&[(0, 1)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        fresh(shop.update(id, to(N::ShipmentInTransit)).await.unwrap(), 200);
        database.run("UPDATE return_requests SET due_at = 0").await;
        workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
        assert_eq!(database.number("SELECT COUNT(*) FROM return_requests WHERE due_at IS NOT NULL").await, 0);
    }
}
