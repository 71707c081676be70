//! Interprets a Shopify order: which lines are goods, tips or removed, and what its taxes and discount belong to.
//!
//! An interpretation must satisfy:
//!
//! - goods − discount = `Subtotal`: tips and removed lines are not among the goods;
//! - `Subtotal` + shipping + tips + duties + taxes (unless prices include them) = `Total`;
//! - `Discount Amount` explains the discount. It may also contain discounts on shipping and on lines.

use super::{Bill, Tip};
use domain::order::NewOrder;

/// Up to this many lines of one kind, every combination is tried; of more lines, only some.
const MOST_CHOICES: usize = 4;
/// The maximum number of single lines that are tried, if there are many.
const MAX_SINGLES: usize = 10;

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A product.
    Goods,
    /// A tip: part of the order's total, but not of its subtotal.
    Tip,
    /// A line that was removed from the order: part of neither.
    Removed,
}

/// One interpretation of an order's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The kind of each line.
    pub kinds: Vec<Kind>,
    /// The discount on the goods.
    pub off: i64,
    /// The discount on shipping.
    pub shipping_off: i64,
    /// Whether prices include taxes.
    pub taxes_inside: bool,
    /// The price of the lines that are missing in the file, before discount.
    pub rest: i64,
}

/// The sums of an order and of its lines, before anything is split.
pub struct Sums<'b> {
    bill: &'b Bill,
    /// The price of each line after its own discount.
    pub nets: Vec<i64>,
    /// Each line's own discount.
    own: Vec<i64>,
    /// The price of shipping.
    pub shipping: i64,
}

impl<'b> Sums<'b> {
    /// Reads the sums of an order whose lines have their price after their own discount.
    pub fn new(bill: &'b Bill, order: &NewOrder) -> Self {
        Self {
            bill,
            nets: order.lines.iter().map(|line| line.total).collect(),
            own: order.lines.iter().map(|line| line.discount).collect(),
            shipping: order.shipping_paid,
        }
    }

    /// Interprets an order with all its lines. Also returns whether the interpretation is the only one.
    pub fn read(&self) -> (Reading, bool) {
        if self.bill.subtotal.is_none() && self.bill.total.is_none() {
            return (self.without_sums(), true); // there is nothing to compare with
        }
        // A line that is named as a tip is one, if that explains the sums. An order that is still being sent has unsent
        // lines: they count as removed only if nothing else explains the sums.
        let all_sent = self.bill.all_sent;
        let mut fitting = Vec::new();
        for (named_are_tips, some_removed) in [(true, all_sent), (false, all_sent), (true, true), (false, true)] {
            if fitting.is_empty() {
                fitting = self.fitting(named_are_tips, some_removed);
            }
        }
        let mut worths: Vec<(Vec<i64>, Reading)> = Vec::with_capacity(fitting.len());
        for reading in fitting {
            let worth = self.bill.figures(self, &reading).worth();
            if worths.iter().all(|(known, _)| *known != worth) {
                worths.push((worth, reading));
            }
        }
        let is_sure = worths.len() == 1;
        let least = worths.into_iter().min_by_key(|(worth, _)| worth.iter().sum::<i64>());
        least.map_or_else(|| (self.by_default(), false), |(_, reading)| (reading, is_sure))
    }

