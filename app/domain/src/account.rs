//! A merchant's account: its policy, its branding and the systems that it is connected to.

use crate::{
    base::{host::HostName, id::AccountId, time_zone::TimeZone},
    branding::Branding,
    integration::{Bridge, Carrier, CarrierKind},
    money::Currency,
    payment::PaymentProvider,
    policy::{Policy, Resolver},
};

/// The account of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Identifier.
    pub id: AccountId,
    /// The name in URLs: lower-case letters, digits and hyphens.
    pub slug: String,
    /// The merchant's own host name for the portal: `returns.shop.example`.
    pub domain: Option<HostName>,
    /// The name that shoppers see.
    pub name: String,
    /// The default currency of its fees.
    pub currency: Currency,
    /// The time zone whose days its rules count.
    pub time_zone: TimeZone,
    /// The rules of its returns.
    pub policy: Policy,
    /// The look and texts of its portal.
    pub branding: Branding,
    /// Its shop system.
    pub bridge: Bridge,
    /// The carrier that makes its labels.
    pub carrier: Carrier,
    /// The provider that takes its payments.
    pub payment: PaymentProvider,
    /// Origins of the websites whose scripts may call the consumer operations of the API from a browser.
    pub api_origins: Vec<String>,
    /// A counter of the changes of its shipping options and return reasons.
    pub settings_version: i64,
    /// Whether it is a test account: its labels are specimens, and its carrier may be simulated.
    pub is_test: bool,
}

/// The first segment of the desk's addresses. No account gets it as its slug; one may have had it before.
pub const DESK_SLUG: &str = "desk";

/// The [`Account::carrier_key`] of the simulated carrier.
const SIMULATED: &str = "simulated";

/// The prefix of the [`Account::carrier_key`] of karrio servers.
const KARRIO: &str = "karrio ";

impl Account {
    /// The name of the account in addresses of its portal: its slug, or its id if the slug leads to the desk.
    pub fn address_name(&self) -> String {
        if self.slug == DESK_SLUG { self.id.to_string() } else { self.slug.clone() }
    }

    /// A key that identifies the carrier; empty if Retour draws the labels.
    pub fn carrier_key(&self) -> String {
        match &self.carrier {
            Carrier::Own => String::new(),
            Carrier::Simulated => SIMULATED.to_owned(),
            Carrier::Bridge => self.bridge.shop_key(),
            Carrier::Karrio(karrio) => format!("{KARRIO}{}", karrio.url),
        }
    }

    /// The kind of the carrier that has this [`Account::carrier_key`].
    pub fn carrier_kind_of(key: &str) -> CarrierKind {
        match key {
            "" => CarrierKind::Own,
            SIMULATED => CarrierKind::Simulated,
            key if key.starts_with(KARRIO) => CarrierKind::Karrio,
            _ => CarrierKind::Bridge,
        }
    }

    /// Whether its shop carries out resolutions. The resolutions of a catalog are carried out and reported by another
    /// system, whatever the policy says.
    pub fn is_settled_by_its_shop(&self) -> bool {
        self.policy.resolver == Resolver::Bridge && self.bridge.connection().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::{BridgeConnection, Karrio};

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
        Bridge::Http(BridgeConnection { url: "https://x".into(), secret: "sealed".into(), previous_secret: None })
    }

    #[test]
    fn a_shop_carries_out_resolutions_if_policy_and_bridge_allow_it() {
        for (bridge, resolver, expected) in [
            (shop(), Resolver::Bridge, true),
            (shop(), Resolver::External, false),
            (Bridge::Catalog, Resolver::Bridge, false),
        ] {
            assert_eq!(account(bridge, Carrier::Own, resolver).is_settled_by_its_shop(), expected);
        }
    }

    #[test]
    fn a_portal_beside_the_desk_has_the_id_in_its_address() {
        let mut account = account(shop(), Carrier::Own, Resolver::Bridge);
        assert_eq!(account.address_name(), "shop");
        DESK_SLUG.clone_into(&mut account.slug);
        assert_eq!(account.address_name(), account.id.to_string());
    }

    #[test]
    fn each_carrier_has_its_key() {
        let karrio = Karrio { url: "https://k".into(), api_key: "sealed".into() };
        for (carrier, expected) in [
            (Carrier::Own, ""),
            (Carrier::Simulated, "simulated"),
            (Carrier::Bridge, "http https://x"),
            (Carrier::Karrio(karrio), "karrio https://k"),
        ] {
            let account = account(shop(), carrier, Resolver::Bridge);
            assert_eq!(account.carrier_key(), expected);
            assert_eq!(Account::carrier_kind_of(expected), account.carrier.kind());
        }
    }
}
