//! Mails with links: to a shopper's orders, and to a draft that staff prepared.

use super::worker::{MailOutcome, NewLink, Outgoing, Post, letter};
use crate::handle::Workers;
use domain::{DraftReturnOrderId, account::Account, proof::EmailKey, returning::DraftStatus};
use returns::{Result, internals::OrBroken};
use store::{consumers, drafts, mail_links::LinkTarget, mail_tasks::MailTask, orders};

/// The name of the mail with a link to a shopper's orders.
const SIGN_IN: &str = "SignIn";
/// The name of the mail with a link to a draft that staff prepared.
const DRAFT: &str = "Draft";
/// How long a link opens a shopper's orders.
const ORDERS_LINK_HOURS: u32 = 1;

impl Workers {
    /// Only the owner of the mailbox learns whether there are orders under the address.
    pub(super) async fn tell_of_link(
        &self,
        post: &Post<'_>,
        task: &MailTask,
        account: Account,
        email: &str,
    ) -> Result<MailOutcome> {
        let Some(key) = EmailKey::new(email) else { return Ok(MailOutcome::Over) };
        let mut reading = self.retour.store().read().await?;
        let placed = orders::list_of_email(reading.db(), account.id, &key).await?;
        drop(reading);
        let Some(last) = placed.into_iter().next_back() else { return Ok(MailOutcome::Over) };
        let token = self.retour.new_link(account.id);
        let portal = self.retour.portal_url(&account, account.domain.is_some());
        let words = post.letters.of_link(&account, &task.language, &format!("{portal}/mail/{token}"));
        let letter = letter(&account, last.email, task, SIGN_IN, words);
        let ends = self.retour.now().plus_hours(ORDERS_LINK_HOURS);
        let link = NewLink { token, opens: LinkTarget::Orders(key.as_str().to_owned()), until: ends };
        self.hand_over(post, task, Outgoing { letter, about: SIGN_IN, order: None, link: Some(link) }).await
    }

    /// The link to a draft that staff prepared, as long as it can be submitted.
    pub(super) async fn tell_of_draft(
        &self,
        post: &Post<'_>,
        task: &MailTask,
        account: Account,
        id: DraftReturnOrderId,
    ) -> Result<MailOutcome> {
        let mut reading = self.retour.store().read().await?;
        let Some(draft) = drafts::find_of_anyone(reading.db(), account.id, id).await? else {
            return Ok(MailOutcome::Over);
        };
        let consumer = consumers::find(reading.db(), account.id, draft.consumer_id).await?.or_broken()?;
        drop(reading);
        let is_open = draft.status == DraftStatus::Open && draft.expires_at > self.retour.now();
        if !is_open || consumer.email.is_empty() {
            return Ok(MailOutcome::Over);
        }
        let token = self.retour.new_link(account.id);
        let portal = self.retour.portal_url(&account, account.domain.is_some());
        let words = post.letters.of_draft(&account, &task.language, &format!("{portal}/mail/{token}"));
        let mut letter = letter(&account, consumer.email, task, DRAFT, words);
        // A link that is requested again is another mail.
        letter.id = format!("{}-{}", letter.id, draft.updated_at.micros());
        let opens = LinkTarget::Draft(draft.consumer_id, id);
        let link = NewLink { token, opens, until: draft.expires_at };
        self.hand_over(post, task, Outgoing { letter, about: DRAFT, order: None, link: Some(link) }).await
    }
}
