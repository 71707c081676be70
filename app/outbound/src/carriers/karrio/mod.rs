//! Karrio: a server of the merchant's that connects to carriers. It makes labels, voids them and tracks shipments.
//!
//! The client uses karrio's own API, version 2026.1, and was tested with a real server. A shipment is created as a draft
//! with our transaction in its metadata, and its label is bought in a second step, so that a later call finds what exists.
//! **Karrio buys twice if it is asked twice at the same moment.** So after a purchase without an answer, the caller must
//! not ask again before [`IN_FLIGHT_LIMIT`] has passed.

mod client;
mod responses;
mod shipment;
mod tracking;

pub use crate::bridge::IN_FLIGHT_LIMIT;
pub use shipment::Voided;

use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, Labelled, contract::GetLabel},
    http::{Endpoint, EndpointError, Http},
};
use client::KarrioApi;
use domain::{Timestamp, returning::TrackingUpdate};
use std::time::Duration;
use uuid::Uuid;

/// The timeout for making a label: karrio asks carriers for prices, and then for the label.
pub const LABEL_TIMEOUT: Duration = Duration::from_mins(1);

/// A karrio server. Cheap to create for each call: clients share their connections.
#[derive(Debug, Clone)]
pub struct Karrio(KarrioApi);

impl Karrio {
    /// A server at its URL, below which `v1` lies.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        Ok(Self(KarrioApi { http, timeout: LABEL_TIMEOUT, key, url: url.below("v1")? }))
    }

    /// The same server with another timeout than [`LABEL_TIMEOUT`]: for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self(KarrioApi { timeout, ..self.0 })
    }

    /// Has a shipment's label made, once per transaction. See [`self`] for when to ask again.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        shipment::get_label(&self.0.session(now), asked).await
    }

    /// Voids the label of a shipment.
    pub async fn void(&self, shipment: &str, now: Timestamp) -> Result<Voided, BridgeError> {
        shipment::void(&self.0.session(now), shipment).await
    }

    /// Voids all labels of a transaction.
    pub async fn void_all(&self, transaction: Uuid, now: Timestamp) -> Result<Voided, BridgeError> {
        shipment::void_all(&self.0.session(now), transaction).await
    }

    /// What the carrier has reported about a shipment, oldest first; empty while karrio does not track it.
    pub async fn track(&self, tracking_number: &str, now: Timestamp) -> Result<Vec<TrackingUpdate>, BridgeError> {
        tracking::track(&self.0.session(now), tracking_number).await
    }
}

/// The tracking number of a webhook of karrio's; `None` if the webhook is about something else.
pub fn notice_of(body: &[u8]) -> Option<String> {
    let notice: responses::Notice = serde_json::from_slice(body).ok()?;
    notice.data.tracking_number.filter(|number| !number.trim().is_empty())
}
