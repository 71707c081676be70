//! One operation of the API. The router, the OpenAPI document, the table of permissions and the check of access are all derived from
//! operations.
//!
//! ```ignore
//! let of = Resource::of_account("return-requests", "return-request", "Return requests");
//! of.operation(Method::GET, "/{id}", get(one))
//!     .named("getReturnRequest", "Retrieve a return request")
//!     .open_to(Access::Staff(Scope::Read))
//!     .answers::<view::ReturnRequestView>(200, "The return request.")
//! ```

pub use super::{access::Access, resource::Resource};

use super::{
    body::NullsAreLeftOut,
    error::response,
    file::MAX_FILE_BODY,
    parameter::{Parameter, Place},
    query::{Choice, Expandable, Query},
};
use crate::app::App;
use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request},
    http::{Method, StatusCode, header::IF_MATCH},
    middleware::{Next, from_fn},
    response::Response,
    routing::MethodRouter,
};
use returns::{List, Scope};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

type Schema = fn(&mut SchemaGenerator) -> Value;
type MediaTypes = &'static [&'static str];

/// The body of a request.
#[derive(Debug, Clone)]
pub enum RequestBody {
    /// JSON with this schema.
    Json {
        /// The schema.
        schema: Schema,
        /// Whether the body must be there.
        is_required: bool,
    },
    /// Bytes of one of these media types.
    Bytes(MediaTypes),
    /// JSON with this schema, or bytes of one of these media types.
    Either(Schema, MediaTypes),
}

/// A successful answer.
#[derive(Debug, Clone)]
pub struct SuccessAnswer {
    /// The HTTP status.
    pub status: u16,
    /// What the answer means.
    pub description: &'static str,
    /// The body of the answer.
    pub content: Content,
}

/// The body of an answer.
#[derive(Debug, Clone)]
pub enum Content {
    /// No body.
    Nothing,
    /// JSON with this schema.
    Json(Schema),
    /// Bytes of one of these media types.
    Bytes(MediaTypes),
    /// Bytes of one of these media types; `Accept` chooses.
    OneOf(MediaTypes),
}

/// A method at a path.
#[derive(Debug, Clone)]
#[must_use]
#[expect(clippy::struct_excessive_bools, reason = "the facts are independent: none excludes another")]
pub struct Operation {
    /// The resource that the operation belongs to.
    pub resource: Resource,
    /// The HTTP method.
    pub method: Method,
    rest: &'static str,
    handler: MethodRouter<App>,
    /// The `operationId`: unique, and the name of the method in generated clients.
    pub id: &'static str,
    /// A title of a few words.
    pub summary: &'static str,
    /// The description, in Markdown.
    pub description: &'static str,
    /// Who may call the operation.
    pub access: Access,
    /// The list that the operation answers with, if it can be filtered and sorted.
    pub list: Option<&'static List>,
    /// Whether the operation answers with a list that has only pages.
    pub is_paged: bool,
    /// What `expand` can name.
    pub expandable: &'static [Expandable],
    /// A parameter that chooses one of a few values.
    pub choice: Option<&'static Choice>,
    /// The body of the request.
    pub body: Option<RequestBody>,
    /// The successful answers.
    pub answers: Vec<SuccessAnswer>,
    /// The codes of 409 answers.
    pub conflicts: &'static [&'static str],
    /// Parameters that only this operation has.
    pub parameters: &'static [Parameter],
    /// Whether the operation can answer 422, although it has no body.
    pub validates: bool,
    /// Whether the operation calls the merchant's shop.
    pub asks_the_shop: bool,
    /// Whether the operation reads `If-Match`.
    pub if_match: bool,
    /// Whether its body changes fields, although its method is no `PATCH`.
    pub is_change: bool,
    /// Whether the operation reads `Idempotency-Key`.
    pub is_idempotent: bool,
    /// Whether users need a sign-in of the last ten minutes.
    pub needs_recent_sign_in: bool,
}

impl Resource {
    /// An operation at the path of the resource and `rest`, such as `/{id}`.
    pub fn operation(self, method: Method, rest: &'static str, handler: MethodRouter<App>) -> Operation {
        Operation {
            resource: self,
            method,
            rest,
            handler,
            id: "",
            summary: "",
            description: "",
            access: Access::Staff(Scope::Admin),
            list: None,
            is_paged: false,
            expandable: &[],
            choice: None,
            body: None,
            answers: Vec::new(),
            conflicts: &[],
            parameters: &[],
            validates: false,
            asks_the_shop: false,
            if_match: false,
            is_change: false,
            is_idempotent: false,
            needs_recent_sign_in: false,
        }
    }
}

/// How an operation is described.
impl Operation {
    /// Sets the `operationId` and the title.
    pub fn named(self, id: &'static str, summary: &'static str) -> Self {
        Self { id, summary, ..self }
    }

