//! The operator creates and changes accounts.

use super::{
    defaults::{REASONS, RETURN_LABEL, RETURN_LABEL_TEXT, Text, translated},
    handle::OperatorHandle,
};
use crate::{
    base::{
        Done, Error, Result, Retour, Staff, audit, detached, error::check, patch_field::PatchField,
        server_paths::SERVER_PATHS,
    },
    merchant::settings::account::{AccountChange, problems_of},
    view,
};
use domain::{
    AccountId, Currency, Money, RefusalCode, ReturnReasonId, ShippingOptionId, TimeZone,
    account::{Account, DESK_SLUG},
    audit::AuditAction,
    base::origin,
    branding::Branding,
    integration::{Bridge, Carrier},
    money::Prices,
    payment::PaymentProvider,
    policy::{
        Policy,
        reason::{EvidenceRule, ReasonRules, ReturnReason},
    },
    shipping::{ShippingMethod, ShippingOption},
};
use store::{Writing, accounts};

/// An account to create.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// 1 to 40 lower-case letters, digits and hyphens.
    pub slug: String,
    /// The name that shoppers read.
    pub name: String,
    /// The currency of its fees.
    pub currency: Currency,
    /// The time zone in which its rules count days.
    pub time_zone: TimeZone,
    /// Its rules.
    pub policy: Policy,
    /// Its logo, colors and texts.
    pub branding: Branding,
    /// Origins of the websites whose scripts may call its consumer operations.
    pub api_origins: Vec<String>,
}

/// Changes to an account. `None` keeps the current value.
#[derive(Debug, Clone, Default)]
pub struct AccountUpdate {
    /// The name that shoppers read.
    pub name: Option<String>,
    /// The time zone in which its rules count days: a name of the IANA time zone database.
    pub time_zone: Option<String>,
    /// All of its rules.
    pub policy: Option<Policy>,
    /// The host name of its own for its portal. An empty string removes it.
    pub domain: Option<String>,
    /// Origins of the websites whose scripts may call its consumer operations. Replaces the whole list.
    pub api_origins: Option<Vec<String>>,
    /// Whether it is a test account. A change is refused once the account has returns.
    pub test: Option<bool>,
}

/// Slugs that are kept free for paths of the server's own, besides [`SERVER_PATHS`].
const RESERVED_SLUGS: [&str; 3] = ["static", "assets", DESK_SLUG];

impl OperatorHandle<'_> {
    /// Creates an account that can be used at once: it has the default reasons and a free label.
    pub async fn create_account(self, new: NewAccount) -> Result<Account> {
        let label = self.free_label(new.currency)?;
        self.retour.create_account_with(new, vec![label], false).await
    }

    /// Creates a test account with a simulated carrier.
    pub async fn create_test_account(self, new: NewAccount) -> Result<Account> {
        let label = self.free_label(new.currency)?;
        self.retour.create_account_with(new, vec![label], true).await
    }

    fn free_label(self, currency: Currency) -> Result<ShippingOption> {
        let price = Money::new(0, currency);
        self.retour.option(ShippingMethod::Label, &RETURN_LABEL, &RETURN_LABEL_TEXT, price)
    }

    /// All accounts, sorted by slug.
    pub async fn accounts(self) -> Result<Vec<view::Account>> {
        let mut reading = self.retour.store.read().await?;
        let (all, now) = (store::accounts::list(reading.db()).await?, self.retour.now());
        Ok(all.into_iter().map(|kept| view::Account::new(kept, now)).collect())
    }
}

impl Retour {
    /// Creates an account with these shipping options and the default reasons.
    pub(crate) async fn create_account_with(
        &self,
        new: NewAccount,
        options: Vec<ShippingOption>,
        is_test: bool,
    ) -> Result<Account> {
        check_slug(&new.slug)?;
        let mut problems = problems_of(&new.name, &new.policy, &new.branding);
        self.check_wording(&Branding::default(), &new.branding, &mut problems);
        origin::check(&mut problems, "apiOrigins", &new.api_origins);
        check(problems)?;
        let retour = self.clone();
        detached(async move {
            let NewAccount { slug, name, currency, time_zone, policy, branding, api_origins } = new;
            let account = Account {
                id: AccountId(retour.source.id()),
                slug,
                name,
                currency,
                time_zone,
                policy,
                branding,
                bridge: Bridge::Catalog,
                carrier: if is_test { Carrier::Simulated } else { Carrier::default() },
                payment: PaymentProvider::default(),
                domain: None,
                api_origins,
                settings_version: 0,
                is_test,
            };
            let mut writing = retour.store.write().await?;
            if !store::accounts::insert(writing.db(), &account, retour.now()).await? {
                return Err(Error::invalid(
                    "slug",
                    RefusalCode::NotAllowed,
                    "an account with this slug already exists",
                ));
            }
            for (position, option) in (1..).zip(&options) {
                let option = ShippingOption { position, ..option.clone() };
                store::shipping_options::insert(writing.db(), account.id, &option, retour.now()).await?;
            }
            retour.add_default_reasons(&mut writing, account.id).await?;
            let (operator, now) = (Staff::operator(account.id), retour.now());
            audit::record(&mut writing, &operator, now, AuditAction::AccountCreated, account.id, None, None);
            writing.commit().await?;
            if !account.api_origins.is_empty() {
                retour.api_origins.forget().await;
            }
            Ok(account)
        })
        .await
    }
}

impl OperatorHandle<'_> {
    /// Changes the settings of an account that the operator controls.
    pub async fn update_account(self, account: AccountId, update: AccountUpdate) -> Result<Done<view::Account>> {
        let AccountUpdate { name, time_zone, policy, domain, api_origins, test } = update;
        let change = AccountChange {
            name: PatchField(name),
            time_zone: PatchField(time_zone),
            policy: PatchField(policy.map(Into::into)),
            test: PatchField(test),
            domain: PatchField(domain.map(|host| Some(host).filter(|host| !host.is_empty()))),
            api_origins: PatchField(api_origins),
            ..AccountChange::default()
        };
        self.retour.change_account_of(Staff::operator(account), change, None, None).await
    }
}

impl Retour {
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
            let rules = ReasonRules { fault, evidence: EvidenceRule::None, ..ReasonRules::default() };
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

fn check_slug(slug: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let well_formed = (1..=40).contains(&slug.len()) && slug.bytes().all(allowed) && !slug.starts_with('-');
    // Wherever a slug is accepted, an account's id is accepted too, so no slug may look like an id.
    let is_reserved = SERVER_PATHS.contains(&slug) || RESERVED_SLUGS.contains(&slug);
    if well_formed && slug.parse::<AccountId>().is_err() && !is_reserved {
        return Ok(());
    }
    let message =
        "expected 1 to 40 lower-case letters, digits and hyphens, and neither an id nor a path of the service";
    Err(Error::invalid("slug", RefusalCode::NotAllowed, message))
}

impl OperatorHandle<'_> {
    /// The slugs of the accounts whose payment provider is simulated and moves no money.
    pub async fn accounts_that_simulate_payments(self) -> Result<Vec<String>> {
        let mut reading = self.retour.store.read().await?;
        Ok(accounts::list_simulating(reading.db()).await?)
    }
}
