//! Stripe's webhooks, called notices here: is one genuine, and what is it about?
//!
//! The signature follows Stripe's documentation, "Verify webhook signatures manually".

use domain::Timestamp;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Deserialize;
use sha2::Sha256;

/// The maximum age of a signature, in seconds: the default of Stripe's own libraries.
const MAX_AGE_SECONDS: i64 = 300;

/// The secret with which Stripe signs its webhooks: `whsec_…`.
#[derive(Clone)]
pub struct SignatureSecret(String);

/// Does not show the secret.
impl std::fmt::Debug for SignatureSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignatureSecret")
    }
}

/// Why a webhook is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// The field is missing or malformed.
    #[error("expected the field Stripe-Signature: t=…,v1=…")]
    NoSignature,
    /// It was signed with another secret, or changed in transit.
    #[error("the signature does not match this secret and body")]
    OtherSignature,
    /// Its time differs too much from ours.
    #[error("the signature is older than five minutes, or from the future")]
    TooOld,
}

impl SignatureSecret {
    /// Parses a secret: 10 to 200 letters, digits and signs after `whsec_`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let rest = text.strip_prefix("whsec_")?;
        let is_secret = (10..=200).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_graphic());
        is_secret.then(|| Self(text.to_owned()))
    }

    /// The secret itself, to be encrypted.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Verifies origin, integrity and age of a webhook: HMAC-SHA256 over `timestamp.body`.
    pub fn verify(&self, signature: &str, body: &[u8], now: Timestamp) -> Result<(), NoticeError> {
        let parts = || signature.split(',').filter_map(|part| part.trim().split_once('='));
        let at = parts().find(|(name, _)| *name == "t").map(|(_, at)| at).ok_or(NoticeError::NoSignature)?;
        let seconds: i64 = at.parse().map_err(|_| NoticeError::NoSignature)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).map_err(|_| NoticeError::NoSignature)?;
        mac.update(at.as_bytes());
        mac.update(b".");
        mac.update(body);
        let mut signatures = parts().filter(|(name, _)| *name == "v1").filter_map(|(_, hex)| hex::decode(hex).ok());
        if !signatures.any(|signature| mac.clone().verify_slice(&signature).is_ok()) {
            return Err(NoticeError::OtherSignature);
        }
        if now.seconds().abs_diff(seconds) > MAX_AGE_SECONDS.unsigned_abs() { Err(NoticeError::TooOld) } else { Ok(()) }
    }
}

/// The return order that a webhook is about: the session's `client_reference_id`. `None` if it is about something else.
pub fn notice_of(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct StripeEvent {
        data: EventData,
    }
    #[derive(Deserialize)]
    struct EventData {
        object: EventObject,
    }
    #[derive(Deserialize)]
    struct EventObject {
        object: String,
        client_reference_id: Option<String>,
    }
    let EventObject { object, client_reference_id } = serde_json::from_slice::<StripeEvent>(body).ok()?.data.object;
    client_reference_id.filter(|_| object == "checkout.session")
}
