//! Whether a purchase can be returned, and if not, why.

use super::{choices::WindowStart, rules::Policy};
use crate::{
    base::{time_zone::TimeZone, timestamp::Timestamp},
    order::{IneligibleCode, Purchase},
    withdrawal::DAYS_TO_SEND_BACK,
};

/// The eligibility of one purchase at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eligibility {
    /// Units that can be returned now; 0 if there is an obstacle.
    pub returnable: u32,
    /// The reason why it cannot be returned.
    pub obstacle: Option<IneligibleCode>,
    /// The last second of the return window as people see it, without grace days. `None` if there is no limit or the
    /// window has not started.
    pub return_by: Option<Timestamp>,
    /// The day in the shop's time zone that `return_by` ends.
    pub last_day: Option<time::Date>,
}

/// Judges a purchase by a policy at a moment; days are those of the shop's time zone. `withdrawn` are the moments of
/// withdrawals from the contract: one within the window gives 14 days from then to send the item back, whatever the
/// policy says.
pub fn judge(
    purchase: &Purchase,
    policy: &Policy,
    zone: &TimeZone,
    withdrawn: &[Timestamp],
    now: Timestamp,
) -> Eligibility {
    let window = Window::of(purchase, policy);
    let window_ends = window.map(|window| zone.end_of_day(window.start, window.days));
    let window_closes =
        window.map(|window| zone.end_of_day(window.start, window.days.saturating_add(policy.grace_days)));
    let in_time = withdrawn.iter().filter(|at| window_closes.is_some_and(|closes| !is_after(**at, closes)));
    let send_by = in_time.max().map(|at| zone.end_of_day(*at, DAYS_TO_SEND_BACK));
    let (return_by, last_accepted) = (window_ends.max(send_by), window_closes.max(send_by));
    let returnable = purchase.units.returnable();
    let obstacle = if is_final_sale(purchase, policy) {
        Some(IneligibleCode::FinalSale)
    } else if purchase.obstacle.is_some() {
        purchase.obstacle
    } else if !purchase.requires_shipping && !policy.return_without_shipping {
        Some(IneligibleCode::NotShippable)
    } else if purchase.units.fulfilled == 0 {
        Some(IneligibleCode::NotFulfilled)
    } else if returnable == 0 {
        Some(IneligibleCode::AlreadyReturned)
    } else if last_accepted.is_some_and(|last| is_after(now, last)) {
        Some(IneligibleCode::ReturnWindowExpired)
    } else {
        None
    };
    let last_day = return_by.map(|by| zone.date(by));
    Eligibility { returnable: if obstacle.is_some() { 0 } else { returnable }, obstacle, return_by, last_day }
}

/// A return window; its last day counts in full.
#[derive(Debug, Clone, Copy)]
struct Window {
    start: Timestamp,
    days: u32,
}

impl Window {
    /// `None` if there is no limit or the window has not started.
    fn of(purchase: &Purchase, policy: &Policy) -> Option<Self> {
        let days = policy.return_window_days?;
        let ordered_at = purchase.order.ordered_at;
        let start = match policy.window_starts_on {
            WindowStart::Ordered => Some(ordered_at),
            WindowStart::Fulfilled => purchase.fulfilled_at,
            WindowStart::Delivered => purchase.delivered_at.or(purchase.fulfilled_at),
        };
        // Some shops never report when a fully sent order was sent: then the order date is the only date. While a part
        // is still unsent, the rest may have been sent today.
        let start = start.or((!purchase.is_undated_part).then_some(ordered_at))?;
        Some(Self { start, days })
    }
}

/// Whether a moment is later than a last second, which counts in full.
fn is_after(at: Timestamp, last: Timestamp) -> bool {
    at.seconds() > last.seconds()
}

