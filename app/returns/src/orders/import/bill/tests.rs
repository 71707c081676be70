//! Orders of every kind that a shop may export. Each line's price is exactly what was paid for it, or a person decides.

use crate::orders::import::{Format, tests::parse};
use domain::{
    money::allocate::by_weight,
    order::{NewOrder, OrderReview},
};
use proptest::prelude::*;

const HEADER: &str = "Name,Email,Created at,Fulfillment Status,Financial Status,Currency,Subtotal,Shipping,Taxes,Duties,\
    Total,Discount Amount,Refunded Amount,Outstanding Balance,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,\
    Lineitem discount,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status";

/// A line as the shop has it, in minor units.
#[derive(Debug, Clone, Default)]
struct Sold {
    name: &'static str,
    sku: &'static str,
    quantity: i64,
    price: i64,
    discount: i64,
    is_sent: bool,
    is_taxable: bool,
    status: &'static str,
}

/// An order as the shop has it, in minor units.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
struct Order {
    goods: Vec<Sold>,
    gift_card: Option<Sold>,
    tip: Option<Sold>,
    removed: Option<Sold>,
    /// Whether the sums still include the removed line.
    counts_removed: bool,
    /// A discount code on the goods.
    code: i64,
    shipping: i64,
    /// A discount code on shipping.
    shipping_off: i64,
    /// Whether the export has shipping before that discount.
    tells_gross_shipping: bool,
    /// Whether the export includes the lines' own discounts in the order's.
    counts_own: bool,
    taxes: i64,
    taxes_inside: bool,
    duties: i64,
    refunded: i64,
    has_subtotal: bool,
    /// An amount that was added to the total when the order was edited.
    edited: i64,
}

impl Sold {
    fn net(&self) -> i64 {
        self.quantity * self.price - self.discount
    }
}

/// What was really paid.
struct Paid {
    lines: Vec<i64>,
    shipping: i64,
    total: i64,
    subtotal: i64,
}

impl Order {
    fn lines(&self) -> Vec<&Sold> {
        self.goods.iter().chain(&self.gift_card).chain(&self.tip).chain(&self.removed).collect()
    }

    fn paid(&self) -> Paid {
        let in_sums = |line: &Sold| line.status != "pending" || self.counts_removed;
        let is_goods = |line: &Sold| in_sums(line) && line.status != "not_eligible";
        let lines = self.lines();
        let bears = |line: &Sold| is_goods(line) && (line.is_taxable || line.is_sent);
        let weight = |line: &&Sold, counts: bool| if counts { u64::try_from(line.net()).unwrap() } else { 0 };
        let mut paid: Vec<i64> = lines.iter().map(|line| if in_sums(line) { line.net() } else { 0 }).collect();
        let weights: Vec<u64> = lines.iter().map(|line| weight(line, bears(line))).collect();
        let code = by_weight(self.code.min(weights.iter().sum::<u64>().try_into().unwrap()), &weights);
        paid.iter_mut().zip(&code).for_each(|(paid, off)| *paid -= off);
        let subtotal = lines.iter().zip(&paid).filter(|(line, _)| is_goods(line)).map(|(_, paid)| paid).sum();
        let taxed = |(line, paid): (&&Sold, &i64)| {
            if is_goods(line) && line.is_taxable { u64::try_from(*paid).unwrap() } else { 0 }
        };
        let weights: Vec<u64> = lines.iter().zip(&paid).map(taxed).collect();
        if !self.taxes_inside && weights.iter().any(|weight| *weight > 0) {
            paid.iter_mut().zip(by_weight(self.taxes, &weights)).for_each(|(paid, tax)| *paid += tax);
        }
        let shipping = self.shipping - self.shipping_off;
        let total = paid.iter().sum::<i64>() + shipping + self.duties + self.edited;
        Paid { lines: paid, shipping, total, subtotal }
    }

    fn export(&self) -> String {
        let paid = self.paid();
        let amount = |minor: i64| format!("{}.{:02}", minor / 100, minor % 100);
        let own: i64 = self.lines().iter().filter(|line| line.status == "fulfilled").map(|line| line.discount).sum();
        let discount = self.code + self.shipping_off + if self.counts_own { own } else { 0 };
        let shipping = if self.tells_gross_shipping { self.shipping } else { paid.shipping };
        let subtotal = if self.has_subtotal { amount(paid.subtotal) } else { String::new() };
        let of_order = [
            "#1".to_owned(),
            "ann@example.com".to_owned(),
            "2026-01-31 23:30:00 -0500".to_owned(),
            "fulfilled".to_owned(),
            if self.refunded > 0 { "partially_refunded".to_owned() } else { "paid".to_owned() },
            "EUR".to_owned(),
            subtotal,
            amount(shipping),
            amount(self.taxes),
            amount(self.duties),
            amount(paid.total),
            amount(discount),
            amount(self.refunded),
            "0.00".to_owned(),
        ];
        let mut text = format!("{HEADER}\n");
        for (index, line) in self.lines().into_iter().enumerate() {
            let order = if index == 0 { of_order.join(",") } else { format!("#1{}", ",".repeat(13)) };
            let row = format!(
                "{order},{},{},{},{},{},{},{},{}\n",
                line.quantity,
                line.name,
                amount(line.price),
                line.sku,
                amount(line.discount),
                line.is_sent,
                line.is_taxable,
                line.status
            );
            text.push_str(&row);
        }
        text
    }

