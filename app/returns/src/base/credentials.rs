//! Keys and tokens: opaque, revocable, found by their hash.
//!
//! Each begins with the account that it belongs to, so that even this look-up is scoped by account: `rtk_` (API key),
//! `rtc_` (consumer's token), `rtu_` (user's token), `rts_` (session at the desk), `rti_` (invitation) or `rtl_` (link
//! in mail), the account's id and 128 random bits, all in hexadecimal. Keys end with a checksum, by which secret
//! scanners tell a real key from a look-alike.

use super::{
    coalesce::Coalesce,
    error::{Error, Result},
    origin::Origin,
    scopes::{Role, Scope, ScopeSet},
};
use domain::{AccountId, ConsumerId, ServiceUserId, Timestamp, UserId, UserSessionId, sign_in::SignInStep};
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
    /// Where the request comes from.
    pub origin: Origin,
}

/// How long a proof counts for what needs a recent one, in seconds.
const PROOF_COUNTS_SECONDS: i64 = 600;

impl SignedIn {
    /// A user who acts without a session, in a demo.
    pub(crate) fn at_once(account: AccountId, id: UserId, role: Role) -> Self {
        let (step, origin) = (SignInStep::Complete, Origin::default());
        Self { account, id, role, session: None, step, confirmed_at: None, origin }
    }

    /// The same user, with the origin of the request.
    #[must_use]
    pub fn coming_from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The origin of the request, with the user's session.
    pub(crate) fn origin(&self) -> Origin {
        self.session.map_or(self.origin, |session| self.origin.in_session(session.0))
    }

    /// Whether the user proved who they are within the last ten minutes. Keys, people and security need it.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        is_recent(self.confirmed_at, now)
    }

    /// Refuses a user who has not proved who they are within the last ten minutes.
    pub(crate) fn check_fresh(&self, now: Timestamp) -> Result<()> {
        if self.is_fresh(now) { Ok(()) } else { Err(Error::ConfirmationRequired) }
    }
}

fn is_recent(confirmed_at: Option<Timestamp>, now: Timestamp) -> bool {
    confirmed_at.is_some_and(|at| now < at.plus_seconds(PROOF_COUNTS_SECONDS))
}

/// A user or a program that acts for a merchant and has the required scope. The only ways to get one are
/// [`Caller::as_staff`] and [`Self::operator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Staff {
    account: AccountId,
    who: StaffMember,
    scopes: ScopeSet,
    /// When a user last proved who they are.
    confirmed_at: Option<Timestamp>,
    origin: Origin,
}

/// The user or program behind [`Staff`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StaffMember {
    /// A user with this role.
    User(UserId, Role),
    /// A program with an API key.
    Program(ServiceUserId),
    /// The operator, at the command line.
    Operator,
}

impl Staff {
    /// The merchant's account.
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// The id of the user or service user; nil for the operator.
    pub fn id(&self) -> Uuid {
        self.actor_id().unwrap_or_default()
    }

    /// The id of the user or service user for timelines; `None` for the operator.
    pub(crate) fn actor_id(&self) -> Option<Uuid> {
        match self.who {
            StaffMember::User(id, _) => Some(id.0),
            StaffMember::Program(id) => Some(id.0),
            StaffMember::Operator => None,
        }
    }

    /// The user or program that acts.
    pub(crate) fn who(&self) -> StaffMember {
        self.who
    }

    /// Where the request comes from.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same member of the staff, with the origin of the request.
    #[must_use]
    pub fn coming_from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The operator, who may do everything: access to the database is proof enough. For the command line and workers,
    /// never for a request handler.
    pub fn operator(account: AccountId) -> Self {
        let (who, scopes) = (StaffMember::Operator, ScopeSet::all());
        Self { account, who, scopes, confirmed_at: None, origin: Origin::default() }
    }

