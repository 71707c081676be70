//! The audit log, as the API shows it.

use crate::base::{OrBroken, Result};
use domain::{
    Timestamp,
    audit::{self, AuditAction, AuditActorKind, AuditSubjectKind, AuditTopic},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// An entry of the audit log: something that a user, a program or the operator changed. The moves of returns are in
/// their timelines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When it happened.
    pub created_at: Timestamp,
    /// The kind of party that acted.
    pub actor: AuditActorKind,
    /// The user or service user who acted; `null` for the operator and for unknown persons.
    pub actor_id: Option<Uuid>,
    /// What the actor did: a kind of object and a verb.
    pub action: AuditAction,
    /// What the action is about.
    pub topic: AuditTopic,
    /// The kind of object that changed.
    pub subject: AuditSubjectKind,
    /// The id of the object. Of a purchase, it is the shop's own.
    pub subject_id: String,
    /// The network that the request came from: /24 of IPv4, /56 of IPv6. `null`: at the command line.
    pub network: Option<String>,
    /// The session at the desk; `null` if the request came from elsewhere.
    pub session_id: Option<Uuid>,
    /// The `X-Request-Id` of the request; `null` if there was none.
    pub request_id: Option<String>,
    /// The fields that changed, as they were before; `null` if nothing is to be shown, such as for a new object.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub before: Option<Value>,
    /// The same fields, as they are since; `null` if nothing is to be shown, such as for a deleted object. A new secret
    /// is shown as `changed`.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub after: Option<Value>,
}

impl AuditEntry {
    pub(crate) fn new(entry: audit::AuditEntry) -> Result<Self> {
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        let fields = |text: Option<String>| -> Result<Option<Value>> {
            let value = text.map(|text| serde_json::from_str::<Value>(&text).or_broken()).transpose()?;
            Ok(value.filter(Value::is_object))
        };
        Ok(Self {
            created_at: entry.created_at,
            actor: entry.actor,
            actor_id: entry.actor_id,
            action: entry.action,
            topic: entry.action.topic(),
            subject: entry.subject.kind,
            subject_id: entry.subject.id,
            network: known(entry.network),
            session_id: entry.session_id,
            request_id: known(entry.request_id),
            before: fields(entry.before)?,
            after: fields(entry.after)?,
        })
    }
}
