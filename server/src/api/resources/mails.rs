//! `/api/v0/account/<account_id>/mails` and, for the account of the credential, `/api/v0/mails`: the mail to consumers and its delivery.

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
    routing::get,
};
use returns::{Scope, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("mails", "mail", "Mails").also_called("emails");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listMails", "List mails")
            .described(
                "What was handed to the operator's mail server, and what never will be: a mail is tried for a day. Kept for \
                 180 days, without recipients.",
            )
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::MAILS)
            .answers::<view::List<view::MailView>>(200, "A page of mails."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::MAILS, &[])?;
    Ok(Json(app.retour.merchant(&staff).sent_mails(&query.listing).await?).into_response())
}
