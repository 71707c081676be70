//! One row of the page: a purchase, what can be done with it, and what was selected and typed.

use crate::{
    forms::choice::{Choice, ChoiceField, ChoiceMistake},
    words::Words,
};
use domain::{Money, PurchaseId, ReturnReasonId, order::ExchangeOption, policy::Resolution};
use ui::components::ProductSummary;

/// A reason to choose.
#[derive(Debug, Clone)]
pub struct ReasonOption {
    /// Which.
    pub id: ReturnReasonId,
    /// What it says.
    pub text: String,
    /// Those that refine it; then it is their heading and cannot be chosen itself.
    pub finer: Vec<ReasonOption>,
}

/// What can be answered about a row.
#[derive(Debug, Clone, Default)]
pub struct RowQuestions {
    /// Why it goes back.
    pub reasons: Vec<ReasonOption>,
    /// What may be asked for.
    pub resolutions: Vec<Resolution>,
}

/// What all rows share.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    /// Whether each row brings its questions. In a long list only those do that are chosen or can be exchanged: the others
    /// would be the better part of a megabyte.
    pub asks_all: bool,
    /// About what nothing can be sent in place of.
    pub asked: RowQuestions,
    /// About what can be exchanged.
    pub asked_with_exchange: RowQuestions,
    /// What store credit is topped up with; empty for nothing.
    pub bonus: String,
}

impl Shared {
    pub fn asks(&self, row: &PurchaseRow) -> bool {
        self.asks_all || !row.choice.is_blank() || !row.exchange.is_empty()
    }
}

/// One line of an order.
#[derive(Debug, Clone)]
pub struct PurchaseRow {
    /// Its name in the form; only good for this page.
    pub key: String,
    /// Which purchase.
    pub id: PurchaseId,
    /// What it is.
    pub product: ProductSummary,
    /// Units bought.
    pub bought: u32,
    /// What a unit cost; `None` where no amounts are shown.
    pub unit_price: Option<Money>,
    /// What a unit weighs, grams.
    pub weight: u32,
    /// What it can be exchanged for; nothing where no exchange is offered.
    pub exchange: Vec<ExchangeOption>,
    /// What can be done with it.
    pub state: RowState,
    /// What was chosen and typed.
    pub choice: Choice,
    /// What is wrong with that.
    pub mistakes: Vec<ChoiceMistake>,
    /// Whether it matches what is searched for. The others are in the page too, out of sight: nothing typed is lost.
    pub shown: bool,
    /// The heading that it stands under while nothing is searched for, where that is another one.
    pub home: Option<String>,
}

/// Whether a row can go back.
#[derive(Debug, Clone)]
pub enum RowState {
    /// It can.
    Returnable {
        /// So many units.
        left: u32,
        /// So many of them cost one minor unit more.
        dearer: u32,
        /// Until when, where that differs within the order.
        until: Option<String>,
    },
    /// It cannot.
    Not {
        /// Because of a date.
        by_date: bool,
        /// Why.
        why: String,
        /// The return that it went back with: number and address.
        with: Option<(String, String)>,
    },
}

impl RowState {
    /// Whether it can go back.
    pub fn is_returnable(&self) -> bool {
        matches!(self, Self::Returnable { .. })
    }
}

impl PurchaseRow {
    /// Units that can go back.
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
