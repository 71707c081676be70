//! `/api/v0/account/<account_id>/consumers`: people who proved an order, and buyers that staff look up.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::ConsumerId;
use returns::{Erasure, OrderOfConsumer, Scope, lists, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{delete, get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("consumers", "consumer", "Consumers");
    [people(of), privacy(of)].concat()
}

fn people(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listConsumers", "List consumers")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::CONSUMERS)
            .answers::<view::List<view::Consumer>>(200, "A page of consumers."),
        of.operation(Method::POST, "", post(create))
            .named("lookUpConsumer", "Look up a consumer by order")
            .described(
                "Returns the buyer of an order, so that staff can make a return for them: the consumer who proved the \
                 order, or a new one. If the account is connected to a shop, Retour asks the shop for the order first; \
                 for an order that is not stored yet, the shop needs `email` or `postalCode` besides the number. A \
                 repeated request gives the same consumer.",
            )
            .open_to(Access::Staff(Scope::Write))
            .asks_the_shop()
            .takes::<OrderOfConsumer>()
            .answers::<view::Consumer>(201, "The consumer, who is new.")
            .answers::<view::Consumer>(200, "The consumer of the order."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getConsumer", "Retrieve a consumer")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Consumer>(200, "The consumer with this id."),
    ]
}

/// The access to a person's data, and their erasure.
fn privacy(of: Resource) -> Vec<Operation> {
    vec![
        of.operation(Method::GET, "/{id}/data", get(data))
            .named("getConsumerData", "Export a consumer's personal data")
            .described("Exports the data of every consumer with the same e-mail address.")
            .open_to(Access::Staff(Scope::Personal))
            .answers::<view::PersonalData>(200, "All data that Retour stores about the person."),
        of.operation(Method::POST, "/data", post(data_of_email))
            .named("getPersonalData", "Export personal data")
            .described(
                "Exports all data that Retour stores about the person with this e-mail address, even if the \
                 person bought something and never looked it up. The e-mail address is in the body, so that it \
                 appears in no URL.",
            )
            .open_to(Access::Staff(Scope::Personal))
            .takes::<OfEmail>()
            .answers::<view::PersonalData>(200, "All data that Retour stores about the person."),
        of.operation(Method::POST, "/erasure", post(erase_email))
            .named("erasePerson", "Erase personal data by e-mail address")
            .described(
                "Works like `DELETE /consumers/{id}`, also for people who bought something and never looked it up. \
                 Retour remembers an unknown e-mail address, so that a later import of older orders does not store \
                 the person's data.",
            )
            .open_to(Access::Staff(Scope::Admin))
            .takes::<OfEmail>()
            .answers_nothing(204, "The personal data are erased.")
            .answers_nothing(202, "The data are erased once the last of the person's returns has ended."),
        of.operation(Method::DELETE, "/{id}", delete(erase))
            .named("eraseConsumer", "Erase a consumer's personal data")
            .described(
                "Erases the data of every consumer with the same e-mail address: Retour clears names, addresses, \
                 comments, evidence, stored answers and events, and keeps amounts and stages. While the person has \
                 an open return, the erasure waits for its end (202). A later import does not bring the person back, \
                 except with an order that was placed after this request.",
            )
            .open_to(Access::Staff(Scope::Admin))
            .answers_nothing(204, "The personal data are erased.")
            .answers_nothing(202, "The data are erased once the last of the person's returns has ended."),
    ]
}

/// The e-mail address of the person.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OfEmail {
    /// The e-mail address; case does not matter.
    #[schemars(email, length(max = 320))]
    email: String,
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::CONSUMERS, &[])?;
    Ok(Json(app.retour.merchant(&staff).consumers(&query.listing).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    body: JsonBody<OrderOfConsumer>,
) -> Result<Response, ApiError> {
    let (is_new, consumer) = app.retour.merchant(&staff).create_consumer(body.value).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(consumer)).into_response())
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<ConsumerId>) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).consumer(id).await?).into_response())
}

async fn data(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<ConsumerId>) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).personal_data(id).await?).into_response())
}

async fn erase(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ConsumerId>,
) -> Result<StatusCode, ApiError> {
    Ok(status_of(app.retour.merchant(&staff).erase_consumer(id).await?))
}

async fn data_of_email(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    body: JsonBody<OfEmail>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).personal_data_of_email(&body.value.email).await?).into_response())
}

async fn erase_email(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    body: JsonBody<OfEmail>,
) -> Result<StatusCode, ApiError> {
    Ok(status_of(app.retour.merchant(&staff).erase_email(&body.value.email).await?))
}

fn status_of(erasure: Erasure) -> StatusCode {
    match erasure {
        Erasure::Done => StatusCode::NO_CONTENT,
        Erasure::Waiting => StatusCode::ACCEPTED,
    }
}
