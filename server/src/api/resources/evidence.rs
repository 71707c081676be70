//! Photos and documents of return requests: `…/return-requests/<id>/evidence` for the merchant, and
//! `/consumer/<consumer_id>/return-order/<id>/evidence` for the consumer.

use crate::api::base::{
    auth_extractors::{Customer, Merchant},
    error::ApiError,
    file::{EVIDENCE_TYPES, FILE_TYPES, FileBody, download},
    json::Json,
    operation::{Access, Operation, Resource},
    parameter::{Parameter, ParameterValues, Place},
    path::{EvidenceIdOfPath, Id},
    query::Query,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{ReturnOrderId, ReturnRequestId};
use returns::{Scope, view};
use ui::web::routing::{delete, get, post};

const UPLOAD_DESCRIPTION: &str = "Send the file itself, with its `Content-Type` and its name in \
    `Content-Disposition: attachment; filename=\"…\"`; or send `multipart/form-data` with one part `file`. Without a \
    type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, \
    HEIC and PDF, at most 10 MiB per file and 10 files per return request. It removes place, time and all other \
    camera data from photos, and stores a PDF unchanged. The same file again is the same evidence and answers 200. \
    Evidence moves a return request from `Requested: Evidence Pending` to `Requested: Review`.";

/// The name of the file.
pub(super) const FILE_NAME: Parameter = Parameter {
    name: "Content-Disposition",
    place: Place::Header,
    is_required: false,
    values: ParameterValues::AnyText,
    description: "The file's name, at most 200 characters: `attachment; filename=\"photo.jpg\"`.",
};
const RETURN_REQUEST_ID: Parameter = Parameter {
    name: "returnRequestId",
    place: Place::Query,
    is_required: true,
    values: ParameterValues::Id,
    description: "The return request that the evidence belongs to. It is one of this return order.",
};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-requests", "return-request", "Return requests");
    let own = Resource::consumer("Consumer");
    vec![
        of.operation(Method::GET, "/{id}/evidence", get(list))
            .named("listEvidence", "List a return request's evidence")
            .open_to(Access::READERS)
            .answers::<view::List<view::EvidenceView>>(200, "All evidence, oldest first."),
        of.operation(Method::POST, "/{id}/evidence", post(add))
            .named("createEvidence", "Add evidence to a return request")
            .described(UPLOAD_DESCRIPTION)
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .takes_bytes(FILE_TYPES)
            .with(&[FILE_NAME])
            .answers::<view::EvidenceView>(201, "The evidence that was added.")
            .answers::<view::EvidenceView>(200, "The existing evidence with the same file.")
            .conflicts(&["LimitReached", "IllegalTransition"]),
        of.operation(Method::GET, "/{id}/evidence/{evidence_id}", get(file))
            .named("getEvidence", "Download evidence")
            .open_to(Access::READERS)
            .answers_bytes(EVIDENCE_TYPES, "The bytes of the file."),
        of.operation(Method::DELETE, "/{id}/evidence/{evidence_id}", delete(remove))
            .named("deleteEvidence", "Delete evidence")
            .described("The return request stays in its stage.")
            .open_to(Access::Staff(Scope::Write))
            .answers_nothing(204, "The evidence is deleted."),
        own.operation(Method::GET, "/return-order/{id}/evidence", get(list_own))
            .named("listOwnEvidence", "List the evidence of a return order")
            .open_to(Access::Consumer(Scope::Read))
            .answers::<view::List<view::EvidenceView>>(200, "All evidence, grouped by return request."),
        own.operation(Method::POST, "/return-order/{id}/evidence", post(add_own))
            .named("createOwnEvidence", "Add evidence to a return request of the consumer")
            .described(UPLOAD_DESCRIPTION)
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .takes_bytes(FILE_TYPES)
            .with(&[RETURN_REQUEST_ID, FILE_NAME])
            .answers::<view::EvidenceView>(201, "The evidence that was added.")
            .answers::<view::EvidenceView>(200, "The existing evidence with the same file.")
            .conflicts(&["LimitReached", "IllegalTransition"]),
        own.operation(Method::GET, "/return-order/{id}/evidence/{evidence_id}", get(own_file))
            .named("getOwnEvidence", "Download evidence of the consumer")
            .open_to(Access::Consumer(Scope::Read))
            .answers_bytes(EVIDENCE_TYPES, "The bytes of the file."),
    ]
}

/// Answers with all evidence on one page, because a request has few files.
async fn list(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
) -> Result<Response, ApiError> {
    let evidence = app.retour.merchant(&staff).evidence(id).await?;
    Ok(Json(view::List::whole(evidence)).into_response())
}

async fn add(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    body: FileBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).add_evidence(id, body.upload, key).await?))
}

async fn file(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    EvidenceIdOfPath(evidence): EvidenceIdOfPath,
) -> Result<Response, ApiError> {
    Ok(download(app.retour.merchant(&staff).evidence_file(id, evidence).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
    EvidenceIdOfPath(evidence): EvidenceIdOfPath,
) -> Result<Response, ApiError> {
    app.retour.merchant(&staff).delete_evidence(id, evidence).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn list_own(
    app: State<App>,
    Customer { shopper, .. }: Customer,
    Id(id): Id<ReturnOrderId>,
) -> Result<Response, ApiError> {
    let evidence = app.retour.consumer(&shopper).evidence(id).await?;
    Ok(Json(view::List::whole(evidence)).into_response())
}

async fn add_own(
    app: State<App>,
    Customer { shopper, caller }: Customer,
    Id(id): Id<ReturnOrderId>,
    query: Query,
    body: FileBody,
) -> Result<Response, ApiError> {
    let request: ReturnRequestId = query.id(RETURN_REQUEST_ID.name)?;
    let key = body.key(&caller);
    Ok(done(app.retour.consumer(&shopper).add_evidence(id, request, body.upload, key).await?))
}

async fn own_file(
    app: State<App>,
    Customer { shopper, .. }: Customer,
    Id(id): Id<ReturnOrderId>,
    EvidenceIdOfPath(evidence): EvidenceIdOfPath,
) -> Result<Response, ApiError> {
    Ok(download(app.retour.consumer(&shopper).evidence_file(id, evidence).await?))
}
