//! Mail, handed to the operator's server by SMTP (RFC 5321), or laid into a folder where one develops.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    address::Envelope,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::{self, PoolConfig},
};
use std::{net::IpAddr, path::PathBuf, time::Duration};
use url::{Host, Url};

/// How long connecting may take.
const CONNECTS_WITHIN: Duration = Duration::from_secs(20);
/// How long the whole conversation may: lettre itself bounds nothing but connecting.
const PATIENCE: Duration = Duration::from_secs(100);
/// Connections to the server that are kept.
const CONNECTIONS: u32 = 4;

/// Who hands mail over.
#[derive(Debug, Clone)]
pub struct Mailer {
    way: Way,
    from: Address,
}

#[derive(Debug, Clone)]
enum Way {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
}

/// A mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Letter {
    /// What makes its `Message-ID`: the same each time that it is tried, so that a receiver can tell a repeat.
    pub id: String,
    /// Whose name it comes under.
    pub from_name: String,
    /// To whom.
    pub to: String,
    /// Who reads answers; `None`: nobody but whoever reads the sender's.
    pub reply_to: Option<String>,
    /// What it is about.
    pub subject: String,
    /// As plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Pictures that the HTML shows.
    pub pictures: Vec<Picture>,
    /// What goes with it.
    pub files: Vec<Enclosed>,
    /// Where mail of its kind is declined, by an empty `POST` as well (RFC 8058); `None`: it is needed.
    pub decline: Option<String>,
}

/// A file that goes with a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    /// Its name.
    pub name: String,
    /// What it is, such as `application/pdf`.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A picture that the HTML of a mail shows by `cid:` (RFC 2392): it travels with the mail, nothing is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What the HTML calls it, without angle brackets.
    pub cid: String,
    /// What it is, such as `image/png`.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why a mail was not taken. No text of a server's is in it: that may name whom the mail is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// This mail never will be.
    #[error("the mail was refused{}", code(*.0))]
    Refused(Option<u16>),
    /// Nobody knows about the next time.
    #[error("the mail could not be handed over{}", code(*.0))]
    Unavailable(Option<u16>),
}

fn code(code: Option<u16>) -> String {
    code.map(|code| format!(" ({code})")).unwrap_or_default()
}

/// Why mail cannot be sent by what the operator said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailerError {
    /// No address that mail is handed to.
    #[error(
        "SMTP_URL: expected smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST:587?tls=required, smtp://localhost:25 or \
         file://FOLDER"
    )]
    Url,
    /// A password would travel for all to read.
    #[error("SMTP_URL: expected ?tls=required, or smtps://, where a password goes to another machine")]
    Clear,
    /// No address that mail comes from.
    #[error("RETOUR_MAIL_FROM: expected an e-mail address, such as returns@example.com")]
    From,
}

impl Mailer {
    /// One that hands mail to the server at a URL, or lays it into the folder of a `file://` one, from an address.
    pub fn new(url: &str, from: &str) -> Result<Self, MailerError> {
        let from = from.trim().parse().map_err(|_| MailerError::From)?;
        let parsed = Url::parse(url).map_err(|_| MailerError::Url)?;
        let way = match parsed.scheme() {
            "file" => Way::Folder(folder(url).ok_or(MailerError::Url)?),
            "smtp" | "smtps" => Way::Smtp(server(url, &parsed)?),
            _ => return Err(MailerError::Url),
        };
        Ok(Self { way, from })
    }

    /// Hands a mail over. When this returns, the server has it.
    pub async fn send(&self, letter: Letter) -> Result<(), MailError> {
        let name = letter.id.clone();
        let html = if matches!(self.way, Way::Folder(_)) { shown_alone(&letter) } else { String::new() };
        let message = message(&self.from, letter)?;
        match &self.way {
            Way::Smtp(server) => {
                let sent = tokio::time::timeout(PATIENCE, server.send(message)).await;
                sent.map_err(|_| MailError::Unavailable(None))?.map_err(|error| what_went_wrong(&error))?;
            }
            Way::Folder(folder) => lay_down(folder, &name, &message.formatted(), html.as_bytes())
                .await
                .map_err(|_| MailError::Unavailable(None))?,
        }
        Ok(())
    }
}

