//! Handlers: who asks, what the use cases say, which page or redirect that makes.

pub mod assets;
mod call;
pub mod details;
mod domains;
mod embedded;
mod errors;
mod form;
pub mod gift;
mod language;
mod limits;
pub mod links;
pub mod look_up;
mod origin;
pub mod pay;
mod photos;
mod prefill;
mod preview;
pub mod purchases;
mod render;
pub mod return_order;
pub mod review;
mod selection;
mod session;
mod shop;
pub mod withdraw;

pub use call::Call;
pub use domains::by_host;
pub use errors::{not_found, not_read, sorry, too_many};
pub use look_up::MixesSecrets;
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
use shop::{Portal, ShopRequest};
use tower_http::csrf::CsrfLayer;

/// A router within the sessions of the portal's visitors: they are known to whatever lies within.
pub fn within_sessions(router: Router, retour: Retour, secure_cookies: bool) -> Router {
    let embedded = move |request, next| embedded::sessions(secure_cookies, request, next);
    let sessions = session::layer(retour.clone(), secure_cookies);
    let current = move |request, next| session::current_cookie(retour.clone(), secure_cookies, request, next);
    // One call, because each call of `Router::layer` costs every request an allocation and a copy. The first layer is the outermost.
    router.layer((middleware::from_fn(embedded), middleware::from_fn(current), sessions))
}

/// The portal of every shop, [`within_sessions`]. Cookies travel over https only when `secure_cookies`.
pub fn router(retour: Retour, options: LeptosOptions, secure_cookies: bool) -> Router {
    Assets::set(options);
    let remember = move |request, next| language::remember(secure_cookies, request, next);
    let correct = move |request, next| origin::correct(secure_cookies, request, next);
    pages()
        .merge(moved())
        .layer((
            middleware::map_response(render::secure),
            DefaultBodyLimit::max(form::MAX_BYTES),
            middleware::from_fn(errors::foreign),
            middleware::from_fn(correct),
            CsrfLayer::new(),
            middleware::from_fn(remember),
        ))
        .with_state(Portal { retour, secure: secure_cookies })
}

/// Pages, files, and the forms that are plain handlers: those with files, those that links in mail lead to, previews, and the
/// simulated payment of programs, whose address is a return's `checkoutUrl`.
fn pages() -> Router<Portal> {
    Router::new()
        .route("/{slug}", get(look_up::show))
        .route("/{slug}/", get(prefill::without_slash))
        .route("/{slug}/call/{name}", get(call::page).post(call::call))
        .route(
            "/{slug}/details",
            get(details::show).post(details::send).layer(DefaultBodyLimit::max(photos::MAX_BYTES)),
        )
        .route("/{slug}/details/photos/{purchase}/{photo}", get(details::photo))
        .route("/{slug}/gift", get(gift::show))
        .route("/{slug}/leave", get(|shop: ShopRequest| async move { shop.redirect("") }))
        .route("/{slug}/link", get(links::ask))
        .route("/{slug}/mail/{token}", get(links::open).post(links::choose))
        .route("/{slug}/mail/{token}/stop", get(links::ask_stop).post(links::stop))
        .route("/{slug}/preview", get(preview::begin).post(preview::end))
        .route("/{slug}/purchases", get(purchases::show))
        .route("/{slug}/review", get(review::show))
        .route("/{slug}/returns", get(return_order::list))
        .route("/{slug}/returns/{id}", get(return_order::show))
        .route("/{slug}/returns/{id}/cancel", get(return_order::back))
        .route("/{slug}/returns/{id}/label.pdf", get(return_order::label))
        .route(
            "/{slug}/returns/{id}/photos",
            post(photos::send).get(return_order::back).layer(DefaultBodyLimit::max(photos::MAX_BYTES)),
        )
        .route("/{slug}/returns/{id}/photos/{photo}", get(photos::show))
        .route("/{slug}/withdraw", get(withdraw::show))
        .route("/{slug}/withdraw/confirm", get(withdraw::check))
        .route("/{slug}/withdraw/done", get(withdraw::done))
        .route("/{slug}/withdraw/acknowledgement.txt", get(withdraw::file))
        .route("/{slug}/pay/{id}", get(pay::show).post(pay::send))
        .route("/{slug}/pay/{id}/done", get(pay::done))
}

/// Addresses of forms before [`crate::calls`]: a page that was opened before an upgrade still sends its form there. They go
/// with the release after this one.
fn moved() -> Router<Portal> {
    const MOVED: [(&str, &str); 9] = [
        ("/{slug}", "look-up"),
        ("/{slug}/gift", "gift"),
        ("/{slug}/leave", "leave"),
        ("/{slug}/link", "link"),
        ("/{slug}/purchases", "choose"),
        ("/{slug}/review", "submit"),
        ("/{slug}/returns/{id}/cancel", "cancel"),
        ("/{slug}/withdraw", "withdraw"),
        ("/{slug}/withdraw/confirm", "withdraw-confirm"),
    ];
    MOVED.into_iter().fold(Router::new(), |router, (path, name)| {
        router.route(path, post(move |request: call::LegacyForm| async move { request.to(name) }))
    })
}
