//! What the functions of passkeys do on the server.

use crate::{
    calls::{call::Next, own::recovery_codes},
    problem::Problem,
    visit::{Guest, Visit},
};
use returns::{Error, NewPasskey, PasskeyProof};
use serde::Serialize;

/// Options in JSON, as the browser parses them.
fn options<T: Serialize>(guest: &Guest, begun: Result<T, Error>) -> Result<String, Problem> {
    let begun = begun.map_err(|error| guest.problem(error))?;
    serde_json::to_string(&begun).map_err(|_| Problem::Broken)
}

/// What the browser asks for a passkey with, to sign in.
pub async fn begin(guest: &Guest) -> Result<String, Problem> {
    options(guest, guest.retour.begin_passkey_sign_in().await)
}

/// The same for a session. The answer counts for that session alone.
pub async fn begin_proof(guest: &Guest) -> Result<String, Problem> {
    let token = guest.token.as_deref().ok_or(Problem::SignedOut)?;
    options(guest, guest.retour.desk_begin_passkey(token).await)
}

/// What the browser makes a passkey from.
pub async fn begin_new(guest: &Guest) -> Result<String, Problem> {
    let session = guest.session().await.map_err(|error| guest.problem(error))?.ok_or(Problem::SignedOut)?;
    let me = session.signed_in().coming_from(guest.origin);
    options(guest, guest.retour.begin_passkey(&me).await)
}

/// Adds a passkey. The session gets a new token.
pub async fn add(guest: &Guest, name: String, passkey: &str, next: &str) -> Result<Next, Problem> {
    let words = guest.words;
    let session = guest.session().await.map_err(|error| guest.problem(error))?.ok_or(Problem::SignedOut)?;
    if !session.is_fresh(guest.retour.now()) {
        return Err(Problem::StepUp);
    }
    let next = guest.local(next).unwrap_or_else(|| guest.path("me"));
    if passkey.is_empty() {
        // The form was sent before the proof, so the browser was not asked yet.
        return Ok(Next::at(guest.form_page()).saying(words.me.passkey_again));
    }
    let refused = || Problem::Refused(words.sign_in.passkey_wrong.to_owned());
    let new = NewPasskey::from_browser(name, passkey).ok_or_else(refused)?;
    let token = guest.token.as_deref().ok_or(Problem::SignedOut)?;
    match guest.retour.desk_add_passkey(token, new, guest.origin, &guest.device).await {
        Ok((session, added)) => {
            let next = match added.recovery_codes {
                Some(codes) => recovery_codes(guest, codes, &next),
                None => Next::at(next).saying(words.me.passkey_added),
            };
            Ok(next.in_session(&session.token, guest))
        }
        Err(Error::Invalid(fields)) => match fields.into_iter().find(|field| field.field == "name") {
            Some(field) => Err(guest.problem(Error::invalid("passkey_name", field.code, field.message))),
            None => Err(refused()),
        },
        Err(error) => Err(guest.problem(error)),
    }
}

/// Gives a passkey another name.
pub async fn rename(visit: &Visit, id: &str, name: &str) -> Result<Next, Problem> {
    let id = id.parse().map_err(|_| Problem::NotThere)?;
    match visit.retour.rename_passkey(&visit.me(), id, name).await {
        Ok(_) => Ok(Next::at(visit.path("me")).saying(visit.words.me.passkey_renamed)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Removes a passkey.
pub async fn remove(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let id = id.parse().map_err(|_| Problem::NotThere)?;
    match visit.retour.remove_passkey(&visit.me(), id).await {
        // It is removed already: the same as asked for.
        Ok(()) | Err(Error::NotFound) => Ok(Next::at(visit.path("me")).saying(visit.words.me.passkey_removed)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// The browser's answer in a form.
pub fn proof(guest: &Guest, passkey: &str) -> Result<PasskeyProof, Problem> {
    PasskeyProof::from_browser(passkey).ok_or_else(|| wrong(guest))
}

/// The answer to a passkey that does not count.
pub fn wrong(guest: &Guest) -> Problem {
    Problem::Refused(guest.words.sign_in.passkey_wrong.to_owned())
}

/// Begins a session.
pub async fn sign_in(guest: &Guest, passkey: &str, next: &str) -> Result<Next, Problem> {
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    let proof = proof(guest, passkey)?;
    match guest.retour.desk_sign_in_with_passkey(proof, guest.origin, &guest.device).await {
        Ok(new) => Ok(Next::at(guest.step_path(new.step, &next)).in_session(&new.token, guest)),
        Err(Error::WrongPasskey) => Err(wrong(guest)),
        Err(error) => Err(guest.problem(error)),
    }
}
