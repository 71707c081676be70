//! What the functions of signing in do on the server.

use crate::{
    calls::call::Next,
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

/// Checks the code of a sign-in.
pub async fn code(guest: &Guest, code: String, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    if code.trim().is_empty() {
        return Err(Problem::mistake("code", words.code_missing));
    }
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    prove(guest, DeskProof::Code(code), "code", &next).await
}

/// Checks a code or a password, and gives the session a new token.
async fn prove(guest: &Guest, proof: DeskProof, field: &str, next: &str) -> Result<Next, Problem> {
    let words = guest.words.sign_in;
    let Some(token) = &guest.token else { return Err(Problem::SignedOut) };
    match guest.retour.desk_confirm(token, proof, guest.origin).await {
        Ok(new) => Ok(Next::at(guest.step_path(new.step, next)).in_session(&new.token, guest)),
        Err(Error::WrongCode { left: 0 }) => Ok(Next::at(guest.path("sign-in?codes"))),
        Err(Error::WrongCode { .. }) => Err(Problem::mistake(field, words.code_wrong)),
        Err(Error::InvalidCredentials) => Err(Problem::mistake(field, words.confirm_wrong)),
        Err(error) => Err(guest.problem(error)),
    }
}

/// Checks the password or a code of somebody who is signed in.
pub async fn confirm(guest: &Guest, password: String, code: String, next: &str) -> Result<Next, Problem> {
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
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
