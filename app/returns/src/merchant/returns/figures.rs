//! Figures about the returns of the last weeks, and the returns that a person worked on last.

use crate::{
    base::{Result, StaffMember, count_cache::Freshness},
    merchant::handle::MerchantHandle,
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    AccountId, Currency, Money, PurchaseId, ReturnOrderId, TimeZone, Timestamp,
    costs::{CostBreakdown, LineKind},
    policy::Resolution,
    returning::ReturnOrder,
    stage::StageName,
};
use std::collections::{BTreeMap, HashMap};
use store::{
    Db,
    figures::{self, Completed, Period, PeriodSums},
    return_orders, worked_return_orders,
};

/// Days of a period.
const DAYS: i64 = 28;
const DAY: i64 = 86_400;
/// Sums over tens of thousands of requests are kept for this long, seconds. What this instance completes or receives ends them.
const KEPT_SECONDS: i64 = 60;
/// How many return orders somebody finds again.
const MOST_WORKED: i64 = 10;
/// A percentage of this sum is computed without an overflow.
const HUNDRED: i128 = 100;

impl MerchantHandle<'_> {
    /// The figures of the last 28 days, and of the 28 days before, in the account's time zone.
    pub async fn figures_summary(self) -> Result<view::FiguresSummary> {
        let account = self.own_account().await?;
        let (zone, now) = (&account.time_zone, self.retour.now());
        let tomorrow = days_from_today(zone, now, 1);
        let (since, before) = (days_from_today(zone, now, 1 - DAYS), days_from_today(zone, now, 1 - 2 * DAYS));
        let periods = (Period { from: since, to: tomorrow }, Period { from: before, to: since });
        let changes = || self.retour.store.changes().of_figures(account.id);
        let fresh = Freshness { now, seconds: KEPT_SECONDS, changes };
        // Two connections read at a time.
        let sums = async { tokio::try_join!(self.sums_of(periods.0), self.sums_of(periods.1)) };
        let (current, previous) = Box::pin(self.retour.summed_figures.get(account.id, periods, fresh, sums)).await?;
        let (current, previous) = (shown(periods.0, &current), shown(periods.1, &previous));
        Ok(view::FiguresSummary { time_zone: zone.name().to_owned(), current, previous })
    }

    async fn sums_of(self, period: Period) -> Result<PeriodSums> {
        let mut reading = self.retour.store.read().await?;
        sums_of(reading.db(), self.staff.account(), period).await
    }

    /// The 10 return orders that the caller worked on last, the last first. Programs and the operator have none.
    pub async fn worked_return_orders(self) -> Result<view::List<view::ReturnOrderView>> {
        let StaffMember::User(user, _) = self.staff.who() else { return Ok(view::List::whole(Vec::new())) };
        let account = self.staff.account();
        let mut reading = self.retour.store.read().await?;
        let ids = worked_return_orders::list_newest(reading.db(), account, user, MOST_WORKED).await?;
        let found = return_orders::list_of_ids(reading.db(), account, &ids).await?;
        let mut found: HashMap<ReturnOrderId, ReturnOrder> = found.into_iter().map(|order| (order.id, order)).collect();
        let orders = ids.iter().filter_map(|id| found.remove(id)).map(view::ReturnOrderView::from).collect();
        Ok(view::List::<view::ReturnOrderView>::whole(orders).seen_by_staff(&self.staff))
    }
}

/// The first moment of the day that is some days after today. From noon on, a day more or less is another date, whatever
/// the clocks do.
fn days_from_today(zone: &TimeZone, now: Timestamp, days: i64) -> Timestamp {
    let noon = zone.start_of_day(zone.date(now)).plus_seconds(DAY / 2);
    zone.start_of_day(zone.date(noon.plus_seconds(days * DAY)))
}

async fn sums_of(mut db: Db<'_>, account: AccountId, period: Period) -> Result<PeriodSums> {
    let received_units = figures::received_units(db.reborrow(), account, period).await?;
    let completed = figures::completed(db.reborrow(), account, period).await?;
    let gives_credit = completed.iter().any(|part| part.resolution == Resolution::StoreCredit);
    let credits = if gives_credit { figures::credit_costs(db.reborrow(), account, period).await? } else { Vec::new() };
    let median_seconds = median(db, account, period, count(&completed)).await?;
    Ok(PeriodSums { received_units, completed, bonuses: bonuses(&credits), median_seconds })
}

