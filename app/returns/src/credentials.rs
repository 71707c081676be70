//! Keys and tokens: opaque, revocable, found by their hash.
//!
//! All begin with the account that they belong to, so that even this look-up is scoped by account:
//! `rtk_` (API key), `rtc_` (consumer's token), `rtu_` (user's token), `rti_` (invitation) or `rtl_` (link in mail), the
//! account's id, 128 random bits and, for keys, a checksum by
//! which secret scanners can tell a real key from a look-alike; all in hexadecimal.

use crate::{Error, Result, Retour, together::Together};
use domain::{AccountId, ConsumerId, ServiceUserId, Timestamp, UserId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::{
    Looked,
    service_users::{KeptKey, ServiceUser},
    users::Purpose,
};
use uuid::Uuid;

const KEY_PREFIX: &str = "rtk_";
const TOKEN_PREFIX: &str = "rtc_";
const USER_TOKEN_PREFIX: &str = "rtu_";
const INVITATION_PREFIX: &str = "rti_";
const LINK_PREFIX: &str = "rtl_";
/// How long a consumer's token is good.
pub(crate) const TOKEN_LIFE_HOURS: u32 = 24;
/// How long a user's token is good.
pub(crate) const USER_TOKEN_LIFE_HOURS: u32 = 1;
/// How long an invitation is good.
pub(crate) const INVITATION_LIFE_HOURS: u32 = 7 * 24;
/// A key's last use is noted at most this often: a write for each request would cost more than it tells.
const TOUCH_EVERY_SECONDS: i64 = 60;

/// Who holds a key, for many requests with one key at a time: by the account and the key's hash.
pub(crate) type Programs = Together<(AccountId, Vec<u8>), Option<ServiceUser>>;

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

domain::words!(Role, Scope);

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

impl Retour {
    /// Who holds this consumer's token.
    pub async fn shopper(&self, token: &str) -> Result<Shopper> {
        let account = account_of(token, TOKEN_PREFIX).ok_or(Error::Unauthorized)?;
        let mut reading = self.store.read().await?;
        let consumer = store::consumers::find_token(reading.db(), account, &hash(token), self.now()).await?;
        drop(reading);
        let consumer = self.found(consumer, Looked::ForConsumer, Error::Unauthorized).await?;
        Ok(Shopper { account, consumer })
    }

    /// Who holds this API key.
    pub async fn program(&self, key: &str) -> Result<Program> {
        let account = account_of(key, KEY_PREFIX).ok_or(Error::Unauthorized)?;
        let now = self.now();
        let (store, hash) = (self.store.clone(), hash(key));
        let look = {
            let hash = hash.clone();
            move || {
                let (store, hash) = (store.clone(), hash.clone());
                async move {
                    let mut reading = store.read().await?;
                    Ok(store::service_users::find_by_key(reading.db(), account, &hash).await?)
                }
            }
        };
        let found = self.programs.ask((account, hash), look).await?;
        let found = self.found(found, Looked::ForProgram, Error::Unauthorized).await?;
        if found.last_used_at.is_none_or(|at| at.plus_seconds(TOUCH_EVERY_SECONDS) <= now) {
            let (store, id) = (self.store.clone(), found.id);
            // Not waited for: a busy writer must not hold up those who only read.
            tokio::spawn(async move {
                let noted: Result<()> = async {
                    let mut writing = store.write().await?;
                    store::service_users::touch(writing.db(), account, id, now).await?;
                    Ok(writing.commit().await?)
                }
                .await;
                if let Err(error) = noted {
                    tracing::warn!(%error, "the use of a key could not be noted");
                }
            });
        }
        Ok(Program { account, id: found.id, scopes: Scope::list(&found.scopes) })
    }

    /// Who holds this token of a user.
    async fn signed_in(&self, token: &str) -> Result<SignedIn> {
        let account = account_of(token, USER_TOKEN_PREFIX).ok_or(Error::Unauthorized)?;
        let mut reading = self.store.read().await?;
        let found = store::users::find_token(reading.db(), account, &hash(token), Purpose::Access, self.now()).await?;
        drop(reading);
        let user = self.found(found, Looked::ForUser, Error::Unauthorized).await?;
        Ok(SignedIn { account, id: user.id, role: Role::from_name(&user.role).ok_or(Error::Broken)? })
    }

    /// A new API key, and what is kept of it.
    pub(crate) fn new_key(&self, account: AccountId) -> (String, KeptKey) {
        let secret = self.new_secret(KEY_PREFIX, account);
        let checksum = hash(&secret);
        let key = format!("{secret}{}", hex(checksum.get(..4).unwrap_or_default()));
        let kept = KeptKey { hash: hash(&key), last_four: key.get(key.len() - 4..).unwrap_or_default().to_owned() };
        (key, kept)
    }

    /// A new consumer's token and when it ends. Only its hash is kept.
    pub(crate) fn new_token(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(TOKEN_PREFIX, account), self.now().plus_hours(TOKEN_LIFE_HOURS))
    }

    /// A new user's token and when it ends. Only its hash is kept.
    pub(crate) fn new_user_token(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(USER_TOKEN_PREFIX, account), self.now().plus_hours(USER_TOKEN_LIFE_HOURS))
    }

    /// A new token that sets a password, and when it ends. Only its hash is kept.
    pub(crate) fn new_invitation(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(INVITATION_PREFIX, account), self.now().plus_hours(INVITATION_LIFE_HOURS))
    }

    /// What a link in mail holds. Only its hash is kept.
    pub(crate) fn new_link(&self, account: AccountId) -> String {
        self.new_secret(LINK_PREFIX, account)
    }

    /// What a preview's link holds: nobody guesses it.
    pub(crate) fn new_preview_token(&self) -> String {
        hex(&self.source.random::<16>())
    }

    fn new_secret(&self, prefix: &str, account: AccountId) -> String {
        format!("{prefix}{}{}", account.0.simple(), hex(&self.source.random::<16>()))
    }
}

