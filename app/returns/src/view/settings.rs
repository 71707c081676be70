//! A merchant's settings, as the merchant sees them.

use domain::{
    AccountId, Currency, Percent, ReturnLocationId, ReturnReasonId, ShippingOptionId, TimeZone, Timestamp, Translated,
    branding::Branding,
    bridge::BridgeKind,
    carrier::CarrierKind,
    host::Domain,
    money::Prices,
    order,
    payment::PaymentKind,
    policy::{Address, Policy, Resolution},
    question::Question,
    reason::{self, Evidence, Fault},
    shipping::{self, ShippingMethod, WeightPrice},
};
use schemars::JsonSchema;
use serde::Serialize;
use store::settings::Kept;

/// A merchant's account.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Identifier.
    pub id: AccountId,
    /// The name in addresses.
    pub slug: String,
    /// The host of its own at which its portal is shown.
    pub domain: Option<Domain>,
    /// What shoppers call it.
    pub name: String,
    /// What its fees are in where no order says otherwise.
    pub currency: Currency,
    /// The time zone whose days the days of its rules are.
    pub time_zone: TimeZone,
    /// Its rules.
    pub policy: Policy,
    /// Its looks.
    pub branding: Branding,
    /// Its shop.
    pub bridge: Bridge,
    /// Who makes its labels.
    pub carrier: CarrierSettings,
    /// Who takes its payments.
    pub payment: PaymentSettings,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// Looks that are tried before they are live.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Where they can be seen, by whoever has this address.
    pub url: String,
    /// Until when.
    pub expires_at: Timestamp,
    /// All of the looks that are tried.
    pub branding: Branding,
}

impl From<Kept<order::Account>> for Account {
    fn from(kept: Kept<order::Account>) -> Self {
        let order::Account { id, slug, domain, name, currency, time_zone, policy, branding, bridge, carrier, payment } =
            kept.value;
        let Kept { created_at, updated_at, version, .. } = kept;
        let bridge = Bridge { kind: bridge.kind(), url: bridge.connection().map(|connection| connection.url.clone()) };
        let karrio = carrier.karrio();
        let carrier = CarrierSettings {
            kind: carrier.kind(),
            url: karrio.map(|karrio| karrio.url.clone()),
            notices_url: karrio.map(|_| format!("/api/v0/carrier-notices/karrio/{id}")),
        };
        let notices = match payment.kind() {
            PaymentKind::Stripe => Some(format!("/api/v0/payment-notices/stripe/{id}")),
            PaymentKind::None | PaymentKind::Simulated | PaymentKind::Mollie => None,
        };
        let payment = PaymentSettings {
            kind: payment.kind(),
            url: payment.processor().map(|processor| processor.url.clone()),
            notices_url: notices,
            takes_notices: payment
                .processor()
                .filter(|_| payment.kind() == PaymentKind::Stripe)
                .map(|known| known.webhook_secret.is_some()),
        };
        Self {
            id,
            slug,
            domain,
            name,
            currency,
            time_zone,
            policy,
            branding,
            bridge,
            carrier,
            payment,
            created_at,
            updated_at,
            version,
        }
    }
}

/// Where an account's purchases come from and its resolutions are carried out. Its secret is not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Bridge {
    /// What kind of shop it is.
    pub kind: BridgeKind,
    /// Where it is called; `null` for `catalog`.
    #[schemars(extend("examples" = ["https://shop.example/retour"]))]
    pub url: Option<String>,
}

/// Who makes the labels of an account's parcels. Its key is not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CarrierSettings {
    /// Who it is.
    pub kind: CarrierKind,
    /// Where karrio is called; `null` for the others.
    #[schemars(extend("examples" = ["https://karrio.example/"]))]
    pub url: Option<String>,
    /// Where karrio is to send its webhooks: a path of this server; `null` for the others.
    pub notices_url: Option<String>,
}

/// Who takes an account's payments. Its secrets are not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentSettings {
    /// Who it is.
    pub kind: PaymentKind,
    /// Where it is called; `null` for `none` and `simulated`.
    #[schemars(extend("examples" = ["https://api.stripe.com/"]))]
    pub url: Option<String>,
    /// Where Stripe is to send its notices: a path of this server. `null` for the others: Mollie is told with each payment.
    pub notices_url: Option<String>,
    /// Whether there is a secret to know Stripe's notices by; `null` where there are none.
    pub takes_notices: Option<bool>,
}

