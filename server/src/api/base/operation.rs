//! One operation of the API: the router, the OpenAPI document, the table of permissions and the check of who may do
//! what are all made of these.
//!
//! ```ignore
//! let of = Resource::of_account("return-requests", "return-request", "Return requests");
//! of.operation(Method::GET, "/{id}", get(one))
//!     .named("getReturnRequest", "Retrieve a return request")
//!     .open_to(Access::Staff(Scope::Read))
//!     .answers::<view::ReturnRequestView>(200, "The return request.")
//! ```

use super::{
    body::NullsAreLeftOut,
    error::response,
    file::MAX_FILE_BODY,
    parameter::Parameter,
    query::{Choice, Expandable, Query},
};
use crate::App;
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

/// Who is let through to an operation. This is the one place that says so: the door asks it, and the documentation
/// lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody: who has no credential yet could not get one otherwise.
    Anyone,
    /// Whoever signed in with a password.
    SignedIn,
    /// The consumer whose things these are, or the merchant's users and programs with the scope.
    Consumer(Scope),
    /// The merchant's users and programs with the scope.
    Staff(Scope),
}

impl Access {
    /// The scope that users and programs need.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Anyone | Self::SignedIn => None,
            Self::Consumer(scope) | Self::Staff(scope) => Some(scope),
        }
    }
}

/// Where a resource's paths begin.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    root: Root,
    /// The heading that its operations stand under.
    pub tag: &'static str,
    /// Another name of its paths, in plural, for clients of older systems.
    alias: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum Root {
    /// `/api/v0/account/<id>/return-requests`, the same in singular, and both without the account.
    Account { plural: &'static str, singular: &'static str },
    /// `/consumer/<id>/…`, also under `/api/v0`.
    Consumer,
    /// `/auth/…`, also under `/api/v0`.
    Auth,
    /// `/api/v0/…`.
    Api,
}

impl Resource {
    /// A resource of an account.
    pub const fn of_account(plural: &'static str, singular: &'static str, tag: &'static str) -> Self {
        Self { root: Root::Account { plural, singular }, tag, alias: None }
    }

    /// The same resource, also at paths with this name in place of its plural. No document shows them.
    #[must_use]
    pub const fn also_called(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// The account itself.
    pub const fn account(tag: &'static str) -> Self {
        Self { root: Root::Account { plural: "", singular: "" }, tag, alias: None }
    }

    /// What a consumer can do.
    pub const fn consumer(tag: &'static str) -> Self {
        Self { root: Root::Consumer, tag, alias: None }
    }

    /// Getting and ending credentials.
    pub const fn auth(tag: &'static str) -> Self {
        Self { root: Root::Auth, tag, alias: None }
    }

    /// What belongs to nobody.
    pub const fn api(tag: &'static str) -> Self {
        Self { root: Root::Api, tag, alias: None }
    }

    /// An operation at the resource's path and the rest, such as `/{id}`.
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
            is_idempotent: false,
        }
    }
}

type Schema = fn(&mut SchemaGenerator) -> Value;

/// What an operation takes.
#[derive(Debug, Clone)]
pub enum Body {
    /// JSON of this shape; `false` where it may be left out.
    Json(Schema, bool),
    /// Bytes of one of these media types, at most so many.
    Bytes(&'static [&'static str]),
    /// JSON of this shape, or bytes of one of these media types.
    Either(Schema, &'static [&'static str]),
}

/// What an operation answers when all goes well.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// When.
    pub description: &'static str,
    /// With what.
    pub content: Content,
}

/// What is in an answer.
#[derive(Debug, Clone)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// JSON of this shape.
    Json(Schema),
    /// Bytes of one of these media types.
    Bytes(&'static [&'static str]),
    /// Bytes of the one of these media types that `Accept` chooses.
    OneOf(&'static [&'static str]),
}

