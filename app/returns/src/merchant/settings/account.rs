//! The account itself: its name, rules and branding.

use super::{
    bridge_input::BridgeInput, carrier_input::CarrierInput, common::check_version, payment_input::PaymentInput,
    printable::unprintable_lines,
};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, conclude, detached,
        error::check, patch_field::PatchField,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    Locale, Percent, Problems, Refusal, RefusalCode, TimeZone,
    account::Account,
    address::Address,
    audit::AuditAction,
    base::{host::HostName, origin},
    branding::{Branding, Corners, Font, Link, StepTexts},
    integration::{BridgeKind, Carrier, CarrierKind},
    money::Prices,
    payment::PaymentKind,
    policy::{
        FeeCollection, LookUpBy, Policy, QueueTargets, Resolution, ResolveOn, Resolver, SecondFactorRule, WindowStart,
    },
    wording::Wording,
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{Db, Writing, accounts, return_orders, settings::Kept};

const MAX_NAME_CHARS: usize = 100;

/// Changes to an account. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AccountChange {
    /// The host name of its own for the portal. Only the operator sets it, since nobody has to prove that they own a
    /// host: a merchant who set another merchant's host would receive the input of that merchant's shoppers.
    #[serde(skip)]
    #[schemars(skip)]
    pub(crate) domain: PatchField<Option<String>>,
    /// Whether it is a test account. Only the operator sets this, because labels of a test account are not valid.
    #[serde(skip)]
    #[schemars(skip)]
    pub(crate) test: PatchField<bool>,
    /// The name that shoppers read: 1 to 100 characters.
    #[schemars(length(min = 1, max = 100))]
    pub name: PatchField<String>,
    /// The time zone in which its rules count days: a name of the IANA time zone database, such as `Europe/Berlin`.
    #[schemars(length(max = 64))]
    pub time_zone: PatchField<String>,
    /// Origins of the websites whose scripts may call the consumer operations, such as `https://shop.example`. Replaces
    /// the whole list.
    #[schemars(length(max = 20))]
    pub api_origins: PatchField<Vec<String>>,
    /// The rules to change; the others stay.
    #[schemars(with = "Policy")]
    pub policy: PatchField<PolicyChange>,
    /// The parts of the branding to change; the others stay.
    #[schemars(with = "Branding")]
    pub branding: PatchField<BrandingChange>,
    /// The shop that orders come from. Replaces the whole setting.
    pub bridge: PatchField<BridgeInput>,
    /// The carrier that creates labels. Replaces the whole setting.
    pub carrier: PatchField<CarrierInput>,
    /// The provider that takes payments. Replaces the whole setting.
    pub payment: PatchField<PaymentInput>,
}

/// Defines a type with the same fields as another one, all of them optional.
macro_rules! changes {
    ($($(#[$doc:meta])* $change:ident of $whole:ident { $($field:ident: $type:ty,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct $change {
            $($field: PatchField<$type>,)+
        }

        impl $change {
            pub(crate) fn put_into(&self, whole: &mut $whole) {
                $(self.$field.put_into(&mut whole.$field);)+
            }
        }

        impl From<$whole> for $change {
            fn from($whole { $($field),+ }: $whole) -> Self {
                Self { $($field: PatchField(Some($field)),)+ }
            }
        }
    )+};
}

changes! {
    /// The rules to change.
    PolicyChange of Policy {
        return_window_days: Option<u32>,
        window_starts_on: WindowStart,
        grace_days: u32,
        final_sale: Vec<String>,
        return_without_shipping: bool,
        resolutions: Vec<Resolution>,
        auto_approve: bool,
        resolve_on: ResolveOn,
        auto_resolve: bool,
        resolver: Resolver,
        look_up_by: Vec<LookUpBy>,
        gift_returns: bool,
        fee_collection: FeeCollection,
        request_fee: Prices,
        store_credit_bonus_percent: Percent,
        keep_item_below: Prices,
        label_expires_days: u32,
        evidence_days: u32,
        payment_hours: u32,
        refund_days: Option<u32>,
        review_days: Option<u32>,
        transit_days: Option<u32>,
        return_address: Option<Address>,
        gs1_company_prefix: String,
        default_weight: u32,
        mail: bool,
        agent_limit: Prices,
        withdrawal_function: bool,
        require_second_factor: SecondFactorRule,
        queue_targets: QueueTargets,
    }
    /// The parts of the branding to change.
    BrandingChange of Branding {
        color: Option<String>,
        logo_url: Option<String>,
        logo_dark_url: Option<String>,
        font: Font,
        corners: Corners,
        texts: StepTexts,
        wording: Wording,
        shop_url: Option<String>,
        links: Vec<Link>,
        terms_url: Option<String>,
        reply_to: Option<String>,
        contact_email: Option<String>,
        contact_url: Option<String>,
        contact_phone: Option<String>,
        locale: Locale,
        embed_origins: Vec<String>,
    }
}

