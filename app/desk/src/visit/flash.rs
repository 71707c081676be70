//! A sentence for the next page, in a cookie of a minute. Pages show it once. It contains no personal data.

use axum::http::{HeaderMap, HeaderValue, header};
use ui::web::{
    form::{Fields, encoded},
    headers::cookies,
};

const COOKIE: &str = "retour-desk-said";

/// The sentence that a request brings.
pub fn read(headers: &HeaderMap) -> Option<String> {
    let value = cookies(headers).into_iter().find(|(name, _)| name == COOKIE)?.1;
    let text = Fields::parse(format!("t={value}").as_bytes())?.get("t").to_owned();
    (!text.is_empty()).then_some(text)
}

/// Sets the sentence for the next page.
pub fn set(headers: &mut HeaderMap, text: &str, is_secure: bool) {
    write(headers, &encoded(text), 60, is_secure);
}

/// Removes the sentence, after a page has shown it.
pub fn clear(headers: &mut HeaderMap, is_secure: bool) {
    write(headers, "", 0, is_secure);
}

fn write(headers: &mut HeaderMap, value: &str, seconds: u32, is_secure: bool) {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_reaches_the_next_page() {
        let mut headers = HeaderMap::new();
        set(&mut headers, "Approved: €48.00; \"R-1\" é", true);
        let set = headers.get(header::SET_COOKIE).unwrap().to_str().unwrap();
        assert!(set.contains("; HttpOnly") && set.contains("; Secure"), "{set}");
        let sent = HeaderValue::from_str(set.split(';').next().unwrap()).unwrap();
        let next = [(header::COOKIE, sent)].into_iter().collect();
        assert_eq!(read(&next).as_deref(), Some("Approved: €48.00; \"R-1\" é"));
        assert_eq!(read(&HeaderMap::new()), None);
    }
}
