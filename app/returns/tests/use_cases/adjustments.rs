//! Staff change the value of a request before its resolution is approved.

use crate::{
    handling::{careful, once},
    progress::{because, to},
    shop::{Shop, fields, fresh, refusal, sent},
};
use domain::{
    Currency, Money, ReturnOrderId, ReturnRequestId,
    costs::{CostBreakdown, LineKind},
    money::Prices,
    policy::{Policy, ResolveOn},
    stage::StageName as N,
};
use returns::{AdjustmentInput, Error, ErrorCode, TakeBack, view};
use serde_json::json;
use store::testing::Database;

fn by(value: &str) -> AdjustmentInput {
    sent(json!({"amount": {"value": value, "currency": "EUR"}, "reason": "Stained"}))
}

impl Shop {
    async fn adjust(&self, id: ReturnRequestId, input: AdjustmentInput) -> Result<view::ReturnRequestView, Error> {
        Ok(fresh(self.retour.merchant(&self.staff).adjust(id, input, None).await?, 200))
    }

    async fn costs(&self, order: ReturnOrderId) -> CostBreakdown {
        self.whole(order).await.costs.breakdown().unwrap().clone()
    }
}

fn value(request: &view::ReturnRequestView) -> i64 {
    request.resolution.value.unwrap().minor
}

/// A shop where a person approves each resolution.
async fn unhurried(database: &Database) -> Shop {
    Shop::open_with(database, "unhurried", "EUR", Policy { auto_resolve: false, ..Policy::default() }).await
}