    /// Refuses a user who has not proved who they are within the last ten minutes. Programs and the operator have
    /// nothing to prove again.
    pub(crate) fn check_fresh(&self, now: Timestamp) -> Result<()> {
        let is_user = matches!(self.who, StaffMember::User(..));
        if !is_user || is_recent(self.confirmed_at, now) { Ok(()) } else { Err(Error::ConfirmationRequired) }
    }

    /// Whether this member of the staff has the scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.has(scope)
    }

    /// Whether these scopes of an API key are still what this member of the staff may do.
    pub(crate) fn has_scopes_of_key(&self, scopes: &[Scope]) -> bool {
        self.scopes == ScopeSet::of_key(scopes)
    }

    /// Refuses a member of the staff without the scope.
    pub fn check(&self, scope: Scope) -> Result<()> {
        if self.may(scope) { Ok(()) } else { Err(lacks(&[scope])) }
    }

    /// Whether answers contain amounts. Those who only receive parcels see none.
    pub fn sees_money(&self) -> bool {
        self.scopes.has_any(&[Scope::Read, Scope::Write, Scope::Resolve, Scope::Override])
    }

    /// Whether answers contain e-mail addresses and postal addresses of people.
    pub fn sees_contact(&self) -> bool {
        self.scopes.has_any(&[Scope::Read, Scope::Write, Scope::Personal])
    }

    /// Whether the policy's `agentLimit` applies.
    pub fn is_limited(&self) -> bool {
        matches!(self.who, StaffMember::User(_, Role::Agent))
    }
}

/// The refusal of a caller who needs one of these scopes.
fn lacks(scopes: &[Scope]) -> Error {
    match scopes {
        [scope] => Error::Forbidden(format!("it lacks the scope {}", scope.name())),
        several => Error::Forbidden(format!("it needs one of the scopes {}", Scope::names(several))),
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
    /// Returns the consumer, if the caller is that consumer or acts for the merchant with one of these scopes (a shop's
    /// own server).
    pub fn as_consumer(&self, consumer: ConsumerId, needed: &[Scope]) -> Result<Shopper> {
        match self {
            Self::Shopper(shopper) if shopper.consumer == consumer => Ok(*shopper),
            Self::Shopper(_) => Err(Error::NotFound),
            Self::Program(_) | Self::User(_) => {
                Ok(Shopper { account: self.as_staff_with_any(needed)?.account, consumer })
            }
        }
    }

    /// Returns the staff member, if the caller acts for the merchant and has this scope. A consumer's token is not
    /// enough.
    pub fn as_staff(&self, scope: Scope) -> Result<Staff> {
        self.as_staff_with_any(&[scope])
    }

    /// Returns the staff member, if the caller acts for the merchant and has at least one of these scopes. Of several,
    /// one must be granted to an API key itself: `write` includes `receive`, but does not read what a warehouse reads.
    pub fn as_staff_with_any(&self, needed: &[Scope]) -> Result<Staff> {
        let (account, who, scopes) = match self {
            Self::Shopper(_) => return Err(Error::Forbidden("a consumer's token opens only /consumer".to_owned())),
            Self::Program(program) => {
                (program.account, StaffMember::Program(program.id), ScopeSet::of_key(&program.scopes))
            }
            Self::User(user) if user.step != SignInStep::Complete => {
                return Err(Error::Forbidden("the user has to set up a second factor first".to_owned()));
            }
            Self::User(user) => (user.account, StaffMember::User(user.id, user.role), ScopeSet::of_role(user.role)),
        };
        let counted = match self {
            Self::Program(program) if needed.len() > 1 => ScopeSet::granted_to_key(&program.scopes),
            _ => scopes,
        };
        if counted.has_any(needed) {
            let confirmed_at = match self {
                Self::User(user) => user.confirmed_at,
                Self::Shopper(_) | Self::Program(_) => None,
            };
            return Ok(Staff { account, who, scopes, confirmed_at, origin: Origin::default() });
        }
        Err(lacks(needed))
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
