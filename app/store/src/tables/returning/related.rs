//! Fields of return orders and return requests whose values are in other tables.
//!
//! Each row is compared by itself, through an index. So the conditions count: from `EXISTS`, Postgres would make a join, and
//! read the other table as a whole if it expects few matches.

use crate::lists::{Field, FieldKind, Implied, Related, RelatedValues};
use domain::{
    policy::Resolution,
    returning::{ReturnOrderStatus, ReturnSource},
    stage::StageName,
};

/// Defines the same field for a row that is a return order and for one that belongs to a return order.
macro_rules! fields_of_return {
    ($($name:literal, $values:expr, $around:expr, $of_order:literal, $reads_order:expr, $of_request:literal, $reads_request:expr;)+) => {
        /// Fields of a return order.
        pub(super) const OF_ORDERS: [Field; [$($name),+].len()] = [$(Field {
            name: $name,
            kind: FieldKind::Related(&Related {
                values: $values, around: $around, sql: $of_order, reads: $reads_order, cost: 1, implied: None,
            }),
            column: "id",
        }),+];
        /// The same fields of a return request.
        pub(super) const OF_REQUESTS: [Field; [$($name),+].len()] = [$(Field {
            name: $name,
            kind: FieldKind::Related(&Related {
                values: $values, around: $around, sql: $of_request, reads: $reads_request, cost: 1, implied: None,
            }),
            column: "id",
        }),+];
    };
}

fields_of_return! {
    "carrier", RelatedValues::Text, ("", ""),
        "(SELECT COUNT(*) FROM shipments p WHERE p.account_id = {account} AND p.return_order_id = {row}id AND p.carrier = {value}) > 0",
        &[],
        "(SELECT COUNT(*) FROM shipments p WHERE p.account_id = {account} AND p.return_order_id = {row}return_order_id AND p.carrier = {value}) > 0",
        &["return_order_id"];
    // The sender is JSON, in which a quotation mark within a text has a backslash before it.
    "country", RelatedValues::Country, ("%\"country\":\"", "\"%"),
        "(SELECT COUNT(*) FROM shipments p WHERE p.account_id = {account} AND p.return_order_id = {row}id AND p.sender LIKE {value}) > 0",
        &[],
        "(SELECT COUNT(*) FROM shipments p WHERE p.account_id = {account} AND p.return_order_id = {row}return_order_id AND p.sender LIKE {value}) > 0",
        &["return_order_id"];
    "shippingOptionId", RelatedValues::Id, ("%\"id\":\"", "\"%"),
        "COALESCE({row}shipping_option, '') LIKE {value}",
        &["shipping_option"],
        "(SELECT COUNT(*) FROM return_orders o WHERE o.account_id = {account} AND o.id = {row}return_order_id AND o.shipping_option LIKE {value}) > 0",
        &["return_order_id"];
    "source", RelatedValues::OneOf(sources), ("", ""),
        "{row}source = {value}",
        &["source"],
        "(SELECT COUNT(*) FROM return_orders o WHERE o.account_id = {account} AND o.id = {row}return_order_id AND o.source = {value}) > 0",
        &["return_order_id"];
    "gift", RelatedValues::Flag, ("", ""),
        "(SELECT COUNT(*) FROM consumers c WHERE c.account_id = {account} AND c.id = {row}consumer_id AND c.proof_kind = 'gift') > 0",
        &["consumer_id"],
        "(SELECT COUNT(*) FROM consumers c WHERE c.account_id = {account} AND c.id = {row}consumer_id AND c.proof_kind = 'gift') > 0",
        &["consumer_id"];
    "withdrawn", RelatedValues::Flag, ("", ""),
        "(SELECT COUNT(*) FROM withdrawals w WHERE w.account_id = {account} AND w.return_order_id = {row}id) > 0",
        &[],
        "(SELECT COUNT(*) FROM withdrawals w WHERE w.account_id = {account} AND w.return_order_id = {row}return_order_id) > 0",
        &["return_order_id"];
    "hasPhotos", RelatedValues::Flag, ("", ""),
        "(SELECT COUNT(*) FROM return_requests q CROSS JOIN evidence e WHERE q.account_id = {account} AND q.return_order_id = {row}id \
         AND e.account_id = q.account_id AND e.return_request_id = q.id) > 0",
        &[],
        "(SELECT COUNT(*) FROM evidence e WHERE e.account_id = {account} AND e.return_request_id = {row}id) > 0",
        &[];
}