/// What can be done at a path with a method.
#[derive(Debug, Clone)]
#[must_use]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own: none excludes another")]
pub struct Operation {
    /// Where.
    pub resource: Resource,
    /// With which method.
    pub method: Method,
    rest: &'static str,
    handler: MethodRouter<App>,
    /// `operationId`: unique, what generated clients call it.
    pub id: &'static str,
    /// A few words.
    pub summary: &'static str,
    /// What else there is to know.
    pub description: &'static str,
    /// Who may.
    pub access: Access,
    /// The list that it answers, with what that can be asked.
    pub list: Option<&'static List>,
    /// Whether it answers a list that is only cut into pages.
    pub is_paged: bool,
    /// What `expand` can name.
    pub expandable: &'static [Expandable],
    /// What one can choose.
    pub choice: Option<&'static Choice>,
    /// What it takes.
    pub body: Option<Body>,
    /// What it answers when all goes well.
    pub answers: Vec<Answer>,
    /// Codes of 409 answers.
    pub conflicts: &'static [&'static str],
    /// What else it heeds.
    pub parameters: &'static [Parameter],
    /// Whether what it is asked can be wrong in itself (422) although it takes no body.
    pub validates: bool,
    /// Whether the merchant's shop is asked.
    pub asks_the_shop: bool,
    /// Whether it heeds `If-Match`.
    pub if_match: bool,
    /// Whether it heeds `Idempotency-Key`.
    pub is_idempotent: bool,
}

impl Operation {
    /// What it is called, and in a few words what it does.
    pub fn named(self, id: &'static str, summary: &'static str) -> Self {
        Self { id, summary, ..self }
    }

    /// What else there is to know, in Markdown.
    pub fn described(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// Who may.
    pub fn open_to(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// That it answers a list.
    pub fn lists(self, list: &'static List) -> Self {
        Self { list: Some(list), ..self }
    }

    /// That it answers a list that is only cut into pages.
    pub fn pages(self) -> Self {
        Self { is_paged: true, ..self }
    }

    /// What `expand` can name.
    pub fn expands(self, expandable: &'static [Expandable]) -> Self {
        Self { expandable, ..self }
    }

    /// That it takes a body of JSON.
    pub fn takes<T: JsonSchema>(self) -> Self {
        Self { body: Some(Body::Json(schema_of::<T>, true)), ..self }
    }

    /// That it takes a body of JSON, which may be left out.
    pub fn may_take<T: JsonSchema>(self) -> Self {
        Self { body: Some(Body::Json(schema_of::<T>, false)), ..self }
    }

    /// What one can choose.
    pub fn chooses(self, choice: &'static Choice) -> Self {
        Self { choice: Some(choice), ..self }
    }

    /// That it takes a body of JSON or a file.
    pub fn takes_or_bytes<T: JsonSchema>(self, media_types: &'static [&'static str]) -> Self {
        Self { body: Some(Body::Either(schema_of::<T>, media_types)), ..self }
    }

    /// That it takes a file.
    pub fn takes_bytes(self, media_types: &'static [&'static str]) -> Self {
        Self { body: Some(Body::Bytes(media_types)), ..self }
    }

    /// That it answers with JSON.
    pub fn answers<T: JsonSchema>(self, status: u16, description: &'static str) -> Self {
        self.answer(Answer { status, description, content: Content::Json(schema_of::<T>) })
    }

    /// That it answers with nothing but a status.
    pub fn answers_nothing(self, status: u16, description: &'static str) -> Self {
        self.answer(Answer { status, description, content: Content::Nothing })
    }

