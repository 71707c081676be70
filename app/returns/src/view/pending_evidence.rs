//! Pending evidence, as the API shows it: photos and documents of purchases whose return is not submitted yet.

use domain::{EvidenceId, PurchaseId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use store::pending_evidence::PendingEvidence;

/// A photo or document of a purchase, which becomes evidence of its return request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PendingEvidence")]
pub struct PendingEvidenceView {
    /// Unique identifier of the file. The evidence that it becomes keeps the id.
    pub id: EvidenceId,
    /// The purchase that the file belongs to.
    pub purchase_id: PurchaseId,
    /// The file's name on the sender's device.
    pub name: String,
    /// The media type of the file, such as `image/jpeg`.
    pub media_type: String,
    /// The size of the file in bytes.
    #[schemars(range(min = 0))]
    pub bytes: i64,
    /// When the file was added.
    pub created_at: Timestamp,
    /// The path in this API that returns the file's bytes, until the return is submitted.
    pub url: String,
}

impl From<PendingEvidence> for PendingEvidenceView {
    fn from(file: PendingEvidence) -> Self {
        Self {
            id: file.id,
            purchase_id: file.purchase_id,
            name: file.name,
            media_type: file.media_type,
            bytes: file.bytes,
            created_at: file.created_at,
            url: format!("/consumer/{}/purchase/{}/evidence/{}", file.consumer_id, file.purchase_id, file.id),
        }
    }
}
