//! Documents that do not change while the program runs. They are created once and have an `ETag`. A client that has the same `ETag`
//! gets 304.

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

/// Marks an answer whose bytes are in memory once for all clients, so that no client's budget is charged with them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedBytes;

/// A document that is the same for every client.
#[derive(Debug)]
pub(crate) struct StaticDocument {
    text: Bytes,
    tag: String,
    headers: Vec<(HeaderName, &'static str)>,
}

impl StaticDocument {
    /// A document with this text and these headers.
    pub(crate) fn new(text: String, headers: &[(HeaderName, &'static str)]) -> Self {
        // The tag is weak: a strong tag would have to differ for each compression of the text.
        let mut tag = String::from("W/\"");
        for byte in Sha256::digest(text.as_bytes()).iter().take(TAG_BYTES) {
            let _ = write!(tag, "{byte:02x}"); // writing to a string cannot fail
        }
        tag.push('"');
        Self { text: text.into(), tag, headers: headers.to_vec() }
    }

    /// Answers with the document, or with 304 if the client has it already.
    pub(crate) fn answer(&self, request: &HeaderMap) -> Response {
        let is_known = is_known(&self.tag, request);
        let mut answer = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            (Extension(SharedBytes), self.text.clone()).into_response()
        };
        let headers = answer.headers_mut();
        // Clients may cache it, and have to ask each time whether it has changed.
        let own = [(header::CACHE_CONTROL, "no-cache"), (header::ETAG, self.tag.as_str())];
        for (name, value) in own.into_iter().chain(self.headers.iter().map(|(name, value)| (name.clone(), *value))) {
            if let Ok(value) = value.parse() {
                headers.insert(name, value);
            }
        }
        if is_known {
            headers.remove(header::CONTENT_TYPE); // an empty body has no type
        }
        answer
    }
}

/// Whether `If-None-Match` names the tag: `*`, or a list with it, strong or weak (RFC 9110, section 13.1.2).
fn is_known(tag: &str, request: &HeaderMap) -> bool {
    let lines = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    // Splitting at commas is safe: our tags contain none, so no part of another tag equals one of ours.
    let mut tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    tags.any(|known| known == "*" || opaque(known) == opaque(tag))
}

/// A tag without the prefix of weak tags.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn if_none_match_matches_every_form_of_a_tag() {
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
    fn different_texts_have_different_tags() {
        let (one, two) = (StaticDocument::new("one".to_owned(), &[]), StaticDocument::new("two".to_owned(), &[]));
        assert_ne!(one.tag, two.tag);
        assert_eq!(one.tag, StaticDocument::new("one".to_owned(), &[]).tag);
    }
}
