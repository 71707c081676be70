//! What a return gives back, as one sentence with its amounts.

use crate::words::Words;
use domain::{Money, costs::LineKind};
use leptos::prelude::*;
use returns::view::{Costs, GiftCosts};
use ui::{
    components::{money_text, sentence},
    html::IntoHtml,
    money,
};

/// What a return gives back, as one sentence with amounts.
#[derive(Debug, Clone)]
pub struct ExpectedOutcome {
    /// The sentence, with a slot for each amount.
    pub text: &'static str,
    /// The amounts.
    pub figures: Vec<String>,
    /// The frame around it, with a slot for the sentence and one for the time.
    pub frame: &'static str,
    /// A further sentence, if amounts alone do not say it.
    pub note: Option<&'static str>,
}

impl ExpectedOutcome {
    /// What a return gives back, with amounts if they are shown.
    pub fn of(costs: &Costs, is_exchange: bool, words: &Words) -> Self {
        let costs = match costs {
            Costs::CostBreakdown(costs) => costs,
            Costs::Gift(gift) => return Self::of_gift(*gift, is_exchange, words),
            Costs::Hidden {} => {
                let nothing = GiftCosts { store_credit: false, charges_taken_off: false };
                return Self::of_gift(nothing, is_exchange, words);
            }
        };
        let figure = |amount: Money| money::format(amount, words.live());
        let (refund, credit, due) = (costs.estimated_refund, costs.estimated_credit, costs.payable_now);
        if (refund.minor, credit.minor) == (0, 0) && due.minor > 0 {
            let frame = if is_exchange { words.sentence_settled } else { words.sentence_nothing };
            return Self { text: words.you_pay, figures: vec![figure(due)], frame, note: None };
        }
        let outcome =
            Self::new(&figure(refund), &figure(credit), refund.minor > 0, credit.minor > 0, is_exchange, words);
        let note = (costs.total(LineKind::RefundLimit) != 0).then_some(words.limit_note);
        Self { note, ..outcome }
    }

    fn new(refund: &str, credit: &str, has_refund: bool, has_credit: bool, is_exchange: bool, words: &Words) -> Self {
        let (text, figures) = match (has_refund, has_credit, is_exchange) {
            (true, true, _) => (words.you_get_both, vec![refund.to_owned(), credit.to_owned()]),
            (true, false, _) => (words.you_get_back, vec![refund.to_owned()]),
            (false, true, _) => (words.you_get_credit, vec![credit.to_owned()]),
            (false, false, true) => (words.you_get_exchange, Vec::new()),
            (false, false, false) => (words.you_get_nothing, Vec::new()),
        };
        let frame = match (figures.is_empty(), is_exchange) {
            (false, _) => words.sentence_when,
            (true, true) => words.sentence_settled,
            (true, false) => words.sentence_nothing,
        };
        Self { text, figures, frame, note: None }
    }

    /// What the return of a gift gives back, without amounts.
    fn of_gift(costs: GiftCosts, is_exchange: bool, words: &Words) -> Self {
        let (text, frame) = match (costs.store_credit, is_exchange) {
            (true, true) => (words.gift_both, words.sentence_settled),
            (true, false) => (words.gift_credit, words.sentence_when),
            (false, true) => (words.you_get_exchange, words.sentence_settled),
            (false, false) => (words.you_get_nothing, words.sentence_nothing),
        };
        let note = (costs.store_credit && costs.charges_taken_off).then_some(words.gift_charges);
        Self { text, figures: Vec::new(), frame, note }
    }

    /// The outcome while the shop has not approved the return.
    pub fn if_agreed(mut self, words: &Words) -> Self {
        let conditions = [
            (words.you_get_both, words.agreed_both),
            (words.you_get_back, words.agreed_back),
            (words.you_get_credit, words.agreed_credit),
            (words.you_get_exchange, words.agreed_exchange),
            (words.you_pay, words.agreed_pay),
            (words.gift_both, words.gift_agreed_both),
            (words.gift_credit, words.gift_agreed_credit),
        ];
        if let Some((_, text)) = conditions.iter().find(|(plain, _)| *plain == self.text) {
            self.text = text;
        }
        self
    }

    /// The heading of this outcome where no amounts are shown.
    pub fn title(&self, words: &Words) -> &'static str {
        let credits = [words.gift_credit, words.gift_both, words.gift_agreed_credit, words.gift_agreed_both];
        let live = words.live();
        match self.text {
            text if credits.contains(&text) => live.as_credit,
            text if [words.you_get_exchange, words.agreed_exchange].contains(&text) => live.receipt_exchange,
            _ => live.receipt,
        }
    }

    /// The outcome by a date, which is not "usually".
    pub fn by_a_date(mut self, words: &Words) -> Self {
        if self.frame == words.sentence_when {
            self.frame = words.sentence_by;
        }
        self
    }

    /// The frame, with or without a time.
    pub fn frame(&self, when: &str, words: &Words) -> &'static str {
        if when.is_empty() { words.sentence_nothing } else { self.frame }
    }

    /// The sentence with its time.
    pub fn promise(&self, when: String, words: &Words) -> impl IntoView + use<> {
        let promised = sentence(self.frame(&when, words), vec![self.view().into_html(), when.into_html()]);
        let note = self.note.map(|note| view! { " "{note} });
        view! { {promised}{note} }
    }

    /// The sentence, with emphasised amounts.
    pub fn view(&self) -> impl IntoView + use<> {
        let strong = |figure: &String| view! { <strong>{money_text(figure.clone())}</strong> }.into_html();
        sentence(self.text, self.figures.iter().map(strong).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;

    #[test]
    fn the_time_is_shown_only_if_it_is_promised() {
        let outcome = ExpectedOutcome::new("£5.00", "£0.00", true, false, false, &EN);
        assert_eq!(outcome.frame("within 5 days", &EN), EN.sentence_when);
        assert_eq!(outcome.frame("", &EN), EN.sentence_nothing);
    }

    #[test]
    fn the_outcome_of_a_gift_has_no_amounts() {
        let shown = |store_credit, charges_taken_off, is_exchange| {
            let outcome = ExpectedOutcome::of_gift(GiftCosts { store_credit, charges_taken_off }, is_exchange, &EN);
            assert!(outcome.figures.is_empty() && !outcome.text.contains('{'));
            let title = if store_credit {
                "Store credit"
            } else if is_exchange {
                "Your exchange"
            } else {
                "Your refund"
            };
            assert_eq!((outcome.title(&EN), outcome.clone().if_agreed(&EN).title(&EN)), (title, title));
            (outcome.text, outcome.note.is_some(), outcome.if_agreed(&EN).text)
        };
        assert_eq!(shown(true, true, false), (EN.gift_credit, true, EN.gift_agreed_credit));
        assert_eq!(shown(true, false, true), (EN.gift_both, false, EN.gift_agreed_both));
        assert_eq!(
            shown(false, true, true),
            (EN.you_get_exchange, false, EN.agreed_exchange),
            "there is no credit to deduct it from"
        );
        assert_eq!(shown(false, true, false), (EN.you_get_nothing, false, EN.you_get_nothing));
    }
}
