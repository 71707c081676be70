//! Files in a bucket of an S3 server: AWS, or a compatible one.
//!
//! Files are small enough for one request each. Writing a file twice has the same result as writing it once, so every
//! temporary error is retried.

use super::error::FilesError;
use super::{
    location::BucketLocation,
    signing::{S3Settings, Signer, now},
};
use crate::{
    guard::Allowed,
    http::{Bytes, Call, CallError, Endpoint, Http, HttpResponse, Method},
};
use sha2::{Digest as _, Sha256};
use std::{
    fmt, io, process,
    time::{Duration, UNIX_EPOCH},
};
use tokio::time::{sleep, timeout};

/// The timeout of one attempt, for the largest file.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
/// The time for all attempts: a client is waiting, and many proxies give up after 30 seconds.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(20);
/// The pauses between attempts.
const RETRY_PAUSES: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];
/// More than any file of ours has: uploads are limited to less.
const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;
/// Bodies of this size and above are hashed on a blocking thread.
const LARGE_BYTES: usize = 64 * 1024;

/// The bucket.
pub(super) struct Bucket {
    location: BucketLocation,
    signer: Signer,
    http: Http,
}

/// Shows only the bucket's name, not the keys.
impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bucket").field("name", &self.location.bucket).finish_non_exhaustive()
    }
}

impl Bucket {
    /// The bucket of `BUCKET` or `BUCKET/PREFIX`, without contacting its server.
    pub(super) fn open(location: &str, settings: &S3Settings) -> Result<Self, FilesError> {
        let signer = Signer::new(settings)?;
        let location = BucketLocation::parse(location, settings.region()?, settings.endpoint())?;
        // The operator configures this server, so it may be inside the operator's network.
        let http = Http::new(Allowed::inside())?.with_timeout(ATTEMPT_TIMEOUT);
        Ok(Self { location, signer, http })
    }

    /// Writes, reads and deletes a small file, so that a key with too few permissions fails at start and not at a shopper's upload.
    pub(super) async fn check(&self) -> Result<(), FilesError> {
        let result = self.round_trip().await;
        result.map_err(|error| FilesError::Unusable { bucket: self.location.bucket.clone(), why: explanation(&error) })
    }

    async fn round_trip(&self) -> Result<(), FilesError> {
        // A name of its own, because several instances may start at the same moment.
        let now = now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("check-{}-{}", process::id(), now.as_nanos());
        let written = b"Retour can write here.";
        self.put(&name, Bytes::from_static(written)).await?;
        let read = self.get(&name).await;
        self.delete(&name).await?;
        if read? == written { Ok(()) } else { Err(FilesError::Altered) }
    }

    /// Whether the bucket keeps old versions of deleted objects. False if the key may not ask.
    pub(super) async fn has_versioning(&self) -> bool {
        let Ok(to) = self.location.versioning() else { return false };
        let answer = self.send(Method::GET, &to, Bytes::new()).await;
        answer.is_ok_and(|answer| between(&answer.body, "<Status>", "</Status>") == Some("Enabled"))
    }

    pub(super) async fn put(&self, name: &str, bytes: Bytes) -> Result<(), FilesError> {
        self.send(Method::PUT, &self.location.object(name)?, bytes).await.map(drop)
    }

    pub(super) async fn get(&self, name: &str) -> Result<Vec<u8>, FilesError> {
        let answer = self.send(Method::GET, &self.location.object(name)?, Bytes::new()).await;
        let body = answer.map_err(|error| as_missing(&Method::GET, error))?.body;
        if body.len() > MAX_FILE_BYTES { Err(FilesError::TooLarge) } else { Ok(body) }
    }

