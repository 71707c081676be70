//! Photos and documents of return requests, as the API shows them.

use domain::{
    ConsumerId, EvidenceId, ReturnOrderId, ReturnRequestId, Timestamp, party::Actor, returning::EvidenceFile,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A photo or document that was added to a return request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EvidenceFile")]
pub struct EvidenceView {
    /// Unique identifier of the file.
    pub id: EvidenceId,
    /// The return request that the file belongs to.
    pub return_request_id: ReturnRequestId,
    /// The file's name on the sender's device.
    pub name: String,
    /// The media type of the file, such as `image/jpeg`.
    pub media_type: String,
    /// The size of the file in bytes.
    #[schemars(range(min = 0))]
    pub bytes: i64,
    /// The party that added the file.
    pub added_by: Actor,
    /// When the file was added.
    pub created_at: Timestamp,
    /// The path in this API that returns the file's bytes.
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
    /// The evidence with a path that the consumer's token may read.
    #[must_use]
    pub fn seen_by_consumer(self, consumer: ConsumerId, order: ReturnOrderId) -> Self {
        let Self { id, return_request_id, name, media_type, bytes, added_by, created_at, url: _ } = self;
        let url = format!("/consumer/{consumer}/return-order/{order}/evidence/{id}");
        Self { id, return_request_id, name, media_type, bytes, added_by, created_at, url }
    }
}
