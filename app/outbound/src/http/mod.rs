//! The one HTTP client for every call to a URL that somebody configured.
//!
//! It follows no redirects, uses no proxy, keeps no cookies and decompresses nothing. Whatever server answers, a call
//! ends within its timeout and holds a few kilobytes. The client opens its own connections so that each one goes to
//! exactly the addresses that [`crate::guard`] checked.

mod client;
mod connection;
mod endpoint;
mod error;
mod message;
mod pool;
mod resolve;
mod stream;
mod tls;

pub use client::{Http, MAX_RESPONSE_BYTES};
pub use endpoint::{Endpoint, EndpointError, MAX_URL_BYTES};
pub use error::{CallError, HttpError};
pub use message::{Bytes, Call, HttpResponse, Method};
pub use resolve::Resolver;
pub use stream::ResponseStream;
