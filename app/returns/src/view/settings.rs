//! A merchant's settings, as the merchant sees them.

use domain::{
    AccountId, Currency, Percent, ReturnLocationId, ReturnReasonId, ShippingOptionId, TimeZone, Timestamp, Translated,
    account,
    address::Address,
    base::host::HostName,
    branding::Branding,
    integration::{
        self, BridgeKind, Carrier, CarrierKind, ShopifyAccess, ShopifyDuties, ShopifyReturns, ShopifyVersion,
    },
    money::Prices,
    payment::PaymentKind,
    policy::{
        Policy, Resolution,
        question::Question,
        reason::{self, EvidenceRule, Fault},
    },
    shipping::{self, ShippingMethod, WeightPrice},
};
use schemars::JsonSchema;
use serde::Serialize;
use store::settings::Kept;

/// A merchant's account: its settings, rules and connections.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Unique identifier of the account.
    pub id: AccountId,
    /// The shop's name in URLs of the portal, such as `fjord-fern`.
    pub slug: String,
    /// The portal's own host name; `null` if it has none.
    pub domain: Option<HostName>,
    /// The shop's name, as shoppers read it.
    pub name: String,
    /// Whether the account is a test: its labels are specimens, and its carrier may be simulated. Only the operator sets this.
    pub test: bool,
    /// The currency of the account's fees, unless an order has another one.
    pub currency: Currency,
    /// The time zone in which the account's days begin and end.
    pub time_zone: TimeZone,
    /// The rules for returns: windows, fees and automatic decisions.
    pub policy: Policy,
    /// Colours, font, logo and links of the portal.
    pub branding: Branding,
    /// Origins of the websites whose scripts may call the consumer operations from a browser.
    pub api_origins: Vec<String>,
    /// The shop that orders come from, and how Retour reaches it.
    pub bridge: Bridge,
    /// The carrier that makes the account's labels.
    pub carrier: CarrierSettings,
    /// The provider that takes payments of fees.
    pub payment: PaymentSettings,
    /// When the account was created.
    pub created_at: Timestamp,
    /// When the account last changed.
    pub updated_at: Timestamp,
    /// The version of the account, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

/// A branding to try before it is saved.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// The URL of the preview. Everybody who has the URL sees the preview.
    pub url: String,
    /// When the preview stops working.
    pub expires_at: Timestamp,
    /// The whole branding of the preview.
    pub branding: Branding,
}

impl Account {
    /// The account as it is shown now.
    pub(crate) fn new(kept: Kept<account::Account>, now: Timestamp) -> Self {
        let account::Account {
            id,
            slug,
            domain,
            name,
            currency,
            time_zone,
            policy,
            branding,
            api_origins,
            bridge,
            carrier,
            payment,
            is_test,
            ..
        } = kept.value;
        let Kept { created_at, updated_at, version, .. } = kept;
        let bridge = Bridge::of(&bridge, id, now);
        let kind = carrier.kind();
        let (url, notices_url) = match carrier {
            Carrier::Own | Carrier::Simulated | Carrier::Bridge => (None, None),
            Carrier::Karrio(karrio) => (Some(karrio.url), Some(format!("/api/v0/carrier-notices/karrio/{id}"))),
        };
        let carrier = CarrierSettings { kind, url, notices_url };
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
            test: is_test,
            currency,
            time_zone,
            policy,
            branding,
            api_origins,
            bridge,
            carrier,
            payment,
            created_at,
            updated_at,
            version,
        }
    }
}

/// The shop that purchases come from and that carries out resolutions. Its secrets are not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bridge {
    /// The kind of shop, which decides the protocol.
    pub kind: BridgeKind,
    /// The URL of the shop's interface; `null` for `catalog`.
    #[schemars(extend("examples" = ["https://shop.example/retour"]))]
    pub url: Option<String>,
    /// For `shopify`: the version of the Admin API that Retour calls. Other kinds have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<ShopifyVersion>,
    /// For `shopify` with an app of the developer dashboard: its client id. Otherwise there is no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// For `shopify`: what its admin shows of returns. Other kinds have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<ShopifyReturns>,
    /// For `shopify`: whether units that come back give their share of the duties. Other kinds have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duties: Option<ShopifyDuties>,
    /// For `shopify`: the path of this server that Shopify sends its webhooks to. Set the privacy topics to it in the app's settings.
    /// Other kinds have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notices_url: Option<String>,
    /// For `shopify`, after the secret was replaced: when the previous secret stops to count. It stops before if a webhook has the new
    /// secret. Otherwise there is no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_secret_ends_at: Option<Timestamp>,
}

impl Bridge {
    fn of(bridge: &integration::Bridge, account: AccountId, now: Timestamp) -> Self {
        let client_id = |shopify: &integration::ShopifyConnection| match &shopify.access {
            ShopifyAccess::App { client_id } => Some(client_id.clone()),
            ShopifyAccess::Token { .. } => None,
        };
        Self {
            kind: bridge.kind(),
            url: bridge.connection().map(|connection| connection.url.clone()),
            version: bridge.shopify().map(|shopify| shopify.version),
            client_id: bridge.shopify().and_then(client_id),
            returns: bridge.shopify().map(|shopify| shopify.returns),
            duties: bridge.shopify().map(|shopify| shopify.duties),
            notices_url: bridge.shopify().map(|_| format!("/api/v0/shop-notices/shopify/{account}")),
            previous_secret_ends_at: bridge.shopify().and_then(|shopify| shopify.previous_secrets_end_at(now)),
        }
    }
}

