//! Amounts.

use crate::words::Words;
use domain::Money;
use ui::{
    components::money_text,
    html::{Html, IntoHtml},
    money::format,
};

/// An amount with its currency, which neither wraps nor changes its direction.
pub fn money(amount: Money, words: &'static Words) -> Html {
    money_text(format(amount, words)).into_html()
}
