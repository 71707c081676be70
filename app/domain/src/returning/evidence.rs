//! Evidence: photos and documents of return requests.

use crate::{
    base::{
        id::{EvidenceId, ReturnRequestId},
        timestamp::Timestamp,
    },
    party::Actor,
};

/// A photo or document of a return request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceFile {
    /// The identifier, under which its bytes are stored.
    pub id: EvidenceId,
    /// The return request that it belongs to.
    pub return_request_id: ReturnRequestId,
    /// The file name.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub bytes: i64,
    /// The SHA-256 of the content: the same file again is the same evidence.
    pub sha256: Vec<u8>,
    /// The party that added it.
    pub actor: Actor,
    /// When it was added.
    pub created_at: Timestamp,
}

/// The maximum number of files of a return request.
pub const MAX_EVIDENCE: usize = 10;
