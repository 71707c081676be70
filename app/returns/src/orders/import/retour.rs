//! Retour's own layout: one row for each line of an order. Data of the order may be in every row, or in its first one.

#[cfg(test)]
mod tests;

use super::{
    bill::{limit, take_off},
    cells::{Column, MAX_QUANTITY, Reason, Row},
    charges::shipping_of,
    orders::{Identity, Layout, Seen, line_id},
    rows::Header,
};
use csv::ByteRecord;
use domain::{
    Currency,
    address::Address,
    order::{
        ExchangeOption, MAX_WEIGHT, NewOrder, NewPurchase, OrderReview, OrderSums, Product, check_exchange_options,
        check_parcel_facts,
    },
};

/// The positions of the columns.
pub struct RetourLayout {
    order: OrderColumns,
    line: LineColumns,
    line_ids: Seen,
}

struct OrderColumns {
    number: Column,
    id: Column,
    ordered_at: Column,
    email: Column,
    currency: Column,
    shipping_paid: Column,
    order_total: Column,
    outstanding: Column,
    refunded_total: Column,
    tags: Column,
    name: Column,
    street: Column,
    additional: Column,
    postal_code: Column,
    city: Column,
    province: Column,
    country: Column,
    billing_postal_code: Column,
}

struct LineColumns {
    id: Column,
    sku: Column,
    barcode: Column,
    product: Column,
    attributes: Column,
    exchange_options: Column,
    image_urls: Column,
    weight: Column,
    hs_code: Column,
    origin_country: Column,
    quantity: Column,
    fulfilled: Column,
    fulfilled_at: Column,
    delivered_at: Column,
    refunded_quantity: Column,
    removed_quantity: Column,
    requires_shipping: Column,
    total: Column,
    tax: Column,
    discount: Column,
    final_sale: Column,
}

impl RetourLayout {
    /// Finds the columns.
    pub fn new(header: &mut Header) -> Self {
        let order = OrderColumns {
            number: header.required("order_number"),
            id: header.column("order_id"),
            ordered_at: header.required("ordered_at"),
            email: header.column("email"),
            currency: header.required("currency"),
            shipping_paid: header.column("shipping_paid"),
            order_total: header.column("order_total"),
            outstanding: header.column("outstanding"),
            refunded_total: header.column("refunded_total"),
            tags: header.column("tags"),
            name: header.column("name"),
            street: header.column("street"),
            additional: header.column("additional"),
            postal_code: header.column("postal_code"),
            city: header.column("city"),
            province: header.column("province"),
            country: header.column("country"),
            billing_postal_code: header.column("billing_postal_code"),
        };
        header.require_one_of(&[order.email, order.postal_code], "email or postal_code");
        Self { order, line: LineColumns::new(header), line_ids: Seen::default() }
    }
}

impl LineColumns {
    fn new(header: &mut Header) -> Self {
        Self {
            id: header.column("line_id"),
            sku: header.column("sku"),
            barcode: header.column("barcode"),
            product: header.required("product"),
            attributes: header.column("attributes"),
            exchange_options: header.column("exchange_options"),
            image_urls: header.column("image_urls"),
            weight: header.column("weight"),
            hs_code: header.column("hs_code"),
            origin_country: header.column("origin_country"),
            quantity: header.required("quantity"),
            fulfilled: header.column("fulfilled"),
            fulfilled_at: header.column("fulfilled_at"),
            delivered_at: header.column("delivered_at"),
            refunded_quantity: header.column("refunded_quantity"),
            removed_quantity: header.column("removed_quantity"),
            requires_shipping: header.column("requires_shipping"),
            total: header.required("total"),
            tax: header.column("tax"),
            discount: header.column("discount"),
            final_sale: header.column("final_sale"),
        }
    }

