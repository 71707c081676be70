//! `/api/v0/account/<account_id>` and, for an account's own credential, `/api/v0/account`.

use super::{
    body::JsonBody,
    door::{IfMatch, Merchant, done, with_etag},
    error::ApiError,
    operation::{Access, Operation, Resource},
};
use crate::App;
use axum::{
    Json,
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
    routing::{get, patch},
};
use returns::{AccountChange, Scope, view};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::account("Account");
    vec![
        of.operation(Method::GET, "", get(one))
            .named("getAccount", "The account")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Account>(200, "The account with its policy and branding."),
        of.operation(Method::PATCH, "", patch(change))
            .named("updateAccount", "Change the account")
            .described(
                "Fields that are given change, the others stay, also within `policy` and `branding`; `bridge`, `carrier` and \
                 `payment` are set anew, but for secrets that are left out. Slug and currency cannot be changed.",
            )
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .versioned()
            .takes::<AccountChange>()
            .conflicts(&["NoSecretKey"])
            .answers::<view::Account>(200, "The account, as it is now."),
    ]
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    let account = app.retour.account_settings(&staff).await?;
    Ok(with_etag(account.version, Json(account).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    IfMatch(version): IfMatch,
    body: JsonBody<AccountChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.change_account(&staff, body.value, version, key).await?))
}
