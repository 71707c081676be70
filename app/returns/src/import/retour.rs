//! Our own layout: one row a line of an order; what concerns the order may stand on every row or on its first.

use super::{
    cells::{MAX_QUANTITY, Reason, Row},
    orders::{Layout, Seen, line_id},
    rows::{Column, Header},
};
use csv::ByteRecord;
use domain::{
    order::{ExchangeOption, MAX_WEIGHT, NewOrder, NewPurchase, Product, check_exchange_options, check_parcel_facts},
    policy::Address,
};

/// Where our columns are.
pub struct Retour {
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
    total: Column,
    tax: Column,
    discount: Column,
    final_sale: Column,
}

impl Retour {
    /// Finds the columns.
    pub fn new(header: &mut Header) -> Self {
        let order = OrderColumns {
            number: header.required("order_number"),
            id: header.column("order_id"),
            ordered_at: header.required("ordered_at"),
            email: header.column("email"),
            currency: header.required("currency"),
            shipping_paid: header.column("shipping_paid"),
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
            return Err(format!("{}: more than {}, which it is part of", self.tax.name, self.total.name));
        }
        let discount = row.amount(self.discount, order.currency)?.unwrap_or(0);
        let (id, place) = (row.text(self.id)?, position.to_string());
        Ok(NewPurchase {
            // Within its order: shops number lines 1, 2, 3 in each.
            external_id: line_id(&order.external_id, if id.is_empty() { &place } else { &id }),
            position,
            product: self.product(row)?,
            quantity,
            // Who exports orders without telling what was sent, exports those that were.
            fulfilled: self.part_of(row, self.fulfilled, quantity)?.unwrap_or(quantity),
            shop_refunded: self.part_of(row, self.refunded_quantity, quantity)?.unwrap_or(0),
            total,
            tax,
            discount,
            final_sale: row.flag(self.final_sale)?.unwrap_or(false),
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: row.moment(self.fulfilled_at)?,
            delivered_at: row.moment(self.delivered_at)?,
        })
    }

    fn part_of(&self, row: Row<'_>, column: Column, quantity: u32) -> Result<Option<u32>, Reason> {
        let units = row.units(column, 0, MAX_QUANTITY)?;
        if units.is_some_and(|units| units > quantity) {
            return Err(format!("{}: more than {}", column.name, self.quantity.name));
        }
        Ok(units)
    }
}

/// A cell of `name=value;name=value`.
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

