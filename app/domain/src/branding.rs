//! Branding: colour, logo, typeface, texts and links of a merchant's portal, and the sites that may embed it.

use crate::{
    base::{
        email::is_email,
        language::{Locale, Translated},
        origin,
        refusal::{Problems, RefusalCode},
    },
    wording::Wording,
};
use serde::{Deserialize, Serialize};

/// The look and the texts of a merchant's portal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Branding {
    /// The main colour, `#rrggbb`. The portal adjusts it until text on it and in it is readable.
    #[cfg_attr(feature = "openapi", schemars(regex(pattern = r"^#[0-9A-Fa-f]{6}$"), length(max = 7)))]
    pub color: Option<String>,
    /// The URL of the logo on this host.
    pub logo_url: Option<String>,
    /// The URL of the logo for dark pages, on this host. Without one, dark pages show the logo on a light background.
    pub logo_dark_url: Option<String>,
    /// The kind of typeface. Devices have these installed: nothing is downloaded.
    pub font: Font,
    /// The rounding of buttons and boxes.
    pub corners: Corners,
    /// The merchant's own paragraph at the top of each step.
    pub texts: StepTexts,
    /// Replacements for texts of the portal and its mails.
    pub wording: Wording,
    /// The URL of the link "back to the shop".
    pub shop_url: Option<String>,
    /// Links to pages of the shop, at the bottom of every page.
    #[cfg_attr(feature = "openapi", schemars(length(max = 6)))]
    pub links: Vec<Link>,
    /// The URL of the merchant's return terms, linked at the bottom of every page and beside the button that submits a
    /// return.
    pub terms_url: Option<String>,
    /// The reply address of mails. Without one, replies go to `contactEmail`, or else to the operator.
    pub reply_to: Option<String>,
    /// The e-mail address that shoppers with a question write to; `null`: `replyTo`.
    pub contact_email: Option<String>,
    /// The page of the shop where shoppers ask for help.
    pub contact_url: Option<String>,
    /// The telephone number that shoppers call, as they read it: digits and spaces, with `+` before a country code.
    #[cfg_attr(feature = "openapi", schemars(length(max = 30)))]
    pub contact_phone: Option<String>,
    /// The fallback language of the portal, for shoppers whose language it does not have.
    pub locale: Locale,
    /// The origins of sites that may embed the portal in a frame, such as `https://shop.example`.
    #[cfg_attr(feature = "openapi", schemars(length(max = 20)))]
    pub embed_origins: Vec<String>,
}

/// Kinds of typefaces that devices have installed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum Font {
    /// The device's own typeface.
    #[default]
    System,
    /// Even and plain, such as Helvetica.
    Grotesque,
    /// Shaped as with a pen, such as Gill Sans.
    Humanist,
    /// Made of circles and straight lines, such as Avenir.
    Geometric,
    /// With rounded ends of strokes.
    Rounded,
    /// With serifs, as in books.
    Serif,
    /// With heavy serifs, such as Rockwell.
    Slab,
}

/// The rounding of buttons, fields and cards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub enum Corners {
    /// Corners are not rounded.
    Square,
    /// Corners are slightly rounded.
    #[default]
    Soft,
    /// Buttons end in half circles.
    Round,
}

string_enum!(Font, Corners);

/// The merchant's own text at each step, by language: up to 300 characters each; empty: none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StepTexts {
    /// The text on the page that looks an order up.
    pub look_up: Translated,
    /// The text on the page that chooses purchases and reasons.
    pub choose: Translated,
    /// The text on the page that chooses the shipping and shows the cost.
    pub review: Translated,
    /// The text on the page that shows a return.
    pub follow: Translated,
}

/// A link to a page of the shop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Link {
    /// The text of the link by language: up to 40 characters each.
    #[cfg_attr(
        feature = "openapi",
        schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 40}))
    )]
    pub text: Translated,
    /// The URL of the page.
    pub url: String,
}

/// The longest URL of a page or picture, characters.
const MAX_URL_CHARS: usize = 2_000;
/// More would be a menu, not a footer.
const MAX_LINKS: usize = 6;
const MAX_LINK_CHARS: usize = 40;
/// E.164 allows 15 digits; the rest is for spaces.
const MAX_PHONE_CHARS: usize = 30;
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 3..=15;
/// Three lines on a desktop screen.
const MAX_STEP_TEXT_CHARS: usize = 300;

