//! Questions of return reasons: who must answer them, and what is stored.

use crate::shop::{Customer, Shop, for_consumer, fresh, select, sent};
use domain::{RefusalCode, ReturnReasonId, policy::question::GivenAnswer};
use returns::{Error, Expand, NewReturnReason, Selection, view};
use serde_json::json;
use store::testing::Database;

/// A reason that asks where the product is broken, and how it happened.
pub async fn broken(shop: &Shop) -> view::ReturnReason {
    let new: NewReturnReason = sent(json!({"description": {"en": "Broken"}, "questions": [
        {"id": "where", "text": {"en": "Where?", "de": "Wo?"}, "required": true, "options": [
            {"id": "zip", "text": {"en": "The zip", "de": "Der Reißverschluss"}}, {"id": "seam", "text": {"en": "A seam"}}]},
        {"id": "how", "text": {"en": "How did it happen?"}},
    ]}));
    fresh(shop.retour.merchant(&shop.staff).create_return_reason(new, None).await.unwrap(), 201)
}

fn answers(given: &[(&str, &str)]) -> Vec<GivenAnswer> {
    let answers = given.iter().map(|(question, value)| json!({"questionId": question, "value": value}));
    sent(answers.collect())
}

pub async fn chosen(customer: &Customer, reason: ReturnReasonId, given: &[(&str, &str)]) -> Vec<Selection> {
    let purchase = &customer.purchases().await[0];
    vec![Selection { return_reason_id: Some(reason), answers: answers(given), ..select(purchase, 1) }]
}

/// The refused fields, each with its code.
async fn wrong(customer: &Customer, reason: ReturnReasonId, given: &[(&str, &str)]) -> Vec<(String, RefusalCode)> {
    match customer.try_draft(chosen(customer, reason, given).await, None).await {
        Err(Error::Invalid(errors)) => errors.into_iter().map(|error| (error.field, error.code)).collect(),
        other => panic!("{other:?}"),
    }
}

store::on_each_database! {
    async fn an_answer_is_stored_with_its_question_as_it_was_asked(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let reason = broken(&shop).await;
        let offered = &customer.purchases().await[0].return_reasons;
        let offered = offered.iter().find(|one| one.id == reason.id).unwrap();
        let asked: Vec<_> =
            offered.questions.iter().map(|one| (one.text.as_str(), one.options.len(), one.required)).collect();
        assert_eq!(asked, [("Where?", 2, true), ("How did it happen?", 0, false)]);

        let given = [("how", "It tore\nat once."), ("where", "zip")];
        let draft = fresh(customer.try_draft(chosen(&customer, reason.id, &given).await, None).await.unwrap(), 201);
        // A later change of the questions does not change the draft's.
        let change = sent(json!({"questions": []}));
        fresh(shop.retour.merchant(&shop.staff).change_return_reason(reason.id, change, None, None).await.unwrap(), 200);
        let order = fresh(customer.submit(draft.id).await.unwrap(), 201).id;
        let order = shop.retour.merchant(&shop.staff).return_order(order, &[Expand::ReturnRequests]).await.unwrap();
        let request = &order.return_requests.unwrap()[0];
        let german = domain::Locale("de".to_owned());
        let kept: Vec<_> = request
            .answers
            .iter()
            .map(|one| (one.question.get(&german), one.value.as_str(), one.words(&german)))
            .collect();
        let how = "It tore\nat once.";
        assert_eq!(kept, [("Wo?", "zip", "Der Reißverschluss"), ("How did it happen?", how, how)]);
        assert_eq!(draft.selected_purchases[0].answers, request.answers);
        let creations = database.texts("SELECT data FROM events WHERE type = 'return_order.created'").await;
        assert!(creations[0].contains("Der Reißverschluss"), "the event contains the answer: {creations:?}");
    }

    async fn every_unacceptable_answer_is_named_by_its_question(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let reason = broken(&shop).await.id;
        let field = |part: &str| format!("selectedPurchases[0].{part}");
        assert_eq!(wrong(&customer, reason, &[]).await, [(field("answers.where"), RefusalCode::Required)]);
        assert_eq!(wrong(&customer, reason, &[("where", " ")]).await, [(field("answers.where"), RefusalCode::Required)]);
        let long = "x".repeat(501);
        assert_eq!(
            wrong(&customer, reason, &[("where", "sole"), ("how", &long), ("why", "x"), ("where", "zip")]).await,
            [
                (field("answers[2].questionId"), RefusalCode::NotAllowed),
                (field("answers[3].questionId"), RefusalCode::NotAllowed),
                (field("answers.where"), RefusalCode::NotAllowed),
                (field("answers.how"), RefusalCode::OutOfRange),
            ]
        );
        assert_eq!(database.rows("draft_return_orders").await, 0);
    }

    async fn staff_need_not_answer_the_questions(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let reason = broken(&shop).await.id;
        let option = customer.purchases().await[0].shipping_options[0].id;
        let chosen = chosen(&customer, reason, &[("how", "They called")]).await;
        let made = shop.retour.merchant(&shop.staff).create_return_order(for_consumer(&customer.shopper, chosen, Some(option)), None).await;
        let order = fresh(made.unwrap(), 201).id;
        let order = shop.retour.merchant(&shop.staff).return_order(order, &[Expand::ReturnRequests]).await.unwrap();
        let answers = &order.return_requests.unwrap()[0].answers;
        assert_eq!(answers.iter().map(|one| one.value.as_str()).collect::<Vec<_>>(), ["They called"]);
    }

    async fn an_erasure_deletes_the_answers(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let reason = broken(&shop).await.id;
        let given = [("where", "zip"), ("how", "Ada Lovelace tore it")];
        let draft = fresh(customer.try_draft(chosen(&customer, reason, &given).await, None).await.unwrap(), 201).id;
        let order = fresh(customer.submit(draft).await.unwrap(), 201).id;
        fresh(customer.cancel(order).await.unwrap(), 200);
        shop.retour.merchant(&shop.staff).erase_consumer(customer.shopper.consumer).await.unwrap();
        for sql in [
            "SELECT answers FROM return_requests",
            "SELECT items FROM draft_return_orders",
            "SELECT data FROM events",
        ] {
            let texts = database.texts(sql).await;
            assert!(!texts.is_empty() && texts.iter().all(|text| !text.contains("tore")), "{sql}: {texts:?}");
        }
    }
}
