//! Passkeys, and what a browser needs to use them (WebAuthn, Level 3).

use domain::{PasskeyId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use store::passkeys;

/// A passkey of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Unique identifier of the passkey.
    pub id: PasskeyId,
    /// The name by which the user knows it.
    pub name: String,
    /// Whether it may be on several devices of the user.
    pub is_synced: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used; `null`: never.
    pub last_used_at: Option<Timestamp>,
}

impl Passkey {
    pub(crate) fn new(found: passkeys::Passkey) -> Self {
        Self {
            id: found.id,
            name: found.name,
            is_synced: found.may_be_synced,
            created_at: found.created_at,
            last_used_at: found.last_used_at,
        }
    }
}

/// The passkeys of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkeys {
    /// The host that the passkeys belong to; `null`: browsers offer none at the address of this service.
    pub host: Option<String>,
    /// The passkeys, the oldest first; at most 20.
    pub data: Vec<Passkey>,
}

/// A new passkey of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPasskey {
    /// The passkey that was added.
    pub passkey: Passkey,
    /// Ten codes, each of which replaces the passkey once after the password; `null`: the user has codes already. Only this
    /// response has them: Retour stores their hashes.
    pub recovery_codes: Option<Vec<String>>,
}

/// What a browser makes a passkey from: `PublicKeyCredential.parseCreationOptionsFromJSON(…)` reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyCreationOptions {
    /// The random value that the answer contains, once and within five minutes. Base64 for URLs.
    pub challenge: String,
    /// The site that the passkey is for.
    pub rp: PasskeySite,
    /// The user who gets the passkey.
    pub user: PasskeyUser,
    /// The kinds of keys that are accepted, the preferred one first.
    pub pub_key_cred_params: Vec<PasskeyAlgorithm>,
    /// How long the browser waits for the user, milliseconds.
    pub timeout: u32,
    /// The passkeys that the user has already.
    pub exclude_credentials: Vec<PasskeyReference>,
    /// What the authenticator has to do.
    pub authenticator_selection: PasskeySelection,
    /// Always `none`: the model of the authenticator is not asked for.
    pub attestation: &'static str,
}

/// The site of a passkey.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PasskeySite {
    /// The name of its host.
    pub id: String,
    /// The name of the shop.
    pub name: String,
}

/// The user of a passkey, as authenticators show them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyUser {
    /// The account and the user. Base64 for URLs.
    pub id: String,
    /// The e-mail address.
    pub name: String,
    /// The name; the e-mail address of a user without a name.
    pub display_name: String,
}

/// A kind of key that is accepted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PasskeyAlgorithm {
    /// Always `public-key`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The number of the algorithm: -7 (`ES256`), -8 (`EdDSA`) or -257 (`RS256`).
    pub alg: i64,
}

/// A passkey, as browsers know it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PasskeyReference {
    /// Always `public-key`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The authenticator's own id. Base64 for URLs.
    pub id: String,
}

/// What an authenticator has to do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeySelection {
    /// Always `required`: the authenticator keeps the passkey, so that nobody has to enter a name.
    pub resident_key: &'static str,
    /// Always true; it says the same to older authenticators.
    pub require_resident_key: bool,
    /// Always `required`: by a fingerprint, a face or a PIN.
    pub user_verification: &'static str,
}

/// What a browser asks for a passkey with: `PublicKeyCredential.parseRequestOptionsFromJSON(…)` reads it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyRequestOptions {
    /// The random value to sign, once and within five minutes. Base64 for URLs.
    pub challenge: String,
    /// The name of the site's host.
    pub rp_id: String,
    /// How long the browser waits for the user, milliseconds.
    pub timeout: u32,
    /// Always `required`: by a fingerprint, a face or a PIN.
    pub user_verification: &'static str,
}
