//! A parcel that is received at once, and taken back.

use crate::{
    progress::{returned, to},
    shop::{Customer, NOW, Shop, fields, fresh, refusal},
};
use domain::{
    Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    costs::LineKind,
    policy::{Policy, ResolveOn},
    stage::{Condition, Disposition, StageName as N},
};
use returns::{Done, Error, ErrorCode, NewReceiving, ReceivedInspection, ReceivedItem, TakeBack, view};
use store::testing::Database;

pub fn item(id: ReturnRequestId, quantity: u32) -> ReceivedItem {
    ReceivedItem { return_request_id: id, quantity, is_last: false, from_arrived_quantity: None, inspection: None }
}

fn refusing(item: ReceivedItem, refused: u32) -> ReceivedItem {
    let inspection = ReceivedInspection {
        refused,
        condition: Some(Condition::Damaged),
        disposition: Some(Disposition::Dispose),
        note: Some("The handle is broken.".to_owned()),
    };
    ReceivedItem { inspection: Some(inspection), ..item }
}

impl Shop {
    pub async fn try_parcel(
        &self,
        order: ReturnOrderId,
        reference: &str,
        items: &[ReceivedItem],
    ) -> Result<Done<view::Receiving>, Error> {
        let parcel = NewReceiving { external_reference: Some(reference.to_owned()), items: items.to_vec() };
        self.retour.merchant(&self.staff).create_receiving(order, parcel, None).await
    }

    pub async fn parcel(&self, order: ReturnOrderId, reference: &str, items: &[ReceivedItem]) -> view::Receiving {
        fresh(self.try_parcel(order, reference, items).await.unwrap(), 201)
    }

    async fn reverse(&self, counted: &view::Receiving, reason: Option<&str>) -> Result<view::ReturnOrderView, Error> {
        let why = TakeBack { reason: reason.map(str::to_owned) };
        let (order, id) = (counted.return_order_id, counted.id.unwrap());
        Ok(fresh(self.retour.merchant(&self.staff).reverse_receiving(order, id, why, None).await?, 200))
    }
}

/// Everything that a count changes and that taking it back restores.
async fn books(database: &Database) -> Vec<String> {
    let mut all = Vec::new();
    for sql in [
        "SELECT CAST(taken AS TEXT) || ' ' || CAST(taken_dear AS TEXT) || ' ' || CAST(accepted AS TEXT) || ' ' || CAST(settled AS TEXT) FROM purchases ORDER BY seq",
        "SELECT CAST(shipping_returned AS TEXT) FROM orders ORDER BY id",
        "SELECT stage || ' ' || state || ' ' || CAST(resolution_value AS TEXT) || ' ' || CAST(refund_limit AS TEXT) || ' ' || CAST(COALESCE(due_at, 0) AS TEXT) FROM return_requests ORDER BY seq",
        "SELECT status || ' ' || cost_breakdown FROM return_orders ORDER BY seq",
        "SELECT external_reference FROM receipts ORDER BY external_reference",
        "SELECT external_reference FROM warehouse_steps ORDER BY seq",
        "SELECT CAST(order_id AS TEXT) FROM settlements",
    ] {
        all.push(format!("{:?}", database.texts(sql).await));
    }
    all
}

async fn sold(shop: &Shop, number: &str) -> Customer {
    let mut order = shop.order(number, &[(3, 1003), (2, 500)]);
    order.shipping_paid = 395;
    shop.import(vec![order]).await;
    shop.customer(number).await
}

fn policies() -> Vec<Policy> {
    let all = [ResolveOn::Submission, ResolveOn::Receipt, ResolveOn::Inspection];
    let both = |resolve_on| [true, false].map(|auto_resolve| Policy { resolve_on, auto_resolve, ..Policy::default() });
    all.into_iter().flat_map(both).collect()
}

fn conflict<T: std::fmt::Debug>(message_part: &str, outcome: Result<T, Error>) {
    match outcome {
        Err(Error::Refused(Refusal { code: RefusalCode::StageConflict, message })) => {
            assert!(message.contains(message_part), "{message}");
        }
        other => panic!("expected a conflict: {other:?}"),
    }
}

