//! The codes that are scanned while a page is replaced: the next page looks them up, in their order.

use super::storage::{keep, of_tab, take};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use web_sys::SubmitEvent;

/// Where the codes wait.
const QUEUE: &str = "retour-scans";
/// A page that has not come after so many milliseconds will not come.
const PAGE_WITHIN: f64 = 15_000.0;
/// The most codes that wait.
const MOST: usize = 200;

#[derive(Serialize, Deserialize)]
struct Waiting {
    code: String,
    /// When it was scanned, in milliseconds.
    at: f64,
}

/// The form that leads to the next page.
#[derive(Default)]
pub struct Leaving(RefCell<Option<SubmitEvent>>);

impl Leaving {
    /// A form is sent. Another listener may still hold it back. The button of a form that waits already does nothing.
    pub fn by(&self, event: SubmitEvent) {
        if !event.submitter().is_some_and(|button| button.has_attribute("data-held")) {
            self.0.replace(Some(event));
        }
    }

    /// The page is shown again.
    pub fn not_any_more(&self) {
        self.0.replace(None);
    }

    /// Whether the next page is on its way. A form that is held back leads to a page, too, unless it stays on its own.
    pub fn is_under_way(&self, now: f64) -> bool {
        let event = self.0.borrow();
        let Some(event) = event.as_ref().filter(|event| now - event.time_stamp() < PAGE_WITHIN) else { return false };
        !event.default_prevented() || event.submitter().is_some_and(|button| button.has_attribute("data-hold-next"))
    }
}

/// Adds a code. The scanner has no other way to learn that too many wait: they are counted by hand then.
pub fn push(code: &str) {
    let Some(storage) = of_tab() else { return };
    let mut waiting: Vec<Waiting> = take(&storage, QUEUE).unwrap_or_default();
    if waiting.len() < MOST {
        waiting.push(Waiting { code: code.to_owned(), at: js_sys::Date::now() });
    }
    keep(&storage, QUEUE, &waiting);
}

/// Takes the next code.
pub fn next() -> Option<String> {
    let storage = of_tab()?;
    let mut waiting: Vec<Waiting> = take(&storage, QUEUE)?;
    waiting.retain(|one| js_sys::Date::now() - one.at < PAGE_WITHIN);
    let first = (!waiting.is_empty()).then(|| waiting.remove(0));
    if !waiting.is_empty() {
        keep(&storage, QUEUE, &waiting);
    }
    first.map(|first| first.code)
}

/// Drops all codes, and counts them.
pub fn drop_all() -> usize {
    let waiting: Vec<Waiting> = of_tab().and_then(|storage| take(&storage, QUEUE)).unwrap_or_default();
    waiting.len()
}
