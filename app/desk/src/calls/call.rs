//! What a server function is called with, and how it answers both kinds of callers: forms and islands.

use crate::{
    problem::{NextPage, Problem},
    visit::{Arrival, Guest, Visit, session::session_cookie, shown::Shown},
};
use axum::http::HeaderValue;
use leptos::prelude::use_context;
use ui::calls::Slot;

/// The context of a server function: the request, and what the function leaves for forms.
#[derive(Clone)]
pub struct Call(Slot<Guest, Result<Next, Problem>>);

/// Where a successful action leads.
#[derive(Debug, Clone)]
pub struct Next {
    /// The address of the next page.
    pub href: String,
    /// The sentence that the next page shows. It contains no personal data.
    pub say: Option<String>,
    /// What the next page shows once. A form is answered with the page itself then.
    pub shown: Option<Shown>,
    /// The token of the session, if the action has renewed it.
    pub token: Option<String>,
    /// Cookies to set.
    pub cookies: Vec<HeaderValue>,
}

impl Next {
    /// Continues at an address of the desk: `visit.path("returns")`.
    pub fn at(href: impl Into<String>) -> Self {
        Self { href: href.into(), say: None, shown: None, token: None, cookies: Vec::new() }
    }

    /// Continues at the page that the form is on.
    pub fn here(guest: &Guest) -> Self {
        Self::at(guest.form_page())
    }

    /// Lets the next page show a sentence.
    #[must_use]
    pub fn saying(self, text: impl Into<String>) -> Self {
        Self { say: Some(text.into()), ..self }
    }

    /// Lets the next page show something that nobody may read later.
    #[must_use]
    pub fn showing(self, shown: Shown) -> Self {
        Self { shown: Some(shown), ..self }
    }

    /// Sets a cookie.
    #[must_use]
    pub fn with_cookie(mut self, cookie: &str) -> Self {
        self.cookies.extend(HeaderValue::try_from(cookie));
        self
    }

    /// Continues in a session with a new token.
    #[must_use]
    pub fn in_session(self, token: &str, guest: &Guest) -> Self {
        let next = self.with_cookie(&session_cookie(token, guest.secure));
        Self { token: Some(token.to_owned()), ..next }
    }
}

impl Call {
    /// The call of a function.
    pub fn new(guest: Guest) -> Self {
        Self(Slot::new(guest))
    }

    /// Begins a function for somebody who is signed in.
    pub async fn begin() -> Result<(Self, Visit), Problem> {
        let (call, guest) = Self::begin_as_guest()?;
        let arrived = match Visit::arrive(guest.clone()).await {
            Ok(Arrival::Here(visit)) => Ok(visit),
            Ok(Arrival::Halfway(_) | Arrival::Nobody) => Err(Problem::SignedOut),
            Err(error) => Err(guest.problem(error)),
        };
        match arrived {
            Ok(visit) => Ok((call, *visit)),
            Err(problem) => {
                call.0.leave(Err(problem.clone()));
                Err(problem)
            }
        }
    }

    /// Begins a function for anybody.
    pub fn begin_as_guest() -> Result<(Self, Guest), Problem> {
        let call = use_context::<Self>().ok_or(Problem::Broken)?;
        let guest = call.0.take().ok_or(Problem::Broken)?;
        Ok((call, guest))
    }

    /// Ends a function that leads to another page.
    pub fn answer(self, result: Result<Next, Problem>) -> Result<NextPage, Problem> {
        let answer = result.as_ref().map(|next| NextPage { href: next.href.clone() }).map_err(Clone::clone);
        self.0.leave(result);
        answer
    }

    /// Ends a function that has a value for islands. A form continues at `next`.
    pub fn answer_with<T>(self, result: Result<T, Problem>, next: Next) -> Result<T, Problem> {
        self.0.leave(result.as_ref().map(|_| next).map_err(Clone::clone));
        result
    }

    /// What the function has left. `None`: its arguments could not be read, so it did not run.
    pub fn answered(&self) -> Option<Result<Next, Problem>> {
        self.0.answer()
    }
}
