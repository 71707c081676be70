//! Who has a return order, its flags, and whether changes of many leave it out.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, audit, conclude, detached,
        error::check, patch_field::PatchField,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    returning::{
        change::Returned,
        events::{OrderSnapshot, order_data},
        worked::record_work,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    EventId, Problems, RefusalCode, ReturnOrderId, UserId,
    audit::AuditAction,
    returning::{MAX_FLAGS, ReturnOrder},
    webhook::EventType,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{events::Event, lists::Listing, page::Page, return_orders, users};

const MAX_FLAG_CHARS: usize = 40;
/// The most users that can be chosen from.
const MAX_ASSIGNEES: i64 = 200;

/// Changes to how staff handle a return order. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "ReturnOrderChange")]
pub struct ReturnOrderChange {
    /// The user who has the return order: one of the account's; `null`: nobody.
    pub assignee_id: PatchField<Option<UserId>>,
    /// Words of your own, such as `fraud` or `VIP`, to find the return order by: at most 5, each of 1 to 40
    /// characters. They replace the flags before.
    #[schemars(length(max = 5))]
    pub flags: PatchField<Vec<String>>,
    /// Whether changes of many return requests at once leave the return order out.
    pub leave_out_of_bulk: PatchField<bool>,
}

impl ReturnOrderChange {
    /// The change with its flags as they are stored: without surrounding spaces, each once.
    fn checked(self) -> Result<Self> {
        let Some(typed) = self.flags.0 else { return Ok(self) };
        let mut problems = Problems::default();
        if typed.len() > MAX_FLAGS {
            problems.add("flags", RefusalCode::OutOfRange, format!("expected at most {MAX_FLAGS} flags"));
        }
        let mut flags: Vec<String> = Vec::new();
        for (index, flag) in typed.iter().map(|flag| flag.trim()).enumerate() {
            problems.check_text(&format!("flags[{index}]"), flag, 1..=MAX_FLAG_CHARS);
            if !flags.iter().any(|known| known == flag) {
                flags.push(flag.to_owned());
            }
        }
        check(problems)?;
        Ok(Self { flags: PatchField(Some(flags)), ..self })
    }
}

impl MerchantHandle<'_> {
    /// The users who can have a return order, by name: the newest 200.
    pub async fn assignees(self) -> Result<Vec<view::Assignee>> {
        let mut reading = self.retour.store.read().await?;
        let newest = Listing::newest(Page::first(MAX_ASSIGNEES));
        let rows = users::list(reading.db(), self.staff.account(), &newest).await?;
        let mut all: Vec<view::Assignee> = rows.rows.into_iter().map(Into::into).collect();
        all.sort_by_cached_key(|assignee| assignee.name.to_lowercase());
        Ok(all)
    }

    /// Changes who has a return order, its flags, or whether changes of many leave it out. `version`: the version that
    /// the caller has seen.
    pub async fn change_return_order(
        self,
        id: ReturnOrderId,
        change: ReturnOrderChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let (retour, staff, change) = (self.retour.clone(), self.staff, change.checked()?);
        detached(async move {
            again_on_deadlock(|| retour.change_return_order_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_return_order_once(
        &self,
        staff: Staff,
        id: ReturnOrderId,
        change: &ReturnOrderChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, returned.order.version)?;
        if let Some(Some(user)) = change.assignee_id.0
            && users::find(writing.db(), account, user).await?.is_none()
        {
            let message = "expected the id of one of the account's users";
            return Err(Error::invalid("assigneeId", RefusalCode::NotAllowed, message));
        }
        let (before, had_it) = (returned.order.clone(), returned.order.assignee_id);
        change.assignee_id.put_into(&mut returned.order.assignee_id);
        change.flags.put_into(&mut returned.order.flags);
        change.leave_out_of_bulk.put_into(&mut returned.order.leave_out_of_bulk);
        if returned.order != before {
            let now = self.now();
            returned.order.updated_at = now;
            if !return_orders::set_handling(writing.db(), account, &returned.order).await? {
                return Err(Error::broken()); // cannot happen: the return order is locked
            }
            returned.order.version += 1;
            record_work(&mut writing, &staff, id, now).await?;
            let (before, after) = audited(&before, &returned.order)?;
            audit::record(&mut writing, &staff, now, AuditAction::ReturnOrderUpdated, id, Some(before), Some(after));
            if returned.order.assignee_id != had_it {
                let Returned { order, consumer, requests, .. } = &returned;
                let whole = OrderSnapshot { order, consumer, requests, new_shipments: &[] };
                writing.publish(Event {
                    id: EventId(self.source.id()),
                    account_id: account,
                    kind: EventType::ReturnOrderAssigned,
                    stage: None,
                    return_order_id: id,
                    data: order_data(&whole)?.to_string(),
                    created_at: now,
                });
            }
        }
        let shown = view::ReturnOrderView::from(returned.order).seen_by_staff(&staff);
        conclude(writing, account, key, 200, shown).await
    }
}

/// What the audit log says of a change. Flags may be about a person, and the log outlives an erasure: it does not say
/// what they were.
fn audited(before: &ReturnOrder, after: &ReturnOrder) -> Result<(Value, Value)> {
    let of = |order: &ReturnOrder, flags: Option<&str>| json!({"assigneeId": order.assignee_id, "leaveOutOfBulk": order.leave_out_of_bulk, "flags": flags});
    let flags = (before.flags != after.flags).then_some(audit::SECRET_CHANGED);
    audit::changed_fields(&of(before, None), &of(after, flags))
}
