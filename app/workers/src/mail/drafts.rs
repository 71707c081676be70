//! Mails with a link to a draft.

use super::worker::{MailOutcome, NewLink, Outgoing, Post, letter};
use crate::handle::Workers;
use domain::{DraftReturnOrderId, account::Account, returning::DraftStatus};
use returns::{Result, internals::OrBroken};
use store::{consumers, drafts, mail_links::LinkTarget, mail_tasks::MailTask};

/// A link to a draft that staff prepared.
const DRAFT: &str = "Draft";

impl Workers {
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
        let letter = letter(&account, consumer.email, task, DRAFT, words);
        let opens = LinkTarget::Draft(draft.consumer_id, id);
        let link = NewLink { token, opens, until: draft.expires_at };
        self.hand_over(post, task, Outgoing { letter, about: DRAFT, order: None, link: Some(link) }).await
    }
}
