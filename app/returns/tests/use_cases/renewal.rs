//! Steps with a draft that is outdated: it is made again at today's amounts, or the consumer selects or answers again.

use crate::{
    questions::{broken, chosen},
    shop::{Customer, NOW, Shop, fresh, refusal, sent, taken},
};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, ShippingOptionId, returning::ReturnSource};
use returns::{DraftStep, ErrorCode, OutdatedDraft, Sent, view};
use serde_json::json;
use std::collections::BTreeSet;
use store::testing::Database;

impl Customer {
    async fn submits(&self, draft: DraftReturnOrderId) -> DraftStep<Box<view::ReturnOrderView>> {
        self.retour.consumer(&self.shopper).submit_or_renew(draft, ReturnSource::Portal).await.unwrap()
    }

    async fn ships(&self, draft: DraftReturnOrderId, option: ShippingOptionId) -> DraftStep<Box<view::Draft>> {
        self.retour.consumer(&self.shopper).choose_shipping_or_renew(draft, option).await.unwrap()
    }
}

#[track_caller]
fn outdated<T: std::fmt::Debug>(step: DraftStep<T>) -> OutdatedDraft {
    match step {
        DraftStep::Outdated(outdated) => outdated,
        DraftStep::Done(value) => panic!("the draft is outdated, but the step was done: {value:?}"),
    }
}

#[track_caller]
fn renewed<T: std::fmt::Debug>(step: DraftStep<T>) -> view::Draft {
    match outdated(step) {
        OutdatedDraft::Renewed(draft) => *draft,
        other => panic!("expected a new draft: {other:?}"),
    }
}

/// The fields to change, and the purchases that are still returnable.
#[track_caller]
fn to_choose_again<T: std::fmt::Debug>(step: DraftStep<T>) -> (Vec<(String, RefusalCode)>, BTreeSet<PurchaseId>) {
    match outdated(step) {
        OutdatedDraft::ChooseAgain { errors, returnable } => {
            (errors.into_iter().map(|error| (error.field, error.code)).collect(), returnable)
        }
        other => panic!("expected selections to change: {other:?}"),
    }
}

fn exceeded(position: usize) -> (String, RefusalCode) {
    (format!("selectedPurchases[{position}].quantity"), RefusalCode::QuantityExceeded)
}