    /// Sets the description, in Markdown.
    pub fn described(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// Users need a sign-in of the last ten minutes for it, as at the desk. The use case checks it.
    pub fn for_recent_sign_ins(self) -> Self {
        Self { needs_recent_sign_in: true, ..self }
    }

    /// Sets who may call it.
    pub fn open_to(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// It answers with a list that can be filtered and sorted.
    pub fn lists(self, list: &'static List) -> Self {
        Self { list: Some(list), ..self }
    }

    /// It answers with a list that has only pages.
    pub fn pages(self) -> Self {
        Self { is_paged: true, ..self }
    }

    /// Sets what `expand` can name.
    pub fn expands(self, expandable: &'static [Expandable]) -> Self {
        Self { expandable, ..self }
    }

    /// It takes JSON.
    pub fn takes<T: JsonSchema>(self) -> Self {
        Self { body: Some(RequestBody::Json { schema: schema_of::<T>, is_required: true }), ..self }
    }

    /// It takes JSON, which may be left out.
    pub fn may_take<T: JsonSchema>(self) -> Self {
        Self { body: Some(RequestBody::Json { schema: schema_of::<T>, is_required: false }), ..self }
    }

    /// It takes JSON or a file.
    pub fn takes_or_bytes<T: JsonSchema>(self, media_types: MediaTypes) -> Self {
        Self { body: Some(RequestBody::Either(schema_of::<T>, media_types)), ..self }
    }

    /// It takes a file.
    pub fn takes_bytes(self, media_types: MediaTypes) -> Self {
        Self { body: Some(RequestBody::Bytes(media_types)), ..self }
    }

    /// Adds a parameter that chooses one of a few values.
    pub fn chooses(self, choice: &'static Choice) -> Self {
        Self { choice: Some(choice), ..self }
    }

    /// Adds parameters that only this operation has.
    pub fn with(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    /// Adds an answer with JSON.
    pub fn answers<T: JsonSchema>(self, status: u16, description: &'static str) -> Self {
        self.answer(SuccessAnswer { status, description, content: Content::Json(schema_of::<T>) })
    }

    /// Adds an answer without a body.
    pub fn answers_nothing(self, status: u16, description: &'static str) -> Self {
        self.answer(SuccessAnswer { status, description, content: Content::Nothing })
    }

    /// Adds an answer with a file.
    pub fn answers_bytes(self, media_types: MediaTypes, description: &'static str) -> Self {
        self.answer(SuccessAnswer { status: 200, description, content: Content::Bytes(media_types) })
    }

    /// Adds an answer with a file of the type that `Accept` chooses.
    pub fn negotiates(self, media_types: MediaTypes, description: &'static str) -> Self {
        self.answer(SuccessAnswer { status: 200, description, content: Content::OneOf(media_types) })
    }

    fn answer(mut self, answer: SuccessAnswer) -> Self {
        self.answers.push(answer);
        self
    }

    /// Sets the codes of its 409 answers.
    pub fn conflicts(self, conflicts: &'static [&'static str]) -> Self {
        Self { conflicts, ..self }
    }

    /// It can answer 422, although it has no body.
    pub fn validates(self) -> Self {
        Self { validates: true, ..self }
    }

    /// It calls the merchant's shop, which may not answer.
    pub fn asks_the_shop(self) -> Self {
        Self { asks_the_shop: true, ..self }
    }

    /// It reads `If-Match`.
    pub fn versioned(self) -> Self {
        Self { if_match: true, ..self }
    }

    /// Its body changes fields, as that of a `PATCH` does, although its method is another.
    pub fn changes(self) -> Self {
        Self { is_change: true, ..self }
    }

    /// It reads `Idempotency-Key`.
    pub fn once(self) -> Self {
        Self { is_idempotent: true, ..self }
    }
}

/// What follows from the description.
impl Operation {
    /// The documented path.
    pub fn path(&self) -> String {
        self.resource.path(self.rest)
    }

    /// The path for the account of the credential, if the operation belongs to an account.
    pub fn path_without_account(&self) -> Option<String> {
        self.resource.path_without_account(self.rest)
    }

    /// Every path at which it is served. The documented one is the first.
    pub fn paths(&self) -> Vec<String> {
        self.resource.paths(self.rest)
    }

    /// The status of its first successful answer.
    pub fn success(&self) -> StatusCode {
        self.answers.first().and_then(|answer| StatusCode::from_u16(answer.status).ok()).unwrap_or(StatusCode::OK)
    }

    /// Whether `null` in its body means the same as a field that is left out, unless it is a value of the field. This holds for bodies that create
    /// or replace something, and for all bodies of consumers. In a change, `null` can mean to clear a field.
    pub(crate) fn leaves_nulls_out(&self) -> bool {
        let writes_whole = [Method::POST, Method::PUT].contains(&self.method) && !self.is_change;
        writes_whole || self.resource.is_consumer()
    }

    /// Whether it reads `If-None-Match`.
    pub(crate) fn reads_if_none_match(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == "If-None-Match")
    }

    /// Its routes. The extractors find the access in the request's extensions.
    pub(crate) fn routes(&self) -> Router<App> {
        let mut handler = self.handler.clone().route_layer(Extension(self.access));
        if matches!(self.body, Some(RequestBody::Bytes(_))) {
            handler = handler.route_layer(DefaultBodyLimit::max(MAX_FILE_BODY));
        }
        if !self.takes_query() {
            handler = handler.route_layer(from_fn(refuse_query));
        }
        if self.leaves_nulls_out() {
            handler = handler.route_layer(Extension(NullsAreLeftOut));
        }
        if !self.if_match && self.method != Method::GET {
            handler = handler.route_layer(from_fn(refuse_if_match));
        }
        self.paths().iter().fold(Router::new(), |router, path| router.route(path, handler.clone()))
    }

    fn takes_query(&self) -> bool {
        let has_own = self.parameters.iter().any(|parameter| parameter.place == Place::Query);
        self.list.is_some() || self.is_paged || !self.expandable.is_empty() || self.choice.is_some() || has_own
    }
}

/// Refuses parameters that the operation would ignore.
async fn refuse_query(query: Query, request: Request, next: Next) -> Result<Response, Response> {
    query.expand(&[])?;
    Ok(next.run(request).await)
}

/// Refuses a condition that the operation would ignore. The client relies on it.
async fn refuse_if_match(request: Request, next: Next) -> Result<Response, Response> {
    if request.headers().contains_key(IF_MATCH) {
        let message = "This operation does not support If-Match. Omit it.";
        return Err(response(StatusCode::BAD_REQUEST, "BadRequest", message, &[]));
    }
    Ok(next.run(request).await)
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().into()
}
