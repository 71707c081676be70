//! Purchases as the consumer sees them, and what the shop offers for them.

use domain::{
    Currency, Locale, Money, OrderId, Percent, PurchaseId, ReturnReasonId, ShippingOptionId, Timestamp,
    order::{IneligibleCode, Product},
    policy::{
        Resolution,
        eligibility::Eligibility,
        question::{Question, QuestionKey},
        reason::{EvidenceRule, Fault, ReturnReason},
    },
    shipping::{ShippingMethod, ShippingOption},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A purchase as a consumer sees it: the product, whether it can be returned, how and why.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConsumerPurchase")]
pub struct PurchaseView {
    /// Unique identifier of the purchase.
    pub id: PurchaseId,
    /// The shop's own id of the order line.
    pub external_id: String,
    /// The order number that people know.
    pub order_number: String,
    /// The id of the sales order. Two orders may have the same number.
    pub order_id: OrderId,
    /// When the sales order was placed.
    pub ordered_at: Timestamp,
    /// When the units were sent to the consumer.
    pub fulfilled_at: Option<Timestamp>,
    /// The product that was bought.
    pub product: Product,
    /// The number of units bought.
    pub quantity: u32,
    /// The number of units that can be returned now.
    pub returnable_quantity: u32,
    /// The prices of the purchase; `None` for gifts.
    #[serde(flatten)]
    pub prices: Option<PurchasePrices>,
    /// Whether the purchase can be returned, and the reason if not.
    pub eligibility: EligibilityView,
    /// The shipping options that the consumer can choose from.
    pub shipping_options: Vec<ShippingOptionView>,
    /// The return reasons that the consumer can choose from.
    pub return_reasons: Vec<ReturnReasonView>,
    /// The resolutions that the consumer may request: `Exchange` only if `product.exchangeOptions` has a product to
    /// send instead.
    pub resolutions: Vec<Resolution>,
}

/// The prices of a purchase, flattened into it.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchasePrices {
    /// The price of a unit: after discount, tax included. Some units may cost one minor unit more, so that all units
    /// together cost `totalPrice`. Absent for gifts.
    pub unit_price: Money,
    /// The price of all units together. Absent for gifts.
    pub total_price: Money,
    /// For estimates: how many of the next returned units cost one minor unit more than `unitPrice`. Absent for gifts.
    pub dearer_units: u32,
    /// The maximum amount that all returns of the order together can still give: what was paid for the order, less what
    /// was given back and what other returns promise. `null`: the shop does not say what was paid, and there is no
    /// limit. Absent for gifts.
    pub refundable_up_to: Option<Money>,
}

/// Whether a purchase can be returned, and the reason if not.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Eligibility")]
pub struct EligibilityView {
    /// Whether at least one unit can be returned.
    pub returnable: bool,
    /// The reason why it cannot be returned, for programs.
    pub code: Option<IneligibleCode>,
    /// The same reason as a sentence for people.
    pub message: Option<String>,
    /// The last second in which the purchase can be returned; `null`: no limit, or the window has not started.
    pub return_by: Option<Timestamp>,
    /// The same as a day in the shop's time zone. The whole day counts.
    #[schemars(extend("format" = "date"), length(max = 12))]
    pub return_by_date: Option<String>,
}

impl From<Eligibility> for EligibilityView {
    fn from(eligibility: Eligibility) -> Self {
        let message = eligibility.obstacle.map(|code| {
            match code {
                IneligibleCode::FinalSale => "It was sold as final sale.",
                IneligibleCode::ReturnWindowExpired => "The return window has ended.",
                IneligibleCode::NotFulfilled => "It has not been sent yet.",
                IneligibleCode::AlreadyReturned => "All units are returned or on their way back.",
                IneligibleCode::NotReturnable => "The shop does not take it back.",
                IneligibleCode::NoShippingOption => {
                    "It cannot be returned here yet, because no shipping option is set up for its order. Ask the shop."
                }
                IneligibleCode::NoReturnReason => {
                    "It cannot be returned here yet, because no return reason is set up. Ask the shop."
                }
                IneligibleCode::ReturnedElsewhere => {
                    "A return of the same order under another id is in progress. Ask the shop."
                }
                IneligibleCode::NotInOrder => "The shop's order no longer has it. Ask the shop.",
                IneligibleCode::NotShippable => "It is not shipped in a parcel, so it cannot be sent back.",
            }
            .to_owned()
        });
        Self {
            returnable: eligibility.returnable > 0,
            code: eligibility.obstacle,
            message,
            return_by: eligibility.return_by,
            return_by_date: eligibility.last_day.map(|day| day.to_string()),
        }
    }
}

/// A shipping option, with its price in the order's currency.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OfferedShippingOption")]
pub struct ShippingOptionView {
    /// The id to send as `shippingOptionId`.
    pub id: ShippingOptionId,
    /// The option's name, as the consumer reads it.
    pub name: String,
    /// How sending works, in a sentence.
    pub description: String,
    /// What the consumer has to do to send the parcel.
    pub method: ShippingMethod,
    /// Whether the consumer needs a printer for it.
    pub needs_printer: bool,
    /// The price; `None` for gifts.
    #[serde(flatten)]
    pub fare: Option<OfferedFare>,
    /// The maximum weight in grams; `null`: no limit.
    pub max_weight: Option<u32>,
}