fn count(completed: &[Completed]) -> i64 {
    completed.iter().map(|part| part.requests).sum()
}

fn shown(period: Period, sums: &PeriodSums) -> view::PeriodFigures {
    view::PeriodFigures {
        from: period.from,
        to: period.to,
        received_units: sums.received_units,
        completed: count(&sums.completed),
        amounts: amounts(sums),
        median_total_seconds: sums.median_seconds,
        completed_filters: vec![
            format!("stage:{}", StageName::ResolutionCompleted),
            format!("stageSince>={}", period.from),
            format!("stageSince<{}", period.to),
        ],
    }
}

/// The bonuses of store credit, by currency.
fn bonuses(credits: &[(PurchaseId, CostBreakdown)]) -> Vec<(Currency, i64)> {
    let mut sums: BTreeMap<&str, (Currency, i64)> = BTreeMap::new();
    for (purchase, costs) in credits {
        let is_bonus = |kind| kind == LineKind::StoreCreditBonus;
        let lines = costs.lines.iter().filter(|line| is_bonus(line.kind) && line.purchase_id == *purchase);
        let bonus: i64 = lines.map(|line| line.amount.minor).sum();
        sums.entry(costs.currency.code()).or_insert((costs.currency, 0)).1 += bonus;
    }
    sums.into_values().collect()
}

/// What was given, by currency.
fn amounts(PeriodSums { completed, bonuses, .. }: &PeriodSums) -> Vec<view::FigureAmounts> {
    let mut sums: BTreeMap<&str, (Currency, i64, i64)> = BTreeMap::new();
    for part in completed {
        let (_, refunded, kept) = sums.entry(part.currency.code()).or_insert((part.currency, 0, 0));
        match part.resolution {
            Resolution::Refund => *refunded += part.given,
            Resolution::StoreCredit => *kept += part.given,
            Resolution::Exchange => *kept += part.value,
        }
    }
    for (currency, bonus) in bonuses {
        if let Some((_, _, kept)) = sums.get_mut(currency.code()) {
            *kept -= bonus;
        }
    }
    let amounts = |(currency, refunded, kept): (Currency, i64, i64)| view::FigureAmounts {
        currency,
        refunded: Money::new(refunded, currency),
        kept: Money::new(kept, currency),
        kept_percent: percent(kept, refunded.saturating_add(kept)),
    };
    sums.into_values().map(amounts).collect()
}

/// A share in whole percent, rounded half up. `None` of nothing.
fn percent(part: i64, whole: i64) -> Option<i64> {
    let (part, whole) = (i128::from(part.max(0)), i128::from(whole));
    (whole > 0).then(|| i64::try_from((part * HUNDRED + whole / 2) / whole).unwrap_or_default())
}

/// The time in the middle; of an even number, the mean of the two in the middle.
async fn median(db: Db<'_>, account: AccountId, period: Period, count: i64) -> Result<Option<i64>> {
    if count == 0 {
        return Ok(None);
    }
    let middle = figures::total_times(db, account, period, 2 - count % 2, (count - 1) / 2).await?;
    let length = i64::try_from(middle.len()).unwrap_or(1).max(1);
    let micros = Timestamp::from_micros(middle.iter().sum::<i64>() / length);
    Ok(Some(micros.seconds().max(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_unknown() {
        assert_eq!([percent(0, 0), percent(1, 3), percent(2, 3), percent(5, 5)], [None, Some(33), Some(67), Some(100)]);
    }

    #[test]
    fn a_period_begins_at_midnight_in_the_zone() {
        let zone = TimeZone::from_name("Europe/Berlin").unwrap();
        // The clocks went back on 26 October.
        let now = Timestamp::parse("2025-11-01T23:30:00Z").unwrap();
        let days = [1, 0, -27, -55].map(|days| days_from_today(&zone, now, days).to_string());
        let expected = ["2025-11-02T23:00:00Z", "2025-11-01T23:00:00Z", "2025-10-05T22:00:00Z", "2025-09-07T22:00:00Z"];
        assert_eq!(days, expected);
    }
}