impl Branding {
    /// Problems by field.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        if !self.color.as_deref().is_none_or(is_color) {
            problems.add("color", RefusalCode::NotAllowed, "expected a colour such as #2f6f5e");
        }
        for (field, url) in [("logoUrl", &self.logo_url), ("logoDarkUrl", &self.logo_dark_url)] {
            if let Some(url) = url {
                check_picture(&mut problems, field, url);
            }
        }
        let pages = [("shopUrl", &self.shop_url), ("termsUrl", &self.terms_url), ("contactUrl", &self.contact_url)];
        for (field, url) in pages {
            if let Some(url) = url {
                check_page(&mut problems, field, url);
            }
        }
        for (field, email) in [("replyTo", &self.reply_to), ("contactEmail", &self.contact_email)] {
            if !email.as_deref().is_none_or(is_email) {
                problems.add(field, RefusalCode::NotAllowed, "expected an e-mail address, such as help@shop.example");
            }
        }
        if !self.contact_phone.as_deref().is_none_or(is_phone) {
            let message = "expected a telephone number of 3 to 15 digits, such as +44 131 496 0000";
            problems.add("contactPhone", RefusalCode::NotAllowed, message);
        }
        self.check_words(&mut problems);
        origin::check(&mut problems, "embedOrigins", &self.embed_origins);
        if !self.locale.is_well_formed() {
            problems.add("locale", RefusalCode::NotAllowed, "expected a language tag, such as en or pt-BR");
        }
        problems
    }

    /// The e-mail address to which answers to mail go.
    pub fn reply_address(&self) -> Option<&str> {
        self.reply_to.as_deref().or(self.contact_email.as_deref())
    }

    /// The e-mail address that shoppers write to.
    pub fn help_email(&self) -> Option<&str> {
        self.contact_email.as_deref().or(self.reply_to.as_deref())
    }

    fn check_words(&self, problems: &mut Problems) {
        let StepTexts { look_up, choose, review, follow } = &self.texts;
        for (field, text) in [("lookUp", look_up), ("choose", choose), ("review", review), ("follow", follow)] {
            problems.0.extend(text.check(&format!("texts.{field}"), 0, MAX_STEP_TEXT_CHARS).0);
        }
        problems.0.extend(self.wording.check("wording").0);
        if self.links.len() > MAX_LINKS {
            problems.add("links", RefusalCode::OutOfRange, format!("expected at most {MAX_LINKS} links"));
        }
        for (index, link) in self.links.iter().take(MAX_LINKS).enumerate() {
            problems.0.extend(link.text.check(&format!("links[{index}].text"), 1, MAX_LINK_CHARS).0);
            check_page(problems, &format!("links[{index}].url"), &link.url);
        }
    }
}

/// The digits of `#rrggbb`.
const HEX_DIGITS: usize = 6;

