//! What a server function is called with, and how it answers both kinds of callers: forms and islands.

use crate::{
    problem::{NextPage, Problem},
    visit::{Guest, Visit},
};
use axum::http::HeaderValue;
use leptos::prelude::use_context;
use ui::calls::Slot;

/// The context of a server function: the request, and what the function leaves for forms.
#[derive(Clone)]
pub struct Call(Slot<Guest, Result<Next, Problem>>);

/// Where a successful action leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// The address of the next page.
    pub href: String,
    /// The sentence that the next page shows. It contains no personal data.
    pub say: Option<String>,
    /// Cookies to set.
    pub cookies: Vec<HeaderValue>,
}

impl Next {
    /// Continues at an address of the desk: `visit.path("returns")`.
    pub fn at(href: impl Into<String>) -> Self {
        Self { href: href.into(), say: None, cookies: Vec::new() }
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

    /// Sets a cookie.
    #[must_use]
    pub fn with_cookie(mut self, cookie: &str) -> Self {
        self.cookies.extend(HeaderValue::try_from(cookie));
        self
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
        let visit = match Visit::of(guest.clone()).await {
            Ok(Some(visit)) => Ok(visit),
            Ok(None) => Err(Problem::SignedOut),
            Err(error) => Err(guest.problem(error)),
        };
        match visit {
            Ok(visit) => Ok((call, visit)),
            Err(problem) => Err(call.fail(problem)),
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

    fn fail(&self, problem: Problem) -> Problem {
        self.0.leave(Err(problem.clone()));
        problem
    }

    /// What the function has left. `None`: its arguments could not be read, so it did not run.
    pub fn answered(&self) -> Option<Result<Next, Problem>> {
        self.0.answer()
    }
}
