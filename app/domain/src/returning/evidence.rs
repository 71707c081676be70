//! Photos and papers of return requests.

use super::actor::Actor;
use crate::base::{
    id::{EvidenceId, ReturnRequestId},
    timestamp::Timestamp,
};

/// A photo or paper that was added to a return request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceFile {
    /// Identifier, by which its bytes are found.
    pub id: EvidenceId,
    /// Whose.
    pub return_request_id: ReturnRequestId,
    /// As the file was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// How long it is.
    pub bytes: i64,
    /// SHA-256 of what was sent: the same file again is the same evidence.
    pub sha256: Vec<u8>,
    /// Who added it.
    pub actor: Actor,
    /// When.
    pub created_at: Timestamp,
}

/// Files that a return request can have.
pub const MAX_EVIDENCE: usize = 10;
