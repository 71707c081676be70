//! Handlers: who asks, what the use cases say, which page or redirect that makes.

pub mod assets;
mod details;
mod domains;
mod embedded;
mod errors;
mod form;
mod gift;
mod language;
mod limits;
mod links;
mod look_up;
mod pay;
mod photos;
mod prefill;
mod preview;
mod purchases;
mod render;
mod return_order;
pub mod review;
mod selection;
mod session;
mod shop;
pub mod withdraw;

pub use domains::by_host;
pub use errors::{not_found, not_read, sorry, too_many};
#[cfg(feature = "bench")]
pub use render::answer_with;
pub use session::{session_id, shopper};

use assets::Assets;
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
};
use leptos::config::LeptosOptions;
use returns::Retour;
use shop::{Portal, Shop};
use tower_http::csrf::CsrfLayer;

/// A router within the sessions of the portal's visitors: they are known to whatever lies within.
pub fn within_sessions(router: Router, retour: Retour, secure_cookies: bool) -> Router {
    let embedded = move |request, next| embedded::sessions(secure_cookies, request, next);
    router.layer(session::layer(retour, secure_cookies)).layer(middleware::from_fn(embedded))
}

/// The portal of every shop, [`within_sessions`]. Cookies travel over https only when `secure_cookies`.
pub fn router(retour: Retour, options: LeptosOptions, secure_cookies: bool) -> Router {
    Assets::set(options);
    let remember = move |request, next| language::remember(secure_cookies, request, next);
    Router::new()
        .route("/{slug}", get(look_up::show).post(look_up::send))
        .route("/{slug}/", get(prefill::without_slash))
        .route(
            "/{slug}/details",
            get(details::show).post(details::send).layer(DefaultBodyLimit::max(photos::MAX_BYTES)),
        )
        .route("/{slug}/details/photos/{purchase}/{photo}", get(details::photo))
        .route("/{slug}/gift", get(gift::show).post(gift::send))
        .route("/{slug}/leave", post(look_up::leave).get(|shop: Shop| async move { shop.redirect("") }))
        .route("/{slug}/link", get(links::ask).post(links::send))
        .route("/{slug}/mail/{token}", get(links::open).post(links::choose))
        .route("/{slug}/mail/{token}/stop", get(links::ask_stop).post(links::stop))
        .route("/{slug}/preview", get(preview::begin).post(preview::end))
        .route("/{slug}/purchases", get(purchases::show).post(purchases::send))
        .route("/{slug}/review", get(review::show).post(review::send))
        .route("/{slug}/returns", get(return_order::list))
        .route("/{slug}/returns/{id}", get(return_order::show))
        .route("/{slug}/returns/{id}/cancel", post(return_order::cancel).get(return_order::back))
        .route("/{slug}/returns/{id}/label.pdf", get(return_order::label))
        .route(
            "/{slug}/returns/{id}/photos",
            post(photos::send).get(return_order::back).layer(DefaultBodyLimit::max(photos::MAX_BYTES)),
        )
        .route("/{slug}/returns/{id}/photos/{photo}", get(photos::show))
        .route("/{slug}/withdraw", get(withdraw::show).post(withdraw::send))
        .route("/{slug}/withdraw/confirm", get(withdraw::check).post(withdraw::confirm))
        .route("/{slug}/withdraw/done", get(withdraw::done))
        .route("/{slug}/withdraw/acknowledgement.txt", get(withdraw::file))
        .route("/{slug}/pay/{id}", get(pay::show).post(pay::send))
        .route("/{slug}/pay/{id}/done", get(pay::done))
        .layer(middleware::from_fn(remember))
        .layer(CsrfLayer::new())
        .layer(middleware::from_fn(errors::foreign))
        .layer(DefaultBodyLimit::max(form::MAX_BYTES))
        .layer(middleware::map_response(render::secure))
        .with_state(Portal { retour, secure: secure_cookies })
}
