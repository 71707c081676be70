//! `/auth/passkey` and `/auth/user/passkeys`: users sign in with passkeys, and add and remove them.

use super::sign_in::SignedIn;
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
    Extension,
    extract::State,
    http::{HeaderMap, Method, StatusCode, header::USER_AGENT},
    response::{IntoResponse, Response},
};
use domain::PasskeyId;
use returns::{NewPasskey, Origin, PasskeyProof, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{delete, get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    [credentials(Resource::auth("Credentials")), own(Resource::auth("Own security"))].concat()
}

fn credentials(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::POST, "/passkey/options", post(begin_sign_in))
            .named("beginPasskeySignIn", "Begin a sign-in with a passkey")
            .described(
                "Answers with what a browser asks for a passkey with (WebAuthn): \
                 `PublicKeyCredential.parseRequestOptionsFromJSON(…)` reads it. It names no passkeys. The challenge works once, within \
                 five minutes, in pages of the host `rpId`.",
            )
            .open_to(Access::Anyone)
            .answers::<view::PasskeyRequestOptions>(201, "The options for the browser.")
            .conflicts(&["NoHostName"]),
        of.operation(Method::POST, "/passkey", post(sign_in))
            .named("signInWithPasskey", "Sign in a user with a passkey")
            .described(
                "Answers with a token that is valid for an hour. A passkey needs no password and no code, because the authenticator has \
                 verified the person. A passkey that is not accepted gives 401 `WrongPasskey`, after one second.",
            )
            .open_to(Access::Anyone)
            .takes::<Proof>()
            .answers::<SignedIn>(200, "The token and its user.")
            .conflicts(&["NoHostName"]),
    ]
}

fn own(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "/user/passkeys", get(list))
            .named("listOwnPasskeys", "List your passkeys")
            .open_to(Access::SignedIn)
            .answers::<view::Passkeys>(200, "The passkeys, the oldest first."),
        of.operation(Method::POST, "/user/passkeys/options", post(begin))
            .named("beginOwnPasskey", "Begin to add a passkey")
            .described(
                "Answers with what a browser makes a passkey from (WebAuthn): `PublicKeyCredential.parseCreationOptionsFromJSON(…)` \
                 reads it. The challenge works once, within five minutes, for your session alone. It needs a sign-in of the last ten \
                 minutes: an older one gives 403 `ConfirmationRequired`.",
            )
            .open_to(Access::SignedIn)
            .answers::<view::PasskeyCreationOptions>(201, "The options for the browser.")
            .conflicts(&["LimitReached", "NoHostName"]),
        of.operation(Method::POST, "/user/passkeys", post(add))
            .named("addOwnPasskey", "Add a passkey")
            .described(
                "Adds the passkey that the browser has made. It counts as a second factor: from now on, your password alone does not \
                 sign you in. If it is your first second factor, the answer has ten recovery codes. Your other sessions end. A user has \
                 at most 20 passkeys.",
            )
            .open_to(Access::SignedIn)
            .takes::<MadePasskey>()
            .answers::<view::NewPasskey>(201, "The passkey. Only this response contains the recovery codes.")
            .conflicts(&["LimitReached", "NoHostName"]),
        of.operation(Method::PATCH, "/user/passkeys/{id}", patch(rename))
            .named("renameOwnPasskey", "Rename a passkey")
            .described("Changes the name by which you know one of your passkeys.")
            .open_to(Access::SignedIn)
            .takes::<PasskeyName>()
            .answers::<view::Passkey>(200, "The passkey with its new name."),
        of.operation(Method::DELETE, "/user/passkeys/{id}", delete(remove))
            .named("removeOwnPasskey", "Remove a passkey")
            .described(
                "Removes one of your passkeys. Your other sessions end. With your last second factor, the recovery codes end, too. It \
                 needs a sign-in of the last ten minutes.",
            )
            .open_to(Access::SignedIn)
            .answers_nothing(204, "The passkey is removed."),
    ]
}

/// Another name of a passkey.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PasskeyName {
    /// The name by which you know the passkey: 1 to 100 characters in one line.
    #[schemars(length(min = 1, max = 100))]
    name: String,
}

/// What a browser answers after its user has used a passkey. All values are in Base64 for URLs, as in
/// `PublicKeyCredential.toJSON()`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PasskeyProof")]
struct Proof {
    /// The field `id` of the answer.
    #[schemars(length(max = 16_384))]
    credential_id: String,
    /// The field `response.clientDataJSON` of the answer.
    #[schemars(length(max = 16_384))]
    client_data_json: String,
    /// The field `response.authenticatorData` of the answer.
    #[schemars(length(max = 16_384))]
    authenticator_data: String,
    /// The field `response.signature` of the answer.
    #[schemars(length(max = 16_384))]
    signature: String,
    /// The field `response.userHandle` of the answer.
    #[schemars(length(max = 16_384))]
    user_handle: String,
}

/// What a browser answers after it has made a passkey, and a name. The values are in Base64 for URLs, as in
/// `PublicKeyCredential.toJSON()`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MadePasskey {
    /// The name by which you will know the passkey. Without one, it gets the name of your browser.
    #[serde(default)]
    #[schemars(length(max = 100))]
    name: String,
    /// The field `response.clientDataJSON` of the answer.
    #[schemars(length(max = 16_384))]
    client_data_json: String,
    /// The field `response.attestationObject` of the answer.
    #[schemars(length(max = 16_384))]
    attestation_object: String,
}

fn device(headers: &HeaderMap) -> &str {
    headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn begin_sign_in(app: State<App>) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, Json(app.retour.begin_passkey_sign_in().await?)).into_response())
}

async fn sign_in(
    app: State<App>,
    Extension(from): Extension<Origin>,
    headers: HeaderMap,
    body: JsonBody<Proof>,
) -> Result<Response, ApiError> {
    let Proof { credential_id, client_data_json, authenticator_data, signature, user_handle } = body.value;
    let proof = PasskeyProof { credential_id, client_data_json, authenticator_data, signature, user_handle };
    let signed_in = app.retour.sign_in_with_passkey(proof, from, device(&headers)).await?;
    Ok(Json(SignedIn::from(signed_in)).into_response())
}

async fn list(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok(Json(app.retour.passkeys(&me.user).await?).into_response())
}

async fn begin(app: State<App>, me: Person) -> Result<Response, ApiError> {
    Ok((StatusCode::CREATED, Json(app.retour.begin_passkey(&me.user).await?)).into_response())
}

async fn add(
    app: State<App>,
    me: Person,
    headers: HeaderMap,
    body: JsonBody<MadePasskey>,
) -> Result<Response, ApiError> {
    let MadePasskey { name, client_data_json, attestation_object } = body.value;
    let new = NewPasskey { name, client_data_json, attestation_object };
    let added = app.retour.add_passkey(&me.user, new, device(&headers)).await?;
    Ok((StatusCode::CREATED, Json(added)).into_response())
}

async fn rename(
    app: State<App>,
    me: Person,
    Id(id): Id<PasskeyId>,
    body: JsonBody<PasskeyName>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.rename_passkey(&me.user, id, &body.value.name).await?).into_response())
}

async fn remove(app: State<App>, me: Person, Id(id): Id<PasskeyId>) -> Result<StatusCode, ApiError> {
    app.retour.remove_passkey(&me.user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
