//! Staff change what a request asks for, before anything of it has arrived.

use crate::{
    handling::{agent, once},
    progress::to,
    shop::{Shop, fields, fresh, refusal, sent, taken},
};
use domain::{
    RefusalCode, ReturnReasonId, ReturnRequestId,
    costs::LineKind,
    money::Percent,
    order::NewOrder,
    policy::{Policy, Resolution},
    stage::StageName as N,
};
use returns::{AmendmentInput, Error, ErrorCode, view};
use serde_json::json;
use store::testing::Database;

fn because(change: AmendmentInput) -> AmendmentInput {
    AmendmentInput { reason: "On the phone".to_owned(), ..change }
}

fn units(quantity: u32) -> AmendmentInput {
    because(AmendmentInput { quantity: Some(quantity), ..AmendmentInput::default() })
}

fn wanting(resolution: Resolution) -> AmendmentInput {
    because(AmendmentInput { requested_resolution: Some(resolution), ..AmendmentInput::default() })
}

impl Shop {
    async fn amend(&self, id: ReturnRequestId, input: AmendmentInput) -> Result<view::ReturnRequestView, Error> {
        Ok(fresh(self.retour.merchant(&self.staff).amend(id, input, None).await?, 200))
    }

    async fn costly_reason(&self) -> ReturnReasonId {
        let new = sent(json!({"description": {"en": "Changed my mind"}, "restockingFeePercent": 10}));
        fresh(self.retour.merchant(&self.staff).create_return_reason(new, None).await.unwrap(), 201).id
    }
}

async fn unhurried(database: &Database) -> Shop {
    let policy = Policy {
        auto_resolve: false,
        resolutions: vec![Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange],
        store_credit_bonus_percent: Percent::from_hundredths(1_000).unwrap(),
        ..Policy::default()
    };
    Shop::open_with(database, "unhurried", "EUR", policy).await
}