    fn product(&self, row: Row<'_>) -> Result<Product, Reason> {
        let image_urls = row.list(self.image_urls, ' ')?;
        if !image_urls.iter().all(|url| url.starts_with("https://") || url.starts_with("http://")) {
            return Err(format!("{}: expected addresses that begin with https://", self.image_urls.name));
        }
        let (hs_code, origin_country) = (row.text(self.hs_code)?, row.country(self.origin_country)?);
        if let Some((_, refusal)) = check_parcel_facts(None, &hs_code, "").0.first() {
            return Err(format!("{}: {}", self.hs_code.name, refusal.message));
        }
        Ok(Product {
            name: row.required_text(self.product)?,
            sku: row.text(self.sku)?,
            barcode: row.text(self.barcode)?,
            image_urls,
            attributes: pairs(row, self.attributes)?.into_iter().collect(),
            exchange_options: self.exchange_options(row)?,
            weight: row.units(self.weight, 1, MAX_WEIGHT)?,
            hs_code,
            origin_country,
        })
    }

    fn exchange_options(&self, row: Row<'_>) -> Result<Vec<ExchangeOption>, Reason> {
        let options = pairs(row, self.exchange_options)?;
        let problems = check_exchange_options(options.iter().map(|(sku, name)| (sku.as_str(), name.as_str())));
        if let Some((field, refusal)) = problems.0.first() {
            return Err(format!("{}: {field}: {}", self.exchange_options.name, refusal.message));
        }
        Ok(options.into_iter().map(|(sku, name)| ExchangeOption { sku, name }).collect())
    }

    fn read(&self, row: Row<'_>, position: u32, order: &NewOrder) -> Result<NewPurchase, Reason> {
        let quantity = row.quantity(self.quantity)?;
        let total = row.required_amount(self.total, order.currency)?;
        let tax = row.amount(self.tax, order.currency)?.unwrap_or(0);
        if tax > total {
            return Err(format!("{}: more than {}, which includes it", self.tax.name, self.total.name));
        }
        let discount = row.amount(self.discount, order.currency)?.unwrap_or(0);
        let (id, place) = (self.own_id(row)?, position.to_string());
        let product = self.product(row)?;
        let removed = self.part_of(row, self.removed_quantity, quantity)?.unwrap_or(0);
        // Shops that export orders without their shipping state usually export only sent orders.
        let fulfilled = self.part_of(row, self.fulfilled, quantity)?.unwrap_or(quantity - removed);
        if fulfilled + removed > quantity {
            return Err(format!("{}: more than was not sent", self.removed_quantity.name));
        }
        let told = row.flag(self.requires_shipping)?;
        let (requires_shipping, obstacle) = shipping_of(&product.name, &product.sku, told);
        Ok(NewPurchase {
            // The order's id is a part of it, because shops number the lines of each order from 1.
            external_id: line_id(&order.external_id, id.as_deref().unwrap_or(&place)),
            position,
            product,
            quantity,
            fulfilled,
            shop_refunded: self.part_of(row, self.refunded_quantity, quantity)?.unwrap_or(0),
            total,
            tax,
            duties: 0,
            discount,
            final_sale: row.flag(self.final_sale)?.unwrap_or(false),
            requires_shipping,
            removed,
            obstacle,
            fulfilled_at: row.moment(self.fulfilled_at)?,
            delivered_at: row.moment(self.delivered_at)?,
        })
    }

    /// The line's id. Shops may count the lines of an order from 0.
    fn own_id(&self, row: Row<'_>) -> Result<Option<String>, Reason> {
        if row.bytes(self.id) == b"0" {
            return Ok(Some("0".to_owned()));
        }
        Ok(row.own_id(self.id)?.known())
    }

    /// The discount of a row with a negative total. `None`: the row is a line that was bought.
    fn deducted(&self, row: Row<'_>, currency: Currency) -> Option<i64> {
        let total = row.signed_amount(self.total, currency).ok().flatten()?;
        (total < 0).then_some(-total)
    }

