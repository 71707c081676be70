//! The report of an import: its effect, and what the merchant should know about the orders.

use crate::{
    base::offer_cache::can_be_sent,
    orders::import::{FileOrder, ImportError},
    view,
};
use domain::{
    RefusalCode, TimeZone,
    order::NewOrder,
    policy::LookUpBy,
    proof::{EmailKey, ProvingPostalCode},
    shipping::ShippingOption,
};
use store::import::RefusedBecause;

/// The maximum number of rows and orders that a report names.
const MOST_TOLD: usize = 1_000;
/// The maximum number of order numbers that a report names of each kind.
const MOST_NUMBERS: usize = 20;

/// What the report needs to know about the account.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) look_up_by: Vec<LookUpBy>,
    pub(crate) time_zone: TimeZone,
    /// The shipping options that the account offers.
    pub(crate) options: Vec<ShippingOption>,
}

/// The result of an import.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ImportSummary {
    /// The number of orders that were read.
    pub orders: u64,
    /// The number of lines that were read.
    pub lines: u64,
    /// The number of lines that were new or changed.
    pub changed: u64,
    /// Skipped rows: their line in the file, and why. The first 1,000.
    pub skipped: Vec<(u64, String)>,
    /// The number of all skipped rows.
    pub skipped_count: u64,
    /// Refused orders: their number, and why. The first 1,000.
    pub refused: Vec<(String, RefusedBecause)>,
    /// The number of all refused orders.
    pub refused_count: u64,
    /// Orders that shoppers cannot look up: they have none of the fields that the account's `lookUpBy` names.
    pub unprovable: OrderSample,
    /// The orders for which nothing was paid.
    pub unpaid: OrderSample,
    /// Orders whose returns wait for a person, because their sums do not add up or do not show what was paid.
    pub in_review: OrderSample,
    /// Orders that cannot be returned yet: no shipping option has a price in their currency.
    pub without_shipping_option: OrderSample,
    /// Orders whose id was rounded by a spreadsheet: they are identified by their number.
    pub rounded_ids: OrderSample,
    /// Why the rest of the file could not be read, if so.
    pub stopped: Option<String>,
    /// Whether nothing was written.
    pub is_dry_run: bool,
}

/// Orders of one kind, counted and named.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct OrderSample {
    /// The number of these orders.
    pub count: u64,
    /// The numbers of the first 20 of them.
    pub numbers: Vec<String>,
}

impl OrderSample {
    fn add_if(&mut self, is_one: bool, order: &NewOrder) {
        if !is_one {
            return;
        }
        self.count += 1;
        if self.numbers.len() < MOST_NUMBERS {
            self.numbers.push(order.number.clone());
        }
    }
}

impl ImportSummary {
    /// Whether there were rows or orders, and none of them was imported.
    pub fn took_nothing(&self) -> bool {
        self.skipped_count + self.refused_count > 0 && self.orders == self.refused_count
    }

    pub(crate) fn stop(&mut self, why: &ImportError) {
        self.stopped = Some(why.to_string());
    }

    pub(crate) fn skip(&mut self, line: u64, reason: String) {
        self.skipped_count += 1;
        if self.skipped.len() < MOST_TOLD {
            self.skipped.push((line, reason));
        }
    }

    pub(crate) fn refuse(&mut self, orders: impl IntoIterator<Item = (String, RefusedBecause)>) {
        for refused in orders {
            self.refused_count += 1;
            if self.refused.len() < MOST_TOLD {
                self.refused.push(refused);
            }
        }
    }

    pub(crate) fn read(&mut self, from: &FileOrder, facts: &Facts) {
        let order = &from.order;
        self.orders += 1;
        self.lines += order.lines.len() as u64;
        self.unprovable.add_if(!is_provable(order, &facts.look_up_by), order);
        self.unpaid.add_if(order.sums.paid == Some(0) && order.cost() != 0, order);
        self.in_review.add_if(order.review.is_some() || is_vague(order), order);
        self.without_shipping_option.add_if(!can_be_sent(&facts.options, order.currency), order);
        self.rounded_ids.add_if(from.is_id_rounded, order);
    }
}

/// Whether a part was refunded of an unknown payment.
fn is_vague(order: &NewOrder) -> bool {
    order.sums.paid.is_none() && order.sums.refunded > 0
}

/// Whether a shopper can look the order up.
fn is_provable(order: &NewOrder, look_up_by: &[LookUpBy]) -> bool {
    look_up_by.iter().any(|by| match by {
        LookUpBy::Email => EmailKey::new(&order.email).is_some(),
        LookUpBy::PostalCode => ProvingPostalCode::of(&order.address, &order.billing_postal_code).is_some(),
    })
}

impl From<OrderSample> for view::NamedOrders {
    fn from(named: OrderSample) -> Self {
        Self { count: named.count, numbers: named.numbers }
    }
}

impl From<ImportSummary> for view::ImportReport {
    fn from(report: ImportSummary) -> Self {
        let took_nothing = report.took_nothing();
        let count = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let refused = |(number, why)| view::RefusedOrder { number, reason: code_of(why) };
        Self {
            orders: report.orders,
            lines: report.lines,
            changed: report.changed,
            skipped: report.skipped.into_iter().map(|(line, reason)| view::SkippedRow { line, reason }).collect(),
            skipped_count: count(report.skipped_count),
            refused: report.refused.into_iter().map(refused).collect(),
            refused_count: count(report.refused_count),
            unprovable: report.unprovable.into(),
            unpaid: report.unpaid.into(),
            in_review: report.in_review.into(),
            without_shipping_option: report.without_shipping_option.into(),
            rounded_ids: report.rounded_ids.into(),
            took_nothing,
            dry_run: report.is_dry_run,
        }
    }
}

fn code_of(why: RefusedBecause) -> RefusalCode {
    match why {
        RefusedBecause::KnownUnderAnotherId => RefusalCode::KnownUnderAnotherId,
        RefusedBecause::OtherCurrency => RefusalCode::OtherCurrency,
        RefusedBecause::OtherOrder => RefusalCode::OtherOrder,
    }
}
