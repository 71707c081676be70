//! `/api/v0/account/<account_id>/purchases`: what was bought, as far as it is known here.

use super::{
    body::{AnyBody, JsonBody, unsupported},
    door::{ExternalId, Merchant, done},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    query::{Choice, Query},
};
use crate::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
    routing::{delete, get, post, put},
};
use returns::{OrdersInput, PurchaseInput, Scope, import::Format, lists, view};

const FORMAT: Choice =
    Choice { name: "format", values: &["retour", "shopify"], description: "The layout of a CSV file." };

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("purchases", "purchase", "Purchases");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listPurchases", "List purchases")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::PURCHASES)
            .answers::<view::List<view::Purchase>>(200, "A page of purchases."),
        of.operation(Method::POST, "/import", post(import))
            .named("importPurchases", "Take in many orders with their purchases")
            .described(
                "JSON, or a CSV file in our own layout or that of Shopify's order export. All orders are taken in at \
                 once. JSON with anything wrong in it is refused as a whole; rows of a CSV file that cannot be used are \
                 left out and reported. What is known already is brought up to date, as with a single purchase; a line \
                 that is known in another order stays as it is. At most 1 MiB: larger files go in parts, each with whole \
                 orders.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .chooses(&FORMAT)
            .takes_or_bytes::<OrdersInput>(&["text/csv"])
            .answers::<view::ImportReport>(200, "What became of it."),
        of.operation(Method::GET, "/{external_id}", get(one))
            .named("getPurchase", "A purchase")
            .described(IDS)
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Purchase>(200, "The purchase."),
        of.operation(Method::PUT, "/{external_id}", put(keep))
            .named("putPurchase", "Take in one purchase, new or changed")
            .described(PUT)
            .open_to(Access::Staff(Scope::Write))
            .takes::<PurchaseInput>()
            .answers::<view::Purchase>(201, "The purchase, new.")
            .answers::<view::Purchase>(200, "The purchase, as it is now.")
            .conflicts(&["InUse", "OtherOrder", "OtherCurrency", "KnownUnderAnotherId"]),
        of.operation(Method::DELETE, "/{external_id}", delete(remove))
            .named("deletePurchase", "Forget a purchase")
            .described(
                "Only while nothing of it was ever returned. Its order goes with the last of its purchases. The path \
                 takes the shop's own id or the id given here.",
            )
            .open_to(Access::Staff(Scope::Write))
            .answers_nothing(204, "It is forgotten.")
            .conflicts(&["InUse"]),
    ]
}

const IDS: &str = "The path takes the shop's own id, percent-encoded (`/` is `%2F`), or the id given here.";

const PUT: &str = "The path takes the shop's own id, percent-encoded (`/` is `%2F`); for a purchase that is known, the id \
    given here as well. What the order's fields say replaces what was known of the whole order, but for its currency and \
    `orderedAt`. While units of the purchase are in returns, `quantity` and price stay as they are, because figures were \
    calculated from them: fewer than these units are `InUse`. A line of another order is `OtherOrder`, an order that is \
    known in another currency `OtherCurrency`, and one of the same number, e-mail address and postal code under another \
    `externalId` `KnownUnderAnotherId`.";

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::PURCHASES, &[])?;
    let list = app.retour.all_purchases(&staff, &query.listing).await;
    Ok(Json(list?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
) -> Result<Response, ApiError> {
    let purchase = app.retour.purchase(&staff, &id).await?;
    Ok(Json(purchase).into_response())
}

async fn keep(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
    body: JsonBody<PurchaseInput>,
) -> Result<Response, ApiError> {
    let (is_new, purchase) = app.retour.put_purchase(&staff, id, body.value).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(purchase)).into_response())
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
) -> Result<StatusCode, ApiError> {
    app.retour.delete_purchase(&staff, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn import(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    query: Query,
    body: AnyBody,
) -> Result<Response, ApiError> {
    let format = query.choice(&FORMAT)?;
    let report = match (body.is_json, body.media_type.as_str()) {
        (true, _) if format != Some("shopify") => {
            let body = body.json::<OrdersInput>()?;
            app.retour.import_orders(&staff, &body.value, body.key(&caller)).await
        }
        (false, "text/csv") => {
            let format = if format == Some("shopify") { Format::Shopify } else { Format::Retour };
            let body = body.bytes();
            app.retour.import_csv(&staff, format, &body.value, body.key(&caller)).await
        }
        _ => {
            let message = "Send JSON with Content-Type: application/json, or a CSV file with Content-Type: text/csv; \
                           Shopify's layout is CSV.";
            return Err(unsupported(message).into());
        }
    };
    Ok(done(report?))
}