/// Also `file://data/mails`, which is meant from where the program runs: as a URL it would have a host.
fn folder(url: &str) -> Option<PathBuf> {
    url.strip_prefix("file://").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn server(url: &str, parsed: &Url) -> Result<AsyncSmtpTransport<Tokio1Executor>, MailerError> {
    let is_here = match parsed.host() {
        // Of a scheme that it does not know, a URL's addresses are names.
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(MailerError::Url),
    };
    let is_secret =
        parsed.scheme() == "smtps" || parsed.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
    if parsed.password().is_some() && !is_secret && !is_here {
        return Err(MailerError::Clear);
    }
    let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| MailerError::Url)?;
    Ok(server.timeout(Some(CONNECTS_WITHIN)).pool_config(PoolConfig::new().max_size(CONNECTIONS)).build())
}

/// As the development of a page wants it: to be opened by a mail program, and by a browser.
async fn lay_down(folder: &PathBuf, name: &str, message: &[u8], html: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    tokio::fs::write(folder.join(format!("{name}.eml")), message).await?;
    tokio::fs::write(folder.join(format!("{name}.html")), html).await
}

/// The HTML as it is shown without its mail around it: its pictures stand in it.
fn shown_alone(letter: &Letter) -> String {
    letter.pictures.iter().fold(letter.html.clone(), |html, Picture { cid, media_type, bytes }| {
        html.replace(&format!("cid:{cid}"), &format!("data:{media_type};base64,{}", STANDARD.encode(bytes)))
    })
}

