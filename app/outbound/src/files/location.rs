//! Where a bucket is: from `s3://BUCKET/PREFIX` to the URLs of its objects.

use super::error::FilesError;
use crate::http::Endpoint;

/// A bucket, and the prefix of our objects in it.
#[derive(Debug)]
pub(super) struct BucketLocation {
    /// Its name, for messages.
    pub bucket: String,
    /// Its URL, without a trailing slash.
    url: String,
    /// The prefix of our object names: empty, or with a trailing slash.
    prefix: String,
}

impl BucketLocation {
    /// Parses `BUCKET` or `BUCKET/PREFIX`, at the given endpoint or at AWS's endpoint of the region.
    pub(super) fn parse(text: &str, region: &str, endpoint: Option<&str>) -> Result<Self, FilesError> {
        let (bucket, prefix) = text.split_once('/').unwrap_or((text, ""));
        let prefix = prefix.trim_end_matches('/');
        let is_valid = is_name(bucket) && (prefix.is_empty() || prefix.split('/').all(is_name));
        if !is_valid {
            return Err(FilesError::BadUrl);
        }
        let url = match endpoint {
            // Self-hosted servers rarely have a host name for each bucket.
            Some(endpoint) => format!("{}/{bucket}", server(endpoint)?),
            None => at_aws(bucket, region),
        };
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let location = Self { bucket: bucket.to_owned(), url, prefix };
        location.object("check")?;
        Ok(location)
    }

    /// The URL of an object.
    pub(super) fn object(&self, name: &str) -> Result<Endpoint, FilesError> {
        Endpoint::parse(&format!("{}/{}{name}", self.url, self.prefix)).map_err(|_| FilesError::BadUrl)
    }

    /// The URL of the bucket's versioning configuration.
    pub(super) fn versioning(&self) -> Result<Endpoint, FilesError> {
        Endpoint::parse(&format!("{}/?versioning", self.url)).map_err(|_| FilesError::BadUrl)
    }
}

/// Only characters that are never percent-encoded, so that every server computes the same signature; and no `.` or `..`.
fn is_name(segment: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    segment.bytes().all(is_plain) && segment.bytes().any(|byte| byte != b'.')
}

/// The URL of an S3 server, without a trailing slash.
fn server(endpoint: &str) -> Result<String, FilesError> {
    let parsed = Endpoint::parse(endpoint).ok().filter(|_| !endpoint.contains('?'));
    let parsed = parsed.ok_or(FilesError::Setting(
        "AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL): expected a URL such as https://s3.example.com",
    ))?;
    Ok(parsed.as_str().trim_end_matches('/').to_owned())
}

fn at_aws(bucket: &str, region: &str) -> String {
    let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
    // AWS's wildcard certificate covers one label only, so a bucket name with dots goes into the path.
    if bucket.contains('.') {
        return format!("https://s3.{region}.{domain}/{bucket}");
    }
    format!("https://{bucket}.s3.{region}.{domain}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_urls() {
        for (place, region, endpoint, url) in [
            ("shop", "eu-west-1", None, "https://shop.s3.eu-west-1.amazonaws.com/a/b"),
            ("shop/", "eu-west-1", None, "https://shop.s3.eu-west-1.amazonaws.com/a/b"),
            ("shop/x/y", "eu-west-1", None, "https://shop.s3.eu-west-1.amazonaws.com/x/y/a/b"),
            ("my.shop", "eu-west-1", None, "https://s3.eu-west-1.amazonaws.com/my.shop/a/b"),
            ("shop", "cn-north-1", None, "https://shop.s3.cn-north-1.amazonaws.com.cn/a/b"),
            ("shop/x/", "garage", Some("http://10.0.0.7:3900"), "http://10.0.0.7:3900/shop/x/a/b"),
            ("shop", "auto", Some("https://s3.example.com/here/"), "https://s3.example.com/here/shop/a/b"),
        ] {
            let parsed = BucketLocation::parse(place, region, endpoint).unwrap();
            assert_eq!(parsed.object("a/b").unwrap().as_str(), url);
        }
    }

    #[test]
    fn an_invalid_bucket_or_endpoint_is_rejected() {
        for place in ["", "/x", "shop//x", "shop/../other", "shop/.", "shop?x", "shop/a b", "user@shop", "shop:1"] {
            assert!(matches!(BucketLocation::parse(place, "eu-west-1", None), Err(FilesError::BadUrl)), "{place}");
        }
        for endpoint in ["s3.example.com", "ftp://x", "https://a:b@x", "https://x/?y=1"] {
            let error = BucketLocation::parse("shop", "eu-west-1", Some(endpoint)).unwrap_err();
            assert!(error.to_string().contains("AWS_ENDPOINT_URL_S3"), "{endpoint}: {error}");
        }
    }
}
