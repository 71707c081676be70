//! Shopify's "Export orders": what concerns the order stands on its first row only.

#[cfg(test)]
mod tests;

use super::{
    bill::Bill,
    cells::{Reason, Row},
    orders::{Layout, line_id},
    rows::{Column, Header},
};
use domain::{
    Currency, Timestamp,
    money::MAX_AMOUNT,
    order::{NewOrder, NewPurchase, Product},
    policy::Address,
};

/// Where Shopify's columns are.
pub struct Shopify {
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
    /// Proves an order that went to no address.
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
    fulfillment_status: Column,
}

/// What an order's first row says about its lines.
pub struct Order {
    bill: Bill,
    currency: Currency,
    cancelled: bool,
    fulfilled: bool,
    fulfilled_at: Option<Timestamp>,
    refunded: bool,
}

impl Shopify {
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
            tags: header.column("Tags"),
            address: AddressColumns::new(header),
            line: LineColumns::new(header),
        }
    }

    fn bill(&self, row: Row<'_>, currency: Currency) -> Result<Bill, Reason> {
        Ok(Bill {
            subtotal: row.amount(self.subtotal, currency)?,
            discount: row.amount(self.discount_amount, currency)?.unwrap_or(0),
            taxes: row.amount(self.taxes, currency)?.unwrap_or(0),
            duties: row.amount(self.duties, currency)?.unwrap_or(0),
            total: row.amount(self.total, currency)?,
            taxable: Vec::new(),
        })
    }

    /// Whether the shop gave everything back. Less than everything cannot be told by line, and counts as nothing.
    fn is_refunded(&self, row: Row<'_>, currency: Currency, total: Option<i64>) -> Result<bool, Reason> {
        let refunded = row.amount(self.refunded_amount, currency)?.unwrap_or(0);
        let all = refunded > 0 && total.is_some_and(|total| refunded >= total);
        Ok(all || row.bytes(self.financial_status).eq_ignore_ascii_case(b"refunded"))
    }

    fn product(&self, row: Row<'_>) -> Result<Product, Reason> {
        let (name, sku) = (row.text(self.line.name)?, row.text(self.line.sku)?);
        if name.is_empty() && sku.is_empty() {
            return Err(format!("{}: expected a name or a SKU, both are empty", self.line.name.name));
        }
        Ok(Product { name, sku, ..Product::default() })
    }

    /// How many units were sent. A line sent in part does not tell how many: one at least.
    fn sent(&self, row: Row<'_>, order: &Order, quantity: u32) -> u32 {
        let status = row.bytes(self.line.fulfillment_status).to_ascii_lowercase();
        match status.as_slice() {
            _ if order.cancelled => 0,
            b"fulfilled" => quantity,
            b"partial" => 1,
            b"" if order.fulfilled => quantity,
            _ => 0,
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
            (row.text(self.street)?, company) // `Shipping Street` is both address lines in one
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

/// Shopify writes '01234, so that spreadsheets keep the zero.
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
            fulfillment_status: header.column("Lineitem fulfillment status"),
        }
    }
}

impl Layout for Shopify {
    type Bill = Order;

    fn number(&self) -> Column {
        self.name
    }

    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, Order), Reason> {
        let number = row.required_text(self.name)?;
        let id = row.text(self.id)?;
        let currency = row.currency(self.currency)?;
        let bill = self.bill(row, currency)?;
        let order = Order {
            currency,
            cancelled: row.moment(self.cancelled_at)?.is_some(),
            fulfilled: row.bytes(self.fulfillment_status).eq_ignore_ascii_case(b"fulfilled"),
            fulfilled_at: row.moment(self.fulfilled_at)?,
            refunded: self.is_refunded(row, currency, bill.total)?,
            bill,
        };
        let new = NewOrder {
            external_id: if id.is_empty() { number.clone() } else { id },
            number,
            email: row.text(self.email)?,
            address: self.address.read(row)?,
            currency,
            ordered_at: row.required_moment(self.created_at)?,
            shipping_paid: row.amount(self.shipping, currency)?.unwrap_or(0),
            sums: domain::order::OrderSums::default(),
            is_partial: false,
            review: None,
            billing_postal_code: zip(row, self.address.billing_zip)?,
            tags: row.list(self.tags, ',')?,
            lines: Vec::new(),
        };
        Ok((new, order))
    }

    fn add(&mut self, row: Row<'_>, position: u32, new: &mut NewOrder, order: &mut Order) -> Result<(), Reason> {
        let quantity = row.quantity(self.line.quantity)?;
        let price = row.required_amount(self.line.price, order.currency)?;
        let gross = price.checked_mul(i64::from(quantity)).filter(|gross| *gross <= MAX_AMOUNT);
        let gross = gross.ok_or_else(|| format!("{} × quantity: too large", self.line.price.name))?;
        let fulfilled = self.sent(row, order, quantity);
        let line = NewPurchase {
            external_id: line_id(&new.external_id, &position.to_string()),
            position,
            product: self.product(row)?,
            quantity,
            fulfilled,
            shop_refunded: if order.refunded { quantity } else { 0 },
            total: gross,
            tax: 0,
            discount: row.amount(self.line.discount, order.currency)?.unwrap_or(0).min(gross),
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: order.fulfilled_at.filter(|_| fulfilled > 0),
            delivered_at: None,
        };
        order.bill.taxable.push(row.flag(self.line.taxable)?.unwrap_or(true));
        new.lines.push(line);
        Ok(())
    }

    fn finish(&self, new: &mut NewOrder, order: Order, complete: bool) {
        order.bill.settle(new, complete);
    }
}
