//! `POST /desk/call/{name}`: the route of all server functions ([`crate::calls`]).

use crate::{
    calls::call::{Call, Next},
    problem::Problem,
    visit::{
        Desk, Guest, HandlerResult, error_pages, flash,
        guest::AtDeskHost,
        refused::{Refused, SentForm},
        response::EarlyResponse,
        shown::{Begun, NewToken, Shown},
    },
};
use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, Request, State},
    http::{Extensions, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use leptos::server_fn::axum::server_fn_paths;
use tower::ServiceExt as _;
use ui::{
    calls::{as_json, run, with_status},
    web::{
        form::{Unread, read},
        headers::wants_json,
    },
};

/// Where server functions are.
const PREFIX: &str = "/desk/call/";

/// The function that proves again who the person is, and then sends the form that was begun.
const CONFIRM: &str = "confirm";

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
    let guest = Guest::from_request_parts(parts, &calls.desk).await?;
    let name = parts.uri.path().strip_prefix(PREFIX).unwrap_or_default().to_owned();
    if !is_function(&name) {
        return Err(error_pages::missing(guest.around()).into());
    }
    let fields = read(Request::from_parts(parts.clone(), body)).await.map_err(|unread| refuse(unread, &guest))?;
    let sent = Sent::new(guest, SentForm::new(&name, fields));
    let (answer, response) = sent.run().await;
    if is_form {
        return Ok(sent.answer_form(calls, parts, answer).await);
    }
    Ok(match answer {
        Some(Ok(next)) => with_cookies(with_status(response, StatusCode::OK, None), &next),
        Some(Err(problem)) => with_status(response, status(&problem), retry_after(&problem).as_ref()),
        None => with_status(response, StatusCode::BAD_REQUEST, None),
    })
}

fn is_function(name: &str) -> bool {
    server_fn_paths().any(|(path, _)| path.strip_prefix(PREFIX) == Some(name))
}

fn refuse(unread: Unread, guest: &Guest) -> EarlyResponse {
    let around = guest.around();
    match unread {
        Unread::TooLarge => error_pages::too_large(around, guest.path("")).into(),
        Unread::Malformed => error_pages::malformed(around, guest.path("")).into(),
    }
}

/// A form that calls a function.
struct Sent {
    guest: Guest,
    form: SentForm,
}

impl Sent {
    fn new(guest: Guest, form: SentForm) -> Self {
        Self { guest: Guest { form: Some(form.clone()), ..guest }, form }
    }

    /// Runs the function. Its answer is `None` if its arguments could not be read.
    async fn run(&self) -> (Option<Result<Next, Problem>>, Response) {
        let call = Call::new(self.guest.clone());
        let path = format!("{PREFIX}{}", self.form.name);
        let response = run(Method::POST, &path, self.form.arguments(), call.clone()).await;
        (call.answered(), response)
    }

    /// The response to a form. After a proof, the form that was begun is sent.
    async fn answer_form(self, calls: &Calls, parts: &Parts, answer: Option<Result<Next, Problem>>) -> Response {
        match answer {
            Some(Ok(next)) => match self.begun(&next) {
                Some(begun) => {
                    let (answer, _) = begun.run().await;
                    let mut response = begun.answer_last(calls, parts, answer).await;
                    // The browser keeps the last token that it gets, so the one of the proof comes first.
                    let later: Vec<HeaderValue> =
                        response.headers().get_all(header::SET_COOKIE).iter().cloned().collect();
                    response.headers_mut().remove(header::SET_COOKIE);
                    response = with_cookies(response, &next);
                    for cookie in later {
                        response.headers_mut().append(header::SET_COOKIE, cookie);
                    }
                    response
                }
                None => self.succeeded(calls, parts, next).await,
            },
            answer => self.answer_last(calls, parts, answer).await,
        }
    }

