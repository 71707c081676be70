//! What was bought: orders, their lines, and the people who look them up.

pub use crate::product::{
    ExchangeOption, MAX_EXCHANGE_CHARS, MAX_WEIGHT, Product, check_exchange_options, check_parcel_facts,
};
pub use crate::proof::{EmailKey, OrderNumberKey, ProofKey};
use crate::{
    AccountId, Currency, Money, OrderId, PurchaseId, TimeZone, Timestamp, branding::Branding, carrier::Carrier,
    eligibility::IneligibleCode, host::Domain, policy::Address, quantity::Units,
};

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

/// The sums of an order as its shop tells them, minor units. Together they limit what all refunds of the order may come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderSums {
    /// What was paid for the whole order: its total less what is outstanding. `None` where the shop does not tell.
    pub paid: Option<i64>,
    /// What the shop itself gave back, without Retour or on its behalf.
    pub refunded: i64,
}

/// Why a person decides about returns of an order before money leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderReview {
    /// Its lines, shipping and other sums do not add up to its total.
    SumsDiffer,
}

impl OrderReview {
    /// The name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::SumsDiffer => "SumsDiffer",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::SumsDiffer].into_iter().find(|review| review.name() == name)
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
    /// What was paid and given back in all.
    pub sums: OrderSums,
    /// Whether some of its lines were left out here: then its shipping is not refunded without a person.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
    /// The postal code of the bill: a proof where there is no address of delivery, and never printed. May be empty.
    pub billing_postal_code: String,
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
    /// Whether it travels in a parcel: gift cards and downloads do not.
    pub requires_shipping: bool,
    /// Units that were taken out of the order before they were sent.
    pub removed: u32,
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
    /// Whether it travels in a parcel: gift cards and downloads do not.
    pub requires_shipping: bool,
    /// Units that were taken out of the order before they were sent.
    pub removed: u32,
    /// Why the shop itself does not take it back, if it does not.
    pub obstacle: Option<IneligibleCode>,
    /// When it was sent.
    pub fulfilled_at: Option<Timestamp>,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
    /// Whether nobody says when it was sent, and units of its order are still to be sent.
    pub is_undated_part: bool,
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
    /// What was paid and given back in all.
    pub sums: OrderSums,
    /// Whether some of its lines are not known here.
    pub is_partial: bool,
    /// Why a person decides about its returns.
    pub review: Option<OrderReview>,
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
    /// The host of its own at which its portal is shown: `returns.shop.example`.
    pub domain: Option<Domain>,
    /// What shoppers call it.
    pub name: String,
    /// What its fees are in where no order says otherwise.
    pub currency: Currency,
    /// Whose days the days of its rules are.
    pub time_zone: TimeZone,
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
    /// Origins of the websites whose scripts may call the consumer operations of the API from a browser.
    pub api_origins: Vec<String>,
    /// Counts the changes of its shipping options and return reasons.
    pub settings_version: i64,
    /// Whether it is a test account: its labels are specimens, and its carrier may be simulated.
    pub is_test: bool,
}

impl Account {
    /// What tells who makes its labels from others; empty where we do.
    pub fn carrier_key(&self) -> String {
        match &self.carrier {
            Carrier::Own => String::new(),
            Carrier::Simulated => SIMULATED.to_owned(),
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

/// The [`Account::carrier_key`] of the simulated carrier.
const SIMULATED: &str = "simulated";
/// What the names of karrio servers begin with.
pub const KARRIO: &str = "karrio ";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bridge::{Bridge, Connection},
        carrier::Karrio,
        payment::PaymentProvider,
        policy::{Policy, Resolver},
    };

    #[test]
    fn names_are_found_by_all_of_them_and_by_their_last_word() {
        let keys = NameKeys::new("  Ada  KING-Noel ");
        assert_eq!((keys.whole.as_str(), keys.last.as_str()), ("ada king-noel", "king-noel"));
        assert_eq!(NameKeys::new(" "), NameKeys::default());
    }

    fn account(bridge: Bridge, carrier: Carrier, resolver: Resolver) -> Account {
        Account {
            id: AccountId(uuid::Uuid::from_u128(1)),
            slug: "shop".into(),
            domain: None,
            name: "Shop".into(),
            currency: Currency::from_code("EUR").unwrap(),
            time_zone: TimeZone::UTC,
            policy: Policy { resolver, ..Policy::default() },
            branding: Branding::default(),
            bridge,
            carrier,
            payment: PaymentProvider::default(),
            api_origins: Vec::new(),
            settings_version: 0,
            is_test: false,
        }
    }

    fn shop() -> Bridge {
        Bridge::Http(Connection { url: "https://x".into(), secret: "sealed".into(), previous_secret: None })
    }

    #[test]
    fn a_shop_carries_resolutions_out_where_it_is_to_and_can() {
        for (bridge, resolver, expected) in [
            (shop(), Resolver::Bridge, true),
            (shop(), Resolver::External, false),
            (Bridge::Catalog, Resolver::Bridge, false),
        ] {
            assert_eq!(account(bridge, Carrier::Own, resolver).is_settled_by_its_shop(), expected);
        }
    }

    #[test]
    fn who_makes_labels_is_told_from_others() {
        let karrio = Karrio { url: "https://k".into(), api_key: "sealed".into() };
        for (carrier, expected) in [
            (Carrier::Own, ""),
            (Carrier::Simulated, "simulated"),
            (Carrier::Bridge, "http https://x"),
            (Carrier::Karrio(karrio), "karrio https://k"),
        ] {
            assert_eq!(account(shop(), carrier, Resolver::Bridge).carrier_key(), expected);
        }
    }
}
