//! What the browser says that an authenticator signs (WebAuthn, section 5.8.1).

use super::{Refused, Site};
use serde::Deserialize;

/// The browser writes what comes here, and may write more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    /// In Base64 for URLs, without padding.
    pub challenge: String,
    origin: String,
    /// Whether the page was in a frame of another website.
    #[serde(default)]
    cross_origin: bool,
    #[serde(default)]
    top_origin: Option<String>,
}

impl ClientData {
    pub fn parse(json: &[u8]) -> Result<Self, Refused> {
        serde_json::from_slice(json).map_err(|_| Refused::ClientData)
    }

    /// Checks that it is about this kind of ceremony, this challenge and this site.
    pub fn check(&self, kind: &str, challenge: &str, site: &Site) -> Result<(), Refused> {
        if self.kind != kind {
            return Err(Refused::ClientData);
        }
        if self.challenge != challenge {
            return Err(Refused::Challenge);
        }
        // The desk is never in a frame.
        if self.origin != site.origin || self.cross_origin || self.top_origin.is_some() {
            return Err(Refused::Origin);
        }
        Ok(())
    }
}