    /// Whether a row that cannot be parsed may have been a discount: then the other lines cost less than they say.
    fn may_take_off(&self, row: Row<'_>, currency: Currency) -> bool {
        row.signed_amount(self.total, currency).is_err() && row.may_be_negative(self.total)
            || row.bytes(self.quantity).starts_with(b"-")
    }

    fn part_of(&self, row: Row<'_>, column: Column, quantity: u32) -> Result<Option<u32>, Reason> {
        let units = row.units(column, 0, MAX_QUANTITY)?;
        if units.is_some_and(|units| units > quantity) {
            return Err(format!("{}: more than {}", column.name, self.quantity.name));
        }
        Ok(units)
    }
}

/// Parses a cell with `name=value;name=value`.
fn pairs(row: Row<'_>, column: Column) -> Result<Vec<(String, String)>, Reason> {
    let expected = || format!("{}: expected name=value;name=value, each name once", column.name);
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in row.list(column, ';')? {
        let (name, value) = pair.split_once('=').ok_or_else(expected)?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        if name.is_empty() || pairs.iter().any(|(known, _)| *known == name) {
            return Err(expected());
        }
        pairs.push((name, value));
    }
    Ok(pairs)
}

/// The sums in an order's rows.
pub struct Bill {
    /// The order's first row.
    first: ByteRecord,
    /// The price of the whole order, in minor units.
    total: Option<i64>,
    /// The part of the price that is not paid.
    outstanding: i64,
    /// The sum of rows with a negative total.
    deducted: i64,
    /// Whether a row that cannot be parsed may have been a discount.
    unreadable: bool,
}

impl OrderColumns {
    /// A later row may repeat the data in the first row, but not contradict it.
    fn check_repeated(&self, row: Row<'_>, first: &ByteRecord) -> Result<(), Reason> {
        let first = Row { record: first, ..row };
        let columns = [
            self.ordered_at,
            self.currency,
            self.shipping_paid,
            self.order_total,
            self.outstanding,
            self.refunded_total,
            self.tags,
            self.name,
            self.street,
            self.additional,
            self.postal_code,
            self.city,
            self.province,
            self.country,
            self.billing_postal_code,
        ];
        let differs = |column: &&Column| {
            let value = row.bytes(**column);
            !value.is_empty() && value != first.bytes(**column)
        };
        columns.iter().find(differs).map_or(Ok(()), |column| {
            Err(format!("{}: differs from the order's first row; expected the same or an empty cell", column.name))
        })
    }

    fn address(&self, row: Row<'_>) -> Result<Address, Reason> {
        Ok(Address {
            name: row.text(self.name)?,
            street: row.text(self.street)?,
            additional: row.text(self.additional)?,
            postal_code: row.text(self.postal_code)?,
            city: row.text(self.city)?,
            province: row.text(self.province)?,
            country: row.country(self.country)?,
        })
    }
}

impl Layout for RetourLayout {
    type Bill = Bill;

    fn identity(&self) -> Identity {
        Identity { number: self.order.number, id: self.order.id, email: self.order.email, facts: None }
    }

