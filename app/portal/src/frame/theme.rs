//! How a shop looks: the values that every page needs.

use crate::{frame::contact::Contact, words::Words};
use domain::{Locale, Translated, account::Account, branding::Branding};
use ui::tokens;

/// How a shop looks: the values that every page needs.
#[expect(clippy::struct_excessive_bools, reason = "independent questions, each answered by name")]
#[derive(Debug, Clone)]
pub struct Theme {
    /// The start of the addresses of its pages: `/<slug>`, or nothing at its own host.
    pub home: String,
    /// Its name.
    pub name: String,
    /// The address of its logo.
    pub logo: Option<String>,
    /// The address of its logo for dark pages.
    pub logo_dark: Option<String>,
    /// The shop's website.
    pub shop_url: Option<String>,
    /// How to reach its staff.
    pub contact: Contact,
    /// Further links of the footer: texts and addresses.
    pub links: Vec<(String, String)>,
    /// Its returns policy.
    pub terms_url: Option<String>,
    /// The merchant's own texts.
    pub custom_texts: CustomTexts,
    /// The custom properties of its brand.
    pub style: Option<String>,
    /// Whether shoppers can withdraw from contracts here.
    pub offers_withdrawal: bool,
    /// Origins whose pages may show the portal in a frame.
    pub embed_origins: Vec<String>,
    /// Whether this page is in such a frame.
    pub is_embedded: bool,
    /// Whether this theme is a preview.
    pub is_preview: bool,
    /// Whether the shop's account is a test account.
    pub is_test: bool,
}

/// The merchant's own text at the head of each step, in the page's language.
#[derive(Debug, Clone, Default)]
pub struct CustomTexts {
    pub look_up: Option<String>,
    pub choose: Option<String>,
    pub review: Option<String>,
    /// On the page of a return.
    pub follow: Option<String>,
}

/// Where a page of the shop appears.
#[derive(Debug, Clone, Copy, Default)]
pub struct Placement {
    /// In a frame on a page of the shop.
    pub embedded: bool,
    /// At the shop's own host.
    pub at_own_host: bool,
    /// In a preview.
    pub preview: bool,
}

#[cfg(test)]
impl Theme {
    /// The theme of a shop without any settings.
    pub fn for_tests() -> Self {
        Self {
            home: "/shop".to_owned(),
            name: String::new(),
            logo: None,
            logo_dark: None,
            shop_url: None,
            contact: Contact::default(),
            links: Vec::new(),
            terms_url: None,
            custom_texts: CustomTexts::default(),
            style: None,
            offers_withdrawal: true,
            embed_origins: Vec::new(),
            is_embedded: false,
            is_preview: false,
            is_test: false,
        }
    }
}

impl Theme {
    /// The theme of a shop in a language.
    pub fn of(account: &Account, locale: &Locale, placement: Placement) -> Self {
        let Branding { logo_url, logo_dark_url, shop_url, links, terms_url, texts, embed_origins, .. } =
            &account.branding;
        let is_web = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
        let is_here = |url: &&String| url.starts_with('/') && !url.starts_with("//");
        let own = |text: &Translated| Some(text.get(locale).to_owned()).filter(|text| !text.is_empty());
        Self {
            home: if placement.at_own_host { String::new() } else { format!("/{}", account.address_name()) },
            name: account.name.clone(),
            logo: logo_url.as_ref().filter(is_here).cloned(),
            logo_dark: logo_dark_url.as_ref().filter(is_here).cloned(),
            shop_url: shop_url.as_ref().filter(is_web).cloned(),
            contact: Contact::new(&account.branding),
            links: links
                .iter()
                .filter(|link| is_web(&&link.url))
                .map(|link| (link.text.get(locale).to_owned(), link.url.clone()))
                .collect(),
            terms_url: terms_url.as_ref().filter(is_web).cloned(),
            custom_texts: CustomTexts {
                look_up: own(&texts.look_up),
                choose: own(&texts.choose),
                review: own(&texts.review),
                follow: own(&texts.follow),
            },
            style: tokens::custom_properties(&account.branding),
            embed_origins: embed_origins.clone(),
            offers_withdrawal: account.policy.withdrawal_function,
            is_embedded: placement.embedded,
            is_preview: placement.preview,
            is_test: account.is_test,
        }
    }

    /// The query of addresses that a page fetches, as opposed to links.
    pub fn fetched(&self) -> &'static str {
        if self.is_embedded { "?embedded" } else { "" }
    }

    /// The address of a page of this shop, such as `purchases` or `returns/…`. The first page is empty.
    pub fn path(&self, page: &str) -> String {
        match (self.home.as_str(), page) {
            ("", "") => "/".to_owned(),
            (home, "") => home.to_owned(),
            (home, page) => format!("{home}/{page}"),
        }
    }

    /// The address that a form is sent to. From a frame it may open a tab of its own, which does not know the language yet.
    pub fn form_action(&self, page: &str, words: &Words) -> String {
        let path = self.path(page);
        if self.is_embedded { format!("{path}?lang={}", words.tag) } else { path }
    }
}
