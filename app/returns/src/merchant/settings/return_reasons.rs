//! A merchant's return reasons.

use super::common::{archive, check_position, check_room, check_version, next_position};
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check, patch_field::PatchField,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, Percent, Problems, RefusalCode, ReturnReasonId, Timestamp, Translated,
    audit::AuditAction,
    policy::{
        Resolution,
        question::{self, Question},
        reason::{EvidenceRule, Fault, ReasonRules, ReturnReason},
    },
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{Writing, lists::Listing, return_reasons, settings::Kept};

const MAX_DESCRIPTION_CHARS: usize = 500;

/// A return reason to create.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReturnReason {
    /// The text that consumers read, by language: 1 to 500 characters each.
    #[schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 500}))]
    pub description: Translated,
    /// The more general reason that this one refines. That one must not refine another reason itself.
    pub parent_id: Option<ReturnReasonId>,
    /// The position in the list of reasons, 0 to 1,000,000; after the last one, if left out.
    #[schemars(range(max = 1_000_000))]
    pub position: Option<u32>,
    /// Whether photos are required; `none`, if left out.
    pub evidence: Option<EvidenceRule>,
    /// Whether staff review a request before it is approved; `false`, if left out.
    #[serde(default)]
    pub review: bool,
    /// The party at fault; the consumer, if left out.
    pub fault: Option<Fault>,
    /// The part of the price that the shop keeps, in percent; 0, if left out.
    #[serde(default)]
    pub restocking_fee_percent: Percent,
    /// The resolutions that consumers may choose, each once; if empty or left out, all that the policy allows.
    #[serde(default)]
    pub allowed_resolutions: Vec<Resolution>,
    /// The questions about a returned item, in this order.
    #[serde(default)]
    #[schemars(length(max = 10))]
    pub questions: Vec<Question>,
}

/// Changes to a reason. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReturnReasonChange {
    /// The text that consumers read, by language. Replaces all languages.
    #[schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 500}))]
    pub description: PatchField<Translated>,
    /// The more general reason that this one refines; `null`: none.
    pub parent_id: PatchField<Option<ReturnReasonId>>,
    /// The position in the list of reasons; lower comes first.
    #[schemars(range(max = 1_000_000))]
    pub position: PatchField<u32>,
    /// Whether photos are required.
    pub evidence: PatchField<EvidenceRule>,
    /// Whether staff review a request before it is approved.
    pub review: PatchField<bool>,
    /// The party at fault.
    pub fault: PatchField<Fault>,
    /// The part of the price that the shop keeps, in percent.
    pub restocking_fee_percent: PatchField<Percent>,
    /// The resolutions that consumers may choose, each once; if empty, all that the policy allows.
    pub allowed_resolutions: PatchField<Vec<Resolution>>,
    /// The questions about a returned item. Replaces all questions.
    #[schemars(length(max = 10))]
    pub questions: PatchField<Vec<Question>>,
    /// `true` archives the reason, `false` restores it.
    pub archived: PatchField<bool>,
}

impl ReturnReasonChange {
    fn apply(&self, kept: &mut Kept<ReturnReason>, now: Timestamp) {
        let reason = &mut kept.value;
        self.description.put_into(&mut reason.description);
        self.parent_id.put_into(&mut reason.parent_id);
        self.position.put_into(&mut reason.position);
        self.evidence.put_into(&mut reason.rules.evidence);
        self.review.put_into(&mut reason.rules.review);
        self.fault.put_into(&mut reason.rules.fault);
        self.restocking_fee_percent.put_into(&mut reason.rules.restocking_fee_percent);
        self.allowed_resolutions.put_into(&mut reason.rules.allowed_resolutions);
        self.questions.put_into(&mut reason.rules.questions);
        archive(&mut kept.archived_at, self.archived.0, now);
    }
}

fn problems_of(reason: &ReturnReason) -> Problems {
    let mut problems = reason.description.check("description", 1, MAX_DESCRIPTION_CHARS);
    check_position(&mut problems, reason.position);
    let allowed = &reason.rules.allowed_resolutions;
    if allowed.iter().enumerate().any(|(index, one)| allowed.iter().take(index).any(|before| before == one)) {
        problems.add("allowedResolutions", RefusalCode::NotAllowed, "expected each resolution once");
    }
    problems.0.extend(question::check(&reason.rules.questions).0);
    problems
}

/// Refuses a parent that does not exist, or that would make more than two levels.
async fn check_parent(writing: &mut Writing, account: AccountId, reason: &ReturnReason) -> Result<()> {
    let Some(parent) = reason.parent_id else { return Ok(()) };
    let no = |message: &str| Err(Error::invalid("parentId", RefusalCode::NotAllowed, message));
    if parent == reason.id {
        return no("expected another reason than this one");
    }
    match return_reasons::find(writing.db(), account, parent).await? {
        Some(found) if found.archived_at.is_none() && found.value.parent_id.is_none() => {}
        _ => return no("expected the id of a return reason that is not archived and has no parent itself"),
    }
    if return_reasons::has_parts(writing.db(), account, reason.id).await? {
        return no("expected null: this reason has sub-reasons itself");
    }
    Ok(())
}

