//! The shipping options of a draft, and the costs with each.

use super::{
    basis::{Basis, ChosenItems, Selection, Way},
    settings::Settings,
};
use crate::base::{Error, FieldError, Result, Shopper};
use domain::{
    Currency, RefusalCode, ShippingOptionId, Timestamp,
    costs::{self, Charges, CostBreakdown},
    policy::question::GivenAnswer,
    returning::{DraftItem, DraftReturnOrder, OverriddenRule, is_overridden},
    shipping::ShippingOption,
};
use std::borrow::Cow;
use store::{Reading, drafts};

/// The price of an option for draft items, in minor units; `None` if it is not offered for them.
pub(crate) fn price(option: &ShippingOption, currency: Currency, items: &[DraftItem]) -> Option<i64> {
    let sent = || items.iter().filter(|item| !item.kept);
    option.price(currency, sent().map(|item| item.value).sum(), sent().map(|item| item.weight).sum())
}

fn stopped_by_customs(items: &[&DraftItem]) -> Error {
    let error = |item: &&DraftItem| {
        let fields: Vec<String> =
            item.unknown_to_customs.iter().map(|fact| format!("product.{}", fact.field())).collect();
        let message = format!(
            "this parcel passes customs, which need {} of the purchase {}: the shop must add it first, or choose another \
             shipping option",
            fields.join(" and "),
            item.purchase_id,
        );
        FieldError::new("shippingOptionId", RefusalCode::CustomsDataMissing, message)
    };
    Error::Invalid(items.iter().map(error).collect())
}

impl Settings {
    /// The items without the customs data that a shipping option needs.
    pub(crate) fn unknown_to_customs<'a>(
        &self,
        option: ShippingOptionId,
        items: &'a [DraftItem],
    ) -> Vec<&'a DraftItem> {
        let is_unknown = |item: &&DraftItem| !item.kept && !item.unknown_to_customs.is_empty();
        if self.past_customs.contains(&option) { items.iter().filter(is_unknown).collect() } else { Vec::new() }
    }

    /// Sets the shipping option of a draft, and recalculates the costs from the amounts that the draft fixed.
    pub(crate) fn choose_option(
        &self,
        draft: &mut DraftReturnOrder,
        id: ShippingOptionId,
        now: Timestamp,
    ) -> Result<()> {
        let currency = draft.cost_breakdown.currency;
        let option = self.option(Some(id), currency, &draft.items)?;
        draft.cost_breakdown = self.costs(currency, &draft.items, option);
        draft.shipping_option_id = option.map(|option| option.id);
        draft.updated_at = now;
        Ok(())
    }

    /// Returns the chosen shipping option if it is offered for these items in this currency. `None` if all items are
    /// kept.
    pub(crate) fn option(
        &self,
        id: Option<ShippingOptionId>,
        currency: Currency,
        items: &[DraftItem],
    ) -> Result<Option<&ShippingOption>> {
        let Some(id) = id else { return Ok(None) };
        if items.iter().all(|item| item.kept) {
            return Ok(None);
        }
        let offered = self.options.iter().find(|option| option.id == id && option.fare(currency).is_some());
        let option = offered.ok_or_else(|| {
            let message = "expected the id of one of the purchases' shippingOptions";
            Error::invalid("shippingOptionId", RefusalCode::NotAllowed, message)
        })?;
        if price(option, currency, items).is_none() {
            let message = "this way of sending does not take what weighs so much: expected another one";
            return Err(Error::invalid("shippingOptionId", RefusalCode::OutOfRange, message));
        }
        let unknown = self.unknown_to_customs(id, items);
        if unknown.is_empty() { Ok(Some(option)) } else { Err(stopped_by_customs(&unknown)) }
    }

    /// The costs of draft items with a shipping option.
    pub(crate) fn costs(
        &self,
        currency: Currency,
        items: &[DraftItem],
        option: Option<&ShippingOption>,
    ) -> CostBreakdown {
        let policy = &self.account.policy;
        let item = |item: &DraftItem| costs::ChargedItem {
            purchase_id: item.purchase_id,
            quantity: item.taken.units,
            value: item.value,
            outbound_shipping: item.outbound_shipping,
            limit: item.limit,
            resolution: item.requested_resolution,
            restocking_fee: item.rules.restocking_fee_percent,
            fault: item.rules.fault,
        };
        let charges = Charges {
            currency,
            items: items.iter().map(item).collect(),
            shipping: option.and_then(|option| Some((option.id, price(option, currency, items)?))),
            request_fee: policy.request_fee.minor(currency).unwrap_or(0),
            store_credit_bonus: policy.store_credit_bonus_percent,
            collection: policy.fee_collection,
            waives_fees: items.iter().any(|item| is_overridden(&item.overrides, OverriddenRule::Fees)),
            least_payable: self.account.payment.kind().least(currency), // waived without a payment provider, as the costs show
        };
        costs::calculate(&if self.is_gift { charges.of_gift() } else { charges })
    }
}

impl Settings {
    /// Loads the selection and the shipping option of a new draft.
    pub(crate) async fn selected<'a>(
        &self,
        reading: &mut Reading,
        shopper: &Shopper,
        basis: &'a Basis,
    ) -> Result<Cow<'a, ChosenItems>> {
        match basis {
            Basis::Chosen(chosen) => Ok(Cow::Borrowed(chosen)),
            Basis::Renewed(id) => {
                let found = drafts::find(reading.db(), shopper.account, shopper.consumer, *id).await?;
                let draft = found.ok_or(Error::NotFound)?;
                let selections = draft.items.iter().map(|item| self.select_again(item)).collect();
                let way = Way::Preferred(draft.shipping_option_id);
                // What staff have overridden stays overridden for the same items.
                let overrides = draft.items.into_iter().next().map(|item| item.overrides).unwrap_or_default();
                Ok(Cow::Owned(ChosenItems { selections, way, overrides, overriding: None }))
            }
        }
    }

    fn select_again(&self, item: &DraftItem) -> Selection {
        let reason = self.reasons.iter().find(|reason| reason.id == item.return_reason_id);
        let questions = reason.map_or(&[][..], |reason| reason.rules.questions.as_slice());
        let is_asked = |answer: &GivenAnswer| questions.iter().any(|question| question.id == answer.question_id);
        let mut selection = Selection::from(item);
        selection.answers.retain(is_asked);
        selection
    }

    /// The shipping option of a new draft.
    pub(crate) fn option_of(
        &self,
        way: Way,
        currency: Currency,
        items: &[DraftItem],
    ) -> Result<Option<&ShippingOption>> {
        match way {
            Way::Chosen(id) => self.option(id, currency, items),
            Way::Preferred(id) => match self.option(id, currency, items) {
                Err(Error::Invalid(_)) => Ok(None),
                found => found,
            },
        }
    }
}
