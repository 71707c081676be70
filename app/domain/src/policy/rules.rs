//! The rules of a policy.

use super::{
    choices::{FeeCollection, LookUpBy, Resolution, ResolveOn, Resolver, SecondFactorRule, WindowStart},
    queue_targets::QueueTargets,
};
use crate::{
    address::Address,
    base::refusal::{Problems, RefusalCode},
    money::{Percent, Prices},
    order::{MAX_WEIGHT, Product},
};
use serde::{Deserialize, Serialize};

/// A merchant's rules. Every field has a default, so that an empty object is a working policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own, and all are set by name")]
pub struct Policy {
    /// The number of days to return something; `null`: no limit.
    #[cfg_attr(feature = "openapi", schemars(range(max = 36_500)))]
    pub return_window_days: Option<u32>,
    /// The day on which the return window starts.
    pub window_starts_on: WindowStart,
    /// Days that are accepted beyond the window but not shown.
    #[cfg_attr(feature = "openapi", schemars(range(max = 36_500)))]
    pub grace_days: u32,
    /// SKUs and tags of products that cannot be returned.
    #[cfg_attr(feature = "openapi", schemars(length(max = 1_000), inner(length(min = 1, max = 500))))]
    pub final_sale: Vec<String>,
    /// Whether items that need no parcel can be returned, too: gift cards, downloads and services. Tips and fees never
    /// can.
    pub return_without_shipping: bool,
    /// The resolutions that consumers may ask for, each once.
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 3)))]
    pub resolutions: Vec<Resolution>,
    /// Whether returns need no person's approval.
    pub auto_approve: bool,
    /// What must have happened before a return is resolved.
    pub resolve_on: ResolveOn,
    /// Whether a pending resolution is approved without a person.
    pub auto_resolve: bool,
    /// The party that carries out approved resolutions.
    pub resolver: Resolver,
    /// What proves an order, in addition to its number: each once.
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 2)))]
    pub look_up_by: Vec<LookUpBy>,
    /// Whether the recipient of a gift can return it, for store credit or an exchange. They prove the order by the
    /// postal code that it was sent to, whatever `lookUpBy` says, and see no amounts.
    pub gift_returns: bool,
    /// How fees of a return are collected.
    pub fee_collection: FeeCollection,
    /// The fee for each return, whatever it contains.
    pub request_fee: Prices,
    /// The bonus on store credit.
    pub store_credit_bonus_percent: Percent,
    /// The consumer keeps items and is still refunded while the kept items of an order cost less than this.
    pub keep_item_below: Prices,
    /// Days until an unused label expires: at least 1.
    #[cfg_attr(feature = "openapi", schemars(range(max = 36_500)))]
    pub label_expires_days: u32,
    /// Days a consumer has to add required evidence.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 36_500)))]
    pub evidence_days: u32,
    /// Hours a consumer has to pay what is due.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 876_000)))]
    pub payment_hours: u32,
    /// Days from the event of `resolveOn` until shoppers usually have their refund: 1 to 60. `null`: nothing is
    /// promised.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 60)))]
    pub refund_days: Option<u32>,
    /// Days in which a return is usually reviewed, and in which received items are usually checked: 1 to 60. `null`:
    /// nothing is promised.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 60)))]
    pub review_days: Option<u32>,
    /// Days that a parcel usually travels: 1 to 60. `null`: nothing is promised.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 60)))]
    pub transit_days: Option<u32>,
    /// The address that parcels are sent to.
    pub return_address: Option<Address>,
    /// The GS1 company prefix (7 to 10 digits) of parcel numbers. The default is from GS1's range for examples (952):
    /// use your own for parcels that other companies scan.
    #[cfg_attr(feature = "openapi", schemars(length(min = 7, max = 10)))]
    pub gs1_company_prefix: String,
    /// Weight of a unit without a `weight` of its product, grams: 1 to 1,000,000. Prices by weight and carriers use it.
    #[cfg_attr(feature = "openapi", schemars(range(min = 1, max = 1_000_000)))]
    pub default_weight: u32,
    /// Whether shoppers get mail about their returns, if the operator has set a mail server.
    pub mail: bool,
    /// The most that users with the role `agent` may decide about, for each return request: above it, a user with the
    /// role `finance` or `admin` decides. Without an amount in a currency, agents have no limit in it.
    pub agent_limit: Prices,
    /// Whether the portal has the function by which consumers withdraw from a contract, as article 11a of Directive
    /// 2011/83/EU requires of shops that sell to consumers in the EU.
    pub withdrawal_function: bool,
    /// The users who need a second factor to sign in. A user without one has 7 days from the first sign-in that needs
    /// it. The rule has no effect while the installation cannot store secrets.
    pub require_second_factor: SecondFactorRule,
    /// The working hours after which rows of the staff's queues are over their target. Replaced as a whole.
    pub queue_targets: QueueTargets,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            return_window_days: Some(30),
            window_starts_on: WindowStart::Fulfilled,
            grace_days: 0,
            final_sale: Vec::new(),
            return_without_shipping: false,
            resolutions: vec![Resolution::Refund],
            auto_approve: true,
            resolve_on: ResolveOn::Receipt,
            auto_resolve: true,
            resolver: Resolver::Bridge,
            look_up_by: vec![LookUpBy::Email],
            gift_returns: false,
            fee_collection: FeeCollection::Deduct,
            request_fee: Prices::default(),
            store_credit_bonus_percent: Percent::default(),
            keep_item_below: Prices::default(),
            label_expires_days: 30,
            evidence_days: 14,
            payment_hours: 48,
            refund_days: None,
            review_days: None,
            transit_days: None,
            return_address: None,
            gs1_company_prefix: "9521234".to_owned(),
            default_weight: 500,
            mail: true,
            agent_limit: Prices::default(),
            withdrawal_function: true,
            require_second_factor: SecondFactorRule::Admins,
            queue_targets: QueueTargets::default(),
        }
    }
}

