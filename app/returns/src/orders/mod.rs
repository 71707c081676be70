//! Orders that come in: from files, by the API, and from the shop of an account.

pub mod import;
pub(crate) mod importer;
pub(crate) mod look_up;
pub(crate) mod look_up_error;
pub(crate) mod shop_answer;
