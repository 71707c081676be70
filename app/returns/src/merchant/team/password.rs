//! Passwords of users: set by an invitation, changed, and set again by a link in a mail.

use super::{desk::NewDeskSession, proof::RightPassword};
use crate::base::{
    Error, Result, Retour, again_on_deadlock, audit,
    client_address::ClientAddress,
    credentials::SignedIn,
    detached,
    guessing::{delay_failure, of_today},
    hash::hash,
    origin::Origin,
    passwords,
    tokens::account_of_invitation,
};
use domain::{
    Refusal, RefusalCode, Timestamp,
    audit::AuditAction,
    is_email,
    mail::{SignInChange, StaffNotice},
    proof::ProofKey,
    sign_in::SignInStep,
};
use store::{Lookup, Writing, users};

/// Mails a day to one e-mail address that one network may request.
const TO_EMAIL_OF_CLIENT: i64 = 5;
/// Mails a day to one e-mail address from all networks. It is higher, so that strangers do not use up the user's mails.
const TO_EMAIL: i64 = 20;
/// Mails a day that one network may request.
const OF_CLIENT: i64 = 30;

/// The hash of a new password, and the proof that the user knows the current one.
struct NewPasswordHash {
    right: RightPassword,
    hash: String,
}

impl Retour {
    /// Sets the password of a user by the token of an invitation or of a mail, and uses the token up. All other tokens
    /// of the user end too.
    pub async fn set_password(&self, invitation: &str, password: String, from: impl Into<Origin>) -> Result<()> {
        let from = from.into();
        let account = account_of_invitation(invitation).ok_or(Error::InvalidInvitation)?;
        let token_hash = hash(invitation);
        let mut reading = self.store.read().await?;
        let found = users::find_password_token(reading.db(), account, &token_hash, self.now()).await?;
        drop(reading);
        let user = self.found(found, Lookup::ForUser, Error::InvalidInvitation).await?;
        passwords::check(&password, &user.email)?;
        let retour = self.clone();
        detached(async move {
            let password_hash = retour.passwords.hash(retour.source.random(), password).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !users::delete_password_token(writing.db(), account, &token_hash).await? {
                    return Err(Error::InvalidInvitation);
                }
                users::set_password(writing.db(), account, user.id, &password_hash, retour.now()).await?;
                let action = AuditAction::UserPasswordSet;
                audit::record_own(&mut writing, account, user.id, &from, retour.now(), action);
                if user.has_password {
                    let notice = StaffNotice::Changed(SignInChange::Password);
                    retour.notify_user(&mut writing, account, user.id, notice).await?;
                }
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }

    /// Changes the user's own password. All their sessions and tokens end, also the one of the request: it may have been
    /// copied.
    pub async fn change_password(&self, me: &SignedIn, current: String, new: String) -> Result<()> {
        let (retour, me) = (self.clone(), me.clone());
        delay_failure(detached(async move {
            let hash = retour.new_password_hash(&me, current, new).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                retour.replace_password(&mut writing, &me, &hash).await?;
                Ok(writing.commit().await?)
            })
            .await
        }))
        .await
    }

