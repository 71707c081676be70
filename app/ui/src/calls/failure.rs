//! The framework's own errors. Only their kind is public.

use leptos::server_fn::error::ServerFnErrorErr;

/// Why the framework could not run a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The request could not be read.
    Unreadable,
    /// Anything else, which is an error of the server.
    Broken,
}

impl Failure {
    /// The kind of an error. The server logs all but unreadable requests.
    #[allow(clippy::needless_pass_by_value, reason = "the error ends here")]
    pub fn of(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => Self::Unreadable,
            #[cfg(feature = "ssr")]
            error => {
                // The text of the error may quote the request.
                tracing::error!(kind = kind(&error), "a server function failed");
                Self::Broken
            }
            #[cfg(not(feature = "ssr"))]
            _ => Self::Broken,
        }
    }
}

#[cfg(feature = "ssr")]
fn kind(error: &ServerFnErrorErr) -> &'static str {
    match error {
        ServerFnErrorErr::Registration(_) => "registration",
        ServerFnErrorErr::UnsupportedRequestMethod(_) => "method",
        ServerFnErrorErr::Request(_) => "request",
        ServerFnErrorErr::ServerError(_) => "server",
        ServerFnErrorErr::MiddlewareError(_) => "middleware",
        ServerFnErrorErr::Deserialization(_) => "deserialization",
        ServerFnErrorErr::Serialization(_) => "serialization",
        ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => "arguments",
        ServerFnErrorErr::Response(_) => "response",
    }
}