/// A way of sending things back.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShippingOption {
    /// Identifier.
    pub id: ShippingOptionId,
    /// What the consumer reads first, by language.
    pub name: Translated,
    /// How it works, in a sentence, by language.
    pub description: Translated,
    /// What the consumer has to do.
    pub method: ShippingMethod,
    /// What it costs; offered only in these currencies.
    pub prices: Prices,
    /// What it costs in place of that from certain weights on, the lightest first.
    pub weight_prices: Vec<WeightPrice>,
    /// The heaviest that it is offered for, grams; `null`: whatever it weighs.
    pub max_weight: Option<u32>,
    /// From which value of what goes back it costs nothing, for each currency that has an amount here.
    pub free_from: Prices,
    /// Where it is offered: two letters of ISO 3166-1 each; empty: everywhere.
    pub countries: Vec<String>,
    /// Its place among the others.
    pub position: u32,
    /// Where its parcels go; `null`: to the default location, or else to the policy's `returnAddress`.
    pub return_location_id: Option<ReturnLocationId>,
    /// What the account's carrier calls it; empty: the cheapest that it has.
    pub carrier_service: String,
    /// When it was put away and is not offered any more; `null`: it is offered.
    pub archived_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl From<Kept<shipping::ShippingOption>> for ShippingOption {
    fn from(kept: Kept<shipping::ShippingOption>) -> Self {
        let option = kept.value;
        Self {
            id: option.id,
            name: option.name,
            description: option.description,
            method: option.method,
            prices: option.prices,
            weight_prices: option.weight_prices,
            max_weight: option.max_weight,
            free_from: option.free_from,
            countries: option.countries,
            position: option.position,
            return_location_id: option.return_location_id,
            carrier_service: option.carrier_service,
            archived_at: kept.archived_at,
            created_at: kept.created_at,
            updated_at: kept.updated_at,
            version: kept.version,
        }
    }
}

/// A reason to return something.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReturnReason {
    /// Identifier.
    pub id: ReturnReasonId,
    /// The reason that this one refines.
    pub parent_id: Option<ReturnReasonId>,
    /// What the consumer reads, by language.
    pub description: Translated,
    /// Its place among the others.
    pub position: u32,
    /// Whether photos are asked for.
    pub evidence: Evidence,
    /// Whether a person looks at it before it is approved.
    pub review: bool,
    /// Whose fault it is: sending the merchant's faults back is free.
    pub fault: Fault,
    /// What is kept of the price.
    pub restocking_fee_percent: Percent,
    /// What may be asked for with it; empty: whatever the policy allows.
    pub allowed_resolutions: Vec<Resolution>,
    /// What is asked about what goes back for it, in this order.
    pub questions: Vec<Question>,
    /// When it was put away and is not offered any more; `null`: it is offered.
    pub archived_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl From<Kept<reason::ReturnReason>> for ReturnReason {
    fn from(kept: Kept<reason::ReturnReason>) -> Self {
        let reason = kept.value;
        Self {
            id: reason.id,
            parent_id: reason.parent_id,
            description: reason.description,
            position: reason.position,
            evidence: reason.rules.evidence,
            review: reason.rules.review,
            fault: reason.rules.fault,
            restocking_fee_percent: reason.rules.restocking_fee_percent,
            allowed_resolutions: reason.rules.allowed_resolutions,
            questions: reason.rules.questions,
            archived_at: kept.archived_at,
            created_at: kept.created_at,
            updated_at: kept.updated_at,
            version: kept.version,
        }
    }
}

/// Where parcels go.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReturnLocation {
    /// Identifier.
    pub id: ReturnLocationId,
    /// What the merchant calls it.
    pub name: String,
    /// What stands on labels.
    pub address: Address,
    /// Whether parcels go there unless their way of sending says otherwise.
    pub is_default: bool,
    /// When it was put away and no parcel goes there any more; `null`: it is in use.
    pub archived_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

impl From<Kept<shipping::ReturnLocation>> for ReturnLocation {
    fn from(kept: Kept<shipping::ReturnLocation>) -> Self {
        let shipping::ReturnLocation { id, name, address, is_default } = kept.value;
        let Kept { archived_at, created_at, updated_at, version, .. } = kept;
        Self { id, name, address, is_default, archived_at, created_at, updated_at, version }
    }
}
