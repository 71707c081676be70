//! `/api/v0/account/<account_id>/mails` and, for the account of the credential, `/api/v0/mails`: the mail to consumers and its delivery.

use crate::api::base::{
    auth_extractors::Merchant,
    body::NoBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::MailId;
use returns::{Scope, lists, view};
use ui::web::routing::{get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("mails", "mail", "Mails").also_called("emails");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listMails", "List mails")
            .described(
                "Lists the mails that the operator's mail server accepted, and those that failed for good: Retour \
                 tries each mail for a day. The list covers 180 days and contains no recipients.",
            )
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::MAILS)
            .answers::<view::List<view::MailView>>(200, "A page of mails."),
        of.operation(Method::POST, "/{id}/resend", post(resend))
            .named("resendMail", "Send a mail again")
            .described(
                "Sends the mail about a return again, as the return is now. Consumers who declined optional mails get \
                 only those that they need.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::MailView>(200, "The mail. Its copy is sent within a minute.")
            .conflicts(&["IllegalTransition"]),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::MAILS, &[])?;
    Ok(Json(app.retour.merchant(&staff).sent_mails(&query.listing).await?).into_response())
}

async fn resend(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<MailId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).resend_mail(id, key).await?))
}
