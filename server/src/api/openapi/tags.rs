//! The tags of the document: the headings that operations are grouped under.

use crate::api::base::operation::Operation;
use serde_json::{Value, json};

/// The tags of all operations, in their order, with descriptions.
pub(super) fn tags(operations: &[Operation]) -> Value {
    let mut tags: Vec<&str> = Vec::new();
    for operation in operations {
        if !tags.contains(&operation.resource.tag) {
            tags.push(operation.resource.tag);
        }
    }
    let described = |tag: &str| json!({"name": tag, "description": describe_tag(tag)});
    tags.into_iter().map(described).collect()
}

fn describe_tag(tag: &str) -> &'static str {
    match tag {
        "Credentials" => "Get, inspect and end tokens: prove an order as a consumer, sign in as a user.",
        "Own security" => "Where a user is signed in, their second factor, their passkeys and their password.",
        "Consumer" => "What a consumer can do: the steps of the portal, for a portal of your own.",
        "Account" => "The merchant's own settings: rules, branding, shop, carrier and payments.",
        "Return requests" => {
            "A return request is one purchase within a return order. It moves through stages, from the consumer's request to its resolution."
        }
        "Return orders" => {
            "A return order is one submitted return: the return requests that a consumer submitted together, and their shipments."
        }
        "Draft return orders" => {
            "A draft shows the costs of a return before its submission. Its amounts are valid for 24 hours."
        }
        "Queues" => "What waits for the merchant's staff: decisions, parcels, inspections and payments.",
        "Figures" => "Sums and times of the returns of the last weeks.",
        "Bulk runs" => "Changes of many return requests, which run in the background.",
        "Search" => "Finds objects by the numbers, codes and names that people know them by.",
        "Saved views" => "Filters of lists that staff saved under a name.",
        "Consumers" => {
            "People who proved an order, and their rights under privacy laws: export and erasure of their data."
        }
        "Purchases" => {
            "A purchase is one line of a sales order of the shop. Send orders here, or connect a bridge that Retour reads them from."
        }
        "Withdrawals" => "Contracts that consumers withdrew from (Directive 2011/83/EU, article 11a).",
        "Warehouse" => "What people with a scanner need: what a code belongs to, and what they have counted today.",
        "Found parcels" => "Parcels that arrived without papers, until somebody finds out which return they belong to.",
        "Shipments" => "A shipment is one parcel of a return order, with its label and its tracking.",
        "Mails" => "The e-mail that Retour sent or tried to send to consumers.",
        "Shipping options" => "The ways to send a return that consumers can choose from, with their prices.",
        "Return reasons" => "The reasons that consumers can choose from, and their consequences.",
        "Return locations" => "The addresses that shipments go to.",
        "Service users" => "A service user is a program with an API key and scopes.",
        "Users" => "The merchant's staff, who sign in with an e-mail address and a password.",
        "Webhooks" => "Events of the account: subscriptions that receive them, and every delivery with its attempts.",
        "Audit entries" => "What users, programs and the operator changed, apart from the moves of returns.",
        _ => "The API's own description.",
    }
}
