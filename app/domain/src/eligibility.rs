//! Whether a purchase can go back, and if not, why (design: "Policy of an account").

use crate::{
    Timestamp,
    order::Purchase,
    policy::{Policy, WindowStart},
    withdrawal::DAYS_TO_SEND_BACK,
};
use serde::{Deserialize, Serialize};

/// Why a purchase cannot go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IneligibleCode {
    /// It was sold for good.
    FinalSale,
    /// Its return window is over.
    ReturnWindowExpired,
    /// It was not sent yet.
    NotFulfilled,
    /// All of it is already on its way back, returned or refunded.
    AlreadyReturned,
    /// The shop does not take it back, for a reason of its own.
    NotReturnable,
}

impl IneligibleCode {
    const ALL: [Self; 5] =
        [Self::FinalSale, Self::ReturnWindowExpired, Self::NotFulfilled, Self::AlreadyReturned, Self::NotReturnable];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::FinalSale => "FinalSale",
            Self::ReturnWindowExpired => "ReturnWindowExpired",
            Self::NotFulfilled => "NotFulfilled",
            Self::AlreadyReturned => "AlreadyReturned",
            Self::NotReturnable => "NotReturnable",
        }
    }

    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}

/// The answer for one purchase at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eligibility {
    /// Units that can go back now; 0 when there is an obstacle.
    pub returnable: u32,
    /// What stands in the way.
    pub obstacle: Option<IneligibleCode>,
    /// The last moment to return it, as shown to people (grace days are accepted but not in it). `None`: no limit,
    /// or the window has not started.
    pub return_by: Option<Timestamp>,
}

/// Judges a purchase by a policy at a moment. Who withdrew from the contract in time, at one of those moments, has 14 days
/// from then to send it back, whatever the policy says.
pub fn judge(purchase: &Purchase, policy: &Policy, withdrawn: &[Timestamp], now: Timestamp) -> Eligibility {
    let window_ends = return_by(purchase, policy);
    let window_closes = window_ends.map(|by| by.plus_days(policy.grace_days));
    let in_time = withdrawn.iter().filter(|at| window_closes.is_some_and(|closes| **at <= closes));
    let send_by = in_time.max().map(|at| end_of_day(*at, DAYS_TO_SEND_BACK));
    let (return_by, last_accepted) = (window_ends.max(send_by), window_closes.max(send_by));
    let returnable = purchase.units.returnable();
    let obstacle = if is_final_sale(purchase, policy) {
        Some(IneligibleCode::FinalSale)
    } else if purchase.obstacle.is_some() {
        purchase.obstacle
    } else if purchase.units.fulfilled == 0 {
        Some(IneligibleCode::NotFulfilled)
    } else if returnable == 0 {
        Some(IneligibleCode::AlreadyReturned)
    } else if last_accepted.is_some_and(|last| now > last) {
        Some(IneligibleCode::ReturnWindowExpired)
    } else {
        None
    };
    Eligibility { returnable: if obstacle.is_some() { 0 } else { returnable }, obstacle, return_by }
}

/// The end of the last day (UTC) of the window: whoever is told a date may use the whole of it.
fn return_by(purchase: &Purchase, policy: &Policy) -> Option<Timestamp> {
    let days = policy.return_window_days?;
    let start = match policy.window_starts_on {
        WindowStart::Ordered => Some(purchase.order.ordered_at),
        WindowStart::Fulfilled => purchase.fulfilled_at,
        WindowStart::Delivered => purchase.delivered_at.or(purchase.fulfilled_at),
    }
    // A shop that does not tell when it sent something: count from the order, the only date there is.
    .unwrap_or(purchase.order.ordered_at);
    Some(end_of_day(start, days))
}

fn end_of_day(from: Timestamp, days: u32) -> Timestamp {
    let day = from.seconds().div_euclid(86_400) + i64::from(days) + 1;
    Timestamp::from_seconds(day * 86_400 - 1)
}

