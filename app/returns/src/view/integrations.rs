//! The systems that an account is connected to, as the API shows them.

use domain::{
    Timestamp,
    account::Account,
    integration::{BridgeKind, CarrierKind, IntegrationHealth, IntegrationOperation, IntegrationRole},
    payment::PaymentKind,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A system that the account is connected to, and how calls to it went.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Integration {
    /// The part that the system plays.
    pub role: IntegrationRole,
    /// The kind of system, as in the account's settings.
    pub kind: IntegrationKind,
    /// All operations taken together.
    #[serde(flatten)]
    pub health: HealthView,
    /// Each operation that Retour has called.
    pub operations: Vec<OperationHealth>,
}

/// The kinds of systems that an account can be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum IntegrationKind {
    /// A component that the merchant runs: the shop.
    Http,
    /// A Vendure shop.
    Vendure,
    /// A Medusa shop.
    Medusa,
    /// The same component: the carrier.
    Bridge,
    /// A karrio server.
    Karrio,
    /// Stripe.
    Stripe,
    /// Mollie.
    Mollie,
}

/// How calls went of late.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IntegrationHealth")]
pub struct HealthView {
    /// When the system gave a usable answer last, to within a minute; `null`: never since it was connected.
    pub last_success_at: Option<Timestamp>,
    /// When it gave none last; `null`: it always did.
    pub last_error_at: Option<Timestamp>,
    /// Why it gave none then, in a sentence of at most 500 characters, without personal data; `null`: it always did.
    pub error_message: Option<String>,
    /// How many calls have failed since the last usable answer; 0: it works.
    pub failed_attempts: u32,
    /// When Retour makes the call that failed last again; `null`: nothing fails, or Retour calls when somebody needs it.
    pub next_attempt_at: Option<Timestamp>,
}

/// How calls of one kind went.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationHealth {
    /// What the system is asked to do.
    pub operation: IntegrationOperation,
    /// How that went.
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
    /// The systems that an account is connected to, with what is known of their operations. What is in this program, such as our
    /// own labels, is none.
    pub(crate) fn all(account: &Account, known: &[(IntegrationOperation, IntegrationHealth)]) -> Vec<Self> {
        let shop = match account.bridge.kind() {
            BridgeKind::Catalog => None,
            BridgeKind::Http => Some(IntegrationKind::Http),
            BridgeKind::Vendure => Some(IntegrationKind::Vendure),
            BridgeKind::Medusa => Some(IntegrationKind::Medusa),
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
        roles.into_iter().filter_map(|(role, kind)| kind.map(|kind| Self::new(role, kind, known))).collect()
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
        }
    }
}
