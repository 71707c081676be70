//! The paths without an account's id, for the account of the credential.

use crate::api::base::operation::Operation;
use serde_json::{Value, json};

/// Documents the operations of an account a second time, at their paths without the account's id. A key determines its account, so clients with a key need
/// no id. The `operationId` has the suffix `OfOwnAccount`, and `x-same-as` names the operation with the id.
pub fn add_to(document: &mut Value, operations: &[Operation]) {
    for operation in operations {
        let Some(path) = operation.path_without_account() else { continue };
        let method = operation.method.as_str().to_lowercase();
        let of_account = document.get("paths").and_then(|paths| paths.get(operation.path())?.get(&method));
        let Some(mut described) = of_account.cloned() else { continue };
        if let Some(fields) = described.as_object_mut() {
            fields.insert("operationId".to_owned(), id(operation.id).into());
            fields.insert("x-same-as".to_owned(), operation.id.into());
            if let Some(parameters) = fields.get_mut("parameters").and_then(Value::as_array_mut) {
                parameters.retain(|parameter| parameter.get("name").is_none_or(|name| name != "account_id"));
            }
            if let Some(responses) = fields.get_mut("responses").and_then(Value::as_object_mut) {
                responses.values_mut().for_each(point_links_to_own_account);
            }
        }
        let paths = document.get_mut("paths").and_then(Value::as_object_mut);
        let methods = paths.map(|paths| paths.entry(path).or_insert_with(|| json!({})));
        if let Some(methods) = methods.and_then(Value::as_object_mut) {
            methods.insert(method, described);
        }
    }
}

/// Points the links of an answer to the operations whose paths have no account id.
fn point_links_to_own_account(response: &mut Value) {
    let Some(links) = response.get_mut("links").and_then(Value::as_object_mut) else { return };
    let renamed = std::mem::take(links).into_iter().map(|(name, mut link)| {
        let parameters = link.get_mut("parameters").and_then(Value::as_object_mut);
        if parameters.is_none_or(|parameters| parameters.remove("account_id").is_none()) {
            return (name, link);
        }
        let own = id(&name);
        if let Some(fields) = link.as_object_mut() {
            fields.insert("operationId".to_owned(), own.clone().into());
        }
        (own, link)
    });
    *links = renamed.collect();
}

/// The id of an operation at its path without an account id.
pub(super) fn id(of_account: &str) -> String {
    match of_account {
        "getAccount" => "getOwnAccount".to_owned(),
        "updateAccount" => "updateOwnAccount".to_owned(),
        other => format!("{other}OfOwnAccount"),
    }
}
