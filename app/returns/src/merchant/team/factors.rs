//! The second factor of users: an authenticator app, and recovery codes. Passkeys are in `passkeys.rs`.

use super::{desk::NewDeskSession, proof::typed_digits};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, again_on_deadlock, audit, conclude,
        credentials::SignedIn,
        detached,
        origin::Origin,
        recovery_codes::{hash_of_code, new_codes},
        tokens::account_of_desk_token,
        totp::TotpSecret,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, Refusal, RefusalCode, UserId,
    audit::AuditAction,
    mail::{SignInChange, StaffNotice},
    sign_in::SignInStep,
};
use store::{Writing, accounts, passkeys, user_factors, user_sessions, users};

impl Retour {
    /// The user's own second factor.
    pub async fn second_factor(&self, me: &SignedIn) -> Result<view::SecondFactor> {
        let mut reading = self.store.read().await?;
        let user = users::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?;
        let totp = user_factors::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?;
        let left = user_factors::count_codes(reading.db(), me.account, me.id).await?;
        Ok(view::SecondFactor {
            totp_since: totp.since,
            recovery_codes_left: u32::try_from(left).or_broken()?,
            required_from: user.factor_due_at.filter(|_| !user.has_second_factor()),
        })
    }

    /// Begins to set up an authenticator app. The one before works until a code of the new one confirms it.
    pub async fn begin_totp(&self, me: &SignedIn) -> Result<view::NewTotp> {
        me.check_fresh(self.now())?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            let secret = TotpSecret::new(retour.source.random());
            let sealed = retour.seal_totp_secret(me.account, me.id, &secret.text())?;
            let mut writing = retour.store.write().await?;
            let user = users::find(writing.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?;
            let shop = accounts::find(writing.db(), me.account).await?.or_broken()?.name;
            user_factors::begin(writing.db(), me.account, me.id, &sealed).await?;
            writing.commit().await?;
            Ok(view::NewTotp { secret: secret.text(), uri: secret.uri(&shop, &user.email) })
        })
        .await
    }

    /// Confirms a new authenticator app by its first code. The user gets new recovery codes, and their other sessions
    /// end.
    pub async fn confirm_totp(&self, me: &SignedIn, code: &str) -> Result<view::NewRecoveryCodes> {
        let (retour, me, code) = (self.clone(), me.clone(), code.to_owned());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let codes = retour.enrol(&mut writing, &me, &code).await?;
                if let Some(session) = me.session {
                    user_sessions::complete(writing.db(), me.account, me.id, session).await?;
                }
                writing.commit().await?;
                Ok(codes)
            })
            .await
        })
        .await
    }

    /// The same at the desk, where the session gets a new token.
    pub async fn desk_confirm_totp(
        &self,
        token: &str,
        code: &str,
        from: impl Into<Origin>,
    ) -> Result<(NewDeskSession, view::NewRecoveryCodes)> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in().coming_from(from.into());
        let account = account_of_desk_token(token).ok_or(Error::Unauthorized)?;
        let (retour, token, code) = (self.clone(), token.to_owned(), code.to_owned());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let (session, _) = retour.hold_desk_session(&mut writing, account, &token).await?;
                let codes = retour.enrol(&mut writing, &me, &code).await?;
                let complete = SignInStep::Complete;
                let new = retour.renew_desk_session(&mut writing, account, &token, &session, complete).await?;
                writing.commit().await?;
                Ok((new, codes))
            })
            .await
        })
        .await
    }

    async fn enrol(&self, writing: &mut Writing, me: &SignedIn, code: &str) -> Result<view::NewRecoveryCodes> {
        let (now, account, user) = (self.now(), me.account, me.id);
        me.check_fresh(now)?;
        if me.step == SignInStep::SecondFactor {
            return Err(Error::SecondFactorRequired);
        }
        let totp = user_factors::find(writing.db(), account, user).await?.ok_or(Error::Unauthorized)?;
        if totp.pending.is_empty() {
            let message = "No authenticator app is being set up. Begin again.";
            return Err(Refusal::new(RefusalCode::NoSecondFactor, message).into());
        }
        let wrong =
            || Error::invalid("code", RefusalCode::NotAllowed, "expected the six digits that the app shows now");
        let secret = self.totp_secret(account, user, &totp.pending)?;
        let step = secret.step_of(&typed_digits(code), now).ok_or_else(wrong)?;
        if !user_factors::confirm(writing.db(), account, user, &totp.pending, now, step).await? {
            return Err(wrong()); // another request has begun again, or has confirmed it, just now
        }
        self.record_own(writing, me, AuditAction::UserFactorAdded);
        self.after_change(writing, me, SignInChange::AppAdded).await?;
        self.renew_codes(writing, account, user).await
    }

    /// Removes the user's own authenticator app. Their other sessions end. Without a passkey, the recovery codes end, too,
    /// and if a second factor is required, the next sign-in asks to set one up.
    pub async fn remove_totp(&self, me: &SignedIn) -> Result<()> {
        me.check_fresh(self.now())?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !retour.hold_user(&mut writing, &me).await?.has_app {
                    let message = "There is no authenticator app. Set one up first.";
                    return Err(Refusal::new(RefusalCode::NoSecondFactor, message).into());
                }
                user_factors::remove(writing.db(), me.account, me.id, retour.now()).await?;
                retour.record_own(&mut writing, &me, AuditAction::UserFactorRemoved);
                retour.after_change(&mut writing, &me, SignInChange::AppRemoved).await?;
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }

    /// Replaces the user's own recovery codes.
    pub async fn renew_recovery_codes(&self, me: &SignedIn) -> Result<view::NewRecoveryCodes> {
        me.check_fresh(self.now())?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !retour.hold_user(&mut writing, &me).await?.has_second_factor() {
                    let message = "There is no second factor. Set one up first.";
                    return Err(Refusal::new(RefusalCode::NoSecondFactor, message).into());
                }
                let codes = retour.renew_codes(&mut writing, me.account, me.id).await?;
                retour.record_own(&mut writing, &me, AuditAction::UserRecoveryCodesRenewed);
                let notice = StaffNotice::Changed(SignInChange::RecoveryCodes);
                retour.notify_user(&mut writing, me.account, me.id, notice).await?;
                writing.commit().await?;
                Ok(codes)
            })
            .await
        })
        .await
    }

    pub(super) async fn renew_codes(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: UserId,
    ) -> Result<view::NewRecoveryCodes> {
        let recovery_codes = new_codes(&self.source);
        let hashes = recovery_codes.iter().map(|code| hash_of_code(account, user, code).or_broken());
        let hashes: Vec<Vec<u8>> = hashes.collect::<Result<_>>()?;
        user_factors::replace_codes(writing.db(), account, user, &hashes).await?;
        Ok(view::NewRecoveryCodes { recovery_codes })
    }

    /// A user, who stays as they are until the transaction ends.
    async fn hold_user(&self, writing: &mut Writing, me: &SignedIn) -> Result<users::User> {
        if !users::hold(writing.db(), me.account, me.id).await? {
            return Err(Error::Unauthorized);
        }
        users::find(writing.db(), me.account, me.id).await?.or_broken()
    }

    /// Ends the user's other sessions after a change of their second factor, and tells them by mail.
    pub(super) async fn after_change(&self, writing: &mut Writing, me: &SignedIn, change: SignInChange) -> Result<()> {
        match me.session {
            Some(session) => user_sessions::end_others(writing.db(), me.account, me.id, session).await?,
            None => user_sessions::end_all(writing.db(), me.account, me.id).await?,
        }
        self.notify_user(writing, me.account, me.id, StaffNotice::Changed(change)).await
    }
}

impl MerchantHandle<'_> {
    /// Removes the authenticator app and the passkeys of a user who has lost them, with the recovery codes. All their
    /// sessions end. If a second factor is required, the next sign-in asks to set one up.
    pub async fn reset_factors(self, id: UserId, key: Option<IdempotencyKey>) -> Result<Done<view::User>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                if !users::hold(writing.db(), account, id).await? {
                    return Err(Error::NotFound);
                }
                passkeys::delete_all(writing.db(), account, id).await?;
                user_factors::remove(writing.db(), account, id, retour.now()).await?;
                user_sessions::end_all(writing.db(), account, id).await?;
                let (now, action) = (retour.now(), AuditAction::UserFactorsReset);
                audit::record(&mut writing, &staff, now, action, id, None, None);
                let notice = StaffNotice::Changed(SignInChange::FactorsReset);
                retour.notify_user(&mut writing, account, id, notice).await?;
                let user = users::find(writing.db(), account, id).await?.or_broken()?;
                conclude(writing, account, key.as_ref(), 200, view::User::new(user)?).await
            })
            .await
        })
        .await
    }
}
