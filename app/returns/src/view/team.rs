//! A merchant's service users and users, as the API shows them.

use crate::base::{OrBroken, Result, Role, Scope};
use domain::{Locale, ServiceUserId, Timestamp, UserId, UserSessionId};
use schemars::JsonSchema;
use serde::Serialize;
use store::{
    service_users,
    user_sessions::{Session, SessionKind},
    users,
};

/// A service user: a program that uses the API with a key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceUser {
    /// Unique identifier of the service user.
    pub id: ServiceUserId,
    /// The name of the program.
    pub name: String,
    /// The scopes of the key. `admin` includes all others; `write` includes `receive`, `resolve` and `override`; `read`
    /// includes `personal`.
    pub scopes: Vec<Scope>,
    /// The last four characters of the key, to tell keys apart; empty for old keys, of which they were not stored.
    pub key_last_four: String,
    /// When its key was last used, to the minute; `null`: never.
    pub last_used_at: Option<Timestamp>,
    /// When the service user was created.
    pub created_at: Timestamp,
    /// When the service user's name, scopes or key last changed.
    pub updated_at: Timestamp,
    /// When the key was revoked; `null`: it works.
    pub revoked_at: Option<Timestamp>,
    /// The version of the service user: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl From<service_users::ServiceUser> for ServiceUser {
    fn from(found: service_users::ServiceUser) -> Self {
        Self {
            id: found.id,
            name: found.name,
            scopes: Scope::list(&found.scopes),
            key_last_four: found.key_last_four,
            last_used_at: found.last_used_at,
            created_at: found.created_at,
            updated_at: found.updated_at,
            revoked_at: found.revoked_at,
            version: found.version,
        }
    }
}

/// A service user together with its new key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceUserWithKey {
    /// The new service user.
    #[serde(flatten)]
    pub service_user: ServiceUser,
    /// The API key. Only this response has it: Retour stores only its hash.
    pub api_key: String,
}

/// A user: one of the merchant's people.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Unique identifier of the user.
    pub id: UserId,
    /// The e-mail address that the user signs in with.
    pub email: String,
    /// The user's name; may be empty.
    pub name: String,
    /// The user's role: an `admin` may do everything, an `agent` works on returns, `finance` decides about money, a
    /// `warehouse` user receives returns, and a `viewer` only reads.
    pub role: Role,
    /// The language of the desk and of mails to the user (BCP 47); `null`: as the browser and the account say.
    pub language: Option<Locale>,
    /// Whether the user can sign in.
    pub status: UserStatus,
    /// Whether the user has a second factor: an authenticator app or a passkey.
    pub has_second_factor: bool,
    /// When the user last signed in; `null`: never.
    pub last_signed_in_at: Option<Timestamp>,
    /// When the user was invited.
    pub created_at: Timestamp,
    /// When the user's name, role, language or password last changed.
    pub updated_at: Timestamp,
    /// The version of the user: it grows with each change and is the `ETag`.
    pub version: i64,
}

/// Whether a user can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum UserStatus {
    /// The user has not set a password yet.
    Invited,
    /// The user has set a password and can sign in.
    Active,
}

impl User {
    pub(crate) fn new(found: users::User) -> Result<Self> {
        let has_second_factor = found.has_second_factor();
        Ok(Self {
            id: found.id,
            email: found.email,
            name: found.name,
            role: Role::from_name(&found.role).or_broken()?,
            language: found.language,
            status: if found.has_password { UserStatus::Active } else { UserStatus::Invited },
            has_second_factor,
            last_signed_in_at: found.last_signed_in_at,
            created_at: found.created_at,
            updated_at: found.updated_at,
            version: found.version,
        })
    }
}

/// A session of a user.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserSession {
    /// Unique identifier of the session.
    pub id: UserSessionId,
    /// What the session is for.
    pub kind: UserSessionKind,
    /// Browser and system, or the name of the program; empty: unknown.
    pub device: String,
    /// The network that the user signed in from.
    pub network: String,
    /// When the user signed in.
    pub started_at: Timestamp,
    /// When the session was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When the session ends if it is not used again.
    pub expires_at: Timestamp,
    /// Whether the request belongs to this session.
    pub is_current: bool,
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum UserSessionKind {
    /// A token of the API.
    Api,
    /// A browser at the desk.
    Desk,
}

impl UserSession {
    /// A session; `None` if it is older than the program, and has no id.
    pub(crate) fn new(found: Session, current: Option<UserSessionId>) -> Option<Self> {
        let id = found.id?;
        Some(Self {
            id,
            kind: match found.kind {
                SessionKind::Api => UserSessionKind::Api,
                SessionKind::Desk => UserSessionKind::Desk,
            },
            device: found.device,
            network: found.network,
            started_at: found.started_at,
            last_seen_at: found.seen_at,
            expires_at: found.expires_at,
            is_current: current == Some(id),
        })
    }
}

/// The newest sessions of a user.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserSessions {
    /// The sessions, the newest first; at most 100.
    pub data: Vec<UserSession>,
}

/// The second factor of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// When the user set up an authenticator app; `null`: there is none.
    pub totp_since: Option<Timestamp>,
    /// How many recovery codes are left.
    pub recovery_codes_left: u32,
    /// From when on the user needs a second factor to work; `null`: none is required, or there is one.
    pub required_from: Option<Timestamp>,
}

/// A new authenticator app, which a first code has to confirm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewTotp {
    /// The secret, to type into the app. Only this response has it.
    pub secret: String,
    /// The same as a URI (`otpauth://`), for a QR code.
    pub uri: String,
}

/// New recovery codes. Each replaces the second factor once. Only this response has them: Retour stores their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewRecoveryCodes {
    /// Ten codes, each of which replaces a code of the app once.
    pub recovery_codes: Vec<String>,
}

/// A user with a new invitation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitedUser {
    /// The user.
    #[serde(flatten)]
    pub user: User,
    /// The token for `POST /auth/password`, which works once. Only this response has it: Retour stores only its hash.
    pub invitation_token: String,
    /// When the invitation stops working.
    pub invitation_expires_at: Timestamp,
}