/// The prices of a shipping option, flattened into it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedFare {
    /// The price of sending. Absent for gifts.
    pub price: Money,
    /// Prices by weight, replacing `price`, the lightest first. Absent for gifts.
    pub weight_prices: Vec<WeightPriceView>,
    /// Return value from which shipping is free; `null`: it is never free. Absent for gifts.
    pub free_from: Option<Money>,
}

/// The price of shipping from a weight on, in the order's currency.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "OfferedWeightPrice")]
pub struct WeightPriceView {
    /// The weight in grams above which the price applies.
    pub above: u32,
    /// The price from this weight on; `null`: the option is not offered at this weight.
    pub price: Option<Money>,
}

impl ShippingOptionView {
    /// The option in a language and currency; `None` if it has no price in that currency.
    pub fn new(option: &ShippingOption, currency: Currency, locale: &Locale) -> Option<Self> {
        let fare = option.fare(currency)?;
        let money = |minor: i64| Money::new(minor, currency);
        let step = |(above, price): (u32, Option<i64>)| WeightPriceView { above, price: price.map(money) };
        Some(Self {
            id: option.id,
            name: option.name.get(locale).to_owned(),
            description: option.description.get(locale).to_owned(),
            method: option.method,
            needs_printer: option.method.needs_printer(),
            max_weight: fare.max_weight,
            fare: Some(OfferedFare {
                price: money(fare.price),
                weight_prices: fare.steps.into_iter().map(step).collect(),
                free_from: fare.free_from.map(money),
            }),
        })
    }

    /// The option with its price for a given return.
    #[must_use]
    pub(crate) fn at(mut self, price: Money) -> Self {
        if let Some(fare) = &mut self.fare {
            fare.price = price;
        }
        self
    }

    /// The option for a consumer who sees no amounts.
    #[must_use]
    pub(crate) fn without_amounts(self) -> Self {
        let Self { id, name, description, method, needs_printer, fare: _, max_weight } = self;
        Self { id, name, description, method, needs_printer, fare: None, max_weight }
    }
}

/// A return reason that the consumer can choose.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OfferedReturnReason")]
pub struct ReturnReasonView {
    /// The id to send as `returnReasonId`.
    pub id: ReturnReasonId,
    /// The more general reason that this one refines.
    pub parent_id: Option<ReturnReasonId>,
    /// The text of the reason, as the consumer reads it.
    pub description: String,
    /// Whether photos are requested with the reason.
    pub evidence: EvidenceRule,
    /// Whose fault it is: returns that are the merchant's fault ship for free.
    pub fault: Fault,
    /// The part of the price that the shop keeps, in percent. Absent for gifts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restocking_fee_percent: Option<Percent>,
    /// The resolutions that the consumer may request with this reason.
    pub resolutions: Vec<Resolution>,
    /// The questions to answer with the reason.
    pub questions: Vec<QuestionView>,
}

/// A question that a return reason asks about the item.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OfferedQuestion")]
pub struct QuestionView {
    /// The id to send as the answer's `questionId`.
    pub id: QuestionKey,
    /// The text of the question, as the consumer reads it.
    pub text: String,
    /// The answers to choose from; empty: the consumer answers in their own words.
    pub options: Vec<AnswerOptionView>,
    /// Whether a consumer's draft needs an answer. A draft that the merchant makes needs none.
    pub required: bool,
}

/// An answer that a question offers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OfferedAnswer")]
pub struct AnswerOptionView {
    /// The id to send as the answer's `value`.
    pub id: QuestionKey,
    /// The text of the answer, as the consumer reads it.
    pub text: String,
}

impl QuestionView {
    fn new(question: &Question, locale: &Locale) -> Self {
        let option = |option: &domain::policy::question::AnswerOption| AnswerOptionView {
            id: option.id.clone(),
            text: option.text.get(locale).to_owned(),
        };
        Self {
            id: question.id.clone(),
            text: question.text.get(locale).to_owned(),
            options: question.options.iter().map(option).collect(),
            required: question.required,
        }
    }
}

impl ReturnReasonView {
    /// The reason in a language, with those of its resolutions that are offered.
    pub fn new(reason: &ReturnReason, offered: &[Resolution], locale: &Locale) -> Self {
        let allowed = |resolution: &Resolution| reason.rules.allows(*resolution, offered);
        Self {
            id: reason.id,
            parent_id: reason.parent_id,
            description: reason.description.get(locale).to_owned(),
            evidence: reason.rules.evidence,
            fault: reason.rules.fault,
            restocking_fee_percent: Some(reason.rules.restocking_fee_percent),
            resolutions: offered.iter().copied().filter(allowed).collect(),
            questions: reason.rules.questions.iter().map(|question| QuestionView::new(question, locale)).collect(),
        }
    }
}

/// What a shop offers a shopper today.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// The shipping options.
    pub options: Vec<ShippingOptionView>,
    /// The return reasons.
    pub reasons: Vec<ReturnReasonView>,
}

impl Offered {
    pub(crate) fn without_amounts(self) -> Self {
        let reason = |reason| ReturnReasonView { restocking_fee_percent: None, ..reason };
        Self {
            options: self.options.into_iter().map(ShippingOptionView::without_amounts).collect(),
            reasons: self.reasons.into_iter().map(reason).collect(),
        }
    }
}
