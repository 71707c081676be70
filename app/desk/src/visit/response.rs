//! What handlers return.

use axum::response::{IntoResponse, Response};

/// The result of a handler.
pub type HandlerResult = Result<Response, EarlyResponse>;

/// A response that ends a handler early.
#[derive(Debug)]
pub struct EarlyResponse(Box<Response>);

impl From<Response> for EarlyResponse {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl IntoResponse for EarlyResponse {
    fn into_response(self) -> Response {
        *self.0
    }
}
