//! A return on its way through the shop: approved, received, inspected, resolved.

use crate::shop::{Customer, NOW, Shop, fields, fresh, refusal, taken};
use domain::{
    RefusalCode, ReturnOrderId, ReturnRequestId,
    costs::LineKind,
    party::Actor,
    policy::{Policy, ResolveOn},
    returning::ReturnOrderStatus,
    stage::{Inspection, StageName as N},
};
use returns::{Done, Error, ErrorCode, Expand, Receipt, Scope, StatusUpdate, view};
use store::testing::Database;

pub fn to(stage: N) -> StatusUpdate {
    StatusUpdate {
        stage,
        from_stage: None,
        comment: String::new(),
        external_reference: None,
        instead: None,
        version: None,
    }
}

pub fn because(stage: N, comment: &str) -> StatusUpdate {
    StatusUpdate { comment: comment.to_owned(), ..to(stage) }
}

impl Shop {
    pub async fn update(
        &self,
        id: ReturnRequestId,
        update: StatusUpdate,
    ) -> Result<Done<view::ReturnRequestView>, Error> {
        self.retour.merchant(&self.staff).update_status(id, update, None).await
    }

    pub async fn advance(&self, id: ReturnRequestId, update: StatusUpdate) -> N {
        fresh(self.update(id, update).await.unwrap(), 200).stage
    }

    async fn receive_units(&self, id: ReturnRequestId, quantity: u32, reference: Option<&str>) -> N {
        fresh(self.try_receive(id, quantity, reference).await.unwrap(), 200).stage
    }

    pub async fn try_receive(
        &self,
        id: ReturnRequestId,
        quantity: u32,
        reference: Option<&str>,
    ) -> Result<Done<view::ReturnRequestView>, Error> {
        let receipt = Receipt { quantity, external_reference: reference.map(str::to_owned) };
        self.retour.merchant(&self.staff).receive(id, receipt, None).await
    }

    pub async fn record_inspection(&self, id: ReturnRequestId, accepted: u32, refused: u32) -> Result<N, Error> {
        let inspection = Inspection { accepted, refused, condition: None, disposition: None, note: None };
        Ok(fresh(self.retour.merchant(&self.staff).inspect(id, inspection, None).await?, 200).stage)
    }

    pub async fn whole(&self, id: ReturnOrderId) -> view::ReturnOrderView {
        let expand = [Expand::ReturnRequests, Expand::Shipments];
        self.retour.merchant(&self.staff).return_order(id, &expand).await.unwrap()
    }
}

/// Makes a return of these units. Gives its id and its requests in the order of the purchases.
pub async fn returned(
    shop: &Shop,
    customer: &Customer,
    units: &[(usize, u32)],
) -> (ReturnOrderId, Vec<ReturnRequestId>) {
    let id = customer.send_back(units).await.id;
    (id, shop.whole(id).await.return_requests.unwrap().iter().map(|request| request.id).collect())
}

async fn kinds(database: &Database) -> Vec<String> {
    database.texts("SELECT type FROM events WHERE type <> 'return_request.stage_changed' ORDER BY seq").await
}

