//! Parameters in the path of a request.

use super::error::ApiError;
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use domain::{EvidenceId, NoteId, ProposalId, ReceivingId, ShipmentId, UserSessionId, WarehouseStepId};
use returns::Error;
use std::str::FromStr;

/// The value of a parameter in the path.
pub(crate) async fn parameter<S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Option<String> {
    let params = RawPathParams::from_request_parts(parts, state).await.ok()?;
    params.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

/// The value of a parameter, parsed. Text that is no id is an unknown object.
async fn parsed<T: FromStr, S: Send + Sync>(parts: &mut Parts, state: &S, name: &str) -> Result<T, ApiError> {
    let value = parameter(parts, state, name).await.and_then(|value| value.parse().ok());
    value.ok_or(ApiError::UseCase(Error::NotFound))
}

/// The `{id}` of a path.
pub struct Id<T>(pub T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "id").await.map(Self)
    }
}

/// The `{evidence_id}` of a path.
pub struct EvidenceIdOfPath(pub EvidenceId);

impl<S: Send + Sync> FromRequestParts<S> for EvidenceIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "evidence_id").await.map(Self)
    }
}

/// The `{note_id}` of a path.
pub struct NoteIdOfPath(pub NoteId);

impl<S: Send + Sync> FromRequestParts<S> for NoteIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "note_id").await.map(Self)
    }
}

/// The `{shipment_id}` of a path.
pub struct ShipmentIdOfPath(pub ShipmentId);

impl<S: Send + Sync> FromRequestParts<S> for ShipmentIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "shipment_id").await.map(Self)
    }
}

/// The `{session_id}` of a path.
pub struct SessionIdOfPath(pub UserSessionId);

impl<S: Send + Sync> FromRequestParts<S> for SessionIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "session_id").await.map(Self)
    }
}

/// The `{receiving_id}` of a path.
pub struct ReceivingIdOfPath(pub ReceivingId);

impl<S: Send + Sync> FromRequestParts<S> for ReceivingIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "receiving_id").await.map(Self)
    }
}

/// The `{receipt_id}` of a path.
pub struct ReceiptIdOfPath(pub WarehouseStepId);

impl<S: Send + Sync> FromRequestParts<S> for ReceiptIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "receipt_id").await.map(Self)
    }
}

/// The `{proposal_id}` of a path.
pub struct ProposalIdOfPath(pub ProposalId);

impl<S: Send + Sync> FromRequestParts<S> for ProposalIdOfPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "proposal_id").await.map(Self)
    }
}

/// The `{external_id}` of a path: the shop's own id, or the one that Retour gave.
pub struct ExternalId(pub String);

impl<S: Send + Sync> FromRequestParts<S> for ExternalId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        parsed(parts, state, "external_id").await.map(Self)
    }
}