fn is_final_sale(purchase: &Purchase, policy: &Policy) -> bool {
    let listed = |text: &String| policy.final_sale.iter().any(|entry| entry.eq_ignore_ascii_case(text));
    purchase.final_sale || listed(&purchase.product.sku) || purchase.order.tags.iter().any(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::id::{OrderId, PurchaseId},
        money::Currency,
        order::{OrderSummary, OrderSums, Product, Units},
    };
    use proptest::prelude::*;

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
            units: Units {
                bought: 2,
                fulfilled: 2,
                taken: 0,
                taken_remainder_units: 0,
                settled: 0,
                shop_refunded: 0,
                total: 500,
            },
            tax: 0,
            duties: 0,
            discount: 0,
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            is_undated_part: false,
            obstacle: None,
            fulfilled_at: Some(SENT),
            delivered_at: None,
        }
    }

    fn obstacle(purchase: &Purchase, policy: &Policy, now: Timestamp) -> Option<IneligibleCode> {
        judge(purchase, policy, &TimeZone::UTC, &[], now).obstacle
    }

    #[test]
    fn the_window_lasts_to_the_end_of_its_last_day() {
        let (purchase, policy) = (purchase(), Policy::default());
        let by = judge(&purchase, &policy, &TimeZone::UTC, &[], SENT).return_by.unwrap();
        assert_eq!(by.to_string(), "2025-12-24T23:59:59Z");
        assert_eq!(obstacle(&purchase, &policy, by), None);
        assert_eq!(obstacle(&purchase, &policy, by.plus_seconds(1)), Some(IneligibleCode::ReturnWindowExpired));
        let lenient = Policy { grace_days: 2, ..Policy::default() };
        assert_eq!(judge(&purchase, &lenient, &TimeZone::UTC, &[], by.plus_days(2)).return_by, Some(by));
        assert_eq!(obstacle(&purchase, &lenient, by.plus_days(2)), None);
        let endless = Policy { return_window_days: None, ..Policy::default() };
        assert_eq!(obstacle(&purchase, &endless, by.plus_days(9_999)), None);
    }

    #[test]
    fn the_window_starts_where_the_policy_says() {
        let delivered = Purchase { delivered_at: Some(SENT.plus_days(5)), ..purchase() };
        let policy = Policy { window_starts_on: WindowStart::Delivered, ..Policy::default() };
        assert_eq!(
            judge(&delivered, &policy, &TimeZone::UTC, &[], SENT).return_by.unwrap().to_string(),
            "2025-12-29T23:59:59Z"
        );
        assert_eq!(
            judge(&purchase(), &policy, &TimeZone::UTC, &[], SENT).return_by.unwrap().to_string(),
            "2025-12-24T23:59:59Z"
        );
    }

    #[test]
    fn all_of_the_last_second_counts() {
        let (purchase, policy) = (purchase(), Policy { return_window_days: Some(14), ..Policy::default() });
        let by = judge(&purchase, &policy, &TimeZone::UTC, &[], SENT).return_by.unwrap();
        let last = Timestamp::from_micros(by.micros() + 999_999);
        assert_eq!(obstacle(&purchase, &policy, last), None);
        let expired = Some(IneligibleCode::ReturnWindowExpired);
        assert_eq!(obstacle(&purchase, &policy, Timestamp::from_micros(last.micros() + 1)), expired);
        assert_eq!(judge(&purchase, &policy, &TimeZone::UTC, &[last], by.plus_days(14)).obstacle, None);
    }

    #[test]
    fn days_are_those_of_the_shop() {
        let policy = Policy { return_window_days: Some(14), grace_days: 1, ..Policy::default() };
        // 00:30 on 11 November in Berlin, and 16:30 on the 10th in Los Angeles.
        let sent = Timestamp::parse("2026-11-11T00:30:00+01:00").unwrap();
        let purchase = Purchase { fulfilled_at: Some(sent), ..purchase() };
        for (zone, by, closes) in [
            ("UTC", "2026-11-24T23:59:59Z", "2026-11-25T23:59:59Z"),
            ("Europe/Berlin", "2026-11-25T22:59:59Z", "2026-11-26T22:59:59Z"),
            ("America/Los_Angeles", "2026-11-25T07:59:59Z", "2026-11-26T07:59:59Z"),
            ("Asia/Kolkata", "2026-11-25T18:29:59Z", "2026-11-26T18:29:59Z"),
        ] {
            let (zone, closes) = (TimeZone::from_name(zone).unwrap(), Timestamp::parse(closes).unwrap());
            let at = |now| judge(&purchase, &policy, &zone, &[], now);
            assert_eq!(at(closes).return_by.unwrap().to_string(), by, "{zone}");
            assert_eq!(at(closes).obstacle, None, "{zone}");
            let late = at(closes.plus_seconds(1)).obstacle;
            assert_eq!(late, Some(IneligibleCode::ReturnWindowExpired), "{zone}");
            // A withdrawal at the last moment gives 14 calendar days of the shop.
            let withdrawn = judge(&purchase, &policy, &zone, &[closes], closes.plus_days(14));
            assert_eq!((withdrawn.obstacle, withdrawn.return_by), (None, Some(closes.plus_days(14))), "{zone}");
        }
    }

    #[test]
    fn an_unknown_dispatch_date_starts_no_window_while_a_part_is_unsent() {
        let part = Purchase { fulfilled_at: None, is_undated_part: true, ..purchase() };
        let judged = |purchase: &Purchase, policy: &Policy| {
            let Eligibility { obstacle, return_by, .. } =
                judge(purchase, policy, &TimeZone::UTC, &[SENT.plus_days(2)], SENT.plus_days(9_999));
            (obstacle, return_by.map(|by| by.to_string()))
        };
        let expired = Some(IneligibleCode::ReturnWindowExpired);
        let since_order = (expired, Some("2025-12-24T23:59:59Z".to_owned()));
        for start in [WindowStart::Fulfilled, WindowStart::Delivered] {
            let policy = Policy { window_starts_on: start, ..Policy::default() };
            assert_eq!(judged(&part, &policy), (None, None), "its window has not started");
            let whole = Purchase { is_undated_part: false, ..part.clone() };
            assert_eq!(judged(&whole, &policy), since_order, "the order's date is the only one");
        }
        let by_order = Policy { window_starts_on: WindowStart::Ordered, ..Policy::default() };
        assert_eq!(judged(&part, &by_order), since_order);
    }

    proptest! {
        /// In every zone the window is open until the last moment of its last day and closed at the first moment of
        /// the next.
        #[test]
        fn a_window_is_open_to_the_end_of_its_last_day(
            name in prop::sample::select(jiff::tz::db().available().map(|name| name.to_string()).collect::<Vec<_>>()),
            start in prop::sample::select(vec![WindowStart::Ordered, WindowStart::Fulfilled, WindowStart::Delivered]),
            micros in 1_577_836_800_000_000_i64..2_082_758_400_000_000, // 2020 to 2035
            days in 0_u32..=400,
            grace in 0_u32..=10,
        ) {
            let Some(zone) = TimeZone::from_name(&name) else { return Ok(()) };
            let at = Timestamp::from_micros(micros);
            let mut purchase = Purchase { fulfilled_at: Some(at), delivered_at: Some(at), ..purchase() };
            purchase.order.ordered_at = at;
            let policy =
                Policy { return_window_days: Some(days), window_starts_on: start, grace_days: grace, ..Policy::default() };
            let judge_at = |now| judge(&purchase, &policy, &zone, &[], now);
            let day = zone.date(at) + time::Duration::days(i64::from(days + grace));
            let next = zone.start_of_day(day + time::Duration::DAY);
            let last = Timestamp::from_micros(next.micros() - 1);
            prop_assert_eq!(zone.date(last), day);
            prop_assert_eq!(judge_at(last).obstacle, None);
            prop_assert_eq!(judge_at(next).obstacle, Some(IneligibleCode::ReturnWindowExpired));
            let shown = zone.date(at) + time::Duration::days(i64::from(days));
            prop_assert_eq!(judge_at(at).last_day, Some(shown));
            prop_assert_eq!(zone.date(judge_at(at).return_by.unwrap()), shown);
        }
    }

    #[test]
    fn a_withdrawal_in_time_gives_14_days_to_send_it_back() {
        let (purchase, policy) = (purchase(), Policy { return_window_days: Some(14), ..Policy::default() });
        let by = judge(&purchase, &policy, &TimeZone::UTC, &[], SENT).return_by.unwrap();
        assert_eq!(by.to_string(), "2025-12-08T23:59:59Z");
        let at_last = |withdrawn: &[Timestamp], now| judge(&purchase, &policy, &TimeZone::UTC, withdrawn, now);
        let withdrawn = at_last(&[by], by.plus_days(14));
        assert_eq!((withdrawn.obstacle, withdrawn.return_by), (None, Some(by.plus_days(14))));
        let late = at_last(&[by], by.plus_days(14).plus_seconds(1));
        assert_eq!(late.obstacle, Some(IneligibleCode::ReturnWindowExpired), "14 days and no more");
        let too_late = at_last(&[by.plus_seconds(1)], by.plus_seconds(2));
        assert_eq!((too_late.obstacle, too_late.return_by), (Some(IneligibleCode::ReturnWindowExpired), Some(by)));
        // The latest withdrawal in time counts; one on the first days shortens nothing.
        assert_eq!(at_last(&[SENT, by, by.plus_days(3)], by.plus_days(14)).obstacle, None);
        assert_eq!(at_last(&[SENT.plus_seconds(-86_400)], SENT).return_by, Some(by));
        let lenient = Policy { grace_days: 2, ..policy.clone() };
        let grace = judge(&purchase, &lenient, &TimeZone::UTC, &[by.plus_days(2)], by.plus_days(16));
        assert_eq!((grace.obstacle, grace.return_by), (None, Some(by.plus_days(16))));
        let endless = Policy { return_window_days: None, ..policy.clone() };
        assert_eq!(judge(&purchase, &endless, &TimeZone::UTC, &[SENT], by).return_by, None);
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
            judge(&purchase, &Policy::default(), &TimeZone::UTC, &[], SENT)
        };
        assert_eq!(with(|units| units.fulfilled = 0).obstacle, Some(IneligibleCode::NotFulfilled));
        assert_eq!(with(|units| units.taken = 2).obstacle, Some(IneligibleCode::AlreadyReturned));
        assert_eq!(with(|units| units.shop_refunded = 2).obstacle, Some(IneligibleCode::AlreadyReturned));
        assert_eq!(with(|units| units.taken = 1).returnable, 1);
    }

    #[test]
    fn items_without_a_parcel_are_returnable_only_if_the_policy_says_so() {
        let download = Purchase { requires_shipping: false, ..purchase() };
        assert_eq!(obstacle(&download, &Policy::default(), SENT), Some(IneligibleCode::NotShippable));
        assert_eq!(judge(&download, &Policy::default(), &TimeZone::UTC, &[SENT], SENT).returnable, 0);
        let lenient = Policy { return_without_shipping: true, ..Policy::default() };
        assert_eq!(judge(&download, &lenient, &TimeZone::UTC, &[], SENT).returnable, 2);
        // A tip is no item.
        let tip = Purchase { obstacle: Some(IneligibleCode::NotShippable), ..download };
        assert_eq!(obstacle(&tip, &lenient, SENT), Some(IneligibleCode::NotShippable));
    }
}