fn message(from: &Address, letter: Letter) -> Result<Message, MailError> {
    let refused = MailError::Refused(None);
    let to: Address = letter.to.parse().map_err(|_| refused)?;
    let id = format!("<{}@{}>", letter.id, from.domain());
    let envelope = Envelope::new(Some(from.clone()), vec![to.clone()]).map_err(|_| refused)?;
    let mut builder = Message::builder()
        .from(Mailbox::new(Some(one_line(&letter.from_name)), from.clone()))
        .to(Mailbox::new(None, to))
        .subject(one_line(&letter.subject))
        .message_id(Some(id))
        .date_now()
        .envelope(envelope)
        // Whoever is away does not answer it (RFC 3834).
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
    if let Some(reply_to) = letter.reply_to.and_then(|address| address.parse().ok()) {
        builder = builder.reply_to(Mailbox::new(None, reply_to));
    }
    if let Some(decline) = letter.decline {
        builder = builder
            .raw_header(header("List-Unsubscribe", format!("<{decline}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
    }
    let words = words(letter.text, letter.html, letter.pictures)?;
    let all = letter.files.into_iter().try_fold(MultiPart::mixed().multipart(words), |all, file| {
        let media_type = ContentType::parse(file.media_type).map_err(|_| refused)?;
        Ok(all.singlepart(Attachment::new(file.name).body(file.bytes, media_type)))
    })?;
    builder.multipart(all).map_err(|_| refused)
}

/// The text as plain text and as HTML; pictures are related to the HTML alone (RFC 2387).
fn words(plain: String, html: String, pictures: Vec<Picture>) -> Result<MultiPart, MailError> {
    if pictures.is_empty() {
        return Ok(MultiPart::alternative_plain_html(plain, html));
    }
    let shown = MultiPart::related().singlepart(SinglePart::html(html));
    let shown = pictures.into_iter().try_fold(shown, |shown, picture| {
        let media_type = ContentType::parse(picture.media_type).map_err(|_| MailError::Refused(None))?;
        Ok(shown.singlepart(Attachment::new_inline(picture.cid).body(picture.bytes, media_type)))
    })?;
    Ok(MultiPart::alternative().singlepart(SinglePart::plain(plain)).multipart(shown))
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

/// Nothing that somebody wrote begins another header.
fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}

/// What is refused for good: an address that there is not. All else may be about us or about today, and an operator may
/// mend it.
fn what_went_wrong(error: &smtp::Error) -> MailError {
    /// Mailbox unavailable, not local, or not an address (RFC 5321); a domain that takes no mail (RFC 7504).
    const OF_MAILBOXES: [u16; 4] = [550, 551, 553, 556];
    let code = error.status().map(u16::from);
    let told = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let is_of_address = told.split_whitespace().next().is_none_or(is_of_address);
    match code {
        Some(known) if OF_MAILBOXES.contains(&known) && is_of_address => MailError::Refused(code),
        _ => MailError::Unavailable(code),
    }
}

/// Whether an answer's first word is no enhanced status code (RFC 3463), or one of addresses and mailboxes.
fn is_of_address(word: &str) -> bool {
    let is_code = word.split('.').count() == 3 && word.split('.').all(|part| part.parse::<u16>().is_ok());
    !is_code || word.starts_with("5.1.") || word == "5.2.1"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter() -> Letter {
        Letter {
            id: "1-Ready".to_owned(),
            from_name: "Ash and Alder".to_owned(),
            to: "ada@example.com".to_owned(),
            reply_to: Some("help@shop.example".to_owned()),
            subject: "Rücksendung\r\nBcc: eve@example.com".to_owned(),
            text: "Hello".to_owned(),
            html: "<p>Hello</p>".to_owned(),
            pictures: Vec::new(),
            files: vec![Enclosed {
                name: "label.pdf".to_owned(),
                media_type: "application/pdf",
                bytes: b"%PDF".to_vec(),
            }],
            decline: Some("https://returns.example/x".to_owned()),
        }
    }

    #[test]
    fn a_mail_has_the_headers_that_its_receivers_heed() {
        let from: Address = "returns@example.com".parse().unwrap();
        let mail = String::from_utf8(message(&from, letter()).unwrap().formatted()).unwrap();
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
            assert!(mail.lines().any(|one| one == line), "{line} is not in\n{mail}");
        }
        assert!(!mail.lines().any(|line| line.starts_with("Bcc")), "{mail}");
    }

    #[test]
    fn pictures_are_related_to_the_html() {
        let from: Address = "returns@example.com".parse().unwrap();
        let picture = Picture { cid: "code-1@retour".to_owned(), media_type: "image/png", bytes: b"\x89PNG".to_vec() };
        let html = r#"<img src="cid:code-1@retour" alt="">"#.to_owned();
        let letter = Letter { html, pictures: vec![picture], files: Vec::new(), ..letter() };
        let mail = String::from_utf8(message(&from, letter).unwrap().formatted()).unwrap();
        let places =
            ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"].map(|kind| {
                mail.find(&format!("Content-Type: {kind}")).unwrap_or_else(|| panic!("{kind} is not in\n{mail}"))
            });
        assert!(places.is_sorted(), "{mail}");
        for line in ["Content-ID: <code-1@retour>", "Content-Disposition: inline"] {
            assert!(mail.lines().any(|one| one == line), "{line} is not in\n{mail}");
        }
    }

    #[test]
    fn what_is_about_us_or_about_today_is_not_about_an_address() {
        for word in ["5.1.1", "5.1.10", "5.2.1", "no", "<ada@example.com>:", "550"] {
            assert!(is_of_address(word), "{word}");
        }
        for word in ["5.7.1", "5.4.5", "5.2.2", "5.7.26"] {
            assert!(!is_of_address(word), "{word}");
        }
    }

    #[test]
    fn nobody_gets_what_has_no_address() {
        let from: Address = "returns@example.com".parse().unwrap();
        for to in ["", "ada", "ada@", "a@b.example\r\nRCPT TO:<eve@example.com>", "a@b.example, c@d.example"] {
            let letter = Letter { to: to.to_owned(), ..letter() };
            assert_eq!(message(&from, letter).unwrap_err(), MailError::Refused(None), "{to}");
        }
    }

    #[tokio::test] // a pool of connections is looked after from the beginning
    async fn a_password_is_not_sent_for_all_to_read() {
        let mailer = |url: &str| Mailer::new(url, "returns@example.com").map(drop);
        assert_eq!(mailer("smtp://me:secret@mail.example.com:25"), Err(MailerError::Clear));
        assert_eq!(mailer("smtp://me:secret@mail.example.com:25?tls=opportunistic"), Err(MailerError::Clear));
        for good in [
            "smtp://me:secret@mail.example.com:587?tls=required",
            "smtps://me:secret@mail.example.com",
            "smtp://127.0.0.1:2525",
            "smtp://me:secret@localhost:25",
            "smtp://me:secret@127.0.0.1:25",
            "smtp://me:secret@[::1]:25",
            "file://data/mails",
        ] {
            assert_eq!(mailer(good), Ok(()), "{good}");
        }
        for bad in ["", "mail.example.com", "https://mail.example.com", "smtp://", "file://"] {
            assert_eq!(mailer(bad), Err(MailerError::Url), "{bad}");
        }
        assert_eq!(Mailer::new("smtp://localhost", "us").map(drop), Err(MailerError::From));
    }
}
