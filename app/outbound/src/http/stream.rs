//! A response that is read piece by piece: a file that may be larger than the memory.

use super::{connection::Connection, error::CallError};
use http_body_util::BodyExt as _;
use hyper::{
    Response,
    body::{Bytes, Incoming},
    header::{CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, HeaderName},
};
use std::{fmt, time::Duration};
use tokio::time::timeout;

/// The head of a response, and its body as it arrives. Dropping it closes the connection.
pub struct ResponseStream {
    /// The status code.
    pub status: u16,
    /// The position of the body's first byte in the file: 0, or what `Content-Range` says with status 206. `None`: it says
    /// nothing that can be read.
    pub starts_at: Option<u64>,
    /// The size of the whole file in bytes, as `Content-Range` says with status 206, and `Content-Length` otherwise. `None`: the
    /// server does not say it.
    pub size: Option<u64>,
    body: Incoming,
    idle: Duration,
    _connection: Connection,
}

impl ResponseStream {
    /// `idle`: how long to wait for each piece.
    pub(super) fn new(connection: Connection, response: Response<Incoming>, idle: Duration) -> Self {
        let status = response.status().as_u16();
        let range = text(response.headers(), &CONTENT_RANGE);
        let length = text(response.headers(), &CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let (starts_at, size) =
            if status == 206 { (range.and_then(first_byte), range.and_then(whole_size)) } else { (Some(0), length) };
        Self { status, starts_at, size, body: response.into_body(), idle, _connection: connection }
    }

    /// The next piece, of a few kilobytes; `None` at the end of the body.
    pub async fn next_piece(&mut self) -> Result<Option<Bytes>, CallError> {
        loop {
            let frame = timeout(self.idle, self.body.frame()).await.map_err(|_| CallError::TimedOut)?;
            let Some(frame) = frame else { return Ok(None) };
            let frame = frame.map_err(|_| CallError::BrokenOff)?;
            if let Ok(piece) = frame.into_data() {
                return Ok(Some(piece));
            }
        }
    }
}

impl fmt::Debug for ResponseStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseStream").field("status", &self.status).finish_non_exhaustive()
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The first position in a `Content-Range` field (RFC 9110, 14.4).
fn first_byte(range: &str) -> Option<u64> {
    let (first, _) = range.trim().strip_prefix("bytes ")?.split_once('-')?;
    first.trim().parse().ok()
}

/// The size of the whole file in a `Content-Range` field; `None` if the server does not know it.
fn whole_size(range: &str) -> Option<u64> {
    range.rsplit_once('/')?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{first_byte, whole_size};

    #[test]
    fn the_first_position_of_a_range_is_read() {
        assert_eq!(first_byte("bytes 100-199/200"), Some(100));
        assert_eq!(first_byte("bytes 0-0/*"), Some(0));
        for wrong in ["", "bytes */200", "items 1-2/3", "bytes -5/10", "bytes x-5/10"] {
            assert_eq!(first_byte(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_size_of_the_file_of_a_range_is_read() {
        assert_eq!(whole_size("bytes 100-199/200"), Some(200));
        for unknown in ["", "bytes 0-0/*", "bytes 0-0", "bytes 0-0/x"] {
            assert_eq!(whole_size(unknown), None, "{unknown}");
        }
    }
}
