//! `POST /{slug}/call/{name}`: the route of all server functions ([`crate::calls`]).
//!
//! A function leaves in its [`Call`] the response to a form and the status for an island, and this route sends them.

use crate::{
    calls::{
        call::{Answered, Call, problem_of},
        names::NAMES,
    },
    visit::{
        error_pages,
        form::refused,
        response::{EarlyResponse, HandlerResult},
        shop::{Portal, ShopRequest},
    },
};
use axum::{
    body::Body,
    extract::{FromRequestParts, Path, Request, State},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use std::collections::HashMap;
use ui::{
    calls::{as_json, run, with_status},
    web::{
        form::{encoded, read},
        headers::wants_json,
    },
};

/// Calls a server function and answers as its caller expects.
pub async fn call(State(portal): State<Portal>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let is_form = !wants_json(&parts.headers);
    match call_function(&portal, &mut parts, body, is_form).await {
        Ok(response) => response,
        Err(early) if is_form => early.into_response(),
        Err(early) => {
            let page = early.into_response();
            as_json(page.status(), page.headers().get(header::RETRY_AFTER), &problem_of::<()>(&page))
        }
    }
}

async fn call_function(portal: &Portal, parts: &mut Parts, body: Body, is_form: bool) -> HandlerResult {
    let shop = ShopRequest::from_request_parts(parts, portal).await?;
    let Some(name) = name(parts, portal).await else { return Err(shop.missing()) };
    let (path, around) = (shop.theme.path(page_of(name)), shop.around());
    let body = read(Request::from_parts(parts.clone(), body)).await;
    let body = body.map_err(|unread| refused(unread, &path, around.clone()))?;
    let call = Call::new(shop);
    let response =
        run(parts.method.clone(), &format!("/call/{name}"), with_query(body, parts.uri.query()), call.clone()).await;
    Ok(match call.answered() {
        Some(Answered { form, .. }) if is_form => form,
        Some(Answered { form, status }) => with_status(response, status, form.headers().get(header::RETRY_AFTER)),
        // The arguments could not be read, so the function did not run.
        None if is_form => error_pages::malformed(&path, around),
        None => with_status(response, StatusCode::BAD_REQUEST, None),
    })
}

/// The server function in a path.
async fn name(parts: &mut Parts, portal: &Portal) -> Option<&'static str> {
    let Path(mut params) = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await.ok()?;
    let name = params.remove("name")?;
    NAMES.iter().map(|(known, _)| *known).find(|known| *known == name)
}

fn page_of(name: &str) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == name).map_or("", |(_, page)| page)
}

/// The fields of a form with those of its address, because the former address of a form names its return there.
fn with_query(mut body: String, query: Option<&str>) -> String {
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        if !body.is_empty() {
            body.push('&');
        }
        body.push_str(query);
    }
    body
}

/// Redirects from a function's address to the page that calls it.
pub async fn page(shop: ShopRequest, Path(params): Path<HashMap<String, String>>) -> HandlerResult {
    let name = params.get("name").map(String::as_str).unwrap_or_default();
    if NAMES.iter().any(|(known, _)| *known == name) {
        return Ok(shop.redirect(page_of(name)));
    }
    Err(shop.missing())
}

/// A form of an earlier version, sent to its former address.
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
    /// Redirects the form to a function (308: method and body stay).
    pub fn to(self, name: &str) -> Response {
        let id = self.id.map(|id| format!("id={}", encoded(&id)));
        let query: Vec<String> = self.query.into_iter().chain(id).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        Redirect::permanent(&format!("{}{query}", self.shop.theme.path(&format!("call/{name}")))).into_response()
    }
}
