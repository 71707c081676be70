//! What a merchant allows: the settings that decide who may return what, until when and at what price.

use crate::{
    Refusal, RefusalCode,
    money::{Percent, Prices},
};
use serde::{Deserialize, Serialize};

/// A merchant's rules. Every field has a default, so that an empty object is a working policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Policy {
    /// Days in which things may go back; `null`: no limit.
    pub return_window_days: Option<u32>,
    /// When those days start.
    pub window_starts_on: WindowStart,
    /// Days that are accepted beyond the window but not shown.
    pub grace_days: u32,
    /// SKUs and tags that cannot go back.
    pub final_sale: Vec<String>,
    /// What a consumer may ask for.
    pub resolutions: Vec<Resolution>,
    /// Whether returns need no person's approval.
    pub auto_approve: bool,
    /// What must have happened before a return is resolved.
    pub resolve_on: ResolveOn,
    /// Whether a pending resolution is approved without a person.
    pub auto_resolve: bool,
    /// Who carries an approved resolution out.
    pub resolver: Resolver,
    /// What a consumer proves an order with, beside its number.
    pub look_up_by: Vec<LookUpBy>,
    /// How fees are collected.
    pub fee_collection: FeeCollection,
    /// A fee for each return, whatever is in it.
    pub request_fee: Prices,
    /// What store credit is topped up with.
    pub store_credit_bonus_percent: Percent,
    /// While what is kept of an order comes to less than this, the consumer keeps it and is refunded all the same.
    pub keep_item_below: Prices,
    /// Days until a label that nobody used expires.
    pub label_expires_days: u32,
    /// Days a consumer has to add required evidence.
    pub evidence_days: u32,
    /// Hours a consumer has to pay what is due.
    pub payment_hours: u32,
    /// Where parcels go.
    pub return_address: Option<Address>,
    /// GS1 company prefix (7 to 10 digits) under which parcels are numbered. The default is of GS1's range for
    /// examples (952): good for trying out, not for parcels that meet other companies' scanners.
    pub gs1_company_prefix: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            return_window_days: Some(30),
            window_starts_on: WindowStart::Fulfilled,
            grace_days: 0,
            final_sale: Vec::new(),
            resolutions: vec![Resolution::Refund],
            auto_approve: true,
            resolve_on: ResolveOn::Receipt,
            auto_resolve: true,
            resolver: Resolver::Bridge,
            look_up_by: vec![LookUpBy::Email],
            fee_collection: FeeCollection::Deduct,
            request_fee: Prices::default(),
            store_credit_bonus_percent: Percent::default(),
            keep_item_below: Prices::default(),
            label_expires_days: 30,
            evidence_days: 14,
            payment_hours: 48,
            return_address: None,
            gs1_company_prefix: "9521234".to_owned(),
        }
    }
}

/// A hundred years: longer than any promise, short enough for every date to stay one.
const MAX_DAYS: u32 = 36_500;

impl Policy {
    /// Says no to what could not work, with the field's name.
    pub fn check(&self) -> Result<(), (&'static str, Refusal)> {
        let out_of_range = |message: String| Refusal::new(RefusalCode::OutOfRange, message);
        let days = [
            ("returnWindowDays", self.return_window_days.unwrap_or(0)),
            ("graceDays", self.grace_days),
            ("labelExpiresDays", self.label_expires_days),
            ("evidenceDays", self.evidence_days),
            ("paymentHours", self.payment_hours / 24),
        ];
        if let Some((field, _)) = days.into_iter().find(|&(_, days)| days > MAX_DAYS) {
            return Err((field, out_of_range(format!("expected at most {MAX_DAYS} days"))));
        }
        if self.look_up_by.is_empty() {
            return Err(("lookUpBy", out_of_range("expected email, postalCode or both".to_owned())));
        }
        if self.resolutions.is_empty() {
            return Err((
                "resolutions",
                out_of_range("expected at least one of Refund, Exchange, StoreCredit".to_owned()),
            ));
        }
        Ok(())
    }
}

/// Where the return window starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WindowStart {
    /// When the item was sent.
    Fulfilled,
    /// When the order was placed.
    Ordered,
    /// When the item arrived; when it was sent, as long as nobody says that it arrived.
    Delivered,
}

/// What a consumer gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum Resolution {
    /// The money back, the way it was paid.
    Refund,
    /// Another item of the same price.
    Exchange,
    /// Money to spend in the shop.
    StoreCredit,
}

impl Resolution {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Refund, Self::Exchange, Self::StoreCredit];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refund => "Refund",
            Self::Exchange => "Exchange",
            Self::StoreCredit => "StoreCredit",
        }
    }

    /// The resolution of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// When a request may enter `Resolution: Pending`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ResolveOn {
    /// As soon as it is submitted.
    Submission,
    /// When a carrier first sees the parcel.
    FirstScan,
    /// When the carrier has delivered it.
    Delivery,
    /// When the warehouse has received it.
    Receipt,
    /// When the warehouse has looked at it.
    Inspection,
}

/// Who carries out resolutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Resolver {
    /// Our worker, through the shop's bridge.
    Bridge,
    /// Another system, through the API.
    External,
}

/// What proves an order beside its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum LookUpBy {
    /// The e-mail address of the order.
    Email,
    /// The postal code it was delivered to.
    PostalCode,
}

/// How fees are collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum FeeCollection {
    /// Off what is paid back.
    Deduct,
    /// Before anything is sent.
    Prepay,
}

/// A postal address as it stands on a label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Address {
    /// Person or company.
    pub name: String,
    /// Street and number.
    pub street: String,
    /// Building, floor, care of.
    pub additional: String,
    /// As the country writes it.
    pub postal_code: String,
    /// City or town.
    pub city: String,
    /// State, county, prefecture.
    pub province: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
}

impl Address {
    /// The lines to print, without the empty ones.
    pub fn lines(&self) -> Vec<String> {
        let city = format!("{} {}", self.postal_code, self.city);
        [&self.name, &self.additional, &self.street, &city, &self.province, &self.country]
            .into_iter()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_that_could_not_work_is_refused_by_its_field() {
        assert_eq!(Policy::default().check(), Ok(()));
        let nobody = Policy { look_up_by: Vec::new(), ..Policy::default() };
        let endless = Policy { label_expires_days: u32::MAX, ..Policy::default() };
        let nothing = Policy { resolutions: Vec::new(), ..Policy::default() };
        let field = |policy: Policy| policy.check().map_err(|(field, _)| field);
        assert_eq!(field(nobody), Err("lookUpBy"));
        assert_eq!(field(endless), Err("labelExpiresDays"));
        assert_eq!(field(nothing), Err("resolutions"));
    }
}
