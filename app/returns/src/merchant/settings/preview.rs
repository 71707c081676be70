//! Previews of a branding before it goes live. Only people with the link see them.

use super::account::{BrandingChange, problems_of};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, audit, conclude, detached, error::check,
        hash::hash, patch_field::PatchField,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{AccountId, account::Account, audit::AuditAction, branding::Branding};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{accounts, sessions};

/// How long a preview is available.
const HOURS: u32 = 24;
/// The prefix of a preview's key among the sessions. No key of a session has it.
const PREVIEW: &str = "preview:";

/// A branding to preview. Fields that are left out are as in the live branding; the same body changes the account.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewPreview {
    /// The parts of the branding to try; the others stay.
    #[schemars(with = "Branding")]
    pub branding: PatchField<BrandingChange>,
}

/// The stored data of a preview.
#[derive(Serialize, Deserialize)]
struct Kept {
    account: AccountId,
    branding: Branding,
}

impl MerchantHandle<'_> {
    /// Stores a branding for a day and returns the link to see it. The live branding does not change.
    pub async fn preview(self, new: NewPreview, key: Option<IdempotencyKey>) -> Result<Done<view::Preview>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { retour.preview_once(staff, &new, key.as_ref()).await }).await
    }
}

impl Retour {
    async fn preview_once(
        &self,
        staff: Staff,
        new: &NewPreview,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Preview>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = accounts::find(writing.db(), account).await?.ok_or(Error::NotFound)?;
        let portal = self.portal_url(&found, false);
        let Account { id, name, policy, mut branding, .. } = found;
        let live = branding.clone();
        if let Some(change) = &new.branding.0 {
            change.put_into(&mut branding);
        }
        let mut problems = problems_of(&name, &policy, &branding);
        self.check_wording(&live, &branding, &mut problems);
        check(problems)?;
        let token = self.new_preview_token();
        let expires_at = self.now().plus_hours(HOURS);
        let kept = serde_json::to_string(&Kept { account: id, branding: branding.clone() }).or_broken()?;
        sessions::insert(writing.db(), &hash(&format!("{PREVIEW}{token}")), &kept, expires_at).await?;
        audit::record(&mut writing, &staff, self.now(), AuditAction::PreviewCreated, account, None, None);
        let url = format!("{portal}/preview?token={token}");
        conclude(writing, account, key, 201, view::Preview { url, expires_at, branding }).await
    }

    /// The branding of an account's preview, or `None` if it has expired or belongs to another account.
    pub async fn previewed(&self, account: AccountId, token: &str) -> Result<Option<Branding>> {
        let found = self.load_session(&format!("{PREVIEW}{token}")).await?;
        let kept = found.and_then(|(data, _)| serde_json::from_str::<Kept>(&data).ok());
        Ok(kept.filter(|kept| kept.account == account).map(|kept| kept.branding))
    }
}