    async fn answer_last(self, calls: &Calls, parts: &Parts, answer: Option<Result<Next, Problem>>) -> Response {
        match answer {
            Some(Ok(next)) => self.succeeded(calls, parts, next).await,
            Some(Err(problem)) => self.refused(calls, parts, &problem).await,
            None => error_pages::malformed(self.guest.around(), self.guest.form_page()),
        }
    }

    /// The form that was begun before the person had to prove who they are.
    fn begun(&self, next: &Next) -> Option<Self> {
        let (function, fields) = (self.form.fields.get("function"), self.form.fields.get("fields"));
        if self.form.name != CONFIRM || function == CONFIRM || !is_function(function) {
            return None;
        }
        let guest = Guest { token: Some(next.token.clone()?), ..self.guest.clone() };
        Some(Self::new(guest, SentForm::new(function, fields.to_owned())))
    }

    async fn succeeded(self, calls: &Calls, parts: &Parts, next: Next) -> Response {
        let mut response = match next.shown.clone() {
            Some(shown) => {
                self.page(calls, parts, &next.href, |extensions| {
                    if matches!(shown, Shown::Effect(_)) {
                        extensions.insert(Refused::typed(self.form.fields.clone()));
                    }
                    extensions.insert(shown);
                    if let Some(token) = &next.token {
                        extensions.insert(NewToken(token.clone()));
                    }
                })
                .await
            }
            None => Redirect::to(&next.href).into_response(),
        };
        if let Some(text) = &next.say {
            flash::set(response.headers_mut(), text, self.guest.secure);
        }
        with_cookies(response, &next)
    }

    /// The response to a form that did not succeed: its own page, the sign-in, or an error page.
    async fn refused(self, calls: &Calls, parts: &Parts, problem: &Problem) -> Response {
        let (guest, here) = (&self.guest, self.guest.form_page());
        if let Some(refused) = Refused::of(problem, self.form.fields.clone()) {
            return self.page(calls, parts, &here, |extensions| drop(extensions.insert(refused))).await;
        }
        match problem {
            Problem::StepUp => {
                let begun = Begun { function: self.form.name.clone(), fields: self.form.encoded.clone() };
                let page = guest.confirm_path(&here);
                self.page(calls, parts, &page, |extensions| drop(extensions.insert(begun))).await
            }
            Problem::SignedOut => Redirect::to(&guest.sign_in_path_to(&here)).into_response(),
            Problem::Forbidden => error_pages::forbidden(guest.around()),
            Problem::NotThere => error_pages::missing(guest.around()),
            Problem::TooMany { seconds } => error_pages::too_many_attempts(guest.around(), *seconds, here),
            Problem::Unreadable => error_pages::malformed(guest.around(), here),
            _ => error_pages::failed(guest.around(), false),
        }
    }

    /// A page of the desk, as a part of this request: with what it shows of the form.
    async fn page(&self, calls: &Calls, parts: &Parts, address: &str, with: impl FnOnce(&mut Extensions)) -> Response {
        let below = address.strip_prefix(self.guest.home).unwrap_or_default();
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = Uri::try_from(format!("/desk{}", below.trim_end_matches('/'))).unwrap_or_default();
        request.headers_mut().extend(parts.headers.clone());
        request.headers_mut().remove(header::CONTENT_LENGTH);
        request.headers_mut().remove(header::CONTENT_TYPE);
        // Only these: the others belong to the route of the function, such as the parameters of its path.
        let extensions = request.extensions_mut();
        extensions.insert(self.guest.client);
        extensions.insert(self.guest.origin);
        if let Some(token) = &self.guest.token {
            extensions.insert(NewToken(token.clone()));
        }
        if let Some(at_host) = parts.extensions.get::<AtDeskHost>() {
            extensions.insert(*at_host);
        }
        with(extensions);
        match calls.pages.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

fn with_cookies(mut response: Response, next: &Next) -> Response {
    for cookie in &next.cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie.clone());
    }
    response
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
    guest.redirect("")
}
