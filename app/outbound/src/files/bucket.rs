//! Files in a bucket of an S3 server: AWS's, or another's that speaks as it does.
//!
//! A file is small enough to go in one request. The same bytes go under the same name however often they are sent, so
//! that whatever may pass is tried again.

use super::FilesError;
use crate::files::{
    location::Place,
    signing::{S3Settings, Signer, now},
};
use crate::{
    guard::Allowed,
    http::{Answer, Bytes, Call, CallError, Endpoint, Http, Method},
};
use sha2::{Digest as _, Sha256};
use std::{
    fmt, io, process,
    time::{Duration, UNIX_EPOCH},
};
use tokio::time::{sleep, timeout};

/// For one try, with as many bytes as a file may have.
const ONE_TRY: Duration = Duration::from_secs(10);
/// For all of them: somebody waits, and a proxy in front for thirty seconds at most.
const ALL_TRIES: Duration = Duration::from_secs(20);
/// How long between one try and the next.
const PAUSES: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];
/// More than any file of ours has.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Bodies from so many bytes on are hashed where nobody waits.
const LARGE: usize = 64 * 1024;

/// The bucket.
pub(super) struct Bucket {
    place: Place,
    signer: Signer,
    http: Http,
}

/// With its name and no more: keys open it.
impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bucket").field("name", &self.place.bucket).finish_non_exhaustive()
    }
}

impl Bucket {
    /// The bucket at `BUCKET` or `BUCKET/PREFIX`, which is not asked yet.
    pub(super) fn open(place: &str, settings: &S3Settings) -> Result<Self, FilesError> {
        let signer = Signer::new(settings)?;
        let place = Place::parse(place, settings.region()?, settings.endpoint())?;
        // It is the operator's own: it may be inside, where merchants' settings may not lead.
        let http = Http::new(Allowed::inside())?.with_timeout(ONE_TRY);
        Ok(Self { place, signer, http })
    }

    /// Puts a small file, reads it and deletes it: a key that may do less is found out here rather than by a shopper.
    pub(super) async fn check(&self) -> Result<(), FilesError> {
        let tried = self.try_out().await;
        tried.map_err(|error| FilesError::Unusable { bucket: self.place.bucket.clone(), why: why(&error) })
    }

    async fn try_out(&self) -> Result<(), FilesError> {
        // Programs that start at the same moment are not in each other's way.
        let now = now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("check-{}-{}", process::id(), now.as_nanos());
        let written = b"Retour can write here.";
        self.put(&name, Bytes::from_static(written)).await?;
        let read = self.get(&name).await;
        self.delete(&name).await?;
        if read? == written { Ok(()) } else { Err(FilesError::Altered) }
    }

    /// Whether the bucket keeps versions of what is deleted; false where we may not ask.
    pub(super) async fn has_versions(&self) -> bool {
        let Ok(to) = self.place.versioning() else { return false };
        let answer = self.send(Method::GET, &to, Bytes::new()).await;
        answer.is_ok_and(|answer| between(&answer.body, "<Status>", "</Status>") == Some("Enabled"))
    }

    pub(super) async fn put(&self, name: &str, bytes: Bytes) -> Result<(), FilesError> {
        self.send(Method::PUT, &self.place.object(name)?, bytes).await.map(drop)
    }

    pub(super) async fn get(&self, name: &str) -> Result<Vec<u8>, FilesError> {
        let answer = self.send(Method::GET, &self.place.object(name)?, Bytes::new()).await;
        let body = answer.map_err(|error| missing(&Method::GET, error))?.body;
        if body.len() > MOST_BYTES { Err(FilesError::TooLarge) } else { Ok(body) }
    }

