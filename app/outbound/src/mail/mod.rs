//! Mail by SMTP (RFC 5321), or written into a folder during development.

mod mailer;
mod message;
mod outgoing;

pub use mailer::{MailError, Mailer, MailerError};
pub use outgoing::{InlineImage, MailAttachment, OutgoingMail};
