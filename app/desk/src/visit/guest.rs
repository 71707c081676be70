//! A request to the desk, whether somebody is signed in or not.

use crate::{
    frame::{document::address, preferences::Preferences},
    problem::Mistake,
    visit::{
        error_pages::{self, Around},
        flash,
        refused::{Refused, SentForm},
        response::EarlyResponse,
        session,
        shown::{Begun, NewToken, Shown},
    },
    words::Words,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use returns::{ClientAddress, DeskSession, Error, IdempotencyKey, Origin, RequestId, Retour, SealedKey, SignInStep};
use ui::{
    language::Language,
    web::form::{Fields, encoded},
};

/// What handlers share.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The use cases.
    pub retour: Retour,
    /// Whether cookies are sent over https only.
    pub secure: bool,
}

/// Marks a request to the desk's own host.
#[derive(Debug, Clone, Copy)]
pub struct AtDeskHost;

/// A request to the desk, from anybody.
#[derive(Debug, Clone)]
pub struct Guest {
    /// The use cases.
    pub retour: Retour,
    /// The words of the page.
    pub words: &'static Words,
    /// The address of the client.
    pub client: ClientAddress,
    /// Where the request comes from, for the audit log.
    pub origin: Origin,
    /// The id of the request.
    pub(crate) request_id: Option<RequestId>,
    /// What the browser says that it is.
    pub device: String,
    /// The fields of the address's query.
    pub query: Fields,
    /// The person's choices for this browser.
    pub preferences: Preferences,
    /// The language that the address asks for. The page keeps it as a choice.
    pub(crate) new_language: Option<Language>,
    /// Where the desk's pages begin: `/desk`, or nothing on a host of its own.
    pub home: &'static str,
    /// Whether cookies are sent over https only.
    pub secure: bool,
    /// The token of the session's cookie. The session may have ended.
    pub token: Option<String>,
    /// The form of this page that was refused.
    pub(crate) refused: Option<Refused>,
    /// The form that the request sends.
    pub(crate) form: Option<SentForm>,
    /// What this page shows once.
    pub(crate) shown: Option<Shown>,
    /// The form that needs a recent proof first.
    pub(crate) begun: Option<Begun>,
    /// What the last action did.
    pub(crate) flash: Option<String>,
    /// The address of the page, with its query.
    pub(crate) address: String,
}

impl FromRequestParts<Desk> for Guest {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, desk: &Desk) -> Result<Self, EarlyResponse> {
        let preferences = Preferences::of(&parts.headers);
        let words = Words::of(preferences.language(&parts.uri, &parts.headers));
        let home = if parts.extensions.get::<AtDeskHost>().is_some() { "" } else { "/desk" };
        let request = parts.extensions.get::<RequestId>().copied();
        let Some(client) = parts.extensions.get::<ClientAddress>().copied() else {
            tracing::error!("no client address");
            return Err(error_pages::failed(Around { home, words, person: None, request }, false).into());
        };
        let new_token = parts.extensions.get::<NewToken>().map(|token| token.0.clone());
        let path = parts.uri.path().strip_prefix("/desk").unwrap_or_default();
        let query = parts.uri.query().unwrap_or_default();
        let mark = if query.is_empty() { "" } else { "?" };
        Ok(Self {
            retour: desk.retour.clone(),
            words,
            client,
            origin: parts.extensions.get::<Origin>().copied().unwrap_or_default(),
            request_id: request,
            device: text(&parts.headers, &header::USER_AGENT),
            query: Fields::parse(query.as_bytes()).unwrap_or_default(),
            preferences,
            new_language: Language::asked_by_address(&parts.uri),
            home,
            secure: desk.secure,
            token: new_token.or_else(|| session::token(&parts.headers, desk.secure)),
            refused: parts.extensions.get::<Refused>().cloned(),
            form: None,
            shown: parts.extensions.get::<Shown>().cloned(),
            begun: parts.extensions.get::<Begun>().cloned(),
            flash: flash::read(&parts.headers),
            address: format!("{}{mark}{query}", address(home, path.trim_start_matches('/'))),
        })
    }
}