    fn import(&self) -> NewOrder {
        let (mut orders, skipped) = parse(Format::Shopify, &self.export());
        assert!(skipped.is_empty(), "{skipped:?}");
        orders.pop().unwrap()
    }
}

prop_compose! {
    fn sold()(quantity in 1..4_i64, price in 0..300_i64, share in 0..4_i64, is_taxable in any::<bool>()) -> Sold {
        let price = price * 1_000;
        let discount = quantity * price / 2 / 1_000 * share / 3 * 1_000;
        Sold { name: "Mug", sku: "MUG", quantity, price, discount, is_sent: true, is_taxable, status: "fulfilled" }
    }
}

fn gift_card() -> impl Strategy<Value = Sold> {
    (1..200_i64, prop::sample::select(vec!["", "GIFT"])).prop_map(|(price, sku)| Sold {
        name: "Gift card",
        sku,
        quantity: 1,
        price: price * 1_000 + 3,
        status: "fulfilled",
        ..Sold::default()
    })
}

fn tip() -> impl Strategy<Value = Sold> {
    let names = vec!["Tip", "Trinkgeld", "Pourboire", "Danke!", "おもてなし"];
    (1..50_i64, prop::sample::select(names)).prop_map(|(price, name)| Sold {
        name,
        quantity: 1,
        price: price * 1_000 + 1,
        status: "not_eligible",
        ..Sold::default()
    })
}

fn removed() -> impl Strategy<Value = Sold> {
    sold().prop_map(|line| Sold { status: "pending", price: line.price + 37, discount: 0, ..line })
}

type Lines = (Vec<Sold>, Option<Sold>, Option<Sold>, Option<Sold>);

fn lines() -> impl Strategy<Value = Lines> {
    let goods = prop::collection::vec(sold(), 1..5);
    (goods, prop::option::of(gift_card()), prop::option::of(tip()), prop::option::weighted(0.3, removed()))
}

/// The amounts are chosen so that no two different sums of them are equal by chance.
fn order() -> impl Strategy<Value = Order> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (lines(), flags, (0..6_i64, 0..30_i64, 0..3_i64, 0..20_i64, 0..3_i64, 0..3_i64)).prop_map(
        |((goods, gift_card, tip, removed), (gross, own, inside, counts_removed), amounts)| {
            let (code, shipping, shipping_off, taxes, duties, refunded) = amounts;
            let bearing: i64 = goods.iter().map(Sold::net).sum();
            let taxable: i64 = goods.iter().filter(|line| line.is_taxable).map(Sold::net).sum();
            let code = bearing / 1_000 * code / 10 * 1_000;
            let taxed = taxable > 0 && taxable * (bearing - code) > 0 && code < bearing;
            Order {
                goods,
                gift_card,
                tip,
                removed,
                counts_removed,
                code,
                shipping: shipping * 1_000,
                shipping_off: shipping * shipping_off / 2 * 1_000,
                tells_gross_shipping: gross,
                counts_own: own,
                taxes: if taxed { taxes * 1_000 + 10 } else { 0 },
                taxes_inside: inside,
                duties: duties * 100,
                refunded: refunded * 100,
                has_subtotal: true,
                edited: 0,
            }
        },
    )
}

fn worth(order: &NewOrder) -> i64 {
    order.shipping_paid + order.lines.iter().map(|line| line.total).sum::<i64>()
}

fn is_exact(order: &NewOrder, paid: &Paid) -> bool {
    order.shipping_paid == paid.shipping && order.lines.iter().map(|line| line.total).eq(paid.lines.iter().copied())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_line_costs_what_was_paid_for_it_or_the_order_waits_for_a_person(
        order in order(),
        has_subtotal in prop::bool::weighted(0.8),
        edited in prop_oneof![3 => Just(0_i64), 1 => (0..5_i64).prop_map(|thousands| thousands * 1_000 + 7)],
    ) {
        let order = Order { has_subtotal, edited, ..order };
        let (imported, paid) = (order.import(), order.paid());
        prop_assert!(worth(&imported) <= paid.total, "worth {} of {}", worth(&imported), paid.total);
        prop_assert!(imported.lines.iter().all(|line| line.total >= 0 && (0..=line.total).contains(&line.tax)));
        prop_assert_eq!((imported.sums.paid, imported.sums.refunded), (Some(paid.total), order.refunded));
        prop_assert!(imported.review == Some(OrderReview::SumsDiffer) || is_exact(&imported, &paid), "{imported:?}");
        if edited != 0 {
            prop_assert_eq!(imported.review, Some(OrderReview::SumsDiffer));
        }
    }

    #[test]
    fn no_person_is_asked_where_the_sums_add_up_in_one_way(order in order()) {
        // A possible tip in an unknown language, or a removed line, may have more than one interpretation.
        let gift_card = order.gift_card.map(|card| Sold { sku: "GIFT", ..card });
        let tip = order.tip.map(|tip| Sold { name: "Trinkgeld", ..tip });
        let order = Order { gift_card, tip, removed: None, ..order };
        let (imported, paid) = (order.import(), order.paid());
        prop_assert_eq!(imported.review, None, "{}", order.export());
        prop_assert!(is_exact(&imported, &paid), "{imported:?}");
        let tip = imported.lines.iter().find(|line| line.total % 1_000 == 1 && line.product.sku.is_empty());
        prop_assert!(tip.is_none_or(|tip| !tip.requires_shipping && tip.obstacle.is_some() && tip.tax == 0));
    }
}

