//! Keys and tokens: opaque, revocable, found by their hash.
//!
//! All begin with the account that they belong to, so that even this look-up is scoped by account:
//! `rtk_` (API key), `rtc_` (consumer's token), `rtu_` (user's token), `rti_` (invitation) or `rtl_` (link in mail), the
//! account's id, 128 random bits and, for keys, a checksum by
//! which secret scanners can tell a real key from a look-alike; all in hexadecimal.

use super::{
    coalesce::Coalesce,
    error::{Error, Result},
};
use domain::{AccountId, ConsumerId, ServiceUserId, UserId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::service_users::ServiceUser;
use uuid::Uuid;

/// Who holds a key, for many requests with one key at a time: by the account and the key's hash.
pub(crate) type Programs = Coalesce<(AccountId, Vec<u8>), Option<ServiceUser>>;

/// A consumer who has proved an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Shopper {
    /// Where.
    pub account: AccountId,
    /// Who.
    pub consumer: ConsumerId,
}

/// A program with a key of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Whose.
    pub account: AccountId,
    /// Which program.
    pub id: ServiceUserId,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

/// A person who signed in, one of an account's users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Whose.
    pub account: AccountId,
    /// Who.
    pub id: UserId,
    /// What they may do.
    pub role: Role,
}

/// Who acts for a merchant, a person or a program, and may do what is asked: there is no other way to one of these
/// than [`Caller::as_staff`] and [`Self::operator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staff {
    account: AccountId,
    id: Option<Uuid>,
}

impl Staff {
    /// For whom.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// Which user or service user; nil for the operator.
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }

    /// The user or service user for timelines; `None` for the operator.
    pub(crate) fn actor_id(&self) -> Option<Uuid> {
        self.id
    }

    /// The operator, who may do everything: access to the database is proof enough. For the command line and workers, never for
    /// a handler of requests.
    pub fn operator(account: AccountId) -> Self {
        Self { account, id: None }
    }
}

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", remote = "Role")]
pub enum Role {
    /// May do everything, including settings and users.
    Admin,
    /// May read everything and work on returns.
    Agent,
    /// May read everything and change nothing.
    Viewer,
}

impl Role {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Agent, Self::Viewer];

    /// The name in JSON, SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Agent => "agent",
            Self::Viewer => "viewer",
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// What it comes to.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Admin => &[Scope::Read, Scope::Write, Scope::Admin],
            Self::Agent => &[Scope::Read, Scope::Write],
            Self::Viewer => &[Scope::Read],
        }
    }
}

/// What a credential of a merchant may do. `admin` has the others in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", remote = "Scope")]
pub enum Scope {
    /// Read what belongs to the account.
    Read,
    /// Create and change returns.
    Write,
    /// Change settings, keys and users.
    Admin,
}

domain::string_enum!(Role, Scope);

impl Scope {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The name in JSON, SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    /// The scope of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// The scopes of a stored list of names.
    pub(crate) fn list(names: &str) -> Vec<Self> {
        names.split(',').filter_map(Self::from_name).collect()
    }
}

/// Who sends a request: told from one credential, whichever kind it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// With a token.
    Shopper(Shopper),
    /// With an API key.
    Program(Program),
    /// With the token of a person who signed in.
    User(SignedIn),
}

impl Caller {
    /// As a consumer: one's own token, or a key of the account with the scope (a shop's own server).
    pub fn as_consumer(&self, consumer: ConsumerId, scope: Scope) -> Result<Shopper> {
        match self {
            Self::Shopper(shopper) if shopper.consumer == consumer => Ok(*shopper),
            Self::Shopper(_) => Err(Error::NotFound),
            Self::Program(_) | Self::User(_) => Ok(Shopper { account: self.as_staff(scope)?.account, consumer }),
        }
    }

    /// As somebody who acts for the merchant and may do this: a consumer's token is not enough.
    pub fn as_staff(&self, scope: Scope) -> Result<Staff> {
        let (account, id, scopes) = match self {
            Self::Shopper(_) => return Err(Error::Forbidden("a consumer's token opens only /consumer")),
            Self::Program(program) => (program.account, program.id.0, program.scopes.as_slice()),
            Self::User(user) => (user.account, user.id.0, user.role.scopes()),
        };
        if scopes.contains(&scope) || scopes.contains(&Scope::Admin) {
            return Ok(Staff { account, id: Some(id) });
        }
        Err(Error::Forbidden(match scope {
            Scope::Read => "it lacks the scope read",
            Scope::Write => "it lacks the scope write",
            Scope::Admin => "it lacks the scope admin",
        }))
    }

    /// Whose idempotency keys these are.
    pub fn credential_id(&self) -> String {
        match self {
            Self::Shopper(shopper) => format!("consumer:{}", shopper.consumer),
            Self::Program(program) => format!("serviceUser:{}", program.id),
            Self::User(user) => format!("user:{}", user.id),
        }
    }

    /// The account it belongs to.
    pub fn account(&self) -> AccountId {
        match self {
            Self::Shopper(shopper) => shopper.account,
            Self::Program(program) => program.account,
            Self::User(user) => user.account,
        }
    }
}
