//! Forms as an extractor: damaged ones are answered with a page.

use crate::{visit::error_pages, words::Words};
use axum::{
    extract::{FromRequest, Request},
    response::Response,
};
use ui::{
    language::Language,
    web::form::{Fields, Unread, read},
};

/// The fields of a form.
pub struct Form(pub Fields);

/// The page that says why a form was refused, with a link to `path`.
pub fn refused(unread: Unread, path: &str, words: &'static Words) -> Response {
    match unread {
        Unread::TooLarge => error_pages::too_large(path, words),
        Unread::Malformed => error_pages::malformed(path, words),
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, _: &S) -> Result<Self, Response> {
        let path = request.uri().path().to_owned();
        let words = error_pages::words_for(Language::asked(request.uri(), request.headers()));
        let body = read(request).await.map_err(|unread| refused(unread, &path, words))?;
        Fields::parse(body.as_bytes()).map(Self).ok_or_else(|| error_pages::malformed(&path, words))
    }
}
