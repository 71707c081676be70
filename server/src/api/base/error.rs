//! The error envelope, and the table of HTTP statuses for the errors of use cases.

use crate::api::base::{error_codes, json::Json};
use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};
use domain::{RefusalCode, costs::CostBreakdown};
use returns::{Error, ErrorCode, FieldError};
use schemars::JsonSchema;
use serde::Serialize;

/// The shape of every error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Error")]
pub(crate) struct ErrorEnvelope<'a> {
    /// The error: its code, its message and its details.
    error: ErrorBody<'a>,
}

/// What went wrong, for programs and for people.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ErrorBody<'a> {
    /// For programs: what went wrong. Later versions may add codes: treat one that you do not know by its status.
    #[schemars(extend("enum" = error_codes::names(), "x-enum-descriptions" = error_codes::meanings()))]
    code: &'a str,
    /// For people: what is wrong and what to do. May change.
    message: &'a str,
    /// The fields with wrong values, where fields are wrong.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    details: &'a [FieldError],
    /// With the code `DraftOutdated`: today's figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_breakdown: Option<&'a CostBreakdown>,
}

/// An error that was found before a use case was called.
pub(crate) fn response(status: StatusCode, code: &str, message: &str, details: &[FieldError]) -> Response {
    (status, Json(ErrorEnvelope { error: ErrorBody { code, message, details, cost_breakdown: None } })).into_response()
}

/// The status and the code of an error.
pub(crate) fn code(kind: ErrorCode) -> (StatusCode, String) {
    let (status, code) = match kind {
        ErrorCode::NotFound => (StatusCode::NOT_FOUND, "NotFound"),
        ErrorCode::InvalidOrderCredentials => (StatusCode::UNAUTHORIZED, "InvalidOrderCredentials"),
        ErrorCode::InvalidCredentials => (StatusCode::UNAUTHORIZED, "InvalidCredentials"),
        ErrorCode::SecondFactorRequired => (StatusCode::UNAUTHORIZED, "SecondFactorRequired"),
        ErrorCode::WrongCode => (StatusCode::UNAUTHORIZED, "WrongCode"),
        ErrorCode::WrongPasskey => (StatusCode::UNAUTHORIZED, "WrongPasskey"),
        ErrorCode::ConfirmationRequired => (StatusCode::FORBIDDEN, "ConfirmationRequired"),
        ErrorCode::InvalidInvitation => (StatusCode::UNAUTHORIZED, "InvalidInvitation"),
        ErrorCode::TooManyRequests => (StatusCode::TOO_MANY_REQUESTS, "TooManyRequests"),
        ErrorCode::Conflict => (StatusCode::CONFLICT, "Conflict"),
        ErrorCode::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized"),
        ErrorCode::Forbidden => (StatusCode::FORBIDDEN, "Forbidden"),
        ErrorCode::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, "PreconditionFailed"),
        ErrorCode::ValidationFailed => (StatusCode::UNPROCESSABLE_ENTITY, "ValidationFailed"),
        ErrorCode::IdempotencyKeyReused => (StatusCode::UNPROCESSABLE_ENTITY, "IdempotencyKeyReused"),
        ErrorCode::BridgeUnavailable => (StatusCode::BAD_GATEWAY, "BridgeUnavailable"),
        ErrorCode::PaymentUnavailable => (StatusCode::BAD_GATEWAY, "PaymentUnavailable"),
        ErrorCode::BridgeTimedOut => (StatusCode::GATEWAY_TIMEOUT, "BridgeUnavailable"),
        ErrorCode::ServiceUnavailable => (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable"),
        ErrorCode::InternalError => (StatusCode::INTERNAL_SERVER_ERROR, "InternalError"),
        ErrorCode::Refused(refusal) => return refused(refusal),
    };
    (status, code.to_owned())
}

