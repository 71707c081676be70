//! Hands mail to the operator's server, or writes it into a folder.

use super::{
    message,
    outgoing::{InlineImage, OutgoingMail},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    transport::smtp::{self, PoolConfig},
};
use std::{net::IpAddr, path::PathBuf, time::Duration};
use url::{Host, Url};

/// The timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout for the whole SMTP session, because lettre only limits connecting.
const SESSION_TIMEOUT: Duration = Duration::from_secs(100);
/// How many connections to the server are pooled.
const MAX_CONNECTIONS: u32 = 4;

/// Sends mail.
#[derive(Debug, Clone)]
pub struct Mailer {
    transport: MailTransport,
    from: Address,
}

#[derive(Debug, Clone)]
enum MailTransport {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
}

/// Why a mail was not sent. It never contains the server's text, which may name the recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// The mail will never be accepted.
    #[error("the mail was refused{}", suffix(*.0))]
    Refused(Option<u16>),
    /// Another attempt may succeed.
    #[error("the mail could not be sent{}", suffix(*.0))]
    Unavailable(Option<u16>),
}

fn suffix(code: Option<u16>) -> String {
    code.map(|code| format!(" ({code})")).unwrap_or_default()
}

/// Why the operator's settings for mail are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailerError {
    /// The URL of the server is invalid.
    #[error(
        "SMTP_URL: expected smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST:587?tls=required, smtp://localhost:25 or \
         file://FOLDER"
    )]
    Url,
    /// A password would be sent without encryption.
    #[error("SMTP_URL: expected ?tls=required or smtps://, because a password goes to another machine")]
    Clear,
    /// The sender's address is invalid.
    #[error("RETOUR_MAIL_FROM: expected an e-mail address, such as returns@example.com")]
    From,
}

impl Mailer {
    /// Sends mail from an address: to the server at a URL, or into the folder of a `file://` URL.
    pub fn new(url: &str, from: &str) -> Result<Self, MailerError> {
        let from = from.trim().parse().map_err(|_| MailerError::From)?;
        let parsed = Url::parse(url).map_err(|_| MailerError::Url)?;
        let transport = match parsed.scheme() {
            "file" => MailTransport::Folder(folder(url).ok_or(MailerError::Url)?),
            "smtp" | "smtps" => MailTransport::Smtp(server(url, &parsed)?),
            _ => return Err(MailerError::Url),
        };
        Ok(Self { transport, from })
    }

    /// Sends a mail. When this returns, the server has accepted it.
    pub async fn send(&self, mail: OutgoingMail) -> Result<(), MailError> {
        match &self.transport {
            MailTransport::Smtp(server) => {
                let message = message::build(&self.from, mail).map_err(|_| MailError::Refused(None))?;
                let sent = tokio::time::timeout(SESSION_TIMEOUT, server.send(message)).await;
                sent.map_err(|_| MailError::Unavailable(None))?.map(drop).map_err(|error| mail_error(&error))
            }
            MailTransport::Folder(folder) => {
                let (name, html) = (mail.id.clone(), standalone_html(&mail));
                let message = message::build(&self.from, mail).map_err(|_| MailError::Refused(None))?;
                let written = write_files(folder, &name, &message.formatted(), html.as_bytes()).await;
                written.map_err(|_| MailError::Unavailable(None))
            }
        }
    }
}

/// The folder of `file://data/mails`, relative to the current directory. A URL parser would read `data` as a host.
fn folder(url: &str) -> Option<PathBuf> {
    url.strip_prefix("file://").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn server(url: &str, parsed: &Url) -> Result<AsyncSmtpTransport<Tokio1Executor>, MailerError> {
    let is_this_machine = match parsed.host() {
        // The parser does not know the scheme, so it returns addresses as names.
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(MailerError::Url),
    };
    let is_encrypted =
        parsed.scheme() == "smtps" || parsed.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
    if parsed.password().is_some() && !is_encrypted && !is_this_machine {
        return Err(MailerError::Clear);
    }
    let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| MailerError::Url)?;
    Ok(server.timeout(Some(CONNECT_TIMEOUT)).pool_config(PoolConfig::new().max_size(MAX_CONNECTIONS)).build())
}

/// Writes two files: one for a mail program, and one for a browser.
async fn write_files(folder: &PathBuf, name: &str, message: &[u8], html: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    tokio::fs::write(folder.join(format!("{name}.eml")), message).await?;
    tokio::fs::write(folder.join(format!("{name}.html")), html).await
}

/// The HTML with its images in it, so that a browser can show it alone.
fn standalone_html(mail: &OutgoingMail) -> String {
    mail.pictures.iter().fold(mail.html.clone(), |html, InlineImage { cid, media_type, bytes }| {
        html.replace(&format!("cid:{cid}"), &format!("data:{media_type};base64,{}", STANDARD.encode(bytes)))
    })
}

/// Only an error about the recipient's address is permanent. Every other one may be about us or about the moment, and the
/// operator may fix it.
fn mail_error(error: &smtp::Error) -> MailError {
    /// The mailbox is unavailable, not local, or not an address (RFC 5321); the domain accepts no mail (RFC 7504).
    const MAILBOX_CODES: [u16; 4] = [550, 551, 553, 556];
    let code = error.status().map(u16::from);
    let text = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    let is_about_address = text.split_whitespace().next().is_none_or(is_about_address);
    match code {
        Some(known) if MAILBOX_CODES.contains(&known) && is_about_address => MailError::Refused(code),
        _ => MailError::Unavailable(code),
    }
}

/// Whether the first word of a response is about an address or a mailbox. A word that is not an enhanced status code
/// (RFC 3463) counts as such.
fn is_about_address(word: &str) -> bool {
    let is_code = word.split('.').count() == 3 && word.split('.').all(|part| part.parse::<u16>().is_ok());
    !is_code || word.starts_with("5.1.") || word == "5.2.1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_status_codes_of_addresses_are_about_the_address() {
        for word in ["5.1.1", "5.1.10", "5.2.1", "no", "<ada@example.com>:", "550"] {
            assert!(is_about_address(word), "{word}");
        }
        for word in ["5.7.1", "5.4.5", "5.2.2", "5.7.26"] {
            assert!(!is_about_address(word), "{word}");
        }
    }

    #[tokio::test] // the connection pool needs a runtime from the start
    async fn a_password_is_not_sent_without_encryption() {
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
