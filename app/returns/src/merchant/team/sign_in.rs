//! Users sign in to the API with a password, and with a code if they have a second factor.

use super::proof::RightPassword;
use crate::{
    base::{
        Error, OrBroken, Result, Retour, Role, again_on_deadlock, audit, credentials::SignedIn, detached,
        device::device_name, guessing::delay_failure, hash::hash, origin::Origin,
    },
    view,
};
use domain::{
    AccountId, Timestamp, UserId, UserSessionId,
    audit::AuditAction,
    sign_in::{FirstFactor, SignInStep},
};
use store::{
    Writing, accounts,
    user_sessions::{self, Session, SessionKind},
    users,
};

/// What a user signs in with.
#[derive(Clone)]
pub struct UserCredentials {
    /// The e-mail address.
    pub email: String,
    /// The password.
    pub password: String,
    /// A code of the authenticator app, or a recovery code.
    pub code: Option<String>,
}

/// A successful sign-in.
#[derive(Debug)]
pub struct SignIn {
    /// The access token.
    pub token: String,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// What the token still needs before it opens more than the user's own security.
    pub step: SignInStep,
    /// The user who signed in.
    pub user: view::User,
}

/// Who signs in from where.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    pub origin: Origin,
    /// Browser and system.
    pub device: String,
}

impl Retour {
    /// Signs a user in to the API. An unknown e-mail address and a wrong password give the same answer. `device` is the
    /// `User-Agent` of the request.
    pub async fn sign_in(&self, given: UserCredentials, from: impl Into<Origin>, device: &str) -> Result<SignIn> {
        let (retour, visitor) = (self.clone(), Visitor { origin: from.into(), device: device_name(device) });
        delay_failure(detached(async move { retour.try_sign_in(given, &visitor).await })).await
    }

    async fn try_sign_in(&self, given: UserCredentials, visitor: &Visitor) -> Result<SignIn> {
        let right = self.check_password(&given.email, given.password, visitor.origin).await?;
        let (account, kind) = (right.known.account, SessionKind::Api);
        let (begun, signed_in) = again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            let begun = self.begin_session(&mut writing, &right, visitor, kind).await?;
            let signed_in = match begun.session.step {
                SignInStep::SecondFactor => None,
                _ => Some(self.insert_api_session(&mut writing, account, begun.session.clone()).await?),
            };
            writing.commit().await?;
            Ok((begun, signed_in))
        })
        .await?;
        if let Some(signed_in) = signed_in {
            return Ok(signed_in);
        }
        // A transaction of its own: too many wrong codes do not make the password wrong.
        let code = given.code.ok_or(Error::SecondFactorRequired)?;
        again_on_deadlock(|| async {
            let mut writing = self.store.write().await?;
            if !users::hold_password(writing.db(), &right.known).await? {
                return Err(Error::InvalidCredentials);
            }
            if !self.check_code(&mut writing, account, begun.user.id, &code, visitor.origin).await? {
                writing.commit().await?;
                return Err(Error::WrongCode { left: 0 });
            }
            let (step, confirmed_at) = (SignInStep::Complete, Some(self.now()));
            let session = Session { step, confirmed_at, ..begun.session.clone() };
            let (from, action) = (&visitor.origin, AuditAction::UserSignedIn);
            self.record_sign_in(&mut writing, account, &begun.user, &session, from, action).await?;
            let signed_in = self.insert_api_session(&mut writing, account, session).await?;
            writing.commit().await?;
            Ok(signed_in)
        })
        .await
    }

    /// Stores a session of the API under a new token.
    pub(super) async fn insert_api_session(
        &self,
        writing: &mut Writing,
        account: AccountId,
        session: Session,
    ) -> Result<SignIn> {
        let (token, expires_at) = self.new_user_token(account);
        let session = Session { expires_at, ..session };
        user_sessions::insert(writing.db(), account, &hash(&token), &session).await?;
        let user = users::find(writing.db(), account, session.user).await?.or_broken()?;
        Ok(SignIn { token, expires_at, step: session.step, user: view::User::new(user)? })
    }

    /// The session of a user whose password was right, before it is stored: it has no end yet. The sign-in is recorded
    /// unless a second factor is missing.
    pub(super) async fn begin_session(
        &self,
        writing: &mut Writing,
        right: &RightPassword,
        visitor: &Visitor,
        kind: SessionKind,
    ) -> Result<BegunSession> {
        let (now, account) = (self.now(), right.known.account);
        if !users::hold_password(writing.db(), &right.known).await? {
            return Err(Error::InvalidCredentials);
        }
        right.counted.was_right(writing).await?;
        let user = users::find(writing.db(), account, right.known.id).await?.or_broken()?;
        let rule = accounts::find(writing.db(), account).await?.or_broken()?.policy.require_second_factor;
        let first = FirstFactor {
            has_second_factor: user.has_second_factor(),
            is_admin: user.role == Role::Admin.name(),
            can_enrol: self.config.secret_keys.can_seal(),
            due_at: user.factor_due_at,
        };
        let (step, due_at) = first.next(rule, now);
        if due_at != user.factor_due_at {
            users::set_factor_due(writing.db(), account, user.id, due_at).await?;
        }
        let session = self.new_session(user.id, visitor, kind, step);
        if step != SignInStep::SecondFactor {
            let (from, action) = (&visitor.origin, AuditAction::UserSignedIn);
            self.record_sign_in(writing, account, &user, &session, from, action).await?;
        }
        Ok(BegunSession { user, session })
    }

    /// A session that begins now. It has no end yet.
    pub(super) fn new_session(&self, user: UserId, visitor: &Visitor, kind: SessionKind, step: SignInStep) -> Session {
        let now = self.now();
        Session {
            id: Some(UserSessionId(self.source.id())),
            user,
            kind,
            step,
            started_at: now,
            seen_at: now,
            confirmed_at: (step != SignInStep::SecondFactor).then_some(now),
            expires_at: now,
            device: visitor.device.clone(),
            network: visitor.origin.network().unwrap_or_default(),
            wrong_codes: 0,
        }
    }

    /// The user who is signed in.
    pub async fn own_user(&self, me: &SignedIn) -> Result<view::User> {
        let mut reading = self.store.read().await?;
        view::User::new(users::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?)
    }

    /// Ends the token that the user signed in with.
    pub async fn sign_out(&self, me: &SignedIn, token: &str) -> Result<()> {
        let (retour, me, token_hash) = (self.clone(), me.clone(), hash(token));
        detached(async move {
            let mut writing = retour.store.write().await?;
            user_sessions::delete(writing.db(), me.account, &token_hash, SessionKind::Api).await?;
            let (from, action) = (me.origin(), AuditAction::UserSignedOut);
            audit::record_own(&mut writing, me.account, me.id, &from, retour.now(), action);
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// A session that is not stored yet, and its user as they were before.
#[derive(Debug)]
pub(super) struct BegunSession {
    pub user: users::User,
    pub session: Session,
}
