//! What whoever runs the service can do: make accounts and keys, take orders in.

use crate::{
    AccountChange, Done, Error, Given, Result, Retour, again_on_deadlock,
    consumer::can_be_sent,
    detached,
    error::check,
    import::{ImportError, Parsed},
    merchant::problems_of,
    usual::{REASONS, RETURN_LABEL, RETURN_LABEL_TEXT, Text, translated},
    view,
};
use domain::{
    AccountId, Currency, Money, OrderId, PurchaseId, RefusalCode, ReturnReasonId, ShippingOptionId, TimeZone,
    branding::Branding,
    bridge::Bridge,
    carrier::Carrier,
    money::Prices,
    order::{Account, NewOrder},
    payment::PaymentProvider,
    policy::Policy,
    reason::{Evidence, ReasonRules, ReturnReason},
    shipping::{ShippingMethod, ShippingOption},
};
use std::collections::HashSet;
use store::{
    Writing, erasures,
    import::{Incoming, Refused, Teller},
    known_lines,
};

/// An account to be made.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// 1 to 40 lower-case letters, digits and hyphens.
    pub slug: String,
    /// What shoppers call it.
    pub name: String,
    /// What its fees are in.
    pub currency: Currency,
    /// Whose days the days of its rules are.
    pub time_zone: TimeZone,
    /// Its rules.
    pub policy: Policy,
    /// Its looks.
    pub branding: Branding,
}

/// What of an account changes; the rest stays.
#[derive(Debug, Clone, Default)]
pub struct AccountUpdate {
    /// What shoppers call it.
    pub name: Option<String>,
    /// Whose days the days of its rules are: a name of the IANA time zone database.
    pub time_zone: Option<String>,
    /// Its rules as a whole.
    pub policy: Option<Policy>,
    /// The host of its own at which its portal is; an empty one: none.
    pub domain: Option<String>,
}

/// Lines written in one transaction: enough to spare the disk, few enough to let others write between.
const LINES_A_TRANSACTION: usize = 10_000;

/// Words that are paths of ours, so that no shop can stand in their place.
const RESERVED_SLUGS: [&str; 9] = ["api", "auth", "consumer", "health", "metrics", "pkg", "demo", "static", "assets"];

/// What an import did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// Orders read.
    pub orders: u64,
    /// Lines read.
    pub lines: u64,
    /// Lines that were new or changed.
    pub changed: u64,
    /// Orders that nobody can send back yet: no way of sending has a price in their currency.
    pub without_shipping_option: u64,
    /// Lines that were left out: their number in the file, and why.
    pub skipped: Vec<(u64, String)>,
    /// Orders that were left out, by their number, and why.
    pub refused: Vec<(String, Refused)>,
    /// Why the rest of the file could not be read, if so.
    pub stopped: Option<String>,
}

impl Retour {
    /// Makes an account that works at once: with the usual reasons and a free label.
    pub async fn create_account(&self, new: NewAccount) -> Result<Account> {
        let label =
            self.option(ShippingMethod::Label, &RETURN_LABEL, &RETURN_LABEL_TEXT, Money::new(0, new.currency))?;
        self.create_account_with(new, vec![label]).await
    }

    /// Makes an account with these ways of sending and the usual reasons.
    pub(crate) async fn create_account_with(&self, new: NewAccount, options: Vec<ShippingOption>) -> Result<Account> {
        check_slug(&new.slug)?;
        check(problems_of(&new.name, &new.policy, &new.branding))?;
        let retour = self.clone();
        detached(async move {
            let NewAccount { slug, name, currency, time_zone, policy, branding } = new;
            let account = Account {
                id: AccountId(retour.source.id()),
                slug,
                name,
                currency,
                time_zone,
                policy,
                branding,
                bridge: Bridge::Catalog,
                carrier: Carrier::default(),
                payment: PaymentProvider::default(),
                domain: None,
            };
            let mut writing = retour.store.write().await?;
            if !store::accounts::insert(writing.db(), &account, retour.now()).await? {
                return Err(Error::invalid(
                    "slug",
                    RefusalCode::NotAllowed,
                    "there is an account of that slug already",
                ));
            }
            for (position, option) in (1..).zip(&options) {
                let option = ShippingOption { position, ..option.clone() };
                store::shipping_options::insert(writing.db(), account.id, &option, retour.now()).await?;
            }
            retour.add_default_reasons(&mut writing, account.id).await?;
            writing.commit().await?;
            Ok(account)
        })
        .await
    }

    /// Changes what the operator says of an account.
    pub async fn update_account(&self, account: AccountId, update: AccountUpdate) -> Result<Done<view::Account>> {
        let AccountUpdate { name, time_zone, policy, domain } = update;
        let change = AccountChange {
            name: Given(name),
            time_zone: Given(time_zone),
            policy: Given(policy.map(Into::into)),
            domain: Given(domain.map(|host| Some(host).filter(|host| !host.is_empty()))),
            ..AccountChange::default()
        };
        self.change_account_of(account, change, None, None).await
    }

