//! `POST /{slug}/call/{name}`: the one route of all server functions ([`crate::calls`]).
//!
//! leptos_axum alone would answer a form by 302 to the Referer with the error in the address, and an island by 500
//! whatever the error is. So a function leaves in its [`Call`] what a form is shown and the status for an island, and
//! this route answers with that.

use super::{
    errors,
    form::{encoded, read},
    shop::{HandlerResult, Portal, ShopRequest, EarlyResponse},
};
use crate::calls::{Changed, NAMES, NextPage, Problem};
use axum::{
    Json,
    body::Body,
    extract::{FromRequestParts, Path, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use leptos::prelude::{provide_context, use_context};
use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// What a function is called with, and what it leaves for the answer.
#[derive(Clone)]
pub struct Call(Arc<Mutex<Inner>>);

struct Inner {
    shop: Option<ShopRequest>,
    answered: Option<Answered>,
}

/// How the two kinds of callers are answered.
struct Answered {
    /// A form: with this.
    form: Response,
    /// An island: with this status, and the function's value as JSON.
    status: StatusCode,
}

/// Why a step was refused.
pub struct CallRefusal<M> {
    problem: Problem<M>,
    status: StatusCode,
    form: Box<Response>,
}

impl<M> CallRefusal<M> {
    /// Fields to correct: a form is shown them on the page that it is led to.
    pub fn mistakes(mistakes: Vec<M>, form: Response) -> Self {
        Self::new(Problem::Mistakes(mistakes), form)
    }

    /// No order was proved with what was typed.
    pub fn unproved(mistakes: Vec<M>, form: Response) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, ..Self::mistakes(mistakes, form) }
    }

    /// Any problem, and what a form is shown for it.
    pub fn new(problem: Problem<M>, form: Response) -> Self {
        Self { status: status(&problem), problem, form: Box::new(form) }
    }

    /// What a form is shown.
    pub fn into_form(self) -> Response {
        *self.form
    }

    /// Something has changed since the page was shown.
    pub fn changed(changed: Changed, form: Response) -> Self {
        Self::new(Problem::Changed(changed), form)
    }
}

/// Each problem's status.
fn status<M>(problem: &Problem<M>) -> StatusCode {
    match problem {
        Problem::Mistakes(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Problem::SignedOut => StatusCode::UNAUTHORIZED,
        Problem::NotThere => StatusCode::NOT_FOUND,
        Problem::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        Problem::Changed(_) => StatusCode::CONFLICT,
        Problem::Unreadable => StatusCode::BAD_REQUEST,
        Problem::Broken => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl<M> From<EarlyResponse> for CallRefusal<M> {
    fn from(stop: EarlyResponse) -> Self {
        let form = stop.into_response();
        let problem = problem_of(&form);
        Self { status: form.status(), problem, form: Box::new(form) }
    }
}

/// The problem that a page is about.
fn problem_of<M>(page: &Response) -> Problem<M> {
    match page.status() {
        StatusCode::NOT_FOUND => Problem::NotThere,
        StatusCode::TOO_MANY_REQUESTS => {
            let seconds = page.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            Problem::TooMany { seconds: seconds.unwrap_or(1) }
        }
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => Problem::Unreadable,
        status if status.is_redirection() => Problem::SignedOut,
        _ => Problem::Broken,
    }
}

/// What a function answers with when it did what it was called for, and what a form is shown for that.
pub struct CallDone<T> {
    /// For an island.
    pub value: T,
    /// For a form.
    pub form: Response,
}

/// A step's outcome: where to go on.
pub type StepResult<M> = Result<CallDone<NextPage>, CallRefusal<M>>;

impl CallDone<NextPage> {
    /// On to this page of the shop.
    pub fn at(shop: &ShopRequest, page: &str) -> Self {
        Self::led(shop.theme.path(page))
    }

    /// On to this address.
    pub fn led(href: String) -> Self {
        let form = Redirect::to(&href).into_response();
        Self { value: NextPage { href }, form }
    }
}

impl Call {
    /// Begins the function that is called: with the shop that it is called in.
    pub fn begin<M>() -> Result<(Self, ShopRequest), Problem<M>> {
        let call = use_context::<Self>().ok_or(Problem::Broken)?;
        let shop = call.0.lock().unwrap_or_else(PoisonError::into_inner).shop.take();
        Ok((call, shop.ok_or(Problem::Broken)?))
    }

    /// Ends it: leaves what a form is shown.
    pub fn answer<T, M>(self, step: Result<CallDone<T>, CallRefusal<M>>) -> Result<T, Problem<M>> {
        let (answered, result) = match step {
            Ok(CallDone { value, form }) => (Answered { form, status: StatusCode::OK }, Ok(value)),
            Err(CallRefusal { problem, status, form }) => (Answered { form: *form, status }, Err(problem)),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).answered = Some(answered);
        result
    }

    fn answered(&self) -> Option<Answered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).answered.take()
    }
}

/// Calls a function, and answers as its caller wants it.
pub async fn call(State(portal): State<Portal>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let is_form = !wants_json(&parts.headers);
    match called(&portal, &mut parts, body, is_form).await {
        Ok(response) => response,
        Err(stop) if is_form => stop.into_response(),
        Err(stop) => {
            let page = stop.into_response();
            as_json(page.status(), page.headers().get(header::RETRY_AFTER), &problem_of::<()>(&page))
        }
    }
}

async fn called(portal: &Portal, parts: &mut Parts, body: Body, is_form: bool) -> HandlerResult {
    let shop = ShopRequest::from_request_parts(parts, portal).await?;
    let Some(name) = name(parts, portal).await else {
        return Err(errors::missing(shop.theme.clone(), shop.visit.shopper.is_some(), shop.words).into());
    };
    let words = shop.words;
    let path = shop.theme.path(page_of(name));
    let body = read(Request::from_parts(parts.clone(), body)).await.map_err(|unread| unread.page(&path, words))?;
    let call = Call(Arc::new(Mutex::new(Inner { shop: Some(shop), answered: None })));
    let request = function_request(parts, name, body);
    let given = call.clone();
    let response = leptos_axum::handle_server_fns_with_context(move || provide_context(given.clone()), request);
    let response = response.await.into_response();
    Ok(match call.answered() {
        Some(Answered { form, .. }) if is_form => form,
        Some(Answered { form, status }) => with_status(response, status, form.headers().get(header::RETRY_AFTER)),
        // Its arguments could not be read: it did not begin.
        None if is_form => errors::malformed(&path, words),
        None => with_status(response, StatusCode::BAD_REQUEST, None),
    })
}

/// Islands say that they take JSON; browsers that send a form say that they take pages.
pub fn wants_json(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    accepts.contains("application/json") && !accepts.contains("text/html")
}

/// The function that a path names.
async fn name(parts: &mut Parts, portal: &Portal) -> Option<&'static str> {
    let Path(mut params) = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await.ok()?;
    let name = params.remove("name")?;
    NAMES.iter().map(|(known, _)| *known).find(|known| *known == name)
}

