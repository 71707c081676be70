//! Which lines of a Shopify order are goods, tips or removed, and where its taxes and its discount went.
//!
//! What must hold in a reading:
//!
//! - goods − discount = `Subtotal`: tips and removed lines are not among the goods;
//! - `Subtotal` + shipping + tips + duties + taxes, unless these are inside the prices = `Total`;
//! - the discount is no more than `Discount Amount` explains, which may also hold discounts on shipping and those of lines.

use super::{Bill, Tip};
use domain::order::NewOrder;

/// Lines of one kind of which every choice is tried; of more, only some are.
const MOST_CHOICES: usize = 4;
/// Single lines that are tried of many.
const MAX_SINGLES: usize = 10;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something that was bought.
    Goods,
    /// A tip: in the order's total, not in its subtotal.
    Tip,
    /// It was taken out of the order: in neither.
    Removed,
}

/// A way of reading an order's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What each line is.
    pub kinds: Vec<Kind>,
    /// What is taken off the goods.
    pub off: i64,
    /// What is taken off the shipping.
    pub shipping_off: i64,
    /// Whether taxes are inside the prices.
    pub taxes_inside: bool,
    /// What the lines cost that are not here, before discount.
    pub rest: i64,
}

/// The sums of an order and of its lines, before anything is split.
pub struct Sums<'b> {
    bill: &'b Bill,
    /// What each line costs after its own discount.
    pub nets: Vec<i64>,
    /// What was taken off each line by itself.
    own: Vec<i64>,
    /// What sending the order costs.
    pub shipping: i64,
}

impl<'b> Sums<'b> {
    /// Of an order whose lines cost what they do after their own discount.
    pub fn new(bill: &'b Bill, order: &NewOrder) -> Self {
        Self {
            bill,
            nets: order.lines.iter().map(|line| line.total).collect(),
            own: order.lines.iter().map(|line| line.discount).collect(),
            shipping: order.shipping_paid,
        }
    }

    /// The reading of an order of which all lines are here, and whether it is the only one.
    pub fn read(&self) -> (Reading, bool) {
        if self.bill.subtotal.is_none() && self.bill.total.is_none() {
            return (self.without_sums(), true); // nothing to compare with
        }
        // What is called a tip is one, where that explains the sums. Orders that are still being sent have unsent lines: they
        // were removed only where nothing else does.
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

    /// The reading of an order of which some lines are not here, and whether it is the only one.
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
                    // What a line that is not here took off is not known either.
                    return (Reading { kinds, off, shipping_off: 0, taxes_inside, rest }, off == 0);
                }
            }
        }
        let mut reading = self.by_default();
        let goods = self.goods(&reading.kinds);
        // What is missing to the subtotal is what the other lines cost. They bear their share of the discount.
        let off = discount + self.bill.deducted;
        reading.rest = self.bill.subtotal.map_or(0, |subtotal| (subtotal + off - goods).max(0));
        reading.off = off.min(goods + reading.rest);
        reading.taxes_inside = self.taxes_look_inside();
        // A line that is not here may be a discount.
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

    /// The reading with these kinds, if the sums add up in it.
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
            // The discounts of lines may be among it or not.
            (Some(_), Some(discount)) if shipping_off > 0 => [discount, discount - own].contains(&(off + shipping_off)),
            // The rest of it was off the shipping, which the file may tell after that.
            (Some(_), Some(discount)) => off <= discount,
            (Some(_), None) => shipping_off == 0,
            // What the total lacks is a discount only where the file names exactly that.
            (None, discount) => off == 0 || discount.is_some_and(|discount| [discount, discount - own].contains(&off)),
        };
        // Without a subtotal nobody can tell what is off the goods from what is off the shipping.
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

    /// Where the file has no sums, its lines and its discount are all there is.
    fn without_sums(&self) -> Reading {
        let kinds = self.kinds_by_name();
        let (all_off, goods) = (self.bill.discount.unwrap_or(0) + self.bill.deducted, self.goods(&kinds));
        let off = all_off.min(goods);
        Reading { kinds, off, shipping_off: (all_off - off).min(self.shipping), taxes_inside: true, rest: 0 }
    }

    /// Where nothing adds up: no line is worth more than it may have cost.
    fn by_default(&self) -> Reading {
        let kinds = self.kinds_by_name();
        let goods = self.goods(&kinds);
        let off = match self.bill.subtotal {
            Some(subtotal) => (goods - subtotal).max(self.bill.deducted),
            None => self.bill.discount.unwrap_or(0) + self.bill.deducted,
        };
        Reading { kinds, off: off.clamp(0, goods), shipping_off: 0, taxes_inside: true, rest: 0 }
    }

    /// Whether the total is what it is without taxes on top; also where it is neither, so that no refund exceeds what was paid.
    fn taxes_look_inside(&self) -> bool {
        let outside = self.bill.subtotal.map(|subtotal| subtotal + self.shipping + self.bill.taxes);
        let duties = outside.map(|sum| sum + self.bill.duties);
        self.bill.total.is_none() || !(self.bill.total == outside || self.bill.total == duties)
    }

    /// Whether taxes are inside the prices, and which duties the total holds.
    fn ways(&self) -> Vec<(bool, i64)> {
        let duties = if self.bill.duties > 0 { vec![0, self.bill.duties] } else { vec![0] };
        // Without a total nothing tells whether taxes came on top.
        let inside = if self.bill.taxes > 0 && self.bill.total.is_some() { vec![true, false] } else { vec![true] };
        inside.into_iter().flat_map(|inside| duties.iter().map(move |&duties| (inside, duties))).collect()
    }

    /// What the total has beside subtotal and shipping.
    fn added(&self, kinds: &[Kind], taxes_inside: bool, duties: i64) -> i64 {
        of(&self.nets, kinds, Kind::Tip) + duties + if taxes_inside { 0 } else { self.bill.taxes }
    }

    fn goods(&self, kinds: &[Kind]) -> i64 {
        of(&self.nets, kinds, Kind::Goods)
    }

    /// Tips are what is called so. Where the subtotal counts them, the sums say that they are goods.
    fn kinds_by_name(&self) -> Vec<Kind> {
        let kind = |tip| if tip == Tip::Named { Kind::Tip } else { Kind::Goods };
        self.bill.facts.iter().map(|facts| kind(facts.tip)).collect()
    }

    /// What the lines may be. The first choice: all of them are goods, but for those that are called tips and are taken for them.
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

/// What the lines of a kind come to.
fn of(amounts: &[i64], kinds: &[Kind], wanted: Kind) -> i64 {
    amounts.iter().zip(kinds).filter(|(_, kind)| **kind == wanted).map(|(amount, _)| amount).sum()
}

/// Choices among so many things: all there are, or, of many, none, all, and each of the first.
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
