//! What users change about themselves.

use super::users::UserChange;
use crate::{
    base::{
        Done, IdempotencyKey, Result, Retour,
        credentials::{Caller, SignedIn},
        patch_field::PatchField,
        scopes::Scope,
    },
    view,
};
use domain::Locale;

/// Changes to the signed-in user.
#[derive(Debug, Clone, Default)]
pub struct OwnUserChange {
    /// The new name.
    pub name: Option<String>,
    /// The language of pages and mails; none: as the browser and the account say.
    pub language: PatchField<Option<Locale>>,
    /// The version that the user has seen (`If-Match`). Another one is refused.
    pub version: Option<i64>,
}

impl Retour {
    /// Changes the user's own name or language. Their role stays: only an administrator changes roles.
    pub async fn change_own_user(
        &self,
        me: &SignedIn,
        change: OwnUserChange,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::User>> {
        let staff = Caller::User(me.clone()).as_staff_with_any(&Scope::ALL)?.coming_from(me.origin());
        let change = UserChange { name: change.name, role: None, language: change.language, version: change.version };
        self.merchant(&staff).update_user(me.id, change, key).await
    }
}
