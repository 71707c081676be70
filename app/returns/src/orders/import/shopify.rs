//! Shopify's "Export orders": data of the order is only in its first row.

#[cfg(test)]
mod tests;

use super::{
    bill::{Bill, LineFacts, Tip},
    cells::{Column, MAX_QUANTITY, Reason, Row},
    charges::{is_tip, shipping_of},
    orders::{Identity, Layout, line_id},
    paid::{Payment, Status},
    rows::Header,
};
use domain::{
    Currency, Timestamp,
    address::Address,
    money::MAX_AMOUNT,
    order::{NewOrder, NewPurchase, OrderReview, Product},
};

/// The positions of Shopify's columns.
pub struct ShopifyLayout {
    name: Column,
    id: Column,
    email: Column,
    created_at: Column,
    cancelled_at: Column,
    fulfilled_at: Column,
    fulfillment_status: Column,
    financial_status: Column,
    currency: Column,
    subtotal: Column,
    shipping: Column,
    taxes: Column,
    duties: Column,
    total: Column,
    discount_amount: Column,
    refunded_amount: Column,
    outstanding: Column,
    tags: Column,
    address: AddressColumns,
    line: LineColumns,
}

struct AddressColumns {
    name: Column,
    company: Column,
    street: Column,
    address1: Column,
    address2: Column,
    zip: Column,
    /// Proves an order without a delivery address.
    billing_zip: Column,
    city: Column,
    province: Column,
    country: Column,
}

struct LineColumns {
    name: Column,
    sku: Column,
    quantity: Column,
    price: Column,
    discount: Column,
    taxable: Column,
    requires_shipping: Column,
    vendor: Column,
    fulfillment_status: Column,
}

/// What an order's first row says about its lines.
pub struct Order {
    bill: Bill,
    currency: Currency,
    cancelled: bool,
    fulfilled_at: Option<Timestamp>,
    payment: Payment,
}

/// A line's position in its order, its quantity, and its price before discount.
#[derive(Clone, Copy)]
struct Place {
    position: u32,
    quantity: u32,
    gross: i64,
}

impl ShopifyLayout {
    /// Finds the columns.
    pub fn new(header: &mut Header) -> Self {
        Self {
            name: header.required("Name"),
            id: header.column("Id"),
            email: header.column("Email"),
            created_at: header.required("Created at"),
            cancelled_at: header.column("Cancelled at"),
            fulfilled_at: header.column("Fulfilled at"),
            fulfillment_status: header.column("Fulfillment Status"),
            financial_status: header.column("Financial Status"),
            currency: header.required("Currency"),
            subtotal: header.column("Subtotal"),
            shipping: header.column("Shipping"),
            taxes: header.column("Taxes"),
            duties: header.column("Duties"),
            total: header.column("Total"),
            discount_amount: header.column("Discount Amount"),
            refunded_amount: header.column("Refunded Amount"),
            outstanding: header.column("Outstanding Balance"),
            tags: header.column("Tags"),
            address: AddressColumns::new(header),
            line: LineColumns::new(header),
        }
    }

    fn bill(&self, row: Row<'_>, currency: Currency) -> Result<Bill, Reason> {
        Ok(Bill {
            subtotal: row.amount(self.subtotal, currency)?,
            discount: row.amount(self.discount_amount, currency)?,
            taxes: row.amount(self.taxes, currency)?.unwrap_or(0),
            duties: row.amount(self.duties, currency)?.unwrap_or(0),
            total: row.amount(self.total, currency)?,
            deducted: 0,
            all_sent: row.bytes(self.fulfillment_status).eq_ignore_ascii_case(b"fulfilled"),
            facts: Vec::new(),
        })
    }

    fn payment(&self, row: Row<'_>, currency: Currency) -> Result<Payment, Reason> {
        Ok(Payment {
            status: Status::parse(row.bytes(self.financial_status)),
            total: row.amount(self.total, currency)?,
            outstanding: row.signed_amount(self.outstanding, currency)?,
            refunded: row.amount(self.refunded_amount, currency)?,
        })
    }

