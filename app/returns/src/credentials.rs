//! Keys and tokens: opaque, revocable, found by their hash.
//!
//! Both begin with the account that they belong to, so that even this look-up is scoped by account:
//! `rtk_` (API key) or `rtc_` (consumer's token), the account's id, 128 random bits and, for keys, a checksum by
//! which secret scanners can tell a real key from a look-alike; all in hexadecimal.

use crate::{Error, Result, Retour};
use domain::{AccountId, ConsumerId, ServiceUserId, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

const KEY_PREFIX: &str = "rtk_";
const TOKEN_PREFIX: &str = "rtc_";
/// How long a consumer's token is good.
pub(crate) const TOKEN_LIFE_HOURS: u32 = 24;
/// A key's last use is noted at most this often: a write for each request would cost more than it tells.
const TOUCH_EVERY_SECONDS: i64 = 60;

/// A consumer who has proved an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

impl Program {
    /// Says no unless the key has the scope; `admin` has them all.
    pub fn require(&self, scope: Scope) -> Result<()> {
        if self.scopes.contains(&scope) || self.scopes.contains(&Scope::Admin) {
            return Ok(());
        }
        Err(Error::Forbidden(match scope {
            Scope::Read => "the key lacks the scope read",
            Scope::Write => "the key lacks the scope write",
            Scope::Admin => "the key lacks the scope admin",
        }))
    }
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Read what belongs to the account.
    Read,
    /// Change returns.
    Write,
    /// Change settings, keys and users.
    Admin,
}

impl Scope {
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
        [Self::Read, Self::Write, Self::Admin].into_iter().find(|scope| scope.name() == name)
    }
}

impl Retour {
    /// Who holds this consumer's token.
    pub async fn shopper(&self, token: &str) -> Result<Shopper> {
        let account = account_of(token, TOKEN_PREFIX).ok_or(Error::Unauthorized)?;
        let mut reading = self.store.read().await?;
        let consumer = store::consumers::find_token(reading.db(), account, &hash(token), self.now()).await?;
        Ok(Shopper { account, consumer: consumer.ok_or(Error::Unauthorized)? })
    }

    /// Who holds this API key.
    pub async fn program(&self, key: &str) -> Result<Program> {
        let account = account_of(key, KEY_PREFIX).ok_or(Error::Unauthorized)?;
        let now = self.now();
        let mut reading = self.store.read().await?;
        let found = store::service_users::find_by_key(reading.db(), account, &hash(key)).await?;
        drop(reading);
        let found = found.ok_or(Error::Unauthorized)?;
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
        let scopes = found.scopes.split(',').filter_map(Scope::from_name).collect();
        Ok(Program { account, id: found.id, scopes })
    }

    /// A new API key. Only its hash is kept.
    pub(crate) fn new_key(&self, account: AccountId) -> String {
        let secret = format!("{KEY_PREFIX}{}{}", account.0.simple(), hex(&self.source.random::<16>()));
        let checksum = hash(&secret);
        format!("{secret}{}", hex(checksum.get(..4).unwrap_or_default()))
    }

    /// A new consumer's token and when it ends. Only its hash is kept.
    pub(crate) fn new_token(&self, account: AccountId) -> (String, Timestamp) {
        let token = format!("{TOKEN_PREFIX}{}{}", account.0.simple(), hex(&self.source.random::<16>()));
        (token, self.now().plus_hours(TOKEN_LIFE_HOURS))
    }
}

/// Whether a credential is an API key by its looks.
pub(crate) fn is_key(credential: &str) -> bool {
    credential.starts_with(KEY_PREFIX)
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
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

/// Who sends a request: told from one credential, whichever kind it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// With a token.
    Shopper(Shopper),
    /// With an API key.
    Program(Program),
}

impl Retour {
    /// Who holds this credential.
    pub async fn caller(&self, credential: &str) -> Result<Caller> {
        if is_key(credential) {
            self.program(credential).await.map(Caller::Program)
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
            Self::Program(program) => {
                program.require(scope)?;
                Ok(Shopper { account: program.account, consumer })
            }
        }
    }

    /// As a program of an account: a consumer's token is not enough. What it may do is for the use case to ask.
    pub fn as_program(&self) -> Result<&Program> {
        match self {
            Self::Program(program) => Ok(program),
            Self::Shopper(_) => Err(Error::Forbidden("a consumer's token opens only /consumer")),
        }
    }

    /// Whose idempotency keys these are.
    pub fn credential_id(&self) -> String {
        match self {
            Self::Shopper(shopper) => format!("consumer:{}", shopper.consumer),
            Self::Program(program) => format!("serviceUser:{}", program.id),
        }
    }

    /// The account it belongs to.
    pub fn account(&self) -> AccountId {
        match self {
            Self::Shopper(shopper) => shopper.account,
            Self::Program(program) => program.account,
        }
    }
}
