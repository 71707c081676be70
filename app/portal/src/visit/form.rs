//! Forms as an extractor: damaged ones are answered with a page.

use crate::visit::{
    at_own_host::AtOwnHost,
    error_pages::{self, Around},
    shop::Portal,
};
use axum::{
    extract::{FromRequest, Request},
    response::Response,
};
use ui::web::form::{Fields, Unread, read};

/// The fields of a form.
pub struct Form(pub Fields);

/// The page that says why a form was refused, with a link to `path`.
pub fn refused(unread: Unread, path: &str, around: Around) -> Response {
    match unread {
        Unread::TooLarge => error_pages::too_large(path, around),
        Unread::Malformed => error_pages::malformed(path, around),
    }
}

impl FromRequest<Portal> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, portal: &Portal) -> Result<Self, Response> {
        let (uri, headers) = (request.uri().clone(), request.headers().clone());
        let at_own_host = request.extensions().get::<AtOwnHost>().is_some();
        let body = read(request).await;
        let fields = body.and_then(|body| Fields::parse(body.as_bytes()).ok_or(Unread::Malformed));
        match fields {
            Ok(fields) => Ok(Self(fields)),
            Err(unread) => {
                let around = Around::at(&portal.retour, &uri, &headers, at_own_host).await;
                Err(refused(unread, uri.path(), around))
            }
        }
    }
}
