//! What browsers answer about passkeys, and the challenges that they answer.
//!
//! A challenge is kept as a hash of itself, of what it is for, and of the session. So an answer counts once, for that alone,
//! and two pages of one browser do not disturb each other. Wrong answers are not counted: a signature cannot be guessed,
//! and so nobody can be locked out.

use crate::base::{
    Error, Result, Retour, audit,
    credentials::SignedIn,
    hash::hash_of,
    origin::Origin,
    webauthn::{Assertion, Known, Site, challenge_of, verify},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{AccountId, Refusal, RefusalCode, UserId, audit::AuditAction};
use serde::Deserialize;
use store::{Writing, passkeys, users};
use uuid::Uuid;

/// Says that an authenticator must do something.
pub(super) const REQUIRED: &str = "required";
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

/// A new passkey, as the browser sends it: texts in Base64 for URLs.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// The name by which the user will know it; empty: the name of the device.
    pub name: String,
    /// `response.clientDataJSON` of the browser's answer.
    pub client_data_json: String,
    /// `response.attestationObject` of the browser's answer.
    pub attestation_object: String,
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

impl NewPasskey {
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
pub(super) struct Answer {
    pub account: AccountId,
    pub user: UserId,
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
    pub(super) async fn take_answer(&self, proof: &PasskeyProof, purpose: Purpose<'_>) -> Result<Answer> {
        let answer = Answer::read(proof).ok_or(Error::WrongPasskey)?;
        if !self.take_challenge(purpose, &answer.challenge).await? {
            return Err(Error::WrongPasskey);
        }
        Ok(answer)
    }

    /// Whether a passkey of its user has given this answer. A wrong one is recorded, so the caller commits in both cases.
    pub(super) async fn check_answer(&self, writing: &mut Writing, answer: &Answer, from: &Origin) -> Result<bool> {
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