store::on_each_database! {
    async fn an_adjustment_stays_between_nothing_and_what_was_paid(database: Database) {
        let fee = Money::new(495, Currency::from_code("EUR").unwrap());
        let policy =
            Policy { auto_resolve: false, request_fee: Prices::new([fee]).unwrap(), ..Policy::default() };
        let shop = Shop::open_with(&database, "unhurried", "EUR", policy).await;
        let order = shop.sell("1001", &[(1, 5_900)]).await.send_back(&[(0, 1)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        let (before, fees) = (value(&request), shop.costs(order).await.fee_total.minor);
        assert_eq!((before + fees, fees > 0), (5_900, true));
        let less = shop.adjust(request.id, by("-10.00")).await.unwrap();
        assert_eq!((value(&less), less.version), (before - 1_000, request.version + 1));
        let costs = shop.costs(order).await;
        assert_eq!((costs.total(LineKind::Adjustment), costs.estimated_refund.minor), (-1_000, before - 1_000));
        let (all, fees_and_more) = (format!("-{}.{:02}", before / 100, before % 100), format!("{}.{:02}", (fees + 1_001) / 100, (fees + 1_001) % 100));
        assert_eq!(fields(shop.adjust(request.id, by(&all)).await), ["amount"], "10.00 are gone already");
        assert_eq!(fields(shop.adjust(request.id, by(&fees_and_more)).await), ["amount"], "never more than was paid");
        let most = fees + 1_000;
        let whole = shop.adjust(request.id, by(&format!("{}.{:02}", most / 100, most % 100))).await.unwrap();
        assert_eq!(value(&whole), 5_900, "the fees are given back");
        let none = shop.adjust(request.id, by("-59.00")).await.unwrap();
        assert_eq!(value(&none), 0);
    }

    async fn the_approved_value_and_its_settlement_contain_the_adjustment(database: Database) {
        let shop = unhurried(&database).await;
        let order = shop.sell("1001", &[(2, 8_000)]).await.send_back(&[(0, 2)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        let full = value(&request);
        shop.adjust(request.id, by("-30.00")).await.unwrap();
        shop.try_receive(request.id, 2, None).await.unwrap();
        assert_eq!(shop.advance(request.id, to(N::ResolutionApproved)).await, N::ResolutionApproved);
        let approved = shop.whole(order).await;
        assert_eq!(value(&approved.return_requests.unwrap()[0]), full - 3_000);
        let late = shop.adjust(request.id, by("-1.00")).await.unwrap_err();
        assert_eq!(late.code(), ErrorCode::Refused(domain::RefusalCode::IllegalTransition), "its value is fixed");
        // The timeline says who took it off and why; consumers see the amount alone.
        let entries = shop.retour.merchant(&shop.staff).timeline(request.id).await.unwrap();
        let entry = entries.iter().find(|entry| entry.from_stage == Some(entry.to_stage)).unwrap();
        assert_eq!((entry.comment.as_str(), entry.actor_id), ("-30.00 EUR: Stained", Some(shop.staff.id())));
        let own = shop.customer("1001").await.return_orders().await.remove(0);
        assert_eq!(own.costs.breakdown().unwrap().total(LineKind::Adjustment), -3_000);
        assert!(!serde_json::to_string(&own).unwrap().contains("Stained"));
    }

    async fn refused_units_reduce_the_value_first(database: Database) {
        let policy = Policy { auto_resolve: false, resolve_on: ResolveOn::Inspection, ..Policy::default() };
        let shop = Shop::open_with(&database, "inspecting", "EUR", policy).await;
        let order = shop.sell("1001", &[(2, 8_000)]).await.send_back(&[(0, 2)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        let fees = shop.costs(order).await.fee_total.minor;
        shop.adjust(request.id, by("-60.00")).await.unwrap();
        shop.try_receive(request.id, 2, None).await.unwrap();
        shop.record_inspection(request.id, 1, 1).await.unwrap();
        let costs = shop.costs(order).await;
        assert_eq!(costs.estimated_refund.minor, 0, "40.00 less fees less 60.00 is not below zero");
        assert_eq!(costs.total(LineKind::Adjustment), -(4_000 - fees));
        let back = shop.adjust(request.id, by("10.00")).await.unwrap();
        assert_eq!(value(&back), 1_000);
    }

    async fn a_receipt_that_is_taken_back_leaves_a_later_adjustment(database: Database) {
        let shop = unhurried(&database).await;
        let order = shop.sell("1001", &[(1, 5_900)]).await.send_back(&[(0, 1)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap().remove(0);
        shop.try_receive(request.id, 1, None).await.unwrap();
        let less = shop.adjust(request.id, by("-10.00")).await.unwrap();
        let staff = shop.retour.merchant(&shop.staff);
        let receipt = staff.receipts(request.id).await.unwrap()[0].id.unwrap();
        let back = fresh(staff.reverse_receipt(request.id, receipt, TakeBack::default(), None).await.unwrap(), 200);
        assert_eq!((back.received_quantity, value(&back)), (0, value(&less)));
        assert_eq!(shop.costs(order).await.estimated_refund.minor, value(&less));
    }

    async fn only_whole_and_understood_adjustments_are_accepted(database: Database) {
        let shop = careful(&database).await;
        let order = shop.sell("1001", &[(1, 5_900)]).await.send_back(&[(0, 1)]).await.id;
        let id = shop.whole(order).await.return_requests.unwrap()[0].id;
        assert_eq!(fields(shop.adjust(id, by("0.00")).await), ["amount"]);
        let input = |change: serde_json::Value| {
            let mut body = json!({"amount": {"value": "-1.00", "currency": "EUR"}, "reason": "Stained"});
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            sent::<AdjustmentInput>(body)
        };
        assert_eq!(fields(shop.adjust(id, input(json!({"reason": " a "}))).await), ["reason"]);
        assert_eq!(fields(shop.adjust(id, input(json!({"reason": "a".repeat(501)}))).await), ["reason"]);
        let dollars = input(json!({"amount": {"value": "-1.00", "currency": "USD"}}));
        assert_eq!(fields(shop.adjust(id, dollars).await), ["amount"]);
        let elsewhere = input(json!({"fromStage": "Resolution: Pending"}));
        assert_eq!(refusal(shop.adjust(id, elsewhere).await), ErrorCode::Refused(domain::RefusalCode::StageConflict));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.adjust(id, by("-1.00")).await), ErrorCode::NotFound);
        // A repeated request takes off once.
        let handle = shop.retour.merchant(&shop.staff);
        fresh(handle.adjust(id, by("-1.00"), once("1")).await.unwrap(), 200);
        handle.adjust(id, by("-1.00"), once("1")).await.unwrap();
        assert_eq!(shop.costs(order).await.total(LineKind::Adjustment), -100);
        assert_eq!(shop.advance(id, because(N::RequestedRejected, "Worn")).await, N::RequestedRejected);
        let rejected = shop.adjust(id, by("-1.00")).await;
        assert_eq!(refusal(rejected), ErrorCode::Refused(domain::RefusalCode::IllegalTransition));
        assert_eq!(shop.costs(order).await.total(LineKind::Adjustment), 0, "nothing is left to adjust");
    }
}
