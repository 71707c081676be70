//! `POST /auth/consumer`: proves an order, and answers with a consumer and a token.

use crate::api::base::{
    body::{JsonBody, validation_failed},
    error::ApiError,
    json::Json,
    named_account::NamedAccount,
    operation::{Access, Operation, Resource},
};
use crate::app::App;
use axum::{
    Extension,
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::{RefusalCode, Timestamp};
use returns::{Caller, ClientAddress, FieldError, Proof, Prover, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ui::web::routing::post;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::auth("Credentials");
    vec![
        of.operation(Method::POST, "/consumer", post(create))
            .named("createConsumer", "Prove an order")
            .described(
                "Checks an order number against its e-mail address or postal code, depending on the account's \
                 `lookUpBy`, and answers with a consumer and a token that is valid for 24 hours. The same \
                 credentials always give the same consumer. With `giftRecipientEmail`, a gift recipient proves the \
                 order by the postal code, if the account's policy has `giftReturns`: they are a separate consumer, \
                 whose answers contain no amounts and who chooses store credit or an exchange. A wrong order and a \
                 wrong proof give the same 401, after one second. Too many failed attempts of one client, or with \
                 one postal code, give 429 until midnight UTC. If the shop sends sign-in links, `message` names the \
                 page that requests one. See \"Guessing\" in docs/api.md.",
            )
            .open_to(Access::Anyone)
            .asks_the_shop()
            .takes::<Proofs>()
            .answers::<Identity>(201, "A new consumer, with a token.")
            .answers::<Identity>(200, "The consumer of these credentials."),
    ]
}

/// The proof of an order as the API parses it. The handler checks which fields go together, so that an error names the field.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrderCredentials {
    account: Option<String>,
    order_number: String,
    email: Option<String>,
    postal_code: Option<String>,
    gift_recipient_email: Option<String>,
}

/// The proof of an order: its number, with its e-mail address or its postal code.
// One named type for each proof, so that generated clients have both.
#[derive(JsonSchema)]
#[schemars(untagged, rename = "OrderCredentials")]
#[expect(dead_code, reason = "only its schema is used")]
enum Proofs {
    /// The order number and the e-mail address.
    Email(OrderAndEmail),
    /// The order number and the postal code.
    PostalCode(OrderAndPostalCode),
}

/// An order number with its e-mail address, for shops that look up by e-mail address.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, rename = "OrderCredentialsByEmail")]
#[schemars(extend("examples" = [{"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"}]))]
#[expect(dead_code, reason = "only its schema is used")]
struct OrderAndEmail {
    /// The shop's id or slug; optional with an API key of the shop.
    account: Option<String>,
    /// The order number as the shopper types it: `#`, spaces and case do not matter.
    order_number: String,
    /// The order's e-mail address.
    email: String,
}

/// An order number with its postal code, for shops that look up by postal code or accept gift returns.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, rename = "OrderCredentialsByPostalCode")]
#[schemars(extend("examples" = [{"account": "fjord-fern", "orderNumber": "1001", "postalCode": "EC1A 1BB"}]))]
#[expect(dead_code, reason = "only its schema is used")]
struct OrderAndPostalCode {
    /// The shop's id or slug; optional with an API key of the shop.
    account: Option<String>,
    /// The order number as the shopper types it: `#`, spaces and case do not matter.
    order_number: String,
    /// The postal code that the order was sent to.
    postal_code: String,
    /// The gift recipient's own e-mail address, to return a gift. It proves nothing; Retour sends mails to it.
    #[schemars(email, length(max = 254))]
    gift_recipient_email: Option<String>,
}

/// The consumer who proved the order, with a token.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IdentifiedConsumer")]
struct Identity {
    /// The consumer. E-mail address and postal address are shown only as far as the consumer proved them.
    consumer: view::Consumer,
    /// The credential for the consumer's operations. Only this response contains it.
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
    named: Option<Extension<NamedAccount>>,
    JsonBody { value: body, .. }: JsonBody<OrderCredentials>,
) -> Result<Response, ApiError> {
    let proof = proof_of(body.email, body.postal_code, body.gift_recipient_email)?;
    let caller = caller.map(|Extension(caller)| caller);
    let name = match (body.account, &caller) {
        (Some(account), _) => account,
        (None, Some(caller)) => caller.account().to_string(),
        (None, None) => return Err(missing("account", "expected the id or slug of the shop").into()),
    };
    let account = app.retour.account(&name).await?;
    if let Some(Extension(named)) = named {
        named.set(account.id);
    }
    // A program of the account sends the requests of many shoppers, so wrong guesses are counted for the account. Any other credential is ignored.
    let prover = match &caller {
        Some(caller @ (Caller::Program(_) | Caller::User(_))) if caller.account() == account.id => {
            Prover::Account(from)
        }
        _ => Prover::Client(from),
    };
    let identified = app.retour.identify(&account, &body.order_number, proof, prover).await?;
    let status = if identified.is_new { StatusCode::CREATED } else { StatusCode::OK };
    let identity = Identity {
        consumer: identified.consumer,
        access_token: identified.token,
        token_type: "Bearer",
        expires_at: identified.expires_at,
    };
    Ok((status, Json(identity)).into_response())
}

/// The proof of an order. The fields depend on each other, so the schema alone does not check them.
fn proof_of(
    email: Option<String>,
    postal_code: Option<String>,
    gift_recipient_email: Option<String>,
) -> Result<Proof, Response> {
    match (email, postal_code, gift_recipient_email) {
        (Some(email), None, None) => Ok(Proof::Email(email)),
        (None, Some(code), None) => Ok(Proof::PostalCode(code)),
        (None, Some(postal_code), Some(recipient)) => Ok(Proof::Gift { postal_code, recipient }),
        (Some(_), _, Some(_)) => Err(missing("email", "expected no email with giftRecipientEmail")),
        (None, None, Some(_)) => Err(missing("postalCode", "expected a postalCode with giftRecipientEmail")),
        (Some(_), Some(_), None) => Err(missing("postalCode", "expected either this or email, not both")),
        (None, None, None) => Err(missing("email", "expected this or postalCode")),
    }
}

fn missing(field: &str, message: &str) -> Response {
    validation_failed(FieldError::new(field, RefusalCode::Required, message))
}
