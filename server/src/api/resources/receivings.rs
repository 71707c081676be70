//! `…/return-orders/<id>/receivings`: parcels that the warehouse counts at once, and what it takes back. Also
//! `…/return-requests/<id>/receipts/<receipt_id>/reverse` and `DELETE …/return-requests/<id>/inspection`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, MaybeJsonBody},
    error::ApiError,
    operation::{Access, Operation, Resource},
    path::{Id, ReceiptIdOfPath, ReceivingIdOfPath},
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{ReturnOrderId, ReturnRequestId};
use returns::{NewReceiving, Scope, TakeBack, view};
use ui::web::routing::{delete, post};

pub(super) fn operations() -> Vec<Operation> {
    let orders = Resource::of_account("return-orders", "return-order", "Return orders");
    let requests = Resource::of_account("return-requests", "return-request", "Return requests");
    vec![
        orders
            .operation(Method::POST, "/{id}/receivings", post(create))
            .named("createReceiving", "Receive a parcel")
            .described(
                "Counts a whole parcel at once: the receipts and inspections of all its items, or nothing. An \
                 inspection that is sent here decides about the refund under every `resolveOn`. Each \
                 `externalReference` counts once: a repeated request answers 200 and changes nothing.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .takes::<NewReceiving>()
            .answers::<view::Receiving>(201, "The parcel, and the return requests as they are now.")
            .answers::<view::Receiving>(200, "The parcel was counted before.")
            .conflicts(&["IllegalTransition", "QuantityExceeded", "StageConflict"]),
        orders
            .operation(Method::POST, "/{id}/receivings/{receiving_id}/reverse", post(reverse))
            .named("reverseReceiving", "Take a parcel back")
            .described(
                "Takes everything back that was recorded with the parcel: units, costs and stages are as before. It is \
                 a conflict once a resolution has begun, or after something that depends on the parcel. Ten minutes \
                 after the parcel was counted, it needs a reason and the scope `resolve`.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .may_take::<TakeBack>()
            .answers::<view::ReturnOrderView>(200, "The return order with its return requests, as before.")
            .conflicts(&["StageConflict", "QuantityExceeded"]),
        requests
            .operation(Method::POST, "/{id}/receipts/{receipt_id}/reverse", post(reverse_receipt))
            .named("reverseReceipt", "Take a receipt back")
            .described(
                "Takes a receipt back, with the inspection that was recorded with it: units, costs and stage are as \
                 before. It is a conflict once the resolution has begun, or after something that depends on the \
                 receipt. Ten minutes after the receipt, it needs a reason and the scope `resolve`.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .may_take::<TakeBack>()
            .answers::<view::ReturnRequestView>(200, "The return request as before.")
            .conflicts(&["StageConflict", "QuantityExceeded"]),
        requests
            .operation(Method::DELETE, "/{id}/inspection", delete(delete_inspection))
            .named("deleteInspection", "Delete an inspection")
            .described(
                "Takes the inspection back: the return request waits for another one. It is a conflict once the \
                 resolution has begun. Ten minutes after the inspection, it needs the scope `resolve`.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .answers_nothing(204, "The inspection is deleted.")
            .conflicts(&["StageConflict"]),
    ]
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    body: JsonBody<NewReceiving>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_receiving(id, body.value, key).await?))
}

async fn reverse(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    ReceivingIdOfPath(receiving): ReceivingIdOfPath,
    MaybeJsonBody(body): MaybeJsonBody<TakeBack>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).reverse_receiving(id, receiving, body.value, key).await?))
}

async fn reverse_receipt(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnRequestId>,
    ReceiptIdOfPath(receipt): ReceiptIdOfPath,
    MaybeJsonBody(body): MaybeJsonBody<TakeBack>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).reverse_receipt(id, receipt, body.value, key).await?))
}

async fn delete_inspection(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnRequestId>,
) -> Result<Response, ApiError> {
    app.retour.merchant(&staff).delete_inspection(id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