store::on_each_database! {
    async fn a_return_goes_all_the_way_to_the_refund(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(2, 1001)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 2)]).await;
        let id = ids[0];
        assert_eq!(shop.advance(id, because(N::RequestedApproved, "Known customer")).await, N::SubmittedReady);
        assert_eq!(shop.advance(id, to(N::ShipmentInTransit)).await, N::ShipmentInTransit);
        assert_eq!(shop.receive_units(id, 1, Some("GR-1")).await, N::ReceivedPartial);
        assert_eq!(shop.receive_units(id, 1, Some("GR-1")).await, N::ReceivedPartial, "the same delivery counts once");
        assert_eq!(fields(shop.try_receive(id, 2, Some("GR-1")).await), ["externalReference"], "a different delivery");
        assert_eq!(shop.receive_units(id, 1, Some("GR-2")).await, N::ResolutionApproved);
        let done = StatusUpdate { external_reference: Some("refund-77".into()), ..to(N::ResolutionCompleted) };
        let done = fresh(shop.update(id, done).await.unwrap(), 200);
        assert_eq!((done.stage, done.resolution.external_reference.as_deref()), (N::ResolutionCompleted, Some("refund-77")));
        let whole = shop.whole(order).await;
        assert_eq!((whole.status, whole.shipments.unwrap().len()), (ReturnOrderStatus::Completed, 1));
        assert_eq!(database.number("SELECT settled FROM purchases").await, 2);
        let entries = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
        assert_eq!((entries[1].actor, entries[1].to_stage, entries[1].comment.as_str()), (Actor::Merchant, N::RequestedApproved, "Known customer"));
        assert_eq!(entries[2].comment, "", "an automatic step has no comment");
        let expected = ["return_order.created", "return_order.confirmed", "shipment.label_created", "return_order.completed"];
        assert_eq!(kinds(&database).await, expected);
        let stages = database.number("SELECT COUNT(*) FROM events WHERE type = 'return_request.stage_changed'").await;
        assert_eq!(stages, i64::try_from(entries.len()).unwrap());
    }

    async fn a_rejected_request_leaves_the_return_and_the_rest_continues(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(1, 5900), (1, 2000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1), (1, 1)]).await;
        let before = shop.whole(order).await.costs.breakdown().unwrap().clone();
        assert_eq!(fields(shop.update(ids[1], to(N::RequestedRejected)).await), ["comment"]);
        assert_eq!(shop.advance(ids[1], because(N::RequestedRejected, "Worn")).await, N::RequestedRejected);
        assert_eq!(shop.whole(order).await.status, ReturnOrderStatus::Requested, "the other request is undecided");
        assert_eq!(shop.advance(ids[0], to(N::RequestedApproved)).await, N::SubmittedReady);
        let whole = shop.whole(order).await;
        assert_eq!(whole.status, ReturnOrderStatus::Open);
        let share = |costs: &domain::costs::CostBreakdown| {
            let lines = costs.lines.iter().filter(|line| line.kind == LineKind::ReturnShipping);
            lines.map(|line| line.amount.minor).next().unwrap_or(0)
        };
        assert_eq!(whole.costs.breakdown().unwrap().estimated_refund.minor, 5900 + share(&before), "only its own share of the fees");
        assert_eq!(taken(&database).await.0, 1, "rejected units can be returned again");
    }

    async fn an_outdated_from_stage_conflicts_and_a_repeat_changes_nothing(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, ids) = returned(&shop, &customer, &[(0, 1)]).await;
        assert_eq!(shop.receive_units(ids[0], 1, None).await, N::ResolutionApproved);
        let update = || StatusUpdate { from_stage: Some(N::ResolutionApproved), ..to(N::ResolutionProcessing) };
        let (one, two) = tokio::join!(shop.update(ids[0], update()), shop.update(ids[0], update()));
        let both = [one, two];
        assert_eq!(both.iter().filter(|outcome| outcome.is_ok()).count(), 1, "one of two workers gets the request");
        let loser = both.into_iter().find_map(Result::err).unwrap();
        assert_eq!(loser.code(), ErrorCode::Refused(RefusalCode::StageConflict));
        assert!(loser.to_string().contains("Resolution: Processing"), "{loser}");
        let events = database.rows("events").await;
        assert_eq!(shop.advance(ids[0], to(N::ResolutionProcessing)).await, N::ResolutionProcessing);
        assert_eq!(database.rows("events").await, events);
        let illegal = shop.update(ids[0], to(N::RequestedApproved)).await.unwrap_err();
        assert_eq!(illegal.code(), ErrorCode::Refused(RefusalCode::IllegalTransition));
        assert!(illegal.to_string().contains("Resolution: Completed, Resolution: Failed"), "{illegal}");
    }

    async fn units_that_the_warehouse_refuses_are_not_refunded(database: Database) {
        let shop = Shop::open_with(&database, "strict", "EUR", Policy { resolve_on: ResolveOn::Inspection, ..Policy::default() }).await;
        let customer = shop.sell("1001", &[(3, 3751)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 3)]).await;
        assert_eq!(shop.receive_units(ids[0], 3, None).await, N::InspectionPending);
        assert_eq!(fields(shop.record_inspection(ids[0], 3, 1).await), ["accepted"]);
        assert_eq!(shop.record_inspection(ids[0], 2, 1).await.unwrap(), N::ResolutionApproved);
        let costs = shop.whole(order).await.costs.breakdown().unwrap().clone();
        assert_eq!(costs.total(LineKind::ItemRefund), 2501, "12.51 and 12.50");
        shop.advance(ids[0], to(N::ResolutionCompleted)).await;
        assert_eq!(database.number("SELECT settled FROM purchases").await, 2);
        assert_eq!(taken(&database).await.0, 3, "refused units cannot be returned again");
    }

    async fn a_parcel_after_the_cancellation_takes_its_units_again_if_they_are_free(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 2)]).await;
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(taken(&database).await.0, 0);
        let (_, again) = returned(&shop, &customer, &[(0, 1)]).await;
        assert_eq!(shop.receive_units(ids[0], 2, None).await, N::ResolutionApproved, "one unit counts, one is surplus");
        assert_eq!(taken(&database).await.0, 2);
        assert_eq!(shop.whole(order).await.costs.breakdown().unwrap().total(LineKind::ItemRefund), 500);
        assert_eq!(shop.receive_units(again[0], 1, None).await, N::ResolutionApproved);
        for id in [ids[0], again[0]] {
            shop.advance(id, to(N::ResolutionCompleted)).await;
        }
        assert_eq!(database.number("SELECT settled FROM purchases").await, 2);
    }

    async fn cancelling_the_last_request_cancels_the_return(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000), (1, 500)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1), (1, 1)]).await;
        assert_eq!(shop.advance(ids[0], to(N::ClosedCancelled)).await, N::ClosedCancelled);
        assert_eq!(shop.whole(order).await.status, ReturnOrderStatus::Open);
        assert_eq!(shop.advance(ids[1], to(N::ClosedCancelled)).await, N::ClosedCancelled);
        let whole = shop.whole(order).await;
        assert_eq!((whole.status, whole.costs.breakdown().unwrap().estimated_refund.minor), (ReturnOrderStatus::Cancelled, 0));
        assert_eq!(whole.shipments.unwrap()[0].status, domain::returning::ShipmentStatus::Cancelled);
        assert_eq!((taken(&database).await.0, kinds(&database).await.last().unwrap().as_str()), (0, "return_order.cancelled"));
    }

    async fn an_orders_shipping_is_refunded_only_with_all_of_it(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(1, 1000), (1, 500)]);
        order.shipping_paid = 395;
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        let (id, ids) = returned(&shop, &customer, &[(0, 1), (1, 1)]).await;
        assert_eq!(shop.whole(id).await.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 395);
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 395);
        shop.receive_units(ids[0], 1, None).await;
        shop.advance(ids[1], because(N::ResolutionPending, "Lost on the way")).await;
        assert_eq!(shop.whole(id).await.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 395, "a lost parcel is refunded");
        let (other, more) = {
            let mut order = shop.order("1002", &[(1, 1000), (1, 500)]);
            order.shipping_paid = 395;
            shop.import(vec![order]).await;
            returned(&shop, &shop.customer("1002").await, &[(0, 1), (1, 1)]).await
        };
        shop.advance(more[0], to(N::ClosedCancelled)).await;
        assert_eq!(shop.whole(other).await.costs.breakdown().unwrap().total(LineKind::OutboundShippingRefund), 0);
        assert_eq!(database.number("SELECT CAST(SUM(shipping_returned) AS BIGINT) FROM orders").await, 395);
    }

    async fn another_shop_cannot_see_the_requests(database: Database) {
        let shop = Shop::open(&database).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (_, ids) = returned(&shop, &customer, &[(0, 1)]).await;
        assert_eq!(refusal(other.update(ids[0], to(N::ClosedCancelled)).await), ErrorCode::NotFound);
        let receipt = || Receipt { quantity: 1, external_reference: None };
        assert_eq!(refusal(other.retour.merchant(&other.staff).receive(ids[0], receipt(), None).await), ErrorCode::NotFound);
        assert_eq!(refusal(other.record_inspection(ids[0], 1, 0).await), ErrorCode::NotFound);
        assert_eq!(refusal(other.retour.merchant(&other.staff).timeline(ids[0]).await), ErrorCode::NotFound);
        let reader = shop.retour.operator().create_service_user(shop.account.id, "BI", &[Scope::Read]).await.unwrap();
        let reader = shop.retour.caller(&reader).await.unwrap();
        assert_eq!(refusal(reader.as_staff(Scope::Write)), ErrorCode::Forbidden);
        assert_eq!(shop.source.now(), NOW);
    }

    async fn simultaneous_receipts_add_up(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(20, 20_000)]).await;
        let (_, ids) = returned(&shop, &customer, &[(0, 20)]).await;
        let tasks: Vec<_> = (0..30)
            .map(|number| {
                let (shop, id) = (shop.clone(), ids[0]);
                // Ten of the thirty are repeats.
                tokio::spawn(async move { shop.receive_units(id, 1, Some(&format!("GR-{}", number % 20))).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let request = shop.retour.merchant(&shop.staff).return_request(ids[0], &[]).await.unwrap();
        assert_eq!((request.stage, database.rows("receipts").await), (N::ResolutionApproved, 20));
    }
}