store::on_each_database! {
    async fn a_parcel_is_counted_as_a_whole_or_not_at_all(database: Database) {
        let policy = Policy { resolve_on: ResolveOn::Inspection, ..Policy::default() };
        let shop = Shop::open_with(&database, "strict", "EUR", policy).await;
        let customer = sold(&shop, "1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3), (1, 2)]).await;
        let before = books(&database).await;
        let too_many = [item(ids[0], 3), refusing(item(ids[1], 2), 3)];
        assert_eq!(fields(shop.try_parcel(order, "P-1", &too_many).await), ["items[1].inspection.refused"]);
        assert_eq!(books(&database).await, before, "the first item is not counted either");
        let counted = shop.parcel(order, "P-1", &[refusing(item(ids[0], 3), 1), item(ids[1], 2)]).await;
        let stages: Vec<N> = counted.return_requests.iter().map(|request| request.stage).collect();
        assert_eq!(stages, [N::ResolutionApproved, N::InspectionPending]);
        let inspection = shop.retour.merchant(&shop.staff).inspection(ids[0]).await.unwrap();
        assert_eq!((inspection.accepted, inspection.refused, inspection.condition), (2, 1, Some(Condition::Damaged)));
        let costs = shop.whole(order).await.costs.breakdown().unwrap().clone();
        assert_eq!(costs.total(LineKind::ItemRefund), 669 + 500);
    }

    async fn refused_units_are_not_refunded_when_the_receipt_decides(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 3000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3)]).await;
        let counted = shop.parcel(order, "P-1", &[refusing(item(ids[0], 3), 1)]).await;
        assert_eq!(counted.return_requests[0].stage, N::ResolutionApproved);
        assert_eq!(shop.whole(order).await.costs.breakdown().unwrap().total(LineKind::ItemRefund), 2000);
    }

    async fn a_repeated_parcel_counts_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sold(&shop, "1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3), (1, 2)]).await;
        let items = [item(ids[0], 3), item(ids[1], 2)];
        let first = shop.parcel(order, "P-1", &items).await;
        let (before, events) = (books(&database).await, database.rows("events").await);
        let again = fresh(shop.try_parcel(order, "P-1", &items).await.unwrap(), 200);
        assert_eq!((again.id, again.received_at), (first.id, first.received_at));
        assert_eq!((books(&database).await, database.rows("events").await), (before, events));
        assert_eq!(fields(shop.try_parcel(order, "P-1", &[item(ids[0], 2)]).await), ["items[0].quantity"]);
        let at_once: Vec<_> = (0..8).map(|_| {
            let (shop, items) = (shop.clone(), items.clone());
            tokio::spawn(async move { shop.try_parcel(order, "P-2", &items).await })
        }).collect();
        let mut new = 0;
        for task in at_once {
            new += usize::from(matches!(task.await.unwrap().unwrap(), Done::Fresh { status: 201, .. }));
        }
        assert_eq!((new, database.rows("receipts").await), (1, 4));
    }

    async fn a_parcel_that_another_one_came_before_is_not_counted(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sold(&shop, "1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3), (1, 2)]).await;
        let seen = |id, quantity, arrived| ReceivedItem { from_arrived_quantity: Some(arrived), ..item(id, quantity) };
        let first = [seen(ids[0], 1, 0), item(ids[1], 1)];
        shop.parcel(order, "P-1", &first).await;
        let before = books(&database).await;
        fresh(shop.try_parcel(order, "P-1", &first).await.unwrap(), 200);
        let old = shop.try_parcel(order, "P-2", &[item(ids[1], 1), seen(ids[0], 2, 0)]).await;
        conflict("items[1]: the number of units that have arrived is 1, not 0.", old);
        assert_eq!(books(&database).await, before, "the first item is not counted either");
        shop.parcel(order, "P-2", &[item(ids[1], 1), seen(ids[0], 2, 1)]).await;
        shop.parcel(order, "P-3", &[seen(ids[0], 1, 3)]).await;
        conflict("is 4, not 3.", shop.try_parcel(order, "P-4", &[seen(ids[0], 1, 3)]).await);
        let at_once: Vec<_> = (0..8).map(|turn| {
            let (shop, items) = (shop.clone(), [seen(ids[1], 1, 2)]);
            tokio::spawn(async move { shop.try_parcel(order, &format!("Q-{turn}"), &items).await })
        }).collect();
        let mut counted = 0;
        for task in at_once {
            counted += usize::from(task.await.unwrap().is_ok());
        }
        assert_eq!(counted, 1);
    }

    async fn a_parcel_that_is_taken_back_leaves_everything_as_it_was(database: Database) {
        for (turn, policy) in policies().into_iter().enumerate() {
            let shop = Shop::open_with(&database, &format!("shop-{turn}"), "EUR", policy).await;
            for (number, first, second) in [
                ("1001", (3, false, None), (2, false, None)),
                ("1002", (3, false, Some(1)), (2, false, Some(2))),
                ("1003", (2, true, None), (1, false, None)),
                ("1004", (1, true, Some(1)), (5, false, Some(0))),
            ] {
                let customer = sold(&shop, number).await;
                let (order, ids) = returned(&shop, &customer, &[(0, 3), (1, 2)]).await;
                let before = books(&database).await;
                let item = |id, (units, is_last, refused): (u32, bool, Option<u32>)| {
                    let item = ReceivedItem { is_last, ..item(id, units) };
                    refused.map_or(item.clone(), |refused| refusing(item, refused))
                };
                let counted = shop.parcel(order, number, &[item(ids[0], first), item(ids[1], second)]).await;
                assert_ne!(books(&database).await, before);
                let shown = shop.reverse(&counted, None).await.unwrap();
                assert_eq!(books(&database).await, before, "{number} under policy {turn}");
                assert_eq!(shown.return_requests.unwrap().len(), 2);
                assert_eq!(refusal(shop.reverse(&counted, None).await), ErrorCode::NotFound, "it is taken back once");
                let again = shop.parcel(order, number, &[item(ids[0], first), item(ids[1], second)]).await;
                assert_ne!(again.id, counted.id);
            }
        }
    }

    async fn a_receipt_is_taken_back_with_an_event_and_a_timeline_entry(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let (_, ids) = returned(&shop, &customer, &[(0, 2)]).await;
        let staff = shop.retour.merchant(&shop.staff);
        fresh(shop.try_receive(ids[0], 1, Some("GR-1")).await.unwrap(), 200);
        fresh(shop.try_receive(ids[0], 1, Some("GR-2")).await.unwrap(), 200);
        let receipts = staff.receipts(ids[0]).await.unwrap();
        let (first, second) = (receipts[0].id.unwrap(), receipts[1].id.unwrap());
        let earlier = staff.reverse_receipt(ids[0], first, TakeBack::default(), None).await;
        assert_eq!(refusal(earlier), ErrorCode::Refused(RefusalCode::StageConflict), "the later one first");
        let why = || TakeBack { reason: Some("Counted twice".to_owned()) };
        let back = fresh(staff.reverse_receipt(ids[0], second, why(), None).await.unwrap(), 200);
        assert_eq!((back.stage, back.received_quantity), (N::ReceivedPartial, 1));
        let entry = staff.timeline(ids[0]).await.unwrap().pop().unwrap();
        assert_eq!((entry.from_stage, entry.to_stage), (Some(N::ResolutionApproved), N::ReceivedPartial));
        assert_eq!(entry.comment, "Taken back. Counted twice");
        let event = database.texts("SELECT stage FROM events WHERE stage IS NOT NULL ORDER BY seq").await.pop();
        assert_eq!(event.as_deref(), Some("Received: Partial"));
        let back = fresh(staff.reverse_receipt(ids[0], first, why(), None).await.unwrap(), 200);
        assert_eq!((back.stage, back.received_quantity), (N::SubmittedReady, 0));
        fresh(shop.try_receive(ids[0], 2, Some("GR-1")).await.unwrap(), 200);
    }

    async fn nothing_is_taken_back_once_the_resolution_has_begun(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1)]).await;
        let counted = shop.parcel(order, "P-1", &[item(ids[0], 1)]).await;
        for stage in [N::ResolutionProcessing, N::ResolutionCompleted] {
            shop.advance(ids[0], to(stage)).await;
            let before = books(&database).await;
            conflict("has begun", shop.reverse(&counted, None).await);
            assert_eq!(books(&database).await, before);
        }
    }

    async fn a_payer_and_a_worker_who_takes_back_never_both_succeed(database: Database) {
        let shop = Shop::open(&database).await;
        for turn in 0..20 {
            let number = (1001 + turn).to_string();
            let customer = shop.sell(&number, &[(1, 1000)]).await;
            let (order, ids) = returned(&shop, &customer, &[(0, 1)]).await;
            let counted = shop.parcel(order, "P-1", &[item(ids[0], 1)]).await;
            let claim = returns::StatusUpdate { from_stage: Some(N::ResolutionApproved), ..to(N::ResolutionProcessing) };
            let (paid, back) = tokio::join!(shop.update(ids[0], claim), shop.reverse(&counted, None));
            assert_ne!(paid.is_ok(), back.is_ok(), "{paid:?} {back:?}");
        }
    }

    async fn ten_minutes_later_a_reason_is_needed(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1)]).await;
        let counted = shop.parcel(order, "P-1", &[item(ids[0], 1)]).await;
        assert!(shop.retour.merchant(&shop.staff).scan_tally().await.unwrap().last.is_some());
        shop.source.set(NOW.plus_seconds(601));
        assert!(shop.retour.merchant(&shop.staff).scan_tally().await.unwrap().last.is_none());
        assert_eq!(fields(shop.reverse(&counted, None).await), ["reason"]);
        assert_eq!(fields(shop.reverse(&counted, Some(" ")).await), ["reason"]);
        shop.reverse(&counted, Some("Another customer's parcel")).await.unwrap();
    }

    async fn an_inspection_is_taken_back(database: Database) {
        let policy = Policy { resolve_on: ResolveOn::Inspection, ..Policy::default() };
        let shop = Shop::open_with(&database, "strict", "EUR", policy).await;
        let customer = sold(&shop, "1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3), (1, 2)]).await;
        let staff = shop.retour.merchant(&shop.staff);
        shop.parcel(order, "P-1", &[item(ids[0], 3), refusing(item(ids[1], 2), 1)]).await;
        let before = books(&database).await;
        assert_eq!(refusal(staff.delete_inspection(ids[0]).await), ErrorCode::NotFound);
        assert_eq!(shop.record_inspection(ids[0], 0, 3).await.unwrap(), N::ResolutionDenied);
        staff.delete_inspection(ids[0]).await.unwrap();
        assert_eq!(books(&database).await, before);
        assert_eq!(refusal(staff.inspection(ids[0]).await), ErrorCode::NotFound);
        let with_receipt = refusal(staff.delete_inspection(ids[1]).await);
        assert_eq!(with_receipt, ErrorCode::Refused(RefusalCode::StageConflict));
        assert_eq!(shop.record_inspection(ids[0], 3, 0).await.unwrap(), N::ResolutionApproved);
        shop.advance(ids[0], to(N::ResolutionProcessing)).await;
        assert_eq!(refusal(staff.delete_inspection(ids[0]).await), ErrorCode::Refused(RefusalCode::StageConflict));
    }

    async fn bad_parcels_are_named_and_change_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sold(&shop, "1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3)]).await;
        let (_, others) = returned(&shop, &customer, &[(1, 2)]).await;
        let before = books(&database).await;
        let silent = ReceivedItem {
            inspection: Some(ReceivedInspection { refused: 1, ..ReceivedInspection::default() }),
            ..item(ids[0], 3)
        };
        for (items, field) in [
            (vec![], "items"),
            (vec![item(ids[0], 0)], "items[0].quantity"),
            (vec![item(ids[0], 1_000_001)], "items[0].quantity"),
            (vec![item(ids[0], 1), item(ids[0], 1)], "items[1].returnRequestId"),
            (vec![item(ids[0], 1), item(others[0], 1)], "items[1].returnRequestId"),
            (vec![silent], "items[0].inspection.note"),
        ] {
            assert_eq!(fields(shop.try_parcel(order, "P-1", &items).await), [field]);
        }
        assert_eq!(fields(shop.try_parcel(order, "", &[item(ids[0], 1)]).await), ["externalReference"]);
        let early = shop.try_parcel(order, "P-1", &[refusing(item(ids[0], 2), 1)]).await;
        assert_eq!(refusal(early), ErrorCode::Refused(RefusalCode::IllegalTransition), "one is still to come");
        assert_eq!(books(&database).await, before);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.try_parcel(order, "P-1", &[item(ids[0], 1)]).await), ErrorCode::NotFound);
        let counted = shop.parcel(order, "P-1", &[item(ids[0], 3)]).await;
        assert_eq!(refusal(other.reverse(&counted, None).await), ErrorCode::NotFound);
    }
}
