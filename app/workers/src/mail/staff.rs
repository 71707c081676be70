//! Mails to users about their sign-ins.

use super::worker::{MailOutcome, Outgoing, Post, letter};
use crate::handle::Workers;
use domain::{UserId, account::Account, mail::StaffNotice};
use returns::Result;
use store::{mail_tasks::MailTask, users};

impl Workers {
    /// Sends a mail to a user, unless the user was deleted.
    pub(super) async fn tell_user(
        &self,
        post: &Post<'_>,
        task: &MailTask,
        account: Account,
        user: UserId,
        notice: &StaffNotice,
    ) -> Result<MailOutcome> {
        let mut reading = self.retour.store().read().await?;
        let found = users::find(reading.db(), account.id, user).await?;
        drop(reading);
        let Some(user) = found else { return Ok(MailOutcome::Over) };
        let Some(link) = self.retour.link_for_user(account.id, user.id, notice).await? else {
            return Ok(MailOutcome::Over);
        };
        let language = user.language.as_ref().unwrap_or(&account.branding.locale);
        let words = post.letters.of_staff(&account, language, notice, task.created_at, &link);
        let about = notice.about();
        let letter = letter(&account, user.email, task, about, words);
        self.hand_over(post, task, Outgoing { letter, about, order: None, link: None }).await
    }
}
