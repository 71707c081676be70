//! A request of somebody who is signed in: what every page starts from.

use crate::{
    frame::document::Person,
    visit::{
        error_pages::{self, Around},
        guest::{Desk, Guest},
        refused::{Refused, SentForm},
        response::EarlyResponse,
    },
    words::Words,
};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Redirect},
};
use domain::{Locale, account::Account};
use returns::{DeskSession, IdempotencyKey, Scope, SealedKey, SignInStep, SignedIn, Staff};
use std::ops::Deref;
use ui::language::Language;

/// The scopes of which one reads returns.
pub(super) const READERS: [Scope; 2] = [Scope::Read, Scope::Receive];
/// The scopes of which one decides about returns.
pub(super) const DECIDERS: [Scope; 2] = [Scope::Write, Scope::Resolve];

/// A request of somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Visit {
    guest: Guest,
    /// The session.
    pub session: DeskSession,
    /// The person's account.
    pub account: Account,
}

/// A visit has everything that a guest's request has.
impl Deref for Visit {
    type Target = Guest;

    fn deref(&self) -> &Guest {
        &self.guest
    }
}

/// Somebody at the desk.
#[derive(Debug)]
pub enum Arrival {
    /// Nobody is signed in.
    Nobody,
    /// The password was right, and something is still missing.
    Halfway(SignInStep),
    /// A person who is signed in.
    Here(Box<Visit>),
}

impl FromRequestParts<Desk> for Visit {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, desk: &Desk) -> Result<Self, EarlyResponse> {
        let guest = Guest::from_request_parts(parts, desk).await?;
        match Self::arrive(guest.clone()).await.map_err(|error| guest.failed(&error))? {
            Arrival::Here(visit) => Ok(*visit),
            Arrival::Halfway(step) => Err(Guest::go(&guest.step_path(step, guest.here())).into()),
            Arrival::Nobody => Err(Redirect::to(&guest.sign_in_path()).into_response().into()),
        }
    }
}

impl Visit {
    /// Finds out who sends a request.
    pub async fn arrive(guest: Guest) -> Result<Arrival, returns::Error> {
        let Some(session) = guest.session().await? else { return Ok(Arrival::Nobody) };
        if session.step != SignInStep::Complete {
            return Ok(Arrival::Halfway(session.step));
        }
        let account = guest.retour.account(&session.account.to_string()).await?;
        let own = session.user.language.as_ref().and_then(|language| Language::parse(&language.0));
        let guest = match own.filter(|_| guest.new_language.is_none()) {
            Some(language) => Guest { words: Words::of(language), ..guest },
            None => guest,
        };
        Ok(Arrival::Here(Box::new(Self { guest, session, account })))
    }

    /// The person, if their role has this scope. Otherwise the page that says so.
    pub fn staff(&self, scope: Scope) -> Result<Staff, EarlyResponse> {
        self.staff_with_any(&[scope])
    }

    /// The person, if their role has one of these scopes. Otherwise the page that says so.
    pub fn staff_with_any(&self, scopes: &[Scope]) -> Result<Staff, EarlyResponse> {
        self.acting(scopes).map_err(|_| error_pages::forbidden(self.around()).into())
    }

    /// The person, if their role reads returns, wholly or as far as a warehouse needs. Otherwise the page that says so.
    pub fn reader(&self) -> Result<Staff, EarlyResponse> {
        self.staff_with_any(&READERS)
    }

    /// The person as staff with one of these scopes.
    pub(super) fn acting(&self, scopes: &[Scope]) -> Result<Staff, returns::Error> {
        Ok(self.session.caller().as_staff_with_any(scopes)?.coming_from(self.origin.in_session(self.session.id.0)))
    }

    /// The person, for use cases about their own security.
    pub fn me(&self) -> SignedIn {
        self.session.signed_in().coming_from(self.origin)
    }

    /// Whether the person's role has this scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.acting(&[scope]).is_ok()
    }

    /// The idempotency key of the form that the request sends.
    pub fn key(&self) -> Option<IdempotencyKey> {
        self.key_of(self.session.caller().credential_id())
    }

    /// The same for a part of a form that is carried out by itself.
    pub fn key_of_part(&self, form: &SentForm, part: &str) -> Option<IdempotencyKey> {
        let form = SentForm::new(&format!("{}-{part}", form.name), form.encoded.clone());
        let guest = Guest { form: Some(form), ..self.guest.clone() };
        guest.key_of(self.session.caller().credential_id())
    }

    /// The visit of the page that a form is on, which shows what was typed again, and a sentence.
    #[must_use]
    pub fn again(self, form: SentForm, said: String) -> Self {
        let refused = Refused { fields: form.fields.clone(), status: StatusCode::OK, ..Refused::default() };
        let guest = Guest { form: Some(form), ..self.guest };
        let address = guest.form_page();
        Self { guest: Guest { address, flash: Some(said), refused: Some(refused), ..guest }, ..self }
    }

    /// The key for an answer with a secret.
    pub fn sealed_key(&self) -> Option<SealedKey> {
        self.sealed_key_of(self.session.caller().credential_id())
    }

    /// What an error page knows of the request.
    pub fn around(&self) -> Around {
        Around { person: Some(self.person()), ..self.guest.around() }
    }

    /// The person's time zone: their choice for this browser, or their account's.
    pub fn zone(&self) -> &domain::TimeZone {
        self.preferences.zone.as_ref().unwrap_or(&self.account.time_zone)
    }

    /// The locale of texts that the account writes in several languages: the account's own if it is of the page's language.
    pub fn locale(&self) -> Locale {
        self.words.language().locale(&self.account.branding.locale)
    }

    /// The person as the frame shows them.
    pub fn person(&self) -> Person {
        let user = &self.session.user;
        Person {
            id: user.id.to_string(),
            name: if user.name.is_empty() { user.email.clone() } else { user.name.clone() },
            email: user.email.clone(),
            account: self.account.name.clone(),
            is_test: self.account.is_test,
            caller: self.session.caller(),
        }
    }
}
