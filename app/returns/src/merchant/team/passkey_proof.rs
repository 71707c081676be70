//! Users prove who they are with a passkey: to sign in, or again. A passkey alone is enough, because the authenticator has
//! verified the person.
//!
//! A challenge is kept as a hash of itself and of what and whom it is for. So an answer counts once, for that alone, and two
//! pages of one browser do not disturb each other. A wrong answer counts for nobody: a signature cannot be guessed, and so
//! nobody can be locked out.

use super::{
    desk::NewDeskSession,
    passkeys::REQUIRED,
    sign_in::{BegunSession, SignIn, Visitor},
};
use crate::{
    base::{
        Error, Result, Retour, again_on_deadlock, audit,
        credentials::SignedIn,
        detached,
        device::device_name,
        guessing::delay_failure,
        hash::hash_of,
        origin::Origin,
        webauthn::{Assertion, Known, Site, challenge_of, verify},
    },
    view,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{AccountId, Refusal, RefusalCode, UserId, audit::AuditAction, sign_in::SignInStep};
use serde::Deserialize;
use store::{Writing, passkeys, user_sessions::SessionKind, users};
use uuid::Uuid;

/// How long a challenge can be answered.
pub(super) const CHALLENGE_SECONDS: u32 = 300;
/// The longest text of an authenticator that is read, in characters.
const MAX_CHARS: usize = 16_384;

/// The answer of a browser whose user has used a passkey: texts in Base64 for URLs.
#[derive(Debug, Clone)]
pub struct PasskeyProof {
    /// `id` of the browser's answer.
    pub credential_id: String,
    /// `response.clientDataJSON`.
    pub client_data_json: String,
    /// `response.authenticatorData`.
    pub authenticator_data: String,
    /// `response.signature`.
    pub signature: String,
    /// `response.userHandle`.
    pub user_handle: String,
}

/// What `PublicKeyCredential.toJSON()` writes, as far as it is needed.
#[derive(Deserialize)]
struct BrowserAnswer<T> {
    id: String,
    response: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Used {
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    authenticator_data: String,
    signature: String,
    user_handle: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Made {
    #[serde(rename = "clientDataJSON")]
    client_data_json: String,
    attestation_object: String,
}

impl PasskeyProof {
    /// Reads what a browser writes about a passkey that was used: `PublicKeyCredential.toJSON()`.
    pub fn from_browser(json: &str) -> Option<Self> {
        let BrowserAnswer { id, response } = serde_json::from_str::<BrowserAnswer<Used>>(json).ok()?;
        let Used { client_data_json, authenticator_data, signature, user_handle } = response;
        Some(Self { credential_id: id, client_data_json, authenticator_data, signature, user_handle })
    }
}

impl super::passkeys::NewPasskey {
    /// Reads what a browser writes about a new passkey: `PublicKeyCredential.toJSON()`.
    pub fn from_browser(name: String, json: &str) -> Option<Self> {
        let BrowserAnswer { response, .. } = serde_json::from_str::<BrowserAnswer<Made>>(json).ok()?;
        let Made { client_data_json, attestation_object } = response;
        Some(Self { name, client_data_json, attestation_object })
    }
}

/// What a challenge is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose<'a> {
    SigningIn,
    /// In a session that has begun: the second factor, or a recent proof.
    Confirming(&'a SignedIn),
    Adding(&'a SignedIn),
}

impl Purpose<'_> {
    fn hash(self, challenge: &str) -> Vec<u8> {
        let (name, me) = match self {
            Self::SigningIn => ("sign in", None),
            Self::Confirming(me) => ("confirm", Some(me)),
            Self::Adding(me) => ("add", Some(me)),
        };
        let who = me.map(|me| format!("{}/{}/{:?}", me.account, me.id, me.session.map(|session| session.0)));
        hash_of(&["passkey", name, &who.unwrap_or_default(), challenge])
    }
}

/// A passkey's answer in bytes.
struct Answer {
    account: AccountId,
    user: UserId,
    challenge: String,
    credential_id: Vec<u8>,
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
}

impl Answer {
    fn read(proof: &PasskeyProof) -> Option<Self> {
        let client_data = decoded(&proof.client_data_json)?;
        let handle: [u8; 32] = decoded(&proof.user_handle)?.try_into().ok()?;
        let (account, user) = handle.split_first_chunk::<16>()?;
        Some(Self {
            account: AccountId(Uuid::from_bytes(*account)),
            user: UserId(Uuid::from_slice(user).ok()?),
            challenge: challenge_of(&client_data)?,
            credential_id: decoded(&proof.credential_id)?,
            authenticator_data: decoded(&proof.authenticator_data)?,
            signature: decoded(&proof.signature)?,
            client_data,
        })
    }
}

impl Retour {
    /// The site that passkeys belong to, or why there are none.
    pub(super) fn passkey_site(&self) -> Result<Site> {
        Site::of(&self.desk_url("")).ok_or_else(|| {
            let message = "Browsers offer passkeys only at a host name, over https. Ask the operator to set a public URL with one.";
            Refusal::new(RefusalCode::NoHostName, message).into()
        })
    }

    /// The host that passkeys belong to; `None`: browsers offer none at the address of this installation.
    pub fn passkey_host(&self) -> Option<String> {
        Site::of(&self.desk_url("")).map(|site| site.id)
    }

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

    pub(super) async fn new_challenge(&self, purpose: Purpose<'_>) -> Result<String> {
        let challenge = encoded(&self.source.random::<32>());
        let expires_at = self.now().plus_seconds(i64::from(CHALLENGE_SECONDS));
        let mut writing = self.store.write().await?;
        passkeys::insert_challenge(writing.db(), &purpose.hash(&challenge), expires_at).await?;
        writing.commit().await?;
        Ok(challenge)
    }

    /// Uses a challenge up; `false` if it was made for something else, was used before, or has expired.
    pub(super) async fn take_challenge(&self, purpose: Purpose<'_>, challenge: &str) -> Result<bool> {
        let hash = purpose.hash(challenge);
        let mut writing = self.store.write().await?;
        let is_taken = passkeys::take_challenge(writing.db(), &hash, self.now()).await?;
        writing.commit().await?;
        Ok(is_taken)
    }

    /// Reads an answer, and uses its challenge up.
    async fn take_answer(&self, proof: &PasskeyProof, purpose: Purpose<'_>) -> Result<Answer> {
        let answer = Answer::read(proof).ok_or(Error::WrongPasskey)?;
        if !self.take_challenge(purpose, &answer.challenge).await? {
            return Err(Error::WrongPasskey);
        }
        Ok(answer)
    }

    /// Whether a passkey of its user has given this answer. A wrong one is recorded, so the caller commits in both cases.
    async fn check_answer(&self, writing: &mut Writing, answer: &Answer, from: &Origin) -> Result<bool> {
        let (now, account) = (self.now(), answer.account);
        if !users::hold(writing.db(), account, answer.user).await? {
            return Ok(false);
        }
        let found = passkeys::find(writing.db(), account, &answer.credential_id).await?;
        let Some(passkey) = found.filter(|passkey| passkey.user == answer.user) else { return Ok(false) };
        let known = Known {
            public_key: &passkey.public_key,
            sign_count: passkey.sign_count,
            may_be_synced: passkey.may_be_synced,
        };
        let sent = Assertion {
            client_data: &answer.client_data,
            authenticator_data: &answer.authenticator_data,
            signature: &answer.signature,
        };
        match verify(&self.passkey_site()?, &answer.challenge, known, sent) {
            Ok(count) => Ok(passkeys::record_use(writing.db(), account, &passkey, count, now).await?),
            Err(refused) => {
                tracing::info!(%refused, "a passkey was refused");
                audit::record_attempt(writing, account, answer.user, from, now, AuditAction::UserPasskeyRefused);
                Ok(false)
            }
        }
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

    /// Proves with a passkey again that it is the user of a session.
    pub(super) async fn confirm_by_passkey(
        &self,
        token: &str,
        proof: &PasskeyProof,
        from: Origin,
    ) -> Result<NewDeskSession> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in();
        let answer = self.take_answer(proof, Purpose::Confirming(&me)).await?;
        if (answer.account, answer.user) != (me.account, me.id) {
            return Err(Error::WrongPasskey);
        }
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            let (session, user) = self.hold_desk_session(&mut writing, me.account, token).await?;
            if !self.check_answer(&mut writing, &answer, &from).await? {
                writing.commit().await?;
                return Err(Error::WrongPasskey);
            }
            if session.step == SignInStep::SecondFactor {
                let action = AuditAction::UserSignedIn;
                self.record_sign_in(&mut writing, me.account, &user, &session, &from, action).await?;
            }
            let complete = SignInStep::Complete;
            let new = self.renew_desk_session(&mut writing, me.account, token, &session, complete).await?;
            writing.commit().await?;
            Ok(new)
        })
        .await
    }
}

/// The bytes of a text in Base64 for URLs, without padding.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    if text.len() > MAX_CHARS {
        return None;
    }
    URL_SAFE_NO_PAD.decode(text).ok()
}

pub(super) fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What a passkey keeps of its user: the account and the user, so that the look-up is scoped by account.
pub(super) fn user_handle(account: AccountId, user: UserId) -> [u8; 32] {
    let mut handle = [0; 32];
    let (first, second) = handle.split_at_mut(16);
    first.copy_from_slice(account.0.as_bytes());
    second.copy_from_slice(user.0.as_bytes());
    handle
}
