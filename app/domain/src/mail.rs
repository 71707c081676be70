//! What became of mail.

use crate::base::{
    id::{MailId, ReturnOrderId},
    timestamp::Timestamp,
};

/// A mail that was handed over, or never will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Identifier; the first part of its `Message-ID`.
    pub id: MailId,
    /// What it told, in a word.
    pub about: String,
    /// Of which return, if of one.
    pub return_order_id: Option<ReturnOrderId>,
    /// In which language, BCP 47.
    pub language: String,
    /// What became of it.
    pub status: MailStatus,
    /// How often it was tried.
    pub attempts: u32,
    /// The server's last answer where it said no (SMTP, RFC 5321).
    pub error_code: Option<u16>,
    /// When.
    pub created_at: Timestamp,
}

/// The states of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum MailStatus {
    /// The mail server accepted it.
    Sent,
    /// The server does not take it, or could not be reached for a day.
    Failed,
}

words!(MailStatus);

impl MailStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sent, Self::Failed];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sent => "Sent",
            Self::Failed => "Failed",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}
