//! A person's choices for this browser: one cookie, which contains nothing else.

use axum::http::{HeaderMap, Uri};
use domain::TimeZone;
use ui::{language::Language, web::headers::cookies};

/// The name of the cookie.
const COOKIE: &str = "retour-desk-choices";

/// What precedes the name of the time zone in the cookie.
const ZONE: &str = "zone:";

/// What precedes the tag of the language.
const LANGUAGE: &str = "lang:";

/// The choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// Whether rows are higher.
    pub is_comfortable: bool,
    /// Whether keys act (WCAG 2.1.4 wants that they can be turned off).
    pub has_keys: bool,
    /// The time zone of dates. `None`: the account's.
    pub zone: Option<TimeZone>,
    /// The language of pages. `None`: the browser's.
    pub language: Option<Language>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { is_comfortable: false, has_keys: true, zone: None, language: None }
    }
}

impl Preferences {
    /// The choices of a request.
    pub fn of(headers: &HeaderMap) -> Self {
        let value = cookies(headers).into_iter().find(|(name, _)| name == COOKIE).map(|(_, value)| value);
        let words: Vec<&str> = value.as_deref().unwrap_or_default().split('.').collect();
        Self {
            is_comfortable: words.contains(&"comfortable"),
            has_keys: !words.contains(&"nokeys"),
            zone: words.iter().find_map(|word| TimeZone::from_name(word.strip_prefix(ZONE)?)),
            language: words.iter().find_map(|word| Language::of_tag(word.strip_prefix(LANGUAGE)?)),
        }
    }

    /// The language of a request's pages: what its address asks for, else the choice, else the browser's.
    pub fn language(&self, uri: &Uri, headers: &HeaderMap) -> Language {
        let asked = Language::asked_by_address(uri).or(self.language).or_else(|| Language::spoken(headers));
        asked.unwrap_or(Language::En)
    }

    /// The `Set-Cookie` that keeps the choices for a year.
    pub fn cookie(&self, is_secure: bool) -> String {
        let zone = self.zone.as_ref().map(|zone| format!("{ZONE}{}", zone.name()));
        let language = self.language.map(|language| format!("{LANGUAGE}{}", language.tag()));
        let words = [
            self.is_comfortable.then_some("comfortable"),
            (!self.has_keys).then_some("nokeys"),
            zone.as_deref(),
            language.as_deref(),
        ];
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
                let zone = TimeZone::from_name("America/Argentina/Buenos_Aires").filter(|_| has_keys);
                let language = Some(Language::Pl).filter(|_| is_comfortable);
                let choices = Preferences { is_comfortable, has_keys, zone, language };
                let set = choices.cookie(true);
                assert!(set.ends_with("; Secure"), "{set}");
                let sent = set.split(';').next().unwrap();
                let headers = [(header::COOKIE, HeaderValue::try_from(sent).unwrap())].into_iter().collect();
                assert_eq!(Preferences::of(&headers), choices);
            }
        }
        assert_eq!(Preferences::of(&HeaderMap::new()), Preferences::default());
    }

    #[test]
    fn the_address_wins_over_the_choice_and_the_choice_over_the_browser() {
        let headers = [(header::ACCEPT_LANGUAGE, HeaderValue::from_static("tlh, de-AT;q=0.7"))].into_iter().collect();
        let none = Preferences::default();
        let polish = Preferences { language: Some(Language::Pl), ..Preferences::default() };
        let asked = |choices: &Preferences, address: &str| choices.language(&address.parse().unwrap(), &headers);
        assert_eq!(asked(&polish, "/desk?lang=it"), Language::It);
        assert_eq!(asked(&polish, "/desk?lang=tlh"), Language::Pl);
        assert_eq!(asked(&none, "/desk"), Language::De);
        assert_eq!(none.language(&"/desk".parse().unwrap(), &HeaderMap::new()), Language::En);
    }
}
