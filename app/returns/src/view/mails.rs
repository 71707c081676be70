//! What became of mail, as the API shows it.

use domain::{
    MailId, ReturnOrderId, Timestamp,
    mail::{Mail, MailStatus},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A mail to a shopper. To whom it was is not kept with it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Mail")]
pub struct MailView {
    /// Unique identifier of the mail.
    pub id: MailId,
    /// What it told, in a word: where a return stood, such as `Ready` or `Done`, `HandInReminder` or `PaymentReminder`, or
    /// `SignIn` for a link that somebody asked for, or `Withdrawal` for the acknowledgement of one.
    pub about: String,
    /// The return order that the mail is about; `null`: none.
    pub return_order_id: Option<ReturnOrderId>,
    /// The language of the mail (BCP 47); `null`: the account's.
    pub language: Option<String>,
    /// Whether the mail was sent.
    pub status: MailStatus,
    /// The number of attempts to send it.
    pub attempts: u32,
    /// The mail server's answer where it said no (SMTP, RFC 5321).
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
