//! A merchant for the tests, and what customers do.

use domain::{
    Currency, DraftReturnOrderId, ReturnOrderId, ShippingOptionId, Timestamp,
    account::Account,
    address::Address,
    branding::Branding,
    order::{ExchangeOption, NewOrder, NewPurchase, Product},
    policy::{Policy, Resolution},
    returning,
};
use returns::{
    ClientAddress, Done, Error, Expand, IdempotencyKey, NewAccount, Page, Proof, Retour, ReturnForConsumer, Scope,
    Selection, Shopper, Source, Staff,
    import::{ImportError, Parsed},
    view,
};
use std::net::{IpAddr, Ipv4Addr};
use store::testing::Database;

/// The time of all tests, unless they move the clock.
pub const NOW: Timestamp = Timestamp::from_seconds(1_772_366_400); // 2026-03-01T12:00:00Z
pub const ALL: Page = Page::first(100);
/// The address of all clients, unless a test names another.
pub const HERE: ClientAddress = ClientAddress(IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9)));
pub const EMAIL: &str = "ada@example.com";

/// A merchant, its database, and a stopped clock.
#[derive(Clone)]
pub struct Shop {
    pub retour: Retour,
    pub source: Source,
    pub account: Account,
    /// A member of staff with all permissions.
    pub staff: Staff,
}

impl Shop {
    pub async fn open(database: &Database) -> Self {
        Self::open_with(database, "fjord-fern", "EUR", Policy::default()).await
    }

    pub async fn open_with(database: &Database, slug: &str, currency: &str, policy: Policy) -> Self {
        let source = Source::held_at(NOW);
        let retour = Retour::new(database.store.clone(), source.clone());
        let currency = Currency::from_code(currency).unwrap();
        let new = NewAccount {
            slug: slug.to_owned(),
            name: "Fjord & Fern".to_owned(),
            currency,
            time_zone: domain::TimeZone::UTC,
            policy,
            branding: Branding::default(),
            api_origins: Vec::new(),
        };
        let account = retour.operator().create_account(new).await.unwrap();
        let key = retour.operator().create_service_user(account.id, "ERP", &[Scope::Admin]).await.unwrap();
        let staff = retour.caller(&key).await.unwrap().as_staff(Scope::Admin).unwrap();
        Self { retour, source, account, staff }
    }

    /// An order with one line for each pair of units and total.
    pub fn order(&self, number: &str, lines: &[(u32, i64)]) -> NewOrder {
        let line = |(position, &(quantity, total)): (u32, &(u32, i64))| NewPurchase {
            external_id: format!("{number}/{position}"),
            position,
            product: Product { name: format!("Mug {position}"), exchange_options: vec![other()], ..Product::default() },
            quantity,
            fulfilled: quantity,
            shop_refunded: 0,
            total,
            tax: total / 6,
            duties: 0,
            discount: total / 10,
            final_sale: false,
            requires_shipping: true,
            removed: 0,
            obstacle: None,
            fulfilled_at: Some(NOW),
            delivered_at: None,
        };
        NewOrder {
            external_id: number.to_owned(),
            number: format!("#{number}"),
            email: EMAIL.to_owned(),
            address: Address { name: "Ada Lovelace".to_owned(), country: "GB".to_owned(), ..Address::default() },
            currency: self.account.currency,
            ordered_at: NOW,
            shipping_paid: 0,
            sums: domain::order::OrderSums::default(),
            is_partial: false,
            review: None,
            billing_postal_code: String::new(),
            tags: Vec::new(),
            lines: (1..).zip(lines).map(line).collect(),
        }
    }

    pub async fn import(&self, orders: Vec<NewOrder>) -> u64 {
        let parsed = orders.into_iter().map(|order| Ok::<_, ImportError>(Parsed::from(order)));
        let report = self.retour.operator().import(self.account.id, parsed).await.unwrap();
        assert_eq!((report.skipped, report.refused, report.stopped), (Vec::new(), Vec::new(), None));
        report.changed
    }

    /// Imports an order and returns its customer, who has proved it.
    pub async fn sell(&self, number: &str, lines: &[(u32, i64)]) -> Customer {
        self.import(vec![self.order(number, lines)]).await;
        self.customer(number).await
    }

    pub async fn customer(&self, number: &str) -> Customer {
        let proof = Proof::Email(EMAIL.to_owned());
        let shopper = self.retour.identify(&self.account, number, proof, HERE).await.unwrap().shopper;
        Customer { retour: self.retour.clone(), shopper }
    }
}

/// A customer who has proved an order.
#[derive(Clone)]
pub struct Customer {
    pub retour: Retour,
    pub shopper: Shopper,
}

