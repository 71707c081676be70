//! A submission in progress.

use super::{settings::Settings, submission::Sent};
use crate::{base::Error, returning::change::Change};
use domain::{Refusal, RefusalCode, returning::DraftReturnOrder};
use store::consumers::Consumer;

pub(crate) struct Submitting<'a> {
    pub(crate) change: Change<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) consumer: &'a Consumer,
    pub(crate) draft: &'a DraftReturnOrder,
    pub(crate) sent: Sent,
}

pub(crate) fn outdated(message: &str) -> Error {
    Error::Outdated { refusal: Refusal::new(RefusalCode::DraftOutdated, message), details: Vec::new(), costs: None }
}
