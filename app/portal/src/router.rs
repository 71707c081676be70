//! The routes of the portal.

use crate::{
    calls::route,
    frame::{assets, render},
    pages::{details, gift, links, look_up, pay, photos, preview, purchases, return_order, returns, review, withdraw},
    visit::{
        embedded, error_pages, language, session,
        shop::{Portal, ShopRequest},
    },
};
use ::returns::Retour;
use axum::{Router, extract::DefaultBodyLimit, middleware, routing::MethodRouter};
use leptos::config::LeptosOptions;
use tower_http::csrf::CsrfLayer;
use ui::web::routing::{get, post};
use ui::web::{form::MAX_BYTES, origin::correct};

/// Adds the sessions of the portal's visitors to a router: everything inside knows the session of a request.
pub fn within_sessions(router: Router, retour: Retour, secure_cookies: bool) -> Router {
    let embedded = move |request, next| embedded::sessions(secure_cookies, request, next);
    let sessions = session::layer(retour.clone(), secure_cookies);
    let current = move |request, next| session::current_cookie(retour.clone(), secure_cookies, request, next);
    // One call, because each call of `Router::layer` costs every request an allocation and a copy. The first layer is the outermost.
    router.layer((middleware::from_fn(embedded), middleware::from_fn(current), sessions))
}

/// The portal of every shop, to be placed [`within_sessions`]. With `secure_cookies`, cookies are sent over https only.
pub fn router(retour: Retour, options: LeptosOptions, secure_cookies: bool) -> Router {
    assets::set(options);
    let remember = move |request, next| language::remember(secure_cookies, request, next);
    let correct = move |request, next| correct(secure_cookies, request, next);
    let shops = retour.clone();
    let foreign = move |request, next| error_pages::foreign(shops.clone(), request, next);
    let pages = pages().into_iter().fold(Router::new(), |router, (path, method)| router.route(path, method));
    pages
        .merge(legacy_forms())
        .layer((
            middleware::map_response(render::secure),
            DefaultBodyLimit::max(MAX_BYTES),
            middleware::from_fn(foreign),
            middleware::from_fn(correct),
            CsrfLayer::new(),
            middleware::from_fn(remember),
        ))
        .with_state(Portal { retour, secure: secure_cookies })
}

/// All pages, files and server functions. Some forms are plain handlers: those with files, those that links in mail open, previews,
/// and the simulated payment of programs, whose address is a return's `checkoutUrl`.
pub fn pages() -> Vec<(&'static str, MethodRouter<Portal>)> {
    let takes_photos = || DefaultBodyLimit::max(photos::upload::MAX_BYTES);
    vec![
        ("/{slug}", get(look_up::load::show)),
        ("/{slug}/", get(look_up::load::without_slash)),
        ("/{slug}/call/{name}", get(route::page).merge(post(route::call))),
        ("/{slug}/details", get(details::load::show).merge(post(details::upload::send)).layer(takes_photos())),
        ("/{slug}/details/photos/{purchase}/{photo}", get(details::load::photo)),
        ("/{slug}/gift", get(gift::load::show)),
        ("/{slug}/leave", get(|shop: ShopRequest| async move { shop.redirect("") })),
        ("/{slug}/link", get(links::load::ask)),
        ("/{slug}/mail/{token}", get(links::load::open).merge(post(links::load::choose))),
        ("/{slug}/mail/{token}/stop", get(links::load::ask_stop).merge(post(links::load::stop))),
        ("/{slug}/preview", get(preview::begin).merge(post(preview::end))),
        ("/{slug}/purchases", get(purchases::load::show)),
        ("/{slug}/review", get(review::load::show)),
        ("/{slug}/returns", get(returns::load::list)),
        ("/{slug}/returns/{id}", get(return_order::load::show)),
        ("/{slug}/returns/{id}/cancel", get(return_order::load::back)),
        ("/{slug}/returns/{id}/label.pdf", get(return_order::load::label)),
        (
            "/{slug}/returns/{id}/photos",
            post(photos::upload::send).merge(get(return_order::load::back)).layer(takes_photos()),
        ),
        ("/{slug}/returns/{id}/photos/{photo}", get(photos::load::show)),
        ("/{slug}/withdraw", get(withdraw::load::show)),
        ("/{slug}/withdraw/confirm", get(withdraw::load::check)),
        ("/{slug}/withdraw/done", get(withdraw::load::done)),
        ("/{slug}/withdraw/acknowledgement.txt", get(withdraw::load::file)),
        ("/{slug}/pay/{id}", get(pay::load::show).merge(post(pay::load::send))),
        ("/{slug}/pay/{id}/done", get(pay::load::done)),
    ]
}

/// Addresses of forms before server functions. A page that was opened before an upgrade still sends its form there. They go with the
/// next release.
fn legacy_forms() -> Router<Portal> {
    const FORMS: [(&str, &str); 9] = [
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
    FORMS.into_iter().fold(Router::new(), |router, (path, name)| {
        router.route(path, post(move |request: route::LegacyForm| async move { request.to(name) }))
    })
}
