//! The credentials of the document.

use crate::api::base::operation::Access;
use returns::Scope;
use serde_json::{Value, json};

/// The credentials that an operation accepts.
pub(super) fn security(access: Access) -> Value {
    match access {
        Access::Anyone => json!([]),
        Access::SignedIn => json!([{"userToken": []}]),
        Access::Consumer(_) => json!([{"consumerToken": []}, {"userToken": []}, {"apiKey": []}]),
        Access::Staff(_) | Access::StaffAny(_) | Access::StaffButAgents(_) => {
            json!([{"userToken": []}, {"apiKey": []}])
        }
    }
}

/// The kinds of credentials.
pub(super) fn security_schemes() -> Value {
    let bearer = |description: String| json!({"type": "http", "scheme": "bearer", "description": description});
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.name()).collect();
    json!({
        "apiKey": bearer(format!("A key of a service user (`rtk_…`) with one or more of the scopes {}. It does not expire.", scopes.join(", "))),
        "userToken": bearer("A token of a member of the merchant's staff (`rtu_…`), from `POST /auth/user`. Valid for an hour.".to_owned()),
        "consumerToken": bearer("A consumer's token (`rtc_…`), from `POST /auth/consumer`. Valid for 24 hours.".to_owned()),
    })
}
