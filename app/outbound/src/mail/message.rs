//! The MIME message of a mail.

use super::outgoing::{InlineImage, OutgoingMail};
use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};

/// The mail cannot be a message: an address or a media type is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidMail;

/// Builds the message.
pub(super) fn build(from: &Address, mail: OutgoingMail) -> Result<Message, InvalidMail> {
    let to: Address = mail.to.parse().map_err(|_| InvalidMail)?;
    let id = format!("<{}@{}>", mail.id, from.domain());
    let envelope = Envelope::new(Some(from.clone()), vec![to.clone()]).map_err(|_| InvalidMail)?;
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(one_line(&mail.from_name)), from.clone()))
        .to(Mailbox::new(None, to))
        .subject(one_line(&mail.subject))
        .message_id(Some(id))
        .date_now()
        .envelope(envelope)
        // Prevents automatic replies such as out-of-office notices (RFC 3834).
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
    if let Some(reply_to) = mail.reply_to.and_then(|address| address.parse().ok()) {
        builder = builder.reply_to(Mailbox::new(None, reply_to));
    }
    if let Some(url) = mail.decline {
        builder = builder
            .raw_header(header("List-Unsubscribe", format!("<{url}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
    }
    let body = body(mail.text, mail.html, mail.pictures)?;
    let all = mail.files.into_iter().try_fold(MultiPart::mixed().multipart(body), |all, file| {
        let media_type = ContentType::parse(file.media_type).map_err(|_| InvalidMail)?;
        Ok(all.singlepart(Attachment::new(file.name).body(file.bytes, media_type)))
    })?;
    builder.multipart(all).map_err(|_| InvalidMail)
}

/// The plain text and the HTML as alternatives. Images are related to the HTML only (RFC 2387).
fn body(plain: String, html: String, images: Vec<InlineImage>) -> Result<MultiPart, InvalidMail> {
    if images.is_empty() {
        return Ok(MultiPart::alternative_plain_html(plain, html));
    }
    let related = MultiPart::related().singlepart(SinglePart::html(html));
    let related = images.into_iter().try_fold(related, |related, image| {
        let media_type = ContentType::parse(image.media_type).map_err(|_| InvalidMail)?;
        Ok(related.singlepart(Attachment::new_inline(image.cid).body(image.bytes, media_type)))
    })?;
    Ok(MultiPart::alternative().singlepart(SinglePart::plain(plain)).multipart(related))
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

/// Replaces control characters, so that a text cannot start another header.
fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{super::outgoing::MailAttachment, *};

    fn mail() -> OutgoingMail {
        OutgoingMail {
            id: "1-Ready".to_owned(),
            from_name: "Ash and Alder".to_owned(),
            to: "ada@example.com".to_owned(),
            reply_to: Some("help@shop.example".to_owned()),
            subject: "Rücksendung\r\nBcc: eve@example.com".to_owned(),
            text: "Hello".to_owned(),
            html: "<p>Hello</p>".to_owned(),
            pictures: Vec::new(),
            files: vec![MailAttachment {
                name: "label.pdf".to_owned(),
                media_type: "application/pdf",
                bytes: b"%PDF".to_vec(),
            }],
            decline: Some("https://returns.example/x".to_owned()),
        }
    }

    #[test]
    fn a_message_has_the_standard_headers() {
        let from: Address = "returns@example.com".parse().unwrap();
        let message = String::from_utf8(build(&from, mail()).unwrap().formatted()).unwrap();
        for line in [
            "From: \"Ash and Alder\" <returns@example.com>",
            "To: ada@example.com",
            "Reply-To: help@shop.example",
            "Message-ID: <1-Ready@example.com>",
            "Auto-Submitted: auto-generated",
            "List-Unsubscribe: <https://returns.example/x>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "Content-Disposition: attachment; filename=\"label.pdf\"",
        ] {
            assert!(message.lines().any(|one| one == line), "{line} is not in\n{message}");
        }
        assert!(!message.lines().any(|line| line.starts_with("Bcc")), "{message}");
    }

    #[test]
    fn images_are_related_to_the_html() {
        let from: Address = "returns@example.com".parse().unwrap();
        let image =
            InlineImage { cid: "code-1@retour".to_owned(), media_type: "image/png", bytes: b"\x89PNG".to_vec() };
        let html = r#"<img src="cid:code-1@retour" alt="">"#.to_owned();
        let mail = OutgoingMail { html, pictures: vec![image], files: Vec::new(), ..mail() };
        let message = String::from_utf8(build(&from, mail).unwrap().formatted()).unwrap();
        let places =
            ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"].map(|kind| {
                message.find(&format!("Content-Type: {kind}")).unwrap_or_else(|| panic!("{kind} is not in\n{message}"))
            });
        assert!(places.is_sorted(), "{message}");
        for line in ["Content-ID: <code-1@retour>", "Content-Disposition: inline"] {
            assert!(message.lines().any(|one| one == line), "{line} is not in\n{message}");
        }
    }

    #[test]
    fn an_invalid_address_is_rejected() {
        let from: Address = "returns@example.com".parse().unwrap();
        for to in ["", "ada", "ada@", "a@b.example\r\nRCPT TO:<eve@example.com>", "a@b.example, c@d.example"] {
            let mail = OutgoingMail { to: to.to_owned(), ..mail() };
            assert_eq!(build(&from, mail).unwrap_err(), InvalidMail, "{to}");
        }
    }
}
