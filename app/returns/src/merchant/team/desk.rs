//! Sessions at the desk. The token of a session changes whenever the user proves who they are, so a token that somebody
//! planted or read before is invalid afterwards.

use super::{
    passkey_answers::{PasskeyProof, Purpose},
    sign_in::Visitor,
};
use crate::{
    base::{
        Error, OrBroken, Result, Retour, again_on_deadlock, audit,
        credentials::{Caller, SignedIn},
        detached,
        device::device_name,
        guessing::delay_failure,
        hash::hash,
        origin::Origin,
        tokens::account_of_desk_token,
    },
    view,
};
use domain::{AccountId, Timestamp, UserSessionId, audit::AuditAction, sign_in::SignInStep};
use store::{
    Lookup, Writing,
    user_sessions::{self, Renewal, Session, SessionKind},
    users,
};

/// A session ends after so many seconds without a request.
const IDLE_SECONDS: i64 = 3_600;
/// A session ends so many seconds after the sign-in.
const LIFE_SECONDS: i64 = 12 * 3_600;
/// A sign-in that lacks the second factor ends after so many seconds.
const STARTED_SECONDS: i64 = 600;
/// The shortest time between two writes of a session's last use, because a write for each request costs more than the
/// precision is worth.
const TOUCH_EVERY_SECONDS: i64 = 60;
/// After so many wrong codes or passwords, a session ends.
const MOST_WRONG: i64 = 5;

/// A session of a user at the desk.
#[derive(Debug, Clone)]
pub struct DeskSession {
    /// The session.
    pub id: UserSessionId,
    /// The user's account.
    pub account: AccountId,
    /// The user.
    pub user: view::User,
    /// What the sign-in still needs.
    pub step: SignInStep,
    /// When the user last proved who they are.
    pub factor_at: Option<Timestamp>,
    /// When the user signed in.
    pub started_at: Timestamp,
    /// When the session ends if it is not used again.
    pub expires_at: Timestamp,
    /// When the user's time without a required second factor ends; `None`: none is required, or there is one.
    pub factor_due_at: Option<Timestamp>,
    /// Whether the user has an authenticator app.
    pub has_app: bool,
    /// Whether the user has a passkey.
    pub has_passkey: bool,
}

impl DeskSession {
    fn new(account: AccountId, session: &Session, user: users::User) -> Result<Self> {
        Ok(Self {
            id: session.id.or_broken()?,
            account,
            step: session.step,
            factor_at: session.confirmed_at,
            started_at: session.started_at,
            expires_at: session.expires_at,
            factor_due_at: user.factor_due_at.filter(|_| !user.has_second_factor()),
            has_app: user.has_app,
            has_passkey: user.has_passkey,
            user: view::User::new(user)?,
        })
    }

    /// The user, for use cases about their own security.
    pub fn signed_in(&self) -> SignedIn {
        SignedIn {
            account: self.account,
            id: self.user.id,
            role: self.user.role,
            session: Some(self.id),
            step: self.step,
            confirmed_at: self.factor_at,
            origin: Origin::default(),
        }
    }

    /// The user as the sender of a request. Until the sign-in is complete, they do not act for the account.
    pub fn caller(&self) -> Caller {
        Caller::User(self.signed_in())
    }

    /// Whether the user proved who they are within the last ten minutes. Keys, people and security need it.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.signed_in().is_fresh(now)
    }
}

/// A session with a new token. The old token is invalid.
#[derive(Debug)]
pub struct NewDeskSession {
    /// The value of the cookie.
    pub token: String,
    /// What the sign-in still needs.
    pub step: SignInStep,
    /// When the session ends at the latest.
    pub ends_at: Timestamp,
}

/// What proves again that it is the user.
#[derive(Clone)]
pub enum DeskProof {
    /// The password. It does not replace a missing second factor.
    Password(String),
    /// A code of the authenticator app, or a recovery code.
    Code(String),
    /// A passkey, which has signed the challenge of [`Retour::desk_begin_passkey`].
    Passkey(PasskeyProof),
}

