//! One API key: its permissions, and replacing and revoking it.

use super::{
    parts::{About, asked, foot, once},
    texts::scope_text,
};
use crate::{
    components::{Action, Field, Weight, actions, age, facts, field, form, problems},
    visit::Visit,
};
use leptos::prelude::*;
use returns::{Scope, view::ServiceUser};
use ui::html::{Html, IntoHtml};

/// The form that creates a key.
pub(super) fn new_key_page(visit: &Visit) -> Html {
    let words = visit.words.people;
    let content = view! {
        {field(visit, Field::text("name", words.key_name).required().max_length(100))}
        {scope_fields(visit, &[Scope::Read])}
        <div class="actions">
            <button class="button">{words.create_key}</button>
            <a class="button button-second" href=visit.path("people")>{visit.words.common.cancel}</a>
        </div>
    };
    view! {
        <h1>{words.new_key_title}</h1>
        {problems(visit)}
        <p class="lede">{words.keys_lede}</p>
        {form(visit, "create-key", content)}
    }
    .into_html()
}

/// A key. `secret`: the key itself, which is shown once.
pub(super) fn key_page(visit: &Visit, key: ServiceUser, secret: Option<String>) -> Html {
    let words = visit.words.people;
    let (id, version) = (key.id.to_string(), key.version.to_string());
    let is_revoked = key.revoked_at.is_some();
    let last = key.last_used_at.map_or_else(|| words.never.into_html(), |at| age(at, visit));
    let known = facts(vec![
        (words.status.to_owned(), if is_revoked { words.revoked } else { words.active }.into_html()),
        (words.ends_with.to_owned(), view! { <code>"…"{key.key_last_four.clone()}</code> }.into_html()),
        (words.last_use.to_owned(), last),
        (words.created.to_owned(), age(key.created_at, visit)),
    ]);
    let content = view! {
        <input type="hidden" name="id" value=id.clone()/>
        <input type="hidden" name="version" value=version/>
        {field(visit, Field::text("name", words.key_name).value(key.name.clone()).required().max_length(100))}
        {scope_fields(visit, &key.scopes)}
        <div class="actions"><button class="button">{words.save}</button></div>
    };
    let settings =
        (!is_revoked).then(|| view! { <section class="section">{form(visit, "change-key", content)}</section> });
    let all = if is_revoked {
        vec![Action::not(words.rotate, words.already_revoked), Action::not(words.revoke, words.already_revoked)]
    } else {
        vec![
            Action::open(words.rotate, visit.path(&format!("people/keys/{id}/rotate"))),
            Action::open(words.revoke, visit.path(&format!("people/keys/{id}/revoke"))).weight(Weight::Danger),
        ]
    };
    view! {
        <h1><bdi>{key.name.clone()}</bdi></h1>
        {problems(visit)}
        {secret.map(|secret| once(words.keys, words.key_shown, secret))}
        {known}
        {settings}
        {actions(visit, "key", all)}
        {foot(visit, &id)}
    }
    .into_html()
}

/// What replacing a key does.
pub(super) fn rotate_page(visit: &Visit, key: ServiceUser) -> Html {
    let words = visit.words.people;
    let button = (Weight::Main, words.rotate.to_owned());
    asked(visit, &about(visit, &key), (words.rotate_title, words.rotate_text), "rotate-key", button)
}

/// What revoking a key does.
pub(super) fn revoke_page(visit: &Visit, key: ServiceUser) -> Html {
    let words = visit.words.people;
    let button = (Weight::Danger, words.revoke.to_owned());
    asked(visit, &about(visit, &key), (words.revoke_title, words.revoke_text), "revoke-key", button)
}

fn about(visit: &Visit, key: &ServiceUser) -> About {
    let id = key.id.to_string();
    About { name: key.name.clone(), page: visit.path(&format!("people/keys/{id}")), id }
}

/// A tick for each scope. After a refusal, the ticks are as they were sent.
fn scope_fields(visit: &Visit, now: &[Scope]) -> Html {
    let words = visit.words.people;
    let typed = visit.typed_all("scope");
    let mistake = visit.mistake("scopes");
    let tick = |scope: Scope| {
        let is_ticked = match &typed {
            Some(typed) => typed.iter().any(|name| name == scope.name()),
            None => now.contains(&scope),
        };
        view! {
            <label class="tick">
                <input type="checkbox" name="scope" value=scope.name() checked=is_ticked/>
                <span><code>{scope.name()}</code>" "{scope_text(scope, visit.words)}</span>
            </label>
        }
    };
    let ticks = Scope::ALL.into_iter().map(tick).collect_view();
    let error = mistake.map(|text| view! { <p class="mistake" id="scopes-error">{text}</p> });
    view! { <fieldset class="field" id="scopes" tabindex="-1"><legend>{words.permissions}</legend>{error}{ticks}</fieldset> }
        .into_html()
}
