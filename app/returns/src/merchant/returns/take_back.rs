//! Takes back what the warehouse recorded, until the resolution begins.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Scope, Staff, again_on_deadlock, conclude,
        detached, error::check,
    },
    merchant::handle::MerchantHandle,
    returning::{
        change::{Change, Returned},
        warehouse::taken_back_comment,
    },
    view::{self, redaction::SeenByStaff as _},
};
use domain::{
    Problems, ReceivingId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId, Timestamp, WarehouseStepId,
    returning::{WarehouseStep, WarehouseStepKind},
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{return_requests, warehouse_steps};

/// How long something can be taken back without a reason, in seconds.
pub(crate) const WITHOUT_REASON_SECONDS: i64 = 600;
const MAX_REASON_CHARS: usize = 500;

/// Why something is taken back.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakeBack {
    /// The reason, for the timeline. Required ten minutes after the receipt.
    #[schemars(length(max = 500))]
    pub reason: Option<String>,
}

/// What is taken back.
#[derive(Debug, Clone, Copy)]
enum Recording {
    Receiving(ReturnOrderId, ReceivingId),
    Receipt(ReturnRequestId, WarehouseStepId),
    Inspection(ReturnRequestId),
}

impl MerchantHandle<'_> {
    /// Takes a whole parcel back: every return request is as before.
    pub async fn reverse_receiving(
        self,
        order: ReturnOrderId,
        id: ReceivingId,
        why: TakeBack,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        check(why.problems())?;
        let what = Recording::Receiving(order, id);
        detached(async move {
            again_on_deadlock(|| async {
                let begun = match retour.begin(staff.account(), key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let (writing, returned) = retour.take_back_in(begun, staff, what, why.reason.as_deref()).await?;
                let mut shown = view::ReturnOrderView::from(returned.order);
                shown.return_requests = Some(returned.requests.into_iter().map(Into::into).collect());
                conclude(writing, staff.account(), key.as_ref(), 200, shown.seen_by_staff(&staff)).await
            })
            .await
        })
        .await
    }

    /// Takes a receipt of a request back, with the inspection that was recorded with it.
    pub async fn reverse_receipt(
        self,
        request: ReturnRequestId,
        id: WarehouseStepId,
        why: TakeBack,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        check(why.problems())?;
        let what = Recording::Receipt(request, id);
        detached(async move {
            again_on_deadlock(|| async {
                let begun = match retour.begin(staff.account(), key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let (writing, returned) = retour.take_back_in(begun, staff, what, why.reason.as_deref()).await?;
                let found = returned.requests.into_iter().find(|one| one.id == request).or_broken()?;
                let shown = view::ReturnRequestView::from(found).seen_by_staff(&staff);
                conclude(writing, staff.account(), key.as_ref(), 200, shown).await
            })
            .await
        })
        .await
    }

    /// Takes the inspection of a request back: it waits for another one.
    pub async fn delete_inspection(self, request: ReturnRequestId) -> Result<()> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| async {
                let begun = retour.store.write().await?;
                let (writing, _) = retour.take_back_in(begun, staff, Recording::Inspection(request), None).await?;
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}

impl Retour {
    /// Takes something back in a transaction, which the caller commits.
    async fn take_back_in(
        &self,
        mut writing: store::Writing,
        staff: Staff,
        what: Recording,
        reason: Option<&str>,
    ) -> Result<(store::Writing, Returned)> {
        let (account, now) = (staff.account(), self.now());
        let order = match what {
            Recording::Receiving(order, _) => order,
            Recording::Receipt(request, _) | Recording::Inspection(request) => {
                let found = return_requests::find(writing.db(), account, request).await?.ok_or(Error::NotFound)?;
                found.return_order_id
            }
        };
        let mut returned = Returned::lock(&mut writing, account, order).await?.ok_or(Error::NotFound)?;
        let steps = warehouse_steps::list_of_return_order(writing.db(), account, order).await?;
        let steps = what.steps(&steps, &returned)?;
        check_late(what, &steps, &staff, reason, now)?;
        if returned.order.status.is_over() && returned.order.payment.is_some() {
            let message = "The return is completed, and its payment is closed. This can no longer be taken back.";
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let change = Change { now, ..self.change_by(&staff, &settings, taken_back_comment(reason)) };
        for step in steps {
            change.take_back(&mut writing, &mut returned, step).await?;
        }
        change.follow_up(&mut writing, &mut returned).await?;
        Ok((writing, returned))
    }
}

impl Recording {
    /// Its steps, the last one first.
    fn steps<'a>(self, all: &'a [WarehouseStep], returned: &Returned) -> Result<Vec<&'a WarehouseStep>> {
        let last_first = all.iter().rev();
        let steps: Vec<&WarehouseStep> = match self {
            Self::Receiving(_, id) => last_first.filter(|step| step.receiving_id == Some(id)).collect(),
            Self::Receipt(request, id) => {
                last_first.filter(|step| (step.return_request_id, step.id) == (request, id)).collect()
            }
            Self::Inspection(request) => {
                let of_request = last_first.filter(|step| step.return_request_id == request);
                of_request.take_while(|step| step.kind == WarehouseStepKind::Inspection).collect()
            }
        };
        if !steps.is_empty() {
            return Ok(steps);
        }
        if let Self::Inspection(request) = self
            && returned.requests.iter().any(|one| one.id == request && one.state.inspection.is_some())
        {
            let message = "This inspection was recorded with a receipt, or before one. Take the receipt back instead.";
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        Err(Error::NotFound)
    }
}

/// Some time after it was recorded, somebody may have acted on it: then it needs a reason, and somebody who decides.
fn check_late(
    what: Recording,
    steps: &[&WarehouseStep],
    staff: &Staff,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    if steps.iter().all(|step| step.created_at.plus_seconds(WITHOUT_REASON_SECONDS) >= now) {
        return Ok(());
    }
    staff.check(Scope::Resolve)?;
    // The operation that deletes an inspection has no body.
    let is_given = reason.is_some_and(|reason| !reason.trim().is_empty());
    if is_given || matches!(what, Recording::Inspection(_)) {
        return Ok(());
    }
    let message = "expected a reason, because this was recorded over ten minutes ago";
    Err(Error::invalid("reason", RefusalCode::Required, message))
}

impl TakeBack {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if let Some(reason) = &self.reason {
            problems.check_text("reason", reason, 0..=MAX_REASON_CHARS);
        }
        problems
    }
}