impl Customer {
    pub async fn purchases(&self) -> Vec<view::PurchaseView> {
        let (mut all, mut page) = (Vec::new(), ALL);
        loop {
            let list = self.retour.consumer(&self.shopper).purchases(page, None).await.unwrap();
            all.extend(list.data);
            let Some(next) = list.next_page else { return all };
            page = Page::at(Some(next), page.limit);
        }
    }

    /// Selects units of purchases, which are named by their index in the list.
    pub async fn choose(&self, units: &[(usize, u32)]) -> Vec<Selection> {
        let purchases = self.purchases().await;
        let chosen = units.iter().map(|&(place, units)| select(&purchases[place], units));
        chosen.collect()
    }

    pub async fn try_draft(
        &self,
        selections: Vec<Selection>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>, Error> {
        let offered = self.purchases().await[0].shipping_options[0].id;
        self.retour.consumer(&self.shopper).draft(selections, Some(offered), key).await
    }

    /// Makes a draft of units of purchases, which are named by their index in the list.
    pub async fn draft(&self, units: &[(usize, u32)]) -> DraftReturnOrderId {
        fresh(self.try_draft(self.choose(units).await, None).await.unwrap(), 201).id
    }

    pub async fn submit(&self, draft: DraftReturnOrderId) -> Result<Done<view::ReturnOrderView>, Error> {
        self.retour.consumer(&self.shopper).submit(draft, returning::ReturnSource::Portal, None).await
    }

    /// Drafts and submits.
    pub async fn send_back(&self, units: &[(usize, u32)]) -> view::ReturnOrderView {
        fresh(self.submit(self.draft(units).await).await.unwrap(), 201)
    }

    pub async fn cancel(&self, order: ReturnOrderId) -> Result<Done<view::ReturnOrderView>, Error> {
        self.retour.consumer(&self.shopper).cancel(order, None).await
    }

    /// The customer's return orders with their requests, newest first.
    pub async fn return_orders(&self) -> Vec<view::ReturnOrderView> {
        let (mut all, mut page) = (Vec::new(), ALL);
        loop {
            let list =
                self.retour.consumer(&self.shopper).return_orders(page, &[Expand::ReturnRequests]).await.unwrap();
            all.extend(list.data);
            let Some(next) = list.next_page else { return all };
            page = Page::at(Some(next), page.limit);
        }
    }
}

/// An exchange option that every product has.
fn other() -> ExchangeOption {
    ExchangeOption { sku: "MUG-OTHER".to_owned(), name: "Another one".to_owned() }
}

pub fn select(purchase: &view::PurchaseView, units: u32) -> Selection {
    Selection {
        purchase_id: purchase.id,
        quantity: i64::from(units),
        return_reason_id: Some(purchase.return_reasons[0].id),
        comment: "Too small".to_owned(),
        answers: Vec::new(),
        resolution: Resolution::Refund,
        exchange_for: None,
    }
}

/// A return that staff make for a customer, without overrides.
pub fn for_consumer(
    shopper: &Shopper,
    selections: Vec<Selection>,
    shipping_option: Option<ShippingOptionId>,
) -> ReturnForConsumer {
    ReturnForConsumer { consumer: shopper.consumer, selections, shipping_option, overrides: Vec::new() }
}

/// The value of a fresh answer with this status; panics otherwise.
#[track_caller]
pub fn fresh<T: std::fmt::Debug>(done: Done<T>, expected: u16) -> T {
    match done {
        Done::Fresh { status, value } if status == expected => value,
        other => panic!("expected a new answer {expected}: {other:?}"),
    }
}

/// The error code of a failure.
#[track_caller]
pub fn refusal<T: std::fmt::Debug>(outcome: Result<T, Error>) -> returns::ErrorCode {
    outcome.unwrap_err().code()
}

/// Units in returns over all purchases, and how many of them cost an extra minor unit.
pub async fn taken(database: &Database) -> (i64, i64) {
    let units = database.number("SELECT CAST(COALESCE(SUM(taken), 0) AS BIGINT) FROM purchases").await;
    let dear = database.number("SELECT CAST(COALESCE(SUM(taken_dear), 0) AS BIGINT) FROM purchases").await;
    (units, dear)
}

/// Parses a JSON body into the use case's input.
pub fn sent<T: serde::de::DeserializeOwned>(body: serde_json::Value) -> T {
    serde_json::from_value(body).unwrap()
}

/// The fields that a failure names.
#[track_caller]
pub fn fields<T: std::fmt::Debug>(outcome: Result<T, Error>) -> Vec<String> {
    match outcome {
        Err(Error::Invalid(errors)) => errors.into_iter().map(|error| error.field).collect(),
        other => panic!("expected bad fields: {other:?}"),
    }
}
