//! `/api/v0/account/<account_id>/find`.

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
    http::Method,
    response::{IntoResponse, Response},
};
use returns::view;
use ui::web::routing::get;

const WORDS: &[Parameter] = &[Parameter {
    name: "q",
    place: Place::Query,
    is_required: true,
    values: ParameterValues::Text { least: 2, most: 320 },
    description: "What to find: 2 to 320 characters.",
}];

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("find", "find", "Search");
    vec![
        of.operation(Method::GET, "", get(find))
            .named("find", "Find anything")
            .described(
                "Finds objects by the code of a label, a tracking number, the number of a return, of a withdrawal or of \
                 a sales order. If nothing has that number or code, it finds consumers whose e-mail address or name begins \
                 with it, and return requests of products with this SKU. Shows at most ten objects of each kind.",
            )
            .open_to(Access::READERS)
            .with(WORDS)
            .validates()
            .answers::<view::List<view::Found>>(200, "What was found, on one page."),
    ]
}

async fn find(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let (words, rest) = query.take_text("q")?;
    rest.expand(&[])?;
    Ok(Json(app.retour.merchant(&staff).find(&words).await?).into_response())
}
