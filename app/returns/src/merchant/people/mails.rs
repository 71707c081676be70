//! Mails to an account's shoppers.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, conclude, detached,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{MailId, Refusal, RefusalCode};
use store::{accounts, lists::Listing, mail_tasks, mails};

impl MerchantHandle<'_> {
    /// The account's mails, with their status.
    pub async fn sent_mails(self, listing: &Listing) -> Result<view::List<view::MailView>> {
        let mut reading = self.retour.store.read().await?;
        let rows = mails::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// Sends the mail about a return again, as the return is now. Consumers who declined optional mails get none.
    pub async fn resend_mail(self, id: MailId, key: Option<IdempotencyKey>) -> Result<Done<view::MailView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.resend_mail_once(staff, id, key.as_ref())).await }).await
    }
}

impl Retour {
    async fn resend_mail_once(
        &self,
        staff: Staff,
        id: MailId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::MailView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mail = mails::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let settings = accounts::find(writing.db(), account).await?.or_broken()?;
        let is_queued = match mail.return_order_id {
            Some(order) if self.mails(&settings) => {
                mail_tasks::resend(writing.db(), account, order, self.now()).await?
            }
            _ => false,
        };
        if !is_queued {
            let message = "Only the mail about a return can be sent again, while the account sends mails.";
            return Err(Refusal::new(RefusalCode::IllegalTransition, message).into());
        }
        conclude(writing, account, key, 200, mail.into()).await
    }
}
