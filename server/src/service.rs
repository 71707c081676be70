//! Listening: the whole application as one service, and the loop that accepts connections.

use crate::{
    api,
    bodies::{of_account, within_budget},
    compression,
    health::{Health, ready},
    limit::{RateLimit, SharingError},
    linger::{Lingering, Watched},
    metrics::{Counted, Requests, metrics},
    notices,
    proxies::TrustedProxies,
    requests::{about_request, named_by_route},
};
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::Response,
    routing::get,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use leptos::config::LeptosOptions;
use returns::{
    Retour,
    bodies::{BodyBudget, BodyLimits},
};
use std::{convert::Infallible, net::SocketAddr, path::Path, sync::atomic::Ordering, time::Duration};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tower::{Service, ServiceBuilder};
use tower_http::{
    catch_panic::CatchPanicLayer,
    services::{ServeDir, ServeFile},
};

/// How long a client may take to send the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest head of a request, and the most that is read of a body before a handler asks for it, bytes for each connection.
const READ_BUFFER: usize = 64 * 1024;
/// How long requests under way may take when the program is told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// What every handler can reach.
#[derive(Debug, Clone)]
pub struct App {
    /// The use cases.
    pub retour: Retour,
    /// How often who has called.
    pub limit: RateLimit,
    /// Whose word counts on where a request comes from.
    pub proxies: TrustedProxies,
    /// Memory that bodies of requests may hold.
    pub bodies: BodyBudget,
    /// The same of large answers, until they are taken.
    pub(crate) answers: BodyBudget,
    /// Whether it is about to stop.
    pub(crate) health: Health,
    /// What waits, for metrics.
    pub(crate) counted: Counted,
    /// What was asked, for metrics.
    pub(crate) requests: Requests,
    /// Files of orders that are read at a time.
    pub(crate) imports: api::ImportPlaces,
    /// The OpenAPI document.
    pub(crate) document: api::ServedDocument,
}

impl App {
    /// The application with a limit of so many requests a minute; 0: none.
    pub fn new(retour: Retour, rate_limit: u32, proxies: TrustedProxies) -> Self {
        let (health, counted, requests) = (Health::new(retour.now()), Counted::default(), Requests::default());
        let (limit, bodies) = (RateLimit::new(rate_limit), BodyBudget::default());
        let answers = BodyBudget::new(BodyLimits { client: 96 * 1024 * 1024, ..BodyLimits::default() });
        let imports = api::ImportPlaces::default();
        let document = api::ServedDocument::at(None);
        Self { retour, limit, proxies, bodies, answers, health, counted, requests, imports, document }
    }

    /// Sets the public URL, which the OpenAPI document names.
    #[must_use]
    pub fn at(self, public_url: Option<&str>) -> Self {
        Self { document: api::ServedDocument::at(public_url), ..self }
    }

    /// The same with another budget for bodies of requests.
    #[must_use]
    pub fn with_bodies(self, bodies: BodyBudget) -> Self {
        Self { bodies, ..self }
    }

    /// The same with a limit that instances share in a Redis. When that is not there, each counts by itself until it is.
    pub async fn sharing_limit_in(self, redis_url: &str) -> Result<Self, SharingError> {
        let limit = self.limit.shared_in(redis_url, self.retour.pseudonyms("rate limit")).await?;
        Ok(Self { limit, ..self })
    }
}

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub SocketAddr);

