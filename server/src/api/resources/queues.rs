//! `/api/v0/account/<account_id>/queues`.

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
use returns::view;
use ui::web::routing::get;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("queues", "queue", "Queues");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listQueues", "List queues")
            .described(
                "Lists what waits for the merchant's staff: the number of rows of each queue, since when the oldest \
                 waits, how many wait longer than `policy.queueTargets` allows, and which list with which filters has the \
                 rows. To read the requests of a queue, the longest waiting first, list return requests with \
                 `filter=queue:<queue>&sortBy=stageSince&orderBy=asc`.",
            )
            .open_to(Access::READERS)
            .answers::<view::List<view::QueueView>>(200, "All queues, on one page."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).queues().await?).into_response())
}
