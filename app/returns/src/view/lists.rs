//! The filters, orders and searches of each list.

pub use store::{
    audit::LIST as AUDIT_ENTRIES,
    consumers::LIST as CONSUMERS,
    drafts::LIST as DRAFT_RETURN_ORDERS,
    events::LIST as EVENTS,
    found_parcels::LIST as FOUND_PARCELS,
    lists::{
        ClauseParts, Field, FieldKind, MAX_CHARS, MAX_VALUES, Operator, Related, RelatedValues, clause_parts, escaped,
    },
    mails::LIST as MAILS,
    purchases::LIST as PURCHASES,
    return_locations::LIST as RETURN_LOCATIONS,
    return_orders::LIST as RETURN_ORDERS,
    return_reasons::LIST as RETURN_REASONS,
    return_requests::LIST as RETURN_REQUESTS,
    service_users::LIST as SERVICE_USERS,
    shipments::LIST as SHIPMENTS,
    shipping_options::LIST as SHIPPING_OPTIONS,
    users::LIST as USERS,
    webhook_deliveries::LIST as WEBHOOK_DELIVERIES,
    webhook_subscriptions::LIST as WEBHOOK_SUBSCRIPTIONS,
    withdrawals::LIST as WITHDRAWALS,
};