store::on_each_database! {
    async fn fewer_units_are_worth_less_and_the_others_can_be_returned_again(database: Database) {
        let shop = unhurried(&database).await;
        let order = NewOrder { shipping_paid: 500, ..shop.order("1001", &[(3, 3_001)]) };
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 3)]).await;
        let request = shop.whole(order.id).await.return_requests.unwrap().remove(0);
        let before = shop.whole(order.id).await.costs.breakdown().unwrap().clone();
        assert_eq!((before.total(LineKind::ItemRefund), before.total(LineKind::OutboundShippingRefund)), (3_001, 500));
        let changed = shop.amend(request.id, units(2)).await.unwrap();
        assert_eq!((changed.quantity, changed.stage, changed.version), (2, request.stage, request.version + 1));
        assert_eq!(changed.purchase_price.unwrap().minor, 2_001);
        let whole = shop.whole(order.id).await;
        let costs = whole.costs.breakdown().unwrap().clone();
        assert_eq!((costs.total(LineKind::ItemRefund), costs.total(LineKind::OutboundShippingRefund)), (2_001, 0), "the order is no longer whole");
        assert_eq!(whole.version, order.version + 1);
        assert_eq!(taken(&database).await, (2, 1));
        let again = customer.send_back(&[(0, 1)]).await;
        assert_eq!(shop.whole(again.id).await.return_requests.unwrap()[0].purchase_price.unwrap().minor, 1_000);
        // What arrives later counts as ever.
        shop.try_receive(request.id, 2, None).await.unwrap();
        assert_eq!(shop.advance(request.id, to(N::ResolutionApproved)).await, N::ResolutionApproved);
        let value = shop.whole(order.id).await.return_requests.unwrap()[0].resolution.value.unwrap();
        assert_eq!(value.minor, costs.estimated_refund.minor);
        let entries = shop.retour.merchant(&shop.staff).timeline(request.id).await.unwrap();
        let entry = entries.iter().find(|entry| entry.from_stage == Some(entry.to_stage)).unwrap();
        assert_eq!((entry.comment.as_str(), entry.actor_id), ("quantity 3 → 2: On the phone", Some(shop.staff.id())));
    }

    async fn a_preview_says_what_a_change_costs_and_changes_nothing(database: Database) {
        let shop = unhurried(&database).await;
        let order = NewOrder { shipping_paid: 500, ..shop.order("1001", &[(3, 3_001)]) };
        shop.import(vec![order]).await;
        let order = shop.customer("1001").await.send_back(&[(0, 3)]).await;
        let request = shop.whole(order.id).await.return_requests.unwrap().remove(0);
        let handle = shop.retour.merchant(&shop.staff);
        let preview = handle.preview_amendment(request.id, units(2)).await.unwrap();
        let before = (preview.before.estimated_refund.minor, preview.after.estimated_refund.minor);
        let total = |costs: &view::Costs| costs.breakdown().unwrap().estimated_refund.minor;
        assert_eq!(before.0, shop.whole(order.id).await.costs.breakdown().unwrap().estimated_refund.minor);
        assert_eq!(taken(&database).await, (3, 1), "nothing is given back");
        let unchanged = shop.whole(order.id).await;
        assert_eq!((unchanged.version, unchanged.return_requests.unwrap()[0].quantity), (order.version, 3));
        assert_eq!(fields(handle.preview_amendment(request.id, units(4)).await), ["quantity"]);
        shop.amend(request.id, units(2)).await.unwrap();
        assert_eq!(before.1, total(&shop.whole(order.id).await.costs), "as it was said");
    }

    async fn another_reason_and_another_resolution_have_their_own_costs(database: Database) {
        let shop = unhurried(&database).await;
        let order = shop.sell("1001", &[(1, 5_000), (1, 2_000)]).await.send_back(&[(0, 1), (1, 1)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        let full = shop.whole(order).await.costs.breakdown().unwrap().clone();
        let reason = shop.costly_reason().await;
        let other = because(AmendmentInput { return_reason_id: Some(reason), return_reason_comment: Some("Too big".to_owned()), ..AmendmentInput::default() });
        let changed = shop.amend(request.id, other).await.unwrap();
        assert_eq!((changed.return_reason_id, changed.return_reason_comment.as_str()), (reason, "Too big"));
        let costs = shop.whole(order).await.costs.breakdown().unwrap().clone();
        let fee = costs.total(LineKind::RestockingFee) - full.total(LineKind::RestockingFee);
        assert_eq!((fee, costs.estimated_refund.minor), (-500, full.estimated_refund.minor - 500));
        let credit = shop.amend(request.id, wanting(Resolution::StoreCredit)).await.unwrap();
        assert_eq!(credit.requested_resolution, Resolution::StoreCredit);
        let costs = shop.whole(order).await.costs.breakdown().unwrap().clone();
        assert_eq!(costs.total(LineKind::StoreCreditBonus), 450, "ten percent of what the fee leaves");
        let goods = |sku: &str| AmendmentInput { exchange_for: Some(sku.to_owned()), ..wanting(Resolution::Exchange) };
        assert_eq!(fields(shop.amend(request.id, goods("MUG-NONE")).await), ["exchangeFor.sku"]);
        let exchanged = shop.amend(request.id, goods("MUG-OTHER")).await.unwrap();
        assert_eq!(exchanged.exchange_for.unwrap().sku, "MUG-OTHER");
        let refund = shop.amend(request.id, wanting(Resolution::Refund)).await.unwrap();
        assert_eq!((refund.requested_resolution, refund.quantity), (Resolution::Refund, 1));
        let audited = database.texts("SELECT action FROM audit_entries WHERE action = 'return_request.amended'").await;
        assert_eq!(audited.len(), 4);
    }

    async fn an_agent_does_not_raise_a_value_above_the_limit(database: Database) {
        let policy = Policy { auto_resolve: false, agent_limit: sent(json!([{"value": "40.00", "currency": "EUR"}])), ..Policy::default() };
        let shop = Shop::open_with(&database, "limited", "EUR", policy).await;
        let order = shop.sell("1001", &[(1, 5_000)]).await.send_back(&[(0, 1)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        let (costly, usual) = (shop.costly_reason().await, request.return_reason_id);
        let into = |reason| because(AmendmentInput { return_reason_id: Some(reason), ..AmendmentInput::default() });
        let (_, ada) = agent(&shop, "ada@shop.example").await;
        let as_ada = shop.retour.merchant(&ada);
        fresh(as_ada.amend(request.id, into(costly), None).await.unwrap(), 200);
        assert_eq!(as_ada.worked_return_orders().await.unwrap().data[0].id, order);
        let raised = as_ada.amend(request.id, into(usual), None).await;
        assert_eq!(refusal(raised), ErrorCode::Refused(RefusalCode::AgentLimitExceeded), "the fee would be given back");
        assert_eq!(shop.amend(request.id, into(usual)).await.unwrap().return_reason_id, usual);
    }

    async fn only_what_has_not_arrived_can_change_and_only_to_less(database: Database) {
        let shop = unhurried(&database).await;
        let order = shop.sell("1001", &[(3, 3_000)]).await.send_back(&[(0, 2)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        for quantity in [0, 3] {
            assert_eq!(fields(shop.amend(id, units(quantity)).await), ["quantity"]);
        }
        let unknown = because(AmendmentInput { return_reason_id: Some(ReturnReasonId(id.0)), ..AmendmentInput::default() });
        assert_eq!(fields(shop.amend(id, unknown).await), ["returnReasonId"]);
        assert_eq!(fields(shop.amend(id, AmendmentInput { reason: " a ".to_owned(), ..units(1) }).await), ["reason"]);
        let elsewhere = AmendmentInput { from_stage: Some(N::ResolutionPending), ..units(1) };
        assert_eq!(refusal(shop.amend(id, elsewhere).await), ErrorCode::Refused(RefusalCode::StageConflict));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.amend(id, units(1)).await), ErrorCode::NotFound);
        let handle = shop.retour.merchant(&shop.staff);
        fresh(handle.amend(id, units(1), once("1")).await.unwrap(), 200);
        handle.amend(id, units(1), once("1")).await.unwrap();
        assert_eq!(taken(&database).await, (1, 0), "a repeated request gives back once");
        shop.try_receive(id, 1, None).await.unwrap();
        let late = shop.amend(id, wanting(Resolution::StoreCredit)).await;
        assert_eq!(refusal(late), ErrorCode::Refused(RefusalCode::IllegalTransition));
    }
}
