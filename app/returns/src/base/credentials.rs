//! Keys and tokens: opaque, revocable, found by their hash.
//!
//! Each begins with the account that it belongs to, so that even this look-up is scoped by account: `rtk_` (API key),
//! `rtc_` (consumer's token), `rtu_` (user's token), `rts_` (session at the desk), `rti_` (invitation) or `rtl_` (link
//! in mail), the account's id and 128 random bits, all in hexadecimal. Keys end with a checksum, by which secret scanners tell a real key from a
//! look-alike.

use super::{
    coalesce::Coalesce,
    error::{Error, Result},
};
use domain::{AccountId, ConsumerId, ServiceUserId, Timestamp, UserId, UserSessionId, sign_in::SignInStep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::service_users::ServiceUser;
use uuid::Uuid;

/// Look-ups of keys, shared by concurrent requests with the same key: by account and the key's hash.
pub(crate) type Programs = Coalesce<(AccountId, Vec<u8>), Option<ServiceUser>>;

/// A consumer who has proved an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Shopper {
    /// The account of the order.
    pub account: AccountId,
    /// The consumer.
    pub consumer: ConsumerId,
}

/// A program with an API key of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The account of the key.
    pub account: AccountId,
    /// The service user that the key belongs to.
    pub id: ServiceUserId,
    /// The scopes of the key.
    pub scopes: Vec<Scope>,
}

/// A signed-in user of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The user's account.
    pub account: AccountId,
    /// The user.
    pub id: UserId,
    /// The user's role.
    pub role: Role,
    /// The session; `None`: it is older than the program.
    pub session: Option<UserSessionId>,
    /// What the sign-in still needs. Until it is complete, the user does not act for the account.
    pub step: SignInStep,
    /// When the user last proved who they are.
    pub confirmed_at: Option<Timestamp>,
}

/// How long a proof counts for what needs a recent one, in seconds.
const PROOF_COUNTS_SECONDS: i64 = 600;

impl SignedIn {
    /// Whether the user proved who they are within the last ten minutes. Keys, people and security need it.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.confirmed_at.is_some_and(|at| now < at.plus_seconds(PROOF_COUNTS_SECONDS))
    }

    /// Refuses a user who has not proved who they are within the last ten minutes.
    pub(crate) fn check_fresh(&self, now: Timestamp) -> Result<()> {
        if self.is_fresh(now) { Ok(()) } else { Err(Error::ConfirmationRequired) }
    }
}

/// A user or a program that acts for a merchant and has the required scope. The only ways to get one are
/// [`Caller::as_staff`] and [`Self::operator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staff {
    account: AccountId,
    id: Option<Uuid>,
}

impl Staff {
    /// The merchant's account.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// The id of the user or service user; nil for the operator.
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }

    /// The id of the user or service user for timelines; `None` for the operator.
    pub(crate) fn actor_id(&self) -> Option<Uuid> {
        self.id
    }

    /// The operator, who may do everything: access to the database is proof enough. For the command line and workers,
    /// never for a request handler.
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
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Agent, Self::Viewer];

    /// The name in JSON, in SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Agent => "agent",
            Self::Viewer => "viewer",
        }
    }

    /// The role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The scopes that the role has.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Admin => &[Scope::Read, Scope::Write, Scope::Admin],
            Self::Agent => &[Scope::Read, Scope::Write],
            Self::Viewer => &[Scope::Read],
        }
    }
}

/// What a merchant's credential may do. `admin` includes the others.
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
    /// All scopes.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Admin];

    /// The name in JSON, in SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }

    /// The scope with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// Parses a stored list of names.
    pub(crate) fn list(names: &str) -> Vec<Self> {
        names.split(',').filter_map(Self::from_name).collect()
    }
}

/// The sender of a request, identified by a credential of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A consumer with a token.
    Shopper(Shopper),
    /// A program with an API key.
    Program(Program),
    /// A user with a token.
    User(SignedIn),
}

impl Caller {
    /// Returns the consumer, if the caller is that consumer or has a key of the account with this scope (a shop's own
    /// server).
    pub fn as_consumer(&self, consumer: ConsumerId, scope: Scope) -> Result<Shopper> {
        match self {
            Self::Shopper(shopper) if shopper.consumer == consumer => Ok(*shopper),
            Self::Shopper(_) => Err(Error::NotFound),
            Self::Program(_) | Self::User(_) => Ok(Shopper { account: self.as_staff(scope)?.account, consumer }),
        }
    }

    /// Returns the staff member, if the caller acts for the merchant and has this scope. A consumer's token is not
    /// enough.
    pub fn as_staff(&self, scope: Scope) -> Result<Staff> {
        let (account, id, scopes) = match self {
            Self::Shopper(_) => return Err(Error::Forbidden("a consumer's token opens only /consumer")),
            Self::Program(program) => (program.account, program.id.0, program.scopes.as_slice()),
            Self::User(user) if user.step != SignInStep::Complete => {
                return Err(Error::Forbidden("the user has to set up a second factor first"));
            }
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

    /// The owner of the caller's idempotency keys.
    pub fn credential_id(&self) -> String {
        match self {
            Self::Shopper(shopper) => format!("consumer:{}", shopper.consumer),
            Self::Program(program) => format!("serviceUser:{}", program.id),
            Self::User(user) => format!("user:{}", user.id),
        }
    }

    /// The caller's account.
    pub fn account(&self) -> AccountId {
        match self {
            Self::Shopper(shopper) => shopper.account,
            Self::Program(program) => program.account,
            Self::User(user) => user.account,
        }
    }
}
