//! All people and API keys.

use super::texts::role_text;
use crate::{
    components::{Column, Row, age, empty, table},
    visit::Visit,
};
use leptos::prelude::*;
use returns::{
    Scope,
    view::{ServiceUser, User, UserStatus},
};
use ui::html::{Html, IntoHtml};

/// The page of all people and keys.
pub(super) fn overview_page(visit: &Visit, users: Vec<User>, keys: Vec<ServiceUser>) -> Html {
    let words = visit.words.people;
    let heads = [words.name, words.email, words.role, words.status, words.last_sign_in];
    let people = users.into_iter().map(|user| person_row(visit, user)).collect();
    let key_heads = [words.key_name, words.permissions, words.ends_with, words.status, words.last_use];
    let list = if keys.is_empty() {
        empty(words.no_keys_title, words.no_keys, None)
    } else {
        let rows = keys.into_iter().map(|key| key_row(visit, key)).collect();
        table(words.keys_caption, key_heads.map(Column::new).into(), rows)
    };
    view! {
        <h1>{words.title}</h1>
        <section class="section">
            <div class="section-head">
                <h2>{words.team}</h2>
                <a class="button button-second" href=visit.path("people/invite")>{words.invite}</a>
            </div>
            {table(words.caption, heads.map(Column::new).into(), people)}
        </section>
        <section class="section">
            <div class="section-head">
                <h2>{words.keys}</h2>
                <a class="button button-second" href=visit.path("people/new-key")>{words.new_key}</a>
            </div>
            <p class="hint">{words.keys_lede}</p>
            {list}
        </section>
    }
    .into_html()
}

fn person_row(visit: &Visit, user: User) -> Row {
    let words = visit.words.people;
    let is_me = user.id == visit.session.user.id;
    let name = if user.name.is_empty() { user.email.clone() } else { user.name.clone() };
    let you = is_me.then(|| view! { " "<span class="quiet">"("{words.you}")"</span> });
    let status = match user.status {
        UserStatus::Invited => words.invited,
        UserStatus::Active => words.active,
    };
    let href = visit.path(&format!("people/users/{}", user.id));
    Row::new(vec![
        view! { <a href=href><bdi>{name}</bdi></a>{you} }.into_html(),
        view! { <bdi>{user.email}</bdi> }.into_html(),
        role_text(user.role, visit.words).into_html(),
        status.into_html(),
        user.last_signed_in_at.map_or_else(|| words.never.into_html(), |at| age(at, visit)),
    ])
}

fn key_row(visit: &Visit, key: ServiceUser) -> Row {
    let words = visit.words.people;
    let href = visit.path(&format!("people/keys/{}", key.id));
    let status = if key.revoked_at.is_some() { words.revoked } else { words.active };
    Row::new(vec![
        view! { <a href=href><bdi>{key.name}</bdi></a> }.into_html(),
        Scope::names(&key.scopes).into_html(),
        view! { <code>"…"{key.key_last_four}</code> }.into_html(),
        status.into_html(),
        key.last_used_at.map_or_else(|| words.never.into_html(), |at| age(at, visit)),
    ])
}
