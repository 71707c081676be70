//! The account that a request without a token names in its body. The handler finds it; CORS has to know it afterwards.

use domain::AccountId;
use std::sync::{Arc, OnceLock};

/// The account that a handler acts for, if the request names one without a token. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct NamedAccount(Arc<OnceLock<AccountId>>);

impl NamedAccount {
    pub(crate) fn set(&self, account: AccountId) {
        let _ = self.0.set(account); // a request is about one account
    }

    pub(crate) fn get(&self) -> Option<AccountId> {
        self.0.get().copied()
    }
}
