//! Which rows a search of a long order finds, and how many.

use crate::words::Live;
use serde::{Deserialize, Serialize};
use ui::{money, text::plural};

/// Whether a text contains every word of a search.
pub fn matches(text: &str, query: &str) -> bool {
    let text = lower_case(text);
    lower_case(query).split_whitespace().all(|word| text.contains(word))
}

#[cfg(not(feature = "hydrate"))]
fn lower_case(text: &str) -> String {
    text.to_lowercase()
}

/// The browser has Unicode's tables already. A copy of them would add 14 kB of WebAssembly.
#[cfg(feature = "hydrate")]
fn lower_case(text: &str) -> String {
    web_sys::js_sys::JsString::from(text).to_lower_case().into()
}

/// How many rows a search shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCounts {
    /// Rows that are visible.
    pub shown: usize,
    /// All rows.
    pub total: usize,
    /// All rows that are returnable.
    pub returnable: usize,
    /// All rows that are selected.
    pub chosen: usize,
}

impl SearchCounts {
    /// The counts in words.
    pub(super) fn text(self, words: &Live) -> String {
        let count = |number: usize| money::count(u32::try_from(number).unwrap_or(u32::MAX), words);
        if self.shown == self.total {
            plural(words.tag, words.found_all, &[&count(self.total), &count(self.returnable)])
        } else if self.shown == 0 {
            plural(words.tag, words.found_none, &[&count(self.chosen)])
        } else {
            plural(words.tag, words.found_some, &[&count(self.shown), &count(self.total), &count(self.chosen)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SearchCounts, matches};
    use crate::words::live::EN;

    #[test]
    fn a_search_matches_all_words_in_any_order_and_case() {
        assert!(matches("Stoneware mug, oatmeal glaze", "GLAZE mug") && matches("Mug", "  "));
        assert!(!matches("Stoneware mug", "mug blue"));
    }

    #[test]
    fn the_count_shows_how_many_rows_are_hidden() {
        let found = SearchCounts { shown: 1_200, total: 1_200, returnable: 7, chosen: 0 };
        assert_eq!(found.text(&EN), "1,200 items, 7 returnable");
        assert_eq!(SearchCounts { shown: 3, chosen: 2, ..found }.text(&EN), "3 of 1,200 items shown, 2 selected");
        assert_eq!(SearchCounts { shown: 0, ..found }.text(&EN), "No items found, 0 selected");
    }
}
