//! The search over everything: what a person looks for, and where the desk shows it. The words may name somebody, so they
//! are in a cookie of some minutes, and never in an address.

use axum::http::HeaderMap;
use returns::view::{Found, FoundKind};
use ui::web::{
    form::{Fields, encoded},
    headers::cookies,
};

const COOKIE: &str = "retour-desk-find";
const SECONDS: u32 = 600;

/// The words that a request brings.
pub fn read(headers: &HeaderMap) -> String {
    let value = cookies(headers).into_iter().find(|(name, _)| name == COOKIE).map(|(_, value)| value);
    let fields = value.and_then(|value| Fields::parse(format!("q={value}").as_bytes()));
    fields.map(|fields| fields.get("q").to_owned()).unwrap_or_default()
}

/// The `Set-Cookie` that keeps the words for the next page.
pub fn cookie(words: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={SECONDS}{secure}", encoded(words))
}

/// The page below the desk's home that shows what was found; `None` if the desk has none.
pub fn found_path(found: &Found) -> Option<String> {
    match (found.kind, &found.return_number) {
        (FoundKind::Consumer, _) => Some(format!("returns?filter={}", encoded(&format!("consumerId:{}", found.id)))),
        (FoundKind::Order, _) => Some(format!("orders?o={}", found.id)),
        (_, Some(number)) => Some(format!("returns/{}", encoded(number))),
        (_, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderValue, header};

    #[test]
    fn words_reach_the_next_page() {
        let set = cookie("ada@example.com; Zoë", true);
        let sent = HeaderValue::try_from(set.split(';').next().unwrap()).unwrap();
        let headers = [(header::COOKIE, sent)].into_iter().collect();
        assert_eq!(read(&headers), "ada@example.com; Zoë");
        assert_eq!(read(&HeaderMap::new()), "");
    }
}
