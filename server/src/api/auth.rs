//! `POST /auth/consumer`: an order number and what proves it become a consumer and a token.

use super::{
    body::JsonBody,
    cors::AskedAccount,
    error::{ApiError, response},
    json::Json,
    operation::{Access, Operation, Resource},
};
use crate::App;
use axum::{
    Extension,
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use domain::{RefusalCode, Timestamp};
use returns::{Caller, ClientAddress, FieldError, Proof, Prover, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::auth("Credentials");
    vec![
        of.operation(Method::POST, "/consumer", post(create))
            .named("createConsumer", "Prove an order")
            .described(
                "Checks an order number against its e-mail address or postal code, whichever the shop asks for, and \
                 answers with a consumer and a token that is good for 24 hours. The same credentials always give the \
                 same consumer. With `giftRecipientEmail`, a gift recipient proves the order by the postal code, if the \
                 account's policy has `giftReturns`: they are a separate consumer, whose answers contain no amounts and who \
                 chooses store credit or an exchange. A wrong order and a wrong proof give the same 401, after one second. \
                 Too many failed attempts of one client, or with one postal code, give 429 until midnight UTC. If the shop \
                 sends sign-in links, `message` names the page that requests one. See \"Guessing\" in docs/api.md.",
            )
            .open_to(Access::Anyone)
            .asks_the_shop()
            .takes::<OrderCredentials>()
            .answers::<Identity>(201, "A consumer who is new here, with a token.")
            .answers::<Identity>(200, "The consumer of these credentials."),
    ]
}

/// What proves an order: its number, and its e-mail address or postal code; of a gift, the postal code.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["email"]}, {"required": ["postalCode"]}]))]
#[schemars(extend("dependentRequired" = {"giftRecipientEmail": ["postalCode"]}))]
#[schemars(extend("examples" = [{"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"}]))]
struct OrderCredentials {
    /// The shop's id or slug; may be left out with an API key of the shop.
    account: Option<String>,
    /// As the shopper types it: `#`, spaces and case do not matter.
    order_number: String,
    /// The order's e-mail address, where the shop looks up by it.
    #[serde(default)]
    #[schemars(with = "String")]
    email: Option<String>,
    /// The postal code that it was sent to, where the shop looks up by it, or takes gifts back.
    #[serde(default)]
    #[schemars(with = "String")]
    postal_code: Option<String>,
    /// The gift recipient's own e-mail address. It proves nothing; Retour writes to it. It requires `postalCode`.
    #[serde(default)]
    #[schemars(with = "String", email, length(max = 254))]
    gift_recipient_email: Option<String>,
}

/// The consumer who proved the order, with a token.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IdentifiedConsumer")]
struct Identity {
    /// Who they are from now on; of e-mail and address only what they proved.
    consumer: view::Consumer,
    /// The credential for the consumer's operations. It is shown this once.
    access_token: String,
    /// The scheme of the `Authorization` header: always `Bearer`.
    token_type: &'static str,
    /// When the token stops working.
    expires_at: Timestamp,
}

async fn create(
    State(app): State<App>,
    caller: Option<Extension<Caller>>,
    Extension(from): Extension<ClientAddress>,
    asked: Option<Extension<AskedAccount>>,
    JsonBody { value: body, .. }: JsonBody<OrderCredentials>,
) -> Result<Response, ApiError> {
    let proof = match (body.email, body.postal_code, body.gift_recipient_email) {
        (Some(email), None, None) => Proof::Email(email),
        (None, Some(code), None) => Proof::PostalCode(code),
        (None, Some(postal_code), Some(recipient)) => Proof::Gift { postal_code, recipient },
        (Some(_), _, Some(_)) => return Err(missing("email", "expected none with giftRecipientEmail").into()),
        (None, None, Some(_)) => return Err(missing("postalCode", "expected with giftRecipientEmail").into()),
        (Some(_), Some(_), None) => return Err(missing("postalCode", "expected either this or email, not both").into()),
        (None, None, None) => return Err(missing("email", "expected this or postalCode").into()),
    };
    let caller = caller.map(|Extension(caller)| caller);
    let name = match (body.account, &caller) {
        (Some(account), _) => account,
        (None, Some(caller)) => caller.account().to_string(),
        (None, None) => return Err(missing("account", "expected the id or slug of the shop").into()),
    };
    let caller_account = caller.as_ref().map(Caller::account);
    let identified = async {
        let account = app.retour.account(&name).await?;
        if let Some(Extension(asked)) = asked {
            asked.is(account.id);
        }
        // The account's own page asks for all its shoppers. Nobody else's credential says anything of who they are.
        let prover = match caller {
            Some(Caller::Program(_) | Caller::User(_)) if caller_account == Some(account.id) => Prover::Account(from),
            _ => Prover::Client(from),
        };
        app.retour.identify(&account, &body.order_number, proof, prover).await
    };
    let identified = identified.await?;
    let status = if identified.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let identity = Identity {
        consumer: identified.consumer,
        access_token: identified.token,
        token_type: "Bearer",
        expires_at: identified.expires_at,
    };
    Ok((status, Json(identity)).into_response())
}

fn missing(field: &str, message: &str) -> Response {
    let details = [FieldError::new(field, RefusalCode::Required, message)];
    response(
        StatusCode::UNPROCESSABLE_ENTITY,
        "ValidationFailed",
        "Some fields have values that are not allowed.",
        &details,
    )
}