/// A flag of a return order.
pub(super) const FLAG: Field = Field {
    name: "flag",
    kind: FieldKind::Related(&Related {
        values: RelatedValues::Text,
        around: ("", ""),
        sql: "(SELECT COUNT(*) FROM return_order_flags f WHERE f.account_id = {account} AND f.return_order_id = {row}id AND f.flag = {value}) > 0",
        reads: &[],
        cost: 1,
        implied: None,
    }),
    column: "id",
};

/// Whether a return order has any flag.
pub(super) const FLAGGED: Field = Field {
    name: "flagged",
    kind: FieldKind::Related(&Related {
        values: RelatedValues::Flag,
        around: ("", ""),
        sql: "(SELECT COUNT(*) FROM return_order_flags f WHERE f.account_id = {account} AND f.return_order_id = {row}id) > 0",
        reads: &[],
        cost: 1,
        implied: None,
    }),
    column: "id",
};

/// A field of a return order that one of its requests has.
macro_rules! of_a_request {
    ($name:literal, $values:expr, $column:literal, $implied:expr) => {
        Field {
            name: $name,
            kind: FieldKind::Related(&Related {
                values: $values,
                around: ("", ""),
                // In this form, SQLite reads the few requests of the return order, and not all requests with the value.
                sql: concat!(
                    "(SELECT COUNT(CASE WHEN q.",
                    $column,
                    " = {value} THEN 1 END) FROM return_requests q \
                     WHERE q.account_id = {account} AND q.return_order_id = {row}id) > 0"
                ),
                reads: &[],
                cost: 3,
                implied: $implied,
            }),
            column: "id",
        }
    };
}

/// Fields of a return order that one of its requests has.
pub(super) const OF_A_REQUEST: [Field; 4] = [
    of_a_request!(
        "stage",
        RelatedValues::OneOf(stages),
        "stage",
        Some(Implied { column: "status", words: statuses_with })
    ),
    of_a_request!("returnReasonId", RelatedValues::Id, "return_reason_id", None),
    of_a_request!("requestedResolution", RelatedValues::OneOf(resolutions), "requested_resolution", None),
    of_a_request!("sku", RelatedValues::Text, "sku", None),
];

/// The statuses of return orders with a request in a stage; none if it can be any.
fn statuses_with(stage: &str) -> Vec<&'static str> {
    let Some(stage) = StageName::parse(stage) else { return Vec::new() };
    let statuses: &[ReturnOrderStatus] = match stage {
        stage if stage.is_end() => &[],
        stage if stage.is_undecided() => &[ReturnOrderStatus::Requested],
        StageName::SubmittedPaymentPending => &[ReturnOrderStatus::Requested, ReturnOrderStatus::AwaitingPayment],
        _ => &[ReturnOrderStatus::Requested, ReturnOrderStatus::AwaitingPayment, ReturnOrderStatus::Open],
    };
    statuses.iter().map(|status| status.name()).collect()
}

pub(super) fn stages() -> Vec<&'static str> {
    StageName::NAMES.to_vec()
}

pub(super) fn resolutions() -> Vec<&'static str> {
    Resolution::ALL.iter().map(|resolution| resolution.name()).collect()
}

fn sources() -> Vec<&'static str> {
    ReturnSource::ALL.iter().map(|source| source.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_order_has_the_status_that_its_stage_implies() {
        for &stage in StageName::all() {
            for &other in StageName::all() {
                let status = ReturnOrderStatus::derive(&[stage, other]);
                let implied = statuses_with(stage.as_str());
                assert!(implied.is_empty() || implied.contains(&status.name()), "{stage}, {other}: {status}");
            }
        }
    }
}