fn is_color(color: &str) -> bool {
    color
        .strip_prefix('#')
        .is_some_and(|hex| hex.len() == HEX_DIGITS && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn check_picture(problems: &mut Problems, field: &str, url: &str) {
    problems.check_text(field, url, 1..=MAX_URL_CHARS);
    // `//` would lead to another host.
    if !url.starts_with('/') || url.starts_with("//") || url.contains('\\') {
        problems.add(field, RefusalCode::NotAllowed, "expected a path on this host, such as /logo.svg");
    }
}

/// Whether a text consists of digits and spaces, optionally with a leading `+`.
fn is_phone(phone: &str) -> bool {
    let number = phone.strip_prefix('+').unwrap_or(phone);
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    number.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
        && number.starts_with(|first: char| first.is_ascii_digit())
        && PHONE_DIGITS.contains(&digits)
        && phone.len() <= MAX_PHONE_CHARS
}

fn check_page(problems: &mut Problems, field: &str, url: &str) {
    problems.check_text(field, url, 1..=MAX_URL_CHARS);
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let has_host = rest.is_some_and(|rest| !rest.starts_with(['/', '?', '#', ':']) && !rest.is_empty());
    if !has_host || url.contains(char::is_whitespace) {
        problems.add(field, RefusalCode::NotAllowed, "expected an address that begins with https://");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_branding_is_refused_by_field() {
        let some = |text: &str| Some(text.to_owned());
        let fields = |branding: Branding| branding.check().0.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        let good = Branding {
            color: some("#2F6f5e"),
            logo_url: some("/logo.svg"),
            shop_url: some("https://a.example/"),
            ..Branding::default()
        };
        assert!(fields(good).is_empty() && fields(Branding::default()).is_empty());
        for color in ["", "red", "#fff", "#2f6f5g", "2f6f5e", "#éé12"] {
            assert_eq!(fields(Branding { color: some(color), ..Branding::default() }), ["color"], "{color}");
        }
        for logo in ["logo.svg", "//elsewhere.example/a.svg", "https://elsewhere.example/a.svg", "/\\elsewhere"] {
            assert_eq!(fields(Branding { logo_url: some(logo), ..Branding::default() }), ["logoUrl"], "{logo}");
        }
        for logo in ["logo.svg", "//elsewhere.example/a.svg"] {
            assert_eq!(
                fields(Branding { logo_dark_url: some(logo), ..Branding::default() }),
                ["logoDarkUrl"],
                "{logo}"
            );
        }
        for shop in ["javascript:alert(1)", "shop.example", "https://a b", "https://", "https:///x"] {
            assert_eq!(fields(Branding { shop_url: some(shop), ..Branding::default() }), ["shopUrl"], "{shop}");
        }
        assert_eq!(fields(Branding { locale: Locale("English".to_owned()), ..Branding::default() }), ["locale"]);
    }

    #[test]
    fn a_contact_is_an_address_a_page_and_a_phone_number() {
        let some = |text: &str| Some(text.to_owned());
        let fields = |branding: Branding| branding.check().0.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        for phone in ["+44 131 496 0000", "0800 123456", "112", "+123456789012345"] {
            assert!(fields(Branding { contact_phone: some(phone), ..Branding::default() }).is_empty(), "{phone}");
        }
        for phone in
            ["", "+", " 123", "+ 123", "12", "1234567890123456", "call us", "123;ext=4", "1".repeat(31).as_str()]
        {
            assert_eq!(
                fields(Branding { contact_phone: some(phone), ..Branding::default() }),
                ["contactPhone"],
                "{phone}"
            );
        }
        let wrong = Branding {
            contact_email: some("help"),
            contact_url: some("mailto:help@shop.example"),
            ..Branding::default()
        };
        assert_eq!(fields(wrong), ["contactUrl", "contactEmail"]);
        let mut branding = Branding { reply_to: some("reply@shop.example"), ..Branding::default() };
        assert_eq!(branding.help_email(), Some("reply@shop.example"));
        branding.contact_email = some("help@shop.example");
        assert_eq!(branding.help_email(), Some("help@shop.example"));
        assert_eq!(branding.reply_address(), Some("reply@shop.example"));
        branding.reply_to = None;
        assert_eq!(branding.reply_address(), Some("help@shop.example"));
        assert_eq!(Branding::default().reply_address(), None);
    }

    #[test]
    fn texts_and_links_are_bounded_and_named_by_field() {
        let fields = |branding: Branding| branding.check().0.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        let link = |text: &str, url: &str| Link { text: Translated::en(text), url: url.to_owned() };
        let long = "x".repeat(MAX_STEP_TEXT_CHARS + 1);
        let texts = StepTexts { choose: Translated::en(&long), follow: Translated::en("Bye"), ..StepTexts::default() };
        assert_eq!(fields(Branding { texts, ..Branding::default() }), ["texts.choose.en"]);
        let links =
            vec![link("Help", "https://a.example/help"), link(&long, "javascript:x"), link(" ", "https://b.example")];
        let wrong = ["links[1].text.en", "links[1].url", "links[2].text.en"];
        assert_eq!(fields(Branding { links, ..Branding::default() }), wrong);
        let links = vec![link("Help", "https://a.example"); MAX_LINKS + 1];
        assert_eq!(fields(Branding { links, ..Branding::default() }), ["links"]);
        assert_eq!(fields(Branding { terms_url: Some("/terms".to_owned()), ..Branding::default() }), ["termsUrl"]);
    }
}