/// A hundred years: longer than any return window, short enough for every date to stay valid.
const MAX_DAYS: u32 = 36_500;

/// Two months: a longer time is no promise.
const MAX_PROMISED_DAYS: u32 = 60;

/// The maximum number of SKUs and tags that are not returnable.
const MAX_FINAL_SALE: usize = 1_000;

const MAX_FINAL_SALE_CHARS: usize = 500;

impl Policy {
    /// Problems by field.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        let numbers = [
            ("returnWindowDays", self.return_window_days.unwrap_or(0), 0..=MAX_DAYS),
            ("graceDays", self.grace_days, 0..=MAX_DAYS),
            // With 0 it would end before anybody could act.
            ("labelExpiresDays", self.label_expires_days, 1..=MAX_DAYS),
            ("evidenceDays", self.evidence_days, 1..=MAX_DAYS),
            ("paymentHours", self.payment_hours, 1..=MAX_DAYS * 24),
            ("refundDays", self.refund_days.unwrap_or(1), 1..=MAX_PROMISED_DAYS),
            ("reviewDays", self.review_days.unwrap_or(1), 1..=MAX_PROMISED_DAYS),
            ("transitDays", self.transit_days.unwrap_or(1), 1..=MAX_PROMISED_DAYS),
            ("defaultWeight", self.default_weight, 1..=MAX_WEIGHT),
        ];
        for (field, _, allowed) in numbers.into_iter().filter(|(_, given, allowed)| !allowed.contains(given)) {
            let (least, most) = (allowed.start(), allowed.end());
            problems.add(field, RefusalCode::OutOfRange, format!("expected a whole number from {least} to {most}"));
        }
        if self.final_sale.len() > MAX_FINAL_SALE {
            problems.add("finalSale", RefusalCode::OutOfRange, format!("expected at most {MAX_FINAL_SALE} entries"));
        }
        for (index, entry) in self.final_sale.iter().enumerate().take(MAX_FINAL_SALE) {
            problems.check_text(&format!("finalSale[{index}]"), entry, 1..=MAX_FINAL_SALE_CHARS);
        }
        if !is_each_once(&self.look_up_by) {
            problems.add("lookUpBy", RefusalCode::OutOfRange, "expected email, postalCode or both, each once");
        }
        if !is_each_once(&self.resolutions) {
            let message = "expected at least one of Refund, Exchange, StoreCredit, each once";
            problems.add("resolutions", RefusalCode::OutOfRange, message);
        }
        if self.gift_returns && !self.resolutions.iter().any(|resolution| resolution.is_for_gifts()) {
            let message = "expected StoreCredit or Exchange among resolutions: gifts allow nothing else";
            problems.add("giftReturns", RefusalCode::Mismatch, message);
        }
        let amounts = [
            ("requestFee", &self.request_fee),
            ("keepItemBelow", &self.keep_item_below),
            ("agentLimit", &self.agent_limit),
        ];
        for (field, prices) in amounts {
            problems.check_prices(field, prices);
        }
        if let Some(address) = &self.return_address {
            problems.add_parts("returnAddress", address.check());
        }
        problems.add_parts("queueTargets", self.queue_targets.check());
        problems
    }

    /// The resolutions that a consumer may ask for when returning a product: an exchange only if the product has
    /// exchange options.
    pub fn resolutions_for(&self, product: &Product) -> Vec<Resolution> {
        let is_offered = |one: &Resolution| *one != Resolution::Exchange || !product.exchange_options.is_empty();
        self.resolutions.iter().copied().filter(is_offered).collect()
    }

    /// The rules for the recipient of a gift. They get no money, because the buyer paid, and owe none. They never keep
    /// the item with a refund: that would reveal its price and give credit to anyone who knows a postal code.
    #[must_use]
    pub fn of_gifts(mut self) -> Self {
        self.resolutions.retain(|resolution| resolution.is_for_gifts());
        Self { fee_collection: FeeCollection::Deduct, keep_item_below: Prices::default(), ..self }
    }
}