fn refused(refusal: RefusalCode) -> (StatusCode, String) {
    match refusal {
        RefusalCode::IllegalTransition
        | RefusalCode::StageConflict
        | RefusalCode::QuantityExceeded
        | RefusalCode::DraftOutdated
        | RefusalCode::DraftExpired
        | RefusalCode::DraftRejected
        | RefusalCode::NotCancellable
        | RefusalCode::TooLate
        | RefusalCode::ShipmentCancelled
        | RefusalCode::LabelNotReady
        | RefusalCode::InUse
        | RefusalCode::OtherCurrency
        | RefusalCode::OtherOrder
        | RefusalCode::KnownUnderAnotherId
        | RefusalCode::LimitReached
        | RefusalCode::EmailTaken
        | RefusalCode::LastAdmin
        | RefusalCode::Revoked
        | RefusalCode::Disabled
        | RefusalCode::NoSecretKey
        | RefusalCode::NoMailServer
        | RefusalCode::NoSecondFactor
        | RefusalCode::NoHostName
        | RefusalCode::AgentLimitExceeded => (StatusCode::CONFLICT, refusal.to_string()),
        RefusalCode::NotReturnable
        | RefusalCode::CustomsDataMissing
        | RefusalCode::NotAllowed
        | RefusalCode::Required
        | RefusalCode::OutOfRange
        | RefusalCode::Mismatch
        | RefusalCode::Overflow => (StatusCode::UNPROCESSABLE_ENTITY, "ValidationFailed".to_owned()),
    }
}

/// Why a handler fails.
#[derive(Debug)]
pub enum ApiError {
    /// The error of a use case.
    UseCase(Error),
    /// The complete answer to a request that could not be read.
    Unread(Box<Response>),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::UseCase(error)
    }
}

impl From<Response> for ApiError {
    fn from(response: Response) -> Self {
        Self::Unread(Box::new(response))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::UseCase(error) => answer(&error),
            Self::Unread(response) => *response,
        }
    }
}

fn answer(error: &Error) -> Response {
    let (status, code) = code(error.code());
    let (details, costs): (&[FieldError], _) = match error {
        Error::Invalid(details) => (details, None),
        Error::Outdated { details, costs, .. } => (details, costs.as_deref()),
        _ => (&[], None),
    };
    let sentence = error.to_string();
    let message = if status == StatusCode::INTERNAL_SERVER_ERROR {
        tracing::error!(error = %sentence, "request failed");
        INTERNAL_ERROR
    } else if status == StatusCode::SERVICE_UNAVAILABLE {
        tracing::error!(error = %sentence, "request failed");
        UNAVAILABLE
    } else {
        &sentence
    };
    let body = ErrorBody { code: &code, message, details, cost_breakdown: costs };
    let mut response = (status, Json(ErrorEnvelope { error: body })).into_response();
    if let Error::TooManyGuesses { seconds, .. }
    | Error::TooManyWithdrawals { seconds }
    | Error::BridgeUnavailable { seconds: Some(seconds) } = error
    {
        response.headers_mut().insert(RETRY_AFTER, (*seconds).into());
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, UNAVAILABLE_SECONDS.into());
    }
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// The answer to a method that a path does not have.
pub(crate) async fn method_not_allowed() -> Response {
    let message = "This path does not support the method. The header Allow lists the supported methods.";
    response(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message, &[])
}

pub(crate) const UNAVAILABLE: &str =
    "The service cannot read or write its data at the moment. Try again after the seconds in Retry-After.";
/// The `Retry-After` of 503.
const UNAVAILABLE_SECONDS: u32 = 5;

pub(crate) const INTERNAL_ERROR: &str =
    "An internal error occurred. Try again; if it stays, report the X-Request-Id of this answer.";

/// The answer if a handler panicked.
pub(crate) fn internal_error() -> Response {
    response(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", INTERNAL_ERROR, &[])
}

/// The answer to unknown paths of the API.
pub(crate) fn unknown_route() -> Response {
    response(
        StatusCode::NOT_FOUND,
        "NotFound",
        "There is nothing at this path. The API is described at /api/docs.",
        &[],
    )
}