    fn facts(&self, row: Row<'_>, line: &NewPurchase) -> Result<LineFacts, Reason> {
        let taxable = row.flag(self.line.taxable)?;
        let requires_shipping = row.flag(self.line.requires_shipping)?;
        let is_bare = line.product.sku.is_empty() && row.bytes(self.line.vendor).is_empty();
        let is_unlike = !is_bare || taxable == Some(true) || requires_shipping == Some(true);
        let is_named = requires_shipping != Some(true) && is_tip(&line.product.name);
        let tip = match (is_named, is_unlike) {
            (true, false) => Tip::Named,
            (true, true) => Tip::Perhaps,
            // Without this data it could be anything.
            (false, false) if taxable.is_some() || requires_shipping.is_some() => Tip::Perhaps,
            (false, _) => Tip::No,
        };
        Ok(LineFacts {
            taxable: taxable.unwrap_or(true),
            // Shopify applies no discount code to a gift card, which is neither taxed nor sent.
            bears_discounts: taxable != Some(false) || requires_shipping != Some(false),
            tip,
            unsent: line.fulfilled == 0,
        })
    }

    /// Whether a row is a draft: drafts are numbered #D1, #D2, and have neither of the two states that every order has.
    fn is_draft(&self, row: Row<'_>, number: &str) -> bool {
        let digits = number.trim_start_matches('#').strip_prefix('D').unwrap_or_default();
        let states = [self.financial_status, self.fulfillment_status];
        !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && states.iter().all(|state| state.index.is_some() && row.bytes(*state).is_empty())
    }

    fn product(&self, row: Row<'_>) -> Result<Product, Reason> {
        let (name, sku) = (row.text(self.line.name)?, row.text(self.line.sku)?);
        if name.is_empty() && sku.is_empty() {
            return Err(format!("{}: expected a name or a SKU, both are empty", self.line.name.name));
        }
        Ok(Product { name, sku, ..Product::default() })
    }

    /// The line of a row, before any discount of its order.
    fn line(&self, row: Row<'_>, place: Place, new: &NewOrder, order: &Order) -> Result<NewPurchase, Reason> {
        let Place { position, quantity, gross } = place;
        let (product, fulfilled) = (self.product(row)?, self.sent(row, order, quantity));
        let told = row.flag(self.line.requires_shipping)?;
        let (requires_shipping, obstacle) = shipping_of(&product.name, &product.sku, told);
        Ok(NewPurchase {
            external_id: line_id(&new.external_id, &position.to_string()),
            position,
            product,
            quantity,
            fulfilled,
            shop_refunded: if order.payment.is_refunded() { quantity } else { 0 },
            total: gross,
            tax: 0,
            duties: 0,
            discount: row.amount(self.line.discount, order.currency)?.unwrap_or(0).min(gross),
            final_sale: false,
            requires_shipping,
            removed: 0,
            obstacle,
            fulfilled_at: order.fulfilled_at.filter(|_| fulfilled > 0),
            delivered_at: None,
        })
    }

    /// The number of units that were sent. For a partly sent line the export does not say how many, so at least one.
    fn sent(&self, row: Row<'_>, order: &Order, quantity: u32) -> u32 {
        let status = row.bytes(self.line.fulfillment_status).to_ascii_lowercase();
        match status.as_slice() {
            _ if order.cancelled => 0,
            b"fulfilled" => quantity,
            b"partial" => 1,
            b"" if order.bill.all_sent => quantity,
            _ => 0,
        }
    }
}

impl Order {
    /// If a part was refunded or not paid, and the file does not give the order's total: lines and shipping are the
    /// total. `complete`: these are all lines of the order.
    fn settle_without_total(&self, new: &mut NewOrder, complete: bool) {
        if self.payment.total.is_some() || new.sums.paid.is_some() || !self.payment.is_reduced() {
            return;
        }
        let payment = Payment { total: Some(new.cost()), ..self.payment };
        new.sums = payment.sums();
        if payment.is_refunded() {
            new.lines.iter_mut().for_each(|line| line.shop_refunded = line.quantity);
        }
        // Without a total, nothing shows whether taxes and duties were paid on top.
        if !complete || self.bill.taxes > 0 || self.bill.duties > 0 {
            new.review = Some(OrderReview::SumsDiffer);
        }
    }
}

impl AddressColumns {
    fn new(header: &mut Header) -> Self {
        Self {
            name: header.column("Shipping Name"),
            company: header.column("Shipping Company"),
            street: header.column("Shipping Street"),
            address1: header.column("Shipping Address1"),
            address2: header.column("Shipping Address2"),
            zip: header.column("Shipping Zip"),
            billing_zip: header.column("Billing Zip"),
            city: header.column("Shipping City"),
            province: header.column("Shipping Province"),
            country: header.column("Shipping Country"),
        }
    }

