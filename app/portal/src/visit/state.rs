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
    /// Who has proved an order.
    pub shopper: Option<Shopper>,
    /// What was typed to prove one.
    pub typed: LookUpFields,
    /// What was wrong with that.
    pub look_up_mistakes: Vec<LookUpMistake>,
    /// What was typed to prove a gift.
    pub gift: GiftFields,
    /// What was wrong with that.
    pub gift_mistakes: Vec<GiftMistake>,
    /// What was typed to have a link sent to, where that is no e-mail address.
    pub link: Option<String>,
    /// Where a link was sent to last, if there are orders of that address; masked.
    pub link_sent: Option<String>,
    /// What was chosen and typed for purchases.
    pub choices: BTreeMap<PurchaseId, Choice>,
    /// The way of sending that was chosen last.
    pub option: Option<ShippingOptionId>,
    /// The draft that was made last.
    pub draft: Option<DraftReturnOrderId>,
    /// What was typed to withdraw from a contract, until it is confirmed.
    pub withdrawal: Option<WithdrawalDraft>,
    /// What was wrong with that.
    pub withdrawal_mistakes: Vec<WithdrawalMistake>,
    /// The withdrawal that was sent last.
    pub withdrawn: Option<WithdrawalId>,
    /// What the next page has to say once.
    pub flash: Option<Flash>,
}

impl Visit {
    /// Somebody has proved an order: what another shopper did here before is forgotten. What was sent before anybody
    /// was known is theirs: they send it on once their session has ended.
    pub fn sign_in(&mut self, shopper: Shopper) {
        if self.shopper.is_some_and(|before| before != shopper) {
            *self = Self::default();
        }
        self.shopper = Some(shopper);
        (self.typed, self.gift) = (LookUpFields::default(), GiftFields::default());
    }

    /// Chooses all of these, with all units that can go back; what is chosen already keeps its quantity.
    pub fn choose_all(&mut self, rows: impl Iterator<Item = (PurchaseId, u32)>) {
        for (id, left) in rows {
            let choice = self.choices.entry(id).or_default();
            if !choice.chosen {
                (choice.chosen, choice.quantity) = (true, left.to_string());
            }
        }
    }

    /// Chooses nothing; what was typed stays.
    pub fn choose_nothing(&mut self) {
        for choice in self.choices.values_mut() {
            choice.chosen = false;
        }
        self.choices.retain(|_, choice| !choice.is_blank());
    }

    /// Gives a reason to what is chosen and has none.
    pub fn give_reason(&mut self, reason: &str) {
        let reason: String = reason.chars().take(MAX_REASON_CHARS).collect();
        for choice in self.choices.values_mut().filter(|choice| choice.chosen && choice.reason.is_empty()) {
            choice.reason.clone_from(&reason);
        }
    }

    /// Keeps what was chosen and typed; forgets what was taken back.
    pub fn choose(&mut self, rows: impl IntoIterator<Item = (PurchaseId, Choice)>) {
        for (id, choice) in rows {
            let before = self.choices.remove(&id);
            if !choice.is_blank() {
                // Answers are given on another page.
                let answers = before.map(|before| before.answers).unwrap_or_default();
                self.choices.insert(id, Choice { answers, ..choice });
            }
        }
    }
}

/// Something to say once: codes, no sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flash {
    /// Nothing was chosen.
    NothingChosen,
    /// Something was chosen that was not asked about yet.
    Asking,
    /// These rows have mistakes.
    Mistakes(Vec<RowMistake>),
    /// These rows were returned meanwhile.
    Fewer(Vec<RowMistake>),
    /// The draft does not hold any more.
    DraftOver,
    /// No way of sending was chosen.
    OptionMissing,
    /// It is too late to call a return off.
    CannotCancel,
    /// These answers have mistakes, and these photos could not be taken.
    Details(Vec<AnswerMistake>, Vec<PhotoMistake>),
    /// Photos of this return were sent; these could not be taken.
    Photos(ReturnOrderId, Vec<PhotoMistake>),
}
