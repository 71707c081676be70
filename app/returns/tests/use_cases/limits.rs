//! Refunds never exceed what was paid and is left, in any order of returns, by Retour or by the shop.

use crate::{
    progress::{because, to},
    race::at_once,
    shop::{Customer, HERE, Shop, fresh, select},
};
use domain::{
    RefusalCode, ReturnRequestId,
    costs::LineKind,
    order::{NewOrder, OrderReview, OrderSums},
    policy::{Policy, Resolution},
    stage::{ReviewReason, StageName as N},
};
use returns::{Error, ErrorCode, Instead, Proof, Selection, StatusUpdate, view};
use store::testing::Database;

pub fn sold(shop: &Shop, number: &str, lines: &[(u32, i64)], sums: (i64, i64)) -> NewOrder {
    let sums = OrderSums { paid: Some(sums.0), refunded: sums.1 };
    NewOrder { sums, ..shop.order(number, lines) }
}

async fn sell(shop: &Shop, number: &str, lines: &[(u32, i64)], sums: (i64, i64)) -> Customer {
    shop.import(vec![sold(shop, number, lines, sums)]).await;
    shop.customer(number).await
}

/// The requests of the newest return.
pub async fn latest(customer: &Customer) -> Vec<view::ReturnRequestView> {
    customer.return_orders().await.remove(0).return_requests.unwrap()
}

pub fn figures(request: &view::ReturnRequestView) -> (i64, i64) {
    (request.resolution.value.unwrap().minor, request.resolution.full_value.unwrap().minor)
}

async fn left(customer: &Customer) -> Option<i64> {
    customer.purchases().await[0].prices.unwrap().refundable_up_to.map(|left| left.minor)
}

impl Shop {
    /// Staff approve the request and all of it arrives. Returns the request.
    pub async fn approve_and_receive(&self, id: ReturnRequestId, units: u32) -> view::ReturnRequestView {
        drop(self.update(id, to(N::RequestedApproved)).await);
        fresh(self.try_receive(id, units, None).await.unwrap(), 200)
    }

    /// Staff approve the amount.
    pub async fn approve(&self, id: ReturnRequestId) -> view::ReturnRequestView {
        fresh(self.update(id, to(N::ResolutionApproved)).await.unwrap(), 200)
    }

    async fn complete(&self, id: ReturnRequestId) {
        fresh(self.update(id, to(N::ResolutionCompleted)).await.unwrap(), 200);
    }
}

