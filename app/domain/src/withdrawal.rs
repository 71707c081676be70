//! Withdrawals from a contract (Directive 2011/83/EU, article 11a): the consumer's statement, the orders that it
//! names, and its status.

use crate::{
    base::{
        email::{MAX_EMAIL_CHARS, is_email},
        id::{ConsumerId, ReturnOrderId, WithdrawalId},
        language::Locale,
        refusal::{Problems, RefusalCode},
        timestamp::Timestamp,
    },
    proof::{order_number::compared, visible},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The longest name, characters.
pub const MAX_NAME_CHARS: usize = 200;
/// The longest description of a contract, characters.
pub const MAX_CONTRACT_CHARS: usize = 2_000;
/// Days to send items back after a withdrawal (article 14(1)).
pub const DAYS_TO_SEND_BACK: u32 = 14;
/// A shorter order number counts only if it stands alone or behind a `#`: "2 mugs" does not name order 2.
const LEAST_TOKEN_CHARS: usize = 3;

/// The statement of a consumer. It never changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The name of the consumer.
    pub name: String,
    /// The contract: an order number, or what was ordered. May have several lines.
    pub contract: String,
    /// The address for the acknowledgement.
    pub email: String,
}

impl Statement {
    /// Builds a statement from typed text: trims each part and converts line ends to line feeds.
    pub fn typed(name: &str, contract: &str, email: &str) -> Self {
        let contract = contract.replace("\r\n", "\n").replace('\r', "\n");
        Self { name: name.trim().to_owned(), contract: contract.trim().to_owned(), email: email.trim().to_owned() }
    }

    /// Problems by field.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        problems.check_text("name", &self.name, 1..=MAX_NAME_CHARS);
        // The text may have several lines and tabs.
        let in_one_line = self.contract.replace(['\n', '\t'], " ");
        problems.check_text("contract", &in_one_line, 1..=MAX_CONTRACT_CHARS);
        problems.check_text("email", &self.email, 1..=MAX_EMAIL_CHARS);
        if problems.0.iter().all(|(field, _)| field != "email") && !is_email(&self.email) {
            problems.add("email", RefusalCode::NotAllowed, "expected an e-mail address, such as ada@example.com");
        }
        problems
    }

    /// Whether it names an order: as its whole text, as a line or as a word.
    pub fn names(&self, order_number: &str) -> bool {
        NamedNumbers::of(&self.contract).has(order_number)
    }
}

/// The possible order numbers in a text, in compared form.
struct NamedNumbers {
    /// The whole text, and each line.
    lines: BTreeSet<String>,
    words: BTreeSet<String>,
    /// Words with a leading `#`.
    marked: BTreeSet<String>,
}

impl NamedNumbers {
    fn of(contract: &str) -> Self {
        let lines = contract.lines().chain([contract]).map(compared).collect();
        let visible: Vec<String> = contract.lines().map(visible).collect();
        let words = visible.iter().flat_map(|line| line.split(' '));
        let parts = words.flat_map(|word| word.split(PARTS).map(bare).chain([word, bare(word)]));
        let (marked, words): (Vec<&str>, Vec<&str>) = parts.partition(|word| word.starts_with('#'));
        let compared = |words: Vec<&str>| words.into_iter().map(compared).collect();
        Self { lines, words: compared(words), marked: compared(marked) }
    }

    fn has(&self, order_number: &str) -> bool {
        let wanted = compared(order_number);
        let is_long = wanted.chars().count() >= LEAST_TOKEN_CHARS;
        !wanted.is_empty()
            && (self.lines.contains(&wanted)
                || self.marked.contains(&wanted)
                || (is_long && self.words.contains(&wanted)))
    }
}

/// Separators of numbers without spaces.
const PARTS: [char; 7] = [',', ';', ':', '/', '(', ')', '&'];

/// A word without surrounding punctuation; a leading `#` stays.
fn bare(word: &str) -> &str {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '#')
}

/// A received withdrawal and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// Identifier.
    pub id: WithdrawalId,
    /// A short number for people: `W-` and eight characters.
    pub number: String,
    /// The statement; empty after its author's data were erased.
    pub statement: Statement,
    /// The language of the statement.
    pub language: Locale,
    /// The named orders that are known as orders of its e-mail address.
    pub order_numbers: Vec<String>,
    /// The consumer who proved one of them, if any has.
    pub consumer_id: Option<ConsumerId>,
    /// The return that followed from it.
    pub return_order_id: Option<ReturnOrderId>,
    /// Whether the merchant has closed it.
    pub is_closed: bool,
    /// The merchant's note.
    pub note: String,
    /// When it was submitted.
    pub created_at: Timestamp,
    /// When it last changed, apart from the statement.
    pub updated_at: Timestamp,
    /// A version counter, from 1.
    pub version: i64,
}

named_enum! {
    /// The states of a withdrawal.
    WithdrawalStatus {
        /// Received; the order that it means is not known.
        Received,
        /// It names an order of the same e-mail address.
        OrderFound,
        /// Items of the order are on their way back.
        Returned,
        /// The merchant has dealt with it.
        Closed,
    }
}

