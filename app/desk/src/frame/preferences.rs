//! A person's choices for this browser: one cookie, which contains nothing else.

use axum::http::HeaderMap;
use ui::web::headers::cookies;

/// The name of the cookie.
const COOKIE: &str = "retour-desk-choices";

/// The choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preferences {
    /// Whether rows are higher.
    pub is_comfortable: bool,
    /// Whether keys act (WCAG 2.1.4 wants that they can be turned off).
    pub has_keys: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { is_comfortable: false, has_keys: true }
    }
}

impl Preferences {
    /// The choices of a request.
    pub fn of(headers: &HeaderMap) -> Self {
        let value = cookies(headers).into_iter().find(|(name, _)| name == COOKIE).map(|(_, value)| value);
        let has = |word: &str| value.as_deref().unwrap_or_default().split('.').any(|part| part == word);
        Self { is_comfortable: has("comfortable"), has_keys: !has("nokeys") }
    }

    /// The `Set-Cookie` that keeps the choices for a year.
    pub fn cookie(self, is_secure: bool) -> String {
        let words = [self.is_comfortable.then_some("comfortable"), (!self.has_keys).then_some("nokeys")];
        let value = words.into_iter().flatten().collect::<Vec<_>>().join(".");
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000{secure}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderValue, header};

    #[test]
    fn choices_are_kept_in_a_cookie() {
        for is_comfortable in [false, true] {
            for has_keys in [false, true] {
                let choices = Preferences { is_comfortable, has_keys };
                let set = choices.cookie(true);
                assert!(set.ends_with("; Secure"), "{set}");
                let sent = set.split(';').next().unwrap();
                let headers = [(header::COOKIE, HeaderValue::try_from(sent).unwrap())].into_iter().collect();
                assert_eq!(Preferences::of(&headers), choices);
            }
        }
        assert_eq!(Preferences::of(&HeaderMap::new()), Preferences::default());
    }
}
