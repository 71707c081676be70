//! Whether a purchase can be returned.

use super::settings::Settings;
use crate::base::offer_cache::can_be_sent;
use domain::{
    Timestamp,
    order::{IneligibleCode, Product, Purchase},
    policy::{
        Policy,
        eligibility::{Eligibility, judge},
    },
};
use store::withdrawals::Withdrawn;

impl Settings {
    /// Whether the account has a return reason for a product that allows one of its resolutions.
    fn offers_anything(&self, product: &Product) -> bool {
        let offered = self.account.policy.resolutions_for(product);
        self.reasons.iter().any(|reason| offered.iter().any(|one| reason.rules.allows(*one, &offered)))
    }

    /// Whether a purchase of the shopper can be returned, which also requires a shipping option and a return reason.
    pub fn judge(&self, purchase: &Purchase, now: Timestamp) -> Eligibility {
        self.judge_withdrawn(purchase, self.withdrawn.iter(), now)
    }

    /// The same for given withdrawals of the buyer.
    pub fn judge_withdrawn<'a>(
        &self,
        purchase: &Purchase,
        withdrawn: impl Iterator<Item = &'a Withdrawn>,
        now: Timestamp,
    ) -> Eligibility {
        self.judge_by(&self.account.policy, purchase, withdrawn, now)
    }

    /// The same by another policy than the account's.
    pub(super) fn judge_by<'a>(
        &self,
        policy: &Policy,
        purchase: &Purchase,
        withdrawn: impl Iterator<Item = &'a Withdrawn>,
        now: Timestamp,
    ) -> Eligibility {
        let is_from_it = |one: &&Withdrawn| one.order_numbers.contains(&purchase.order.number);
        let moments: Vec<Timestamp> = withdrawn.filter(is_from_it).map(|one| one.at).collect();
        let eligibility = judge(purchase, policy, &self.account.time_zone, &moments, now);
        let not_set_up = if !can_be_sent(&self.options, purchase.order.currency) {
            Some(IneligibleCode::NoShippingOption)
        } else if !self.offers_anything(&purchase.product) {
            Some(IneligibleCode::NoReturnReason)
        } else {
            None
        };
        match not_set_up {
            Some(code) if eligibility.obstacle.is_none() => {
                Eligibility { returnable: 0, obstacle: Some(code), ..eligibility }
            }
            _ => eligibility,
        }
    }
}