impl OrderColumns {
    /// A later row may repeat what the first one says, but not contradict it.
    fn check_repeated(&self, row: Row<'_>, first: &ByteRecord) -> Result<(), Reason> {
        let first = Row { record: first, ..row };
        let columns = [
            self.id,
            self.ordered_at,
            self.email,
            self.currency,
            self.shipping_paid,
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

impl Layout for Retour {
    type Bill = ByteRecord; // the order's first row

    fn number(&self) -> Column {
        self.order.number
    }

    fn begin(&self, row: Row<'_>) -> Result<(NewOrder, ByteRecord), Reason> {
        let columns = &self.order;
        let number = row.required_text(columns.number)?;
        let id = row.text(columns.id)?;
        let currency = row.currency(columns.currency)?;
        let order = NewOrder {
            external_id: if id.is_empty() { number.clone() } else { id },
            number,
            email: row.text(columns.email)?,
            address: columns.address(row)?,
            currency,
            ordered_at: row.required_moment(columns.ordered_at)?,
            shipping_paid: row.amount(columns.shipping_paid, currency)?.unwrap_or(0),
            sums: domain::order::OrderSums::default(),
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
        Ok((order, row.record.clone()))
    }

    fn add(&mut self, row: Row<'_>, position: u32, order: &mut NewOrder, first: &mut ByteRecord) -> Result<(), Reason> {
        if position > 1 {
            self.order.check_repeated(row, first)?;
        }
        let line = self.line.read(row, position, order)?;
        if !self.line_ids.is_new(line.external_id.as_bytes()) {
            return Err(format!(
                "{}: stands further up already; expected every line of an order to have its own",
                self.line.id.name
            ));
        }
        order.lines.push(line);
        Ok(())
    }

    /// Every row tells what was paid: there is nothing left to split.
    fn finish(&self, _: &mut NewOrder, _: ByteRecord, _: bool) {}
}

#[cfg(test)]
mod tests {
    use crate::import::{Format, tests::parse};
    use domain::order::Product;

    const HEADER: &str = "order_number,order_id,ordered_at,email,currency,shipping_paid,tags,name,street,additional,\
        postal_code,city,province,country,line_id,sku,barcode,product,attributes,image_urls,quantity,fulfilled,\
        fulfilled_at,delivered_at,refunded_quantity,total,tax,discount,final_sale,exchange_options,weight,hs_code,\
        origin_country";

    #[test]
    fn every_column_has_its_place() {
        let text = format!(
            "{HEADER}\nC-1,id-1,2026-01-01T10:00:00+01:00,ann@example.com,EUR,4.95,vip;new,Ann,Dam 1,III,1012 JS,\
             Amsterdam,NH,nl,l-1,S1,871,Mug,colour=blue; size = L,https://a.example/1.jpg  https://a.example/2.jpg,3,2,\
             2026-01-02,2026-01-03T08:00:00Z,1,30.00,5.21,3.00,yes,S2=Size M; S3 = Size S,350,6912.00,pt\n\
             ,,,,,,,,,,,,,,,,,Plate,,,1,,,,,5,,,,,,,\n"
        );
        let (orders, skipped) = parse(Format::Retour, &text);
        assert!(skipped.is_empty(), "{skipped:?}");
        let order = &orders[0];
        assert_eq!((order.external_id.as_str(), order.number.as_str(), order.shipping_paid), ("id-1", "C-1", 495));
        assert_eq!(order.ordered_at.to_string(), "2026-01-01T09:00:00Z");
        assert_eq!(order.tags, ["vip", "new"]);
        assert_eq!(order.address.lines(), ["Ann", "III", "Dam 1", "1012 JS Amsterdam", "NH", "NL"]);
        let [mug, plate] = order.lines.as_slice() else { panic!("two lines") };
        assert_eq!((mug.external_id.as_str(), plate.external_id.as_str()), ("id-1/l-1", "id-1/2"));
        assert_eq!((mug.quantity, mug.fulfilled, mug.shop_refunded, mug.final_sale), (3, 2, 1, true));
        assert_eq!((mug.total, mug.tax, mug.discount), (3000, 521, 300));
        assert_eq!(mug.product.attributes["size"], "L");
        let others: Vec<_> =
            mug.product.exchange_options.iter().map(|one| (one.sku.as_str(), one.name.as_str())).collect();
        assert_eq!(others, [("S2", "Size M"), ("S3", "Size S")]);
        let parcel = |product: &Product| (product.weight, product.hs_code.clone(), product.origin_country.clone());
        assert_eq!(parcel(&mug.product), (Some(350), "6912.00".to_owned(), "PT".to_owned()));
        assert_eq!(parcel(&plate.product), (None, String::new(), String::new()));
        assert_eq!((mug.product.image_urls.len(), mug.product.barcode.as_str()), (2, "871"));
        assert_eq!(mug.fulfilled_at.unwrap().to_string(), "2026-01-02T00:00:00Z");
        assert_eq!(mug.delivered_at.unwrap().to_string(), "2026-01-03T08:00:00Z");
        assert_eq!((plate.fulfilled, plate.fulfilled_at, plate.final_sale), (1, None, false));
    }

    #[test]
    fn what_does_not_go_together_is_skipped() {
        let line = |cells: &str| {
            let header = "order_number,ordered_at,postal_code,currency,product,total,line_id,quantity,fulfilled,\
                          refunded_quantity,tax,final_sale,attributes,image_urls,delivered_at,exchange_options,weight,\
                          hs_code,origin_country";
            let good = "1,2026-01-01,1012JS,EUR,Mug,5,a,1,,,,,,,,,,,";
            let (orders, skipped) = parse(Format::Retour, &format!("{header}\n{good}\n1,{cells}\n"));
            assert_eq!(orders[0].lines.len() + skipped.len(), 2);
            skipped
                .first()
                .map(|(_, reason)| reason.split(':').next().unwrap_or_default().to_owned())
                .unwrap_or_default()
        };
        assert_eq!(line("2026-01-01,1012JS,EUR,Mug,5,b,1,1,1,5,no,a=b,http://x/,2026-01-01,s=t,,,"), "");
        for (cells, column) in [
            ("2026-01-02,,,Mug,5,b,1,,,,,,,,,,,", "ordered_at"),
            (",,GBP,Mug,5,b,1,,,,,,,,,,,", "currency"),
            (",,,Mug,5,a,1,,,,,,,,,,,", "line_id"),
            (",,,Mug,5,b,2,3,,,,,,,,,,", "fulfilled"),
            (",,,Mug,5,b,2,,3,,,,,,,,,", "refunded_quantity"),
            (",,,Mug,5,b,2,,,5.01,,,,,,,,", "tax"),
            (",,,Mug,5,b,2,,,,maybe,,,,,,,", "final_sale"),
            (",,,Mug,5,b,2,,,,,blue,,,,,,", "attributes"),
            (",,,Mug,5,b,2,,,,,a=1;a=2,,,,,,", "attributes"),
            (",,,Mug,5,b,2,,,,,,javascript:x,,,,,", "image_urls"),
            (",,,Mug,5,b,2,,,,,,,31/12/2026,,,,", "delivered_at"),
            (",,,Mug,5,b,2,,,,,,,,S2,,,", "exchange_options"),
            (",,,Mug,5,b,2,,,,,,,,S2=,,,", "exchange_options"),
            (",,,Mug,5,b,2,,,,,,,,,0,,", "weight"),
            (",,,Mug,5,b,2,,,,,,,,,,mug,", "hs_code"),
            (",,,Mug,5,b,2,,,,,,,,,,,Portugal", "origin_country"),
        ] {
            assert_eq!(line(cells), column, "{cells}");
        }
    }

    #[test]
    fn two_orders_of_one_id_are_not_mixed_up() {
        let text = "order_number,order_id,ordered_at,email,currency,product,quantity,total\n\
                    1,a,2026-01-01,a@b.nl,EUR,Mug,1,5\n2,a,2026-01-01,a@b.nl,EUR,Mug,1,5\n";
        let (orders, skipped) = parse(Format::Retour, text);
        assert_eq!((orders.len(), skipped[0].0), (1, 3));
    }
}
