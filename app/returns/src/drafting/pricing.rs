//! Pricing a selection: whether all of it can be returned, and what it is worth.

use super::{basis::Selection, limits, settings::Settings};
use crate::base::{Error, FieldError, OrBroken, Result, Shopper};
use domain::party::Party;
use domain::{
    Currency, PurchaseId, RefusalCode, Timestamp,
    order::{ExchangeOption, Purchase, TakenUnits},
    policy::{
        Resolution,
        question::{self, AnswerError, Question, QuestionAnswer},
        reason::{ReasonRules, ReturnReason},
    },
    returning::{DraftItem, OverriddenRule, Override, is_overridden},
    shipping::customs::unknown_facts,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
};
use store::{Db, consumers::Consumer};

/// More than anybody returns at once. It bounds the work of one request.
const MAX_ITEMS: usize = 1_000;
const MAX_COMMENT_CHARS: usize = 2_000;

/// Checks a selection against what can be returned, and fixes its amounts.
pub(crate) struct Pricing<'a> {
    pub settings: &'a Settings,
    pub shopper: Shopper,
    pub now: Timestamp,
    /// Who makes the draft. The merchant need not answer the questions.
    pub maker: Party,
    /// The rules that staff override.
    pub overrides: &'a [Override],
}

/// The selection with its fixed amounts.
pub(crate) struct Priced {
    pub currency: Currency,
    pub items: Vec<DraftItem>,
}