    fn names_line(&self, row: Row<'_>) -> bool {
        self.line.own_id(row).is_ok_and(|id| id.is_some())
    }

    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Bill), Reason> {
        let columns = &self.order;
        let number = row.required_text(columns.number)?;
        let id = row.own_id(columns.id)?;
        let currency = row.currency(columns.currency)?;
        let total = row.amount(columns.order_total, currency)?;
        let outstanding = row.signed_amount(columns.outstanding, currency)?.unwrap_or(0).max(0);
        let order = NewOrder {
            external_id: id.known().unwrap_or_else(|| number.clone()),
            number,
            email: row.text(columns.email)?,
            address: columns.address(row)?,
            currency,
            ordered_at: row.required_moment(columns.ordered_at)?,
            shipping_paid: row.amount(columns.shipping_paid, currency)?.unwrap_or(0),
            sums: OrderSums {
                paid: total.map(|total| (total - outstanding).max(0)),
                refunded: row.amount(columns.refunded_total, currency)?.unwrap_or(0),
            },
            is_partial: false,
            review: None,
            billing_postal_code: row.text(columns.billing_postal_code)?,
            tags: row.list(columns.tags, ';')?,
            lines: Vec::new(),
        };
        let proofs = [&order.email, &order.address.postal_code, &order.billing_postal_code];
        if proofs.iter().all(|proof| proof.is_empty()) {
            let columns = "email, postal_code, billing_postal_code";
            return Err(format!("{columns}: expected at least one, so that the shopper can find the order"));
        }
        Ok((order, Bill { first: row.record.clone(), total, outstanding, deducted: 0, unreadable: false }))
    }

    fn add(&mut self, row: Row<'_>, position: u32, order: &mut NewOrder, bill: &mut Bill) -> Result<(), Reason> {
        if position == 1 {
            self.line_ids = Seen::default(); // line ids are unique only within their order
        }
        let deducted = self.line.deducted(row, order.currency);
        let repeats = if position > 1 { self.order.check_repeated(row, &bill.first) } else { Ok(()) };
        bill.unreadable |= self.line.may_take_off(row, order.currency) || (deducted.is_some() && repeats.is_err());
        repeats?;
        if let Some(deducted) = deducted {
            bill.deducted += deducted;
            return Ok(());
        }
        let line = self.line.read(row, position, order)?;
        if !self.line_ids.is_new(line.external_id.as_bytes()) {
            return Err(format!("{}: duplicate; expected a unique id for each line of an order", self.line.id.name));
        }
        order.lines.push(line);
        Ok(())
    }

    /// Every row has what was paid for it. Rows with a negative total are discounts, which are split exactly over the
    /// others.
    fn finish(&self, order: &mut NewOrder, bill: Bill, complete: bool) -> Result<(), Reason> {
        if order.lines.is_empty() && bill.deducted == 0 {
            return Ok(()); // each of its rows has a reason already
        }
        let column = self.line.total.name;
        if bill.unreadable {
            return Err(format!(
                "{column}: a row of the order may be a discount and cannot be read; the order is left out"
            ));
        }
        if bill.deducted > 0 && !deduct(order, bill.deducted) {
            return Err(format!(
                "{column}: the order's rows below 0 take off more than its others cost; it is left out"
            ));
        }
        let cost = order.cost();
        match bill.total {
            Some(total) if cost > total => {
                order.review = Some(OrderReview::SumsDiffer);
                limit(order, bill.total);
            }
            // A part was refunded or is not paid. Every row says what was paid for it, so lines and shipping are the total.
            None if bill.outstanding > 0 || order.sums.refunded > 0 => {
                order.sums.paid = Some((cost - bill.outstanding).max(0));
                if !complete {
                    order.review = Some(OrderReview::SumsDiffer);
                }
            }
            Some(_) | None => {}
        }
        Ok(())
    }
}

/// Splits the discounts of negative rows over the order's goods. Gift cards, fees and shipping bear the rest. `false`:
/// the discounts exceed the order.
fn deduct(order: &mut NewOrder, deducted: i64) -> bool {
    let sum = |sent: bool| -> i64 {
        order.lines.iter().filter(|line| line.requires_shipping == sent).map(|line| line.total).sum()
    };
    let off_goods = deducted.min(sum(true));
    let off_others = (deducted - off_goods).min(sum(false));
    let off_shipping = deducted - off_goods - off_others;
    if off_shipping > order.shipping_paid {
        return false;
    }
    order.shipping_paid -= off_shipping;
    take_off(order.lines.iter_mut().filter(|line| line.requires_shipping), off_goods);
    take_off(order.lines.iter_mut().filter(|line| !line.requires_shipping), off_others);
    true
}
