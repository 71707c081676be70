//! Mails to users about their sign-ins.

use crate::base::{
    Result, Retour, again_on_deadlock, audit, detached, guessing::recognise, hash::hash, origin::Origin,
};
use domain::{AccountId, UserId, audit::AuditAction, mail::StaffNotice};
use store::{Writing, mail_tasks, user_sessions::Session, users};

/// The user gets a mail each time after so many failed sign-ins.
const FAILURES_TOLD: i64 = 5;

impl Retour {
    /// Queues a mail to a user, if Retour sends mail.
    pub(crate) async fn notify_user(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: UserId,
        notice: StaffNotice,
    ) -> Result<()> {
        if self.config.mailer.is_some() {
            mail_tasks::notify(writing.db(), account, self.source.id(), user, &notice, self.now()).await?;
        }
        Ok(())
    }

    /// Counts a failed sign-in, and queues a mail after each fifth.
    pub(super) async fn count_failure(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: UserId,
        from: &Origin,
    ) -> Result<()> {
        audit::record_attempt(writing, account, user, from, self.now(), AuditAction::UserSignInFailed);
        let failures = users::count_wrong_sign_in(writing.db(), account, user).await?.unwrap_or(0);
        if failures == 0 || failures % FAILURES_TOLD != 0 {
            return Ok(());
        }
        let count = u32::try_from(failures).unwrap_or(u32::MAX);
        self.notify_user(writing, account, user, StaffNotice::FailedSignIns { count }).await
    }

    /// Records a sign-in, and queues a mail if the user has not signed in from this device and network for 90 days. The
    /// first sign-in of a user is no news.
    pub(super) async fn record_sign_in(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: &users::User,
        session: &Session,
        from: &Origin,
        action: AuditAction,
    ) -> Result<()> {
        let now = self.now();
        let from = session.id.map_or(*from, |id| from.in_session(id.0));
        audit::record_own(writing, account, user.id, &from, now, action);
        users::signed_in(writing.db(), account, user.id, now).await?;
        let subject = ["device", &account.to_string(), &user.id.to_string()];
        let is_known = recognise(writing, &subject, &[&session.device, &session.network], now).await?;
        if is_known || user.last_signed_in_at.is_none() {
            return Ok(());
        }
        let (device, network) = (session.device.clone(), session.network.clone());
        self.notify_user(writing, account, user.id, StaffNotice::NewDevice { device, network }).await
    }
}

impl Retour {
    /// The link in a mail to a user. A link that sets a password is stored first; `None` if the user was deleted.
    pub(crate) async fn link_for_user(
        &self,
        account: AccountId,
        user: UserId,
        notice: &StaffNotice,
    ) -> Result<Option<String>> {
        let (token, expires_at) = match notice {
            StaffNotice::Invitation => self.new_invitation(account),
            StaffNotice::PasswordReset => self.new_password_link(account),
            StaffNotice::Mentioned { return_number, .. } => {
                return Ok(Some(self.desk_url(&format!("returns/{return_number}"))));
            }
            _ => return Ok(Some(self.desk_url("me"))),
        };
        let (store, token_hash) = (self.store.clone(), hash(&token));
        let is_known = detached(async move {
            again_on_deadlock(|| async {
                let mut writing = store.write().await?;
                let is_known = users::hold(writing.db(), account, user).await?;
                if is_known {
                    users::insert_password_token(writing.db(), account, &token_hash, user, expires_at).await?;
                }
                writing.commit().await?;
                Ok(is_known)
            })
            .await
        })
        .await?;
        Ok(is_known.then(|| self.desk_url(&format!("password?token={token}"))))
    }
}