    /// The same at the desk, where the session goes on under a new token.
    pub async fn desk_change_password(
        &self,
        token: &str,
        current: String,
        new: String,
        from: impl Into<Origin>,
    ) -> Result<NewDeskSession> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in().coming_from(from.into());
        // The session stays what it is, and the password alone must not count as a recent proof.
        if me.step == SignInStep::SecondFactor {
            return Err(Error::SecondFactorRequired);
        }
        let (retour, token) = (self.clone(), token.to_owned());
        delay_failure(detached(async move {
            let hash = retour.new_password_hash(&me, current, new).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let (mut session, _) = retour.hold_desk_session(&mut writing, me.account, &token).await?;
                (session.seen_at, session.confirmed_at) = (retour.now(), Some(retour.now()));
                retour.replace_password(&mut writing, &me, &hash).await?;
                let new = retour.insert_desk_session(&mut writing, me.account, session).await?;
                writing.commit().await?;
                Ok(new)
            })
            .await
        }))
        .await
    }

    /// Checks the current password and the new one, and hashes the latter.
    async fn new_password_hash(&self, me: &SignedIn, current: String, new: String) -> Result<NewPasswordHash> {
        let mut reading = self.store.read().await?;
        let user = users::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?;
        drop(reading);
        passwords::check(&new, &user.email)?;
        let right = match self.check_password(&user.email, current, me.origin()).await {
            Err(Error::InvalidCredentials) => {
                let message = "expected your current password";
                return Err(Error::invalid("currentPassword", RefusalCode::NotAllowed, message));
            }
            right => right?,
        };
        Ok(NewPasswordHash { right, hash: self.passwords.hash(self.source.random(), new).await? })
    }

    /// Replaces a password, and ends all sessions and tokens.
    async fn replace_password(&self, writing: &mut Writing, me: &SignedIn, new: &NewPasswordHash) -> Result<()> {
        if !users::hold_password(writing.db(), &new.right.known).await? {
            return Err(Error::Unauthorized);
        }
        new.right.counted.was_right(writing).await?;
        users::set_password(writing.db(), me.account, me.id, &new.hash, self.now()).await?;
        self.record_own(writing, me, AuditAction::UserPasswordSet);
        self.notify_user(writing, me.account, me.id, StaffNotice::Changed(SignInChange::Password)).await
    }

    /// Whether users can set a forgotten password by mail.
    pub fn mails_passwords(&self) -> bool {
        self.config.mailer.is_some()
    }

    /// Mails a link that sets a forgotten password. Only the mail shows whether there is a user with this address. The
    /// answer does not wait for the search for the user, so its duration is the same in all cases.
    pub async fn ask_for_password(&self, email: &str, from: impl Into<Origin>) -> Result<()> {
        let from = from.into().counted_address();
        let key = ProofKey::new(email).filter(|_| is_email(email.trim()));
        let message = "expected an e-mail address";
        let key = key.ok_or_else(|| Error::invalid("email", RefusalCode::NotAllowed, message))?;
        if !self.mails_passwords() {
            let message = "This service sends no mail: the operator must set SMTP_URL first. Ask an administrator of \
                           your account for a new invitation.";
            return Err(Refusal::new(RefusalCode::NoMailServer, message).into());
        }
        let retour = self.clone();
        let is_allowed = detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let is_allowed = may_ask(&mut writing, &key, from, retour.now()).await?;
                writing.commit().await?;
                Ok(is_allowed.then(|| key.clone()))
            })
            .await
        })
        .await?;
        if let Some(key) = is_allowed {
            let retour = self.clone();
            tokio::spawn(async move {
                if let Err(error) = again_on_deadlock(|| retour.mail_password_link(&key)).await {
                    tracing::warn!(%error, "a mail with a link that sets a password could not be queued");
                }
            });
        }
        Ok(())
    }

    async fn mail_password_link(&self, email: &ProofKey) -> Result<()> {
        let mut writing = self.store.write().await?;
        if let Some(known) = users::find_by_email(writing.db(), email).await? {
            self.notify_user(&mut writing, known.account, known.id, StaffNotice::PasswordReset).await?;
            writing.commit().await?;
        }
        Ok(())
    }
}

/// Counts a request for a mail. `false` if there were too many today.
async fn may_ask(writing: &mut Writing, email: &ProofKey, from: ClientAddress, now: Timestamp) -> Result<bool> {
    let client = from.network().to_string();
    let limits: [(&[&str], i64); 3] = [
        (&["passwords from", &client], OF_CLIENT),
        (&["passwords from to", &client, email.as_str()], TO_EMAIL_OF_CLIENT),
        (&["passwords to", email.as_str()], TO_EMAIL),
    ];
    for (subject, allowed) in limits {
        if of_today(writing, subject, allowed, now).await?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}