impl MerchantHandle<'_> {
    /// An account's return reasons.
    pub async fn return_reasons(self, listing: &Listing) -> Result<view::List<view::ReturnReason>> {
        let mut reading = self.retour.store.read().await?;
        let rows = return_reasons::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, Into::into))
    }

    /// A return reason, archived or not.
    pub async fn return_reason(self, id: ReturnReasonId) -> Result<view::ReturnReason> {
        let mut reading = self.retour.store.read().await?;
        Ok(return_reasons::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Adds a return reason.
    pub async fn create_return_reason(
        self,
        new: NewReturnReason,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnReason>> {
        let reason = ReturnReason {
            id: ReturnReasonId(self.retour.source.id()),
            parent_id: new.parent_id,
            description: new.description,
            position: new.position.unwrap_or(0),
            rules: ReasonRules {
                evidence: new.evidence.unwrap_or(EvidenceRule::None),
                review: new.review,
                fault: new.fault.unwrap_or(Fault::Consumer),
                restocking_fee_percent: new.restocking_fee_percent,
                allowed_resolutions: new.allowed_resolutions,
                questions: new.questions,
            },
        };
        check(problems_of(&reason))?;
        let (retour, staff, last) = (self.retour.clone(), self.staff, new.position.is_none());
        detached(async move {
            again_on_deadlock(|| retour.create_return_reason_once(staff, reason.clone(), last, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn create_return_reason_once(
        &self,
        staff: Staff,
        mut reason: ReturnReason,
        last: bool,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnReason>> {
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let room = return_reasons::room(writing.db(), account).await?;
        check_room(room.count, "return reasons")?;
        check_parent(&mut writing, account, &reason).await?;
        if last {
            reason.position = next_position(room.last);
        }
        return_reasons::insert(writing.db(), account, &reason, self.now()).await?;
        let kept = return_reasons::find(writing.db(), account, reason.id).await?.or_broken()?;
        let made = view::ReturnReason::from(kept);
        audit::record_created(&mut writing, &staff, self.now(), AuditAction::ReturnReasonCreated, made.id, &made)?;
        conclude(writing, account, key, 201, made).await
    }
}

impl MerchantHandle<'_> {
    /// Changes a return reason, field by field. `version`: the version that the caller has seen.
    pub async fn change_return_reason(
        self,
        id: ReturnReasonId,
        change: ReturnReasonChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnReason>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| retour.change_return_reason_once(staff, id, &change, version, key.as_ref())).await
        })
        .await
    }
}

impl Retour {
    async fn change_return_reason_once(
        &self,
        staff: Staff,
        id: ReturnReasonId,
        change: &ReturnReasonChange,
        version: Option<i64>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnReason>> {
        let account = staff.account();
        let mut writing = match self.begin_settings(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut kept = return_reasons::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        check_version(version, kept.version)?;
        let before = kept.clone();
        change.apply(&mut kept, self.now());
        check(problems_of(&kept.value))?;
        if kept.value.parent_id != before.value.parent_id {
            check_parent(&mut writing, account, &kept.value).await?;
        }
        if kept != before {
            kept.updated_at = self.now();
            if !return_reasons::update(writing.db(), account, &kept).await? {
                return Err(Error::broken()); // cannot happen: the settings are locked
            }
            kept.version += 1;
            let views = (&before.into(), &view::ReturnReason::from(kept.clone()));
            audit::record_changed(&mut writing, &staff, kept.updated_at, AuditAction::ReturnReasonUpdated, id, views)?;
        }
        conclude(writing, account, key, 200, kept.into()).await
    }
}

impl MerchantHandle<'_> {
    /// Deletes a return reason that no return uses, and archives any other one.
    pub async fn delete_return_reason(self, id: ReturnReasonId) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.delete_return_reason_once(staff, id)).await }).await
    }
}

impl Retour {
    async fn delete_return_reason_once(&self, staff: Staff, id: ReturnReasonId) -> Result<()> {
        let (account, now) = (staff.account(), self.now());
        let mut writing = self.store.write().await?;
        store::accounts::hold(writing.db(), account).await?;
        let mut kept = return_reasons::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        let before = view::ReturnReason::from(kept.clone());
        let is_archived = kept.archived_at.is_some();
        let is_deleted = return_reasons::delete_unused(writing.db(), account, id).await?;
        if !is_deleted && !is_archived {
            kept.updated_at = now;
            kept.archived_at = Some(now);
            return_reasons::update(writing.db(), account, &kept).await?;
        }
        if is_deleted || !is_archived {
            audit::record_deleted(&mut writing, &staff, now, AuditAction::ReturnReasonDeleted, id, &before)?;
        }
        Ok(writing.commit().await?)
    }
}