fn page_of(name: &str) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == name).map_or("", |(_, page)| page)
}

/// The request as leptos_axum knows it: without the shop's name in its path, and without what makes it answer forms itself.
/// Fields in the address count as fields of the form: the old address of a form names its return there.
fn function_request(parts: &Parts, name: &str, mut body: String) -> axum::http::Request<Body> {
    if let Some(query) = parts.uri.query().filter(|query| !query.is_empty()) {
        if !body.is_empty() {
            body.push('&');
        }
        body.push_str(query);
    }
    let mut request = axum::http::Request::new(Body::from(body));
    *request.method_mut() = parts.method.clone();
    *request.uri_mut() = Uri::try_from(format!("/call/{name}")).unwrap_or_default();
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(header::CONTENT_TYPE, form);
    request
}

fn with_status(mut response: Response, status: StatusCode, retry_after: Option<&HeaderValue>) -> Response {
    *response.status_mut() = status;
    // The framework names its function there.
    response.headers_mut().remove("serverfnerror");
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.clone());
    }
    response
}

fn as_json(status: StatusCode, retry_after: Option<&HeaderValue>, problem: &impl Serialize) -> Response {
    with_status(Json(problem).into_response(), status, retry_after)
}

/// Opening a function's address leads to the page that calls it.
pub async fn page(shop: ShopRequest, Path(params): Path<HashMap<String, String>>) -> HandlerResult {
    let name = params.get("name").map(String::as_str).unwrap_or_default();
    if NAMES.iter().any(|(known, _)| *known == name) {
        return Ok(shop.redirect(page_of(name)));
    }
    Err(errors::missing(shop.theme.clone(), shop.visit.shopper.is_some(), shop.words).into())
}

/// A form that an earlier version has shown, sent to where that version took it.
pub struct LegacyForm {
    shop: ShopRequest,
    query: Option<String>,
    id: Option<String>,
}

impl FromRequestParts<Portal> for LegacyForm {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let shop = ShopRequest::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let id = params.ok().and_then(|Path(mut params)| params.remove("id"));
        Ok(Self { shop, query: parts.uri.query().map(str::to_owned), id })
    }
}

impl LegacyForm {
    /// Leads the same form (308) to this function.
    pub fn to(self, name: &str) -> Response {
        let id = self.id.map(|id| format!("id={}", encoded(&id)));
        let query: Vec<String> = self.query.into_iter().chain(id).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        Redirect::permanent(&format!("{}{query}", self.shop.theme.path(&format!("call/{name}")))).into_response()
    }
}
