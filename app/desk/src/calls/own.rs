//! What the functions of a person's own settings do on the server.

use crate::{
    calls::call::Next,
    frame::preferences::Preferences,
    problem::Problem,
    visit::{Guest, Visit, shown::Shown},
    words::Words,
};
use domain::{Locale, TimeZone};
use returns::{DeskSession, Error, OwnUserChange, PatchField};
use ui::{language::Language, web::form::encoded};

/// Changes the name and the language. Without a language, pages have the browser's.
pub async fn profile(visit: &Visit, name: String, language: &str, version: Option<i64>) -> Result<Next, Problem> {
    let language = language.trim();
    let wrong = || Problem::mistake("language", visit.words.common.not_allowed);
    let language = if language.is_empty() { None } else { Some(Language::of_tag(language).ok_or_else(wrong)?) };
    let tag = language.map(|language| Locale(language.tag().to_owned()));
    let change = OwnUserChange { name: Some(name), language: PatchField(Some(tag)), version };
    let changed = visit.retour.change_own_user(&visit.me(), change, visit.key()).await;
    changed.map_err(|error| visit.problem(error))?;
    let choices = Preferences { language, ..visit.preferences.clone() };
    let words = language.map_or(visit.words, Words::of);
    Ok(Next::at(visit.path("me")).saying(words.me.profile_saved).with_cookie(&choices.cookie(visit.secure)))
}

/// Keeps the choices for this browser.
pub fn choices(visit: &Visit, density: &str, keys: &str, zone: &str) -> Result<Next, Problem> {
    let words = visit.words.me;
    let zone = zone.trim();
    let wrong = || Problem::mistake("zone", words.zone_wrong);
    let zone = if zone.is_empty() { None } else { Some(TimeZone::from_name(zone).ok_or_else(wrong)?) };
    let choices = Preferences {
        is_comfortable: density == "comfortable",
        has_keys: keys != "off",
        zone,
        ..visit.preferences.clone()
    };
    Ok(Next::at(visit.path("me")).saying(words.saved).with_cookie(&choices.cookie(visit.secure)))
}

/// Changes the password. The session gets a new token.
pub async fn change_password(visit: &Visit, current: String, new: String) -> Result<Next, Problem> {
    let words = visit.words.me;
    let token = visit.token.as_deref().ok_or(Problem::SignedOut)?;
    match visit.retour.desk_change_password(token, current, new, visit.origin).await {
        Ok(new) => Ok(Next::at(visit.path("me")).saying(words.password_changed).in_session(&new.token, visit)),
        Err(Error::InvalidCredentials) => Err(Problem::mistake("current", words.current_wrong)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// The session of a request, even if its sign-in lacks a second factor.
async fn session(guest: &Guest) -> Result<DeskSession, Problem> {
    let found = guest.session().await.map_err(|error| guest.problem(error))?;
    found.ok_or(Problem::SignedOut)
}

/// Makes a secret for an authenticator app.
pub async fn begin_app(guest: &Guest, next: &str) -> Result<Next, Problem> {
    let me = session(guest).await?.signed_in().coming_from(guest.origin);
    let app = guest.retour.begin_totp(&me).await.map_err(|error| guest.problem(error))?;
    let next = format!("{}?next={}", guest.path("sign-in/app"), encoded(next));
    Ok(Next::at(next).showing(Shown::App { secret: app.secret, uri: app.uri }))
}

/// Turns the authenticator app on.
pub async fn confirm_app(guest: &Guest, code: &str, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    if code.trim().is_empty() {
        return Err(Problem::mistake("code", words.code_missing));
    }
    let token = guest.token.as_deref().ok_or(Problem::SignedOut)?;
    match guest.retour.desk_confirm_totp(token, code, guest.origin).await {
        Ok((new, codes)) => Ok(recovery_codes(guest, codes.recovery_codes, next).in_session(&new.token, guest)),
        Err(Error::Invalid(_)) => Err(Problem::mistake("code", words.code_wrong)),
        Err(error) => Err(guest.problem(error)),
    }
}

/// Leads to the page that shows recovery codes once.
pub(crate) fn recovery_codes(guest: &Guest, codes: Vec<String>, next: &str) -> Next {
    let page = format!("{}?next={}", guest.path("me/recovery-codes"), encoded(next));
    Next::at(page).showing(Shown::RecoveryCodes(codes))
}

/// Removes the authenticator app.
pub async fn remove_app(visit: &Visit) -> Result<Next, Problem> {
    visit.retour.remove_totp(&visit.me()).await.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path("me")).saying(visit.words.me.removed))
}

/// Makes new recovery codes.
pub async fn renew_codes(visit: &Visit) -> Result<Next, Problem> {
    let renewed = visit.retour.renew_recovery_codes(&visit.me()).await;
    let codes = renewed.map_err(|error| visit.problem(error))?;
    Ok(recovery_codes(visit, codes.recovery_codes, &visit.path("me")))
}

/// Ends one session.
pub async fn end_session(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let id = id.parse().map_err(|_| Problem::NotThere)?;
    match visit.retour.end_own_session(&visit.me(), id).await {
        // It has ended already: the same as asked for.
        Ok(()) | Err(Error::NotFound) => Ok(Next::at(visit.path("me")).saying(visit.words.me.session_ended)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Ends all other sessions.
pub async fn end_other_sessions(visit: &Visit) -> Result<Next, Problem> {
    visit.retour.end_other_sessions(&visit.me()).await.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path("me")).saying(visit.words.me.others_ended))
}
