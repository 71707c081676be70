//! Matches the lines of a file with known lines. Without ids, lines are numbered by position: in a reordered file, or
//! one with an extra line, one product would take another one's place, and its returns too.

use crate::orders::import::line_id;
use domain::order::{NewOrder, NewPurchase, Product};
use std::collections::{HashMap, HashSet, VecDeque};
use store::known_lines::LineOfOrder;

/// The maximum difference between two shares of one sum that was split in different orders, in minor units.
const MOST_ROUNDED: i64 = 2;

/// A known line with its parsed product.
struct KnownLine<'a> {
    line: &'a LineOfOrder,
    product: Product,
}

/// Gives each line of the order its known id. Lines are matched by their content first, then by their position. New
/// lines get ids that no known line has.
pub(crate) fn adopt(order: &mut NewOrder, known: &[LineOfOrder]) {
    if is_unchanged(order, known) {
        return;
    }
    let known: Vec<KnownLine<'_>> = known
        .iter()
        .map(|line| KnownLine { line, product: serde_json::from_str(&line.product).unwrap_or_default() })
        .collect();
    let matched = pairs(&order.lines, &known);
    keep_shares(order, &known, &matched);
    give_ids(order, &known, &matched);
}

/// Whether every line is unchanged and in its old position.
fn is_unchanged(order: &NewOrder, known: &[LineOfOrder]) -> bool {
    let by_id: HashMap<&str, &LineOfOrder> = known.iter().map(|line| (line.external_id.as_str(), line)).collect();
    order.lines.iter().all(|line| {
        by_id.get(line.external_id.as_str()).is_some_and(|known| {
            known.bought == i64::from(line.quantity)
                && known.total == line.total
                && serde_json::to_string(&line.product).is_ok_and(|product| product == known.product)
        })
    })
}

type KeyOf = fn(&Product, units: i64, total: i64) -> Option<String>;

/// From the most to the least specific.
const KEYS: [KeyOf; 5] = [
    |product, units, total| Some(format!("{units} {total} {}", serde_json::to_string(product).unwrap_or_default())),
    |product, units, _| Some(format!("{units}\n{}\n{}\n{:?}", product.sku, product.name, product.attributes)),
    |product, _, _| Some(format!("{}\n{}", product.sku, product.name)),
    |product, _, _| Some(product.sku.clone()).filter(|sku| !sku.is_empty()),
    |product, _, _| Some(product.name.clone()).filter(|name| !name.is_empty()),
];

/// Returns the index of the matching known line for each line.
fn pairs(lines: &[NewPurchase], known: &[KnownLine<'_>]) -> Vec<Option<usize>> {
    let mut matched: Vec<Option<usize>> = vec![None; lines.len()];
    let mut is_free = vec![true; known.len()];
    let stands: HashMap<u32, usize> = (0..).zip(known).map(|(place, one)| (one.line.position, place)).collect();
    let mut pair = |matched: &mut [Option<usize>], line: usize, place: usize| {
        if let (Some(slot), Some(free)) = (matched.get_mut(line), is_free.get_mut(place))
            && slot.is_none()
            && *free
        {
            (*slot, *free) = (Some(place), false);
        }
    };
    for key in KEYS {
        let of_known = |one: &KnownLine<'_>| key(&one.product, one.line.bought, one.line.total);
        let of_line = |line: &NewPurchase| key(&line.product, i64::from(line.quantity), line.total);
        let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (place, one) in known.iter().enumerate() {
            if let Some(key) = of_known(one) {
                places.entry(key).or_default().push_back(place);
            }
        }
        // Among identical lines, prefer the one in the same position.
        for (index, line) in lines.iter().enumerate() {
            let there = stands.get(&line.position).and_then(|&place| Some((place, known.get(place)?)));
            if let Some((place, one)) = there
                && let Some(key) = of_line(line)
                && of_known(one) == Some(key)
            {
                pair(&mut matched, index, place);
            }
        }
        let used: HashSet<usize> = matched.iter().flatten().copied().collect();
        for places in places.values_mut() {
            places.retain(|place| !used.contains(place));
        }
        for (index, line) in lines.iter().enumerate() {
            if matched.get(index).is_some_and(Option::is_none)
                && let Some(place) = of_line(line).and_then(|key| places.get_mut(&key)).and_then(VecDeque::pop_front)
            {
                pair(&mut matched, index, place);
            }
        }
    }
    // The remaining lines differ in content, so only the position is left. Lines that are being returned are not
    // replaced.
    for (index, line) in lines.iter().enumerate() {
        let there = stands.get(&line.position).copied();
        if let Some(place) = there.filter(|&place| known.get(place).is_some_and(|one| one.line.taken == 0)) {
            pair(&mut matched, index, place);
        }
    }
    matched
}

/// If the same lines have the same totals, each keeps its stored share. The order of lines in the file decides which
/// line gets the extra cents, and units that are being returned must keep their price.
fn keep_shares(order: &mut NewOrder, known: &[KnownLine<'_>], matched: &[Option<usize>]) {
    let pairs: Vec<&LineOfOrder> =
        matched.iter().flatten().filter_map(|&place| known.get(place)).map(|one| one.line).collect();
    if pairs.len() != order.lines.len() || pairs.len() != known.len() {
        return;
    }
    let is_near = |mine: i64, theirs: i64| (mine - theirs).abs() <= MOST_ROUNDED;
    let mut sums = [0_i64; 3];
    for (line, known) in order.lines.iter().zip(&pairs) {
        let shares = [(line.total, known.total), (line.tax, known.tax), (line.discount, known.discount)];
        if known.bought != i64::from(line.quantity) || !shares.iter().all(|&(mine, theirs)| is_near(mine, theirs)) {
            return;
        }
        sums.iter_mut().zip(shares).for_each(|(sum, (mine, theirs))| *sum += mine - theirs);
    }
    if sums == [0; 3] {
        for (line, known) in order.lines.iter_mut().zip(&pairs) {
            (line.total, line.tax, line.discount) = (known.total, known.tax, known.discount);
        }
    }
}

/// Known lines keep their ids. A new line gets the id of its position, or else the next free one.
fn give_ids(order: &mut NewOrder, known: &[KnownLine<'_>], matched: &[Option<usize>]) {
    let mut used: HashSet<String> = known.iter().map(|one| one.line.external_id.clone()).collect();
    let mut next = known.iter().map(|one| one.line.position).chain(order.lines.iter().map(|line| line.position)).max();
    for (line, place) in order.lines.iter_mut().zip(matched) {
        if let Some(one) = place.and_then(|place| known.get(place)) {
            line.external_id.clone_from(&one.line.external_id);
            continue;
        }
        let mut id = line_id(&order.external_id, &line.position.to_string());
        while !used.insert(id.clone()) {
            let number = next.map_or(1, |last| last.saturating_add(1));
            next = Some(number);
            id = line_id(&order.external_id, &number.to_string());
        }
        line.external_id = id;
    }
}
