//! The background jobs of an instance.

use returns::{MailTemplates, Retour, internals::Internals};
use std::sync::Arc;

/// The workers of an instance. Each of them runs until `stop` is ready, and then finishes the jobs in progress.
#[derive(Debug, Clone)]
pub struct Workers {
    pub(crate) retour: Internals,
    pub(crate) letters: Option<Arc<dyn MailTemplates>>,
}

impl Workers {
    /// The workers of an instance, without mail.
    pub fn new(retour: &Retour) -> Self {
        Self { retour: Internals::of(retour), letters: None }
    }

    /// The same workers, with templates to write mail.
    #[must_use]
    pub fn writing_mail_by(self, letters: Arc<dyn MailTemplates>) -> Self {
        Self { letters: Some(letters), ..self }
    }
}
