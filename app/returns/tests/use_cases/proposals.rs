//! An agent proposes what is above the agent's limit, and somebody else approves or refuses it.

use crate::{
    handling::once,
    progress::because,
    shop::{Customer, Shop, fields, for_consumer, fresh, refusal, sent},
};
use domain::{
    Money, ProposalId, RefusalCode, ReturnRequestId,
    money::Percent,
    policy::{Policy, Resolution},
    returning::{OverriddenRule, ProposalKind},
    stage::{Queue, StageName as N},
};
use returns::{
    AdjustmentInput, AmendmentInput, Error, ErrorCode, OverrideInput, ProposalInput, Proposed, ReturnForConsumer, Role,
    Staff, lists, view,
};
use serde_json::json;
use store::{lists::Listing, testing::Database};

async fn limited(database: &Database) -> Shop {
    let agent_limit = sent(json!([{"value": "40.00", "currency": "EUR"}]));
    let policy = Policy { auto_resolve: false, agent_limit, ..Policy::default() };
    Shop::open_with(database, "limited", "EUR", policy).await
}

fn euros(minor: i64) -> Money {
    Money::new(minor, domain::Currency::from_code("EUR").unwrap())
}

fn adjusting(minor: i64) -> ProposalInput {
    let (kind, amount) = (Proposed::Adjustment, Some(euros(minor)));
    ProposalInput { kind, amount, comment: "A scratch".to_owned(), from_stage: None }
}

fn resolving() -> ProposalInput {
    ProposalInput { kind: Proposed::Resolution, amount: None, comment: "Lost twice".to_owned(), from_stage: None }
}

impl Shop {
    async fn propose(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        input: ProposalInput,
    ) -> Result<view::ReturnRequestView, Error> {
        Ok(fresh(self.retour.merchant(staff).propose(id, input, None).await?, 200))
    }

    async fn approve_proposed(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        proposal: ProposalId,
    ) -> Result<view::ReturnRequestView, Error> {
        Ok(fresh(self.retour.merchant(staff).approve_proposal(id, proposal, None, None).await?, 200))
    }

    async fn refuse_proposed(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        proposal: ProposalId,
    ) -> Result<view::ReturnRequestView, Error> {
        let why = "Ask for a photo first".to_owned();
        Ok(fresh(self.retour.merchant(staff).refuse_proposal(id, proposal, why, None).await?, 200))
    }

    async fn to_approve(&self) -> (i64, usize) {
        let queues = self.retour.merchant(&self.staff).queues().await.unwrap().data;
        let queue = queues.into_iter().find(|queue| queue.queue == Queue::ToApprove).unwrap();
        let condition = lists::RETURN_REQUESTS.condition(&queue.filters[0]).unwrap();
        let listing = Listing { conditions: vec![condition], ..Listing::newest(returns::Page::first(10)) };
        let listed = self.retour.merchant(&self.staff).return_requests(&listing, &[]).await.unwrap();
        (queue.count, listed.data.len())
    }

    async fn comments(&self, id: ReturnRequestId) -> Vec<String> {
        let entries = self.retour.merchant(&self.staff).timeline(id).await.unwrap();
        entries.into_iter().map(|entry| entry.comment).filter(|comment| !comment.is_empty()).collect()
    }
}

async fn a_request(shop: &Shop, number: &str) -> (Customer, view::ReturnRequestView) {
    let customer = shop.sell(number, &[(1, 5_000)]).await;
    let order = customer.send_back(&[(0, 1)]).await.id;
    let request = shop.whole(order).await.return_requests.unwrap().remove(0);
    (customer, request)
}

/// A return of one unit, for which staff waive the fees.
async fn waiving_fees(customer: &Customer, place: usize) -> ReturnForConsumer {
    let option = customer.purchases().await[0].shipping_options.first().map(|option| option.id);
    let overrides = vec![OverrideInput { rule: OverriddenRule::Fees, reason: "Our mistake".to_owned() }];
    ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, customer.choose(&[(place, 1)]).await, option) }
}

fn is_beyond(outcome: Result<view::ReturnRequestView, Error>) -> bool {
    refusal(outcome) == ErrorCode::Refused(RefusalCode::AgentLimitExceeded)
}