fn text(headers: &HeaderMap, name: &header::HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

impl Guest {
    /// The address of a page of the desk, such as `returns/R-1`. Empty: the first page.
    pub fn path(&self, page: &str) -> String {
        address(self.home, page)
    }

    /// The address of the page, with its query. Forms send it as `here`.
    pub fn here(&self) -> &str {
        &self.address
    }

    /// Redirects to a page of the desk.
    pub fn redirect(&self, page: &str) -> Response {
        Redirect::to(&self.path(page)).into_response()
    }

    /// Redirects to an address.
    pub fn go(address: &str) -> Response {
        Redirect::to(address).into_response()
    }

    /// The address of the sign-in, which leads back here.
    pub fn sign_in_path(&self) -> String {
        self.sign_in_path_to(&self.address)
    }

    /// The address of the sign-in, which leads on to another page.
    pub fn sign_in_path_to(&self, page: &str) -> String {
        let ended = if self.token.is_some() { "&ended" } else { "" };
        format!("{}?next={}{ended}", self.path("sign-in"), encoded(page))
    }

    /// What an error page knows of the request.
    pub fn around(&self) -> Around {
        Around { home: self.home, words: self.words, person: None, request: self.request_id }
    }

    /// The session of the request, complete or not.
    pub async fn session(&self) -> Result<Option<DeskSession>, Error> {
        match &self.token {
            Some(token) => self.retour.desk_session(token).await,
            None => Ok(None),
        }
    }

    /// The page of what a sign-in still needs, which leads on to another page.
    pub fn step_path(&self, step: SignInStep, next: &str) -> String {
        let page = match step {
            SignInStep::SecondFactor => "sign-in/code",
            SignInStep::Enrol => "sign-in/app",
            SignInStep::Complete => return next.to_owned(),
        };
        format!("{}?next={}", self.path(page), encoded(next))
    }

    /// The page that asks for a recent proof, and leads on to another page.
    pub fn confirm_path(&self, next: &str) -> String {
        format!("{}?next={}", self.path("confirm"), encoded(next))
    }

    /// The page that the address names as the next one: `?next=`.
    pub fn next(&self) -> String {
        self.local(self.query.get("next")).unwrap_or_else(|| self.path(""))
    }

    /// An address that a form names, if it is one of the desk.
    pub fn local(&self, address: &str) -> Option<String> {
        let below = address.strip_prefix(self.home)?;
        let is_page =
            below.is_empty() || below.starts_with('?') || (below.starts_with('/') && !below.starts_with("//"));
        let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        (is_page && is_plain).then(|| address.to_owned())
    }

    /// The page that the sent form is on. Without a valid one, the first page.
    pub fn form_page(&self) -> String {
        let here = self.form.as_ref().map(|form| form.fields.get("here")).unwrap_or_default();
        self.local(here).unwrap_or_else(|| self.path(""))
    }

    /// Why a form of this page was refused, if no field is wrong.
    pub fn refusal(&self) -> Option<&str> {
        self.refused.as_ref()?.reason.as_deref()
    }

    /// The mistakes of a form of this page that was refused.
    pub fn mistakes(&self) -> &[Mistake] {
        self.refused.as_ref().map(|refused| refused.mistakes.as_slice()).unwrap_or_default()
    }

    /// What was typed into a field of a form that was refused.
    pub fn typed(&self, field: &str) -> Option<&str> {
        self.refused
            .as_ref()
            .map(|refused| &refused.fields)
            .filter(|fields| fields.has(field))
            .map(|fields| fields.get(field))
    }

    /// The values that were sent for a field with several ticks, if the form was refused.
    pub fn typed_all(&self, field: &str) -> Option<Vec<String>> {
        self.refused.as_ref().map(|refused| refused.fields.all(field).map(str::to_owned).collect())
    }

    /// The values that the request's form has for a field with several ticks.
    pub fn sent_all(&self, field: &str) -> Vec<String> {
        self.form.iter().flat_map(|form| form.fields.all(field)).map(str::to_owned).collect()
    }

    /// What was typed into a field, or its value in the database.
    pub fn value(&self, field: &str, stored: &str) -> String {
        self.typed(field).unwrap_or(stored).to_owned()
    }

    /// What is wrong with a field of a form that was refused.
    pub fn mistake(&self, field: &str) -> Option<String> {
        self.mistakes().iter().find(|mistake| mistake.field == field).map(|mistake| mistake.text.clone())
    }

    /// The idempotency key of the form, which its hidden field `key` contains. `credential`: who sends it.
    pub(crate) fn key_of(&self, credential: String) -> Option<IdempotencyKey> {
        let form = self.form.as_ref()?;
        let key = Some(form.fields.get("key")).filter(|key| (1..=64).contains(&key.len()))?;
        let key = format!("desk:{}:{key}", form.name);
        Some(IdempotencyKey { credential, key, fingerprint: form.fingerprint.clone() })
    }

    /// The same for an answer with a secret, which only this session can open.
    pub(crate) fn sealed_key_of(&self, credential: String) -> Option<SealedKey> {
        Some(SealedKey::new(self.key_of(credential)?, self.token.as_deref()?))
    }
}
