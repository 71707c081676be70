//! Keys and tokens: opaque, revocable, found by their hash.

use super::{
    credentials::{Caller, Program, Shopper, SignedIn},
    error::{Error, OrBroken, Result},
    hash::{hash, hex},
    origin::Origin,
    retour::Retour,
    scopes::{Role, Scope},
};
use domain::{AccountId, Timestamp};
use store::{
    Lookup,
    service_users::KeptKey,
    user_sessions::{self, Session, SessionKind},
    users,
};
use uuid::Uuid;

const KEY_PREFIX: &str = "rtk_";
const TOKEN_PREFIX: &str = "rtc_";
const USER_TOKEN_PREFIX: &str = "rtu_";
const SESSION_PREFIX: &str = "rts_";
const INVITATION_PREFIX: &str = "rti_";
const LINK_PREFIX: &str = "rtl_";
/// The lifetime of a consumer's token.
pub(crate) const TOKEN_LIFE_HOURS: u32 = 24;
/// The lifetime of a user's token.
pub(crate) const USER_TOKEN_LIFE_HOURS: u32 = 1;
/// The lifetime of an invitation.
pub(crate) const INVITATION_LIFE_HOURS: u32 = 7 * 24;
/// The lifetime of a link that sets a forgotten password.
pub(crate) const PASSWORD_LINK_LIFE_HOURS: u32 = 1;
/// The shortest time between two writes of a key's last use, because a write for each request costs more than the
/// precision is worth.
const TOUCH_EVERY_SECONDS: i64 = 60;

impl Retour {
    /// Returns the consumer who holds this token.
    pub async fn shopper(&self, token: &str) -> Result<Shopper> {
        let account = account_of(token, TOKEN_PREFIX).ok_or(Error::Unauthorized)?;
        let mut reading = self.store.read().await?;
        let consumer = store::consumers::find_token(reading.db(), account, &hash(token), self.now()).await?;
        drop(reading);
        let consumer = self.found(consumer, Lookup::ForConsumer, Error::Unauthorized).await?;
        Ok(Shopper { account, consumer })
    }

