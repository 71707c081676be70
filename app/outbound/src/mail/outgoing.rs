//! A mail before it is sent.

/// A mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutgoingMail {
    /// The basis of its `Message-ID`. A repeated attempt has the same id, so that receivers recognize a duplicate.
    pub id: String,
    /// The sender's display name.
    pub from_name: String,
    /// The recipient's address.
    pub to: String,
    /// Where replies go; `None`: to the sender.
    pub reply_to: Option<String>,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The same text as HTML.
    pub html: String,
    /// Images that the HTML shows.
    pub pictures: Vec<InlineImage>,
    /// Attached files.
    pub files: Vec<MailAttachment>,
    /// The URL to unsubscribe, which also accepts an empty `POST` (RFC 8058); `None` for mail that everyone gets.
    pub decline: Option<String>,
}

/// An attached file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAttachment {
    /// The file name.
    pub name: String,
    /// The media type, such as `application/pdf`.
    pub media_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// An image that the HTML shows by a `cid:` URL (RFC 2392). It is part of the mail, so that mail programs load nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineImage {
    /// The id in the HTML, without angle brackets.
    pub cid: String,
    /// The media type, such as `image/png`.
    pub media_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}
