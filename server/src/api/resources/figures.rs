//! `/api/v0/account/<account_id>/figures`.

use crate::api::base::{
    auth_extractors::Merchant,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use returns::{Scope, view};
use ui::web::routing::get;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("figures", "figure", "Figures");
    vec![
        of.operation(Method::GET, "/summary", get(summary))
            .named("getFiguresSummary", "Retrieve the figures of the last 28 days")
            .described(
                "The units that arrived, what was refunded and kept, and the median time to completion: of the last 28 \
                 days, today included, and of the 28 days before. Days are those of the account's time zone.",
            )
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::FiguresSummary>(200, "The figures of both times."),
    ]
}

async fn summary(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).figures_summary().await?).into_response())
}
