//! Which languages are spoken, and which of them somebody wants.

use axum::http::{HeaderMap, Uri, header};
use domain::Locale;

/// A language that the portal speaks.
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

/// Where a browser keeps which language was chosen.
pub const COOKIE: &str = "retour-lang";

impl Language {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 8] = [Self::En, Self::De, Self::Es, Self::Fr, Self::It, Self::Nl, Self::Pl, Self::Ar];

    /// BCP 47.
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

    /// What it calls itself.
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

    /// HTML's `dir`.
    pub fn direction(self) -> &'static str {
        if self == Self::Ar { "rtl" } else { "ltr" }
    }

    /// The language of a tag such as `de-AT`, if it is spoken.
    pub fn parse(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|one| one.tag().eq_ignore_ascii_case(language))
    }

    /// The language that has exactly this tag.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.tag() == tag)
    }

    /// The one that a client speaks, by `Accept-Language` alone.
    pub fn spoken(headers: &HeaderMap) -> Option<Self> {
        let lines = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
        lines.flat_map(accept_language::parse).find_map(|tag| Self::parse(&tag))
    }

    /// The one that somebody asks for: by `?lang=`, by having chosen it before, else by what their browser speaks.
    pub fn asked(uri: &Uri, headers: &HeaderMap) -> Option<Self> {
        let lines = |name| headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
        let cookies =
            lines(header::COOKIE).flat_map(|line| line.split(';')).filter_map(|one| one.trim().split_once('='));
        let mut chosen = cookies.filter(|(name, _)| *name == COOKIE).filter_map(|(_, tag)| Self::parse(tag));
        Self::asked_by_address(uri).or_else(|| chosen.next()).or_else(|| Self::spoken(headers))
    }

    /// The one that the address asks for.
    pub fn asked_by_address(uri: &Uri) -> Option<Self> {
        let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(name, _)| *name == "lang").find_map(|(_, tag)| Self::parse(tag))
    }

    /// The locale to write texts, dates and figures in: the shop's own, where it is of this language.
    pub fn locale(self, shop: &Locale) -> Locale {
        if Self::parse(&shop.0) == Some(self) { shop.clone() } else { Locale(self.tag().to_owned()) }
    }
}

impl From<&Locale> for Language {
    /// English, where it is not spoken.
    fn from(locale: &Locale) -> Self {
        Self::parse(&locale.0).unwrap_or(Self::En)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn the_address_counts_before_what_was_chosen_and_that_before_the_browser() {
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
    fn a_shop_s_own_locale_is_kept_where_it_is_of_the_language() {
        let shop = Locale("en-US".to_owned());
        assert_eq!(Language::En.locale(&shop), shop);
        assert_eq!(Language::Ar.locale(&shop), Locale("ar".to_owned()));
        assert_eq!(Language::from(&Locale("tlh".to_owned())), Language::En);
    }
}
