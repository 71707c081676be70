//! An account for tests.

use domain::{AccountId, Currency, account::Account, branding::Branding, policy::Policy};
use uuid::Uuid;

pub fn account() -> Account {
    Account {
        id: AccountId(Uuid::nil()),
        slug: "ash".to_owned(),
        name: "Ash & Alder".to_owned(),
        currency: Currency::from_code("GBP").unwrap(),
        policy: Policy::default(),
        branding: Branding::default(),
        bridge: domain::integration::Bridge::default(),
        carrier: domain::integration::Carrier::default(),
        payment: domain::payment::PaymentProvider::default(),
        domain: None,
        time_zone: domain::TimeZone::UTC,
        api_origins: Vec::new(),
        settings_version: 0,
        is_test: false,
    }
}
