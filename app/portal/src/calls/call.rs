//! What a server function is called with, and how its step answers both kinds of callers: forms and islands.

use crate::{
    forms::problem::{Changed, NextPage, Problem},
    visit::{
        response::EarlyResponse,
        shop::ShopRequest,
        visitor::{FormSender, Visitor},
    },
};
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use domain::ReturnOrderId;
use leptos::prelude::use_context;
use ui::calls::Slot;

/// The context of a server function: the shop it is called in, and the response that it leaves for forms.
#[derive(Clone)]
pub struct Call(Slot<ShopRequest, Answered>);

/// How each kind of caller is answered.
pub struct Answered {
    /// The response to a form.
    pub form: Response,
    /// The status for an island, whose body is the function's value as JSON.
    pub status: StatusCode,
}

/// Why a step was refused.
pub struct CallRefusal<M> {
    problem: Problem<M>,
    status: StatusCode,
    form: Box<Response>,
}

impl<M> CallRefusal<M> {
    /// Fields have to be corrected. The form is redirected to the page that shows them.
    pub fn mistakes(mistakes: Vec<M>, form: Response) -> Self {
        Self::new(Problem::Mistakes(mistakes), form)
    }

    /// The fields do not prove an order.
    pub fn unproved(mistakes: Vec<M>, form: Response) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, ..Self::mistakes(mistakes, form) }
    }

    /// Any problem, and the response to a form.
    pub fn new(problem: Problem<M>, form: Response) -> Self {
        Self { status: status(&problem), problem, form: Box::new(form) }
    }

    /// The response to a form.
    pub fn into_form(self) -> Response {
        *self.form
    }

    /// Something has changed since the page was shown.
    pub fn changed(changed: Changed, form: Response) -> Self {
        Self::new(Problem::Changed(changed), form)
    }
}

/// The HTTP status of a problem.
fn status<M>(problem: &Problem<M>) -> StatusCode {
    match problem {
        Problem::Mistakes(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Problem::SignedOut => StatusCode::UNAUTHORIZED,
        Problem::NotThere => StatusCode::NOT_FOUND,
        Problem::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        Problem::Changed(_) => StatusCode::CONFLICT,
        Problem::Unreadable => StatusCode::BAD_REQUEST,
        Problem::Broken => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl<M> From<EarlyResponse> for CallRefusal<M> {
    fn from(early: EarlyResponse) -> Self {
        let form = early.into_response();
        let problem = problem_of(&form);
        Self { status: form.status(), problem, form: Box::new(form) }
    }
}

/// The problem that an error page is about.
pub fn problem_of<M>(page: &Response) -> Problem<M> {
    match page.status() {
        StatusCode::NOT_FOUND => Problem::NotThere,
        StatusCode::TOO_MANY_REQUESTS => {
            let seconds = page.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            Problem::TooMany { seconds: seconds.unwrap_or(1) }
        }
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => Problem::Unreadable,
        status if status.is_redirection() => Problem::SignedOut,
        _ => Problem::Broken,
    }
}

/// The result of a successful step.
pub struct CallDone<T> {
    /// The value for an island.
    pub value: T,
    /// The response to a form.
    pub form: Response,
}

/// The result of a step that leads to another page.
pub type StepResult<M> = Result<CallDone<NextPage>, CallRefusal<M>>;

impl CallDone<NextPage> {
    /// Continues at this page of the shop.
    pub fn at(shop: &ShopRequest, page: &str) -> Self {
        Self::at_address(shop.theme.path(page))
    }

    /// Continues at this address.
    pub fn at_address(href: String) -> Self {
        let form = Redirect::to(&href).into_response();
        Self { value: NextPage { href }, form }
    }
}

impl Call {
    /// The call of a function in a shop.
    pub fn new(shop: ShopRequest) -> Self {
        Self(Slot::new(shop))
    }

    /// Begins the function that is called, and takes the shop.
    pub fn begin<M>() -> Result<(Self, ShopRequest), Problem<M>> {
        let call = use_context::<Self>().ok_or(Problem::Broken)?;
        let shop = call.0.take().ok_or(Problem::Broken)?;
        Ok((call, shop))
    }

    /// Ends the function, and leaves the response for forms.
    pub fn answer<T, M>(self, step: Result<CallDone<T>, CallRefusal<M>>) -> Result<T, Problem<M>> {
        let (answered, result) = match step {
            Ok(CallDone { value, form }) => (Answered { form, status: StatusCode::OK }, Ok(value)),
            Err(CallRefusal { problem, status, form }) => (Answered { form: *form, status }, Err(problem)),
        };
        self.0.leave(answered);
        result
    }

    pub fn answered(&self) -> Option<Answered> {
        self.0.answer()
    }
}

/// The visitor, if they are signed in.
pub fn signed_in(shop: ShopRequest, next: Option<ReturnOrderId>) -> Result<Visitor, CallRefusal<()>> {
    match FormSender::from(shop) {
        FormSender::Known(visitor) => Ok(*visitor),
        FormSender::Unknown(shop) => Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(next))),
    }
}
