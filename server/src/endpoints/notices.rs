//! Notices that payment providers, carriers and shops send. They need no credential of the API, and are not rate limited.

use crate::app::App;
use axum::{
    Form, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{AccountId, ReturnOrderId};
use returns::{NoticeRefused, ShopNoticeRefused, ShopifyNotice};
use serde::Deserialize;
use ui::web::routing::post;

/// The largest notice.
const MAX_NOTICE_BYTES: usize = 256 * 1024;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/api/v0/payment-notices/stripe/{account}", post(stripe))
        .route("/api/v0/payment-notices/mollie/{account}/{return_order}", post(mollie))
        .route("/api/v0/carrier-notices/karrio/{account}", post(karrio))
        .route("/api/v0/shop-notices/shopify/{account}", post(shopify))
        .layer(DefaultBodyLimit::max(MAX_NOTICE_BYTES))
}

/// Stripe repeats a notice for three days until the answer is 2xx.
async fn stripe(State(app): State<App>, Path(account): Path<AccountId>, headers: HeaderMap, body: Bytes) -> Response {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match app.retour.stripe_notice(account, signature, &body).await {
        Ok(()) => StatusCode::OK.into_response(),
        Err(NoticeRefused::NotFound) => StatusCode::NOT_FOUND.into_response(),
        Err(NoticeRefused::NotBelieved(why)) => {
            tracing::info!(%account, %why, "refused a notice of Stripe");
            (StatusCode::BAD_REQUEST, why.to_string()).into_response()
        }
        Err(NoticeRefused::Failed(error)) => {
            tracing::error!(%account, %error, "cannot process a notice of Stripe");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Shopify repeats a notice for four hours until the answer is 2xx.
async fn shopify(
    State(app): State<App>,
    Path(account): Path<AccountId>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let field = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let notice = ShopifyNotice {
        signature: field("x-shopify-hmac-sha256"),
        topic: field("x-shopify-topic"),
        shop_domain: field("x-shopify-shop-domain"),
        body: &body,
    };
    match app.retour.shopify_notice(account, notice).await {
        Ok(()) => StatusCode::OK,
        // The same for an unknown account, so that guessing reveals nothing.
        Err(ShopNoticeRefused::NotBelieved) => StatusCode::UNAUTHORIZED,
        Err(ShopNoticeRefused::NotJson(why)) => {
            tracing::warn!(%account, %why, "refused a notice of Shopify");
            StatusCode::BAD_REQUEST
        }
        Err(ShopNoticeRefused::Failed(error)) => {
            tracing::error!(%account, %error, "cannot process a notice of Shopify");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// Karrio disables a webhook after six answers in a row that are not 2xx.
async fn karrio(State(app): State<App>, Path(account): Path<AccountId>, body: Bytes) -> StatusCode {
    match app.retour.karrio_notice(account, &body).await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(%account, %error, "cannot process a notice of karrio");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}

/// The body of Mollie's notices: the id of a payment.
#[derive(Deserialize)]
struct MollieNotice {
    id: String,
}

/// Unknown ids get the same answer, so that guessing reveals nothing.
async fn mollie(
    State(app): State<App>,
    Path((account, order)): Path<(AccountId, ReturnOrderId)>,
    Form(notice): Form<MollieNotice>,
) -> StatusCode {
    match app.retour.mollie_notice(account, order, &notice.id).await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::error!(%account, %error, "cannot process a notice of Mollie");
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