fn is_final_sale(purchase: &Purchase, policy: &Policy) -> bool {
    let listed = |text: &String| policy.final_sale.iter().any(|entry| entry.eq_ignore_ascii_case(text));
    purchase.final_sale || listed(&purchase.product.sku) || purchase.order.tags.iter().any(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Currency, OrderId, PurchaseId,
        order::{OrderSummary, OrderSums, Product},
        quantity::Units,
    };

    const SENT: Timestamp = Timestamp::from_seconds(1_764_000_000); // 2025-11-24T16:00:00Z

    fn purchase() -> Purchase {
        Purchase {
            id: PurchaseId(uuid::Uuid::from_u128(1)),
            external_id: "1/1".into(),
            order: OrderSummary {
                id: OrderId(uuid::Uuid::from_u128(2)),
                number: "1".into(),
                ordered_at: SENT.plus_days(0),
                currency: Currency::from_code("EUR").unwrap(),
                shipping_left: 0,
                sums: OrderSums::default(),
                is_partial: false,
                review: None,
                tags: vec!["sale".into()],
            },
            position: 1,
            product: Product { sku: "A-1".into(), ..Product::default() },
            units: Units { bought: 2, fulfilled: 2, taken: 0, taken_dear: 0, settled: 0, shop_refunded: 0, total: 500 },
            tax: 0,
            discount: 0,
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: Some(SENT),
            delivered_at: None,
        }
    }

    fn obstacle(purchase: &Purchase, policy: &Policy, now: Timestamp) -> Option<IneligibleCode> {
        judge(purchase, policy, &[], now).obstacle
    }

    #[test]
    fn the_window_lasts_to_the_end_of_its_last_day() {
        let (purchase, policy) = (purchase(), Policy::default());
        let by = judge(&purchase, &policy, &[], SENT).return_by.unwrap();
        assert_eq!(by.to_string(), "2025-12-24T23:59:59Z");
        assert_eq!(obstacle(&purchase, &policy, by), None);
        assert_eq!(obstacle(&purchase, &policy, by.plus_seconds(1)), Some(IneligibleCode::ReturnWindowExpired));
        let lenient = Policy { grace_days: 2, ..Policy::default() };
        assert_eq!(judge(&purchase, &lenient, &[], by.plus_days(2)).return_by, Some(by));
        assert_eq!(obstacle(&purchase, &lenient, by.plus_days(2)), None);
        let endless = Policy { return_window_days: None, ..Policy::default() };
        assert_eq!(obstacle(&purchase, &endless, by.plus_days(9_999)), None);
    }

    #[test]
    fn the_window_starts_where_the_policy_says() {
        let delivered = Purchase { delivered_at: Some(SENT.plus_days(5)), ..purchase() };
        let policy = Policy { window_starts_on: WindowStart::Delivered, ..Policy::default() };
        assert_eq!(judge(&delivered, &policy, &[], SENT).return_by.unwrap().to_string(), "2025-12-29T23:59:59Z");
        assert_eq!(judge(&purchase(), &policy, &[], SENT).return_by.unwrap().to_string(), "2025-12-24T23:59:59Z");
    }

    #[test]
    fn who_withdrew_in_time_has_14_days_more_to_send_it_back() {
        let (purchase, policy) = (purchase(), Policy { return_window_days: Some(14), ..Policy::default() });
        let by = judge(&purchase, &policy, &[], SENT).return_by.unwrap();
        assert_eq!(by.to_string(), "2025-12-08T23:59:59Z");
        let at_last = |withdrawn: &[Timestamp], now| judge(&purchase, &policy, withdrawn, now);
        let withdrawn = at_last(&[by], by.plus_days(14));
        assert_eq!((withdrawn.obstacle, withdrawn.return_by), (None, Some(by.plus_days(14))));
        let late = at_last(&[by], by.plus_days(14).plus_seconds(1));
        assert_eq!(late.obstacle, Some(IneligibleCode::ReturnWindowExpired), "14 days, and no more");
        let too_late = at_last(&[by.plus_seconds(1)], by.plus_seconds(2));
        assert_eq!((too_late.obstacle, too_late.return_by), (Some(IneligibleCode::ReturnWindowExpired), Some(by)));
        // The latest that was in time counts; one that is of the first days takes nothing away.
        assert_eq!(at_last(&[SENT, by, by.plus_days(3)], by.plus_days(14)).obstacle, None);
        assert_eq!(at_last(&[SENT.plus_seconds(-86_400)], SENT).return_by, Some(by));
        let lenient = Policy { grace_days: 2, ..policy.clone() };
        let grace = judge(&purchase, &lenient, &[by.plus_days(2)], by.plus_days(16));
        assert_eq!((grace.obstacle, grace.return_by), (None, Some(by.plus_days(16))));
        let endless = Policy { return_window_days: None, ..policy.clone() };
        assert_eq!(judge(&purchase, &endless, &[SENT], by).return_by, None);
    }

    #[test]
    fn each_obstacle_has_its_code() {
        let by_tag = Policy { final_sale: vec!["Sale".into()], ..Policy::default() };
        let by_sku = Policy { final_sale: vec!["a-1".into()], ..Policy::default() };
        assert_eq!(obstacle(&purchase(), &by_tag, SENT), Some(IneligibleCode::FinalSale));
        assert_eq!(obstacle(&purchase(), &by_sku, SENT), Some(IneligibleCode::FinalSale));
        let with = |change: fn(&mut Units)| {
            let mut purchase = purchase();
            change(&mut purchase.units);
            judge(&purchase, &Policy::default(), &[], SENT)
        };
        assert_eq!(with(|units| units.fulfilled = 0).obstacle, Some(IneligibleCode::NotFulfilled));
        assert_eq!(with(|units| units.taken = 2).obstacle, Some(IneligibleCode::AlreadyReturned));
        assert_eq!(with(|units| units.shop_refunded = 2).obstacle, Some(IneligibleCode::AlreadyReturned));
        assert_eq!(with(|units| units.taken = 1).returnable, 1);
    }
}