    /// Interprets an order of which some lines are missing. Also returns whether the interpretation is the only one.
    pub fn read_part(&self) -> (Reading, bool) {
        let discount = self.bill.discount.unwrap_or(0);
        let trials = [true, false].into_iter().flat_map(|named_are_tips| self.kinds(named_are_tips, false));
        for kinds in trials {
            for (taxes_inside, duties) in self.ways() {
                let added = self.added(&kinds, taxes_inside, duties);
                let (Some(subtotal), Some(total)) = (self.bill.subtotal, self.bill.total) else { continue };
                let rest = subtotal + self.bill.deducted - self.goods(&kinds);
                if discount == 0 && rest >= 0 && subtotal + self.shipping + added == total {
                    let off = self.bill.deducted;
                    // A missing line may have been a discount of unknown size.
                    return (Reading { kinds, off, shipping_off: 0, taxes_inside, rest }, off == 0);
                }
            }
        }
        let mut reading = self.by_default();
        let goods = self.goods(&reading.kinds);
        // The difference to the subtotal is the price of the missing lines. They bear their share of the discount.
        let off = discount + self.bill.deducted;
        reading.rest = self.bill.subtotal.map_or(0, |subtotal| (subtotal + off - goods).max(0));
        reading.off = off.min(goods + reading.rest);
        reading.taxes_inside = self.taxes_look_inside();
        // A missing line may be a discount.
        (reading, false)
    }

    fn fitting(&self, named_are_tips: bool, some_removed: bool) -> Vec<Reading> {
        let mut fitting = Vec::new();
        for kinds in self.kinds(named_are_tips, some_removed) {
            for (taxes_inside, duties) in self.ways() {
                fitting.extend(self.explain(&kinds, taxes_inside, duties));
            }
        }
        fitting
    }

    /// Returns the interpretation with these kinds, if its sums add up.
    fn explain(&self, kinds: &[Kind], taxes_inside: bool, duties: i64) -> Option<Reading> {
        let goods = self.goods(kinds) - self.bill.deducted;
        let added = self.added(kinds, taxes_inside, duties);
        let (off, shipping_off) = match (self.bill.subtotal, self.bill.total) {
            (Some(subtotal), Some(total)) => (goods - subtotal, subtotal + self.shipping + added - total),
            (Some(subtotal), None) => (goods - subtotal, 0),
            (None, Some(total)) => (goods + self.shipping + added - total, 0),
            (None, None) => return None,
        };
        let own = of(&self.own, kinds, Kind::Goods);
        let is_known = match (self.bill.subtotal, self.bill.discount) {
            // The amount may or may not include the discounts of lines.
            (Some(_), Some(discount)) if shipping_off > 0 => [discount, discount - own].contains(&(off + shipping_off)),
            // The rest was a discount on shipping, and the file may have shipping after that discount.
            (Some(_), Some(discount)) => off <= discount,
            (Some(_), None) => shipping_off == 0,
            // A difference to the total is a discount only if the file names exactly this amount.
            (None, discount) => off == 0 || discount.is_some_and(|discount| [discount, discount - own].contains(&off)),
        };
        // Without a subtotal, discounts on goods and on shipping cannot be told apart.
        let is_told_apart = self.bill.subtotal.is_some() || off == 0 || self.shipping == 0;
        let fits = off >= 0 && off <= goods && (0..=self.shipping).contains(&shipping_off) && is_known && is_told_apart;
        fits.then(|| Reading {
            kinds: kinds.to_vec(),
            off: off + self.bill.deducted,
            shipping_off,
            taxes_inside,
            rest: 0,
        })
    }

    /// If the file has no sums, uses its lines and its discount as they are.
    fn without_sums(&self) -> Reading {
        let kinds = self.kinds_by_name();
        let (all_off, goods) = (self.bill.discount.unwrap_or(0) + self.bill.deducted, self.goods(&kinds));
        let off = all_off.min(goods);
        Reading { kinds, off, shipping_off: (all_off - off).min(self.shipping), taxes_inside: true, rest: 0 }
    }

    /// If no interpretation adds up, assumes the lowest possible price of each line.
    fn by_default(&self) -> Reading {
        let kinds = self.kinds_by_name();
        let goods = self.goods(&kinds);
        let off = match self.bill.subtotal {
            Some(subtotal) => (goods - subtotal).max(self.bill.deducted),
            None => self.bill.discount.unwrap_or(0) + self.bill.deducted,
        };
        Reading { kinds, off: off.clamp(0, goods), shipping_off: 0, taxes_inside: true, rest: 0 }
    }

