//! Photos and papers of return requests, as the API shows them.

use domain::{
    ConsumerId, EvidenceId, ReturnOrderId, ReturnRequestId, Timestamp,
    returning::{Actor, EvidenceFile},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A photo or paper that was added to a return request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EvidenceFile")]
pub struct EvidenceView {
    /// Identifier.
    pub id: EvidenceId,
    /// What it belongs to.
    pub return_request_id: ReturnRequestId,
    /// As the file was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// How long it is.
    #[schemars(range(min = 0))]
    pub bytes: i64,
    /// Who added it.
    pub added_by: Actor,
    /// When.
    pub created_at: Timestamp,
    /// Where its bytes are: a path of this API.
    pub url: String,
}

impl From<EvidenceFile> for EvidenceView {
    fn from(file: EvidenceFile) -> Self {
        Self {
            id: file.id,
            return_request_id: file.return_request_id,
            name: file.name,
            media_type: file.media_type,
            bytes: file.bytes,
            added_by: file.actor,
            created_at: file.created_at,
            url: format!("/api/v0/return-requests/{}/evidence/{}", file.return_request_id, file.id),
        }
    }
}

impl EvidenceView {
    /// With an address that the consumer's token opens.
    #[must_use]
    pub fn seen_by_consumer(self, consumer: ConsumerId, order: ReturnOrderId) -> Self {
        let url = format!("/consumer/{consumer}/return-order/{order}/evidence/{}", self.id);
        Self { url, ..self }
    }
}