/// The carrier that makes the labels of an account. Its key is not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CarrierSettings {
    /// The kind of carrier that makes the labels.
    pub kind: CarrierKind,
    /// The URL of karrio; `null` for other kinds.
    #[schemars(extend("examples" = ["https://karrio.example/"]))]
    pub url: Option<String>,
    /// The path of this server that karrio sends its webhooks to; `null` for other kinds.
    pub notices_url: Option<String>,
}

/// The provider that takes an account's payments. Its secrets are not shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentSettings {
    /// The provider that takes payments.
    pub kind: PaymentKind,
    /// The URL of the provider; `null` for `none` and `simulated`.
    #[schemars(extend("examples" = ["https://api.stripe.com/"]))]
    pub url: Option<String>,
    /// The path of this server that Stripe sends its notices to; `null` for other kinds. Mollie gets the path with each
    /// payment.
    pub notices_url: Option<String>,
    /// Whether there is a secret that verifies Stripe's notices; `null` for other kinds.
    pub takes_notices: Option<bool>,
}

/// A way to send a return, with its prices.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShippingOption {
    /// Unique identifier of the shipping option.
    pub id: ShippingOptionId,
    /// The option's name, as the consumer reads it, by language.
    pub name: Translated,
    /// How sending works, in a sentence, by language.
    pub description: Translated,
    /// What the consumer has to do to send the parcel.
    pub method: ShippingMethod,
    /// The prices by currency. The option is offered only in these currencies.
    pub prices: Prices,
    /// Prices by weight, replacing `prices`, the lightest first.
    pub weight_prices: Vec<WeightPrice>,
    /// Maximum weight of the parcel, grams; `null`: no limit.
    pub max_weight: Option<u32>,
    /// Return value from which shipping is free, for each currency that has an amount here.
    pub free_from: Prices,
    /// The countries in which the option is offered, as two letters of ISO 3166-1; empty: everywhere.
    pub countries: Vec<String>,
    /// The position in the list of options; lower comes first.
    pub position: u32,
    /// The return location of its shipments; `null`: the default location, or else the policy's `returnAddress`.
    pub return_location_id: Option<ReturnLocationId>,
    /// The carrier's code for the service; empty: the cheapest service of the carrier.
    pub carrier_service: String,
    /// When the option was archived; `null`: it is offered.
    pub archived_at: Option<Timestamp>,
    /// When the shipping option was created.
    pub created_at: Timestamp,
    /// When the shipping option last changed.
    pub updated_at: Timestamp,
    /// The version of the shipping option, from 1: it grows with each change and is the `ETag`.
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

/// A reason that consumers can choose for a return.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReturnReason {
    /// Unique identifier of the return reason.
    pub id: ReturnReasonId,
    /// The reason that this one refines.
    pub parent_id: Option<ReturnReasonId>,
    /// The text of the reason, as the consumer reads it, by language.
    pub description: Translated,
    /// The position in the list of reasons; lower comes first.
    pub position: u32,
    /// Whether photos are requested with the reason.
    pub evidence: EvidenceRule,
    /// Whether a person decides about returns with this reason.
    pub review: bool,
    /// Whose fault it is: returns that are the merchant's fault ship for free.
    pub fault: Fault,
    /// The part of the price that the shop keeps, in percent.
    pub restocking_fee_percent: Percent,
    /// The resolutions that consumers may request with the reason; empty: all that the policy allows.
    pub allowed_resolutions: Vec<Resolution>,
    /// The questions about the item, in this order.
    pub questions: Vec<Question>,
    /// When the reason was archived; `null`: it is offered.
    pub archived_at: Option<Timestamp>,
    /// When the return reason was created.
    pub created_at: Timestamp,
    /// When the return reason last changed.
    pub updated_at: Timestamp,
    /// The version of the return reason, from 1: it grows with each change and is the `ETag`.
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

/// An address that shipments go to.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReturnLocation {
    /// Unique identifier of the return location.
    pub id: ReturnLocationId,
    /// The merchant's name for the location.
    pub name: String,
    /// The address that labels show.
    pub address: Address,
    /// Whether shipments go there unless their shipping option names another location.
    pub is_default: bool,
    /// When the location was archived and stopped receiving shipments; `null`: it is in use.
    pub archived_at: Option<Timestamp>,
    /// When the return location was created.
    pub created_at: Timestamp,
    /// When the return location last changed.
    pub updated_at: Timestamp,
    /// The version of the return location, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl From<Kept<shipping::ReturnLocation>> for ReturnLocation {
    fn from(kept: Kept<shipping::ReturnLocation>) -> Self {
        let shipping::ReturnLocation { id, name, address, is_default } = kept.value;
        let Kept { archived_at, created_at, updated_at, version, .. } = kept;
        Self { id, name, address, is_default, archived_at, created_at, updated_at, version }
    }
}
