//! Records in the audit log what staff change, in the transaction of the change.
//!
//! Moves of returns are in their timelines, and not recorded again.

use super::{
    credentials::{Staff, StaffMember},
    error::{OrBroken as _, Result},
    origin::Origin,
};
use domain::{
    AccountId, Timestamp, UserId,
    audit::{AuditAction, AuditActorKind, AuditEntry, AuditSubject},
};
use serde::Serialize;
use serde_json::{Map, Value};
use store::Writing;
use uuid::Uuid;

/// Stands for a secret that changed: neither the old nor the new one is recorded.
pub(crate) const SECRET_CHANGED: &str = "changed";

/// Records a change by a member of the staff. `before` and `after`: the fields that changed; see [`changed_fields`].
pub(crate) fn record(
    writing: &mut Writing,
    staff: &Staff,
    now: Timestamp,
    action: AuditAction,
    subject: impl Into<AuditSubject>,
    before: Option<Value>,
    after: Option<Value>,
) {
    let (actor, actor_id) = match staff.who() {
        StaffMember::User(id, _) => (AuditActorKind::User, Some(id.0)),
        StaffMember::Program(id) => (AuditActorKind::ServiceUser, Some(id.0)),
        StaffMember::Operator => (AuditActorKind::Operator, None),
    };
    let change = Recorded { action, subject: subject.into(), before, after };
    add(writing, staff.account(), (actor, actor_id), staff.origin(), now, change);
}

/// Records a new object.
pub(crate) fn record_created<T: Serialize>(
    writing: &mut Writing,
    staff: &Staff,
    now: Timestamp,
    action: AuditAction,
    subject: impl Into<AuditSubject>,
    made: &T,
) -> Result<()> {
    record(writing, staff, now, action, subject, None, Some(fields_of(made)?));
    Ok(())
}

/// Records the fields of an object that a change changed.
pub(crate) fn record_changed<T: Serialize>(
    writing: &mut Writing,
    staff: &Staff,
    now: Timestamp,
    action: AuditAction,
    subject: impl Into<AuditSubject>,
    (before, after): (&T, &T),
) -> Result<()> {
    let (before, after) = changed_fields(before, after)?;
    record(writing, staff, now, action, subject, Some(before), Some(after));
    Ok(())
}

/// Records an object that was deleted, as it was.
pub(crate) fn record_deleted<T: Serialize>(
    writing: &mut Writing,
    staff: &Staff,
    now: Timestamp,
    action: AuditAction,
    subject: impl Into<AuditSubject>,
    gone: &T,
) -> Result<()> {
    record(writing, staff, now, action, subject, Some(fields_of(gone)?), None);
    Ok(())
}

/// Records what a user does with their own credentials, such as a sign-in.
pub(crate) fn record_own(
    writing: &mut Writing,
    account: AccountId,
    user: UserId,
    origin: &Origin,
    now: Timestamp,
    action: AuditAction,
) {
    let change = Recorded { action, subject: user.into(), before: None, after: None };
    add(writing, account, (AuditActorKind::User, Some(user.0)), origin, now, change);
}

/// Records what somebody unknown tries with the credentials of a user, such as a wrong password.
pub(crate) fn record_attempt(
    writing: &mut Writing,
    account: AccountId,
    user: UserId,
    origin: &Origin,
    now: Timestamp,
    action: AuditAction,
) {
    let change = Recorded { action, subject: user.into(), before: None, after: None };
    add(writing, account, (AuditActorKind::Nobody, None), origin, now, change);
}

/// Records what the account's shop asks for by a notice, and the end of a secret of its app.
pub(crate) fn record_by_shop(
    writing: &mut Writing,
    account: AccountId,
    now: Timestamp,
    action: AuditAction,
    after: Option<Value>,
) {
    let change = Recorded { action, subject: account.into(), before: None, after };
    add(writing, account, (AuditActorKind::Shop, None), &Origin::default(), now, change);
}

struct Recorded {
    action: AuditAction,
    subject: AuditSubject,
    before: Option<Value>,
    after: Option<Value>,
}

fn add(
    writing: &mut Writing,
    account: AccountId,
    (actor, actor_id): (AuditActorKind, Option<Uuid>),
    origin: &Origin,
    now: Timestamp,
    change: Recorded,
) {
    let entry = AuditEntry {
        created_at: now,
        actor,
        actor_id,
        action: change.action,
        subject: change.subject,
        network: origin.network().unwrap_or_default(),
        session_id: origin.session(),
        request_id: origin.request_id().unwrap_or_default().to_owned(),
        before: change.before.map(|value| value.to_string()),
        after: change.after.map(|value| value.to_string()),
    };
    writing.add_audit_entry(account, entry);
}

/// The fields of two answers that differ, before and after, without the version and the time of the change. Objects are
/// compared field by field, lists as a whole.
pub(crate) fn changed_fields<T: Serialize>(before: &T, after: &T) -> Result<(Value, Value)> {
    let (before, after) = (serde_json::to_value(before).or_broken()?, serde_json::to_value(after).or_broken()?);
    Ok(differences(before, after).unwrap_or_default())
}

/// The fields of a new or deleted object, without its id, version and times.
pub(crate) fn fields_of<T: Serialize>(object: &T) -> Result<Value> {
    let mut value = serde_json::to_value(object).or_broken()?;
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, field| !is_bookkeeping(name) && name != "id" && !field.is_null());
    }
    Ok(value)
}

/// The value before and after, with only the fields that differ; `None` if none does.
fn differences(before: Value, after: Value) -> Option<(Value, Value)> {
    match (before, after) {
        (Value::Object(mut before), Value::Object(after)) => {
            let (mut old, mut new) = (Map::new(), Map::new());
            for (name, now) in after {
                let was = before.remove(&name).unwrap_or_default();
                if !is_bookkeeping(&name)
                    && let Some((was, now)) = differences(was, now)
                {
                    old.insert(name.clone(), was);
                    new.insert(name, now);
                }
            }
            for (name, was) in before.into_iter().filter(|(name, was)| !is_bookkeeping(name) && !was.is_null()) {
                old.insert(name.clone(), was);
                new.insert(name, Value::Null);
            }
            (!new.is_empty()).then_some((Value::Object(old), Value::Object(new)))
        }
        (before, after) => (before != after).then_some((before, after)),
    }
}

/// Whether a field changes with every change.
fn is_bookkeeping(name: &str) -> bool {
    matches!(name, "version" | "updatedAt" | "createdAt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_recorded() {
        let before = json!({"name": "A", "policy": {"days": 30, "mail": true}, "tags": ["a"], "version": 1, "gone": 1});
        let after = json!({"name": "A", "policy": {"days": 14, "mail": true}, "tags": ["a", "b"], "version": 2});
        let (before, after) = changed_fields(&before, &after).unwrap();
        assert_eq!(before, json!({"policy": {"days": 30}, "tags": ["a"], "gone": 1}));
        assert_eq!(after, json!({"policy": {"days": 14}, "tags": ["a", "b"], "gone": null}));
        assert_eq!(changed_fields(&before, &before).unwrap(), (Value::Null, Value::Null));
    }

    #[test]
    fn a_new_object_is_recorded_without_bookkeeping() {
        let made = json!({"id": 7, "name": "A", "note": null, "createdAt": "x", "updatedAt": "x", "version": 1});
        assert_eq!(fields_of(&made).unwrap(), json!({"name": "A"}));
    }
}