    /// Whether prices seem to include taxes, by the total. If the total fits neither way, assumes so, so that no refund
    /// exceeds what was paid.
    fn taxes_look_inside(&self) -> bool {
        let outside = self.bill.subtotal.map(|subtotal| subtotal + self.shipping + self.bill.taxes);
        let duties = outside.map(|sum| sum + self.bill.duties);
        self.bill.total.is_none() || !(self.bill.total == outside || self.bill.total == duties)
    }

    /// The combinations to try: whether prices include taxes, and which duties the total contains.
    fn ways(&self) -> Vec<(bool, i64)> {
        let duties = if self.bill.duties > 0 { vec![0, self.bill.duties] } else { vec![0] };
        // Without a total, nothing shows that taxes were added on top.
        let inside = if self.bill.taxes > 0 && self.bill.total.is_some() { vec![true, false] } else { vec![true] };
        inside.into_iter().flat_map(|inside| duties.iter().map(move |&duties| (inside, duties))).collect()
    }

    /// What the total contains besides subtotal and shipping.
    fn added(&self, kinds: &[Kind], taxes_inside: bool, duties: i64) -> i64 {
        of(&self.nets, kinds, Kind::Tip) + duties + if taxes_inside { 0 } else { self.bill.taxes }
    }

    fn goods(&self, kinds: &[Kind]) -> i64 {
        of(&self.nets, kinds, Kind::Goods)
    }

    /// The kinds by name: lines that are named as tips are tips, unless the subtotal includes them.
    fn kinds_by_name(&self) -> Vec<Kind> {
        let kind = |tip| if tip == Tip::Named { Kind::Tip } else { Kind::Goods };
        self.bill.facts.iter().map(|facts| kind(facts.tip)).collect()
    }

    /// The possible kinds of the lines. The first choice has only goods, except for named tips that count as tips.
    fn kinds(&self, named_are_tips: bool, some_removed: bool) -> Vec<Vec<Kind>> {
        let (mut named, mut tips, mut unsent) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (facts, net)) in self.bill.facts.iter().zip(&self.nets).enumerate() {
            match facts.tip {
                _ if *net <= 0 => {}
                Tip::Named if named_are_tips => named.push(index),
                Tip::Named | Tip::Perhaps => tips.push(index),
                Tip::No if some_removed && facts.unsent => unsent.push(index),
                Tip::No => {}
            }
        }
        let mut all = Vec::new();
        for tips in choices(&tips) {
            for removed in choices(&unsent) {
                let mut kinds = vec![Kind::Goods; self.nets.len()];
                for (chosen, kind) in [(&removed, Kind::Removed), (&named, Kind::Tip), (&tips, Kind::Tip)] {
                    for index in chosen {
                        if let Some(of_line) = kinds.get_mut(*index) {
                            *of_line = kind;
                        }
                    }
                }
                all.push(kinds);
            }
        }
        all
    }
}

/// The total of the lines of one kind.
fn of(amounts: &[i64], kinds: &[Kind], wanted: Kind) -> i64 {
    amounts.iter().zip(kinds).filter(|(_, kind)| **kind == wanted).map(|(amount, _)| amount).sum()
}

/// The subsets to try: all of them or, of many lines, the empty one, the full one and single lines.
fn choices(among: &[usize]) -> Vec<Vec<usize>> {
    if among.len() <= MOST_CHOICES {
        let chosen = |mask: usize| {
            let is_in = |place: &usize| (mask >> place) & 1 == 1;
            among.iter().enumerate().filter(|(place, _)| is_in(place)).map(|(_, &index)| index).collect()
        };
        return (0..1_usize << among.len()).map(chosen).collect();
    }
    let each = among.iter().take(MAX_SINGLES).map(|&index| vec![index]);
    [Vec::new(), among.to_vec()].into_iter().chain(each).collect()
}
