//! A merchant's programs and people, as the API shows them.

use crate::{Error, Result, Role, Scope};
use domain::{ServiceUserId, Timestamp, UserId};
use schemars::JsonSchema;
use serde::Serialize;
use store::{service_users, users};

/// A program that uses the API with a key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceUser {
    /// Identifier.
    pub id: ServiceUserId,
    /// What it is called.
    pub name: String,
    /// What it may do. `admin` has the others in it.
    pub scopes: Vec<Scope>,
    /// The end of its key, to tell keys apart; empty for keys from before this was kept.
    pub key_last_four: String,
    /// When its key was last used, to the minute; `null`: never.
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its name, scopes or key last changed.
    pub updated_at: Timestamp,
    /// When its key was revoked; `null`: it is good.
    pub revoked_at: Option<Timestamp>,
    /// Counts its changes; the `ETag`.
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

/// A program with its new key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceUserWithKey {
    /// The program.
    #[serde(flatten)]
    pub service_user: ServiceUser,
    /// Its key. It is shown this once: only a hash of it is kept.
    pub api_key: String,
}

/// One of a merchant's people.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// What they sign in with.
    pub email: String,
    /// What they are called; may be empty.
    pub name: String,
    /// What they may do: an `admin` everything, an `agent` work on returns, a `viewer` look.
    pub role: Role,
    /// Whether they can sign in.
    pub status: UserStatus,
    /// When they last signed in; `null`: never.
    pub last_signed_in_at: Option<Timestamp>,
    /// When they were invited.
    pub created_at: Timestamp,
    /// When their name, role or password last changed.
    pub updated_at: Timestamp,
    /// Counts their changes; the `ETag`.
    pub version: i64,
}

/// Whether a user can sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum UserStatus {
    /// They have yet to set a password.
    Invited,
    /// They have a password.
    Active,
}

impl User {
    pub(crate) fn new(found: users::User) -> Result<Self> {
        Ok(Self {
            id: found.id,
            email: found.email,
            name: found.name,
            role: Role::from_name(&found.role).ok_or(Error::Broken)?,
            status: if found.has_password { UserStatus::Active } else { UserStatus::Invited },
            last_signed_in_at: found.last_signed_in_at,
            created_at: found.created_at,
            updated_at: found.updated_at,
            version: found.version,
        })
    }
}

/// A user with an invitation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitedUser {
    /// The user.
    #[serde(flatten)]
    pub user: User,
    /// What `POST /auth/password` takes, once. It is shown this once: only a hash of it is kept.
    pub invitation_token: String,
    /// When it ends.
    pub invitation_expires_at: Timestamp,
}
