//! Why a payment provider gave no usable answer.

use crate::http::CallError;

/// Why there is no usable answer. Each sentence is for the merchant and contains no personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// There was no answer, or not in time.
    #[error("The payment provider did not answer: {0}")]
    NoAnswer(CallError),
    /// The provider is unavailable for the moment.
    #[error("The payment provider answered with status {status}.")]
    Unavailable {
        /// The status.
        status: u16,
        /// `Retry-After`, in seconds.
        wait_seconds: Option<u64>,
    },
    /// The provider rejected the API key.
    #[error("The payment provider does not accept the API key, or the key lacks a permission.")]
    KeyRefused,
    /// The provider does not know the payment.
    #[error(
        "The payment provider does not know this payment. Check that the API key belongs to the provider account that \
         created it."
    )]
    Unknown,
    /// The provider did not say which refunds exist already.
    #[error("An earlier request may have been carried out: {0}")]
    NotLookedAt(Box<Self>),
    /// The provider refused, and did nothing.
    #[error("The payment provider refuses this with status {status}{}{code}.", if code.is_empty() { "" } else { " " })]
    Refused {
        /// The status.
        status: u16,
        /// The provider's error code; may be empty.
        code: String,
    },
    /// A refund that the provider had accepted failed later.
    #[error("A refund failed at the payment provider ({0}); Retour requests it again.")]
    RefundFailed(String),
    /// The answer contradicts the provider's documentation.
    #[error("The payment provider gave an unexpected answer: {0}.")]
    NotUnderstood(&'static str),
}

impl PaymentError {
    /// The name that programs see. It never changes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoAnswer(error) => error.name(),
            Self::Unavailable { .. } => "Unavailable",
            Self::KeyRefused => "KeyRefused",
            Self::Unknown => "Unknown",
            Self::NotLookedAt(error) => error.name(),
            Self::Refused { .. } => "Refused",
            Self::RefundFailed(_) => "RefundFailed",
            Self::NotUnderstood(_) => "NotUnderstood",
        }
    }

    /// Whether it is certain that nothing was done.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::KeyRefused | Self::Unknown | Self::Refused { .. } | Self::RefundFailed(_))
    }

    /// The same error, of the request that reads existing refunds. It says nothing about what was done.
    pub(super) fn while_reading_refunds(self) -> Self {
        Self::NotLookedAt(Box::new(self))
    }

    /// How many seconds the provider asks us to wait.
    pub fn wait_seconds(&self) -> Option<u64> {
        match self {
            Self::Unavailable { wait_seconds, .. } => *wait_seconds,
            Self::NotLookedAt(error) => error.wait_seconds(),
            _ => None,
        }
    }
}
