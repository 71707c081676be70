//! The routes of the desk.

use crate::{
    frame::{assets, render},
    pages::{
        audit, bulk, connections, found, me, new_return, orders, people, return_order, returns, scan, search, sign_in,
        today, withdrawals,
    },
    route,
    visit::{Desk, Guest, Visit, error_pages},
};
use ::returns::Retour;
use axum::{Router, extract::DefaultBodyLimit, middleware, routing::MethodRouter};
use leptos::config::LeptosOptions;
use tower_http::csrf::CsrfLayer;
use ui::web::routing::{any, get, post};
use ui::web::{form::MAX_BYTES, origin::correct};

/// The desk. With `secure_cookies`, cookies are sent over https only. `portal`: the options of the portal's files.
pub fn router(retour: Retour, portal: &LeptosOptions, secure_cookies: bool) -> Router {
    assets::set(portal);
    let correct = move |request, next| correct(secure_cookies, request, next);
    let desk = Desk { retour, secure: secure_cookies };
    let pages = pages().into_iter().fold(Router::new(), |router, (path, method)| router.route(path, method));
    let pages = pages.with_state(desk.clone());
    let calls = Router::new()
        .route("/desk/call/{name}", post(route::call))
        .with_state(route::Calls { desk, pages: pages.clone() });
    calls.merge(pages).layer((
        middleware::map_response(render::secure),
        DefaultBodyLimit::max(MAX_BYTES),
        middleware::from_fn(error_pages::foreign),
        middleware::from_fn(correct),
        CsrfLayer::new(),
    ))
}

/// All pages and files.
fn pages() -> Vec<(&'static str, MethodRouter<Desk>)> {
    vec![
        ("/desk", get(today::load::show)),
        ("/desk/", get(|guest: Guest| async move { guest.redirect("") })),
        ("/desk/call/{name}", get(route::back)),
        ("/desk/audit", get(audit::load::show)),
        ("/desk/audit.csv", get(audit::load::download)),
        ("/desk/connections", get(connections::load::show)),
        ("/desk/{*rest}", any(missing)),
        ("/desk/me", get(me::load::show)),
        ("/desk/new-return", get(new_return::load::show)),
        ("/desk/orders", get(orders::load::show)),
        ("/desk/people", get(people::load::show)),
        ("/desk/people/invite", get(people::load::invite)),
        ("/desk/people/keys/{id}", get(people::load::key)),
        ("/desk/people/keys/{id}/revoke", get(people::load::revoke)),
        ("/desk/people/keys/{id}/rotate", get(people::load::rotate)),
        ("/desk/people/new-key", get(people::load::new_key)),
        ("/desk/people/users/{id}", get(people::load::person)),
        ("/desk/people/users/{id}/remove", get(people::load::remove)),
        ("/desk/people/users/{id}/reset", get(people::load::reset)),
        ("/desk/returns", get(returns::load::show)),
        ("/desk/returns/bulk", get(bulk::load::show)),
        ("/desk/returns/bulk/{id}", get(bulk::run::show)),
        ("/desk/returns/columns", get(returns::load::columns)),
        ("/desk/returns/next", get(returns::walk::next)),
        ("/desk/returns/previous", get(returns::walk::previous)),
        ("/desk/returns/start", get(returns::walk::start)),
        ("/desk/returns/{number}", get(return_order::load::show)),
        ("/desk/returns/{number}/labels/{id}", get(return_order::label)),
        ("/desk/returns/{number}/photos/{request}/{id}", get(return_order::photo)),
        ("/desk/search", get(search::load::show)),
        ("/desk/scan", get(scan::load::show)),
        ("/desk/scan/found", get(found::load::show)),
        (
            "/desk/scan/photo",
            post(scan::photo::send).merge(get(scan::photo::back)).layer(DefaultBodyLimit::max(scan::photo::MAX_BYTES)),
        ),
        ("/desk/scan/sheet.pdf", get(scan::sheet::show)),
        ("/desk/withdrawals", get(withdrawals::load::show)),
        ("/desk/confirm", get(sign_in::load::confirm)),
        ("/desk/me/passkeys/{id}/remove", get(me::load::remove_passkey)),
        ("/desk/me/passkeys/{id}/rename", get(me::load::rename_passkey)),
        ("/desk/me/recovery-codes", get(sign_in::load::recovery_codes)),
        ("/desk/me/remove-app", get(me::load::remove_app)),
        ("/desk/password", get(sign_in::load::password)),
        ("/desk/sign-in", get(sign_in::load::show)),
        ("/desk/sign-in/app", get(sign_in::load::app)),
        ("/desk/sign-in/code", get(sign_in::load::code)),
        ("/desk/sign-in/forgotten", get(sign_in::load::forgotten)),
    ]
}

/// The page for addresses that lead nowhere.
async fn missing(visit: Visit) -> axum::response::Response {
    error_pages::missing(visit.around())
}
