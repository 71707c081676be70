//! Inviting, changing and removing people.

use crate::{
    calls::call::Next,
    problem::Problem,
    visit::{Visit, shown::Shown},
};
use domain::{Locale, UserId};
use returns::{Done, NewUser, Role, UserChange, view::InvitedUser};
use serde::de::DeserializeOwned;
use std::str::FromStr;
use ui::language::Language;

/// Invites a person. Their page shows the invitation once.
pub async fn invite(visit: &Visit, email: String, name: String, role: &str, language: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let language = Language::of_tag(language).map(|language| Locale(language.tag().to_owned()));
    let new = NewUser { email, name, role: role_of(visit, role)?, language };
    let done = visit.retour.merchant(&staff).invite_user(new, visit.sealed_key()).await;
    let invited: InvitedUserAnswer = answer(visit, done)?;
    Ok(shown(visit, invited))
}

/// Invites a person again: their earlier invitations end.
pub async fn invite_again(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<UserId>(id)?;
    let done = visit.retour.merchant(&staff).invite_user_again(id, visit.sealed_key()).await;
    let invited: InvitedUserAnswer = answer(visit, done)?;
    Ok(shown(visit, invited))
}

fn shown(visit: &Visit, invited: InvitedUserAnswer) -> Next {
    let link = visit.retour.desk_url(&format!("password?token={}", invited.invitation_token));
    Next::at(visit.path(&format!("people/users/{}", invited.id))).showing(Shown::Secret(link))
}

/// Changes a person's name and role.
pub async fn change(visit: &Visit, id: &str, version: &str, name: String, role: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<UserId>(id)?;
    let change = UserChange {
        name: Some(name),
        role: Some(role_of(visit, role)?),
        version: version.parse().ok(),
        ..UserChange::default()
    };
    let done = visit.retour.merchant(&staff).update_user(id, change, visit.key()).await;
    done.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path(&format!("people/users/{id}"))).saying(visit.words.people.saved))
}

/// Removes the second factor of a person who has lost it.
pub async fn reset(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<UserId>(id)?;
    let done = visit.retour.merchant(&staff).reset_factors(id, visit.key()).await;
    done.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path(&format!("people/users/{id}"))).saying(visit.words.people.factor_reset))
}

/// Removes a person.
pub async fn remove(visit: &Visit, id: &str) -> Result<Next, Problem> {
    let staff = visit.may_administer()?;
    let id = id_of::<UserId>(id)?;
    if id == visit.session.user.id {
        return Err(Problem::Refused(visit.words.people.not_yourself.to_owned()));
    }
    visit.retour.merchant(&staff).delete_user(id).await.map_err(|error| visit.problem(error))?;
    Ok(Next::at(visit.path("people")).saying(visit.words.people.removed))
}

/// What an answer with an invitation has, whether it is new or repeated.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct InvitedUserAnswer {
    id: UserId,
    invitation_token: String,
}

impl From<InvitedUser> for InvitedUserAnswer {
    fn from(invited: InvitedUser) -> Self {
        Self { id: invited.user.id, invitation_token: invited.invitation_token }
    }
}

/// The fields of an answer. The answer to a form that was sent twice is stored as JSON.
pub(super) fn answer<T, A>(visit: &Visit, done: Result<Done<T>, returns::Error>) -> Result<A, Problem>
where
    A: From<T> + DeserializeOwned,
{
    match done.map_err(|error| visit.problem(error))? {
        Done::Fresh { value, .. } => Ok(value.into()),
        Done::Replayed(stored) => serde_json::from_str(&stored.body).map_err(|error| {
            tracing::error!(%error, "a stored answer cannot be read");
            Problem::Broken
        }),
    }
}

/// The id in a form's hidden field.
pub(super) fn id_of<I: FromStr>(id: &str) -> Result<I, Problem> {
    id.parse().map_err(|_| Problem::NotThere)
}

fn role_of(visit: &Visit, name: &str) -> Result<Role, Problem> {
    Role::from_name(name).ok_or_else(|| Problem::mistake("role", visit.words.common.not_allowed))
}
