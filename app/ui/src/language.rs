//! The languages of our pages, and which one a request asks for.

use domain::Locale;
use http_types::{HeaderMap, Uri, header};

/// A language of our pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    En,
    /// Dutch.
    Nl,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Polish.
    Pl,
    /// Italian.
    It,
    /// Arabic.
    Ar,
}

/// The cookie with the language that a visitor selected.
pub const COOKIE: &str = "retour-lang";

impl Language {
    /// All languages, in the order that pages list them.
    pub const ALL: [Self; 8] = [Self::En, Self::De, Self::Es, Self::Fr, Self::It, Self::Nl, Self::Pl, Self::Ar];

    /// The BCP 47 tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Nl => "nl",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
            Self::Pl => "pl",
            Self::It => "it",
            Self::Ar => "ar",
        }
    }

    /// The name in the language itself.
    pub fn name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Nl => "Nederlands",
            Self::De => "Deutsch",
            Self::Fr => "Français",
            Self::Es => "Español",
            Self::Pl => "Polski",
            Self::It => "Italiano",
            Self::Ar => "العربية",
        }
    }

    /// The value of HTML's `dir`.
    pub fn direction(self) -> &'static str {
        if self == Self::Ar { "rtl" } else { "ltr" }
    }

    /// The language of a tag such as `de-AT`.
    pub fn parse(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|one| one.tag().eq_ignore_ascii_case(language))
    }

    /// The language with exactly this tag.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.tag() == tag)
    }

    /// The language that `Accept-Language` prefers.
    pub fn spoken(headers: &HeaderMap) -> Option<Self> {
        let lines = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
        lines.flat_map(accept_language::parse).find_map(|tag| Self::parse(&tag))
    }

    /// The language that a request asks for: by `?lang=`, else by the cookie, else by `Accept-Language`.
    pub fn asked(uri: &Uri, headers: &HeaderMap) -> Option<Self> {
        let lines = |name| headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
        let cookies =
            lines(header::COOKIE).flat_map(|line| line.split(';')).filter_map(|one| one.trim().split_once('='));
        let mut chosen = cookies.filter(|(name, _)| *name == COOKIE).filter_map(|(_, tag)| Self::parse(tag));
        Self::asked_by_address(uri).or_else(|| chosen.next()).or_else(|| Self::spoken(headers))
    }

    /// The language that the address asks for.
    pub fn asked_by_address(uri: &Uri) -> Option<Self> {
        let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(name, _)| *name == "lang").find_map(|(_, tag)| Self::parse(tag))
    }

    /// The locale for texts, dates and numbers: the shop's own locale if it is of this language.
    pub fn locale(self, shop: &Locale) -> Locale {
        if Self::parse(&shop.0) == Some(self) { shop.clone() } else { Locale(self.tag().to_owned()) }
    }
}

impl From<&Locale> for Language {
    /// English if pages do not have the language.
    fn from(locale: &Locale) -> Self {
        Self::parse(&locale.0).unwrap_or(Self::En)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_types::HeaderValue;

    #[test]
    fn the_address_wins_over_the_cookie_and_the_cookie_over_the_browser() {
        let asked = |address: &str, cookie: &str, accepted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::try_from(cookie).unwrap());
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            Language::asked(&address.parse().unwrap(), &headers)
        };
        let browser = "tlh, de-AT;q=0.7, fr;q=0.9";
        assert_eq!(asked("/shop?x=1&lang=pl", "retour-lang=it", browser), Some(Language::Pl));
        assert_eq!(asked("/shop?lang=tlh", "a=b; retour-lang=it", browser), Some(Language::It));
        assert_eq!(asked("/shop", "retour-lang=", browser), Some(Language::Fr));
        assert_eq!(asked("/shop", "", "*;q=0.5, tlh"), None);
        assert_eq!(asked("/shop", "", ";;q=,,=;q=x"), None);
    }

    #[test]
    fn a_shop_s_own_locale_is_kept_if_it_is_of_the_language() {
        let shop = Locale("en-US".to_owned());
        assert_eq!(Language::En.locale(&shop), shop);
        assert_eq!(Language::Ar.locale(&shop), Locale("ar".to_owned()));
        assert_eq!(Language::from(&Locale("tlh".to_owned())), Language::En);
    }
}
