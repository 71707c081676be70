//! What payment providers and carriers tell us by themselves: outside of the API's credentials and its rate limit, since they have
//! neither.

use crate::App;
use axum::{
    Form, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use domain::{AccountId, ReturnOrderId};
use returns::NoticeRefused;
use serde::Deserialize;

/// The largest notice that is read.
const MOST: usize = 256 * 1024;

/// Where notices go.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/api/v0/payment-notices/stripe/{account}", post(stripe))
        .route("/api/v0/payment-notices/mollie/{account}/{return_order}", post(mollie))
        .route("/api/v0/carrier-notices/karrio/{account}", post(karrio))
        .layer(DefaultBodyLimit::max(MOST))
}

/// Stripe repeats what is not answered with 2xx, for three days.
async fn stripe(State(app): State<App>, Path(account): Path<AccountId>, headers: HeaderMap, body: Bytes) -> Response {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match app.retour.stripe_notice(account, signature, &body).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(NoticeRefused::NotFound) => StatusCode::NOT_FOUND.into_response(),
        Err(NoticeRefused::NotBelieved(why)) => {
            tracing::info!(%account, %why, "a notice of Stripe's was refused");
            (StatusCode::BAD_REQUEST, why.to_string()).into_response()
        }
        Err(NoticeRefused::Failed(error)) => {
            tracing::error!(%account, %error, "a notice of Stripe's could not be taken in");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Karrio gives a webhook up that is not answered with 2xx six times in a row.
async fn karrio(State(app): State<App>, Path(account): Path<AccountId>, body: Bytes) -> StatusCode {
    match app.retour.karrio_notice(account, &body).await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(%account, %error, "a notice of karrio's could not be taken in");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// What Mollie says: which of its payments.
#[derive(Deserialize)]
struct Notice {
    id: String,
}

/// Answers the same to everyone who guesses.
async fn mollie(
    State(app): State<App>,
    Path((account, order)): Path<(AccountId, ReturnOrderId)>,
    Form(notice): Form<Notice>,
) -> StatusCode {
    match app.retour.mollie_notice(account, order, &notice.id).await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(%account, %error, "a notice of Mollie's could not be taken in");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
