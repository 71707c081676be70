//! The whole application as one router: API, portal, desk, files, and the routes of [`crate::endpoints`].

use crate::{
    api,
    app::App,
    endpoints::{health, metrics, notices},
    middleware::{body_budget, compression, cors, rate_limit, request_log},
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::{Next, from_fn, from_fn_with_state, map_response},
    response::Response,
};
use leptos::config::LeptosOptions;
use std::path::Path;
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    services::{ServeDir, ServeFile},
};
use ui::web::routing::get;

/// API, portal, desk, files, health and metrics as one service.
///
/// A request passes these layers, from the outermost: the hosts of the desk and of portals (they rewrite paths, so that everything below sees the final
/// path), the request log, CORS, compression, the body budget, and then the layers of the API, of the portal or of the desk, each with the rate limit.
pub fn router(app: App, options: LeptosOptions, secure_cookies: bool) -> Router {
    let site = Path::new(&*options.site_root).to_owned();
    let by_host = {
        let retour = app.retour.clone();
        from_fn(move |request, next| portal::by_host(retour.clone(), request, next))
    };
    // One builder for each group of layers, because each call of `Router::layer` costs every request an allocation and a copy. The first
    // layer is the outermost.
    let around_routes = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), cors::answer_cross_origin))
        .map_request(compression::prepare)
        .layer(compression::layer())
        .layer(from_fn_with_state(app.clone(), body_budget::charge))
        .map_request(request_log::note_route);
    let routes = Router::new()
        .merge(api_routes(&app))
        .merge(notice_routes())
        .merge(operator_routes())
        .with_state(app.clone())
        .merge(desk_routes(&app, &options, secure_cookies))
        .merge(portal_routes(&app, options, secure_cookies));
    let routes = with_files(routes, &app, &site).layer(around_routes);
    let desk_host = app.desk_host.clone();
    let desk_by_host = from_fn(move |request, next| desk::by_host(desk_host.clone(), request, next));
    let around_all = ServiceBuilder::new()
        .layer(from_fn_with_state(app, request_log::log_request))
        .layer(desk_by_host)
        .layer(by_host);
    Router::new().fallback_service(around_all.service(routes))
}

fn api_routes(app: &App) -> Router<App> {
    let layers = ServiceBuilder::new()
        .layer(CatchPanicLayer::custom(|_| api::internal_error()))
        .layer(from_fn_with_state(app.clone(), rate_limit::limit))
        .map_response(without_storing)
        .layer(from_fn(body_budget::charge_account))
        .layer(DefaultBodyLimit::max(api::MAX_BODY));
    api::router(app.public_url.as_deref()).layer(layers)
}

/// Notices of payment providers and carriers, which have neither a credential of the API nor a rate limit.
fn notice_routes() -> Router<App> {
    notices::router()
        .layer(from_fn(body_budget::charge_account))
        .layer(CatchPanicLayer::custom(|_| api::internal_error()))
}

fn operator_routes() -> Router<App> {
    Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .route("/metrics", get(metrics::metrics))
}

fn portal_routes(app: &App, options: LeptosOptions, secure_cookies: bool) -> Router {
    let portal = portal::router(app.retour.clone(), options, secure_cookies)
        .layer(from_fn(without_api_paths))
        .layer(from_fn_with_state(app.clone(), rate_limit::limit));
    // The rate limit counts by session, so sessions are the outer layer.
    portal::within_sessions(portal, app.retour.clone(), secure_cookies)
        .layer(CatchPanicLayer::custom(|_| portal::sorry()))
}

fn desk_routes(app: &App, options: &LeptosOptions, secure_cookies: bool) -> Router {
    desk::router(app.retour.clone(), options, secure_cookies)
        .layer(from_fn_with_state(app.clone(), rate_limit::limit))
        .layer(CatchPanicLayer::custom(|_| desk::sorry()))
}

/// Adds the files of the site, and the answer to unknown paths. The named files come before the portal's `/{slug}`, which would look for a shop of
/// their name.
fn with_files(routes: Router, app: &App, site: &Path) -> Router {
    let packages = ServeDir::new(site.join("pkg")).precompressed_br().precompressed_gzip();
    let embed: Router = Router::new().fallback_service(ServeFile::new(site.join("embed.js")));
    let unknown: Router = Router::new()
        .fallback(unknown_path)
        .layer(from_fn_with_state(app.clone(), rate_limit::limit))
        .with_state(app.clone());
    let files = ServeDir::new(site)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false)
        .call_fallback_on_method_not_allowed(true); // POST to an unknown path is 404 as well, not a bare 405
    routes
        .route_service("/favicon.svg", ServeFile::new(site.join("favicon.svg")))
        .nest_service("/embed.js", embed.layer(map_response(for_any_origin)))
        .nest_service("/pkg", Router::new().fallback_service(packages).layer(map_response(cacheable_permanently)))
        .fallback_service(files.fallback(unknown))
}

/// The answer to unknown paths: an error of the API, or a page.
async fn unknown_path(State(app): State<App>, request: Request) -> Response {
    if api::owns(request.uri().path()) {
        api::unknown_route()
    } else {
        portal::not_found(&app.retour, request.uri(), request.headers()).await
    }
}

/// Keeps the portal's `/{slug}` from answering unknown paths of the API.
async fn without_api_paths(request: Request, next: Next) -> Response {
    if api::owns(request.uri().path()) { api::unknown_route() } else { next.run(request).await }
}

/// Forbids caching of answers that do not say otherwise themselves: they are about people and their money.
fn without_storing(mut response: Response) -> Response {
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Files under `/pkg` have a hash of their content in their names. A 404 is not cached, because a later release may have the file.
async fn cacheable_permanently(mut response: Response) -> Response {
    if response.status().is_success() {
        let value = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
    response
}

/// Lets every page load the script, and cache it for an hour.
async fn for_any_origin(mut response: Response) -> Response {
    const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}
