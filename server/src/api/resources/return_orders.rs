//! `/api/v0/account/<account_id>/return-orders` and, for the account of the credential, `/api/v0/return-orders`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::{COUNT, Expandable, Query},
    reply::{done, with_etag},
    selection::NewReturn,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::ReturnOrderId;
use returns::{Expand, NewShipment, Scope, ShippingChangeInput, lists, view};
use ui::web::routing::{get, post};

const EXPANDABLE: &[Expandable] = &[
    ("consumer", Expand::Consumer),
    ("shipments", Expand::Shipments),
    ("returnRequests", Expand::ReturnRequests),
    ("draftReturnOrder", Expand::DraftReturnOrder),
];

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-orders", "return-order", "Return orders");
    let mut all = vec![
        of.operation(Method::GET, "", get(list))
            .named("listReturnOrders", "List return orders")
            .open_to(Access::READERS)
            .lists(&lists::RETURN_ORDERS)
            .with(&[COUNT])
            .expands(EXPANDABLE)
            .answers::<view::List<view::ReturnOrderView>>(200, "A page of return orders."),
        of.operation(Method::POST, "", post(create))
            .named("createReturnOrder", "Create a return order")
            .described(
                "Creates a draft and submits it in one step, without a review, photos or answers to questions. The rules \
                 of the account apply: an item whose return window has ended, or whose sale was final, is refused with \
                 `NotReturnable`, unless `overrides` names the rule with a reason. Only staff see the overrides, in the \
                 timelines of the return requests.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<NewReturn>()
            .answers::<view::ReturnOrderView>(201, "The return order.")
            .conflicts(&["DraftOutdated", "QuantityExceeded"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getReturnOrder", "Retrieve a return order")
            .open_to(Access::READERS)
            .expands(EXPANDABLE)
            .answers::<view::ReturnOrderView>(200, "The return order."),
        of.operation(Method::POST, "/{id}/cancel", post(cancel))
            .named("cancelReturnOrder", "Cancel a return order")
            .described(
                "Cancels the whole return: its units can be returned again, and its label is void. A repeated \
                 request changes nothing.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::ReturnOrderView>(200, "The cancelled return order.")
            .conflicts(&["NotCancellable"]),
        of.operation(Method::POST, "/{id}/shipments", post(add_shipment))
            .named("addShipment", "Add a shipment to a return order")
            .described(
                "Adds a shipment to a return that does not fit into one parcel. It gets a label in the same way as \
                 the first shipment. The return is delivered once each of its shipments is; receipts count the units \
                 that arrive, in any of the shipments.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<NewShipment>()
            .answers::<view::ShipmentView>(201, "The shipment that was added.")
            .conflicts(&["IllegalTransition", "LimitReached"]),
    ];
    all.extend(shipping_changes(of));
    all
}

/// Another way of sending.
fn shipping_changes(of: Resource) -> [Operation; 2] {
    [
        of.operation(Method::POST, "/{id}/shipping-option", post(change_shipping))
            .named("changeShippingOption", "Choose another way of sending")
            .described(
                "Replaces the shipping option of a return order, before the carrier has its parcel and before anything of it \
                 has arrived. Its shipments are cancelled and their labels are void. A new shipment gets its label as the first \
                 one did, if the option has one, and the consumer gets the mail again. The costs are calculated again with \
                 today's fees, and never exceed what was paid. What the consumer pays for the return is not raised once the \
                 return is approved. The same option changes nothing.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .versioned()
            .takes::<ShippingChangeInput>()
            .answers::<view::ReturnOrderView>(200, "The return order as it is now.")
            .conflicts(&["IllegalTransition", "TooLate", "AgentLimitExceeded"]),
        of.operation(Method::POST, "/{id}/shipping-option/preview", post(preview_shipping))
            .named("previewShippingOption", "Preview another way of sending")
            .described(
                "Answers with the costs of the return order now, and as `changeShippingOption` with the same body would make \
                 them. Nothing changes.",
            )
            .open_to(Access::Staff(Scope::Write))
            .takes::<ShippingChangeInput>()
            .answers::<view::AmendmentPreview>(200, "The costs now, and after the change.")
            .conflicts(&["IllegalTransition", "TooLate", "AgentLimitExceeded"]),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.counted_list(&lists::RETURN_ORDERS, EXPANDABLE)?;
    Ok(Json(app.retour.merchant(&staff).return_orders(&query.listing, &query.expand).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewReturn>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_return_order(body.value.into(), key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
    query: Query,
) -> Result<Response, ApiError> {
    let expand = query.expand(EXPANDABLE)?;
    let order = app.retour.merchant(&staff).return_order(id, &expand).await?;
    Ok(with_etag(order.version, Json(order).into_response()))
}

async fn add_shipment(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    body: JsonBody<NewShipment>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).add_parcel(id, body.value, key).await?))
}

async fn cancel(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).cancel_return_order(id, key).await?))
}

async fn change_shipping(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ShippingChangeInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_shipping(id, body.value, version, key).await?))
}

async fn preview_shipping(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
    body: JsonBody<ShippingChangeInput>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).preview_shipping(id, body.value).await?).into_response())
}
