//! `/api/v0/account/<account_id>/users`: the merchant's people, who sign in with a password.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::{Id, SessionIdOfPath},
    query::Query,
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{Locale, UserId};
use returns::{NewUser, PatchField, Role, Scope, UserChange, lists, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{delete, get, patch, post};

/// The pattern of names of users and service users: one line, without control characters.
pub(super) const ONE_LINE: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("users", "user", "Users");
    [user_operations(of), sign_in_operations(of)].concat()
}

fn user_operations(of: Resource) -> Vec<Operation> {
    let admin = Access::Staff(Scope::Admin);
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listUsers", "List users")
            .open_to(admin)
            .lists(&lists::USERS)
            .answers::<view::List<view::User>>(200, "A page of users."),
        of.operation(Method::POST, "", post(invite))
            .named("inviteUser", "Invite a user")
            .described(
                "Creates a user with an invitation. If the installation sends mail, the user gets a link. Otherwise, \
                 give the invitation's token to the owner of the e-mail address, who sets a password with it \
                 (`POST /auth/password`) within 7 days.",
            )
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .takes::<Invitation>()
            .answers::<view::InvitedUser>(201, "The user with an invitation. Only this response contains the token.")
            .conflicts(&["EmailTaken", "Conflict"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getUser", "Retrieve a user")
            .open_to(admin)
            .answers::<view::User>(200, "The user, without credentials."),
        of.operation(Method::PATCH, "/{id}", patch(update))
            .named("updateUser", "Update a user")
            .described("A new role ends all sessions and tokens of the user, who signs in again.")
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .versioned()
            .takes::<UserPatch>()
            .answers::<view::User>(200, "The user, without credentials.")
            .conflicts(&["LastAdmin"]),
        of.operation(Method::POST, "/{id}/invitation", post(invite_again))
            .named("inviteUserAgain", "Renew a user's invitation")
            .described(
                "Creates a new invitation for a user whose invitation has expired or who has forgotten the password. \
                 Earlier invitations end. A password stays valid until the user sets another one.",
            )
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .answers::<view::InvitedUser>(201, "The user with a new invitation. Only this response contains the token.")
            .conflicts(&["Conflict"]),
        of.operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteUser", "Delete a user")
            .described(
                "Deletes the user. The user's tokens end at once, and the e-mail address is available again. \
                 Their changes stay under the user's id.",
            )
            .open_to(admin)
            .for_recent_sign_ins()
            .answers_nothing(204, "The user is deleted.")
            .conflicts(&["LastAdmin"]),
    ]
}

/// What an administrator can do about the sign-in of a user.
fn sign_in_operations(of: Resource) -> Vec<Operation> {
    let admin = Access::Staff(Scope::Admin);
    vec![
        of.operation(Method::POST, "/{id}/reset-factors", post(reset_factors))
            .named("resetUserFactors", "Reset a user's second factor")
            .described(
                "Removes the authenticator app and the recovery codes of a user who has lost them. All sessions of the \
                 user end. If the account requires a second factor of the user, the next sign-in asks to set one up.",
            )
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .answers::<view::User>(200, "The user, without a second factor."),
        of.operation(Method::GET, "/{id}/sessions", get(list_sessions))
            .named("listUserSessions", "List a user's sessions")
            .open_to(admin)
            .answers::<view::UserSessions>(200, "The sessions, the newest first; at most 100."),
        of.operation(Method::DELETE, "/{id}/sessions", delete(end_sessions))
            .named("endUserSessions", "End all sessions of a user")
            .open_to(admin)
            .for_recent_sign_ins()
            .answers_nothing(204, "The user is signed out everywhere."),
        of.operation(Method::DELETE, "/{id}/sessions/{session_id}", delete(end_session))
            .named("endUserSession", "End a session of a user")
            .open_to(admin)
            .for_recent_sign_ins()
            .answers_nothing(204, "The session has ended."),
    ]
}

/// A person to invite as a user.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Invitation {
    /// The e-mail address to sign in with, at most 254 characters. An address can have one user in the whole installation.
    #[schemars(length(max = 254))]
    email: String,
    /// The person's name, at most 100 characters.
    #[serde(default)]
    #[schemars(length(max = 100), extend("pattern" = ONE_LINE))]
    name: String,
    /// The user's role: an `admin` may do everything, an `agent` works on returns, a `viewer` only reads.
    role: Role,
    /// The language of the desk and of mails to the user (BCP 47), such as the mail with the invitation. Without one: as
    /// the browser and the account's `branding.locale` say.
    #[serde(default)]
    language: Option<Locale>,
}

/// The fields of a user to change.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UserChange")]
struct UserPatch {
    /// The user's name, at most 100 characters.
    #[serde(default)]
    #[schemars(length(max = 100), extend("pattern" = ONE_LINE))]
    name: PatchField<String>,
    /// The role, which decides what the user may do.
    #[serde(default)]
    role: PatchField<Role>,
    /// The language of the desk and of mails to the user (BCP 47).
    #[serde(default)]
    language: PatchField<Option<Locale>>,
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::USERS, &[])?;
    Ok(Json(app.retour.merchant(&staff).users(&query.listing).await?).into_response())
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<UserId>) -> Result<Response, ApiError> {
    let found = app.retour.merchant(&staff).user(id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn invite(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<Invitation>,
) -> Result<Response, ApiError> {
    let key = body.sealed_key(&caller);
    let Invitation { email, name, role, language } = body.value;
    Ok(done(app.retour.merchant(&staff).invite_user(NewUser { email, name, role, language }, key).await?))
}

async fn invite_again(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<UserId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.sealed_key(&caller);
    Ok(done(app.retour.merchant(&staff).invite_user_again(id, key).await?))
}

async fn update(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<UserId>,
    IfMatch(version): IfMatch,
    body: JsonBody<UserPatch>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let UserPatch { name, role, language } = body.value;
    let change = UserChange { name: name.0, role: role.0, language, version };
    Ok(done(app.retour.merchant(&staff).update_user(id, change, key).await?))
}

async fn remove(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<UserId>) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).delete_user(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn reset_factors(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<UserId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).reset_factors(id, key).await?))
}

async fn list_sessions(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<UserId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).user_sessions(id).await?).into_response())
}

async fn end_sessions(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<UserId>,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).end_user_sessions(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn end_session(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<UserId>,
    SessionIdOfPath(session): SessionIdOfPath,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).end_user_session(id, session).await?;
    Ok(StatusCode::NO_CONTENT)
}
