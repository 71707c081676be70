//! The sessions of users: listed and ended.

use crate::{
    base::{Error, Result, Retour, again_on_deadlock, audit, credentials::SignedIn, detached},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{AccountId, UserId, UserSessionId, audit::AuditAction};
use store::{Writing, user_sessions, users};

impl Retour {
    /// The user's own sessions, the newest first.
    pub async fn own_sessions(&self, me: &SignedIn) -> Result<view::UserSessions> {
        self.list_sessions(me.account, me.id, me.session).await
    }

    /// Ends one of the user's own sessions.
    pub async fn end_own_session(&self, me: &SignedIn, id: UserSessionId) -> Result<()> {
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            let mut writing = retour.store.write().await?;
            if !user_sessions::end(writing.db(), me.account, me.id, id).await? {
                return Err(Error::NotFound);
            }
            retour.record_own(&mut writing, &me, AuditAction::UserSessionsEnded);
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Ends the user's own sessions but the one of the request.
    pub async fn end_other_sessions(&self, me: &SignedIn) -> Result<()> {
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            let mut writing = retour.store.write().await?;
            match me.session {
                Some(id) => user_sessions::end_others(writing.db(), me.account, me.id, id).await?,
                None => user_sessions::end_all(writing.db(), me.account, me.id).await?,
            }
            retour.record_own(&mut writing, &me, AuditAction::UserSessionsEnded);
            Ok(writing.commit().await?)
        })
        .await
    }

    async fn list_sessions(
        &self,
        account: AccountId,
        user: UserId,
        current: Option<UserSessionId>,
    ) -> Result<view::UserSessions> {
        let mut reading = self.store.read().await?;
        let found = user_sessions::list(reading.db(), account, user, self.now()).await?;
        Ok(view::UserSessions {
            data: found.into_iter().filter_map(|session| view::UserSession::new(session, current)).collect(),
        })
    }

    /// Records what users do about their own sign-in.
    pub(super) fn record_own(&self, writing: &mut Writing, me: &SignedIn, action: AuditAction) {
        audit::record_own(writing, me.account, me.id, &me.origin(), self.now(), action);
    }
}

impl MerchantHandle<'_> {
    /// The sessions of a user, the newest first.
    pub async fn user_sessions(self, user: UserId) -> Result<view::UserSessions> {
        self.user(user).await?;
        self.retour.list_sessions(self.staff.account(), user, None).await
    }

    /// Ends a session of a user.
    pub async fn end_user_session(self, user: UserId, id: UserSessionId) -> Result<()> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            let mut writing = retour.store.write().await?;
            if !user_sessions::end(writing.db(), staff.account(), user, id).await? {
                return Err(Error::NotFound);
            }
            let (now, action) = (retour.now(), AuditAction::UserSessionsEnded);
            audit::record(&mut writing, &staff, now, action, user, None, None);
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Ends all sessions of a user.
    pub async fn end_user_sessions(self, user: UserId) -> Result<()> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !users::hold(writing.db(), staff.account(), user).await? {
                    return Err(Error::NotFound);
                }
                user_sessions::end_all(writing.db(), staff.account(), user).await?;
                let (now, action) = (retour.now(), AuditAction::UserSessionsEnded);
                audit::record(&mut writing, &staff, now, action, user, None, None);
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}
