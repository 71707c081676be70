//! The GraphQL operations that we send. A document contains several operations, because they share fragments.

/// One operation of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    /// Its name in the document.
    pub name: &'static str,
    pub document: &'static str,
}

const LOOK_UPS: &str = include_str!("look_up.graphql");
const REFUNDS: &str = include_str!("refund.graphql");
const CHECKS: &str = include_str!("check.graphql");
const CHANGES: &str = include_str!("changes.graphql");
const RETURNS: &str = include_str!("returns.graphql");
const EXPORTS: &str = include_str!("bulk.graphql");

/// The query that a bulk operation executes.
pub(super) const EXPORT_QUERY: &str = include_str!("export.graphql");

pub(super) const LOOK_UP: Operation = Operation { name: "LookUp", document: LOOK_UPS };
pub(super) const NAMES: Operation = Operation { name: "Names", document: LOOK_UPS };
pub(super) const BY_ID: Operation = Operation { name: "ById", document: LOOK_UPS };
pub(super) const EXCHANGE_OPTIONS: Operation = Operation { name: "ExchangeOptions", document: LOOK_UPS };
pub(super) const MORE_LINES: Operation = Operation { name: "MoreLines", document: LOOK_UPS };

pub(super) const STATE: Operation = Operation { name: "State", document: REFUNDS };
pub(super) const PLACES: Operation = Operation { name: "Places", document: REFUNDS };
pub(super) const REMEMBER: Operation = Operation { name: "Remember", document: REFUNDS };
pub(super) const REFUND_ONCE: Operation = Operation { name: "RefundOnce", document: REFUNDS };

pub(super) const HEALTH: Operation = Operation { name: "Health", document: CHECKS };
pub(super) const ACCESS: Operation = Operation { name: "Access", document: CHECKS };
pub(super) const LATEST_ORDER: Operation = Operation { name: "LatestOrder", document: CHECKS };
pub(super) const PROTECTED_FIELDS: Operation = Operation { name: "ProtectedFields", document: CHECKS };
pub(super) const LOCATIONS: Operation = Operation { name: "Locations", document: CHECKS };

pub(super) const CHANGED: Operation = Operation { name: "Changed", document: CHANGES };
pub(super) const SCOPES: Operation = Operation { name: "Scopes", document: CHANGES };
pub(super) const WEBHOOKS: Operation = Operation { name: "Webhooks", document: CHANGES };
pub(super) const WEBHOOK_ADDRESSES: Operation = Operation { name: "WebhookAddresses", document: CHANGES };
pub(super) const SUBSCRIBE: Operation = Operation { name: "Subscribe", document: CHANGES };
pub(super) const UNSUBSCRIBE: Operation = Operation { name: "Unsubscribe", document: CHANGES };
pub(super) const RETURNS_OF_ORDER: Operation = Operation { name: "Returns", document: RETURNS };
pub(super) const UNITS_IN_RETURNS: Operation = Operation { name: "UnitsInReturns", document: RETURNS };
pub(super) const RETURN: Operation = Operation { name: "Return", document: RETURNS };
pub(super) const RETURNABLE: Operation = Operation { name: "Returnable", document: RETURNS };
pub(super) const EXCHANGEABLE: Operation = Operation { name: "Exchangeable", document: RETURNS };
pub(super) const VARIANTS: Operation = Operation { name: "Variants", document: RETURNS };
pub(super) const EXCHANGE_OUTCOME: Operation = Operation { name: "ExchangeOutcome", document: RETURNS };
pub(super) const REQUEST_RETURN: Operation = Operation { name: "RequestReturn", document: RETURNS };
pub(super) const CREATE_RETURN: Operation = Operation { name: "CreateReturn", document: RETURNS };
pub(super) const APPROVE_RETURN: Operation = Operation { name: "ApproveReturn", document: RETURNS };
pub(super) const DECLINE_RETURN: Operation = Operation { name: "DeclineReturn", document: RETURNS };
pub(super) const CANCEL_RETURN: Operation = Operation { name: "CancelReturn", document: RETURNS };
pub(super) const CLOSE_RETURN: Operation = Operation { name: "CloseReturn", document: RETURNS };
pub(super) const ADD_PARCEL: Operation = Operation { name: "AddParcel", document: RETURNS };
pub(super) const DISPOSE_UNITS: Operation = Operation { name: "DisposeUnits", document: RETURNS };
pub(super) const REMOVE_UNITS: Operation = Operation { name: "RemoveUnits", document: RETURNS };
pub(super) const REMOVE_EXCHANGES: Operation = Operation { name: "RemoveExchanges", document: RETURNS };
pub(super) const SENT_BY: Operation = Operation { name: "SentBy", document: RETURNS };
pub(super) const PROCESS_RETURN: Operation = Operation { name: "ProcessReturn", document: RETURNS };
pub(super) const START_EXPORT: Operation = Operation { name: "StartExport", document: EXPORTS };
pub(super) const EXPORT_STATE: Operation = Operation { name: "ExportState", document: EXPORTS };
pub(super) const FULFILLED: Operation = Operation { name: "Fulfilled", document: EXPORTS };
