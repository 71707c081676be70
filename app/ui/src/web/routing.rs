//! The functions of [`axum::routing`], but inside axum all handlers have the same type.
//!
//! axum wraps each handler in several types, and the compiler proves `Send` for all futures inside the handler again for each of them
//! (docs/build-times.md). Join methods of a path with [`MethodRouter::merge`]: `get(a).post(b)` calls axum's own function.

use axum::{
    extract::Request,
    handler::Handler,
    response::Response,
    routing::{self, MethodRouter},
};
use std::{pin::Pin, sync::Arc};

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of any type. It gets a request and the state `S`, and answers.
struct ErasedHandler<S>(Arc<dyn Fn(Request, S) -> ResponseFuture + Send + Sync>);

impl<S> Clone for ErasedHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> ErasedHandler<S> {
    fn new<T>(handler: impl Handler<T, S, Future = ResponseFuture>) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl<S: 'static> Handler<(), S> for ErasedHandler<S> {
    type Future = ResponseFuture;

    fn call(self, request: Request, state: S) -> ResponseFuture {
        (self.0)(request, state)
    }
}

macro_rules! routes_of_methods {
    ($($name:ident: $requests:literal),+) => {$(
        #[doc = concat!("Routes ", $requests, " to an async function, as [`axum::routing::", stringify!($name), "`] does.")]
        pub fn $name<S, T>(handler: impl Handler<T, S, Future = ResponseFuture>) -> MethodRouter<S>
        where
            S: Clone + Send + Sync + 'static,
        {
            routing::$name(ErasedHandler::new(handler))
        }
    )+};
}

routes_of_methods! {
    any: "requests of any method",
    delete: "`DELETE` requests",
    get: "`GET` and `HEAD` requests",
    patch: "`PATCH` requests",
    post: "`POST` requests",
    put: "`PUT` requests"
}
