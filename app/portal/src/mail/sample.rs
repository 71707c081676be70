//! An account for tests.

use domain::{AccountId, Currency, branding::Branding, order::Account, policy::Policy};
use uuid::Uuid;

pub fn account() -> Account {
    Account {
        id: AccountId(Uuid::nil()),
        slug: "ash".to_owned(),
        name: "Ash & Alder".to_owned(),
        currency: Currency::from_code("GBP").unwrap(),
        policy: Policy::default(),
        branding: Branding::default(),
        bridge: domain::bridge::Bridge::default(),
        carrier: domain::carrier::Carrier::default(),
        payment: domain::payment::PaymentProvider::default(),
        domain: None,
        time_zone: domain::TimeZone::UTC,
        api_origins: Vec::new(),
        settings_version: 0,
        is_test: false,
    }
}
