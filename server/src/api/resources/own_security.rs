//! `/auth/user/…`: the sessions, the second factor and the password of the signed-in user.

use crate::api::base::{
    auth_extractors::Person,
    body::JsonBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::UserSessionId;
use returns::view;
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{delete, get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::auth("Own security");
    [sessions(of), second_factor(of)].concat()
}

fn sessions(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "/user/sessions", get(list_sessions))
            .named("listOwnSessions", "List your sessions")
            .described(
                "Lists where you are signed in: at the desk, and with tokens of the API. At most the newest 100.",
            )
            .open_to(Access::SignedIn)
            .answers::<view::UserSessions>(200, "The sessions, the newest first."),
        of.operation(Method::DELETE, "/user/sessions", delete(end_other_sessions))
            .named("endOtherSessions", "End your other sessions")
            .described("Ends all your sessions but the one of the request.")
            .open_to(Access::SignedIn)
            .answers_nothing(204, "The other sessions have ended."),
        of.operation(Method::DELETE, "/user/sessions/{id}", delete(end_session))
            .named("endOwnSession", "End one of your sessions")
            .open_to(Access::SignedIn)
            .answers_nothing(204, "The session has ended."),
        of.operation(Method::POST, "/user/password", post(change_password))
            .named("changeOwnPassword", "Change your password")
            .described("Replaces your password. All your sessions and tokens end, also the token of this request: sign in with the new password.")
            .open_to(Access::SignedIn)
            .takes::<PasswordChange>()
            .answers_nothing(204, "The password is changed."),
    ]
}

fn second_factor(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "/user/second-factor", get(show_factor))
            .named("getOwnSecondFactor", "Retrieve your second factor")
            .open_to(Access::SignedIn)
            .answers::<view::SecondFactor>(200, "The second factor, without secrets."),
        of.operation(Method::POST, "/user/totp", post(begin_totp))
            .named("beginOwnTotp", "Begin to set up an authenticator app")
            .described(
                "Creates a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Show `uri` as a QR \
                 code, or type `secret` into the app. `POST /auth/user/totp/confirm` with a code of the app completes \
                 it. Until then, an earlier app stays valid. It needs a sign-in of the last ten minutes: an older one \
                 gives 403 `ConfirmationRequired`.",
            )
            .open_to(Access::SignedIn)
            .answers::<view::NewTotp>(201, "The secret. Only this response contains it.")
            .conflicts(&["NoSecretKey"]),
        of.operation(Method::POST, "/user/totp/confirm", post(confirm_totp))
            .named("confirmOwnTotp", "Confirm an authenticator app")
            .described(
                "Completes the set-up of an authenticator app with its first code. From now on, each sign-in needs a \
                 code. Answers with ten recovery codes, each of which replaces a code once. Your other sessions end.",
            )
            .open_to(Access::SignedIn)
            .takes::<Code>()
            .answers::<view::NewRecoveryCodes>(200, "The recovery codes. Only this response contains them.")
            .conflicts(&["NoSecondFactor"]),
        of.operation(Method::DELETE, "/user/totp", delete(remove_totp))
            .named("removeOwnTotp", "Remove your authenticator app")
            .described(
                "Removes the authenticator app, and the recovery codes if you have no passkey. Your other sessions end. If the account requires \
                 a second factor of you, your next sign-in asks to set one up. It needs a sign-in of the last ten \
                 minutes.",
            )
            .open_to(Access::SignedIn)
            .answers_nothing(204, "The second factor is removed.")
            .conflicts(&["NoSecondFactor"]),
        of.operation(Method::POST, "/user/recovery-codes", post(renew_recovery_codes))
            .named("renewOwnRecoveryCodes", "Renew your recovery codes")
            .described("Replaces your recovery codes. It needs a sign-in of the last ten minutes.")
            .open_to(Access::SignedIn)
            .answers::<view::NewRecoveryCodes>(200, "Ten new codes. Only this response contains them.")
            .conflicts(&["NoSecondFactor"]),
    ]
}

/// A code of an authenticator app.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "TotpCode")]
struct Code {
    /// The six digits that the app shows now.
    #[schemars(length(max = 32))]
    code: String,
}

/// A change of the user's own password.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PasswordChange {
    /// The password that you sign in with now.
    current_password: String,
    /// 12 to 200 characters of any kind; neither the e-mail address nor a very common password.
    password: String,
}

async fn list_sessions(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok(Json(app.retour.own_sessions(&me.user).await?).into_response())
}

async fn end_other_sessions(app: State<App>, me: Person) -> Result<StatusCode, ApiError> {
    app.retour.end_other_sessions(&me.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end_session(app: State<App>, me: Person, Id(id): Id<UserSessionId>) -> Result<StatusCode, ApiError> {
    app.retour.end_own_session(&me.user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn change_password(app: State<App>, me: Person, body: JsonBody<PasswordChange>) -> Result<StatusCode, ApiError> {
    let PasswordChange { current_password, password } = body.value;
    app.retour.change_password(&me.user, current_password, password).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn show_factor(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok(Json(app.retour.second_factor(&me.user).await?).into_response())
}

async fn begin_totp(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, Json(app.retour.begin_totp(&me.user).await?)).into_response())
}

async fn confirm_totp(app: State<App>, me: Person, body: JsonBody<Code>) -> Result<Response, ApiError> {
    Ok(Json(app.retour.confirm_totp(&me.user, &body.value.code).await?).into_response())
}

async fn remove_totp(app: State<App>, me: Person) -> Result<StatusCode, ApiError> {
    app.retour.remove_totp(&me.user).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn renew_recovery_codes(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok(Json(app.retour.renew_recovery_codes(&me.user).await?).into_response())
}
