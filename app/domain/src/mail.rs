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