    /// That it answers with a file.
    pub fn answers_bytes(self, media_types: &'static [&'static str], description: &'static str) -> Self {
        self.answer(Answer { status: 200, description, content: Content::Bytes(media_types) })
    }

    /// That it answers with a file of the type that `Accept` chooses.
    pub fn negotiates(self, media_types: &'static [&'static str], description: &'static str) -> Self {
        self.answer(Answer { status: 200, description, content: Content::OneOf(media_types) })
    }

    /// What else it heeds.
    pub fn with(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    fn answer(mut self, answer: Answer) -> Self {
        self.answers.push(answer);
        self
    }

    /// Codes of its 409 answers.
    pub fn conflicts(self, conflicts: &'static [&'static str]) -> Self {
        Self { conflicts, ..self }
    }

    /// That what it is asked can be wrong in itself (422) although it takes no body.
    pub fn validates(self) -> Self {
        Self { validates: true, ..self }
    }

    /// That the merchant's shop is asked, and may not answer.
    pub fn asks_the_shop(self) -> Self {
        Self { asks_the_shop: true, ..self }
    }

    /// That it heeds `If-Match`.
    pub fn versioned(self) -> Self {
        Self { if_match: true, ..self }
    }

    /// That it heeds `Idempotency-Key`.
    pub fn once(self) -> Self {
        Self { is_idempotent: true, ..self }
    }

    /// The path that is documented.
    pub fn path(&self) -> String {
        match self.resource.root {
            Root::Account { plural: "", .. } => format!("/api/v0/account/{{account_id}}{}", self.rest),
            Root::Account { plural, .. } => format!("/api/v0/account/{{account_id}}/{plural}{}", self.rest),
            Root::Consumer => format!("/consumer/{{consumer_id}}{}", self.rest),
            Root::Auth => format!("/auth{}", self.rest),
            Root::Api => format!("/api/v0{}", self.rest),
        }
    }

    /// Its path for a credential's own account, if it is an operation of an account.
    pub fn path_without_account(&self) -> Option<String> {
        match self.resource.root {
            Root::Account { plural: "", .. } => Some(format!("/api/v0/account{}", self.rest)),
            Root::Account { plural, .. } => Some(format!("/api/v0/{plural}{}", self.rest)),
            Root::Consumer | Root::Auth | Root::Api => None,
        }
    }

    /// Whether `null` in its body is as good as left out, where it is no value of the field: when something is made, and in what consumers send.
    pub(super) fn leaves_nulls_out(&self) -> bool {
        self.method == Method::POST || matches!(self.resource.root, Root::Consumer)
    }

    /// Every path that it answers at; the documented one is the first.
    pub fn paths(&self) -> Vec<String> {
        let rest = self.rest;
        match self.resource.root {
            Root::Account { plural: "", .. } => vec![self.path(), format!("/api/v0/account{rest}")],
            Root::Account { plural, singular } => {
                let names = [Some(plural), Some(singular), self.resource.alias].into_iter().flatten();
                let paths =
                    |name| [format!("/api/v0/account/{{account_id}}/{name}{rest}"), format!("/api/v0/{name}{rest}")];
                names.flat_map(paths).collect()
            }
            Root::Consumer | Root::Auth => vec![self.path(), format!("/api/v0{}", self.path())],
            Root::Api => vec![self.path()],
        }
    }

    /// The status of its first answer when all goes well.
    pub fn success(&self) -> StatusCode {
        self.answers.first().and_then(|answer| StatusCode::from_u16(answer.status).ok()).unwrap_or(StatusCode::OK)
    }

    /// Its routes, with who may use them within reach of the door.
    pub fn routes(&self) -> Router<App> {
        let mut handler = self.handler.clone().route_layer(Extension(self.access));
        if matches!(self.body, Some(Body::Bytes(_))) {
            handler = handler.route_layer(DefaultBodyLimit::max(MAX_FILE_BODY));
        }
        if !self.takes_query() {
            handler = handler.route_layer(from_fn(without_query));
        }
        if self.leaves_nulls_out() {
            handler = handler.route_layer(Extension(NullsAreLeftOut));
        }
        if !self.if_match && self.method != Method::GET {
            handler = handler.route_layer(from_fn(without_if_match));
        }
        self.paths().iter().fold(Router::new(), |router, path| router.route(path, handler.clone()))
    }
}

impl Operation {
    /// Whether it heeds `If-None-Match`.
    pub(super) fn may_be_known(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == "If-None-Match")
    }

    fn takes_query(&self) -> bool {
        let is_in_query = |parameter: &Parameter| parameter.place == "query";
        let has_own = self.choice.is_some() || self.parameters.iter().any(is_in_query);
        self.list.is_some() || self.is_paged || !self.expandable.is_empty() || has_own
    }
}

/// Refuses what would be ignored.
async fn without_query(query: Query, request: Request, next: Next) -> Result<Response, Response> {
    query.expand(&[])?;
    Ok(next.run(request).await)
}

/// Whoever sends a condition believes that it is heeded.
async fn without_if_match(request: Request, next: Next) -> Result<Response, Response> {
    if request.headers().contains_key(IF_MATCH) {
        let message = "This operation does not heed If-Match. Leave it out.";
        return Err(response(StatusCode::BAD_REQUEST, "BadRequest", message, &[]));
    }
    Ok(next.run(request).await)
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().into()
}
