//! What the functions of signing in do on the server.

use crate::{
    calls::{
        call::Next,
        passkey_steps::{proof, wrong},
    },
    problem::Problem,
    visit::{Guest, session::session_cookie},
};
use returns::{DeskProof, Error};

/// Checks the password, and begins a session.
pub async fn sign_in(guest: &Guest, email: &str, password: String, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    match guest.retour.desk_sign_in(email, password, guest.origin, &guest.device).await {
        Ok(new) => Ok(Next::at(guest.step_path(new.step, &next)).in_session(&new.token, guest)),
        Err(Error::InvalidCredentials) => Err(Problem::mistake("email", words.wrong)),
        Err(error) => Err(guest.problem(error)),
    }
}

/// Checks the code or the passkey of a sign-in.
pub async fn code(guest: &Guest, code: String, passkey: &str, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    if !passkey.is_empty() {
        return prove(guest, DeskProof::Passkey(proof(guest, passkey)?), "passkey", &next).await;
    }
    if code.trim().is_empty() {
        return Err(Problem::mistake("code", words.code_missing));
    }
    prove(guest, DeskProof::Code(code), "code", &next).await
}

/// Checks a code, a password or a passkey, and gives the session a new token.
async fn prove(guest: &Guest, proof: DeskProof, field: &str, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    let Some(token) = &guest.token else { return Err(Problem::SignedOut) };
    match guest.retour.desk_confirm(token, proof, guest.origin).await {
        Ok(new) => Ok(Next::at(guest.step_path(new.step, next)).in_session(&new.token, guest)),
        Err(Error::WrongCode { left: 0 }) => Ok(Next::at(guest.path("sign-in?codes"))),
        Err(Error::WrongCode { .. }) => Err(Problem::mistake(field, wrong_code(guest).await)),
        Err(Error::WrongPasskey) => Err(wrong(guest)),
        Err(Error::InvalidCredentials) => Err(Problem::mistake(field, words.confirm_wrong)),
        Err(error) => Err(guest.problem(error)),
    }
}

/// What is wrong with a code. A person without an app has only recovery codes.
async fn wrong_code(guest: &Guest) -> &'static str {
    let words = guest.words.sign_in;
    let session = guest.session().await.ok().flatten();
    if session.is_some_and(|session| !session.has_app) { words.recovery_code_wrong } else { words.code_wrong }
}

/// What somebody proves with who they are: the first that is not empty counts.
#[derive(Debug)]
pub struct Given {
    /// The browser's answer in JSON.
    pub passkey: String,
    pub code: String,
    pub password: String,
}

/// Checks the proof of somebody who is signed in.
pub async fn confirm(guest: &Guest, given: Given, next: &str) -> Result<Next, Problem> {
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    let Given { passkey, code, password } = given;
    if !passkey.is_empty() {
        return prove(guest, DeskProof::Passkey(proof(guest, &passkey)?), "passkey", &next).await;
    }
    if !code.trim().is_empty() {
        return prove(guest, DeskProof::Code(code), "code", &next).await;
    }
    if password.is_empty() {
        return Err(Problem::mistake("password", guest.words.sign_in.confirm_either));
    }
    prove(guest, DeskProof::Password(password), "password", &next).await
}

/// Ends the session.
pub async fn sign_out(guest: &Guest) -> Result<Next, Problem> {
    if let Some(token) = &guest.token {
        guest.retour.desk_sign_out(token).await.map_err(|error| guest.problem(error))?;
    }
    Ok(Next::at(guest.path("sign-in?out")).with_cookie(&session_cookie("", guest.secure)))
}

/// Mails a link, if there is a user with this address. The answer does not say so.
pub async fn forgotten(guest: &Guest, email: &str) -> Result<Next, Problem> {
    guest.retour.ask_for_password(email, guest.origin).await.map_err(|error| guest.problem(error))?;
    Ok(Next::at(guest.path("sign-in/forgotten?sent")))
}

/// Sets a password by a link.
pub async fn set_password(guest: &Guest, token: &str, password: String) -> Result<Next, Problem> {
    match guest.retour.set_password(token, password, guest.origin).await {
        Ok(()) => Ok(Next::at(guest.path("sign-in")).saying(guest.words.sign_in.password_set)),
        Err(Error::InvalidInvitation) => Ok(Next::at(guest.path("password?over"))),
        Err(error) => Err(guest.problem(error)),
    }
}