impl Withdrawal {
    /// The status.
    pub fn status(&self) -> WithdrawalStatus {
        match self {
            Self { is_closed: true, .. } => WithdrawalStatus::Closed,
            Self { return_order_id: Some(_), .. } => WithdrawalStatus::Returned,
            Self { order_numbers, .. } if !order_numbers.is_empty() => WithdrawalStatus::OrderFound,
            _ => WithdrawalStatus::Received,
        }
    }

    /// Whether it is neither closed nor linked to a return.
    pub fn is_open(&self) -> bool {
        !self.is_closed && self.return_order_id.is_none()
    }

    /// Adds those of the given orders that the statement names. Returns whether any is new.
    pub fn find_orders<'a>(&mut self, numbers: impl IntoIterator<Item = &'a str>) -> bool {
        let (before, named) = (self.order_numbers.len(), NamedNumbers::of(&self.statement.contract));
        for number in numbers {
            let is_noted = self.order_numbers.iter().any(|known| known == number);
            if !is_noted && named.has(number) {
                self.order_numbers.push(number.to_owned());
            }
        }
        self.order_numbers.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(contract: &str) -> Statement {
        Statement::typed("Ada Lovelace", contract, "ada@example.com")
    }

    #[test]
    fn order_numbers_are_found_as_words() {
        for text in [
            "1001",
            " #1001 ",
            "Order 1001",
            "Bestellung Nr. 1001, vom 3. März",
            "order:1001",
            "(1001)",
            "1002,1001",
            "1000/1001",
            "the blue mug\nof order #1001.",
            "\"1001\"",
            "１００１",
            "Bestellung \u{202a}＃1001\u{202c}",
            "order number 1001.",
            "N\u{b0}1001 et N\u{b0}1002",
        ] {
            assert!(about(text).names("#1001"), "{text}");
        }
        for text in ["10011", "A-1001", "1001-2", "1001.50 EUR", "two mugs", "", "+1001x"] {
            assert!(!about(text).names("1001"), "{text}");
        }
        assert!(about("My order\nC - 1001").names("#c-1001"), "a line of its own may have spaces in it");
        assert!(about("A/1001").names("a/1001") && about("2026_17!").names("2026_17"));
        for (text, is_named) in [("2", true), ("#2, please", true), ("2 mugs", false), ("mugs (2)", false)] {
            assert_eq!(about(text).names("2"), is_named, "{text}");
        }
        assert!(!about("anything").names("") && !about("anything").names(" # "));
    }

    #[test]
    fn a_statement_has_three_parts_of_bounded_length() {
        let fields =
            |statement: &Statement| statement.check().0.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        assert!(fields(&about("Order 1001\r\n\tand the green mug")).is_empty());
        assert_eq!(about(" a\r\nb\rc ").contract, "a\nb\nc");
        assert_eq!(fields(&Statement::typed(" ", "\r\n", "")), ["name", "contract", "email"]);
        let long = |chars| "x".repeat(chars);
        assert!(fields(&Statement::typed(&long(200), &long(2_000), &format!("{}@b", long(252)))).is_empty());
        let too_long = Statement::typed(&long(201), &long(2_001), &format!("{}@b", long(253)));
        assert_eq!(fields(&too_long), ["name", "contract", "email"]);
        for email in ["ada", "@example.com", "ada@", "a da@example.com", "ada@example.com\u{7}"] {
            assert_eq!(fields(&Statement::typed("Ada", "1001", email)), ["email"], "{email}");
        }
        assert_eq!(fields(&Statement::typed("A\nda", "10\u{0}01", "ada@example.com")), ["name", "contract"]);
    }

    #[test]
    fn the_status_follows_from_what_is_known() {
        let at = Timestamp::from_seconds(0);
        let mut withdrawal = Withdrawal {
            id: WithdrawalId(uuid::Uuid::nil()),
            number: String::new(),
            statement: about("1001 and 1002"),
            language: Locale::default(),
            order_numbers: Vec::new(),
            consumer_id: None,
            return_order_id: None,
            is_closed: false,
            note: String::new(),
            created_at: at,
            updated_at: at,
            version: 1,
        };
        assert!(withdrawal.is_open());
        assert_eq!(withdrawal.status(), WithdrawalStatus::Received);
        assert!(!withdrawal.find_orders(["#1003"]));
        assert!(withdrawal.find_orders(["#1001", "#1001", "#1003", "#1002"]));
        assert!(!withdrawal.find_orders(["#1001"]), "once is enough");
        assert_eq!((withdrawal.order_numbers.len(), withdrawal.status()), (2, WithdrawalStatus::OrderFound));
        withdrawal.return_order_id = Some(ReturnOrderId(uuid::Uuid::nil()));
        assert_eq!((withdrawal.status(), withdrawal.is_open()), (WithdrawalStatus::Returned, false));
        withdrawal.is_closed = true;
        assert_eq!((withdrawal.status(), withdrawal.is_open()), (WithdrawalStatus::Closed, false));
        withdrawal.return_order_id = None;
        assert_eq!((withdrawal.status(), withdrawal.is_open()), (WithdrawalStatus::Closed, false));
    }
}