impl Retour {
    /// Signs a user in to the desk. An unknown e-mail address and a wrong password give the same answer. `device` is the
    /// `User-Agent` of the request.
    pub async fn desk_sign_in(
        &self,
        email: &str,
        password: String,
        from: impl Into<Origin>,
        device: &str,
    ) -> Result<NewDeskSession> {
        let visitor = Visitor { origin: from.into(), device: device_name(device) };
        let (retour, email) = (self.clone(), email.to_owned());
        delay_failure(detached(async move {
            let right = retour.check_password(&email, password, visitor.origin).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let begun = retour.begin_session(&mut writing, &right, &visitor, SessionKind::Desk).await?;
                let new = retour.insert_desk_session(&mut writing, right.known.account, begun.session).await?;
                writing.commit().await?;
                Ok(new)
            })
            .await
        }))
        .await
    }

    /// Stores a session at the desk under a new token.
    pub(super) async fn insert_desk_session(
        &self,
        writing: &mut Writing,
        account: AccountId,
        session: Session,
    ) -> Result<NewDeskSession> {
        let session = Session { expires_at: end_of(session.started_at, session.step, self.now()), ..session };
        let token = self.new_desk_token(account);
        user_sessions::insert(writing.db(), account, &hash(&token), &session).await?;
        let ends_at = session.started_at.plus_seconds(LIFE_SECONDS);
        Ok(NewDeskSession { token, step: session.step, ends_at })
    }

    /// The session with this token; `None` if it has ended.
    pub async fn desk_session(&self, token: &str) -> Result<Option<DeskSession>> {
        let Some(account) = account_of_desk_token(token) else { return Ok(None) };
        let found = self.session_of(account, token, SessionKind::Desk).await?;
        let (session, user) = match self.found(found, Lookup::ForUser, Error::Unauthorized).await {
            Ok(found) => found,
            Err(Error::Unauthorized) => return Ok(None),
            Err(error) => return Err(error),
        };
        self.touch_desk_session(account, token, &session);
        DeskSession::new(account, &session, user).map(Some)
    }

    /// Records in the background that a session is used: a busy writer must not delay requests that only read.
    fn touch_desk_session(&self, account: AccountId, token: &str, session: &Session) {
        let now = self.now();
        if session.step == SignInStep::SecondFactor || now < session.seen_at.plus_seconds(TOUCH_EVERY_SECONDS) {
            return;
        }
        let (store, token_hash) = (self.store.clone(), hash(token));
        let expires_at = end_of(session.started_at, session.step, now);
        tokio::spawn(async move {
            let noted: Result<()> = async {
                let mut writing = store.write().await?;
                user_sessions::touch(writing.db(), account, &token_hash, now, expires_at).await?;
                Ok(writing.commit().await?)
            }
            .await;
            if let Err(error) = noted {
                tracing::warn!(%error, "the last use of a session could not be recorded");
            }
        });
    }

    /// Proves again that it is the user: with the code that a sign-in still needs, or before something that needs a
    /// recent proof. The session gets a new token. After five wrong tries it ends.
    pub async fn desk_confirm(&self, token: &str, proof: DeskProof, from: impl Into<Origin>) -> Result<NewDeskSession> {
        let (retour, token, from) = (self.clone(), token.to_owned(), from.into());
        delay_failure(detached(async move {
            match proof {
                DeskProof::Code(code) => {
                    again_on_deadlock(|| async { retour.confirm_by_code(&token, &code, from).await }).await
                }
                DeskProof::Password(password) => retour.confirm_by_password(&token, password, from).await,
                DeskProof::Passkey(proof) => retour.confirm_by_passkey(&token, &proof, from).await,
            }
        }))
        .await
    }

    async fn confirm_by_code(&self, token: &str, code: &str, from: Origin) -> Result<NewDeskSession> {
        let account = account_of_desk_token(token).ok_or(Error::Unauthorized)?;
        let mut writing = self.store.write().await?;
        let (session, user) = self.hold_desk_session(&mut writing, account, token).await?;
        if session.step == SignInStep::Enrol {
            return Err(Error::WrongCode { left: 0 }); // there is no factor yet
        }
        if !self.check_code(&mut writing, account, user.id, code, from).await? {
            let left = self.count_wrong_in_session(&mut writing, account, token).await?;
            writing.commit().await?;
            return Err(Error::WrongCode { left });
        }
        if session.step == SignInStep::SecondFactor {
            let action = AuditAction::UserSignedIn;
            self.record_sign_in(&mut writing, account, &user, &session, &from, action).await?;
        }
        let new = self.renew_desk_session(&mut writing, account, token, &session, SignInStep::Complete).await?;
        writing.commit().await?;
        Ok(new)
    }

    async fn confirm_by_password(&self, token: &str, password: String, from: Origin) -> Result<NewDeskSession> {
        let session = self.desk_session(token).await?.ok_or(Error::Unauthorized)?;
        if session.step == SignInStep::SecondFactor {
            return Err(Error::SecondFactorRequired);
        }
        let account = session.account;
        let right = match self.check_password(&session.user.email, password, from).await {
            Err(Error::InvalidCredentials) => {
                let mut writing = self.store.write().await?;
                self.count_wrong_in_session(&mut writing, account, token).await?;
                writing.commit().await?;
                return Err(Error::InvalidCredentials);
            }
            right => right?,
        };
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            let (session, user) = self.hold_desk_session(&mut writing, account, token).await?;
            if user.id != right.known.id || !users::hold_password(writing.db(), &right.known).await? {
                return Err(Error::InvalidCredentials);
            }
            right.counted.was_right(&mut writing).await?;
            let new = self.renew_desk_session(&mut writing, account, token, &session, session.step).await?;
            writing.commit().await?;
            Ok(new)
        })
        .await
    }

    /// A wrong passkey does not count in the session: it cannot be guessed.
    async fn confirm_by_passkey(&self, token: &str, proof: &PasskeyProof, from: Origin) -> Result<NewDeskSession> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in();
        let answer = self.take_answer(proof, Purpose::Confirming(&me)).await?;
        if (answer.account, answer.user) != (me.account, me.id) {
            return Err(Error::WrongPasskey);
        }
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            let (session, user) = self.hold_desk_session(&mut writing, me.account, token).await?;
            if !self.check_answer(&mut writing, &answer, &from).await? {
                writing.commit().await?;
                return Err(Error::WrongPasskey);
            }
            if session.step == SignInStep::SecondFactor {
                let action = AuditAction::UserSignedIn;
                self.record_sign_in(&mut writing, me.account, &user, &session, &from, action).await?;
            }
            let complete = SignInStep::Complete;
            let new = self.renew_desk_session(&mut writing, me.account, token, &session, complete).await?;
            writing.commit().await?;
            Ok(new)
        })
        .await
    }

    /// A session and its user, who stay as they are until the transaction ends.
    pub(super) async fn hold_desk_session(
        &self,
        writing: &mut Writing,
        account: AccountId,
        token: &str,
    ) -> Result<(Session, users::User)> {
        let (token_hash, now, kind) = (hash(token), self.now(), SessionKind::Desk);
        let found = user_sessions::find(writing.db(), account, &token_hash, kind, now).await?;
        let user = found.ok_or(Error::Unauthorized)?.user;
        if !users::hold(writing.db(), account, user).await? {
            return Err(Error::Unauthorized);
        }
        // A new password, role or factor and a removal lock the user first, so they end the session before or after this.
        let found = user_sessions::find(writing.db(), account, &token_hash, kind, now).await?;
        let user = users::find(writing.db(), account, user).await?.or_broken()?;
        Ok((found.ok_or(Error::Unauthorized)?, user))
    }

    /// Gives a session a new token, with a fresh proof.
    pub(super) async fn renew_desk_session(
        &self,
        writing: &mut Writing,
        account: AccountId,
        token: &str,
        session: &Session,
        step: SignInStep,
    ) -> Result<NewDeskSession> {
        let (now, new) = (self.now(), self.new_desk_token(account));
        let expires_at = end_of(session.started_at, step, now);
        let renewal = Renewal { token_hash: &hash(&new), step, confirmed_at: Some(now), now, expires_at };
        if !user_sessions::renew(writing.db(), account, &hash(token), renewal).await? {
            return Err(Error::Unauthorized); // another request has renewed it just now
        }
        Ok(NewDeskSession { token: new, step, ends_at: session.started_at.plus_seconds(LIFE_SECONDS) })
    }

    /// Counts a wrong try; returns how many are left. With the last one, the session ends.
    async fn count_wrong_in_session(&self, writing: &mut Writing, account: AccountId, token: &str) -> Result<u32> {
        let token_hash = hash(token);
        let wrong = user_sessions::count_wrong_code(writing.db(), account, &token_hash).await?;
        let left = MOST_WRONG - wrong.unwrap_or(MOST_WRONG);
        if left <= 0 {
            user_sessions::delete(writing.db(), account, &token_hash, SessionKind::Desk).await?;
        }
        Ok(u32::try_from(left).unwrap_or(0))
    }

    /// Ends the session with this token.
    pub async fn desk_sign_out(&self, token: &str) -> Result<()> {
        let Some(account) = account_of_desk_token(token) else { return Ok(()) };
        let (retour, token_hash) = (self.clone(), hash(token));
        detached(async move {
            let (now, kind) = (retour.now(), SessionKind::Desk);
            let mut writing = retour.store.write().await?;
            if let Some(ended) = user_sessions::find(writing.db(), account, &token_hash, kind, now).await? {
                let from = ended.id.map_or_else(Origin::default, |id| Origin::default().in_session(id.0));
                audit::record_own(&mut writing, account, ended.user, &from, now, AuditAction::UserSignedOut);
            }
            user_sessions::delete(writing.db(), account, &token_hash, kind).await?;
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// When a session that is used now ends without another use.
fn end_of(started_at: Timestamp, step: SignInStep, now: Timestamp) -> Timestamp {
    if step == SignInStep::SecondFactor {
        return started_at.plus_seconds(STARTED_SECONDS);
    }
    now.plus_seconds(IDLE_SECONDS).min(started_at.plus_seconds(LIFE_SECONDS))
}