impl Pricing<'_> {
    /// Checks each selection and fixes its amounts. Reports all invalid fields at once.
    pub async fn price(
        &self,
        mut reading: store::Reading,
        consumer: &Consumer,
        selections: &[Selection],
    ) -> Result<Priced> {
        check_count(selections)?;
        let shop = self.settings.account.bridge.shop_key();
        let mut errors = Vec::new();
        let mut chosen: Vec<(Purchase, DraftItem)> = Vec::with_capacity(selections.len());
        let ids: Vec<PurchaseId> = selections.iter().map(|selection| selection.purchase_id).collect();
        let (account, proof) = (self.shopper.account, &consumer.credentials);
        let found = store::purchases::list_of_ids(reading.db(), account, proof, &ids, &shop).await?;
        let mut found: HashMap<PurchaseId, Purchase> = found.into_iter().map(|one| (one.id, one)).collect();
        for (index, selection) in selections.iter().enumerate() {
            let Some(purchase) = found.remove(&selection.purchase_id) else {
                let message = "expected the id of one of this consumer's purchases";
                errors.push(FieldError::new(
                    format!("selectedPurchases[{index}].purchaseId"),
                    RefusalCode::NotAllowed,
                    message,
                ));
                continue;
            };
            match self.item(&purchase, selection) {
                Ok(item) => chosen.push((purchase, item)),
                Err(problems) => errors.extend(problems.into_iter().map(|(field, code, message)| {
                    FieldError::new(format!("selectedPurchases[{index}].{field}"), code, message)
                })),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let currency = one_currency(&chosen)?;
        if !self.settings.is_gift {
            self.add_outbound_shipping(reading.db(), &mut chosen).await?;
        }
        self.keep_cheap_items(reading.db(), currency, &mut chosen).await?;
        limits::limit(reading.db(), self.shopper.account, &mut chosen).await?;
        Ok(Priced { currency, items: chosen.into_iter().map(|(_, item)| item).collect() })
    }

    fn item(&self, purchase: &Purchase, selection: &Selection) -> Result<DraftItem, Vec<Problem>> {
        let eligibility = self.settings.judge_overriding(purchase, self.overrides, self.now);
        if let Some(code) = eligibility.obstacle {
            let message = format!("this purchase cannot be returned: {code:?}");
            return Err(vec![("purchaseId".into(), RefusalCode::NotReturnable, message)]);
        }
        let mut problems = Vec::new();
        if selection.comment.chars().count() > MAX_COMMENT_CHARS {
            let message = format!("expected at most {MAX_COMMENT_CHARS} characters");
            problems.push(("returnReasonComment".into(), RefusalCode::OutOfRange, message));
        }
        if selection.comment.contains('\0') {
            let message = "expected a text without NUL characters".to_owned(); // Postgres stores none
            problems.push(("returnReasonComment".into(), RefusalCode::NotAllowed, message));
        }
        let taken =
            units(purchase, selection.quantity, eligibility.returnable).map_err(|problem| problems.push(problem));
        let reason = self.reason(purchase, selection).map_err(|problem| problems.push(problem));
        let exchange_for = exchange_for(purchase, selection).map_err(|problem| problems.push(problem));
        let answers = match reason {
            Ok(reason) => self.answers(reason, selection).map_err(|wrong| problems.extend(wrong)),
            Err(()) => Err(()),
        };
        let (Ok(taken), Ok(reason), Ok(exchange_for), Ok(answers)) = (taken, reason, exchange_for, answers) else {
            return Err(problems);
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(DraftItem {
            purchase_id: purchase.id,
            order_id: purchase.order.id,
            taken,
            seen: purchase.units,
            value: purchase.units.value(taken),
            duties: purchase.duties,
            outbound_shipping: 0,
            limit: 0,
            refunded_by_shop: 0,
            review: None,
            weight: u64::from(taken.units)
                * u64::from(purchase.product.weight.unwrap_or(self.settings.account.policy.default_weight)),
            unknown_to_customs: if is_overridden(self.overrides, OverriddenRule::CustomsData) {
                Vec::new()
            } else {
                unknown_facts(&purchase.product)
            },
            return_reason_id: reason.id,
            rules: ReasonRules { questions: Vec::new(), ..reason.rules.clone() }, // their answers are stored instead
            return_reason_comment: selection.comment.clone(),
            answers,
            requested_resolution: selection.resolution,
            exchange_for,
            kept: false,
            overrides: self.overrides.to_vec(),
        })
    }

    /// Returns the reason, if it is one of the account's and allows the requested resolution.
    fn reason(&self, purchase: &Purchase, selection: &Selection) -> Result<&ReturnReason, Problem> {
        let Some(id) = selection.return_reason_id else {
            return Err((
                "returnReasonId".into(),
                RefusalCode::Required,
                "expected the id of a return reason".to_owned(),
            ));
        };
        let known = self.settings.reasons.iter().find(|reason| reason.id == id).ok_or_else(|| {
            let message = "expected the id of one of the purchase's returnReasons".to_owned();
            ("returnReasonId".into(), RefusalCode::NotAllowed, message)
        })?;
        let policy = &self.settings.account.policy;
        let offered = match self.maker {
            Party::Consumer(()) => policy.resolutions_for(&purchase.product),
            Party::Staff(()) => policy.resolutions.clone(), // staff can settle any resolution that the policy has
        };
        if known.rules.allows(selection.resolution, &offered) {
            return Ok(known);
        }
        let is_nothing_sent = selection.resolution == Resolution::Exchange && !offered.contains(&Resolution::Exchange);
        let message = if is_nothing_sent && policy.resolutions.contains(&Resolution::Exchange) {
            "nothing can be sent in its place: the purchase's product has no exchangeOptions"
        } else if self.settings.is_gift && !selection.resolution.is_for_gifts() {
            "a gift can be returned for store credit or an exchange only: expected one of the purchase's resolutions"
        } else {
            "the shop does not offer this resolution for this reason"
        };
        Err(("requestedResolution".into(), RefusalCode::NotAllowed, message.to_owned()))
    }

    /// Returns the answers to the reason's questions. An invalid answer is reported under its question: `answers.<id>`.
    fn answers(&self, reason: &ReturnReason, selection: &Selection) -> Result<Vec<QuestionAnswer>, Vec<Problem>> {
        // Staff may answer the questions, but need not.
        let is_asked = |question: &Question| question.required && !self.maker.is_staff();
        let asked = reason.rules.questions.iter();
        let asked: Vec<Question> =
            asked.map(|question| Question { required: is_asked(question), ..question.clone() }).collect();
        let (given, mut wrong) = (&selection.answers, Vec::new());
        for (index, answer) in given.iter().enumerate() {
            let is_known = asked.iter().any(|question| question.id == answer.question_id);
            let is_again = given.iter().take(index).any(|before| before.question_id == answer.question_id);
            if !is_known || is_again {
                let message = "expected each of the reason's questions once at most".to_owned();
                wrong.push((format!("answers[{index}].questionId").into(), RefusalCode::NotAllowed, message));
            }
        }
        let value = |key: &question::QuestionKey| {
            given.iter().find(|answer| answer.question_id == *key).map(|answer| answer.value.as_str())
        };
        let answers = question::answers(&asked, value).unwrap_or_else(|mistakes| {
            for (key, mistake) in mistakes {
                let (code, message) = match mistake {
                    AnswerError::Missing => (RefusalCode::Required, "expected an answer to this question".to_owned()),
                    AnswerError::NotOffered => {
                        (RefusalCode::NotAllowed, "expected the id of one of the question's options".to_owned())
                    }
                    AnswerError::TooLong => {
                        let message = format!("expected at most {} characters", question::MAX_ANSWER_CHARS);
                        (RefusalCode::OutOfRange, message)
                    }
                };
                wrong.push((format!("answers.{key}").into(), code, message));
            }
            Vec::new()
        });
        if wrong.is_empty() { Ok(answers) } else { Err(wrong) }
    }

    /// Refunds an order's outbound shipping once: with the return that completes the return of the whole order. If
    /// Retour does not know all lines of the order, it cannot tell, and refunds nothing.
    async fn add_outbound_shipping(&self, mut db: Db<'_>, chosen: &mut [(Purchase, DraftItem)]) -> Result<()> {
        let sent = |purchase: &Purchase| purchase.requires_shipping && !purchase.order.is_partial;
        let paid: BTreeMap<_, _> = chosen
            .iter()
            .filter(|(purchase, _)| sent(purchase))
            .map(|(purchase, _)| (purchase.order.id, purchase.order.shipping_left))
            .collect();
        for (order, shipping_paid) in paid.into_iter().filter(|&(_, paid)| paid > 0) {
            let awaited = store::completeness::awaited(db.reborrow(), self.shopper.account, order).await?;
            let here = |line| {
                let item = chosen.iter().find(|(purchase, _)| purchase.id == line);
                item.map_or(0, |(_, item)| i64::from(item.taken.units))
            };
            if awaited.into_iter().any(|(line, units)| here(line) < units) {
                continue;
            }
            // The refund belongs to the last item of the order.
            let of_order = |purchase: &Purchase| purchase.order.id == order && purchase.requires_shipping;
            if let Some((_, item)) = chosen.iter_mut().rfind(|(purchase, _)| of_order(purchase)) {
                item.outbound_shipping = shipping_paid;
            }
        }
        Ok(())
    }

    /// Marks items as kept if their order's total, including items kept before, is below the policy's limit: shipping
    /// them back is not worth it.
    async fn keep_cheap_items(
        &self,
        mut db: Db<'_>,
        currency: Currency,
        chosen: &mut [(Purchase, DraftItem)],
    ) -> Result<()> {
        if is_overridden(self.overrides, OverriddenRule::SendingBack) {
            for (_, item) in chosen {
                item.kept = true;
            }
            return Ok(());
        }
        let Some(below) = self.settings.account.policy.keep_item_below.minor(currency) else { return Ok(()) };
        let mut sums: BTreeMap<_, i64> = BTreeMap::new();
        for (purchase, item) in chosen.iter() {
            *sums.entry(purchase.order.id).or_default() += item.value;
        }
        for (order, sum) in &mut sums {
            *sum += store::return_requests::sum_kept(db.reborrow(), self.shopper.account, *order).await?;
        }
        // All or nothing: if one item must be sent, all travel with it.
        if sums.values().all(|&sum| sum < below) {
            for (_, item) in chosen {
                item.kept = true;
            }
        }
        Ok(())
    }
}

/// An invalid field of a selection: its name, the code, and what is allowed.
type Problem = (Cow<'static, str>, RefusalCode, String);

fn units(purchase: &Purchase, quantity: i64, returnable: u32) -> Result<TakenUnits, Problem> {
    let units = u32::try_from(quantity).ok().filter(|&units| units >= 1);
    units.and_then(|units| purchase.units.take(units)).ok_or_else(|| {
        let code = if units.is_some() { RefusalCode::QuantityExceeded } else { RefusalCode::OutOfRange };
        ("quantity".into(), code, format!("expected a whole number from 1 to {returnable}"))
    })
}

/// Returns the wanted replacement. It must be one that the shop offers, so that nothing more expensive can be
/// requested.
fn exchange_for(purchase: &Purchase, selection: &Selection) -> Result<Option<ExchangeOption>, Problem> {
    let Some(sku) = &selection.exchange_for else { return Ok(None) };
    if selection.resolution != Resolution::Exchange {
        let message = "expected only with the requestedResolution Exchange".to_owned();
        return Err(("exchangeFor".into(), RefusalCode::NotAllowed, message));
    }
    let offered = purchase.product.exchange_options.iter().find(|offered| offered.sku == *sku).cloned();
    offered.map(Some).ok_or_else(|| {
        let message = "expected the sku of one of the purchase's product.exchangeOptions".to_owned();
        ("exchangeFor.sku".into(), RefusalCode::NotAllowed, message)
    })
}

fn check_count(selections: &[Selection]) -> Result<()> {
    if selections.is_empty() || selections.len() > MAX_ITEMS {
        let message = format!("expected 1 to {MAX_ITEMS} purchases");
        return Err(Error::invalid("selectedPurchases", RefusalCode::OutOfRange, message));
    }
    let mut seen = HashSet::new();
    let twice = selections.iter().position(|selection| !seen.insert(selection.purchase_id));
    match twice {
        None => Ok(()),
        Some(index) => {
            let message = "this purchase is in the list twice: put its units together";
            Err(Error::invalid(format!("selectedPurchases[{index}].purchaseId"), RefusalCode::Mismatch, message))
        }
    }
}

fn one_currency(chosen: &[(Purchase, DraftItem)]) -> Result<Currency> {
    let mut currencies = chosen.iter().map(|(purchase, _)| purchase.order.currency);
    let first = currencies.next().or_broken()?;
    if currencies.all(|currency| currency == first) {
        return Ok(first);
    }
    let message = "these purchases were paid in different currencies: return them separately";
    Err(Error::invalid("selectedPurchases", RefusalCode::Mismatch, message))
}
