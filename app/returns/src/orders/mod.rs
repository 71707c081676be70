//! Orders from files, from the API and from accounts' shops.

pub mod import;
pub(crate) mod importer;
pub(crate) mod look_up;
pub(crate) mod look_up_error;
pub(crate) mod refreshing;
pub(crate) mod replaced_secrets;
pub(crate) mod shop_answer;
pub(crate) mod shop_import;
pub(crate) mod shop_notices;
