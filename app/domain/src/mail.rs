//! Mails to shoppers and their delivery status.

use crate::base::{
    id::{MailId, ReturnOrderId},
    timestamp::Timestamp,
};

/// A mail that was sent or has finally failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The identifier; the first part of its `Message-ID`.
    pub id: MailId,
    /// The kind of news in the mail, in a word.
    pub about: String,
    /// The return that it is about, if any.
    pub return_order_id: Option<ReturnOrderId>,
    /// The language, BCP 47.
    pub language: String,
    /// The delivery status.
    pub status: MailStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// The server's last refusal (SMTP, RFC 5321).
    pub error_code: Option<u16>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The states of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum MailStatus {
    /// The mail server accepted it.
    Sent,
    /// The server rejected it, or could not be reached for a day.
    Failed,
}

string_enum!(MailStatus);

enum_names!(MailStatus { Sent, Failed });

/// What a mail tells a user.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum StaffNotice {
    /// An invitation, with a link that sets a password.
    Invitation,
    /// The user has forgotten the password: a link that sets another one.
    PasswordReset,
    /// Somebody signed in from a device or network where the user had not signed in for 90 days.
    NewDevice {
        /// Browser and system.
        device: String,
        /// The address, cut to a network.
        network: String,
    },
    /// The user's way of signing in has changed.
    Changed(SignInChange),
    /// Many sign-ins failed in a row.
    FailedSignIns {
        /// How many.
        count: u32,
    },
}

/// A change of the way that a user signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SignInChange {
    /// A new password.
    Password,
    /// An authenticator app was set up.
    AppAdded,
    /// The authenticator app was removed.
    AppRemoved,
    /// New recovery codes.
    RecoveryCodes,
    /// An administrator removed the second factor.
    FactorsReset,
}

impl StaffNotice {
    /// The kind of mail, in a word.
    pub fn about(&self) -> &'static str {
        match self {
            Self::Invitation => "StaffInvitation",
            Self::PasswordReset => "StaffPassword",
            Self::NewDevice { .. } => "StaffNewDevice",
            Self::Changed(_) => "StaffSignInChanged",
            Self::FailedSignIns { .. } => "StaffFailedSignIns",
        }
    }
}
