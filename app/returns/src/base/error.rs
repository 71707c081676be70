//! Why a use case fails.

use domain::{Refusal, RefusalCode, costs::CostBreakdown};
use serde::Serialize;
use std::{fmt, panic::Location};
use store::StoreError;

/// Why a use case did nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The object does not exist, or belongs to another party. The error does not say which.
    #[error("The resource does not exist.")]
    NotFound,
    /// The account is unknown.
    #[error("There is no shop with this name.")]
    UnknownAccount,
    /// The order number and the proof do not belong together.
    #[error("No order was found for these details. Check the order number and the e-mail address or postal code.")]
    InvalidOrderCredentials,
    /// The e-mail address and the password of a user do not belong together.
    #[error("No user was found for these details. Check the e-mail address and the password.")]
    InvalidCredentials,
    /// The password is right, and the user has a second factor.
    #[error("Enter a code of your authenticator app, or a recovery code.")]
    SecondFactorRequired,
    /// The code of the second factor is wrong, was used before, or has expired.
    #[error("{}", wrong_code(*.left))]
    WrongCode {
        /// How many more codes this sign-in may try. 0: it has ended.
        left: u32,
    },
    /// The passkey is unknown, its answer is wrong, or its challenge was used before or has expired.
    #[error("This passkey was not accepted. Try again, or sign in with your password.")]
    WrongPasskey,
    /// The session is valid, but what it asks for needs a recent proof.
    #[error("Confirm that it is you: this needs your password or a code from the last ten minutes.")]
    ConfirmationRequired,
    /// The token that sets a password is wrong, used or expired.
    #[error("This link is invalid, used or expired. Request a new one, or ask an administrator.")]
    InvalidInvitation,
    /// Too many wrong guesses.
    #[error("{}", too_many_guesses(link.as_deref()))]
    TooManyGuesses {
        /// Seconds until another guess is allowed.
        seconds: i64,
        /// The page that mails the shopper a link to their orders, if the account sends mails.
        link: Option<String>,
    },
    /// Too many withdrawals from one address.
    #[error("Too many withdrawals came from this address today. Try again after the seconds in Retry-After.")]
    TooManyWithdrawals {
        /// Seconds until another withdrawal is allowed.
        seconds: i64,
    },
    /// The credential is missing, wrong, expired or revoked.
    #[error("Send a valid credential: Authorization: Bearer <token or API key>.")]
    Unauthorized,
    /// The credential is valid but does not allow this.
    #[error("This credential does not allow the request: {0}")]
    Forbidden(String),
    /// Fields with invalid values.
    #[error("Some fields have values that are not allowed.")]
    Invalid(Vec<FieldError>),
    /// A rule refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The basis of a draft has changed since it was made.
    #[error("{refusal}")]
    Outdated {
        /// What has changed.
        refusal: Refusal,
        /// The purchases that are affected.
        details: Vec<FieldError>,
        /// The costs of the same selection now, if it can still be submitted.
        costs: Option<Box<CostBreakdown>>,
    },
    /// The object's version is no longer the one that the request names. Holds the current version.
    #[error("The object has changed since you read it. Its version is now {0}. Read it again, then decide.")]
    PreconditionFailed(i64),
    /// The key was used for another request.
    #[error("This Idempotency-Key was used for a different request. Use a new key for each request.")]
    IdempotencyMismatch,
    /// The stored response holds a secret, and the request has another credential than the original one.
    #[error(
        "This Idempotency-Key was used with another credential. The response contains a secret, and only that \
         credential may repeat the request. Use a new key."
    )]
    Sealed,
    /// The search matches more than can be searched.
    #[error("The search matches too many people. Enter more of the number, name or e-mail address.")]
    SearchTooBroad,
    /// The page number is beyond the rows that several filters may compare.
    #[error("Several filters have no page numbers this far. Start at the first page, and follow nextPage.")]
    PageTooFar,
    /// The database failed.
    #[error(transparent)]
    Store(StoreError),
    /// The label could not be drawn.
    #[error(transparent)]
    Label(#[from] outbound::labels::LabelError),
    /// Files cannot be stored or read: the disk or the S3 server failed.
    #[error(transparent)]
    Files(#[from] outbound::files::FilesError),
    /// The merchant's shop could not be reached.
    #[error("The shop cannot be reached at the moment. Try again in a few minutes.")]
    BridgeUnavailable {
        /// Seconds until it may be available again, if known.
        seconds: Option<i64>,
    },
    /// The merchant's shop did not answer in time.
    #[error("The shop did not answer in time. Try again in a few minutes.")]
    BridgeTimedOut,
    /// The account's payment provider made no payment page.
    #[error("The payment page could not be opened. Try again in a few minutes.")]
    PaymentUnavailable,
    /// A stored secret was encrypted with another key of the operator.
    #[error("a secret cannot be decrypted: RETOUR_SECRET_KEY is not the key that encrypted it")]
    LostSecret,
    /// A bug, or something that must exist is missing.
    #[error("An internal error occurred.")]
    Broken(#[source] Broken),
}

/// The place in the code that found something broken, and the error found there. For the operator's log.
#[derive(Debug)]
pub struct Broken {
    at: &'static Location<'static>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.at.file(), self.at.line())?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, ": {cause}"))
    }
}

