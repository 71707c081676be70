//! The meaning of the errors in a GraphQL response.

use crate::bridge::BridgeError;
use serde::Deserialize;
use serde_json::Value;

const THROTTLED: &str = "THROTTLED";
const ACCESS_DENIED: &str = "ACCESS_DENIED";
const INTERNAL: &str = "INTERNAL_SERVER_ERROR";
const TIMEOUT: &str = "TIMEOUT";
const MAX_COST_EXCEEDED: &str = "MAX_COST_EXCEEDED";

/// The codes by which Shopify refuses a whole document before it executes a part of it.
const BEFORE_EXECUTION: [&str; 12] = [
    MAX_COST_EXCEEDED,
    "INVALID_VARIABLE",
    "argumentLiteralsIncompatible",
    "argumentNotAccepted",
    "missingRequiredArguments",
    "missingRequiredInputObjectAttribute",
    "selectionMismatch",
    "undefinedDirective",
    "undefinedField",
    "undefinedType",
    "variableMismatch",
    "variableRequiresValidType",
];

pub(super) const TOKEN_REFUSED: &str = "Shopify does not accept the access token. Check that the app is still installed in this \
    shop and that the token is the whole token.";
pub(super) const CREDENTIALS_REFUSED: &str = "Shopify does not accept the client id and the client secret. Check both, and that \
    the app is installed in this shop and belongs to the same organization.";
const PROTECTED: &str = "Shopify withholds customers' data from the app. Request access to protected customer data (name, e-mail \
    address, address) in the app's settings.";
const OTHER_SCOPE: &str = "The app lacks an access scope. Run `retour bridge check --shopify` to see which one.";

/// The sentence for each scope that Shopify may name.
const SCOPES: [(&str, &str); 7] = [
    ("read_all_orders", "The app lacks the access scope read_all_orders, which orders over 60 days old need."),
    ("write_orders", "The app lacks the access scope write_orders, which refunds need."),
    ("read_orders", "The app lacks the access scope read_orders."),
    ("read_products", "The app lacks the access scope read_products, which lines of an order need."),
    ("read_locations", "The app lacks the access scope read_locations, which putting units back into stock needs."),
    ("write_returns", "The app lacks the access scope write_returns, which returns in Shopify's admin need."),
    ("read_returns", "The app lacks the access scope read_returns, which returns in Shopify's admin need."),
];

/// An error of a response with status 200.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct GraphqlError {
    #[serde(default)]
    message: String,
    path: Option<Vec<Value>>,
    extensions: Option<ErrorExtensions>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorExtensions {
    code: Option<String>,
    required_access: Option<String>,
}

impl GraphqlError {
    fn code(&self) -> &str {
        self.extensions.as_ref().and_then(|extensions| extensions.code.as_deref()).unwrap_or_default()
    }

    fn path(&self) -> &[Value] {
        self.path.as_deref().unwrap_or_default()
    }

    /// Shopify did not execute the request, because it costs more than is available at the moment.
    pub fn is_throttled(&self) -> bool {
        self.code() == THROTTLED
    }

    /// The app may not read or change something.
    pub fn is_access_denied(&self) -> bool {
        self.code() == ACCESS_DENIED
    }

    /// Whether a mutation with this error was certainly not executed. Shopify executes nothing of a document that does not fit
    /// the schema, and refuses access to a mutation before it runs it. An error below the mutation's own field may come after
    /// its effect.
    pub fn is_before_execution(&self) -> bool {
        match self.code() {
            THROTTLED => true,
            ACCESS_DENIED => self.path().len() == 1,
            code if BEFORE_EXECUTION.contains(&code) => {
                self.path().first().and_then(Value::as_str).is_none_or(|first| first.starts_with("mutation "))
            }
            _ => false,
        }
    }

    /// The error for the merchant's log. Shopify's message is not repeated: it may contain personal data.
    pub fn meaning(&self) -> BridgeError {
        match self.code() {
            ACCESS_DENIED => BridgeError::KeyRefused(self.missing_access()),
            "" | INTERNAL | TIMEOUT => BridgeError::bad_field("errors", "Shopify failed to answer: Retour tries again"),
            MAX_COST_EXCEEDED => BridgeError::bad_field(
                "errors",
                "Shopify refuses the request because it asks for too much at once: the order is too large",
            ),
            _ => BridgeError::bad_field(
                "errors",
                "Shopify does not understand the request: connect the shop with a version that Shopify still supports",
            ),
        }
    }

    fn missing_access(&self) -> &'static str {
        let required = self.extensions.as_ref().and_then(|extensions| extensions.required_access.as_deref());
        let said = required.unwrap_or(&self.message);
        if said.contains("protected-customer-data") || self.message.contains("not approved") {
            return PROTECTED;
        }
        SCOPES.iter().find(|(scope, _)| said.contains(scope)).map_or(OTHER_SCOPE, |(_, sentence)| sentence)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(value: Value) -> GraphqlError {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_missing_scope_is_named() {
        let denied = |required: &str| {
            let extensions = json!({"code": "ACCESS_DENIED", "requiredAccess": required});
            error(json!({"message": "Access denied for orders field.", "path": ["orders"], "extensions": extensions}))
        };
        let named = |error: &GraphqlError| match error.meaning() {
            BridgeError::KeyRefused(sentence) => sentence,
            other => panic!("{other}"),
        };
        for scope in ["read_all_orders", "write_orders", "read_orders", "read_products", "read_locations"] {
            assert!(named(&denied(&format!("`{scope}` access scope."))).contains(scope), "{scope}");
        }
        assert_eq!(named(&denied("`read_themes` access scope.")), OTHER_SCOPE);
        let message = "This app is not approved to access the Order object.";
        let protected = error(json!({"message": message, "extensions": {"code": "ACCESS_DENIED"}}));
        assert_eq!(named(&protected), PROTECTED);
    }

    #[test]
    fn only_refusals_before_execution_prove_that_nothing_happened() {
        let at = |code: Option<&str>, path: Value| {
            error(json!({"message": "x", "path": path, "extensions": {"code": code}})).is_before_execution()
        };
        assert!(at(Some("THROTTLED"), json!([])));
        assert!(at(Some("undefinedField"), json!(["mutation RefundOnce", "refundCreate", "x"])));
        assert!(at(Some("argumentLiteralsIncompatible"), json!([])));
        assert!(at(Some("ACCESS_DENIED"), json!(["refundCreate"])));
        assert!(!at(Some("ACCESS_DENIED"), json!(["refundCreate", "refund", "note"])));
        assert!(!at(Some("INTERNAL_SERVER_ERROR"), json!(["refundCreate"])));
        assert!(!at(None, json!(["refundCreate"])));
        assert!(!at(Some("SOMETHING_NEW"), json!(["refundCreate", "refund"])));
        assert!(!at(Some("SOMETHING_NEW"), json!(null)));
        assert!(at(Some("undefinedField"), json!(null)));
    }
}