    pub(super) async fn exists(&self, name: &str) -> Result<bool, FilesError> {
        let answer = self.send(Method::HEAD, &self.place.object(name)?, Bytes::new()).await;
        match answer.map_err(|error| missing(&Method::HEAD, error)) {
            Err(FilesError::Missing) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), FilesError> {
        let answer = self.send(Method::DELETE, &self.place.object(name)?, Bytes::new()).await;
        match answer.map_err(|error| missing(&Method::DELETE, error)) {
            Err(FilesError::Missing) => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// Makes a request until it comes to something, and for a while only.
    async fn send(&self, method: Method, to: &Endpoint, body: Bytes) -> Result<Answer, FilesError> {
        let sha256 = sha256(body.clone()).await?;
        // On the heap: what asks for a file is asked for by much else, and would grow by all that a request needs.
        let tries = Box::pin(async {
            let mut pauses = PAUSES.into_iter();
            loop {
                let outcome = self.send_once(&method, to, (&body, sha256.as_str())).await;
                match (outcome, pauses.next()) {
                    (Err(error), Some(pause)) if may_pass(&error) => sleep(pause).await,
                    (outcome, _) => return outcome,
                }
            }
        });
        timeout(ALL_TRIES, tries).await.map_err(|_| CallError::TimedOut)?
    }

    async fn send_once(
        &self,
        method: &Method,
        to: &Endpoint,
        (body, sha256): (&Bytes, &str),
    ) -> Result<Answer, FilesError> {
        let headers = self.signer.headers(method, to, sha256)?; // anew each time: it tells when
        let (method, body) = (method.clone(), body.clone());
        let call = Call { to, method, headers: &headers, body, most_read: MOST_BYTES + 1, may_repeat: true };
        let answer = self.http.call(call).await?;
        if (200..300).contains(&answer.status) {
            return Ok(answer);
        }
        Err(FilesError::Refused { status: answer.status, code: code(&answer.body) })
    }
}

async fn sha256(body: Bytes) -> Result<String, FilesError> {
    if body.len() < LARGE {
        return Ok(hex::encode(Sha256::digest(&body)));
    }
    tokio::task::spawn_blocking(move || hex::encode(Sha256::digest(&body)))
        .await
        .map_err(|error| FilesError::Io(io::Error::other(error)))
}

/// What may be otherwise in a moment.
fn may_pass(error: &FilesError) -> bool {
    match error {
        FilesError::Unreachable(error) => matches!(
            error,
            CallError::UnknownHost | CallError::NotConnected | CallError::TimedOut | CallError::BrokenOff
        ),
        FilesError::Refused { status, code } => {
            // The last are said of a body that did not come, or not as it was sent.
            matches!(status, 408 | 429 | 500 | 502..=504)
                || matches!(code.as_str(), "RequestTimeout" | "BadDigest" | "XAmzContentSHA256Mismatch")
        }
        _ => false,
    }
}

/// The server says that there is no such file. A 404 without its word for it may be anybody's on the way, and nothing is deleted
/// by that; to HEAD alone nobody can say why.
fn missing(method: &Method, error: FilesError) -> FilesError {
    match error {
        FilesError::Refused { status: 404, code } if code == "NoSuchKey" || *method == Method::HEAD => {
            FilesError::Missing
        }
        other => other,
    }
}

/// What is wrong, for whoever can mend it.
fn why(error: &FilesError) -> String {
    let FilesError::Refused { status, code } = error else { return error.to_string() };
    let why = match code.as_str() {
        "NoSuchBucket" => "there is none of this name",
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "InvalidToken" | "ExpiredToken" => {
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN is not right"
        }
        "AccessDenied" => "the key may not put, get and delete objects in it",
        "AuthorizationHeaderMalformed" | "PermanentRedirect" | "TemporaryRedirect" => {
            "it is in another region than AWS_REGION says"
        }
        "RequestTimeTooSkewed" => "the clock of this machine is not right",
        _ => return error.to_string(),
    };
    format!("{why} ({status} {code})")
}

/// The server's word for what is wrong, from its XML: a word, or nothing.
fn code(body: &[u8]) -> String {
    let code = between(body, "<Code>", "</Code>").unwrap_or_default();
    let is_word = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_word { code.to_owned() } else { String::new() }
}

fn between<'a>(body: &'a [u8], start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = std::str::from_utf8(body).ok()?.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_of_an_error_and_nothing_else() {
        for (body, word) in [
            ("<Error><Code>NoSuchKey</Code><Message>It is not there.</Message></Error>", "NoSuchKey"),
            ("<Error><Code>No such key</Code></Error>", ""),
            ("<Code></Code>", ""),
            ("<html>Bad Gateway</html>", ""),
        ] {
            assert_eq!(code(body.as_bytes()), word);
        }
        assert_eq!(code(b"<Code>\xFF</Code>"), "");
    }

    #[test]
    fn what_may_pass_is_tried_again_and_a_refusal_is_not() {
        let refused = |status, code: &str| FilesError::Refused { status, code: code.to_owned() };
        for error in [
            FilesError::Unreachable(CallError::NotConnected),
            refused(500, "InternalError"),
            refused(503, "SlowDown"),
            refused(400, "RequestTimeout"),
        ] {
            assert!(may_pass(&error), "{error}");
        }
        for error in [
            FilesError::Unreachable(CallError::TlsFailed),
            refused(403, "AccessDenied"),
            refused(404, "NoSuchKey"),
            refused(501, ""),
        ] {
            assert!(!may_pass(&error), "{error}");
        }
    }

    #[test]
    fn a_bucket_that_is_not_there_is_no_file_that_is_not_there() {
        let told =
            |method: &Method, code: &str| missing(method, FilesError::Refused { status: 404, code: code.to_owned() });
        assert!(matches!(told(&Method::GET, "NoSuchKey"), FilesError::Missing));
        assert!(matches!(told(&Method::HEAD, ""), FilesError::Missing));
        for method in [Method::GET, Method::DELETE] {
            assert!(
                matches!(told(&method, ""), FilesError::Refused { .. }),
                "somebody else on the way may have said it"
            );
            assert!(matches!(told(&method, "NoSuchBucket"), FilesError::Refused { .. }));
        }
    }
}
