//! From an HTTP response to an answer of the contract, or to the error that it means.

use super::{
    check,
    error::{BridgeError, Rejected, Unavailable},
    json, missing_fields,
};
use crate::http::HttpResponse;
use domain::{Problems, RefusalCode, Timestamp};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The timeout of a whole call: resolving the name, connecting, reading the answer, and the second attempt of a look-up.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// How many bytes an answer may have.
pub const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// The body of a successful response.
pub(crate) fn success_body(response: HttpResponse, now: Timestamp) -> Result<Vec<u8>, BridgeError> {
    success_body_up_to(MAX_ANSWER_BYTES, response, now)
}

/// The body of a successful response, with another limit of bytes.
pub(crate) fn success_body_up_to(
    max_bytes: usize,
    response: HttpResponse,
    now: Timestamp,
) -> Result<Vec<u8>, BridgeError> {
    let status = response.status;
    match status {
        200..=299 if response.body.len() > max_bytes => {
            let mut problems = Problems::default();
            problems.add("", RefusalCode::OutOfRange, format!("expected at most {max_bytes} bytes"));
            Err(BridgeError::BadAnswer(problems))
        }
        200..=299 => Ok(response.body),
        408 | 429 | 500.. => Err(Unavailable::Status { status, wait_seconds: response.wait_seconds(now) }.into()),
        _ => Err(Rejected { status }.into()),
    }
}

/// Parses an answer of the contract. The error names every missing field, not only the first one.
pub(crate) fn parse_answer<T: DeserializeOwned + JsonSchema>(body: &[u8]) -> Result<T, BridgeError> {
    json::parse(body).map_err(|Problems(mut problems)| {
        let Problems(missing) = missing_fields::missing::<T>(body);
        problems.retain(|(field, _)| missing.iter().all(|(known, _)| known != field));
        problems.extend(missing);
        BridgeError::BadAnswer(check::shortened(Problems(problems)))
    })
}

/// An error if there are problems.
pub(crate) fn ensure_valid(problems: Problems) -> Result<(), BridgeError> {
    if problems.0.is_empty() { Ok(()) } else { Err(BridgeError::BadAnswer(problems)) }
}