fn mug(price: i64, sent: bool) -> Sold {
    let status = if sent { "fulfilled" } else { "pending" };
    Sold { name: "Mug", sku: "MUG", quantity: 1, price, is_sent: true, is_taxable: true, status, ..Sold::default() }
}

fn usual() -> Order {
    Order { goods: vec![mug(6_000, true)], has_subtotal: true, ..Order::default() }
}

#[test]
fn a_tip_is_no_discount_of_the_goods_whatever_it_is_called() {
    for name in ["Tip", "Trinkgeld", "Something for the crew"] {
        for (taxes, taxes_inside) in [(0, true), (958, true), (958, false)] {
            let tip = Sold { name, quantity: 1, price: 300, status: "not_eligible", ..Sold::default() };
            let order = Order { tip: Some(tip), taxes, taxes_inside, shipping: 495, ..usual() }.import();
            let on_top = if taxes_inside { 0 } else { taxes };
            assert_eq!((order.review, order.lines[0].total), (None, 6_000 + on_top), "{name}");
            assert_eq!((order.lines[1].total, order.lines[1].requires_shipping), (300, false));
            assert!(order.lines[1].obstacle.is_some() && order.lines[0].requires_shipping);
        }
    }
}

#[test]
fn a_line_called_a_tip_is_one_if_the_sums_say_so() {
    for (sku, is_taxable) in [("TIP", false), ("", true), ("TIP", true)] {
        let tip =
            Sold { name: "Tip", sku, is_taxable, quantity: 1, price: 300, status: "not_eligible", ..Sold::default() };
        let order = Order { tip: Some(tip), shipping: 495, ..usual() }.import();
        assert_eq!(
            (order.review, order.lines[0].total, order.lines[1].total),
            (None, 6_000, 300),
            "{sku} {is_taxable}"
        );
        assert!(order.lines[1].obstacle.is_some());
        // The same line among the goods.
        let goods =
            Sold { name: "Tip", sku, is_taxable, quantity: 1, price: 300, status: "fulfilled", ..Sold::default() };
        let order = Order { goods: vec![mug(6_000, true), goods], shipping: 495, ..usual() }.import();
        assert_eq!(
            (order.review, order.lines[0].total, order.lines[1].total),
            (None, 6_000, 300),
            "{sku} {is_taxable}"
        );
    }
}

#[test]
fn a_removed_line_is_worth_nothing_where_the_shop_subtracts_it() {
    for counts_removed in [true, false] {
        let order = Order { removed: Some(mug(4_000, false)), counts_removed, shipping: 500, ..usual() }.import();
        assert_eq!((order.review, order.lines[0].total, order.shipping_paid), (None, 6_000, 500));
        assert_eq!((order.lines[1].removed, order.lines[1].total), (1, if counts_removed { 4_000 } else { 0 }));
        assert_eq!(order.lines[0].removed, 0);
    }
}

#[test]
fn what_was_off_the_shipping_is_not_off_the_goods() {
    for tells_gross_shipping in [true, false] {
        let order = Order { shipping: 600, shipping_off: 600, tells_gross_shipping, ..usual() }.import();
        assert_eq!((order.review, order.lines[0].total, order.shipping_paid), (None, 6_000, 0));
    }
}

#[test]
fn an_edited_order_waits_for_a_person_and_is_worth_no_more_than_its_total() {
    for edited in [-700, -300, 250] {
        let order = Order { shipping: 500, edited, ..usual() }.import();
        assert_eq!(order.review, Some(OrderReview::SumsDiffer));
        assert_eq!(worth(&order), 6_500 + edited.min(0));
        assert_eq!(order.lines[0].total, 6_000 - (-edited - 500).max(0), "shipping first");
    }
}

#[test]
fn an_exchange_s_lines_wait_for_a_person() {
    // Both lines were sent, and only the new one is in the sums.
    let text = format!(
        "{HEADER}\n#1,a@b.nl,2026-01-31,fulfilled,paid,EUR,70.00,0.00,0.00,0.00,70.00,0.00,0.00,0.00,1,Mug,60.00,M,0.00,true,true,\
         fulfilled\n#1,,,,,,,,,,,,,,1,Jug,70.00,J,0.00,true,true,fulfilled\n"
    );
    let order = parse(Format::Shopify, &text).0.pop().unwrap();
    assert_eq!((order.review, worth(&order)), (Some(OrderReview::SumsDiffer), 7_000));
}
