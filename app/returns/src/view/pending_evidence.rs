//! Photos and papers that lie beside purchases before a return is sent in, as the API shows them.

use domain::{EvidenceId, PurchaseId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use store::pending_evidence::PendingEvidence;

/// A photo or paper that lies beside a purchase, to become evidence of its return request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PendingEvidence")]
pub struct PendingEvidenceView {
    /// Unique identifier of the file. Evidence made of it keeps the id.
    pub id: EvidenceId,
    /// The purchase that the file belongs to.
    pub purchase_id: PurchaseId,
    /// The file's name, as its sender called it.
    pub name: String,
    /// The media type of the file, such as `image/jpeg`.
    pub media_type: String,
    /// The size of the file in bytes.
    #[schemars(range(min = 0))]
    pub bytes: i64,
    /// When the file was added.
    pub created_at: Timestamp,
    /// Where its bytes are: a path of this API, until the return is sent in.
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
