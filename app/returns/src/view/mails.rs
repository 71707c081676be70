//! Sent mails, as the API shows them.

use domain::{
    MailId, ReturnOrderId, Timestamp,
    mail::{Mail, MailStatus},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A mail to a shopper. The recipient's address is not stored with it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Mail")]
pub struct MailView {
    /// Unique identifier of the mail.
    pub id: MailId,
    /// The kind of mail, in a word: the state of a return, such as `Ready` or `Done`, `HandInReminder` or
    /// `PaymentReminder`, `SignIn` for a link that a shopper requested, `Draft` for a link to a draft that staff prepared, or
    /// `Withdrawal` for the acknowledgement of a withdrawal.
    pub about: String,
    /// The return order that the mail is about; `null`: none.
    pub return_order_id: Option<ReturnOrderId>,
    /// The language of the mail (BCP 47); `null`: the account's.
    pub language: Option<String>,
    /// Whether the mail was sent.
    pub status: MailStatus,
    /// The number of attempts to send it.
    pub attempts: u32,
    /// The reply code of the mail server that refused the mail (SMTP, RFC 5321).
    pub error_code: Option<u16>,
    /// When the mail was sent or given up.
    pub created_at: Timestamp,
}

impl From<Mail> for MailView {
    fn from(mail: Mail) -> Self {
        Self {
            id: mail.id,
            about: mail.about,
            return_order_id: mail.return_order_id,
            language: Some(mail.language).filter(|language| !language.is_empty()),
            status: mail.status,
            attempts: mail.attempts,
            error_code: mail.error_code,
            created_at: mail.created_at,
        }
    }
}
