//! Where the session of a browser stores its [`Visit`] to one shop.

use crate::visit::{
    session::{Ended, belongs_to, expiry},
    state::Visit,
};
use axum::http::Extensions;
use domain::AccountId;
use returns::Shopper;
use tower_sessions::{Expiry, Session, session::Error};

/// How long the session of a visitor lasts who has not proved an order, hours.
const UNKNOWN_HOURS: i64 = 1;

/// The part of a session that belongs to one shop.
pub struct VisitSession {
    session: Session,
    key: String,
    ended: Ended,
}

impl VisitSession {
    /// The session of a request. `None` outside the session layer.
    pub fn of(extensions: &Extensions, account: AccountId) -> Option<Self> {
        let session = extensions.get::<Session>()?.clone();
        let ended = extensions.get::<Ended>().cloned().unwrap_or_default();
        Some(Self { session, key: format!("shop:{account}"), ended })
    }

    /// Whether the session has an id. A session that was looked up and not found loses its id.
    pub fn has_id(&self) -> bool {
        self.session.id().is_some()
    }

    /// The visit. A visit that this version cannot read starts anew.
    pub async fn visit(&self) -> Result<Visit, Error> {
        match self.session.get(&self.key).await {
            Ok(visit) => Ok(visit.unwrap_or_default()),
            Err(Error::SerdeJson(_)) => Ok(Visit::default()),
            Err(error) => Err(error),
        }
    }

    /// The visit as it is stored now.
    pub async fn reloaded(&self) -> Result<Visit, Error> {
        self.session.load().await?;
        Ok(self.session.get(&self.key).await?.unwrap_or_default())
    }

    /// Saves the visit.
    pub async fn save(&self, visit: &Visit) -> Result<(), Error> {
        self.session.insert(&self.key, visit).await
    }

    /// Saves the visit of somebody who has not proved an order yet.
    pub async fn save_briefly(&self, visit: &Visit) -> Result<(), Error> {
        self.session.set_expiry(Some(Expiry::OnInactivity(time::Duration::hours(UNKNOWN_HOURS))));
        self.save(visit).await
    }

    /// Saves the visit under a new id, which defeats session fixation.
    pub async fn save_under_new_id(&self, visit: &Visit) -> Result<(), Error> {
        self.session.cycle_id().await?;
        // Without this the expiry would be `None`, which means two weeks to the library.
        self.session.set_expiry(Some(expiry()));
        if let Some(shopper) = visit.shopper {
            belongs_to(&self.session, shopper).await?;
        }
        self.save(visit).await
    }

    /// Ends the session, in all shops.
    pub async fn end(&self) -> Result<(), Error> {
        self.session.flush().await?;
        self.ended.set();
        Ok(())
    }
}

/// The shopper of a visit, if they belong to this account.
pub fn shopper_of(visit: &Visit, account: AccountId) -> Option<Shopper> {
    visit.shopper.filter(|shopper| shopper.account == account)
}
