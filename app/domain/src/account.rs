//! A merchant's account: its rules, its looks and the systems that it is connected to.

use crate::{
    base::{host::Domain, id::AccountId, time_zone::TimeZone},
    branding::Branding,
    integration::{Bridge, Carrier},
    money::Currency,
    payment::PaymentProvider,
    policy::{Policy, Resolver},
};

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
    pub policy: Policy,
    /// Its looks.
    pub branding: Branding,
    /// Its shop.
    pub bridge: Bridge,
    /// Who makes its labels.
    pub carrier: Carrier,
    /// Who takes its payments.
    pub payment: PaymentProvider,
    /// Origins of the websites whose scripts may call the consumer operations of the API from a browser.
    pub api_origins: Vec<String>,
    /// Counts the changes of its shipping options and return reasons.
    pub settings_version: i64,
    /// Whether it is a test account: its labels are specimens, and its carrier may be simulated.
    pub is_test: bool,
}

/// The [`Account::carrier_key`] of the simulated carrier.
const SIMULATED: &str = "simulated";

/// What the names of karrio servers begin with.
pub const KARRIO: &str = "karrio ";

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
        self.policy.resolver == Resolver::Bridge && self.bridge.connection().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::{Connection, Karrio};

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
