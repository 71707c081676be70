//! What was bought: orders, their lines, and the people who look them up.

pub use crate::product::{
    ExchangeOption, MAX_EXCHANGE_CHARS, MAX_WEIGHT, Product, check_exchange_options, check_parcel_facts,
};
use crate::{
    AccountId, Currency, Locale, Money, OrderId, Problems, PurchaseId, RefusalCode, Timestamp, carrier::Carrier,
    eligibility::IneligibleCode, policy::Address, quantity::Units,
};
use serde::{Deserialize, Serialize};

/// An order number as people type it, reduced to what counts: no leading `#`, no spaces, no case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OrderNumberKey(String);

impl OrderNumberKey {
    /// The key of a number; `None` when nothing is left of it, or when it holds what no number does.
    pub fn new(number: &str) -> Option<Self> {
        if number.contains('\0') {
            return None; // Postgres refuses the whole query
        }
        let spaceless: String = number.chars().filter(|c| !c.is_whitespace()).collect();
        let key = spaceless.trim_start_matches('#').to_lowercase();
        (!key.is_empty()).then_some(Self(key))
    }

    /// As stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An e-mail address or postal code, reduced to what counts: no spaces, no case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProofKey(String);

impl ProofKey {
    /// The key of a proof; `None` when nothing is left: an empty value matches nothing.
    pub fn new(proof: &str) -> Option<Self> {
        if proof.contains('\0') {
            return None;
        }
        let key: String = proof.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
        (!key.is_empty()).then_some(Self(key))
    }

    /// As stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A person's name, reduced to what it is found by: lower case, single spaces; empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameKeys {
    /// All of it.
    pub whole: String,
    /// Its last word.
    pub last: String,
}

impl NameKeys {
    /// The keys of a name.
    pub fn new(name: &str) -> Self {
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        Self { whole: words.join(" "), last: words.last().cloned().unwrap_or_default() }
    }
}

/// An order as it is taken in from a shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The shop's own id; unique in the account.
    pub external_id: String,
    /// The number people know.
    pub number: String,
    /// Who ordered; may be empty.
    pub email: String,
    /// Where it was delivered to; empty where unknown.
    pub address: Address,
    /// What everything is priced in.
    pub currency: Currency,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What was paid for sending it, minor units.
    pub shipping_paid: i64,
    /// The shop's tags.
    pub tags: Vec<String>,
    /// What was bought.
    pub lines: Vec<NewPurchase>,
}

/// A line of an order as it is taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPurchase {
    /// The shop's own id of the line; unique in the account.
    pub external_id: String,
    /// Position in the order, from 1.
    pub position: u32,
    /// What it is.
    pub product: Product,
    /// Units bought; at least 1.
    pub quantity: u32,
    /// Units sent; at most `quantity`.
    pub fulfilled: u32,
    /// Units that the shop refunded itself.
    pub shop_refunded: u32,
    /// What was paid for all units, minor units: after discount, tax included.
    pub total: i64,
    /// The tax within `total`.
    pub tax: i64,
    /// What was taken off before `total`.
    pub discount: i64,
    /// Whether it was sold for good.
    pub final_sale: bool,
    /// Why the shop itself does not take it back, if it does not.
    pub obstacle: Option<IneligibleCode>,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
}

/// A line of an order as we hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Identifier.
    pub id: PurchaseId,
    /// The shop's own id of the line.
    pub external_id: String,
    /// Whose order.
    pub order: OrderSummary,
    /// Position in the order, from 1.
    pub position: u32,
    /// What it is.
    pub product: Product,
    /// How many, for how much, and how many of them are on their way back.
    pub units: Units,
    /// The tax within the total, minor units.
    pub tax: i64,
    /// What was taken off before the total, minor units.
    pub discount: i64,
    /// Whether it was sold for good.
    pub final_sale: bool,
    /// Why the shop itself does not take it back, if it does not.
    pub obstacle: Option<IneligibleCode>,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
}

impl Purchase {
    /// An amount of minor units in this purchase's currency.
    pub fn money(&self, minor: i64) -> Money {
        Money::new(minor, self.order.currency)
    }
}

/// What each line needs to know of its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSummary {
    /// Identifier.
    pub id: OrderId,
    /// The number people know.
    pub number: String,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What it is priced in.
    pub currency: Currency,
    /// What was paid for sending it and not promised back yet, minor units.
    pub shipping_left: i64,
    /// The shop's tags.
    pub tags: Vec<String>,
}

/// A merchant as the rest of the code needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Identifier.
    pub id: AccountId,
    /// The name in addresses: lower-case letters, digits and hyphens.
    pub slug: String,
    /// What shoppers call it.
    pub name: String,
    /// What its fees are in where no order says otherwise.
    pub currency: Currency,
    /// Its rules.
    pub policy: crate::policy::Policy,
    /// Its looks.
    pub branding: Branding,
    /// Its shop.
    pub bridge: crate::bridge::Bridge,
    /// Who makes its labels.
    pub carrier: Carrier,
    /// Who takes its payments.
    pub payment: crate::payment::PaymentProvider,
}

impl Account {
    /// What tells who makes its labels from others; empty where we do.
    pub fn carrier_key(&self) -> String {
        match &self.carrier {
            Carrier::Own => String::new(),
            Carrier::Bridge => self.bridge.shop(),
            Carrier::Karrio(karrio) => format!("{KARRIO}{}", karrio.url),
        }
    }

    /// Whether its shop carries resolutions out. Those of a catalog are carried out by whoever asks for them, whatever the
    /// policy says (design 2).
    pub fn is_settled_by_its_shop(&self) -> bool {
        self.policy.resolver == crate::policy::Resolver::Bridge && self.bridge.connection().is_some()
    }
}