/// API, portal, files and health as one service.
pub fn app(app: App, options: LeptosOptions, secure_cookies: bool) -> Router {
    let site = Path::new(&*options.site_root).to_owned();
    let limited = middleware::from_fn_with_state(app.clone(), api::limit);
    // One builder, because each call of `Router::layer` costs every request an allocation and a copy. The first layer is the outermost.
    let around_api = ServiceBuilder::new()
        .layer(CatchPanicLayer::custom(|_| api::broken()))
        .layer(limited.clone())
        .map_response(keep_nowhere)
        .layer(middleware::from_fn(of_account))
        .layer(DefaultBodyLimit::max(api::MAX_BODY));
    let api = api::router().layer(around_api);
    let notices =
        notices::router().layer(middleware::from_fn(of_account)).layer(CatchPanicLayer::custom(|_| api::broken()));
    let portal = portal::router(app.retour.clone(), options, secure_cookies)
        .layer(middleware::from_fn(not_the_apis))
        .layer(limited.clone());
    // Whoever counts knows whose session it is.
    let portal = portal::within_sessions(portal, app.retour.clone(), secure_cookies)
        .layer(CatchPanicLayer::custom(|_| portal::sorry()));
    let health =
        Router::new().route("/health/live", get(|| async { StatusCode::OK })).route("/health/ready", get(ready));
    let health = health.route("/metrics", get(metrics));
    let packages = ServeDir::new(site.join("pkg")).precompressed_br().precompressed_gzip();
    let embed = ServeFile::new(site.join("embed.js"));
    let files = ServeDir::new(&site)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false)
        .call_fallback_on_method_not_allowed(true); // POST to nowhere is 404 as well, not a bare 405
    let by_host = {
        let retour = app.retour.clone();
        middleware::from_fn(move |request, next| portal::by_host(retour.clone(), request, next))
    };
    let around_routes = ServiceBuilder::new()
        .layer(middleware::from_fn_with_state(app.clone(), api::across_origins))
        .map_request(compression::acceptable)
        .layer(compression::layer())
        .layer(middleware::from_fn_with_state(app.clone(), within_budget))
        .map_request(named_by_route);
    let inner = Router::new()
        .merge(api)
        .merge(notices)
        .merge(health)
        .with_state(app.clone())
        .merge(portal)
        // Or shops of these names would be looked for.
        .route_service("/favicon.svg", ServeFile::new(site.join("favicon.svg")))
        .nest_service("/embed.js", Router::new().fallback_service(embed).layer(middleware::map_response(for_any_page)))
        .nest_service("/pkg", Router::new().fallback_service(packages).layer(middleware::map_response(keep_for_ever)))
        .fallback_service(files.fallback(Router::new().fallback(nowhere).layer(limited).with_state(app.clone())))
        .layer(around_routes);
    // What changes addresses has to stand before what looks at them.
    let around_all = ServiceBuilder::new().layer(middleware::from_fn_with_state(app, about_request)).layer(by_host);
    Router::new().fallback_service(around_all.service(inner))
}

/// The answer to paths that lead nowhere: as the API, or as a page.
async fn nowhere(State(app): State<App>, request: Request) -> Response {
    if api::owns(request.uri().path()) {
        api::unknown_route()
    } else {
        portal::not_found(&app.retour, request.uri(), request.headers()).await
    }
}

/// No shop is called like a path of the API.
async fn not_the_apis(request: Request, next: Next) -> Response {
    if api::owns(request.uri().path()) { api::unknown_route() } else { next.run(request).await }
}

/// Answers of the API are about people and their money, unless they say otherwise themselves.
fn keep_nowhere(mut response: Response) -> Response {
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Names under `/pkg` hold a hash of what is in them. Misses are not kept: a file may come with the next release.
async fn keep_for_ever(mut response: Response) -> Response {
    if response.status().is_success() {
        let value = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
    response
}

/// The script that shops' pages load: any page may, and asks again within the hour.
async fn for_any_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}

/// What of an answer lies in the kernel, bytes: little enough that a client who takes it slowly is seen to take it, and
/// enough for one far away.
const SEND_BUFFER: u32 = 64 * 1024;
/// Connections that may wait for being accepted.
const BACKLOG: u32 = 1024;

/// A socket to listen on.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?; // connections have it from here
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Accepts connections until told to stop, then lets those under way finish.
///
/// A loop of our own, because `axum::serve` lets a client take for ever to send its head.
pub async fn serve(listener: TcpListener, app: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => accept(stream, peer, app.clone(), &graceful),
                // Out of file handles, or the client is gone already: a short breath, not a busy loop.
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
        }
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still under way and were cut off");
    }
}

fn accept(stream: TcpStream, peer: SocketAddr, app: Router, graceful: &GracefulShutdown) {
    // Small answers leave at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut app = app.clone();
        async move {
            let (head, body) = request.into_parts();
            let (body, read) = Watched::new(body);
            let mut request = Request::from_parts(head, Body::new(body));
            request.extensions_mut().insert(Peer(peer));
            let answer: Result<Response, Infallible> = app.call(request).await; // a router is always ready
            answer.map(|mut answer| {
                if !read.load(Ordering::Relaxed) {
                    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                answer
            })
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(READ_BUFFER)
        .serve_connection(TokioIo::new(Lingering::new(stream)), service);
    let watched = graceful.watch(connection);
    tokio::spawn(async move {
        // A client that hangs up or never finishes is not an error of ours.
        if let Err(error) = watched.await {
            tracing::trace!(%error, "connection ended");
        }
    });
}