    pub(super) async fn exists(&self, name: &str) -> Result<bool, FilesError> {
        let answer = self.send(Method::HEAD, &self.location.object(name)?, Bytes::new()).await;
        match answer.map_err(|error| as_missing(&Method::HEAD, error)) {
            Err(FilesError::Missing) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), FilesError> {
        let answer = self.send(Method::DELETE, &self.location.object(name)?, Bytes::new()).await;
        match answer.map_err(|error| as_missing(&Method::DELETE, error)) {
            Err(FilesError::Missing) => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// Sends a request, and retries temporary errors within [`TOTAL_TIMEOUT`].
    async fn send(&self, method: Method, to: &Endpoint, body: Bytes) -> Result<HttpResponse, FilesError> {
        let sha256 = sha256(body.clone()).await?;
        // Boxed, because this future is part of many larger ones and would enlarge them all.
        let attempts = Box::pin(async {
            let mut pauses = RETRY_PAUSES.into_iter();
            loop {
                let result = self.send_once(&method, to, &body, &sha256).await;
                match (result, pauses.next()) {
                    (Err(error), Some(pause)) if is_temporary(&error) => sleep(pause).await,
                    (result, _) => return result,
                }
            }
        });
        timeout(TOTAL_TIMEOUT, attempts).await.map_err(|_| CallError::TimedOut)?
    }

    async fn send_once(
        &self,
        method: &Method,
        to: &Endpoint,
        body: &Bytes,
        sha256: &str,
    ) -> Result<HttpResponse, FilesError> {
        let headers = self.signer.headers(method, to, sha256)?; // signed for each attempt: the signature expires
        let (method, body) = (method.clone(), body.clone());
        let call =
            Call { to, method, headers: &headers, body, max_response_bytes: MAX_FILE_BYTES + 1, is_repeatable: true };
        let answer = self.http.call(call).await?;
        if (200..300).contains(&answer.status) {
            return Ok(answer);
        }
        Err(FilesError::Refused { status: answer.status, code: error_code(&answer.body) })
    }
}

async fn sha256(body: Bytes) -> Result<String, FilesError> {
    if body.len() < LARGE_BYTES {
        return Ok(hex::encode(Sha256::digest(&body)));
    }
    tokio::task::spawn_blocking(move || hex::encode(Sha256::digest(&body)))
        .await
        .map_err(|error| FilesError::Io(io::Error::other(error)))
}

/// Whether a retry may succeed.
fn is_temporary(error: &FilesError) -> bool {
    match error {
        FilesError::Unreachable(error) => matches!(
            error,
            CallError::UnknownHost | CallError::NotConnected | CallError::TimedOut | CallError::BrokenOff
        ),
        FilesError::Refused { status, code } => {
            // These codes mean that the body did not arrive, or arrived damaged.
            matches!(status, 408 | 429 | 500 | 502..=504)
                || matches!(code.as_str(), "RequestTimeout" | "BadDigest" | "XAmzContentSHA256Mismatch")
        }
        _ => false,
    }
}

/// Turns the server's `NoSuchKey` into [`FilesError::Missing`]. A 404 without that code may come from a proxy, and must not make us
/// believe that a file is gone. Responses to HEAD have no body, so there the status suffices.
fn as_missing(method: &Method, error: FilesError) -> FilesError {
    match error {
        FilesError::Refused { status: 404, code } if code == "NoSuchKey" || *method == Method::HEAD => {
            FilesError::Missing
        }
        other => other,
    }
}

/// What is wrong and which setting to change, for the operator.
fn explanation(error: &FilesError) -> String {
    let FilesError::Refused { status, code } = error else { return error.to_string() };
    let explanation = match code.as_str() {
        "NoSuchBucket" => "there is no bucket with this name",
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "InvalidToken" | "ExpiredToken" => {
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN is wrong"
        }
        "AccessDenied" => "the key may not put, get and delete objects in it",
        "AuthorizationHeaderMalformed" | "PermanentRedirect" | "TemporaryRedirect" => {
            "the bucket is in another region than AWS_REGION"
        }
        "RequestTimeTooSkewed" => "the clock of this machine is wrong",
        _ => return error.to_string(),
    };
    format!("{explanation} ({status} {code})")
}

/// The error code in the server's XML. Anything that is not a single word is ignored.
fn error_code(body: &[u8]) -> String {
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
    fn only_the_code_of_an_error_is_read() {
        for (body, word) in [
            ("<Error><Code>NoSuchKey</Code><Message>It is not there.</Message></Error>", "NoSuchKey"),
            ("<Error><Code>No such key</Code></Error>", ""),
            ("<Code></Code>", ""),
            ("<html>Bad Gateway</html>", ""),
        ] {
            assert_eq!(error_code(body.as_bytes()), word);
        }
        assert_eq!(error_code(b"<Code>\xFF</Code>"), "");
    }

    #[test]
    fn temporary_errors_are_retried_and_refusals_are_not() {
        let refused = |status, code: &str| FilesError::Refused { status, code: code.to_owned() };
        for error in [
            FilesError::Unreachable(CallError::NotConnected),
            refused(500, "InternalError"),
            refused(503, "SlowDown"),
            refused(400, "RequestTimeout"),
        ] {
            assert!(is_temporary(&error), "{error}");
        }
        for error in [
            FilesError::Unreachable(CallError::TlsFailed),
            refused(403, "AccessDenied"),
            refused(404, "NoSuchKey"),
            refused(501, ""),
        ] {
            assert!(!is_temporary(&error), "{error}");
        }
    }

    #[test]
    fn a_missing_bucket_is_not_a_missing_file() {
        let mapped = |method: &Method, code: &str| {
            as_missing(method, FilesError::Refused { status: 404, code: code.to_owned() })
        };
        assert!(matches!(mapped(&Method::GET, "NoSuchKey"), FilesError::Missing));
        assert!(matches!(mapped(&Method::HEAD, ""), FilesError::Missing));
        for method in [Method::GET, Method::DELETE] {
            assert!(matches!(mapped(&method, ""), FilesError::Refused { .. }), "a proxy may have sent this 404");
            assert!(matches!(mapped(&method, "NoSuchBucket"), FilesError::Refused { .. }));
        }
    }
}