    /// Takes orders in. What is known already is brought up to date; a repeated import changes nothing twice.
    pub async fn import(
        &self,
        account: AccountId,
        file: impl Iterator<Item = Result<Parsed, ImportError>> + Send,
    ) -> Result<ImportReport> {
        let mut report = ImportReport::default();
        let mut batch = Batch::default();
        let options = self.offered_options(account).await?;
        for parsed in file {
            match parsed {
                Err(error) => report.stopped = Some(error.to_string()),
                Ok(Parsed::Skipped { line, reason }) => report.skipped.push((line, reason)),
                Ok(Parsed::Order(order)) => {
                    report.orders += 1;
                    report.without_shipping_option += u64::from(!can_be_sent(&options, order.currency));
                    report.lines += order.lines.len() as u64;
                    // One statement cannot change a row twice: what comes again goes into the next one.
                    if batch.line_ids.len() >= LINES_A_TRANSACTION || batch.knows(&order) {
                        self.write_batch(account, std::mem::take(&mut batch), &mut report).await?;
                    }
                    batch.add(self, order);
                }
            }
        }
        self.write_batch(account, batch, &mut report).await?;
        Ok(report)
    }

    /// The ways of sending that an account offers: [`can_be_sent`] tells whether an order has one.
    pub(crate) async fn offered_options(&self, account: AccountId) -> Result<Vec<ShippingOption>> {
        let mut reading = self.store.read().await?;
        Ok(store::shipping_options::list_offered(reading.db(), account).await?)
    }

    async fn write_batch(&self, account: AccountId, mut batch: Batch, report: &mut ImportReport) -> Result<()> {
        let store = self.store.clone();
        let (batch, upserted) = detached(async move {
            loop {
                let mut reading = store.read().await?;
                let state = erasures::state(reading.db(), account).await?;
                let orders = batch.orders.iter_mut().map(|incoming| &mut incoming.order);
                Self::forget_erased(reading.db(), account, orders).await?;
                drop(reading);
                let upserted = again_on_deadlock(|| async {
                    let mut writing = store.write().await?;
                    store::accounts::hold(writing.db(), account).await?;
                    if erasures::state(writing.db(), account).await? != state {
                        return Ok(None); // somebody was forgotten meanwhile
                    }
                    known_lines::hold(writing.db(), account, batch.orders.iter().map(|incoming| &incoming.order))
                        .await?;
                    let upserted = store::import::upsert(writing.db(), account, Teller::HERE, &batch.orders).await?;
                    writing.commit().await?;
                    Ok(Some(upserted))
                })
                .await?;
                if let Some(upserted) = upserted {
                    return Ok((batch, upserted));
                }
            }
        })
        .await?;
        report.changed += upserted.changed;
        let number = |index: usize| batch.orders.get(index).map(|incoming| incoming.order.number.clone());
        report.refused.extend(upserted.refused.into_iter().filter_map(|(index, why)| Some((number(index)?, why))));
        Ok(())
    }

    pub(crate) fn option(
        &self,
        method: ShippingMethod,
        name: &Text,
        description: &Text,
        price: Money,
    ) -> Result<ShippingOption> {
        Ok(ShippingOption {
            id: ShippingOptionId(self.source.id()),
            name: translated(name),
            description: translated(description),
            method,
            prices: Prices::new([price])?,
            weight_prices: Vec::new(),
            max_weight: None,
            free_from: Prices::default(),
            countries: Vec::new(),
            position: 0,
            return_location_id: None,
            carrier_service: String::new(),
        })
    }

    async fn add_default_reasons(&self, writing: &mut Writing, account: AccountId) -> Result<()> {
        for (position, (text, fault)) in (1..).zip(REASONS) {
            let rules = ReasonRules { fault, evidence: Evidence::None, ..ReasonRules::default() };
            let reason = ReturnReason {
                id: ReturnReasonId(self.source.id()),
                parent_id: None,
                description: translated(&text),
                position,
                rules,
            };
            store::return_reasons::insert(writing.db(), account, &reason, self.now()).await?;
        }
        Ok(())
    }
}

#[derive(Default)]
pub(crate) struct Batch {
    pub orders: Vec<Incoming>,
    order_ids: HashSet<String>,
    line_ids: HashSet<String>,
}

impl Batch {
    fn knows(&self, order: &NewOrder) -> bool {
        self.order_ids.contains(&order.external_id)
            || order.lines.iter().any(|line| self.line_ids.contains(&line.external_id))
    }

    pub fn add(&mut self, retour: &Retour, order: NewOrder) {
        self.order_ids.insert(order.external_id.clone());
        self.line_ids.extend(order.lines.iter().map(|line| line.external_id.clone()));
        let line_ids = order.lines.iter().map(|_| PurchaseId(retour.source.id())).collect();
        self.orders.push(Incoming { id: OrderId(retour.source.id()), line_ids, order });
    }
}

fn check_slug(slug: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let well_formed = (1..=40).contains(&slug.len()) && slug.bytes().all(allowed) && !slug.starts_with('-');
    // Where a slug is taken, an account's id is taken too.
    if well_formed && slug.parse::<AccountId>().is_err() && !RESERVED_SLUGS.contains(&slug) {
        return Ok(());
    }
    let message = "expected 1 to 40 lower-case letters, digits and hyphens, no id and no path of the service's own";
    Err(Error::invalid("slug", RefusalCode::NotAllowed, message))
}
