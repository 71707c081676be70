//! What a browser has done in one shop, as its session stores it.

use crate::forms::{
    answers::AnswerMistake,
    choice::{Choice, RowMistake},
    gift::{GiftFields, GiftMistake},
    look_up::{LookUpFields, LookUpMistake},
    photos::PhotoMistake,
    withdrawal::WithdrawalMistake,
    withdrawal_draft::WithdrawalDraft,
};
use domain::{DraftReturnOrderId, PurchaseId, ReturnOrderId, ShippingOptionId, WithdrawalId};
use returns::Shopper;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// No id of a reason is longer.
const MAX_REASON_CHARS: usize = 40;

/// What a browser has done in one shop.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Visit {
    /// The shopper who has proved an order.
    pub shopper: Option<Shopper>,
    /// The look-up form as typed.
    pub typed: LookUpFields,
    /// Its mistakes.
    pub look_up_mistakes: Vec<LookUpMistake>,
    /// The gift form as typed.
    pub gift: GiftFields,
    /// Its mistakes.
    pub gift_mistakes: Vec<GiftMistake>,
    /// What was typed in place of an e-mail address to send a link to.
    pub link: Option<String>,
    /// The masked address that a link was sent to last.
    pub link_sent: Option<String>,
    /// What was selected and typed for purchases.
    pub choices: BTreeMap<PurchaseId, Choice>,
    /// The shipping option that was selected last.
    pub option: Option<ShippingOptionId>,
    /// The draft that was made last.
    pub draft: Option<DraftReturnOrderId>,
    /// The statement of withdrawal, until it is confirmed.
    pub withdrawal: Option<WithdrawalDraft>,
    /// Its mistakes.
    pub withdrawal_mistakes: Vec<WithdrawalMistake>,
    /// The withdrawal that was sent last.
    pub withdrawn: Option<WithdrawalId>,
    /// The message for the next page.
    pub flash: Option<Flash>,
}

impl Visit {
    /// Signs a shopper in. What another shopper did here is forgotten. What an unknown visitor did stays: it is the shopper's own,
    /// from after their session ended.
    pub fn sign_in(&mut self, shopper: Shopper) {
        if self.shopper.is_some_and(|before| before != shopper) {
            *self = Self::default();
        }
        self.shopper = Some(shopper);
        (self.typed, self.gift) = (LookUpFields::default(), GiftFields::default());
    }

    /// Selects all of these with all returnable units. Rows that are selected already keep their quantity.
    pub fn choose_all(&mut self, rows: impl Iterator<Item = (PurchaseId, u32)>) {
        for (id, left) in rows {
            let choice = self.choices.entry(id).or_default();
            if !choice.chosen {
                (choice.chosen, choice.quantity) = (true, left.to_string());
            }
        }
    }

    /// Deselects everything. What was typed stays.
    pub fn choose_nothing(&mut self) {
        for choice in self.choices.values_mut() {
            choice.chosen = false;
        }
        self.choices.retain(|_, choice| !choice.is_blank());
    }

    /// Sets the reason of selected rows without one.
    pub fn give_reason(&mut self, reason: &str) {
        let reason: String = reason.chars().take(MAX_REASON_CHARS).collect();
        for choice in self.choices.values_mut().filter(|choice| choice.chosen && choice.reason.is_empty()) {
            choice.reason.clone_from(&reason);
        }
    }

    /// Saves rows, and removes those that are blank.
    pub fn choose(&mut self, rows: impl IntoIterator<Item = (PurchaseId, Choice)>) {
        for (id, choice) in rows {
            let before = self.choices.remove(&id);
            if !choice.is_blank() {
                // Another page has the answers.
                let answers = before.map(|before| before.answers).unwrap_or_default();
                self.choices.insert(id, Choice { answers, ..choice });
            }
        }
    }
}

/// A message that the next page shows once, as a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flash {
    /// Nothing is selected.
    NothingChosen,
    /// A row is selected that the form has not asked about yet.
    Asking,
    /// These rows have mistakes.
    Mistakes(Vec<RowMistake>),
    /// These rows have become less returnable.
    Fewer(Vec<RowMistake>),
    /// The draft is no longer valid.
    DraftOver,
    /// No shipping option is selected.
    OptionMissing,
    /// The return can no longer be cancelled.
    CannotCancel,
    /// These answers have mistakes, and these photos were refused.
    Details(Vec<AnswerMistake>, Vec<PhotoMistake>),
    /// Photos of this return were sent, and these were refused.
    Photos(ReturnOrderId, Vec<PhotoMistake>),
}
