//! `/auth/user` and `/auth/password`: users sign in, and set passwords.

use super::users::ONE_LINE;
use crate::api::base::{
    auth_extractors::Person,
    body::JsonBody,
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, Method, StatusCode, header::USER_AGENT},
    response::{IntoResponse, Response},
};
use domain::{Locale, Timestamp};
use returns::{Caller, Origin, OwnUserChange, PatchField, SignIn, SignInStep, UserCredentials, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ui::web::routing::{delete, get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::auth("Credentials");
    vec![
        of.operation(Method::POST, "/user", post(sign_in))
            .named("signIn", "Sign in a user")
            .described(
                "Answers with a token that is valid for an hour. An unknown e-mail address and a wrong password give \
                 the same 401 `InvalidCredentials`, after one second. After ten failed attempts with one e-mail \
                 address on one day, the answer is 429. A client that has signed in with the address before has ten \
                 attempts of its own. A user with a second factor sends `code`, too: without it, the answer is 401 \
                 `SecondFactorRequired`, and with a wrong one 401 `WrongCode`. A code works once, and 20 wrong ones a \
                 day are evaluated. A user whose second factor is a passkey signs in with `POST /auth/passkey`, or sends a \
                 recovery code.",
            )
            .open_to(Access::Anyone)
            .takes::<Credentials>()
            .answers::<SignedIn>(200, "The token and its user."),
        of.operation(Method::GET, "/user", get(me))
            .named("getSignedInUser", "Retrieve the signed-in user")
            .open_to(Access::SignedIn)
            .answers::<view::User>(200, "The user who owns the token."),
        of.operation(Method::PATCH, "/user", patch(change_me))
            .named("updateSignedInUser", "Update the signed-in user")
            .described("Changes your name. Only an administrator changes roles.")
            .open_to(Access::SignedIn)
            .once()
            .versioned()
            .takes::<OwnUserPatch>()
            .answers::<view::User>(200, "The user, without credentials."),
        of.operation(Method::DELETE, "/user", delete(sign_out))
            .named("signOut", "Sign out a user")
            .open_to(Access::SignedIn)
            .answers_nothing(204, "The token of the request no longer works."),
        of.operation(Method::POST, "/password", post(set_password))
            .named("setPassword", "Set a password")
            .described(
                "Sets the password with the token of an invitation or of a mail, which then becomes invalid. All tokens of the \
                 user end. A wrong, used or expired invitation gives 401 `InvalidInvitation`.",
            )
            .open_to(Access::Anyone)
            .takes::<NewPassword>()
            .answers_nothing(204, "The password is set."),
        of.operation(Method::POST, "/password/reset", post(ask_for_password))
            .named("requestPasswordReset", "Request a mail that sets a forgotten password")
            .described(
                "Mails a link that sets another password, once and within an hour, if a user has this address. The \
                 answer is the same if nobody has it, or if there were too many requests today.",
            )
            .open_to(Access::Anyone)
            .takes::<PasswordReset>()
            .answers_nothing(202, "If there is such a user, they get a mail.")
            .conflicts(&["NoMailServer"]),
    ]
}

/// The fields of the signed-in user to change.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SignedInUserChange")]
struct OwnUserPatch {
    /// The user's name, at most 100 characters.
    #[serde(default)]
    #[schemars(length(max = 100), extend("pattern" = ONE_LINE))]
    name: PatchField<String>,
    /// The language of the desk and of mails to the user (BCP 47).
    #[serde(default)]
    language: PatchField<Option<Locale>>,
}

/// The credentials that a user signs in with.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "UserCredentials")]
struct Credentials {
    /// The user's e-mail address; case does not matter.
    email: String,
    /// The user's password.
    password: String,
    /// The six digits that the user's authenticator app shows now, or a recovery code. Only users with a second factor
    /// need it.
    #[serde(default)]
    #[schemars(length(max = 64))]
    code: Option<String>,
}

/// The token of a user who has just signed in.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignedIn {
    /// The credential for the header `Authorization: Bearer …`.
    access_token: String,
    /// The scheme of the `Authorization` header: always `Bearer`.
    token_type: &'static str,
    /// When the token stops working.
    expires_at: Timestamp,
    /// What the token still needs. With `Enrol`, it opens only the operations under `/auth/user`, until the user has set
    /// up a second factor.
    step: SignInStep,
    /// The user who owns the token.
    user: view::User,
}

impl From<SignIn> for SignedIn {
    fn from(signed_in: SignIn) -> Self {
        Self {
            access_token: signed_in.token,
            token_type: "Bearer",
            expires_at: signed_in.expires_at,
            step: signed_in.step,
            user: signed_in.user,
        }
    }
}

/// A user who has forgotten the password.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PasswordReset {
    /// The e-mail address that the user signs in with.
    #[schemars(length(max = 254))]
    email: String,
}

/// A new password, with the invitation that allows it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewPassword {
    /// The token of the user's invitation.
    token: String,
    /// 12 to 200 characters of any kind; neither the e-mail address nor a very common password.
    password: String,
}

async fn sign_in(
    app: State<App>,
    Extension(from): Extension<Origin>,
    headers: HeaderMap,
    body: JsonBody<Credentials>,
) -> Result<Response, ApiError> {
    let Credentials { email, password, code } = body.value;
    let device = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signed_in = app.retour.sign_in(UserCredentials { email, password, code }, from, device).await?;
    Ok(Json(SignedIn::from(signed_in)).into_response())
}

async fn me(app: State<App>, person: Person) -> Result<Response, ApiError> {
    let user = app.retour.own_user(&person.user).await?;
    Ok(with_etag(user.version, Json(user).into_response()))
}

async fn change_me(
    app: State<App>,
    person: Person,
    IfMatch(version): IfMatch,
    body: JsonBody<OwnUserPatch>,
) -> Result<Response, ApiError> {
    let key = body.key(&Caller::User(person.user.clone()));
    let OwnUserPatch { name, language } = body.value;
    let change = OwnUserChange { name: name.0, language, version };
    Ok(done(app.retour.change_own_user(&person.user, change, key).await?))
}

async fn sign_out(app: State<App>, person: Person) -> Result<StatusCode, ApiError> {
    app.retour.sign_out(&person.user, &person.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn set_password(
    app: State<App>,
    Extension(from): Extension<Origin>,
    body: JsonBody<NewPassword>,
) -> Result<StatusCode, ApiError> {
    app.retour.set_password(&body.value.token, body.value.password, from).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn ask_for_password(
    app: State<App>,
    Extension(from): Extension<Origin>,
    body: JsonBody<PasswordReset>,
) -> Result<StatusCode, ApiError> {
    app.retour.ask_for_password(&body.value.email, from).await?;
    Ok(StatusCode::ACCEPTED)
}
