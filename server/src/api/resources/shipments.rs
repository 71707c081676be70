//! `/api/v0/account/<account_id>/shipments` and, for the account of the credential, `/api/v0/shipments`: shipments, their labels and their tracking.

use crate::api::base::{
    accept::{LABEL_TYPES, LabelTypes},
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::{HeaderMap, Method},
    response::{IntoResponse, Response},
};
use domain::{ShipmentId, Timestamp, stage::Scan};
use returns::{Scope, SenderInput, TrackingReport, lists, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("shipments", "shipment", "Shipments");
    [readings(of), changes(of)].concat()
}

fn readings(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listShipments", "List shipments")
            .open_to(Access::READERS)
            .lists(&lists::SHIPMENTS)
            .answers::<view::List<view::ShipmentView>>(200, "A page of shipments."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getShipment", "Retrieve a shipment")
            .open_to(Access::READERS)
            .answers::<view::ShipmentView>(200, "The shipment as it is now."),
        of.operation(Method::GET, "/{id}/label", get(label))
            .named("getLabel", "Download a shipment's label")
            .described(
                "Returns the label as PDF, PNG (12 dots per millimetre) or ZPL II (203 dpi), depending on `Accept`; \
                 as PDF by default. `application/x-zpl`, `x-application/zpl` and `text/zpl` mean ZPL, too. Retour \
                 does not change labels that a carrier made.",
            )
            .open_to(Access::READERS)
            .negotiates(LABEL_TYPES, "The label, in A6.")
            .conflicts(&["ShipmentCancelled", "LabelNotReady"]),
    ]
}

/// What staff do about a shipment.
fn changes(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::POST, "/{id}/label", post(retry_label))
            .named("retryLabel", "Request a shipment's label again")
            .described(
                "Requests the label of a shipment in `LabelFailed` again. Fix the cause in `errorMessage` first. The \
                 return requests go back to `Submitted: Label Pending`. If the account's `carrier` is now `own`, \
                 Retour creates the label. While a request for the label is in progress, nothing happens.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::ShipmentView>(200, "The shipment as it is now.")
            .conflicts(&["ShipmentCancelled", "IllegalTransition"]),
        of.operation(Method::POST, "/{id}/sender", post(correct_sender))
            .named("correctSender", "Change the sender of a shipment")
            .described(
                "Corrects the address that the parcel comes from, if its label failed, or if Retour draws the label \
                 itself and the parcel is not sent. Request a failed label again afterwards. A known country stays.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<SenderInput>()
            .answers::<view::ShipmentView>(200, "The shipment with the corrected sender.")
            .conflicts(&["TooLate"]),
        of.operation(Method::POST, "/{id}/cancel", post(cancel))
            .named("cancelShipment", "Cancel a shipment")
            .described(
                "Cancels one of several shipments before the carrier scans it. The label is void, also at the \
                 carrier if the carrier supports that. The return is delivered once the other shipments are. A \
                 repeated request changes nothing. To cancel the only shipment, cancel its return order.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::ShipmentView>(200, "The shipment as it is now.")
            .conflicts(&["IllegalTransition"]),
        of.operation(Method::POST, "/{id}/tracking-updates", post(track))
            .named("createTrackingUpdate", "Create a tracking update")
            .described(
                "Records a carrier's report and moves the shipment and its return requests, in the order of the \
                 carrier's time. The status never goes back: a report that arrives after a later one is stored and \
                 moves nothing. Reports after the delivery move nothing either. The same report counts once.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<NewTrackingUpdate>()
            .answers::<view::ShipmentView>(200, "The shipment with this report.")
            .conflicts(&["ShipmentCancelled", "LabelNotReady"]),
    ]
}

/// A carrier's report about a parcel.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewTrackingUpdate {
    /// The status that the carrier reports.
    status: Scan,
    /// The carrier's own words; at most 500 characters.
    #[serde(default)]
    #[schemars(length(max = 500))]
    explanation: String,
    /// The time of the report by the carrier's clock, not in the future. If it is absent, it is now.
    happened_at: Option<Timestamp>,
    /// The carrier's number of the parcel; at most 100 characters.
    #[schemars(length(max = 100))]
    tracking_number: Option<String>,
    /// The carrier's tracking page: a URL that begins with `https://` or `http://`, at most 2,000 characters.
    #[schemars(length(max = 2000), regex(pattern = r"^https?://[^\s\x00]+$"))]
    tracking_url: Option<String>,
    /// The carrier's name; at most 100 characters.
    #[schemars(length(max = 100))]
    carrier: Option<String>,
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::SHIPMENTS, &[])?;
    Ok(Json(app.retour.merchant(&staff).shipments(&query.listing).await?).into_response())
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<ShipmentId>) -> Result<Response, ApiError> {
    let shipment = app.retour.merchant(&staff).shipment(id).await?;
    Ok(with_etag(shipment.version, Json(shipment).into_response()))
}

async fn label(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ShipmentId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let wanted = LabelTypes::of(&headers);
    let label = app.retour.merchant(&staff).label(id, &wanted.formats()).await;
    Ok(wanted.answer(label?))
}

async fn retry_label(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ShipmentId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).retry_label(id, key).await?))
}

async fn correct_sender(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ShipmentId>,
    body: JsonBody<SenderInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).correct_sender(id, body.value, key).await?))
}

async fn cancel(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ShipmentId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).cancel_parcel(id, key).await?))
}

async fn track(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ShipmentId>,
    body: JsonBody<NewTrackingUpdate>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let NewTrackingUpdate { status, explanation, happened_at, tracking_number, tracking_url, carrier } = body.value;
    let report = TrackingReport { status, explanation, happened_at, carrier, tracking_number, tracking_url };
    Ok(done(app.retour.merchant(&staff).track(id, report, key).await?))
}
