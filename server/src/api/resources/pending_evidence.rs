//! `/consumer/<consumer_id>/purchase/<id>/evidence`: photos and documents that a consumer uploads before submitting the return.

use crate::api::{
    base::{
        auth_extractors::Customer,
        error::ApiError,
        file::{EVIDENCE_TYPES, FILE_TYPES, FileBody, download},
        json::Json,
        operation::{Access, Operation, Resource},
        path::{EvidenceIdOfPath, Id},
        reply::done,
    },
    resources::evidence::FILE_NAME,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::PurchaseId;
use returns::{Scope, view};
use ui::web::routing::{delete, get, post};

const UPLOAD_DESCRIPTION: &str = "Uploads a photo or document before the consumer submits the return. The submission \
    turns the pending evidence of its purchases into `evidence` of the return requests, with the same ids, if their \
    reasons require or accept evidence; with other reasons, Retour deletes it. A return request whose reason \
    requires evidence then begins with `Requested: Review`. Retour deletes pending evidence after 48 hours. Send the \
    file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename=\"…\"`; or send \
    `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects \
    the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per \
    purchase. It removes the camera data from photos. The same file again answers 200 with the existing file.";

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::consumer("Consumer");
    vec![
        of.operation(Method::GET, "/purchase/{id}/evidence", get(list))
            .named("listOwnPendingEvidence", "List a purchase's pending evidence")
            .open_to(Access::Consumer(Scope::Read))
            .answers::<view::List<view::PendingEvidenceView>>(200, "All pending evidence, oldest first."),
        of.operation(Method::POST, "/purchase/{id}/evidence", post(add))
            .named("createOwnPendingEvidence", "Add pending evidence to a purchase")
            .described(UPLOAD_DESCRIPTION)
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .takes_bytes(FILE_TYPES)
            .with(&[FILE_NAME])
            .answers::<view::PendingEvidenceView>(201, "The pending evidence.")
            .answers::<view::PendingEvidenceView>(200, "The existing pending evidence with the same file.")
            .conflicts(&["LimitReached"]),
        of.operation(Method::GET, "/purchase/{id}/evidence/{evidence_id}", get(file))
            .named("getOwnPendingEvidence", "Download pending evidence")
            .open_to(Access::Consumer(Scope::Read))
            .answers_bytes(EVIDENCE_TYPES, "The bytes of the file."),
        of.operation(Method::DELETE, "/purchase/{id}/evidence/{evidence_id}", delete(remove))
            .named("deleteOwnPendingEvidence", "Delete pending evidence")
            .open_to(Access::Consumer(Scope::Write))
            .answers_nothing(204, "The evidence is deleted."),
    ]
}

/// Answers with all files on one page, because a purchase has few.
async fn list(
    app: State<App>,
    Customer { shopper, .. }: Customer,
    Id(purchase): Id<PurchaseId>,
) -> Result<Response, ApiError> {
    let evidence = app.retour.consumer(&shopper).pending_evidence_of(purchase).await?;
    Ok(Json(view::List::whole(evidence)).into_response())
}

async fn add(
    app: State<App>,
    Customer { shopper, caller }: Customer,
    Id(purchase): Id<PurchaseId>,
    body: FileBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.consumer(&shopper).add_pending_evidence(purchase, body.upload, key).await?))
}

async fn file(
    app: State<App>,
    Customer { shopper, .. }: Customer,
    Id(purchase): Id<PurchaseId>,
    EvidenceIdOfPath(evidence): EvidenceIdOfPath,
) -> Result<Response, ApiError> {
    Ok(download(app.retour.consumer(&shopper).pending_evidence_file(purchase, evidence).await?))
}

async fn remove(
    app: State<App>,
    Customer { shopper, .. }: Customer,
    Id(purchase): Id<PurchaseId>,
    EvidenceIdOfPath(evidence): EvidenceIdOfPath,
) -> Result<Response, ApiError> {
    app.retour.consumer(&shopper).delete_pending_evidence(purchase, evidence).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
