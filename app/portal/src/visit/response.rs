//! What handlers return.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::{Error, ErrorCode};

/// The result of a handler.
pub type HandlerResult = Result<Response, EarlyResponse>;

/// A response that ends a handler early.
pub struct EarlyResponse(Box<Response>);

impl From<Response> for EarlyResponse {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

/// When to retry while the database is unavailable, seconds.
const UNAVAILABLE_SECONDS: &str = "5";

impl EarlyResponse {
    /// Changes the status to 503 if the error is that the database is unavailable.
    pub fn with_status_of(mut self, error: &Error) -> Self {
        if error.code() == ErrorCode::ServiceUnavailable {
            *self.0.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            self.0.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(UNAVAILABLE_SECONDS));
        }
        self
    }
}

impl IntoResponse for EarlyResponse {
    fn into_response(self) -> Response {
        *self.0
    }
}
