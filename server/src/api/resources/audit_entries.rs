//! `/api/v0/account/<account_id>/audit-entries`: what people and programs changed.

use crate::api::base::{
    auth_extractors::Merchant,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    query::Query,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use returns::{Scope, lists, view};
use ui::web::routing::get;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("audit-entries", "audit-entry", "Audit entries");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listAuditEntries", "List audit entries")
            .described(
                "Lists what users, programs and the operator changed, newest first: users, API keys, settings, webhooks, \
                 imports, exports and erasures of personal data, and exceptions. The moves of returns are in their \
                 timelines. Entries are kept for two years. Without the scope `admin`, only entries with the topic \
                 `Money` are listed; users with the role `agent` see none.",
            )
            .open_to(Access::StaffButAgents(&[Scope::Admin, Scope::Resolve]))
            .lists(&lists::AUDIT_ENTRIES)
            .answers::<view::List<view::AuditEntry>>(200, "A page of audit entries."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::AUDIT_ENTRIES, &[])?;
    Ok(Json(app.retour.merchant(&staff).audit_entries(&query.listing).await?).into_response())
}