    /// Returns the program that holds this API key.
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
        let found = self.found(found, Lookup::ForServiceUser, Error::Unauthorized).await?;
        if found.last_used_at.is_none_or(|at| at.plus_seconds(TOUCH_EVERY_SECONDS) <= now) {
            let (store, id) = (self.store.clone(), found.id);
            // In the background: a busy writer must not delay requests that only read.
            tokio::spawn(async move {
                let noted: Result<()> = async {
                    let mut writing = store.write().await?;
                    store::service_users::touch(writing.db(), account, id, now).await?;
                    Ok(writing.commit().await?)
                }
                .await;
                if let Err(error) = noted {
                    tracing::warn!(%error, "the last use of an API key could not be recorded");
                }
            });
        }
        Ok(Program { account, id: found.id, scopes: Scope::list(&found.scopes) })
    }

    /// Returns the user who holds this token.
    async fn signed_in(&self, token: &str) -> Result<SignedIn> {
        let account = account_of(token, USER_TOKEN_PREFIX).ok_or(Error::Unauthorized)?;
        let found = self.session_of(account, token, SessionKind::Api).await?;
        let (session, user) = self.found(found, Lookup::ForUser, Error::Unauthorized).await?;
        Ok(SignedIn {
            account,
            id: user.id,
            role: Role::from_name(&user.role).or_broken()?,
            session: session.id,
            step: session.step,
            confirmed_at: session.confirmed_at,
            origin: Origin::default(),
        })
    }

    /// The session with this token and its user, unless it has ended.
    pub(crate) async fn session_of(
        &self,
        account: AccountId,
        token: &str,
        kind: SessionKind,
    ) -> Result<Option<(Session, users::User)>> {
        let mut reading = self.store.read().await?;
        let found = user_sessions::find(reading.db(), account, &hash(token), kind, self.now()).await?;
        let Some(session) = found else { return Ok(None) };
        let user = users::find(reading.db(), account, session.user).await?;
        Ok(user.map(|user| (session, user)))
    }

    /// Creates an API key. Returns it with the part that is stored.
    pub(crate) fn new_key(&self, account: AccountId) -> (String, KeptKey) {
        let secret = self.new_secret(KEY_PREFIX, account);
        let checksum = hash(&secret);
        let key = format!("{secret}{}", hex(checksum.get(..4).unwrap_or_default()));
        let kept = KeptKey { hash: hash(&key), last_four: key.get(key.len() - 4..).unwrap_or_default().to_owned() };
        (key, kept)
    }

    /// Creates a consumer's token, and returns it with its expiry. Only its hash is stored.
    pub(crate) fn new_token(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(TOKEN_PREFIX, account), self.now().plus_hours(TOKEN_LIFE_HOURS))
    }

    /// Creates a user's token for the API, and returns it with its expiry. Only its hash is stored.
    pub(crate) fn new_user_token(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(USER_TOKEN_PREFIX, account), self.now().plus_hours(USER_TOKEN_LIFE_HOURS))
    }

    /// Creates the token of a session at the desk. Only its hash is stored.
    pub(crate) fn new_desk_token(&self, account: AccountId) -> String {
        self.new_secret(SESSION_PREFIX, account)
    }

    /// Creates a token that sets a password, and returns it with its expiry. Only its hash is stored.
    pub(crate) fn new_invitation(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(INVITATION_PREFIX, account), self.now().plus_hours(INVITATION_LIFE_HOURS))
    }

    /// The same for a user who has forgotten the password.
    pub(crate) fn new_password_link(&self, account: AccountId) -> (String, Timestamp) {
        (self.new_secret(INVITATION_PREFIX, account), self.now().plus_hours(PASSWORD_LINK_LIFE_HOURS))
    }

    /// Creates the token of a link in a mail. Only its hash is stored.
    pub(crate) fn new_link(&self, account: AccountId) -> String {
        self.new_secret(LINK_PREFIX, account)
    }

    /// Creates the unguessable token of a preview's link.
    pub(crate) fn new_preview_token(&self) -> String {
        hex(&self.source.random::<16>())
    }

    fn new_secret(&self, prefix: &str, account: AccountId) -> String {
        format!("{prefix}{}{}", account.0.simple(), hex(&self.source.random::<16>()))
    }
}

/// The account that an invitation names in its text. It is not verified.
pub(crate) fn account_of_invitation(token: &str) -> Option<AccountId> {
    account_of(token, INVITATION_PREFIX)
}

/// The account that the token of a session at the desk names in its text. It is not verified.
pub(crate) fn account_of_desk_token(token: &str) -> Option<AccountId> {
    account_of(token, SESSION_PREFIX)
}

/// The account that a link in a mail names in its text. It is not verified.
pub(crate) fn account_of_link(token: &str) -> Option<AccountId> {
    account_of(token, LINK_PREFIX)
}

fn account_of(credential: &str, prefix: &str) -> Option<AccountId> {
    let rest = credential.strip_prefix(prefix)?;
    rest.get(..32).and_then(|id| Uuid::try_parse(id).ok()).map(AccountId)
}

/// The owner that a credential claims. It is not verified: anybody can invent a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimedOwner {
    /// A consumer of this account.
    Consumer(AccountId),
    /// A service user or a user.
    Staff,
    /// No known kind of credential.
    Nobody,
}

impl ClaimedOwner {
    /// Reads the prefix of a credential.
    pub fn of(credential: &str) -> Self {
        if credential.starts_with(KEY_PREFIX) || credential.starts_with(USER_TOKEN_PREFIX) {
            return Self::Staff;
        }
        account_of(credential, TOKEN_PREFIX).map_or(Self::Nobody, Self::Consumer)
    }
}

impl Retour {
    /// Returns the caller who holds this credential.
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
