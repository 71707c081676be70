//! The context of a server function.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a route and the function that it runs hand to each other: the route puts the request into it, the function takes the request and
/// leaves its answer.
#[derive(Debug)]
pub struct Slot<V, A>(Arc<Mutex<Held<V, A>>>);

#[derive(Debug)]
struct Held<V, A> {
    request: Option<V>,
    answer: Option<A>,
}

impl<V, A> Clone for Slot<V, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<V, A> Slot<V, A> {
    /// A slot with a request.
    pub fn new(request: V) -> Self {
        Self(Arc::new(Mutex::new(Held { request: Some(request), answer: None })))
    }

    /// Takes the request. `None` if it was taken before.
    pub fn take(&self) -> Option<V> {
        self.held().request.take()
    }

    /// Leaves the answer.
    pub fn leave(&self, answer: A) {
        self.held().answer = Some(answer);
    }

    /// Takes the answer. `None` if the function has left none: it did not run.
    pub fn answer(&self) -> Option<A> {
        self.held().answer.take()
    }

    fn held(&self) -> MutexGuard<'_, Held<V, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
