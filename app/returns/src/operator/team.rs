//! The first users and service users of an account.

use super::handle::OperatorHandle;
use crate::{
    base::{Result, Scope},
    merchant::team::users::NewUser,
    view,
};
use domain::AccountId;

impl OperatorHandle<'_> {
    /// Creates a service user and returns its API key, which is never shown again.
    pub async fn create_service_user(self, account: AccountId, name: &str, scopes: &[Scope]) -> Result<String> {
        self.retour.create_service_user(account, name, scopes).await
    }

    /// Creates a service user and returns it with its API key, which is never shown again.
    pub async fn make_service_user(
        self,
        account: AccountId,
        name: &str,
        scopes: &[Scope],
    ) -> Result<view::ServiceUserWithKey> {
        self.retour.make_service_user(account, name, scopes).await
    }

    /// Creates a user with a password.
    pub async fn create_user(self, account: AccountId, new: NewUser, password: String) -> Result<view::User> {
        self.retour.create_user(account, new, password).await
    }
}
