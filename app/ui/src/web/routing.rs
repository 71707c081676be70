//! Routes whose types do not contain the types of their handlers.
//!
//! axum's own functions create a dozen types for each handler. For each of them, the compiler proves again that all futures inside the
//! handler can be sent to other threads: that took a third of the time to compile the server.

use axum::{
    extract::Request,
    handler::Handler,
    response::Response,
    routing::{self, MethodRouter},
};
use std::{pin::Pin, sync::Arc};

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A function that answers requests with the state `S`.
struct AnyHandler<S>(Arc<dyn Fn(Request, S) -> ResponseFuture + Send + Sync>);

impl<S> Clone for AnyHandler<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> AnyHandler<S> {
    fn new<T>(handler: impl Handler<T, S, Future = ResponseFuture>) -> Self {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl<S: 'static> Handler<(), S> for AnyHandler<S> {
    type Future = ResponseFuture;

    fn call(self, request: Request, state: S) -> ResponseFuture {
        (self.0)(request, state)
    }
}

macro_rules! routes_of_methods {
    ($($name:ident)+) => {$(
        #[doc = concat!("[`axum::routing::", stringify!($name), "`] for an async function.")]
        pub fn $name<S, T>(handler: impl Handler<T, S, Future = ResponseFuture>) -> MethodRouter<S>
        where
            S: Clone + Send + Sync + 'static,
        {
            routing::$name(AnyHandler::new(handler))
        }
    )+};
}

routes_of_methods!(any delete get patch post put);
