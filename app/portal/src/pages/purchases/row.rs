//! One row of the page: a purchase, what can be done with it, and what was selected and typed.

use crate::{
    amounts::estimate::OutboundShipping,
    forms::choice::{Choice, ChoiceField, ChoiceMistake},
    words::Words,
};
use domain::{Money, PurchaseId, ReturnReasonId, order::ExchangeOption, policy::Resolution};
use ui::components::ProductSummary;

/// A reason to select.
#[derive(Debug, Clone)]
pub struct ReasonOption {
    pub id: ReturnReasonId,
    pub text: String,
    /// Reasons that refine this one. It is then their heading and cannot be selected itself.
    pub finer: Vec<ReasonOption>,
}

/// The questions about a row.
#[derive(Debug, Clone, Default)]
pub struct RowQuestions {
    /// The reasons to offer.
    pub reasons: Vec<ReasonOption>,
    /// The resolutions to offer.
    pub resolutions: Vec<Resolution>,
}

/// What all rows share.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    /// Whether every row has its questions. In a long list only selected and exchangeable rows have them: all of them would take
    /// most of a megabyte.
    pub asks_all: bool,
    /// The questions about purchases that cannot be exchanged.
    pub asked: RowQuestions,
    /// The questions about purchases that can be exchanged.
    pub asked_with_exchange: RowQuestions,
    /// The bonus on store credit; empty without one.
    pub bonus: String,
}

impl Shared {
    pub fn asks(&self, row: &PurchaseRow) -> bool {
        self.asks_all || !row.choice.is_blank() || !row.exchange.is_empty()
    }
}

/// One purchase in the list.
#[derive(Debug, Clone)]
pub struct PurchaseRow {
    /// Its name in the form of this page.
    pub key: String,
    pub id: PurchaseId,
    pub product: ProductSummary,
    pub bought: u32,
    /// The price of a unit. `None` if amounts are not shown.
    pub unit_price: Option<Money>,
    /// The weight of a unit, grams.
    pub weight: u32,
    /// The replacements that are offered. Empty if it cannot be exchanged.
    pub exchange: Vec<ExchangeOption>,
    /// Whether it is returnable.
    pub state: RowState,
    /// What was selected and typed.
    pub choice: Choice,
    /// The mistakes in it.
    pub mistakes: Vec<ChoiceMistake>,
    /// Whether the search matches. The page contains the other rows too, hidden: nothing typed is lost.
    pub shown: bool,
    /// The id of its heading without a search, if it is another one.
    pub home: Option<String>,
    /// What its order refunds once it is returned completely.
    pub outbound: OutboundShipping,
}

/// Whether a row is returnable.
#[derive(Debug, Clone)]
pub enum RowState {
    /// It is.
    Returnable {
        /// How many units.
        left: u32,
        /// How many of them cost one minor unit more.
        dearer: u32,
        /// The deadline, if it differs within the order.
        until: Option<String>,
    },
    /// It is not.
    Not {
        /// Whether a date is the reason.
        by_date: bool,
        why: String,
        /// The return that it is part of: number and address.
        with: Option<(String, String)>,
    },
}

impl RowState {
    /// Whether the row is returnable.
    pub fn is_returnable(&self) -> bool {
        matches!(self, Self::Returnable { .. })
    }
}

impl PurchaseRow {
    /// The returnable quantity.
    pub fn left(&self) -> u32 {
        match self.state {
            RowState::Returnable { left, .. } => left,
            RowState::Not { .. } => 0,
        }
    }

    /// The mistake of a field, as a sentence.
    pub(super) fn error(&self, field: ChoiceField, words: &Words) -> Option<String> {
        let mistake = self.mistakes.iter().find(|mistake| mistake.field() == field);
        mistake.map(|mistake| mistake.sentence(self.left(), words.live()))
    }
}
