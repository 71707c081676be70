//! Who else looks at a return order: staff see that a colleague is working on it.

use super::actors::names;
use crate::{
    base::{Error, Result, again_on_deadlock, detached},
    merchant::handle::MerchantHandle,
    view,
};
use domain::ReturnOrderId;
use schemars::JsonSchema;
use serde::Deserialize;
use store::return_order_visits::{self, Visit};

/// How long a visit is shown after the last look, in seconds.
pub(crate) const VISITS_SHOWN_SECONDS: i64 = 300;

/// What a visitor of a return order does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VisitInput {
    /// Whether you write something about the return order, such as a note or the reason of a decision.
    pub is_writing: bool,
}

impl MerchantHandle<'_> {
    /// Records that the caller looks at a return order. Returns who else did in the last minutes, the last first.
    pub async fn visit_return_order(self, id: ReturnOrderId, input: VisitInput) -> Result<Vec<view::VisitView>> {
        let VisitInput { is_writing } = input;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move {
            again_on_deadlock(|| async {
                let (account, now) = (staff.account(), retour.now());
                let mut writing = retour.store.write().await?;
                store::return_orders::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                if let Some(visitor_id) = staff.actor_id() {
                    let visit = Visit { visitor_id, seen_at: now, is_writing };
                    return_order_visits::record(writing.db(), account, id, visit).await?;
                }
                let since = now.plus_seconds(-VISITS_SHOWN_SECONDS);
                let mut visits = return_order_visits::list_since(writing.db(), account, id, since).await?;
                visits.retain(|visit| Some(visit.visitor_id) != staff.actor_id());
                let ids: Vec<_> = visits.iter().map(|visit| visit.visitor_id).collect();
                let mut names = names(writing.db(), account, &ids).await?;
                writing.commit().await?;
                let shown = |Visit { visitor_id, seen_at, is_writing }| view::VisitView {
                    visitor_id,
                    visitor_name: names.remove(&visitor_id),
                    seen_at,
                    is_writing,
                };
                Ok(visits.into_iter().map(shown).collect())
            })
            .await
        })
        .await
    }
}