/// Whether the list has values and none of them twice.
fn is_each_once<T: PartialEq>(values: &[T]) -> bool {
    let is_new = |(index, value): (usize, &T)| values.iter().take(index).all(|before| before != value);
    !values.is_empty() && values.iter().enumerate().all(is_new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unworkable_policy_is_refused_by_field() {
        let fields = |policy: Policy| policy.check().0.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        let default = Policy::default();
        assert!(fields(default.clone()).is_empty());
        assert_eq!(fields(Policy { look_up_by: Vec::new(), ..default.clone() }), ["lookUpBy"]);
        assert_eq!(fields(Policy { look_up_by: vec![LookUpBy::Email; 2], ..default.clone() }), ["lookUpBy"]);
        assert_eq!(
            fields(Policy { final_sale: vec!["x".to_owned(), String::new()], ..default.clone() }),
            ["finalSale[1]"]
        );
        let final_sale = |entries| fields(Policy { final_sale: vec!["x".to_owned(); entries], ..default.clone() });
        assert!(final_sale(MAX_FINAL_SALE).is_empty());
        assert_eq!(final_sale(MAX_FINAL_SALE + 1), ["finalSale"]);
        for days in [0, 61] {
            let some = Some(days);
            let promises = Policy { refund_days: some, review_days: some, transit_days: some, ..default.clone() };
            assert_eq!(fields(promises), ["refundDays", "reviewDays", "transitDays"], "{days}");
        }
        assert!(fields(Policy { refund_days: Some(1), transit_days: Some(60), ..default.clone() }).is_empty());
        let gifts = |resolutions: &[Resolution]| {
            fields(Policy { gift_returns: true, resolutions: resolutions.to_vec(), ..default.clone() })
        };
        assert_eq!(gifts(&[Resolution::Refund]), ["giftReturns"]);
        assert!(
            gifts(&[Resolution::Refund, Resolution::StoreCredit]).is_empty()
                && gifts(&[Resolution::Exchange]).is_empty()
        );
        let address = Address { country: "Holland".to_owned(), city: "x".repeat(201), ..Address::default() };
        let several = Policy {
            label_expires_days: u32::MAX,
            payment_hours: 24 * MAX_DAYS + 1,
            resolutions: Vec::new(),
            return_address: Some(address),
            ..default
        };
        let expected =
            ["labelExpiresDays", "paymentHours", "resolutions", "returnAddress.city", "returnAddress.country"];
        assert_eq!(fields(several), expected);
    }

    #[test]
    fn an_exchange_needs_exchange_options() {
        let policy = Policy { resolutions: vec![Resolution::Exchange, Resolution::Refund], ..Policy::default() };
        let option = crate::order::ExchangeOption { sku: "S-2".to_owned(), name: "Blue".to_owned() };
        let scarf = Product { exchange_options: vec![option], ..Product::default() };
        assert_eq!(policy.resolutions_for(&scarf), policy.resolutions);
        assert_eq!(policy.resolutions_for(&Product::default()), [Resolution::Refund]);
    }

    #[test]
    fn a_gift_is_never_paid_back_in_money() {
        let policy = Policy {
            resolutions: vec![Resolution::StoreCredit, Resolution::Refund, Resolution::Exchange],
            fee_collection: FeeCollection::Prepay,
            keep_item_below: Prices::new([crate::Money::new(500, crate::Currency::from_code("EUR").unwrap())]).unwrap(),
            ..Policy::default()
        };
        let of_gifts = policy.of_gifts();
        assert_eq!(of_gifts.resolutions, [Resolution::StoreCredit, Resolution::Exchange]);
        assert_eq!(of_gifts.fee_collection, FeeCollection::Deduct);
        assert_eq!(of_gifts.keep_item_below, Prices::default());
    }
}
