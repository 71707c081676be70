//! A form that was refused: its page is shown again, with what was typed.

use crate::problem::{Mistake, Problem};
use axum::http::StatusCode;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use ui::web::form::{self, Fields};

/// A form that was refused, or one that was accepted in part: its page is shown again, too.
#[derive(Debug, Clone, Default)]
pub struct Refused {
    /// What was typed.
    pub fields: Fields,
    /// What has to be corrected.
    pub mistakes: Vec<Mistake>,
    /// Why a rule refuses it, or what has changed.
    pub reason: Option<String>,
    /// The status of the page.
    pub status: StatusCode,
}

impl Refused {
    /// What was typed, with nothing to correct: the form is shown again before it is sent.
    pub fn typed(fields: Fields) -> Self {
        Self { fields, status: StatusCode::OK, ..Self::default() }
    }

    /// The refusal of a form. `None` if the problem is not one that its page explains.
    pub fn of(problem: &Problem, fields: Fields) -> Option<Self> {
        let (mistakes, reason, status) = match problem {
            Problem::Mistakes(mistakes) => (mistakes.clone(), None, StatusCode::UNPROCESSABLE_ENTITY),
            Problem::Refused(reason) | Problem::Changed(reason) => {
                (Vec::new(), Some(reason.clone()), StatusCode::CONFLICT)
            }
            _ => return None,
        };
        Some(Self { fields, mistakes, reason, status })
    }
}

/// The form that a server function is called with.
#[derive(Debug, Clone)]
pub struct SentForm {
    /// The name of the function.
    pub name: String,
    /// The fields, encoded.
    pub encoded: String,
    pub fields: Fields,
    /// A hash of both, which tells whether a key is used again for another form.
    pub fingerprint: Vec<u8>,
}

impl SentForm {
    pub fn new(name: &str, encoded: String) -> Self {
        let mut hash = Sha256::new();
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update(encoded.as_bytes());
        let fields = Fields::parse(encoded.as_bytes()).unwrap_or_default();
        Self { name: name.to_owned(), encoded, fields, fingerprint: hash.finalize().to_vec() }
    }

    /// The arguments of the function, encoded. A name that repeats counts once: functions read ticks from [`Self::fields`].
    pub fn arguments(&self) -> String {
        let mut names = BTreeSet::new();
        let once = self.fields.iter().filter(|(name, _)| names.insert(*name));
        once.map(|(name, value)| format!("{}={}", form::encoded(name), form::encoded(value)))
            .collect::<Vec<_>>()
            .join("&")
    }
}