store::on_each_database! {
    async fn a_partially_refunded_order_refunds_the_rest_and_staff_see_both_figures(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "2002", &[(1, 16_000)], (16_000, 7_500)).await;
        assert_eq!(left(&customer).await, Some(8_500));
        let draft = fresh(customer.try_draft(customer.choose(&[(0, 1)]).await, None).await.unwrap(), 201);
        let costs = draft.costs.breakdown().unwrap().clone();
        assert_eq!(costs.total(LineKind::RefundLimit), -7_500);
        assert_eq!(costs.estimated_refund.minor, 8_500 + costs.total(LineKind::ReturnShipping));
        assert_eq!(draft.selected_purchases[0].review_reason, Some(ReviewReason::RefundLimit));
        fresh(customer.submit(draft.id).await.unwrap(), 201);
        let request = latest(&customer).await.remove(0);
        assert_eq!((request.stage, request.review_reason), (N::RequestedReview, Some(ReviewReason::RefundLimit)));
        let fee = costs.total(LineKind::ReturnShipping);
        assert_eq!(figures(&request), (8_500 + fee, 16_000 + fee));
        assert_eq!(left(&customer).await, Some(0), "the rest is promised");
        let waiting = shop.approve_and_receive(request.id, 1).await;
        assert_eq!(waiting.stage, N::ResolutionPending, "staff decide, whatever autoResolve says");
        let approved = shop.approve(request.id).await;
        assert_eq!((figures(&approved), approved.stage), ((8_500 + fee, 16_000 + fee), N::ResolutionApproved));
        let entries = shop.retour.merchant(&shop.staff).timeline(request.id).await.unwrap();
        assert_eq!(entries[0].comment, ReviewReason::RefundLimit.comment());
    }

    async fn the_first_return_gets_its_full_value_and_the_next_what_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "1001", &[(1, 8_000), (1, 8_000)], (16_000, 7_500)).await;
        customer.send_back(&[(0, 1)]).await;
        let first = latest(&customer).await.remove(0);
        assert_eq!((first.stage, first.review_reason), (N::SubmittedReady, None));
        assert_eq!(shop.approve_and_receive(first.id, 1).await.stage, N::ResolutionApproved);
        shop.complete(first.id).await;
        assert_eq!(left(&customer).await, Some(500), "the shop has not reported the refund yet");
        let refunded = 7_500 + figures(&first).0;
        shop.import(vec![sold(&shop, "1001", &[(1, 8_000), (1, 8_000)], (16_000, refunded))]).await;
        assert_eq!(left(&customer).await, Some(500), "the reported refund counts once");
        customer.send_back(&[(1, 1)]).await;
        let second = latest(&customer).await.remove(0);
        assert_eq!((second.stage, second.review_reason), (N::RequestedReview, Some(ReviewReason::RefundLimit)));
        shop.approve_and_receive(second.id, 1).await;
        shop.approve(second.id).await;
        let given: i64 = customer.return_orders().await.iter().map(|order| {
            let costs = order.costs.breakdown().unwrap();
            costs.total(LineKind::ItemRefund) + costs.total(LineKind::RefundLimit)
        }).sum();
        assert_eq!(given, 16_000 - 7_500);
    }

    async fn an_order_that_was_refunded_and_does_not_say_what_was_paid_waits_for_a_person(database: Database) {
        let shop = Shop::open(&database).await;
        let order = |refunded: i64| {
            let sums = OrderSums { paid: None, refunded };
            NewOrder { sums, ..shop.order("1001", &[(1, 10_000), (1, 5_000)]) }
        };
        shop.import(vec![order(4_000)]).await;
        let customer = shop.customer("1001").await;
        let draft = fresh(customer.try_draft(customer.choose(&[(0, 1)]).await, None).await.unwrap(), 201);
        assert_eq!((draft.needs_review, draft.selected_purchases[0].review_reason), (true, Some(ReviewReason::SumsDiffer)));
        fresh(customer.submit(draft.id).await.unwrap(), 201);
        let request = latest(&customer).await.remove(0);
        assert_eq!((request.stage, request.review_reason), (N::RequestedReview, Some(ReviewReason::SumsDiffer)));
        assert_eq!(shop.approve_and_receive(request.id, 1).await.stage, N::ResolutionPending, "no rule approves it");
        assert_eq!(shop.approve(request.id).await.stage, N::ResolutionApproved);
        // Once the shop says what was paid, there is a limit.
        shop.import(vec![NewOrder { sums: OrderSums { paid: Some(15_000), refunded: 4_000 }, ..order(0) }]).await;
        assert_eq!(left(&customer).await, Some(1_000));
    }

    async fn a_refund_of_retour_that_the_shop_reports_keeps_no_later_return_waiting(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 10_000), (1, 5_000)]).await;
        customer.send_back(&[(0, 1)]).await;
        let first = latest(&customer).await.remove(0);
        assert_eq!(shop.approve_and_receive(first.id, 1).await.stage, N::ResolutionApproved);
        shop.complete(first.id).await;
        let refunded = |refunded: i64| NewOrder { sums: OrderSums { paid: None, refunded }, ..shop.order("1001", &[(1, 10_000), (1, 5_000)]) };
        shop.import(vec![refunded(figures(&first).0)]).await;
        customer.send_back(&[(1, 1)]).await;
        let second = latest(&customer).await.remove(0);
        assert_eq!((second.stage, second.review_reason), (N::SubmittedReady, None));
        // Now the shop has refunded something on its own.
        shop.import(vec![refunded(figures(&first).0 + 1)]).await;
        assert_eq!(shop.approve_and_receive(second.id, 1).await.stage, N::ResolutionPending);
    }

    async fn an_unpaid_order_refunds_nothing_until_it_is_paid(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "2003", &[(1, 10_000)], (0, 0)).await;
        assert_eq!(left(&customer).await, Some(0));
        let order = customer.send_back(&[(0, 1)]).await;
        assert_eq!(order.costs.breakdown().unwrap().estimated_refund.minor, 0);
        let request = latest(&customer).await.remove(0);
        assert_eq!(request.stage, N::RequestedReview);
        assert_eq!(shop.approve_and_receive(request.id, 1).await.stage, N::ResolutionPending);
        // Now it is paid: the approval gives what is left at that moment.
        shop.import(vec![sold(&shop, "2003", &[(1, 10_000)], (10_000, 0))]).await;
        let approved = shop.approve(request.id).await;
        assert_eq!(figures(&approved), (10_000, 10_000));
    }

    async fn an_approval_gives_no_more_than_is_left_at_that_moment(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "1001", &[(1, 10_000)], (10_000, 0)).await;
        customer.send_back(&[(0, 1)]).await;
        shop.import(vec![sold(&shop, "1001", &[(1, 10_000)], (10_000, 9_000))]).await;
        let id = latest(&customer).await[0].id;
        let waiting = shop.approve_and_receive(id, 1).await;
        assert_eq!((waiting.stage, waiting.review_reason), (N::ResolutionPending, Some(ReviewReason::RefundedByShop)));
        let entries = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
        assert_eq!(entries.last().unwrap().comment, ReviewReason::RefundedByShop.comment());
        let approved = shop.approve(id).await;
        let costs = customer.return_orders().await[0].costs.breakdown().unwrap().clone();
        assert_eq!(costs.total(LineKind::RefundLimit), -9_000);
        assert_eq!(figures(&approved).0, 1_000 + costs.total(LineKind::ReturnShipping));
    }

    async fn a_failed_settlement_is_not_retried_after_the_shop_refunded_it(database: Database) {
        let shop = Shop::open(&database).await;
        for (number, instead) in [("1001", None), ("1002", Some(Resolution::StoreCredit))] {
            let customer = sell(&shop, number, &[(1, 10_000)], (10_000, 0)).await;
            customer.send_back(&[(0, 1)]).await;
            let id = latest(&customer).await[0].id;
            shop.approve_and_receive(id, 1).await;
            for stage in [N::ResolutionProcessing, N::ResolutionFailed, N::ResolutionProcessing, N::ResolutionFailed] {
                fresh(shop.update(id, because(stage, "down")).await.unwrap(), 200);
            }
            shop.import(vec![sold(&shop, number, &[(1, 10_000)], (10_000, 10_000))]).await;
            let instead = instead.map(|resolution| Instead { resolution, exchange_for: None });
            let again = StatusUpdate { instead, ..to(N::ResolutionProcessing) };
            let refused = shop.update(id, again).await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::Refused(RefusalCode::StageConflict));
            shop.complete(id).await;
        }
    }

    async fn a_refund_by_the_shop_sends_the_next_request_to_staff_even_if_enough_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let lines = [(1, 10_000), (1, 10_000), (1, 10_000)];
        let customer = sell(&shop, "1001", &lines, (30_000, 0)).await;
        customer.send_back(&[(0, 1)]).await;
        let first = latest(&customer).await[0].id;
        assert_eq!(shop.approve_and_receive(first, 1).await.stage, N::ResolutionApproved);
        customer.send_back(&[(1, 1)]).await;
        let second = latest(&customer).await[0].id;
        // The shop reports our refund of the first, which is no reason to stop the second.
        let net = figures(&shop.retour.merchant(&shop.staff).return_request(first, &[]).await.unwrap()).0;
        shop.import(vec![sold(&shop, "1001", &lines, (30_000, net))]).await;
        assert_eq!(shop.approve_and_receive(second, 1).await.stage, N::ResolutionApproved);
        customer.send_back(&[(2, 1)]).await;
        let third = latest(&customer).await[0].id;
        shop.import(vec![sold(&shop, "1001", &lines, (30_000, 2 * net + 1))]).await;
        let waiting = shop.approve_and_receive(third, 1).await;
        assert_eq!((waiting.stage, waiting.review_reason), (N::ResolutionPending, Some(ReviewReason::RefundedByShop)));
        shop.approve(third).await;
    }

    async fn units_that_the_shop_refunds_may_be_the_returned_ones(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 3_000)]).await;
        customer.send_back(&[(0, 1)]).await;
        let id = latest(&customer).await[0].id;
        let mut reported = shop.order("1001", &[(3, 3_000)]);
        reported.lines[0].shop_refunded = 1;
        shop.import(vec![reported]).await;
        let waiting = shop.approve_and_receive(id, 1).await;
        assert_eq!((waiting.stage, waiting.review_reason), (N::ResolutionPending, Some(ReviewReason::RefundedByShop)));
        assert_eq!(shop.approve(id).await.stage, N::ResolutionApproved, "the shop refunded other units");
        // A return that was made after that refund needs no review.
        customer.send_back(&[(0, 1)]).await;
        assert_eq!(shop.approve_and_receive(latest(&customer).await[0].id, 1).await.stage, N::ResolutionApproved);
    }

    async fn a_draft_is_outdated_when_the_refundable_amount_changes(database: Database) {
        let shop = Shop::open(&database).await;
        let lines = [(1, 10_000)];
        let customer = sell(&shop, "1001", &lines, (10_000, 0)).await;
        for (sums, expected) in [((10_000, 4_000), 6_000), ((10_000, 0), 10_000)] {
            let draft = customer.draft(&[(0, 1)]).await;
            shop.import(vec![sold(&shop, "1001", &lines, sums)]).await;
            let Err(Error::Outdated { refusal, costs, .. }) = customer.submit(draft).await else {
                panic!("expected an outdated draft");
            };
            let costs = costs.unwrap();
            assert_eq!(refusal.code, RefusalCode::DraftOutdated);
            assert_eq!(costs.estimated_refund.minor - costs.total(LineKind::ReturnShipping), expected);
        }
        // Enough is left, but it may be the same money, so staff decide.
        let lines = [(1, 10_000), (1, 10_000)];
        let other = sell(&shop, "1002", &lines, (20_000, 0)).await;
        let draft = other.draft(&[(0, 1)]).await;
        shop.import(vec![sold(&shop, "1002", &lines, (20_000, 1_000))]).await;
        fresh(other.submit(draft).await.unwrap(), 201);
        let request = latest(&other).await.remove(0);
        assert_eq!((request.stage, request.review_reason), (N::RequestedReview, Some(ReviewReason::RefundedByShop)));
    }

    async fn cancelled_and_denied_requests_free_their_amount(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "1001", &[(1, 8_000), (1, 8_000)], (16_000, 8_000)).await;
        let first = customer.send_back(&[(0, 1)]).await;
        assert_eq!(left(&customer).await, Some(0));
        fresh(customer.cancel(first.id).await.unwrap(), 200);
        assert_eq!(left(&customer).await, Some(8_000));
        customer.send_back(&[(1, 1)]).await;
        let id = latest(&customer).await[0].id;
        fresh(shop.update(id, because(N::ResolutionPending, "Lost")).await.unwrap(), 200);
        assert_eq!(left(&customer).await, Some(0));
        // The first shop's policy approves at once; a shop without automatic approval can deny.
        let mut told = shop.retour.merchant(&shop.staff).return_request(id, &[]).await.unwrap();
        assert_eq!(told.stage, N::ResolutionApproved);
        let careful = Shop::open_with(&database, "careful", "EUR", Policy { auto_resolve: false, ..Policy::default() }).await;
        let customer = sell(&careful, "1001", &[(2, 8_000)], (8_000, 4_000)).await;
        customer.send_back(&[(0, 1)]).await;
        told = latest(&customer).await.remove(0);
        careful.approve_and_receive(told.id, 1).await;
        assert_eq!(left(&customer).await, Some(0));
        careful.update(told.id, because(N::ResolutionDenied, "Worn")).await.unwrap();
        assert_eq!(left(&customer).await, Some(4_000));
    }

    async fn store_credit_and_exchanges_reduce_the_refundable_amount(database: Database) {
        let policy = Policy {
            resolutions: vec![Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange],
            store_credit_bonus_percent: domain::Percent::from_hundredths(1_000).unwrap(),
            ..Policy::default()
        };
        let shop = Shop::open_with(&database, "credit", "EUR", policy).await;
        let customer = sell(&shop, "1001", &[(1, 4_000), (1, 4_000), (1, 4_000)], (12_000, 3_000)).await;
        let draft = async |place: usize, resolution| {
            let selection = Selection { resolution, ..select(&customer.purchases().await[place], 1) };
            fresh(customer.try_draft(vec![selection], None).await.unwrap(), 201)
        };
        let exchange = draft(0, Resolution::Exchange).await;
        assert_eq!(exchange.costs.breakdown().unwrap().total(LineKind::RefundLimit), 0);
        fresh(customer.submit(exchange.id).await.unwrap(), 201);
        assert_eq!(left(&customer).await, Some(5_000), "the exchange uses its value");
        let credit = draft(1, Resolution::StoreCredit).await;
        assert_eq!(credit.costs.breakdown().unwrap().total(LineKind::StoreCreditBonus), 400, "the bonus was never paid");
        fresh(customer.submit(credit.id).await.unwrap(), 201);
        assert_eq!(left(&customer).await, Some(1_000));
        let rest = draft(2, Resolution::StoreCredit).await;
        let costs = rest.costs.breakdown().unwrap();
        assert_eq!((costs.total(LineKind::RefundLimit), costs.total(LineKind::StoreCreditBonus)), (-3_000, 100));
        fresh(customer.submit(rest.id).await.unwrap(), 201);
        assert_eq!(left(&customer).await, Some(0));
    }

    async fn an_approved_exchange_gives_goods_and_no_money_beyond_the_limit(database: Database) {
        let policy = Policy { resolutions: vec![Resolution::Exchange, Resolution::Refund], ..Policy::default() };
        let shop = Shop::open_with(&database, "swap", "EUR", policy).await;
        let customer = sell(&shop, "1001", &[(1, 4_000)], (4_000, 3_000)).await;
        let selection = Selection { resolution: Resolution::Exchange, ..select(&customer.purchases().await[0], 1) };
        let draft = fresh(customer.try_draft(vec![selection], None).await.unwrap(), 201);
        fresh(customer.submit(draft.id).await.unwrap(), 201);
        let request = latest(&customer).await.remove(0);
        assert_eq!(request.review_reason, Some(ReviewReason::RefundLimit));
        shop.approve_and_receive(request.id, 1).await;
        shop.approve(request.id).await;
        // The goods are sold out: the customer gets what is left as money.
        shop.update(request.id, to(N::ResolutionProcessing)).await.unwrap();
        shop.update(request.id, because(N::ResolutionFailed, "Sold out")).await.unwrap();
        let money = returns::Instead { resolution: Resolution::Refund, exchange_for: None };
        let paid = returns::StatusUpdate { instead: Some(money), ..to(N::ResolutionCompleted) };
        let request = fresh(shop.update(request.id, paid).await.unwrap(), 200);
        assert_eq!(figures(&request), (1_000, 4_000));
    }

    async fn an_order_with_inconsistent_sums_waits_for_staff(database: Database) {
        let shop = Shop::open(&database).await;
        let order = NewOrder { review: Some(OrderReview::SumsDiffer), ..shop.order("1001", &[(1, 1_000)]) };
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        assert_eq!(left(&customer).await, None);
        customer.send_back(&[(0, 1)]).await;
        let request = latest(&customer).await.remove(0);
        assert_eq!((request.stage, request.review_reason), (N::RequestedReview, Some(ReviewReason::SumsDiffer)));
        assert_eq!(figures(&request).0, figures(&request).1);
        assert_eq!(shop.approve_and_receive(request.id, 1).await.stage, N::ResolutionPending);
        assert_eq!(shop.approve(request.id).await.stage, N::ResolutionApproved);
    }

    async fn without_sums_in_an_import_the_known_limit_stays(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = sold(&shop, "1001", &[(1, 16_000)], (16_000, 7_500));
        order.review = Some(OrderReview::SumsDiffer);
        shop.import(vec![order]).await;
        shop.import(vec![shop.order("1001", &[(1, 16_000)])]).await;
        let customer = shop.customer("1001").await;
        assert_eq!(left(&customer).await, Some(8_500));
        assert_eq!(database.texts("SELECT review FROM orders").await, ["SumsDiffer"]);
        shop.import(vec![sold(&shop, "1001", &[(1, 16_000)], (16_000, 0))]).await;
        assert_eq!(left(&customer).await, Some(16_000), "the sums are reported again");
        assert_eq!(database.texts("SELECT review FROM orders").await, [""]);
    }

    async fn missing_units_reduce_the_refund_by_their_own_value_first(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = sell(&shop, "1001", &[(4, 4_000)], (4_000, 1_500)).await;
        let order = customer.send_back(&[(0, 4)]).await;
        let id = latest(&customer).await[0].id;
        shop.approve_and_receive(id, 2).await;
        shop.update(id, to(N::ResolutionPending)).await.unwrap();
        shop.approve(id).await;
        let costs = shop.whole(order.id).await.costs.breakdown().unwrap().clone();
        assert_eq!((costs.total(LineKind::ItemRefund), costs.total(LineKind::RefundLimit)), (2_000, 0));
        assert_eq!(left(&customer).await, Some(500));
    }

    async fn a_gift_return_is_limited_and_shows_no_amounts(database: Database) {
        let policy = Policy {
            gift_returns: true,
            resolutions: vec![Resolution::Refund, Resolution::StoreCredit],
            ..Policy::default()
        };
        let shop = Shop::open_with(&database, "gifts", "EUR", policy).await;
        let mut order = sold(&shop, "1001", &[(1, 16_000)], (16_000, 7_500));
        "EC1A 1BB".clone_into(&mut order.address.postal_code);
        shop.import(vec![order]).await;
        let proof = Proof::Gift { postal_code: "EC1A 1BB".to_owned(), recipient: "eve@example.com".to_owned() };
        let shopper = shop.retour.identify(&shop.account, "1001", proof, HERE).await.unwrap().shopper;
        let customer = Customer { retour: shop.retour.clone(), shopper };
        let selection = Selection { resolution: Resolution::StoreCredit, ..select(&customer.purchases().await[0], 1) };
        let draft = fresh(customer.try_draft(vec![selection], None).await.unwrap(), 201);
        assert!(draft.costs.breakdown().is_none() && draft.needs_review);
        assert_eq!(draft.selected_purchases[0].review_reason, None, "recipients do not learn what was refunded");
        let order = fresh(customer.submit(draft.id).await.unwrap(), 201);
        let own = latest(&customer).await.remove(0);
        assert_eq!((own.resolution.value, own.resolution.full_value), (None, None));
        let whole = shop.whole(order.id).await;
        let costs = whole.costs.breakdown().unwrap();
        assert_eq!(costs.total(LineKind::RefundLimit), -7_500);
        let request = &whole.return_requests.unwrap()[0];
        assert_eq!((request.stage, figures(request).1 - figures(request).0), (N::RequestedReview, 7_500));
    }

    async fn two_simultaneous_returns_refund_no_more_than_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let numbers: Vec<String> = (0..100).map(|round| format!("{}", 5_000 + round)).collect();
        shop.import(numbers.iter().map(|number| sold(&shop, number, &[(1, 8_000), (1, 8_000)], (16_000, 7_500))).collect()).await;
        for number in &numbers {
            let customer = shop.customer(number).await;
            let mut submits = Vec::new();
            for place in [0, 1] {
                let (customer, draft) = (customer.clone(), customer.draft(&[(place, 1)]).await);
                submits.push(async move { customer.submit(draft).await });
            }
            let outcomes = at_once(submits).await;
            let outdated = ErrorCode::Refused(RefusalCode::DraftOutdated);
            assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{number}");
            assert!(outcomes.iter().all(|outcome| outcome.as_ref().err().is_none_or(|error| error.code() == outdated)));
            assert_eq!(left(&customer).await, Some(500), "{number}");
        }
    }

    async fn two_simultaneous_approvals_refund_no_more_than_is_left(database: Database) {
        let shop = Shop::open(&database).await;
        let lines = [(1, 8_000), (1, 8_000)];
        let numbers: Vec<String> = (0..25).map(|round| format!("{}", 5_000 + round)).collect();
        shop.import(numbers.iter().map(|number| sold(&shop, number, &lines, (16_000, 0))).collect()).await;
        for number in &numbers {
            let customer = shop.customer(number).await;
            let mut approvals = Vec::new();
            for place in [0, 1] {
                customer.send_back(&[(place, 1)]).await;
                let (shop, id) = (shop.clone(), latest(&customer).await[0].id);
                approvals.push(async move { shop.try_receive(id, 1, None).await });
            }
            // The shop reports that it refunded half.
            shop.import(vec![sold(&shop, number, &lines, (16_000, 8_000))]).await;
            for outcome in at_once(approvals).await {
                assert_eq!(fresh(outcome.unwrap(), 200).stage, N::ResolutionPending);
            }
            let ids: Vec<ReturnRequestId> =
                customer.return_orders().await.into_iter().flat_map(|order| order.return_requests.unwrap()).map(|one| one.id).collect();
            let by_person = ids.into_iter().map(|id| {
                let shop = shop.clone();
                async move { shop.update(id, to(N::ResolutionApproved)).await }
            });
            at_once(by_person.collect()).await.into_iter().for_each(|outcome| drop(outcome.unwrap()));
            let given: i64 = customer.return_orders().await.iter().map(|order| {
                let costs = order.costs.breakdown().unwrap();
                costs.total(LineKind::ItemRefund) + costs.total(LineKind::RefundLimit)
            }).sum();
            assert_eq!(given, 8_000, "{number}");
        }
    }
}