impl AccountChange {
    fn put_into(&self, account: &mut Account) {
        self.name.put_into(&mut account.name);
        self.api_origins.put_into(&mut account.api_origins);
        if let Some(policy) = &self.policy.0 {
            policy.put_into(&mut account.policy);
        }
        if let Some(branding) = &self.branding.0 {
            branding.put_into(&mut account.branding);
        }
    }
}

/// The problems of an account's settings, by field.
pub(crate) fn problems_of(name: &str, policy: &Policy, branding: &Branding) -> Problems {
    let mut problems = Problems::default();
    problems.check_text("name", name, 1..=MAX_NAME_CHARS);
    problems.add_parts("policy", policy.check());
    if let Some(address) = &policy.return_address {
        problems.add_parts("policy.returnAddress", unprintable_lines(address));
    }
    if let Err(error) = outbound::labels::Sscc::new(&policy.gs1_company_prefix, 0, 1) {
        problems.add("policy.gs1CompanyPrefix", RefusalCode::NotAllowed, error.to_string());
    }
    problems.add_parts("branding", branding.check());
    problems
}

fn domain_of(text: Option<&str>) -> Result<Option<HostName>> {
    let Some(text) = text else { return Ok(None) };
    let domain = HostName::parse(text).filter(|domain| domain.as_str().eq_ignore_ascii_case(text));
    let refused = || {
        let Refusal { code, message } = HostName::refusal();
        Error::invalid("domain", code, message)
    };
    domain.map(Some).ok_or_else(refused)
}

fn time_zone_of(name: &str) -> Result<TimeZone> {
    let refused = || {
        let Refusal { code, message } = TimeZone::refusal();
        Error::invalid("timeZone", code, message)
    };
    TimeZone::from_name(name).ok_or_else(refused)
}

fn check_carrier(account: &Account, problems: &mut Problems) {
    if account.carrier == Carrier::Simulated && !account.is_test {
        let message = "expected own, bridge or karrio: simulated is for test accounts";
        problems.add("carrier.kind", RefusalCode::NotAllowed, message);
    }
    if account.carrier == Carrier::Simulated && moves_money(account) {
        let message = "expected own: simulated parcels arrive although nobody sends them, and the shop or the payment \
                       provider of this account would refund their items";
        problems.add("carrier.kind", RefusalCode::NotAllowed, message);
    }
    if account.carrier.kind() == CarrierKind::Bridge && account.bridge.kind() != BridgeKind::Http {
        let message = "expected own or karrio, because only a bridge of the kind http makes labels";
        problems.add("carrier.kind", RefusalCode::NotAllowed, message);
    }
}

/// Records a change of the settings. Secrets are recorded as changed, and not shown.
fn record_settings(
    writing: &mut Writing,
    staff: &Staff,
    (before, shown_before): (&Account, &view::Account),
    kept: &Kept<Account>,
) -> Result<()> {
    let (was, mut now) = audit::changed_fields(shown_before, &view::Account::new(kept.clone(), kept.updated_at))?;
    let connections = [
        ("bridge", before.bridge != kept.value.bridge),
        ("carrier", before.carrier != kept.value.carrier),
        ("payment", before.payment != kept.value.payment),
    ];
    for (name, _) in connections.into_iter().filter(|(_, is_changed)| *is_changed) {
        if now.get(name).is_none() {
            let mut fields = now.as_object().cloned().unwrap_or_default();
            fields.insert(name.to_owned(), audit::SECRET_CHANGED.into());
            now = fields.into();
        }
    }
    let (at, account) = (kept.updated_at, staff.account());
    audit::record(writing, staff, at, AuditAction::AccountUpdated, account, Some(was), Some(now));
    Ok(())
}

/// Whether a refund of this account is carried out by another system.
fn moves_money(account: &Account) -> bool {
    let is_paid = !matches!(account.payment.kind(), PaymentKind::None | PaymentKind::Simulated);
    account.bridge.kind() != BridgeKind::Catalog || is_paid
}

impl MerchantHandle<'_> {
    /// The account's settings.
    pub async fn account_settings(self) -> Result<view::Account> {
        let mut reading = self.retour.store.read().await?;
        let kept = accounts::find_kept(reading.db(), self.staff.account()).await?.ok_or(Error::NotFound)?;
        Ok(view::Account::new(kept, self.retour.now()))
    }

    /// Changes name, time zone, rules, branding, API origins, shop, carrier and payment provider, field by field.
    /// `version`: the version that the caller has seen.
    pub async fn change_account(
        self,
        change: AccountChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Account>> {
        self.retour.change_account_of(self.staff, change, version, key).await
    }
}