impl std::error::Error for Broken {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

/// Turns a result that must not happen into [`Error::Broken`], with the place in the code.
pub trait OrBroken<T> {
    /// Returns the value, which must exist.
    fn or_broken(self) -> Result<T>;
}

impl<T> OrBroken<T> for Option<T> {
    #[track_caller]
    fn or_broken(self) -> Result<T> {
        match self {
            Some(value) => Ok(value),
            None => Err(Error::broken()),
        }
    }
}

impl<T, E: std::error::Error + Send + Sync + 'static> OrBroken<T> for Result<T, E> {
    #[track_caller]
    fn or_broken(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(cause) => Err(Error::Broken(Broken { at: Location::caller(), cause: Some(Box::new(cause)) })),
        }
    }
}

/// A field with an invalid value: its path, the reason and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldError {
    /// Path in the body: `selectedPurchases[0].quantity`.
    pub field: String,
    /// The reason, as a code for programs.
    pub code: RefusalCode,
    /// The reason as a sentence for people. May change.
    pub message: String,
}

impl FieldError {
    /// Creates the error of one field.
    pub fn new(field: impl Into<String>, code: RefusalCode, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into() }
    }
}

/// Returns all problems in one error, or `Ok` if there are none.
pub(crate) fn check(problems: domain::Problems) -> Result<(), Error> {
    if problems.0.is_empty() {
        return Ok(());
    }
    // A long list that is wrong from beginning to end has more problems than anybody reads.
    let shown = problems.0.into_iter().take(MOST_TOLD);
    Err(Error::Invalid(shown.map(|(field, refusal)| FieldError::new(field, refusal.code, refusal.message)).collect()))
}

const MOST_TOLD: usize = 100;

fn wrong_code(left: u32) -> &'static str {
    match left {
        0 => "This code is wrong, was used before or has expired. Sign in with your password again.",
        _ => "This code is wrong, was used before or has expired. Enter the code that the app shows now.",
    }
}

fn too_many_guesses(link: Option<&str>) -> String {
    let often = "Too many failed attempts today.";
    match link {
        Some(link) => format!("{often} Request a sign-in link: {link}. Or try again after the seconds in Retry-After."),
        None => {
            format!("{often} Try again after the seconds in Retry-After, or from a network where you succeeded before.")
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::SearchTooBroad => Self::SearchTooBroad,
            StoreError::PageTooFar => Self::PageTooFar,
            error => Self::Store(error),
        }
    }
}

impl Error {
    /// Reports a bug at the place of the call.
    #[track_caller]
    pub fn broken() -> Self {
        Self::Broken(Broken { at: Location::caller(), cause: None })
    }

    /// Creates the error of one field.
    pub fn invalid(field: impl Into<String>, code: RefusalCode, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldError::new(field, code, message)])
    }

    /// The kind of error, from which HTTP responses and sentences are made.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound | Self::UnknownAccount => ErrorCode::NotFound,
            Self::InvalidOrderCredentials => ErrorCode::InvalidOrderCredentials,
            Self::InvalidCredentials => ErrorCode::InvalidCredentials,
            Self::SecondFactorRequired => ErrorCode::SecondFactorRequired,
            Self::WrongCode { .. } => ErrorCode::WrongCode,
            Self::WrongPasskey => ErrorCode::WrongPasskey,
            Self::ConfirmationRequired => ErrorCode::ConfirmationRequired,
            Self::InvalidInvitation => ErrorCode::InvalidInvitation,
            Self::TooManyGuesses { .. } | Self::TooManyWithdrawals { .. } => ErrorCode::TooManyRequests,
            Self::Sealed => ErrorCode::Conflict,
            Self::Unauthorized => ErrorCode::Unauthorized,
            Self::Forbidden(_) => ErrorCode::Forbidden,
            Self::Invalid(_) | Self::SearchTooBroad | Self::PageTooFar => ErrorCode::ValidationFailed,
            Self::IdempotencyMismatch => ErrorCode::IdempotencyKeyReused,
            Self::PreconditionFailed(_) => ErrorCode::PreconditionFailed,
            Self::Refused(refusal) | Self::Outdated { refusal, .. } => ErrorCode::Refused(refusal.code),
            Self::BridgeUnavailable { .. } => ErrorCode::BridgeUnavailable,
            Self::BridgeTimedOut => ErrorCode::BridgeTimedOut,
            Self::PaymentUnavailable => ErrorCode::PaymentUnavailable,
            Self::Store(error) if error.is_unavailable() => ErrorCode::ServiceUnavailable,
            Self::Store(_) | Self::Label(_) | Self::Files(_) | Self::LostSecret | Self::Broken(_) => {
                ErrorCode::InternalError
            }
        }
    }
}

/// The kinds of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// 404.
    NotFound,
    /// 401 for a wrong order number or proof.
    InvalidOrderCredentials,
    /// 401 for a wrong e-mail or password.
    InvalidCredentials,
    /// 401 for a missing code of a second factor.
    SecondFactorRequired,
    /// 401 for a wrong code of a second factor.
    WrongCode,
    /// 401 for a passkey that was not accepted.
    WrongPasskey,
    /// 403 for a proof that is too old.
    ConfirmationRequired,
    /// 401 for a wrong invitation.
    InvalidInvitation,
    /// 429.
    TooManyRequests,
    /// 409.
    Conflict,
    /// 401.
    Unauthorized,
    /// 403.
    Forbidden,
    /// 412.
    PreconditionFailed,
    /// 422.
    ValidationFailed,
    /// 422 for a key that was used with another request.
    IdempotencyKeyReused,
    /// 409 or 422, by the rule's code.
    Refused(RefusalCode),
    /// 502.
    BridgeUnavailable,
    /// 504.
    BridgeTimedOut,
    /// 502. Only the portal uses it.
    PaymentUnavailable,
    /// 503: the database is unreachable, busy, full, read-only or damaged.
    ServiceUnavailable,
    /// 500.
    InternalError,
}

/// The result of every use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;
