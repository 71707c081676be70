//! The systems that an account is connected to, as the API shows them.

use domain::{
    Timestamp,
    account::Account,
    integration::{BridgeKind, CarrierKind, IntegrationHealth, IntegrationOperation, IntegrationRole},
    payment::PaymentKind,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A system that the account is connected to, and the results of recent calls.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integration {
    /// The part that the system plays.
    pub role: IntegrationRole,
    /// The kind of system, as in the account's settings.
    pub kind: IntegrationKind,
    /// The health of all operations together.
    #[serde(flatten)]
    pub health: HealthView,
    /// Each operation that Retour has called.
    pub operations: Vec<OperationHealth>,
    /// What has to be done soon so that the system keeps working, in a sentence. Without it, there is no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// The kinds of systems that an account can be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum IntegrationKind {
    /// The merchant's own component as the shop.
    Http,
    /// A Vendure shop.
    Vendure,
    /// A Medusa shop.
    Medusa,
    /// A Shopify shop.
    Shopify,
    /// The merchant's own component as the carrier.
    Bridge,
    /// A karrio server.
    Karrio,
    /// Stripe.
    Stripe,
    /// Mollie.
    Mollie,
}

/// The results of recent calls.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IntegrationHealth")]
pub struct HealthView {
    /// When the system last gave a usable response, to within a minute; `null`: never since it was connected.
    pub last_success_at: Option<Timestamp>,
    /// When a call last failed; `null`: none has failed.
    pub last_error_at: Option<Timestamp>,
    /// Why that call failed, in a sentence of at most 500 characters, without personal data; `null`: none has failed.
    pub error_message: Option<String>,
    /// The number of calls that have failed since the last usable response; 0: the system works.
    pub failed_attempts: u32,
    /// When Retour repeats the call that failed last; `null`: nothing fails, or Retour calls only when somebody needs
    /// the result.
    pub next_attempt_at: Option<Timestamp>,
}

/// The results of calls of one kind.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationHealth {
    /// The operation that Retour calls.
    pub operation: IntegrationOperation,
    /// The health of this operation.
    #[serde(flatten)]
    pub health: HealthView,
}

impl From<IntegrationHealth> for HealthView {
    fn from(health: IntegrationHealth) -> Self {
        Self {
            last_success_at: health.succeeded_at,
            last_error_at: health.failed_at,
            error_message: (!health.error.is_empty()).then_some(health.error),
            failed_attempts: health.failed_attempts,
            next_attempt_at: health.next_attempt_at,
        }
    }
}

impl Integration {
    /// The systems that an account is connected to, with the known health of their operations. Parts of Retour itself,
    /// such as its own labels, are not systems.
    pub(crate) fn all(
        account: &Account,
        known: &[(IntegrationOperation, IntegrationHealth)],
        now: Timestamp,
    ) -> Vec<Self> {
        let shop = match account.bridge.kind() {
            BridgeKind::Catalog => None,
            BridgeKind::Http => Some(IntegrationKind::Http),
            BridgeKind::Vendure => Some(IntegrationKind::Vendure),
            BridgeKind::Medusa => Some(IntegrationKind::Medusa),
            BridgeKind::Shopify => Some(IntegrationKind::Shopify),
        };
        let carrier = match account.carrier.kind() {
            CarrierKind::Own | CarrierKind::Simulated => None,
            CarrierKind::Bridge => Some(IntegrationKind::Bridge),
            CarrierKind::Karrio => Some(IntegrationKind::Karrio),
        };
        let payment = match account.payment.kind() {
            PaymentKind::None | PaymentKind::Simulated => None,
            PaymentKind::Stripe => Some(IntegrationKind::Stripe),
            PaymentKind::Mollie => Some(IntegrationKind::Mollie),
        };
        let roles = [
            (IntegrationRole::Shop, shop),
            (IntegrationRole::Carrier, carrier),
            (IntegrationRole::PaymentProvider, payment),
        ];
        let warning = account.bridge.shopify().and_then(|shopify| shopify.version.warning(now));
        let all = roles.into_iter().filter_map(|(role, kind)| kind.map(|kind| Self::new(role, kind, known)));
        all.map(|one| Self { warning: warning.clone().filter(|_| one.role == IntegrationRole::Shop), ..one }).collect()
    }

    fn new(role: IntegrationRole, kind: IntegrationKind, known: &[(IntegrationOperation, IntegrationHealth)]) -> Self {
        let of = |operation: &IntegrationOperation| {
            let (_, health) = known.iter().find(|(one, _)| one == operation && one.role() == role)?;
            Some((*operation, health))
        };
        let called: Vec<(IntegrationOperation, &IntegrationHealth)> =
            IntegrationOperation::ALL.iter().filter_map(of).collect();
        let operation = |(operation, health): &(IntegrationOperation, &IntegrationHealth)| OperationHealth {
            operation: *operation,
            health: (*health).clone().into(),
        };
        Self {
            role,
            kind,
            health: IntegrationHealth::combined(called.iter().map(|(_, health)| *health)).into(),
            operations: called.iter().map(operation).collect(),
            warning: None,
        }
    }
}
