//! Loads the pages of signing in: password, code, authenticator app, recovery codes, forgotten password, proof.

use crate::{
    pages::sign_in::view,
    visit::{Arrival, Guest, HandlerResult, Visit, shown::Shown},
};
use axum::{http::StatusCode, response::Response};
use returns::{DeskSession, SignInStep};

/// Finds out who is there. Errors become a page.
async fn arrival(guest: &Guest) -> Result<Arrival, crate::visit::response::EarlyResponse> {
    Visit::arrive(guest.clone()).await.map_err(|error| guest.failed(&error))
}

/// The form for e-mail address and password. Leads somebody who is signed in on to the page that they wanted.
pub async fn show(guest: Guest) -> HandlerResult {
    let next = guest.next();
    match arrival(&guest).await? {
        Arrival::Here(_) => return Ok(Guest::go(&next)),
        Arrival::Halfway(step) => return Ok(Guest::go(&guest.step_path(step, &next))),
        Arrival::Nobody => {}
    }
    let words = guest.words.sign_in;
    let notices = [("out", words.signed_out), ("codes", words.too_many_codes), ("ended", words.timed_out)];
    let notice = notices.into_iter().find(|(name, _)| guest.query.has(name)).map(|(_, text)| text);
    Ok(guest.render_door_with_passkeys(words.title, || view::sign_in_page(&guest, &next, notice)))
}

/// The form for the second factor of a sign-in.
pub async fn code(guest: Guest) -> HandlerResult {
    let next = guest.next();
    match arrival(&guest).await? {
        Arrival::Halfway(SignInStep::SecondFactor) => {}
        Arrival::Halfway(step) => return Ok(Guest::go(&guest.step_path(step, &next))),
        Arrival::Here(_) => return Ok(Guest::go(&next)),
        Arrival::Nobody => return Ok(Guest::go(&guest.sign_in_path_to(&next))),
    }
    let session = guest.session().await.map_err(|error| guest.failed(&error))?;
    let Some(has) = session.as_ref().map(has) else { return Ok(Guest::go(&guest.sign_in_path_to(&next))) };
    Ok(guest.render_door_with_passkeys(guest.words.sign_in.code_title, || view::code_page(&guest, &next, has)))
}

fn has(session: &DeskSession) -> view::Has {
    view::Has { app: session.has_app, passkey: session.has_passkey }
}

/// The page that sets up an authenticator app: its explanation, or its secret with the form for the first code.
pub async fn app(guest: Guest) -> HandlerResult {
    let next = guest.next();
    let is_required = match arrival(&guest).await? {
        Arrival::Halfway(SignInStep::Enrol) => true,
        Arrival::Here(_) => false,
        Arrival::Halfway(step) => return Ok(Guest::go(&guest.step_path(step, &next))),
        Arrival::Nobody => return Ok(Guest::go(&guest.sign_in_path_to(&next))),
    };
    // After a wrong code, the form brings the secret again.
    let typed = guest.typed("secret").zip(guest.typed("uri"));
    let secret = match &guest.shown {
        Some(Shown::App { secret, uri }) => Some((secret.clone(), uri.clone())),
        _ => typed.map(|(secret, uri)| (secret.to_owned(), uri.to_owned())).filter(|(secret, _)| !secret.is_empty()),
    };
    Ok(guest.render_door_with_passkeys(guest.words.sign_in.app_title, || match secret {
        Some((secret, uri)) => view::app_page(&guest, &secret, &uri, &next),
        None => view::app_start_page(&guest, is_required, &next),
    }))
}

/// New recovery codes, which only the answer to a form shows.
pub async fn recovery_codes(visit: Visit) -> Response {
    let Some(Shown::RecoveryCodes(codes)) = visit.shown.clone() else { return visit.redirect("me") };
    let next = visit.next();
    visit.render_door(visit.words.sign_in.codes_title, || view::codes_page(&visit, &codes, &next))
}

/// Asks for a recent proof: before a page, or before a form that was begun.
pub async fn confirm(guest: Guest) -> HandlerResult {
    let next = guest.next();
    let session = guest.session().await.map_err(|error| guest.failed(&error))?;
    let Some(session) = session.filter(|session| session.step != SignInStep::SecondFactor) else {
        return Ok(Guest::go(&guest.sign_in_path_to(&next)));
    };
    let begun = match &guest.begun {
        Some(begun) => Some((begun.function.clone(), begun.fields.clone())),
        None => guest
            .typed("function")
            .zip(guest.typed("fields"))
            .map(|(name, fields)| (name.to_owned(), fields.to_owned())),
    };
    let has = has(&session);
    let mut page = guest
        .render_door_with_passkeys(guest.words.sign_in.confirm_title, || view::confirm_page(&guest, begun, has, &next));
    if guest.begun.is_some() {
        *page.status_mut() = StatusCode::FORBIDDEN;
    }
    Ok(page)
}

/// Asks for a link that sets a forgotten password.
pub async fn forgotten(guest: Guest) -> Response {
    let words = guest.words.sign_in;
    if guest.query.has("sent") {
        return guest.render_door(words.sent_title, || view::sent_page(&guest));
    }
    let sends_mail = guest.retour.mails_passwords();
    guest.render_door(words.forgotten_title, || view::forgotten_page(&guest, sends_mail))
}

/// Sets a password by the link of a mail or of an invitation.
pub async fn password(guest: Guest) -> Response {
    let words = guest.words.sign_in;
    let token = guest.typed("token").unwrap_or(guest.query.get("token")).to_owned();
    if guest.query.has("over") || token.is_empty() {
        return guest.render_door(words.link_over_title, || view::link_over_page(&guest));
    }
    guest.render_door(words.password_title, || view::password_page(&guest, &token))
}
