//! What a use case says when it cannot do what it was asked.

use domain::{Refusal, RefusalCode, costs::CostBreakdown};
use serde::Serialize;
use std::{fmt, panic::Location};
use store::StoreError;

/// Why a use case did nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing, or it is somebody else's: nobody can tell which.
    #[error("There is nothing here.")]
    NotFound,
    /// The account is not known.
    #[error("There is no shop of that name.")]
    UnknownAccount,
    /// Order number and proof do not belong together.
    #[error("No order was found for these details. Check the order number and the e-mail address or postal code.")]
    InvalidOrderCredentials,
    /// E-mail and password of a user do not belong together.
    #[error("No user was found for these details. Check the e-mail address and the password.")]
    InvalidCredentials,
    /// A token that sets a password is wrong, used or over.
    #[error("This invitation is wrong, used or over. Ask an administrator for a new one.")]
    InvalidInvitation,
    /// Somebody has guessed wrong too often.
    #[error("{}", too_many_guesses(link.as_deref()))]
    TooManyGuesses {
        /// Until there may be more.
        seconds: i64,
        /// The page that sends a link to the shopper's orders, where the account sends any.
        link: Option<String>,
    },
    /// Too many withdrawals came from one address.
    #[error("Too many withdrawals came from this address today. Try again after the seconds in Retry-After.")]
    TooManyWithdrawals {
        /// Until there may be more.
        seconds: i64,
    },
    /// The credential is missing, wrong, expired or revoked.
    #[error("Send a valid credential: Authorization: Bearer <token or API key>.")]
    Unauthorized,
    /// The credential is valid but not for this.
    #[error("This credential may not do that: {0}")]
    Forbidden(&'static str),
    /// Fields with bad values.
    #[error("Some fields have values that are not allowed.")]
    Invalid(Vec<FieldError>),
    /// A rule says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What a draft was made of has changed since.
    #[error("{refusal}")]
    Outdated {
        /// What has changed.
        refusal: Refusal,
        /// Which purchases.
        details: Vec<FieldError>,
        /// What it would come to now, when it can still be done at all.
        costs: Option<Box<CostBreakdown>>,
    },
    /// It is no longer the version that the caller has seen.
    #[error("It has changed since you read it: it is version {0} now. Read it again, then decide.")]
    PreconditionFailed(i64),
    /// The key was used for another request.
    #[error("This Idempotency-Key was used for a different request. Use a new key for each request.")]
    IdempotencyMismatch,
    /// The answer to be repeated bears a secret, and another credential has asked for it.
    #[error(
        "This Idempotency-Key was used with another credential, and the answer, which holds a secret, is for that one alone. Use a new key."
    )]
    Sealed,
    /// More is found than can be looked through.
    #[error("Too many people are found by this. Search for more of the number, name or e-mail address.")]
    SearchTooBroad,
    /// The database failed.
    #[error(transparent)]
    Store(StoreError),
    /// The label could not be drawn.
    #[error(transparent)]
    Label(#[from] outbound::labels::LabelError),
    /// Files cannot be kept or found: the disk or the S3 server failed.
    #[error(transparent)]
    Files(#[from] outbound::files::FilesError),
    /// The merchant's shop could not be asked.
    #[error("The shop cannot be asked at the moment. Try again in a few minutes.")]
    BridgeUnavailable {
        /// Until it may be there again, where that is known.
        seconds: Option<i64>,
    },
    /// The merchant's shop did not answer in time.
    #[error("The shop did not answer in time. Try again in a few minutes.")]
    BridgeTimedOut,
    /// Whoever takes the account's payments could not be asked for a page to pay on.
    #[error("The page to pay on could not be opened. Try again in a few minutes.")]
    PaymentUnavailable,
    /// A secret was kept under another key of the operator's.
    #[error("a secret cannot be decrypted: RETOUR_SECRET_KEY is not the key that it was kept under")]
    LostSecret,
    /// A bug, or something that must be there is missing.
    #[error("Something broke on our side.")]
    Broken(#[source] Broken),
}

/// Where the code found that something is broken, and the error that it found. For the log of the operator.
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

/// Turns what must not happen into [`Error::Broken`], with the place in the code.
pub(crate) trait OrBroken<T> {
    /// The value that must be there.
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

/// One field with a bad value: where it is, what is wrong and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldError {
    /// Path in the body: `selectedPurchases[0].quantity`.
    pub field: String,
    /// The reason, as a word for programs.
    pub code: RefusalCode,
    /// The reason as a sentence for people. May change.
    pub message: String,
}

impl FieldError {
    /// An error of one field.
    pub fn new(field: impl Into<String>, code: RefusalCode, message: impl Into<String>) -> Self {
        Self { field: field.into(), code, message: message.into() }
    }
}

/// Tells all that is wrong at once; nothing, when nothing is.
pub(crate) fn check(problems: domain::Problems) -> Result<(), Error> {
    if problems.0.is_empty() {
        return Ok(());
    }
    // More than anybody reads, when a long list is wrong from its beginning to its end.
    let shown = problems.0.into_iter().take(MOST_TOLD);
    Err(Error::Invalid(shown.map(|(field, refusal)| FieldError::new(field, refusal.code, refusal.message)).collect()))
}

const MOST_TOLD: usize = 100;

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
            error => Self::Store(error),
        }
    }
}

impl Error {
    /// Something is broken at the place of the call.
    #[track_caller]
    pub fn broken() -> Self {
        Self::Broken(Broken { at: Location::caller(), cause: None })
    }

    /// One bad field.
    pub fn invalid(field: impl Into<String>, code: RefusalCode, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldError::new(field, code, message)])
    }

    /// What kind it is, for those who make HTTP or sentences of it.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound | Self::UnknownAccount => ErrorCode::NotFound,
            Self::InvalidOrderCredentials => ErrorCode::InvalidOrderCredentials,
            Self::InvalidCredentials => ErrorCode::InvalidCredentials,
            Self::InvalidInvitation => ErrorCode::InvalidInvitation,
            Self::TooManyGuesses { .. } | Self::TooManyWithdrawals { .. } => ErrorCode::TooManyRequests,
            Self::Sealed => ErrorCode::Conflict,
            Self::Unauthorized => ErrorCode::Unauthorized,
            Self::Forbidden(_) => ErrorCode::Forbidden,
            Self::Invalid(_) | Self::SearchTooBroad => ErrorCode::ValidationFailed,
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
    /// 422 for a key that came with another request before.
    IdempotencyKeyReused,
    /// 409 or 422, by the rule's code.
    Refused(RefusalCode),
    /// 502.
    BridgeUnavailable,
    /// 504.
    BridgeTimedOut,
    /// 502: of the portal alone.
    PaymentUnavailable,
    /// 503: the database is not there, busy, full, read-only or damaged.
    ServiceUnavailable,
    /// 500.
    InternalError,
}

/// What every use case returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;
