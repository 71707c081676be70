//! `/api/v0/account/<account_id>` and, for the account of the credential, `/api/v0/account`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use returns::{AccountChange, NewPreview, Scope, view};
use ui::web::routing::{get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::account("Account");
    vec![
        of.operation(Method::GET, "", get(one))
            .named("getAccount", "Retrieve the account")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Account>(200, "The account with its policy and branding."),
        of.operation(Method::PATCH, "", patch(change))
            .named("updateAccount", "Update the account")
            .described(
                "Changes the given fields. The others stay, also within `policy` and `branding`. `bridge`, `carrier` and \
                 `payment` are replaced as a whole, except for secrets that are left out. Slug and currency never change.",
            )
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .versioned()
            .takes::<AccountChange>()
            .conflicts(&["NoSecretKey"])
            .answers::<view::Account>(200, "The account, as it is now."),
        of.operation(Method::GET, "/integrations", get(integrations))
            .named("listIntegrations", "List the account's integrations")
            .described(
                "Lists the shop, carrier and payment provider that the account is connected to, and whether calls to \
                 them succeed. Receivers of webhooks are not in the list: subscriptions have their own deliveries.",
            )
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::List<view::Integration>>(200, "The integrations that are set up, on one page."),
        of.operation(Method::POST, "/previews", post(preview))
            .named("createPreview", "Create a preview")
            .described(
                "Creates a preview of this branding: for a day, the URL in the answer shows the portal with it to \
                 everybody who has the URL. The live portal does not change. To publish the branding, send the same \
                 body to `PATCH` the account.",
            )
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .changes()
            .takes::<NewPreview>()
            .answers::<view::Preview>(201, "The URL of the preview."),
    ]
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    let account = app.retour.merchant(&staff).account_settings().await?;
    Ok(with_etag(account.version, Json(account).into_response()))
}

async fn integrations(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).integrations().await?).into_response())
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    IfMatch(version): IfMatch,
    body: JsonBody<AccountChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_account(body.value, version, key).await?))
}

async fn preview(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewPreview>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).preview(body.value, key).await?))
}
