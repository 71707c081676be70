//! `/api/v0/account/<account_id>/purchases`: the lines of the shop's orders that Retour knows.

use crate::api::{
    base::{
        auth_extractors::Merchant,
        body::JsonBody,
        error::ApiError,
        json::Json,
        operation::{Access, Operation, Resource},
        parameter::{Parameter, ParameterValues, Place},
        path::ExternalId,
        query::{Choice, Query},
        reply::done,
    },
    resources::order_file::{DOCUMENTED_TYPES, ImportBody, ImportOptions, import_file},
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use returns::{OrdersInput, PurchaseInput, Scope, import::Format, lists, view};
use ui::web::routing::{delete, get, post, put};

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
            .named("importPurchases", "Import orders")
            .described(IMPORT)
            .open_to(Access::Staff(Scope::Write))
            .once()
            .chooses(&FORMAT)
            .with(&[DRY_RUN, CONTENT_ENCODING])
            .takes_or_bytes::<OrdersInput>(DOCUMENTED_TYPES)
            .answers::<view::ImportReport>(200, "The imported and the refused orders, and the skipped rows."),
        of.operation(Method::GET, "/{external_id}", get(one))
            .named("getPurchase", "Retrieve a purchase")
            .described(IDS)
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Purchase>(200, "The purchase with its order."),
        of.operation(Method::PUT, "/{external_id}", put(put_one))
            .named("putPurchase", "Create or update a purchase")
            .described(PUT)
            .open_to(Access::Staff(Scope::Write))
            .takes::<PurchaseInput>()
            .answers::<view::Purchase>(201, "The purchase that was created.")
            .answers::<view::Purchase>(200, "The purchase, as it is now.")
            .conflicts(&["InUse", "OtherOrder", "OtherCurrency", "KnownUnderAnotherId"]),
        of.operation(Method::DELETE, "/{external_id}", delete(remove))
            .named("deletePurchase", "Delete a purchase")
            .described(
                "Deletes a purchase of which no unit was ever returned. The last purchase of an order takes the \
                 order with it. The path contains the shop's own id, or the id that Retour gave.",
            )
            .open_to(Access::Staff(Scope::Write))
            .answers_nothing(204, "The purchase is deleted.")
            .conflicts(&["InUse"]),
    ]
}

const DRY_RUN: Parameter = Parameter {
    name: "dryRun",
    place: Place::Query,
    is_required: false,
    values: ParameterValues::Flag,
    description: "`true`: only returns the report, and writes nothing.",
};

const CONTENT_ENCODING: Parameter = Parameter {
    name: "Content-Encoding",
    place: Place::Header,
    is_required: false,
    values: ParameterValues::OneOf(&["gzip", "identity"]),
    description: "`gzip` for a gzipped file. Retour also recognizes gzipped files by their bytes.",
};

const IMPORT: &str = "Imports orders from JSON, or from a file in Retour's own layout or that of Shopify's order \
    export: CSV, also gzipped or in a ZIP archive. Known orders are updated, as with a single purchase; a line that \
    belongs to another order does not change.\n\n**JSON** has at most 1 MiB. Retour imports all orders at once, or \
    refuses all of them if any field is invalid.\n\n**A file** has at most 1 GiB unpacked and 2,000,000 orders. \
    Retour reads it as it arrives, and commits it in batches of about 10,000 lines. It skips and reports rows that \
    it cannot use. It refuses a file without orders (a workbook, an export of customers) as a whole. If the file \
    ends early or cannot be read further, the error's message says how many orders were imported before; they stay. \
    Sending the file again is safe, because equal orders do not change.\n\n`Idempotency-Key`: Retour stores the key \
    and the answer in the same transaction as the last batch of a file. The same file with the same key gets that \
    answer again, without effect. If the first request breaks off, its key is not stored. `dryRun=true` stores no \
    key.";

const IDS: &str = "The path contains the shop's own id, percent-encoded (`/` is `%2F`), or the id that Retour gave.";

const PUT: &str = "The path contains the shop's own id, percent-encoded (`/` is `%2F`); for a known purchase, the id \
    that Retour gave works, too. The fields of the order replace those of the whole stored order, except currency \
    and `orderedAt`. While units of the purchase are in returns, `quantity` and price do not change, because the \
    amounts of the returns depend on them: a quantity below these units is `InUse`. A line of another order is \
    `OtherOrder`, and so is an order with the id of a stored one that has another number, and another buyer or another \
    date. An order that is stored in another currency is `OtherCurrency`, and an order with the same number, \
    e-mail address and postal code under another `externalId` is `KnownUnderAnotherId`.";

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::PURCHASES, &[])?;
    Ok(Json(app.retour.merchant(&staff).all_purchases(&query.listing).await?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
) -> Result<Response, ApiError> {
    let purchase = app.retour.merchant(&staff).purchase(&id).await?;
    Ok(Json(purchase).into_response())
}

async fn put_one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
    body: JsonBody<PurchaseInput>,
) -> Result<Response, ApiError> {
    let (is_new, purchase) = app.retour.merchant(&staff).put_purchase(id, body.value).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(purchase)).into_response())
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    ExternalId(id): ExternalId,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).delete_purchase(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn import(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    query: Query,
    body: ImportBody,
) -> Result<Response, ApiError> {
    let (is_dry_run, query) = query.take_flag(DRY_RUN.name)?;
    let format = query.choice(&FORMAT, &[DRY_RUN.name])?;
    let format = if format == Some("shopify") { Format::Shopify } else { Format::Retour };
    match body {
        ImportBody::Json(body) if format == Format::Retour => {
            let body = body.json::<OrdersInput>()?;
            let key = body.key(&caller);
            Ok(done(app.retour.merchant(&staff).import_orders(&body.value, is_dry_run, key).await?))
        }
        ImportBody::Json(_) => Err(ImportBody::unsupported().into()),
        ImportBody::File(file) => import_file(&app, &staff, &caller, file, ImportOptions { format, is_dry_run }).await,
    }
}
