//! One search over everything: a number, a code, an e-mail address, a name or a SKU.

use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view::{self, Found, FoundKind},
};
use domain::{AccountId, RefusalCode, ReturnOrderId};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Db, StoreError, consumers,
    lists::{self, List, Listing},
    page::Page,
    purchases, return_orders, return_requests, shipments, withdrawals,
};

/// How many objects of each kind a search shows.
const MOST_OF_A_KIND: i64 = 10;
/// Every name begins with one letter.
const LEAST_CHARS: usize = 2;

impl MerchantHandle<'_> {
    /// Finds objects by what people know them by. Exact numbers and codes come first; only if nothing has one, the
    /// beginnings of e-mail addresses and names, and SKUs, are compared.
    pub async fn find(self, words: &str) -> Result<view::List<Found>> {
        if !(LEAST_CHARS..=lists::MAX_CHARS).contains(&words.chars().count()) {
            let message = format!("expected {LEAST_CHARS} to {} characters", lists::MAX_CHARS);
            return Err(Error::invalid("q", RefusalCode::OutOfRange, message));
        }
        let words: String = words.chars().filter(|character| !character.is_control()).collect();
        let words = words.trim();
        if words.chars().count() < LEAST_CHARS {
            return Ok(view::List::whole(Vec::new())); // the rest of it is invisible, such as what a scanner adds
        }
        let mut reading = self.retour.store.read().await?;
        let mut search = Search { db: reading.db(), account: self.staff.account(), found: Vec::new() };
        search.parcels(words).await?;
        search.numbers(words).await?;
        search.orders(words).await?;
        if search.found.is_empty() {
            if self.staff.sees_contact() {
                search.people(words).await?;
            }
            search.products(words).await?;
        }
        let found = search.named().await?;
        Ok(view::List::whole(found))
    }
}

/// A search in progress.
struct Search<'a> {
    db: Db<'a>,
    account: AccountId,
    found: Vec<Found>,
}

impl Search<'_> {
    async fn parcels(&mut self, words: &str) -> Result<()> {
        let mut met = BTreeSet::new();
        for field in ["labelBarcode", "trackingNumber"] {
            let listing = asking(&shipments::LIST, field, words)?;
            for parcel in shipments::list(self.db.reborrow(), self.account, &listing).await?.rows {
                if met.insert(parcel.id) {
                    let title = if field == "trackingNumber" { parcel.tracking_number } else { parcel.label_barcode };
                    self.found.push(Found {
                        kind: FoundKind::Shipment,
                        id: parcel.id.0,
                        title,
                        detail: parcel.carrier,
                        return_order_id: Some(parcel.return_order_id),
                        return_number: None,
                        created_at: parcel.created_at,
                    });
                }
            }
        }
        Ok(())
    }

    async fn numbers(&mut self, words: &str) -> Result<()> {
        // Numbers of returns and withdrawals have capital letters.
        let number = words.trim_start_matches('#').to_ascii_uppercase();
        let listing = asking(&return_orders::LIST, "number", &number)?;
        self.returns(&listing).await?;
        let listing = asking(&withdrawals::LIST, "number", &number)?;
        for withdrawal in withdrawals::list(self.db.reborrow(), self.account, &listing).await?.rows {
            self.found.push(Found {
                kind: FoundKind::Withdrawal,
                id: withdrawal.id.0,
                title: withdrawal.number,
                detail: withdrawal.order_numbers.join(", "),
                return_order_id: withdrawal.return_order_id,
                return_number: None,
                created_at: withdrawal.created_at,
            });
        }
        Ok(())
    }

    async fn returns(&mut self, listing: &Listing) -> Result<()> {
        for order in return_orders::list(self.db.reborrow(), self.account, listing).await?.rows {
            self.found.push(Found {
                kind: FoundKind::ReturnOrder,
                id: order.id.0,
                title: order.number.clone(),
                detail: order.order_numbers.join(", "),
                return_order_id: Some(order.id),
                return_number: Some(order.number),
                created_at: order.created_at,
            });
        }
        Ok(())
    }

    async fn orders(&mut self, words: &str) -> Result<()> {
        let listing = asking(&return_orders::LIST, "purchaseOrderNumber", words)?;
        self.returns(&listing).await?;
        let listing = asking(&purchases::LIST, "orderNumber", words)?;
        let mut met = BTreeSet::new();
        for purchases::PurchaseWithOrder { purchase, .. } in
            purchases::list_all(self.db.reborrow(), self.account, &listing).await?.rows
        {
            if !met.insert(purchase.order.id) {
                continue;
            }
            self.found.push(Found {
                kind: FoundKind::Order,
                id: purchase.order.id.0,
                title: purchase.order.number.clone(),
                detail: purchase.product.name.clone(),
                return_order_id: None,
                return_number: None,
                created_at: purchase.order.ordered_at,
            });
        }
        Ok(())
    }

    async fn people(&mut self, words: &str) -> Result<()> {
        let page = Page::first(MOST_OF_A_KIND);
        let listing = Listing { search: Some(words.to_owned()), ..Listing::newest(page) };
        let people = match consumers::list(self.db.reborrow(), self.account, &listing).await {
            // The first letters of very many names find nobody in particular.
            Err(StoreError::SearchTooBroad) => return Ok(()),
            people => people?.rows,
        };
        for person in people {
            let name = person.address.name.trim().to_owned();
            let (title, detail) = if name.is_empty() { (person.email, String::new()) } else { (name, person.email) };
            self.found.push(Found {
                kind: FoundKind::Consumer,
                id: person.id.0,
                title,
                detail,
                return_order_id: None,
                return_number: None,
                created_at: person.created_at,
            });
        }
        Ok(())
    }

    async fn products(&mut self, words: &str) -> Result<()> {
        let listing = asking(&return_requests::LIST, "sku", words)?;
        for request in return_requests::list(self.db.reborrow(), self.account, &listing).await?.rows {
            self.found.push(Found {
                kind: FoundKind::ReturnRequest,
                id: request.id.0,
                title: request.product.sku,
                detail: request.product.name,
                return_order_id: Some(request.return_order_id),
                return_number: None,
                created_at: request.created_at,
            });
        }
        Ok(())
    }

    /// Adds the numbers of the return orders that objects belong to, and leaves out what was found twice.
    async fn named(mut self) -> Result<Vec<Found>> {
        let unnamed = self.found.iter().filter(|found| found.return_number.is_none());
        let ids: Vec<ReturnOrderId> =
            unnamed.filter_map(|found| found.return_order_id).collect::<BTreeSet<_>>().into_iter().collect();
        let orders = return_orders::list_of_ids(self.db.reborrow(), self.account, &ids).await?;
        let numbers: BTreeMap<ReturnOrderId, String> =
            orders.into_iter().map(|order| (order.id, order.number)).collect();
        let mut met = BTreeSet::new();
        self.found.retain(|found| met.insert(found.id));
        for found in &mut self.found {
            if found.return_number.is_none() {
                found.return_number = found.return_order_id.and_then(|id| numbers.get(&id).cloned());
            }
        }
        Ok(self.found)
    }
}

/// The newest rows of a list whose field has this value.
fn asking(list: &'static List, field: &str, value: &str) -> Result<Listing> {
    let condition = list.condition(&format!("{field}:{}", lists::escaped(value))).map_err(|_| Error::broken())?;
    Ok(Listing { conditions: vec![condition], ..Listing::newest(Page::first(MOST_OF_A_KIND)) })
}
