//! Steps of the warehouse: what was recorded, and who did how much.

use crate::support::*;
use domain::{
    ReceivingId, ReturnOrderId, ReturnRequestId, Timestamp, WarehouseStepId,
    returning::{RequestSnapshot, WarehouseStep, WarehouseStepKind},
    stage::Stage,
};
use store::testing::Database;
use uuid::Uuid;

fn a_step(order: ReturnOrderId, actor: Uuid, at: Timestamp) -> WarehouseStep {
    let before = RequestSnapshot {
        state: state(Stage::ShipmentDelivered),
        resolution_value: 1_003,
        refund_limit: 0,
        costs: Some(no_costs()),
    };
    let after = RequestSnapshot { state: state(Stage::ResolutionApproved), resolution_value: 669, ..before.clone() };
    WarehouseStep {
        id: WarehouseStepId(id()),
        return_order_id: order,
        return_request_id: ReturnRequestId(id()),
        receiving_id: Some(ReceivingId(id())),
        kind: WarehouseStepKind::Receipt,
        external_reference: "GR-1".to_owned(),
        units: 3,
        refused: 1,
        before,
        after,
        actor_id: Some(actor),
        created_at: at,
    }
}

store::on_each_database! {
    async fn steps_are_found_by_their_return_order_and_in_their_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (order, actor) = (ReturnOrderId(id()), id());
        let first = a_step(order, actor, NOW);
        let second = WarehouseStep { kind: WarehouseStepKind::Inspection, receiving_id: None, actor_id: None, ..a_step(order, actor, NOW) };
        for step in [&first, &second] {
            keep!(database, warehouse_steps::insert, ours, step);
        }
        assert_eq!(look!(database, warehouse_steps::list_of_return_order, ours, order), [first.clone(), second.clone()]);
        assert_eq!(look!(database, warehouse_steps::list_of_return_order, theirs, order), []);
        keep!(database, warehouse_steps::delete, theirs, first.id);
        keep!(database, warehouse_steps::delete, ours, second.id);
        assert_eq!(look!(database, warehouse_steps::list_of_return_order, ours, order), [first]);
        keep!(database, warehouse_steps::delete_of_return_order, ours, order);
        assert_eq!(database.rows("warehouse_steps").await, 0);
    }

    async fn the_tally_is_of_one_person_since_a_moment(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let (order, ada, ben) = (ReturnOrderId(id()), id(), id());
        let one = a_step(order, ada, NOW);
        let same_parcel = WarehouseStep { receiving_id: one.receiving_id, ..a_step(order, ada, NOW.plus_seconds(1)) };
        let last = a_step(ReturnOrderId(id()), ada, NOW.plus_seconds(2));
        for step in [&a_step(order, ada, NOW.plus_seconds(-1)), &one, &same_parcel, &last, &a_step(order, ben, NOW)] {
            keep!(database, warehouse_steps::insert, ours, step);
        }
        let tally = look!(database, warehouse_steps::sum_of_actor, ours, ada, NOW);
        assert_eq!((tally.parcels, tally.units, tally.refused), (2, 9, 3));
        assert_eq!(look!(database, warehouse_steps::sum_of_actor, theirs, ada, NOW).units, 0);
        let found = look!(database, warehouse_steps::last_parcel_of_actor, ours, ada, NOW).unwrap();
        assert_eq!((found.return_order_id, Some(found.receiving_id)), (last.return_order_id, last.receiving_id));
        assert_eq!(look!(database, warehouse_steps::last_parcel_of_actor, ours, ada, NOW.plus_seconds(3)), None);
        assert_eq!(keep!(database, warehouse_steps::prune, NOW), 1);
        assert_eq!(database.rows("warehouse_steps").await, 4);
    }
}
