//! `/api/v0/account/<account_id>/scan`: what a scanned code belongs to, and what the caller has counted today.

use crate::api::base::{
    auth_extractors::Merchant,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    parameter::{Parameter, ParameterValues, Place},
    query::Query,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use returns::{SheetWords, view};
use ui::web::routing::get;

const CODE: Parameter = Parameter {
    name: "code",
    place: Place::Query,
    is_required: true,
    values: ParameterValues::Text { least: 1, most: 200 },
    description: "The code as the scanner read it, or as somebody typed it: 1 to 200 characters.",
};
const RETURN_ORDER: Parameter = Parameter {
    name: "returnOrder",
    place: Place::Query,
    is_required: false,
    values: ParameterValues::Id,
    description: "The return order whose parcel is open. The code can then be that of one of its products.",
};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("scans", "scan", "Warehouse");
    vec![
        of.operation(Method::GET, "", get(scan))
            .named("scanCode", "Look up a scanned code")
            .described(
                "Finds what a scanned code belongs to, in this order: a command of the command sheet; a parcel, by its \
                 barcode or tracking number; a return order, by its number; the returns of a sales order. Retour \
                 removes what scanners and carriers add to a number, such as the identifier `]C1`, the `00` before an \
                 SSCC, and the ZIP code of USPS. Several matches mean that a person has to choose.",
            )
            .open_to(Access::READERS)
            .with(&[CODE, RETURN_ORDER])
            .validates()
            .answers::<view::Scan>(200, "What the code belongs to."),
        of.operation(Method::GET, "/tally", get(tally))
            .named("getScanTally", "Retrieve the caller's tally of today")
            .described("Counts what the caller has received since the day began in the account's time zone.")
            .open_to(Access::READERS)
            .answers::<view::ScanTally>(200, "The tally of today."),
        of.operation(Method::GET, "/sheet", get(sheet))
            .named("getCommandSheet", "Retrieve the command sheet")
            .described("A page to print, with a barcode for each command: for people who hold a scanner and no mouse.")
            .open_to(Access::READERS)
            .answers_bytes(&["application/pdf"], "The page as PDF."),
    ]
}

async fn scan(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let (code, query) = query.take_text(CODE.name)?;
    let open = query.optional_id(RETURN_ORDER.name, &[CODE.name])?;
    Ok(Json(app.retour.merchant(&staff).scan(&code, open).await?).into_response())
}

async fn tally(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).scan_tally().await?).into_response())
}

async fn sheet(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    let sheet = app.retour.merchant(&staff).command_sheet(SheetWords::default()).await?;
    Ok(([(CONTENT_TYPE, "application/pdf")], sheet).into_response())
}