impl Retour {
    pub(crate) async fn change_account_of(
        &self,
        staff: Staff,
        change: AccountChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Account>> {
        let retour = self.clone();
        detached(async move {
            again_on_deadlock(|| retour.change_account_once(staff, &change, version, key.as_ref())).await
        })
        .await
    }

    /// A host shows one portal. Retour's own host shows all of them, so it is not available.
    async fn check_domain(&self, db: Db<'_>, before: &Account, now: &Account, problems: &mut Problems) -> Result<()> {
        let Some(domain) = now.domain.as_ref().filter(|_| now.domain != before.domain) else { return Ok(()) };
        let is_ours = self.own_host().is_some_and(|host| host.eq_ignore_ascii_case(domain.as_str()));
        if is_ours || accounts::find_slug_by_domain(db, domain).await?.is_some() {
            let message = "expected a host that is not in use: this one is taken";
            problems.add("domain", RefusalCode::NotAllowed, message);
        }
        Ok(())
    }

    /// The returns of an account are either all tests or all real, so the mark can change only before the first one.
    async fn mark_as_test(db: Db<'_>, account: &mut Account, is_test: bool) -> Result<()> {
        if account.is_test == is_test {
            return Ok(());
        }
        if return_orders::has_any(db, account.id).await? {
            let message = "expected no change: the account has returns. Create another account";
            return Err(Error::invalid("test", RefusalCode::NotAllowed, message));
        }
        account.is_test = is_test;
        account.carrier = match account.carrier.clone() {
            Carrier::Own if is_test && !moves_money(account) => Carrier::Simulated,
            Carrier::Simulated if !is_test => Carrier::Own,
            carrier => carrier,
        };
        Ok(())
    }

    fn check_payment(&self, account: &Account, problems: &mut Problems) {
        if account.payment.kind() == PaymentKind::Simulated && !self.config.simulates_payments {
            let message = "expected none: simulated payments move no money, and this installation has a public address. \
                           `retour serve --simulated-payments` allows them nevertheless";
            problems.add("payment.kind", RefusalCode::NotAllowed, message);
        }
    }

    async fn change_account_once(
        &self,
        staff: Staff,
        change: &AccountChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Account>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        if change.test.0.is_some() {
            accounts::hold_mark(writing.db(), account).await?;
        }
        accounts::hold(writing.db(), account).await?;
        let mut kept = accounts::find_kept(writing.db(), account).await?.ok_or(Error::NotFound)?;
        check_version(version, kept.version)?;
        let (now, before) = (self.now(), kept.value.clone());
        let shown_before = view::Account::new(kept.clone(), now);
        change.put_into(&mut kept.value);
        if let Some(domain) = &change.domain.0 {
            kept.value.domain = domain_of(domain.as_deref())?;
        }
        if let Some(name) = &change.time_zone.0 {
            kept.value.time_zone = time_zone_of(name)?;
        }
        if let Some(bridge) = &change.bridge.0 {
            kept.value.bridge = self.bridge_of(account, bridge, &before.bridge)?;
        }
        if let Some(is_test) = change.test.0 {
            Self::mark_as_test(writing.db(), &mut kept.value, is_test).await?;
        }
        if let Some(carrier) = &change.carrier.0 {
            kept.value.carrier = self.carrier_of(account, carrier, &before.carrier)?;
        }
        if let Some(payment) = &change.payment.0 {
            kept.value.payment = self.payment_provider_of(account, payment, &before.payment)?;
        }
        if kept.value != before {
            let mut problems = problems_of(&kept.value.name, &kept.value.policy, &kept.value.branding);
            self.check_wording(&before.branding, &kept.value.branding, &mut problems);
            origin::check(&mut problems, "apiOrigins", &kept.value.api_origins);
            check_carrier(&kept.value, &mut problems);
            self.check_payment(&kept.value, &mut problems);
            self.check_domain(writing.db(), &before, &kept.value, &mut problems).await?;
            check(problems)?;
            kept.updated_at = now;
            kept.version += 1;
            accounts::update(writing.db(), &kept.value, kept.updated_at).await?;
            self.forget_health(&mut writing, account, &before, &kept.value).await?;
            self.follow_changes(&mut writing, &before, &kept.value).await?;
            record_settings(&mut writing, &staff, (&before, &shown_before), &kept)?;
        }
        let changes_origins = kept.value.api_origins != before.api_origins;
        let done = conclude(writing, account, key, 200, view::Account::new(kept, now)).await?;
        if changes_origins {
            self.api_origins.forget().await;
        }
        Ok(done)
    }
}
