//! `POST /desk/call/{name}`: the route of all server functions ([`crate::calls`]).

use crate::{
    calls::call::{Call, Next},
    frame::document::address,
    problem::Problem,
    visit::{
        Desk, Guest, HandlerResult, error_pages, flash,
        guest::AtDeskHost,
        refused::{Refused, SentForm},
        response::EarlyResponse,
    },
};
use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use leptos::server_fn::axum::server_fn_paths;
use sha2::{Digest, Sha256};
use tower::ServiceExt as _;
use ui::{
    calls::{as_json, run, with_status},
    web::{
        form::{Fields, Unread, read},
        headers::wants_json,
    },
};

/// Where server functions are.
const PREFIX: &str = "/desk/call/";

/// What the route needs: the desk, and its pages, one of which it shows again for a refused form.
#[derive(Clone)]
pub struct Calls {
    pub desk: Desk,
    pub pages: Router,
}

/// Calls a server function and answers as its caller expects.
pub async fn call(State(calls): State<Calls>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let is_form = !wants_json(&parts.headers);
    match call_function(&calls, &mut parts, body, is_form).await {
        Ok(response) => response,
        Err(early) if is_form => early.into_response(),
        Err(early) => {
            let status = early.into_response().status();
            let problem = if status == StatusCode::NOT_FOUND { Problem::NotThere } else { Problem::Unreadable };
            as_json(status, None, &problem)
        }
    }
}

async fn call_function(calls: &Calls, parts: &mut Parts, body: Body, is_form: bool) -> HandlerResult {
    let mut guest = Guest::from_request_parts(parts, &calls.desk).await?;
    let path = parts.uri.path().to_owned();
    let name = path.strip_prefix(PREFIX).filter(|_| server_fn_paths().any(|(known, _)| known == path));
    let Some(name) = name else { return Err(error_pages::missing(guest.around()).into()) };
    let fields = read(Request::from_parts(parts.clone(), body)).await.map_err(|unread| refuse(unread, &guest))?;
    let form = SentForm {
        name: name.to_owned(),
        fields: Fields::parse(fields.as_bytes()).unwrap_or_default(),
        fingerprint: fingerprint(name, &fields),
    };
    guest.form = Some(form.clone());
    let call = Call::new(guest.clone());
    let response = run(Method::POST, &path, fields, call.clone()).await;
    let Some(answer) = call.answered() else {
        let page = || error_pages::malformed(guest.around(), guest.form_page());
        return Ok(if is_form { page() } else { with_status(response, StatusCode::BAD_REQUEST, None) });
    };
    Ok(match answer {
        Ok(next) if is_form => redirect(&next, &guest),
        Ok(next) => with_cookies(with_status(response, StatusCode::OK, None), &next),
        Err(problem) if is_form => form_refused(calls, parts, &guest, form, problem).await?,
        Err(problem) => with_status(response, status(&problem), retry_after(&problem).as_ref()),
    })
}

fn refuse(unread: Unread, guest: &Guest) -> EarlyResponse {
    let around = guest.around();
    match unread {
        Unread::TooLarge => error_pages::too_large(around, guest.path("")).into(),
        Unread::Malformed => error_pages::malformed(around, guest.path("")).into(),
    }
}

fn fingerprint(name: &str, fields: &str) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([0]);
    hash.update(fields.as_bytes());
    hash.finalize().to_vec()
}

/// The response to a form that succeeded.
fn redirect(next: &Next, guest: &Guest) -> Response {
    let mut response = with_cookies(Redirect::to(&next.href).into_response(), next);
    if let Some(text) = &next.say {
        flash::set(response.headers_mut(), text, guest.secure);
    }
    response
}

fn with_cookies(mut response: Response, next: &Next) -> Response {
    for cookie in &next.cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie.clone());
    }
    response
}

/// The response to a form that did not succeed: its own page, the sign-in, or an error page.
async fn form_refused(calls: &Calls, parts: &Parts, guest: &Guest, form: SentForm, problem: Problem) -> HandlerResult {
    let around = guest.around();
    if let Some(refused) = Refused::of(&problem, form.fields) {
        return Ok(same_page(calls, parts, guest, refused).await);
    }
    Ok(match problem {
        Problem::SignedOut => Redirect::to(&guest.sign_in_path_to(&guest.form_page())).into_response(),
        Problem::Forbidden | Problem::StepUp => error_pages::forbidden(around),
        Problem::NotThere => error_pages::missing(around),
        Problem::TooMany { seconds } => error_pages::too_many_attempts(around, seconds, guest.form_page()),
        Problem::Unreadable => error_pages::malformed(around, guest.form_page()),
        _ => error_pages::failed(around, false),
    })
}

/// The page that the form is on, with what was typed.
async fn same_page(calls: &Calls, parts: &Parts, guest: &Guest, refused: Refused) -> Response {
    let page = guest.form_page();
    let below = page.strip_prefix(guest.home).unwrap_or_default();
    let uri = Uri::try_from(format!("/desk{}", below.strip_suffix('/').unwrap_or(below))).unwrap_or_default();
    let mut request = Request::new(Body::empty());
    *request.uri_mut() = uri;
    request.headers_mut().extend(parts.headers.clone());
    request.headers_mut().remove(header::CONTENT_LENGTH);
    request.headers_mut().remove(header::CONTENT_TYPE);
    // Only these: the others belong to the route of the function, such as the parameters of its path.
    let extensions = request.extensions_mut();
    extensions.insert(refused);
    extensions.insert(guest.client);
    extensions.insert(guest.origin);
    if let Some(at_host) = parts.extensions.get::<AtDeskHost>() {
        extensions.insert(*at_host);
    }
    match calls.pages.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn status(problem: &Problem) -> StatusCode {
    match problem {
        Problem::Mistakes(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Problem::Refused(_) | Problem::Changed(_) => StatusCode::CONFLICT,
        Problem::SignedOut => StatusCode::UNAUTHORIZED,
        Problem::StepUp | Problem::Forbidden => StatusCode::FORBIDDEN,
        Problem::NotThere => StatusCode::NOT_FOUND,
        Problem::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        Problem::Unreadable => StatusCode::BAD_REQUEST,
        Problem::Broken => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn retry_after(problem: &Problem) -> Option<HeaderValue> {
    match problem {
        Problem::TooMany { seconds } => Some((*seconds).into()),
        _ => None,
    }
}

/// Redirects from a function's address to the first page.
pub async fn back(guest: Guest) -> Response {
    Redirect::to(&address(guest.home, "")).into_response()
}