    fn read(&self, row: Row<'_>) -> Result<Address, Reason> {
        let (address1, address2) = (row.text(self.address1)?, row.text(self.address2)?);
        let company = row.text(self.company)?;
        let (street, additional) = if address1.is_empty() {
            (row.text(self.street)?, company) // `Shipping Street` contains both address lines
        } else {
            let parts = [company, address2];
            (address1, parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
        };
        Ok(Address {
            name: row.text(self.name)?,
            street,
            additional,
            postal_code: zip(row, self.zip)?,
            city: row.text(self.city)?,
            province: row.text(self.province)?,
            country: row.country(self.country)?,
        })
    }
}

/// Shopify writes `'01234`, so that spreadsheets keep the leading zero.
fn zip(row: Row<'_>, column: Column) -> Result<String, Reason> {
    Ok(row.text(column)?.trim_start_matches('\'').trim_start().to_owned())
}

impl LineColumns {
    fn new(header: &mut Header) -> Self {
        Self {
            name: header.required("Lineitem name"),
            sku: header.column("Lineitem sku"),
            quantity: header.required("Lineitem quantity"),
            price: header.required("Lineitem price"),
            discount: header.column("Lineitem discount"),
            taxable: header.column("Lineitem taxable"),
            requires_shipping: header.column("Lineitem requires shipping"),
            vendor: header.column("Vendor"),
            fulfillment_status: header.column("Lineitem fulfillment status"),
        }
    }
}

impl Layout for ShopifyLayout {
    type Bill = Order;

    fn identity(&self) -> Identity {
        Identity { number: self.name, id: self.id, email: self.email, facts: Some([self.created_at, self.total]) }
    }

    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Order), Reason> {
        let number = row.required_text(self.name)?;
        if self.is_draft(row, &number) {
            return Err("a draft order: nothing in it was bought yet".to_owned());
        }
        let id = row.own_id(self.id)?;
        let currency = row.currency(self.currency)?;
        let (mut bill, payment) = (self.bill(row, currency)?, self.payment(row, currency)?);
        let cancelled = row.moment(self.cancelled_at)?.is_some();
        bill.all_sent &= !cancelled;
        let order = Order { currency, cancelled, fulfilled_at: row.moment(self.fulfilled_at)?, payment, bill };
        let new = NewOrder {
            external_id: id.known().unwrap_or_else(|| number.clone()),
            number,
            email: row.text(self.email)?,
            address: self.address.read(row)?,
            currency,
            ordered_at: row.required_moment(self.created_at)?,
            shipping_paid: row.amount(self.shipping, currency)?.unwrap_or(0),
            sums: payment.sums(),
            is_partial: false,
            review: payment.is_vague().then_some(OrderReview::SumsDiffer),
            billing_postal_code: zip(row, self.address.billing_zip)?,
            tags: row.list(self.tags, ',')?,
            lines: Vec::new(),
        };
        Ok((new, order))
    }

    fn add(&mut self, row: Row<'_>, position: u32, new: &mut NewOrder, order: &mut Order) -> Result<(), Reason> {
        if row.units(self.line.quantity, 0, MAX_QUANTITY).is_ok_and(|units| units == Some(0)) {
            return Ok(()); // the line was removed from the order
        }
        let quantity = row.quantity(self.line.quantity)?;
        let price = row.signed_amount(self.line.price, order.currency)?;
        let price = price.ok_or_else(|| format!("{}: expected a value, the cell is empty", self.line.price.name))?;
        let gross = price.checked_mul(i64::from(quantity)).filter(|gross| gross.abs() <= MAX_AMOUNT);
        let gross = gross.ok_or_else(|| format!("{} × quantity: too large", self.line.price.name))?;
        if gross < 0 {
            order.bill.deducted += -gross; // a discount as a separate line
            return Ok(());
        }
        let line = self.line(row, Place { position, quantity, gross }, new, order)?;
        order.bill.facts.push(self.facts(row, &line)?);
        new.lines.push(line);
        Ok(())
    }

    fn finish(&self, new: &mut NewOrder, order: Order, complete: bool) -> Result<(), Reason> {
        if new.lines.is_empty() && order.bill.deducted > 0 {
            return Err(format!("{}: all lines of the order are below 0", self.line.price.name));
        }
        if order.bill.all_sent {
            // Everything that will be sent was sent: the other units were removed from the order.
            for line in &mut new.lines {
                line.removed = line.quantity - line.fulfilled;
            }
        }
        order.bill.settle(new, complete);
        order.settle_without_total(new, complete);
        Ok(())
    }
}
