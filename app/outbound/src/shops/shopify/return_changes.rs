//! Changes of a return in Shopify. None of them has an idempotency key: the caller reads the return before each, and repeats
//! one without an answer no sooner than [`super::IN_FLIGHT_LIMIT`] after it began.

use super::{
    client::{MutationError, ShopifySession},
    order_state::Identified,
    return_asked::{RefusedParts, ReturnStep, StepResult},
};
use crate::bridge::{BridgeError, one_line};
use serde::Deserialize;

/// The codes of errors that do not say whether Shopify would refuse the same request again.
const INTERNAL: [&str; 2] = ["INTERNAL_ERROR", "CREATION_FAILED"];

/// The response to a change of a return.
#[derive(Deserialize)]
pub(super) struct ChangeResponse {
    pub done: Option<ChangePayload>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePayload {
    #[serde(rename = "return", default)]
    pub changed: Option<Identified>,
    pub user_errors: Vec<ReturnError>,
}

/// Why Shopify refused a change.
#[derive(Deserialize)]
pub(super) struct ReturnError {
    /// What of the request it is about, such as `["dispositionInputs", "0", "quantity"]`; nothing for the request as a whole.
    #[serde(default)]
    field: Option<Vec<String>>,
    pub code: Option<String>,
    pub message: String,
}

/// See [`super::Shopify::change_return`].
pub(super) async fn change(session: &ShopifySession<'_>, step: &ReturnStep) -> Result<StepResult, BridgeError> {
    let response: ChangeResponse = match session.mutate(step.operation(), &step.variables).await {
        Ok(response) => response,
        Err(MutationError::NotDone(error)) => return Err(error),
        Err(MutationError::Unknown) => return Ok(StepResult::Unknown),
    };
    let Some(payload) = response.done else { return Ok(StepResult::Unknown) };
    if payload.user_errors.is_empty() {
        return Ok(StepResult::Done { external_id: payload.changed.map(|made| made.id) });
    }
    if payload.user_errors.iter().any(ReturnError::is_internal) {
        return Ok(StepResult::Unknown);
    }
    let errors = payload.user_errors;
    let fields: Vec<Option<&[String]>> = errors.iter().map(ReturnError::field).collect();
    let names = step.refused_parts(&fields);
    if names.is_empty() {
        return Ok(StepResult::Refused(refusal(step.what(), &errors)));
    }
    let is_known = names.iter().any(|name| step.parts.contains(name));
    let reason = is_known.then(|| refusal(step.what_of_parts(), &errors));
    Ok(StepResult::RefusedParts(RefusedParts { names, reason }))
}

/// A sentence about refused changes.
pub(super) fn refusal(what: &str, errors: &[ReturnError]) -> String {
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    one_line(&format!("Shopify refused {what}: {}", messages.join(" ")))
}

impl ReturnError {
    fn field(&self) -> Option<&[String]> {
        self.field.as_deref().filter(|field| !field.is_empty())
    }

    fn is_internal(&self) -> bool {
        self.code.as_deref().is_some_and(|code| INTERNAL.contains(&code))
    }
}