store::on_each_database! {
    async fn a_valid_draft_is_submitted_once(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999)]).await;
        let draft = customer.draft(&[(0, 2)]).await;
        let option = customer.purchases().await[0].shipping_options[0].id;
        let DraftStep::Done(shipped) = customer.ships(draft, option).await else { panic!("the draft is valid") };
        assert_eq!((shipped.id, shipped.shipping_option_id), (draft, Some(option)));
        let DraftStep::Done(order) = customer.submits(draft).await else { panic!("the draft is valid") };
        let DraftStep::Done(again) = customer.submits(draft).await else { panic!("a repetition returns the same return") };
        assert_eq!((order.id, database.rows("return_orders").await), (again.id, 1));
        assert_eq!(taken(&database).await, (2, 0));
    }

    async fn an_expired_draft_is_made_again_with_the_same_selection(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999)]).await;
        let draft = customer.draft(&[(0, 2)]).await;
        let option = customer.purchases().await[0].shipping_options[0].id;
        shop.source.set(NOW.plus_hours(24));
        let by_submit = renewed(customer.submits(draft).await);
        let by_shipping = renewed(customer.ships(draft, option).await);
        assert_eq!((database.rows("return_orders").await, taken(&database).await), (0, (0, 0)), "nothing is submitted unseen");
        for new in [by_submit, by_shipping] {
            let selected: Vec<_> = new.selected_purchases.iter().map(|one| (one.purchase_id, one.quantity)).collect();
            assert_eq!(selected, [(customer.purchases().await[0].id, 2)]);
            assert!(new.id != draft && new.expires_at == NOW.plus_hours(48));
        }
    }

    async fn units_that_are_returned_otherwise_are_named_and_what_is_left_is_known(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 999), (1, 500), (1, 700)]).await;
        let ids: Vec<PurchaseId> = customer.purchases().await.iter().map(|one| one.id).collect();
        let draft = customer.draft(&[(0, 3), (1, 1)]).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        let (mut errors, returnable) = to_choose_again(customer.submits(draft).await);
        errors.sort_by(|one, other| one.0.cmp(&other.0)); // purchases are locked, and so refused, in the order of their ids
        assert_eq!(errors, [exceeded(0), exceeded(1)]);
        assert_eq!(returnable, BTreeSet::from([ids[0], ids[2]]), "of the second purchase nothing is left");
        // The same after the draft has expired, when it cannot be made again.
        shop.source.set(NOW.plus_hours(24));
        let (errors, returnable) = to_choose_again(customer.submits(draft).await);
        assert!(errors.contains(&exceeded(0)), "{errors:?}");
        assert!(errors.iter().any(|(field, _)| field.starts_with("selectedPurchases[1].")), "{errors:?}");
        assert_eq!(returnable, BTreeSet::from([ids[0], ids[2]]));
        assert_eq!(database.rows("return_orders").await, 1);
    }

    async fn new_questions_are_asked_before_the_draft_is_made_again(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let reason = broken(&shop).await.id;
        let selection = chosen(&customer, reason, &[("where", "zip")]).await;
        let draft = fresh(customer.try_draft(selection, None).await.unwrap(), 201).id;
        let change = sent(json!({"questions": [{"id": "since", "text": {"en": "Since when?"}, "required": true}]}));
        fresh(shop.retour.merchant(&shop.staff).change_return_reason(reason, change, None, None).await.unwrap(), 200);
        shop.source.set(NOW.plus_hours(24));
        match outdated(customer.submits(draft).await) {
            OutdatedDraft::AnswerAgain(errors) => {
                let errors: Vec<_> = errors.into_iter().map(|error| (error.field, error.code)).collect();
                assert_eq!(errors, [("selectedPurchases[0].answers.since".to_owned(), RefusalCode::Required)]);
            }
            other => panic!("the new question has no answer: {other:?}"),
        }
    }

    async fn a_declined_draft_is_not_made_again(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let draft = customer.draft(&[(0, 1)]).await;
        let option = customer.purchases().await[0].shipping_options[0].id;
        shop.retour.merchant(&shop.staff).reject_draft(draft).await.unwrap();
        assert!(matches!(outdated(customer.submits(draft).await), OutdatedDraft::Declined));
        assert!(matches!(outdated(customer.ships(draft, option).await), OutdatedDraft::Declined));
        assert_eq!(database.rows("draft_return_orders").await, 1);
    }

    async fn other_errors_are_errors(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1_000)]).await;
        let stranger = shop.sell("1002", &[(2, 1_000)]).await;
        let selection = customer.choose(&[(0, 1)]).await;
        let draft = fresh(customer.retour.consumer(&customer.shopper).draft(selection, None, None).await.unwrap(), 201).id;
        let option = ShippingOptionId(uuid::Uuid::nil());
        let consumer = customer.retour.consumer(&customer.shopper);
        let without_option = consumer.submit_or_renew(draft, ReturnSource::Portal).await;
        assert_eq!(refusal(without_option), ErrorCode::ValidationFailed, "a shipping option is missing");
        let unknown = Sent { shipping_option: Some(option), ..Sent::from(ReturnSource::Portal) };
        assert_eq!(refusal(consumer.submit_or_renew(draft, unknown).await), ErrorCode::ValidationFailed);
        assert_eq!(refusal(consumer.choose_shipping_or_renew(draft, option).await), ErrorCode::ValidationFailed);
        let foreign = stranger.retour.consumer(&stranger.shopper);
        assert_eq!(refusal(foreign.submit_or_renew(draft, ReturnSource::Portal).await), ErrorCode::NotFound);
        assert_eq!(refusal(foreign.choose_shipping_or_renew(draft, option).await), ErrorCode::NotFound);
    }
}
