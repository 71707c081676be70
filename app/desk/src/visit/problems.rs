//! What errors of use cases become: problems of a form, or pages.

use crate::{
    problem::{Mistake, Problem},
    visit::{
        error_pages::{self, Around},
        guest::Guest,
        reasons,
        response::EarlyResponse,
        visitor::{DECIDERS, READERS, Visit},
    },
    words::Words,
};
use domain::RefusalCode;
use returns::{Error, ErrorCode, FieldError, Scope, Staff};

impl Guest {
    /// The problem that an error of a use case is for a form. Errors of the server are logged.
    pub fn problem(&self, error: Error) -> Problem {
        let words = self.words;
        match error {
            Error::Invalid(fields) => Problem::Mistakes(fields.iter().map(|field| mistake(field, words)).collect()),
            Error::NotFound | Error::UnknownAccount => Problem::NotThere,
            Error::Unauthorized => Problem::SignedOut,
            Error::ConfirmationRequired => Problem::StepUp,
            Error::Forbidden(_) => Problem::Forbidden,
            Error::TooManyGuesses { seconds, .. } | Error::TooManyWithdrawals { seconds } => {
                Problem::TooMany { seconds }
            }
            Error::PreconditionFailed(_) => Problem::Changed(words.common.changed.to_owned()),
            Error::IdempotencyMismatch | Error::Sealed => Problem::Changed(words.common.already_used.to_owned()),
            Error::Refused(refusal) if refusal.code == RefusalCode::StageConflict => {
                Problem::Changed(words.common.changed.to_owned())
            }
            Error::Refused(refusal) | Error::Outdated { refusal, .. } => {
                Problem::Refused(reasons::of_rule(refusal.code, &refusal.message, words))
            }
            error if is_ours(&error) => {
                tracing::error!(%error, "a form of the desk failed");
                Problem::Broken
            }
            error => Problem::Refused(reasons::of_error(&error, words)),
        }
    }

    /// The page for an error of a use case.
    pub fn failed(&self, error: &Error) -> EarlyResponse {
        failed(self.around(), error)
    }
}

impl Visit {
    /// The person as staff with this scope, for a form.
    pub fn may_act(&self, scope: Scope) -> Result<Staff, Problem> {
        self.may_act_with_any(&[scope])
    }

    /// The person as staff with one of these scopes, for a form.
    pub fn may_act_with_any(&self, scopes: &[Scope]) -> Result<Staff, Problem> {
        self.acting(scopes).map_err(|error| self.problem(error))
    }

    /// The person as an administrator who proved within the last ten minutes who they are, for a form about people, keys
    /// and security.
    pub fn may_administer(&self) -> Result<Staff, Problem> {
        let staff = self.may_act(Scope::Admin)?;
        if self.session.is_fresh(self.retour.now()) { Ok(staff) } else { Err(Problem::StepUp) }
    }

    /// The person as staff who decide about returns, for a form.
    pub fn may_decide(&self) -> Result<Staff, Problem> {
        self.may_act_with_any(&DECIDERS)
    }

    /// The person as staff who read returns, for a form.
    pub fn may_read(&self) -> Result<Staff, Problem> {
        self.may_act_with_any(&READERS)
    }

    /// The page for an error of a use case.
    pub fn failed(&self, error: &Error) -> EarlyResponse {
        failed(self.around(), error)
    }

    /// The page for something that does not exist, or belongs to another account.
    pub fn missing(&self) -> EarlyResponse {
        error_pages::missing(self.around()).into()
    }
}

fn failed(around: Around, error: &Error) -> EarlyResponse {
    let page = match error {
        Error::NotFound | Error::UnknownAccount => error_pages::missing(around),
        Error::Forbidden(_) => error_pages::forbidden(around),
        error => {
            tracing::error!(%error, "a page of the desk failed");
            error_pages::failed(around, error.code() == ErrorCode::ServiceUnavailable)
        }
    };
    page.into()
}

fn is_ours(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::InternalError | ErrorCode::ServiceUnavailable)
}

/// A mistake in the words of the page.
fn mistake(field: &FieldError, words: &Words) -> Mistake {
    Mistake::new(field.field.clone(), reasons::of_field(field, words))
}
