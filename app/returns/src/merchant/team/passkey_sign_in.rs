//! Users sign in with a passkey. It is enough alone, because the authenticator has verified the person.

use super::{
    desk::NewDeskSession,
    passkey_answers::{Answer, CHALLENGE_SECONDS, PasskeyProof, Purpose, REQUIRED},
    sign_in::{BegunSession, SignIn, Visitor},
};
use crate::{
    base::{
        Error, Result, Retour, again_on_deadlock, detached, device::device_name, guessing::delay_failure,
        origin::Origin,
    },
    view,
};
use domain::{audit::AuditAction, sign_in::SignInStep};
use store::{Writing, user_sessions::SessionKind, users};

impl Retour {
    /// Begins a sign-in with a passkey: what the browser asks for it with. It names no passkeys, so that it reveals nothing.
    pub async fn begin_passkey_sign_in(&self) -> Result<view::PasskeyRequestOptions> {
        let retour = self.clone();
        detached(async move { retour.passkey_request(Purpose::SigningIn).await }).await
    }

    /// The same for a session at the desk, whose user has to prove who they are.
    pub async fn desk_begin_passkey(&self, token: &str) -> Result<view::PasskeyRequestOptions> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in();
        let retour = self.clone();
        detached(async move { retour.passkey_request(Purpose::Confirming(&me)).await }).await
    }

    async fn passkey_request(&self, purpose: Purpose<'_>) -> Result<view::PasskeyRequestOptions> {
        let site = self.passkey_site()?;
        Ok(view::PasskeyRequestOptions {
            challenge: self.new_challenge(purpose).await?,
            rp_id: site.id,
            timeout: CHALLENGE_SECONDS * 1_000,
            user_verification: REQUIRED,
        })
    }

    /// Signs a user in to the API with a passkey. `device` is the `User-Agent` of the request.
    pub async fn sign_in_with_passkey(
        &self,
        proof: PasskeyProof,
        from: impl Into<Origin>,
        device: &str,
    ) -> Result<SignIn> {
        let (retour, visitor) = (self.clone(), Visitor { origin: from.into(), device: device_name(device) });
        delay_failure(detached(async move {
            let answer = retour.take_answer(&proof, Purpose::SigningIn).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let Some(begun) = retour.begin_by_passkey(&mut writing, &answer, &visitor, SessionKind::Api).await?
                else {
                    writing.commit().await?;
                    return Err(Error::WrongPasskey);
                };
                let signed_in = retour.insert_api_session(&mut writing, answer.account, begun.session).await?;
                writing.commit().await?;
                Ok(signed_in)
            })
            .await
        }))
        .await
    }

    /// Signs a user in to the desk with a passkey. `device` is the `User-Agent` of the request.
    pub async fn desk_sign_in_with_passkey(
        &self,
        proof: PasskeyProof,
        from: impl Into<Origin>,
        device: &str,
    ) -> Result<NewDeskSession> {
        let (retour, visitor) = (self.clone(), Visitor { origin: from.into(), device: device_name(device) });
        delay_failure(detached(async move {
            let answer = retour.take_answer(&proof, Purpose::SigningIn).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let Some(begun) = retour.begin_by_passkey(&mut writing, &answer, &visitor, SessionKind::Desk).await?
                else {
                    writing.commit().await?;
                    return Err(Error::WrongPasskey);
                };
                let new = retour.insert_desk_session(&mut writing, answer.account, begun.session).await?;
                writing.commit().await?;
                Ok(new)
            })
            .await
        }))
        .await
    }

    /// The session of a user whose passkey is right, before it is stored; `None`: it is wrong.
    async fn begin_by_passkey(
        &self,
        writing: &mut Writing,
        answer: &Answer,
        visitor: &Visitor,
        kind: SessionKind,
    ) -> Result<Option<BegunSession>> {
        if !self.check_answer(writing, answer, &visitor.origin).await? {
            return Ok(None);
        }
        let Some(user) = users::find(writing.db(), answer.account, answer.user).await? else { return Ok(None) };
        let session = self.new_session(user.id, visitor, kind, SignInStep::Complete);
        let (from, action) = (&visitor.origin, AuditAction::UserSignedInWithPasskey);
        self.record_sign_in(writing, answer.account, &user, &session, from, action).await?;
        Ok(Some(BegunSession { user, session }))
    }
}
