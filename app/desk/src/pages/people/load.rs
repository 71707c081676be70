//! Loads people and API keys.

use super::{
    key::{key_page, new_key_page, revoke_page, rotate_page},
    overview::overview_page,
    person::{invite_page, person_page, remove_page, reset_page},
};
use crate::{
    frame::navigation::Section,
    visit::{HandlerResult, Visit, response::EarlyResponse, shown::Shown},
};
use axum::extract::Path;
use domain::{ServiceUserId, UserId};
use returns::{Listing, MAX_LIMIT, Page, Scope, view};
use std::str::FromStr;

/// Shows all people and keys.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Admin)?;
    let merchant = visit.retour.merchant(&staff);
    let (mut users, mut keys) = (Vec::new(), Vec::new());
    let mut page = Some(Page::first(MAX_LIMIT));
    while let Some(here) = page {
        let list = merchant.users(&Listing::newest(here)).await.map_err(|error| visit.failed(&error))?;
        page = list.next_page.map(|next| Page::at(Some(next), MAX_LIMIT));
        users.extend(list.data);
    }
    let mut page = Some(Page::first(MAX_LIMIT));
    while let Some(here) = page {
        let list = merchant.service_users(&Listing::newest(here)).await.map_err(|error| visit.failed(&error))?;
        page = list.next_page.map(|next| Page::at(Some(next), MAX_LIMIT));
        keys.extend(list.data);
    }
    Ok(visit.render(visit.words.people.title, Section::People, || overview_page(&visit, users, keys)))
}

/// Shows the form that invites a person.
pub async fn invite(visit: Visit) -> HandlerResult {
    visit.staff(Scope::Admin)?;
    Ok(visit.render(visit.words.people.invite_title, Section::People, || invite_page(&visit)))
}

/// Shows a person.
pub async fn person(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let user = find_person(&visit, &id).await?;
    let invitation = shown(&visit);
    Ok(visit.render(visit.words.people.title, Section::People, || person_page(&visit, user, invitation)))
}

/// Shows what removing a person does.
pub async fn remove(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let user = find_person(&visit, &id).await?;
    Ok(visit.render(visit.words.people.remove, Section::People, || remove_page(&visit, user)))
}

/// Shows what resetting a person's second factor does.
pub async fn reset(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let user = find_person(&visit, &id).await?;
    Ok(visit.render(visit.words.people.reset, Section::People, || reset_page(&visit, user)))
}

/// Shows the form that creates a key.
pub async fn new_key(visit: Visit) -> HandlerResult {
    visit.staff(Scope::Admin)?;
    Ok(visit.render(visit.words.people.new_key_title, Section::People, || new_key_page(&visit)))
}

/// Shows a key.
pub async fn key(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let key = find_key(&visit, &id).await?;
    let secret = shown(&visit);
    Ok(visit.render(visit.words.people.title, Section::People, || key_page(&visit, key, secret)))
}

/// Shows what replacing a key does.
pub async fn rotate(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let key = find_key(&visit, &id).await?;
    Ok(visit.render(visit.words.people.rotate, Section::People, || rotate_page(&visit, key)))
}

/// Shows what revoking a key does.
pub async fn revoke(visit: Visit, Path(id): Path<String>) -> HandlerResult {
    let key = find_key(&visit, &id).await?;
    Ok(visit.render(visit.words.people.revoke, Section::People, || revoke_page(&visit, key)))
}

async fn find_person(visit: &Visit, id: &str) -> Result<view::User, EarlyResponse> {
    let staff = visit.staff(Scope::Admin)?;
    let id = parsed::<UserId>(visit, id)?;
    visit.retour.merchant(&staff).user(id).await.map_err(|error| visit.failed(&error))
}

async fn find_key(visit: &Visit, id: &str) -> Result<view::ServiceUser, EarlyResponse> {
    let staff = visit.staff(Scope::Admin)?;
    let id = parsed::<ServiceUserId>(visit, id)?;
    visit.retour.merchant(&staff).service_user(id).await.map_err(|error| visit.failed(&error))
}

/// The secret that the form which led here has made. It is shown once.
fn shown(visit: &Visit) -> Option<String> {
    match &visit.shown {
        Some(Shown::Secret(secret)) => Some(secret.clone()),
        _ => None,
    }
}

fn parsed<I: FromStr>(visit: &Visit, id: &str) -> Result<I, EarlyResponse> {
    id.parse().map_err(|_| visit.missing())
}
