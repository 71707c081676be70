//! The sessions of users: listed and ended.

use crate::{
    base::{Error, Result, Retour, again_on_deadlock, credentials::SignedIn, detached},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{AccountId, UserId, UserSessionId};
use store::{user_sessions, users};

impl Retour {
    /// The user's own sessions, the newest first.
    pub async fn own_sessions(&self, me: &SignedIn) -> Result<view::UserSessions> {
        self.list_sessions(me.account, me.id, me.session).await
    }

    /// Ends one of the user's own sessions.
    pub async fn end_own_session(&self, me: &SignedIn, id: UserSessionId) -> Result<()> {
        self.end_session(me.account, me.id, id).await
    }

    /// Ends the user's own sessions but the one of the request.
    pub async fn end_other_sessions(&self, me: &SignedIn) -> Result<()> {
        let (store, me) = (self.store.clone(), me.clone());
        detached(async move {
            let mut writing = store.write().await?;
            match me.session {
                Some(id) => user_sessions::end_others(writing.db(), me.account, me.id, id).await?,
                None => user_sessions::end_all(writing.db(), me.account, me.id).await?,
            }
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

    async fn end_session(&self, account: AccountId, user: UserId, id: UserSessionId) -> Result<()> {
        let store = self.store.clone();
        detached(async move {
            let mut writing = store.write().await?;
            if !user_sessions::end(writing.db(), account, user, id).await? {
                return Err(Error::NotFound);
            }
            Ok(writing.commit().await?)
        })
        .await
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
        self.retour.end_session(self.staff.account(), user, id).await
    }

    /// Ends all sessions of a user.
    pub async fn end_user_sessions(self, user: UserId) -> Result<()> {
        let (store, account) = (self.retour.store.clone(), self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = store.write().await?;
                if !users::hold(writing.db(), account, user).await? {
                    return Err(Error::NotFound);
                }
                user_sessions::end_all(writing.db(), account, user).await?;
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}
