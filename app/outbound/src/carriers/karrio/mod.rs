//! Karrio: a server of the merchant's with carriers behind it, which makes labels, voids them and follows parcels.
//!
//! By its own API, version 2026.1, tried against the real server. A shipment is made as a draft that bears our transaction
//! among its metadata, and its label is bought in a second step: whoever asks again finds what there is. **Karrio buys twice
//! when it is asked twice at the same moment**, so that a purchase of which nothing was heard may be under way for
//! [`SETTLED_AFTER`], and nobody asks again before.

mod client;
mod responses;
mod shipment;
mod tracking;

pub use crate::shops::resolution::SETTLED_AFTER;

use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, Labelled, contract::GetLabel},
    http::{Endpoint, EndpointError, Http},
};
use client::Session;
use domain::{Timestamp, returning::TrackingUpdate};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// For all that a label takes: carriers are asked for prices, and then for the label.
pub const WHOLE: Duration = Duration::from_mins(1);

/// A karrio server. Cheap to make for each call: the client shares its connections.
#[derive(Debug, Clone)]
pub struct Karrio {
    http: Http,
    whole: Duration,
    key: ApiKey,
    /// `/v1`.
    api: Endpoint,
}

/// What became of a label that is not needed any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Voided {
    /// It is void, now or since before.
    Done,
    /// It stays: the parcel is on its way, the carrier says no, or karrio knows no such shipment. Why, for the merchant's people.
    Refused(String),
    /// The carrier says no, which may pass. Why, for the merchant's people.
    NotNow(String),
}

impl Karrio {
    /// A server at its URL, below which `v1` lies.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        Ok(Self { http, whole: WHOLE, key, api: url.below("v1")? })
    }

    /// The same server, with another time than [`WHOLE`]: for tests.
    #[must_use]
    pub fn with_timeout(self, whole: Duration) -> Self {
        Self { whole, ..self }
    }

    /// Has a parcel's label made, once for a transaction. See [`self`] for when it may be asked again.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        label::get_label(&self.session(now), asked).await
    }

    /// Voids the label of a shipment.
    pub async fn void(&self, shipment: &str, now: Timestamp) -> Result<Voided, BridgeError> {
        label::void(&self.session(now), shipment).await
    }

    /// Voids whatever was made under a transaction.
    pub async fn void_all(&self, transaction: Uuid, now: Timestamp) -> Result<Voided, BridgeError> {
        label::void_all(&self.session(now), transaction).await
    }

    /// What the carrier has reported of a parcel, oldest first; nothing where karrio does not follow it (yet).
    pub async fn track(&self, tracking_number: &str, now: Timestamp) -> Result<Vec<TrackingUpdate>, BridgeError> {
        track::track(&self.session(now), tracking_number).await
    }

    fn session(&self, now: Timestamp) -> Session<'_> {
        Session { karrio: self, until: Instant::now() + self.whole, now }
    }
}

/// The tracking number that a notice of karrio's is about; `None` where it is about something else.
pub fn notice_of(body: &[u8]) -> Option<String> {
    let notice: shapes::Notice = serde_json::from_slice(body).ok()?;
    notice.data.tracking_number.filter(|number| !number.trim().is_empty())
}
