//! Creating, changing, replacing and revoking API keys.

use super::people_steps::{answer, id_of};
use crate::{
    calls::call::Next,
    problem::Problem,
    visit::{Visit, shown::Shown},
};
use domain::ServiceUserId;
use returns::{Scope, ServiceUserChange, view::ServiceUserWithKey};

/// Creates a key. Its page shows it once.
pub async fn create(visit: &Visit, name: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let scopes = scopes_of(visit)?;
    let done = visit.retour.merchant(&staff).add_service_user(name, &scopes, visit.sealed_key()).await;
    let made: KeyAnswer = answer(visit, done)?;
    Ok(shown(visit, made))
}

/// Replaces a key. Its page shows the new one once.
pub async fn rotate(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<ServiceUserId>(id)?;
    let done = visit.retour.merchant(&staff).rotate_service_user(id, visit.sealed_key()).await;
    let made: KeyAnswer = answer(visit, done)?;
    Ok(shown(visit, made))
}

fn shown(visit: &Visit, made: KeyAnswer) -> Next {
    Next::at(visit.path(&format!("people/keys/{}", made.id))).showing(Shown::Secret(made.api_key))
}

/// Changes the name and the scopes of a key.
pub async fn change(visit: &Visit, id: &str, version: &str, name: String) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<ServiceUserId>(id)?;
    let change = ServiceUserChange { name: Some(name), scopes: Some(scopes_of(visit)?), version: version.parse().ok() };
    let done = visit.retour.merchant(&staff).update_service_user(id, change, visit.key()).await;
    done.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path(&format!("people/keys/{id}"))).saying(visit.words.people.saved))
}

/// Revokes a key.
pub async fn revoke(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<ServiceUserId>(id)?;
    visit.retour.merchant(&staff).revoke_service_user(id).await.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path(&format!("people/keys/{id}"))).saying(visit.words.people.key_revoked))
}

/// The scopes that are ticked.
fn scopes_of(visit: &Visit) -> Result<Vec<Scope>, Problem> {
    let ticked = visit.sent_all("scope");
    let scopes: Option<Vec<Scope>> = ticked.iter().map(|name| Scope::from_name(name)).collect();
    match scopes {
        Some(scopes) if !scopes.is_empty() => Ok(scopes),
        Some(_) => Err(Problem::mistake("scopes", visit.words.people.scope_missing)),
        None => Err(Problem::mistake("scopes", visit.words.common.not_allowed)),
    }
}

/// What an answer with a key has, whether it is new or repeated.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyAnswer {
    id: ServiceUserId,
    api_key: String,
}

impl From<ServiceUserWithKey> for KeyAnswer {
    fn from(made: ServiceUserWithKey) -> Self {
        Self { id: made.service_user.id, api_key: made.api_key }
    }
}