/// What the names of karrio servers begin with.
pub const KARRIO: &str = "karrio ";

/// How a merchant's portal looks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Branding {
    /// `#rrggbb`; corrected in the page until text on it and in it is readable.
    pub color: Option<String>,
    /// Address of a logo on this host.
    pub logo_url: Option<String>,
    /// Where "back to the shop" leads.
    pub shop_url: Option<String>,
    /// The language where a shopper's is not spoken.
    pub locale: Locale,
    /// Origins whose pages may show the portal in a frame, such as `https://shop.example`.
    #[cfg_attr(feature = "openapi", schemars(length(max = 20)))]
    pub embed_origins: Vec<String>,
}

/// The longest address of a page or picture, characters.
const MAX_URL_CHARS: usize = 2_000;
/// They stand in a header of every page.
const MAX_EMBED_ORIGINS: usize = 20;

impl Branding {
    /// What the portal could not show, by field.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        let is_color = |color: &String| {
            color
                .strip_prefix('#')
                .is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
        };
        if !self.color.as_ref().is_none_or(is_color) {
            problems.add("color", RefusalCode::NotAllowed, "expected a colour such as #2f6f5e");
        }
        if let Some(url) = &self.logo_url {
            problems.check_text("logoUrl", url, 1..=MAX_URL_CHARS);
            // `//` would be another host.
            if !url.starts_with('/') || url.starts_with("//") || url.contains('\\') {
                problems.add("logoUrl", RefusalCode::NotAllowed, "expected a path on this host, such as /logo.svg");
            }
        }
        if let Some(url) = &self.shop_url {
            problems.check_text("shopUrl", url, 1..=MAX_URL_CHARS);
            if !(url.starts_with("https://") || url.starts_with("http://")) || url.contains(char::is_whitespace) {
                problems.add("shopUrl", RefusalCode::NotAllowed, "expected an address that begins with https://");
            }
        }
        if self.embed_origins.len() > MAX_EMBED_ORIGINS {
            let message = format!("expected at most {MAX_EMBED_ORIGINS} origins");
            problems.add("embedOrigins", RefusalCode::OutOfRange, message);
        }
        let wrong = self.embed_origins.iter().enumerate().filter(|(_, origin)| !is_origin(origin));
        for (index, _) in wrong {
            let message = "expected an origin, such as https://shop.example: no path, and https but for this machine";
            problems.add(format!("embedOrigins[{index}]"), RefusalCode::NotAllowed, message);
        }
        if !self.locale.is_well_formed() {
            problems.add("locale", RefusalCode::NotAllowed, "expected a language tag, such as en or pt-BR");
        }
        problems
    }
}

/// Whether a text is an origin (RFC 6454) as browsers write it: scheme, host, and a port that is not the scheme's own.
fn is_origin(text: &str) -> bool {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (rest, None),
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_port = |port: &str| !port.starts_with('0') && port.parse::<u16>().is_ok();
    let is_own = |port: &str| (scheme, port) == ("https", "443") || (scheme, port) == ("http", "80");
    let is_secure = scheme == "https" || (scheme == "http" && matches!(host, "localhost" | "127.0.0.1"));
    is_secure
        && host.len() <= 253
        && host.split('.').all(is_label)
        && port.is_none_or(|port| is_port(port) && !is_own(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_as_browsers_write_them_may_show_the_portal() {
        for good in
            ["https://shop.example", "https://a-b.shop.example:8443", "http://localhost:8080", "http://127.0.0.1"]
        {
            assert!(is_origin(good), "{good}");
        }
        for bad in [
            "",
            "shop.example",
            "https://",
            "https://shop.example/",
            "https://Shop.example",
            "https://shop.example:443",
            "http://shop.example",
            "https://*.shop.example",
            "https://a b.example",
            "https://shop.example;script-src",
            "https://shop.example:0",
            "https://shop.example:99999",
            "'self'",
            "https://a..b",
            "null",
        ] {
            assert!(!is_origin(bad), "{bad}");
        }
    }

    #[test]
    fn order_numbers_compare_without_hash_spaces_and_case() {
        for typed in ["#C-1001", " c-1001", "C - 1001 ", "##c-1001"] {
            assert_eq!(OrderNumberKey::new(typed).unwrap().as_str(), "c-1001");
        }
        assert!(OrderNumberKey::new(" # ").is_none() && ProofKey::new("  ").is_none());
        assert!(OrderNumberKey::new("10\x0001").is_none() && ProofKey::new("a\0b").is_none());
        assert_eq!(ProofKey::new(" Ann@Example.COM ").unwrap().as_str(), "ann@example.com");
        assert_eq!(ProofKey::new("1012 ab").unwrap().as_str(), "1012ab");
    }

    #[test]
    fn looks_that_could_not_be_shown_are_refused_by_their_fields() {
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
        for shop in ["javascript:alert(1)", "shop.example", "https://a b"] {
            assert_eq!(fields(Branding { shop_url: some(shop), ..Branding::default() }), ["shopUrl"], "{shop}");
        }
        assert_eq!(fields(Branding { locale: Locale("English".to_owned()), ..Branding::default() }), ["locale"]);
    }

    #[test]
    fn names_are_found_by_all_of_them_and_by_their_last_word() {
        let keys = NameKeys::new("  Ada  KING-Noel ");
        assert_eq!((keys.whole.as_str(), keys.last.as_str()), ("ada king-noel", "king-noel"));
        assert_eq!(NameKeys::new(" "), NameKeys::default());
    }
}