store::on_each_database! {
    async fn an_adjustment_is_proposed_and_carried_out_by_somebody_else(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let (customer, request) = a_request(&shop, "1001").await;
        let asked = shop.propose(&agent, request.id, adjusting(-500)).await.unwrap();
        let proposal = asked.proposal.unwrap();
        assert_eq!((proposal.kind, proposal.amount, proposal.comment.as_str()), (ProposalKind::Adjustment, Some(euros(-500)), "A scratch"));
        assert_eq!((proposal.proposed_by, asked.stage), (Some(agent.id()), request.stage));
        assert_eq!(asked.resolution.value, request.resolution.value, "nothing has changed yet");
        assert_eq!(shop.to_approve().await, (1, 1));
        assert!(is_beyond(shop.approve_proposed(&agent, request.id, proposal.id).await));
        let warehouse = shop.staff_with(Role::Warehouse).await;
        let shown = shop.retour.merchant(&warehouse).return_request(request.id, &[]).await.unwrap();
        assert!(shown.proposal.is_none(), "it is about money");
        let seen = shop.retour.consumer(&customer.shopper).return_order(request.return_order_id, &[returns::Expand::ReturnRequests]).await.unwrap();
        assert!(seen.return_requests.unwrap()[0].proposal.is_none());
        let done = shop.approve_proposed(&finance, request.id, proposal.id).await.unwrap();
        assert_eq!((done.proposal, done.resolution.value), (None, Some(euros(request.resolution.value.unwrap().minor - 500))));
        assert_eq!(shop.to_approve().await, (0, 0));
        assert_eq!(shop.comments(request.id).await, ["Proposed: -5.00 EUR, A scratch", "Approved: -5.00 EUR, A scratch"]);
        let again = shop.approve_proposed(&finance, request.id, proposal.id).await;
        assert_eq!(refusal(again), ErrorCode::Refused(RefusalCode::StageConflict), "it was decided");
        let audited = database.texts("SELECT action FROM audit_entries WHERE action LIKE 'return_request.proposal%' ORDER BY seq").await;
        assert_eq!(audited, ["return_request.proposal_made", "return_request.proposal_approved"]);
    }

    async fn a_refund_is_proposed_where_agents_decide_no_more(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let (customer, request) = a_request(&shop, "1001").await;
        let early = shop.propose(&agent, request.id, resolving()).await;
        assert_eq!(refusal(early), ErrorCode::Refused(RefusalCode::IllegalTransition));
        shop.advance(request.id, because(N::ResolutionPending, "Lost in the post")).await;
        let first = shop.propose(&agent, request.id, resolving()).await.unwrap().proposal.unwrap();
        let viewer = shop.staff_with(Role::Viewer).await;
        assert_eq!(refusal(shop.refuse_proposed(&viewer, request.id, first.id).await), ErrorCode::Forbidden);
        let refused = shop.refuse_proposed(&finance, request.id, first.id).await.unwrap();
        assert_eq!((refused.stage, refused.proposal), (N::ResolutionPending, None));
        let second = shop.propose(&agent, request.id, resolving()).await.unwrap().proposal.unwrap();
        let third = shop.propose(&agent, request.id, adjusting(-100)).await.unwrap().proposal.unwrap();
        assert_eq!(shop.to_approve().await, (1, 1), "the newer one replaces it");
        assert_eq!(refusal(shop.approve_proposed(&finance, request.id, second.id).await), ErrorCode::Refused(RefusalCode::StageConflict));
        assert!(shop.refuse_proposed(&agent, request.id, third.id).await.unwrap().proposal.is_none(), "an agent takes back their own");
        let last = shop.propose(&agent, request.id, resolving()).await.unwrap().proposal.unwrap();
        let done = shop.approve_proposed(&finance, request.id, last.id).await.unwrap();
        assert_eq!((done.stage, done.proposal), (N::ResolutionApproved, None));
        let seen = shop.retour.consumer(&customer.shopper).timeline(request.return_order_id).await.unwrap();
        assert!(seen.iter().all(|entry| !entry.comment.contains("Lost twice") && !entry.comment.contains("photo")), "{seen:?}");
        assert!(shop.comments(request.id).await.contains(&"Refused: Lost twice. Ask for a photo first".to_owned()));
    }

    async fn whoever_decides_without_it_ends_a_proposal(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let (_, request) = a_request(&shop, "1001").await;
        let proposal = shop.propose(&agent, request.id, adjusting(-500)).await.unwrap().proposal.unwrap();
        shop.advance(request.id, because(N::ResolutionPending, "Lost in the post")).await;
        assert_eq!(shop.to_approve().await, (1, 1), "its stage does not matter to an adjustment");
        shop.advance(request.id, because(N::ResolutionDenied, "Worn")).await;
        assert_eq!(shop.to_approve().await, (0, 0));
        assert_eq!(refusal(shop.approve_proposed(&finance, request.id, proposal.id).await), ErrorCode::Refused(RefusalCode::StageConflict));
        // Nobody approves their own, whatever their role.
        let (_, other) = a_request(&shop, "1002").await;
        let own = shop.propose(&finance, other.id, adjusting(-500)).await.unwrap().proposal.unwrap();
        assert!(is_beyond(shop.approve_proposed(&finance, other.id, own.id).await));
    }

    async fn what_cannot_be_proposed_says_why(database: Database) {
        let shop = limited(&database).await;
        let agent = shop.staff_with(Role::Agent).await;
        let (_, request) = a_request(&shop, "1001").await;
        for (input, field) in [
            (adjusting(0), "amount"),
            (adjusting(-999_999), "amount"),
            (ProposalInput { amount: None, ..adjusting(1) }, "amount"),
            (ProposalInput { amount: Some(euros(1)), ..resolving() }, "amount"),
            (ProposalInput { comment: " a ".to_owned(), ..adjusting(-1) }, "comment"),
            (ProposalInput { comment: "a".repeat(501), ..adjusting(-1) }, "comment"),
        ] {
            assert_eq!(fields(shop.propose(&agent, request.id, input).await), [field]);
        }
        let elsewhere = ProposalInput { from_stage: Some(N::ResolutionPending), ..adjusting(-1) };
        assert_eq!(refusal(shop.propose(&agent, request.id, elsewhere).await), ErrorCode::Refused(RefusalCode::StageConflict));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.propose(&other.staff, request.id, adjusting(-1)).await), ErrorCode::NotFound);
        let handle = shop.retour.merchant(&agent);
        fresh(handle.propose(request.id, adjusting(-1), once("1")).await.unwrap(), 200);
        handle.propose(request.id, adjusting(-1), once("1")).await.unwrap();
        assert_eq!(shop.comments(request.id).await.len(), 1, "a repeated request proposes once");
    }

    async fn a_return_that_overrides_a_rule_above_the_limit_waits(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let customer = shop.sell("1001", &[(3, 15_000)]).await;
        let option = customer.purchases().await[0].shipping_options.first().map(|option| option.id);
        let overriding = |selections| {
            let overrides = vec![OverrideInput { rule: OverriddenRule::Fees, reason: "Our mistake".to_owned() }];
            ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, selections, option) }
        };
        let make = async |staff: &Staff| {
            let new = overriding(customer.choose(&[(0, 1)]).await);
            let order = fresh(shop.retour.merchant(staff).create_return_order(new, None).await.unwrap(), 201);
            shop.whole(order.id).await.return_requests.unwrap().remove(0)
        };
        assert_eq!(make(&shop.staff).await.stage, N::SubmittedReady, "keys have no limit");
        let held = make(&agent).await;
        let proposal = held.proposal.clone().unwrap();
        assert_eq!((held.stage, proposal.kind, proposal.proposed_by), (N::RequestedReview, ProposalKind::Override, Some(agent.id())));
        assert_eq!(shop.to_approve().await, (1, 1));
        let moved = shop.retour.merchant(&agent).update_status(held.id, crate::progress::to(N::RequestedApproved), None).await;
        assert_eq!(refusal(moved), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
        let done = shop.approve_proposed(&finance, held.id, proposal.id).await.unwrap();
        assert_eq!((done.stage, done.proposal), (N::SubmittedReady, None));
        let second = make(&agent).await;
        let refused = shop.refuse_proposed(&finance, second.id, second.proposal.unwrap().id).await.unwrap();
        assert_eq!(refused.stage, N::RequestedRejected);
        let seen = shop.retour.consumer(&customer.shopper).timeline(second.return_order_id).await.unwrap();
        assert_eq!(seen.last().unwrap().comment, "Ask for a photo first", "the customer reads it");
        assert!(seen.iter().all(|entry| !entry.comment.contains("Our mistake")), "{seen:?}");
    }

    async fn a_draft_that_overrides_a_rule_above_the_limit_waits_whoever_submits_it(database: Database) {
        let shop = limited(&database).await;
        let agent = shop.staff_with(Role::Agent).await;
        let customer = shop.sell("1001", &[(1, 5_000)]).await;
        let option = customer.purchases().await[0].shipping_options.first().map(|option| option.id);
        let overrides = vec![OverrideInput { rule: OverriddenRule::Fees, reason: "Our mistake".to_owned() }];
        let new = ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, customer.choose(&[(0, 1)]).await, option) };
        let draft = fresh(shop.retour.merchant(&agent).create_draft(new, None).await.unwrap(), 201);
        assert!(draft.overrides[0].needs_approval);
        let order = fresh(customer.submit(draft.id).await.unwrap(), 201);
        let request = shop.whole(order.id).await.return_requests.unwrap().remove(0);
        assert_eq!((request.stage, request.proposal.unwrap().proposed_by), (N::RequestedReview, Some(agent.id())));
    }

    async fn what_agents_give_by_overriding_rules_counts_for_the_whole_order(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let customer = shop.sell("1001", &[(4, 6_000), (1, 1_500)]).await;
        let make = async |staff: &Staff, place: usize| {
            let new = waiving_fees(&customer, place).await;
            let order = fresh(shop.retour.merchant(staff).create_return_order(new, None).await.unwrap(), 201);
            shop.whole(order.id).await.return_requests.unwrap().remove(0)
        };
        assert_eq!(make(&shop.staff, 0).await.stage, N::SubmittedReady, "what keys give does not count");
        let first = make(&agent, 0).await;
        assert_eq!((first.stage, make(&agent, 0).await.stage), (N::SubmittedReady, N::SubmittedReady));
        let third = make(&agent, 0).await;
        assert_eq!(third.stage, N::RequestedReview, "45.00 of 40.00 together");
        shop.approve_proposed(&finance, third.id, third.proposal.unwrap().id).await.unwrap();
        let fourth = make(&agent, 1).await;
        assert_eq!(fourth.stage, N::RequestedReview, "30.00 are still not approved by anybody else");
        shop.refuse_proposed(&finance, fourth.id, fourth.proposal.unwrap().id).await.unwrap();
        fresh(shop.retour.merchant(&agent).cancel_return_order(first.return_order_id, None).await.unwrap(), 200);
        assert_eq!(make(&agent, 1).await.stage, N::SubmittedReady, "a cancelled return gives nothing");
    }

    async fn another_way_of_sending_does_not_lead_around_the_limit(database: Database) {
        let shop = limited(&database).await;
        let agent = shop.staff_with(Role::Agent).await;
        let dear = json!({"name": {"en": "Courier"}, "method": "Label", "prices": [{"value": "20.00", "currency": "EUR"}]});
        let made = shop.retour.merchant(&shop.staff).create_shipping_option(sent(dear), None).await.unwrap();
        let dear = fresh(made, 201).id;
        let customer = shop.sell("1001", &[(1, 5_000), (1, 5_000)]).await;
        let cheap = customer.purchases().await[0].shipping_options.iter().find(|option| option.id != dear).unwrap().id;
        // Consumers pay the way of sending only for reasons that are not the shop's fault.
        let new = sent(json!({"description": {"en": "Changed my mind"}}));
        let reason = fresh(shop.retour.merchant(&shop.staff).create_return_reason(new, None).await.unwrap(), 201).id;
        let rule = OverriddenRule::ReturnWindow;
        let draft = async |place: usize| {
            let overrides = vec![OverrideInput { rule, reason: "Was in hospital".to_owned() }];
            let mut selections = customer.choose(&[(place, 1)]).await;
            selections[0].return_reason_id = Some(reason);
            let new = ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, selections, Some(dear)) };
            let draft = fresh(shop.retour.merchant(&agent).create_draft(new, None).await.unwrap(), 201);
            assert!(!draft.overrides[0].needs_approval, "30.00 are below the limit");
            draft.id
        };
        let at_the_counter = draft(0).await;
        let consumer = shop.retour.consumer(&customer.shopper);
        fresh(consumer.set_shipping_option(at_the_counter, cheap, None).await.unwrap(), 200);
        let order = fresh(shop.retour.merchant(&agent).accept_draft(at_the_counter).await.unwrap(), 201);
        let request = shop.whole(order.id).await.return_requests.unwrap().remove(0);
        assert_eq!((request.stage, request.proposal.map(|one| one.kind)), (N::RequestedReview, Some(ProposalKind::Override)));
        let stored = shop.retour.merchant(&agent).draft_return_order(at_the_counter).await.unwrap();
        assert!(stored.overrides[0].needs_approval);
        fresh(shop.retour.merchant(&agent).cancel_return_order(order.id, None).await.unwrap(), 200);
        let in_the_link = draft(1).await;
        let offers = consumer.compare_shipping(in_the_link, &domain::Locale::default()).await.unwrap();
        assert!(offers.needs_approval, "the cheap way gives more");
        fresh(consumer.set_shipping_option(in_the_link, cheap, None).await.unwrap(), 200);
        let order = fresh(customer.submit(in_the_link).await.unwrap(), 201);
        assert_eq!(shop.whole(order.id).await.return_requests.unwrap()[0].stage, N::RequestedReview);
    }

    async fn an_agent_does_not_raise_what_overrides_give_above_the_limit(database: Database) {
        let policy = Policy {
            auto_resolve: false,
            agent_limit: sent(json!([{"value": "40.00", "currency": "EUR"}])),
            resolutions: vec![Resolution::Refund, Resolution::StoreCredit],
            store_credit_bonus_percent: Percent::from_hundredths(1_000).unwrap(),
            ..Policy::default()
        };
        let shop = Shop::open_with(&database, "limited", "EUR", policy).await;
        let agent = shop.staff_with(Role::Agent).await;
        let customer = shop.sell("1001", &[(2, 4_400)]).await;
        let handle = shop.retour.merchant(&agent);
        let make = async || {
            let new = waiving_fees(&customer, 0).await;
            let order = fresh(handle.create_return_order(new, None).await.unwrap(), 201);
            shop.whole(order.id).await.return_requests.unwrap().remove(0)
        };
        let adjust = async |id, minor| {
            let input = AdjustmentInput { amount: euros(minor), reason: "A scratch".to_owned(), from_stage: None };
            handle.adjust(id, input, None).await
        };
        let first = make().await;
        fresh(adjust(first.id, -600).await.unwrap(), 200);
        let second = make().await;
        assert_eq!((first.stage, second.stage), (N::SubmittedReady, N::SubmittedReady), "38.00 together");
        assert_eq!(refusal(adjust(first.id, 600).await), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
        fresh(adjust(first.id, 200).await.unwrap(), 200);
        let credit = AmendmentInput {
            requested_resolution: Some(Resolution::StoreCredit),
            reason: "On the phone".to_owned(),
            ..AmendmentInput::default()
        };
        let amended = handle.amend(second.id, credit.clone(), None).await;
        assert_eq!(refusal(amended), ErrorCode::Refused(RefusalCode::AgentLimitExceeded), "the bonus is above the limit");
        assert_eq!(refusal(handle.preview_amendment(second.id, credit.clone()).await), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
        fresh(shop.retour.merchant(&shop.staff).amend(second.id, credit, None).await.unwrap(), 200);
    }

    async fn an_agent_does_not_raise_what_somebody_has_to_approve(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        // Together above the limit, each below it.
        let customer = shop.sell("1001", &[(1, 3_000), (1, 3_000)]).await;
        let option = customer.purchases().await[0].shipping_options.first().map(|option| option.id);
        let overrides = vec![OverrideInput { rule: OverriddenRule::Fees, reason: "Our mistake".to_owned() }];
        let selections = customer.choose(&[(0, 1), (1, 1)]).await;
        let new = ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, selections, option) };
        let order = fresh(shop.retour.merchant(&agent).create_return_order(new, None).await.unwrap(), 201).id;
        let held = shop.whole(order).await.return_requests.unwrap().remove(0);
        assert_eq!((held.stage, held.proposal.map(|one| one.kind)), (N::RequestedReview, Some(ProposalKind::Override)));
        let adjust = async |staff: &Staff, minor| {
            let input = AdjustmentInput { amount: euros(minor), reason: "A scratch".to_owned(), from_stage: None };
            shop.retour.merchant(staff).adjust(held.id, input, None).await
        };
        fresh(adjust(&agent, -500).await.unwrap(), 200);
        assert_eq!(refusal(adjust(&agent, 300).await), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
        fresh(adjust(&finance, 300).await.unwrap(), 200);
        for request in shop.whole(order).await.return_requests.unwrap() {
            shop.approve_proposed(&finance, request.id, request.proposal.unwrap().id).await.unwrap();
        }
        fresh(adjust(&agent, 100).await.unwrap(), 200);
        let value = shop.whole(order).await.return_requests.unwrap()[0].resolution.value;
        assert_eq!(value, Some(euros(2_900)), "what somebody has approved is no longer the agent's alone");
    }

    async fn what_is_approved_is_what_was_seen(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        let (_, request) = a_request(&shop, "1001").await;
        let seen = shop.propose(&agent, request.id, adjusting(-500)).await.unwrap();
        let proposal = seen.proposal.unwrap().id;
        let more = AdjustmentInput { amount: euros(-100), reason: "A stain".to_owned(), from_stage: None };
        fresh(shop.retour.merchant(&shop.staff).adjust(request.id, more, None).await.unwrap(), 200);
        let handle = shop.retour.merchant(&finance);
        let stale = handle.approve_proposal(request.id, proposal, Some(seen.version), None).await;
        assert_eq!(refusal(stale), ErrorCode::PreconditionFailed);
        let now = handle.return_request(request.id, &[]).await.unwrap();
        let done = fresh(handle.approve_proposal(request.id, proposal, Some(now.version), None).await.unwrap(), 200);
        assert_eq!(done.resolution.value, Some(euros(request.resolution.value.unwrap().minor - 600)));
    }

    async fn a_parcel_that_arrives_after_a_held_return_was_cancelled_needs_the_approval_as_well(database: Database) {
        let shop = limited(&database).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        // Together above the limit, each below it.
        let customer = shop.sell("1001", &[(1, 3_000), (1, 3_000)]).await;
        let option = customer.purchases().await[0].shipping_options.first().map(|option| option.id);
        let overrides = vec![OverrideInput { rule: OverriddenRule::Fees, reason: "Our mistake".to_owned() }];
        let selections = customer.choose(&[(0, 1), (1, 1)]).await;
        let new = ReturnForConsumer { overrides, ..for_consumer(&customer.shopper, selections, option) };
        let order = fresh(shop.retour.merchant(&agent).create_return_order(new, None).await.unwrap(), 201);
        let request = shop.whole(order.id).await.return_requests.unwrap().remove(0);
        assert_eq!(request.stage, N::RequestedReview);
        fresh(shop.retour.merchant(&agent).cancel_return_order(order.id, None).await.unwrap(), 200);
        fresh(shop.try_receive(request.id, 1, None).await.unwrap(), 200);
        let stage = shop.whole(order.id).await.return_requests.unwrap().remove(0).stage;
        if stage != N::ResolutionPending {
            shop.advance(request.id, because(N::ResolutionPending, "It is here")).await;
        }
        let approve = || crate::progress::to(N::ResolutionApproved);
        let moved = shop.retour.merchant(&agent).update_status(request.id, approve(), None).await;
        assert_eq!(refusal(moved), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
        let done = fresh(shop.retour.merchant(&finance).update_status(request.id, approve(), None).await.unwrap(), 200);
        assert_eq!(done.stage, N::ResolutionApproved);
    }
}
