//! Documents that do not change while the program runs. They are created once and have an `ETag`; clients with the same `ETag` get 304.

use crate::bodies::SharedByAll;
use axum::{
    Extension,
    body::Bytes,
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Bytes of the hash in an `ETag`.
const TAG_BYTES: usize = 16;

/// A document that is the same for every client.
#[derive(Debug)]
pub(super) struct Fixed {
    text: Bytes,
    tag: String,
    headers: Vec<(HeaderName, &'static str)>,
}

impl Fixed {
    /// The document of that text, with headers of its own besides.
    pub(super) fn new(text: String, headers: &[(HeaderName, &'static str)]) -> Self {
        // Weak: the text is compressed in several codings, which a strong tag would have to tell apart.
        let mut tag = String::from("W/\"");
        for byte in Sha256::digest(text.as_bytes()).iter().take(TAG_BYTES) {
            let _ = write!(tag, "{byte:02x}"); // writing to a text does not fail
        }
        tag.push('"');
        Self { text: text.into(), tag, headers: headers.to_vec() }
    }

    /// The document, or 304 where the request says that the client has it.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let is_known = is_known(&self.tag, request);
        let mut answer = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            (Extension(SharedByAll), self.text.clone()).into_response()
        };
        let headers = answer.headers_mut();
        // Clients may keep it, and ask each time whether it is still the same.
        let standing = [(header::CACHE_CONTROL, "no-cache"), (header::ETAG, self.tag.as_str())];
        for (name, value) in standing.into_iter().chain(self.headers.iter().map(|(name, value)| (name.clone(), *value)))
        {
            if let Ok(value) = value.parse() {
                headers.insert(name, value);
            }
        }
        if is_known {
            headers.remove(header::CONTENT_TYPE); // without a body there is nothing of a type
        }
        answer
    }
}

/// Whether `If-None-Match` names the tag: `*`, or a list with it, strong or weak (RFC 9110, section 13.1.2).
fn is_known(tag: &str, request: &HeaderMap) -> bool {
    let lines = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    // Our tags have no comma, so a tag with one in it never equals ours in parts.
    let mut tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    tags.any(|known| known == "*" || opaque(known) == opaque(tag))
}

/// A tag without the mark of a weak one.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn tags_are_found_in_every_form_that_rfc_9110_has() {
        const TAG: &str = "\"a1\"";
        let asks = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(line));
            }
            is_known(TAG, &headers)
        };
        for known in
            [&["*"][..], &["\"a1\""], &["W/\"a1\""], &["\"b2\", \"a1\""], &["\"b2\",W/\"a1\" "], &["\"b2\"", "\"a1\""]]
        {
            assert!(asks(known), "{known:?}");
        }
        for other in
            [&[][..], &[""], &["a1"], &["\"A1\""], &["\"a1"], &["w/\"a1\""], &["\"x,a1\""], &["\"b2\", \"c3\""]]
        {
            assert!(!asks(other), "{other:?}");
        }
    }

    #[test]
    fn other_texts_have_other_tags() {
        let (one, two) = (Fixed::new("one".to_owned(), &[]), Fixed::new("two".to_owned(), &[]));
        assert_ne!(one.tag, two.tag);
        assert_eq!(one.tag, Fixed::new("one".to_owned(), &[]).tag);
    }
}
