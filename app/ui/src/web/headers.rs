//! Reading HTTP headers: cookies and `Accept`.

use axum::http::{HeaderMap, header};

/// The names and values of the cookies of a request.
pub fn cookies(headers: &HeaderMap) -> Vec<(String, String)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Islands accept JSON; browsers that send a form accept pages.
pub fn wants_json(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    accepts.contains("application/json") && !accepts.contains("text/html")
}
