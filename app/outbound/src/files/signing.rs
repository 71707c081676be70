//! Access to a bucket: the settings that AWS's own programs read, and signed requests (Signature Version 4).
//!
//! The signature covers the body, so that the server rejects a request that was changed in transit.

use super::error::FilesError;
use crate::http::{Endpoint, Method};
use aws_credential_types::Credentials;
use aws_sigv4::{
    http_request::{
        PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningParams, SigningSettings,
        UriPathNormalizationMode, sign,
    },
    sign::v4,
};
use std::{fmt, iter, time::SystemTime};

/// The credentials and the location of a bucket's server. An empty text means "not set".
#[derive(Clone, Default)]
pub struct S3Settings {
    /// `AWS_ACCESS_KEY_ID`
    pub access_key_id: String,
    /// `AWS_SECRET_ACCESS_KEY`
    pub secret_access_key: String,
    /// `AWS_SESSION_TOKEN`
    pub session_token: String,
    /// `AWS_REGION` or `AWS_DEFAULT_REGION`
    pub region: String,
    /// `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`: an S3 server other than AWS
    pub endpoint: String,
}

/// Does not show the credentials.
impl fmt::Debug for S3Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Settings").finish_non_exhaustive()
    }
}

impl S3Settings {
    pub(super) fn endpoint(&self) -> Option<&str> {
        Some(self.endpoint.as_str()).filter(|endpoint| !endpoint.is_empty())
    }

    /// The region. Servers other than AWS rarely check it; `us-east-1` is what most of them use.
    pub(super) fn region(&self) -> Result<&str, FilesError> {
        let region = match self.region.as_str() {
            "" if self.endpoint.is_empty() => {
                return Err(FilesError::Setting(
                    "expected AWS_REGION, such as eu-central-1, or AWS_ENDPOINT_URL_S3 with a server's address",
                ));
            }
            "" => "us-east-1",
            region => region,
        };
        if region.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
            return Ok(region);
        }
        Err(FilesError::Setting("AWS_REGION (or AWS_DEFAULT_REGION): expected a region such as eu-central-1"))
    }
}

/// Signs requests.
pub(super) struct Signer {
    credentials: Credentials,
    region: String,
}

impl Signer {
    pub(super) fn new(settings: &S3Settings) -> Result<Self, FilesError> {
        let (id, secret) = (settings.access_key_id.as_str(), settings.secret_access_key.as_str());
        if id.is_empty() || secret.is_empty() {
            return Err(FilesError::Setting("expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"));
        }
        let token = Some(settings.session_token.clone()).filter(|token| !token.is_empty());
        let credentials = Credentials::new(id, secret, token, None, "environment");
        Ok(Self { credentials, region: settings.region()?.to_owned() })
    }

    /// The header fields of a signed request. `sha256` is the hash of its body in hexadecimal digits.
    pub(super) fn headers(
        &self,
        method: &Method,
        to: &Endpoint,
        sha256: &str,
    ) -> Result<Vec<(&'static str, String)>, FilesError> {
        let identity = self.credentials.clone().into();
        let params = v4::SigningParams::builder().identity(&identity).region(&self.region).name("s3");
        let params = params.time(now()).settings(s3_signing_settings()).build();
        let params: SigningParams<'_> = params.map_err(|_| FilesError::Unsigned)?.into();
        let body = SignableBody::Precomputed(sha256.to_owned());
        let request = SignableRequest::new(method.as_str(), to.as_str(), iter::empty(), body);
        let signed = sign(request.map_err(|_| FilesError::Unsigned)?, &params).map_err(|_| FilesError::Unsigned)?;
        let (headers, _) = signed.into_parts().0.into_parts();
        Ok(headers.iter().map(|header| (header.name(), header.value().to_owned())).collect())
    }
}

/// The real time, even in tests with a fixed clock: the server compares it with its own.
#[expect(
    clippy::disallowed_methods,
    reason = "the S3 server checks the time of a signature; nothing else depends on it"
)]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

fn s3_signing_settings() -> SigningSettings {
    let mut settings = SigningSettings::default();
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    settings
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn settings() -> S3Settings {
        let text = str::to_owned;
        S3Settings {
            access_key_id: text("AKIDEXAMPLE"),
            secret_access_key: text("very-secret"),
            region: text("eu-west-1"),
            ..S3Settings::default()
        }
    }

    #[test]
    fn a_missing_setting_is_named() {
        let missing = |settings: &S3Settings| Signer::new(settings).err().map(|error| error.to_string());
        assert_eq!(missing(&settings()), None);
        for (settings, name) in [
            (S3Settings { access_key_id: String::new(), ..settings() }, "AWS_ACCESS_KEY_ID"),
            (S3Settings { secret_access_key: String::new(), ..settings() }, "AWS_SECRET_ACCESS_KEY"),
            (S3Settings { region: String::new(), ..settings() }, "AWS_REGION"),
            (S3Settings { region: "eu west".to_owned(), ..settings() }, "AWS_REGION"),
        ] {
            let message = missing(&settings).unwrap();
            assert!(message.starts_with("FILES_URL=s3://…: ") && message.contains(name), "{message}");
        }
        let elsewhere = S3Settings { region: String::new(), endpoint: "http://10.0.0.7".to_owned(), ..settings() };
        assert_eq!(elsewhere.region().unwrap(), "us-east-1");
    }

    #[test]
    fn the_signature_covers_body_and_token_and_debug_shows_no_secret() {
        let settings = S3Settings { session_token: "a-token".to_owned(), ..settings() };
        let to = Endpoint::parse("https://shop.s3.eu-west-1.amazonaws.com/a/b").unwrap();
        let headers = Signer::new(&settings).unwrap().headers(&Method::PUT, &to, "00ff").unwrap();
        let value = |name| headers.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str()).unwrap();
        assert_eq!((value("x-amz-content-sha256"), value("x-amz-security-token")), ("00ff", "a-token"));
        let signed = "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token";
        assert!(value("authorization").contains(signed), "{}", value("authorization"));
        let shown = format!("{settings:?}");
        assert!(!["very-secret", "a-token", "AKIDEXAMPLE"].iter().any(|secret| shown.contains(secret)), "{shown}");
    }
}
