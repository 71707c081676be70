//! Amounts.

use crate::words::Words;
use domain::Money;
use leptos::prelude::*;
use ui::{components::money_text, money::format};

/// An amount with its currency, which neither wraps nor changes its direction.
pub fn money(amount: Money, words: &'static Words) -> AnyView {
    money_text(format(amount, words)).into_any()
}