/// The account that an invitation is of, by its looks.
pub(crate) fn account_of_invitation(token: &str) -> Option<AccountId> {
    account_of(token, INVITATION_PREFIX)
}

/// The account that a link in mail is of, by its looks.
pub(crate) fn account_of_link(token: &str) -> Option<AccountId> {
    account_of(token, LINK_PREFIX)
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// A hash of several texts, none of which holds a NUL, by which they can be told again but not read.
pub(crate) fn hash_of(parts: &[&str]) -> Vec<u8> {
    hash(&parts.join("\0"))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn account_of(credential: &str, prefix: &str) -> Option<AccountId> {
    let rest = credential.strip_prefix(prefix)?;
    rest.get(..32).and_then(|id| Uuid::try_parse(id).ok()).map(AccountId)
}

/// The owner that a credential claims. It is not verified: anybody can invent a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// A consumer of this account.
    Consumer(AccountId),
    /// A service user or a user.
    Staff,
    /// No known kind of credential.
    Nobody,
}

impl Claimed {
    /// Reads the prefix of a credential.
    pub fn of(credential: &str) -> Self {
        if credential.starts_with(KEY_PREFIX) || credential.starts_with(USER_TOKEN_PREFIX) {
            return Self::Staff;
        }
        account_of(credential, TOKEN_PREFIX).map_or(Self::Nobody, Self::Consumer)
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

impl Retour {
    /// Who holds this credential.
    pub async fn caller(&self, credential: &str) -> Result<Caller> {
        if credential.starts_with(KEY_PREFIX) {
            self.program(credential).await.map(Caller::Program)
        } else if credential.starts_with(USER_TOKEN_PREFIX) {
            self.signed_in(credential).await.map(Caller::User)
        } else {
            self.shopper(credential).await.map(Caller::Shopper)
        }
    }
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
