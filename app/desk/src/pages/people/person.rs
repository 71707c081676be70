//! One person: their role, their invitation, and removing them.

use super::{
    parts::{About, asked, foot, once},
    texts::{role_hint, role_text},
};
use crate::{
    components::{Action, Field, Weight, actions, age, facts, field, form, problems},
    visit::Visit,
    words::Words,
};
use leptos::prelude::*;
use returns::{
    Role,
    view::{User, UserStatus},
};
use ui::html::{Html, IntoHtml};

/// The form that invites a person.
pub(super) fn invite_page(visit: &Visit) -> Html {
    let words = visit.words.people;
    let languages = Words::languages().map(|language| (language.tag().to_owned(), language.name().to_owned()));
    let language = Field::select("language", words.language, languages.collect())
        .value(visit.words.language().tag())
        .hint(words.language_hint);
    let content = view! {
        {field(visit, Field::of_type("email", words.email, "email").required().max_length(254))}
        {field(visit, Field::text("name", words.name).max_length(100))}
        {role_field(visit, Role::Agent)}
        {field(visit, language)}
        <div class="actions">
            <button class="button">{words.invite_button}</button>
            <a class="button button-second" href=visit.path("people")>{visit.words.common.cancel}</a>
        </div>
    };
    view! {
        <h1>{words.invite_title}</h1>
        {problems(visit)}
        <p class="lede">{words.invite_lede}</p>
        {form(visit, "invite-person", content)}
    }
    .into_html()
}

/// A person. `invitation`: the link of a new invitation, which is shown once.
pub(super) fn person_page(visit: &Visit, user: User, invitation: Option<String>) -> Html {
    let words = visit.words.people;
    let (id, version) = (user.id.to_string(), user.version.to_string());
    let status = match user.status {
        UserStatus::Invited => words.invited,
        UserStatus::Active => words.active,
    };
    let last = user.last_signed_in_at.map_or_else(|| words.never.into_html(), |at| age(at, visit));
    let known = facts(vec![
        (words.email.to_owned(), view! { <bdi>{user.email.clone()}</bdi> }.into_html()),
        (words.status.to_owned(), status.into_html()),
        (words.last_sign_in.to_owned(), last),
        (words.second_factor.to_owned(), if user.has_second_factor { words.yes } else { words.no }.into_html()),
        (words.created.to_owned(), age(user.created_at, visit)),
    ]);
    let content = view! {
        <input type="hidden" name="id" value=id.clone()/>
        <input type="hidden" name="version" value=version/>
        {field(visit, Field::text("name", words.name).value(user.name.clone()).max_length(100))}
        {role_field(visit, user.role)}
        <div class="actions"><button class="button">{words.save}</button></div>
    };
    let is_me = user.id == visit.session.user.id;
    let again = Action::call(words.invite_again, "invite-person-again", vec![("id", id.clone())]);
    let reset = match (user.has_second_factor, is_me) {
        (false, _) => Action::not(words.reset, words.no_factor),
        (true, true) => Action::not(words.reset, words.not_yourself),
        (true, false) => Action::open(words.reset, visit.path(&format!("people/users/{id}/reset"))),
    };
    let remove = if is_me {
        Action::not(words.remove, words.not_yourself)
    } else {
        Action::open(words.remove, visit.path(&format!("people/users/{id}/remove"))).weight(Weight::Danger)
    };
    view! {
        <h1><bdi>{name_of(&user)}</bdi></h1>
        {problems(visit)}
        {invitation.map(|link| once(words.invitation, words.invitation_shown, link))}
        {known}
        <section class="section">{form(visit, "change-person", content)}</section>
        {actions(visit, "person", vec![again, reset, remove])}
        {foot(visit, &id)}
    }
    .into_html()
}

/// What resetting a person's second factor does.
pub(super) fn reset_page(visit: &Visit, user: User) -> Html {
    let words = visit.words.people;
    let button = (Weight::Danger, words.reset.to_owned());
    asked(visit, &about(visit, &user), (words.reset_title, words.reset_text), "reset-person", button)
}

/// What removing a person does.
pub(super) fn remove_page(visit: &Visit, user: User) -> Html {
    let words = visit.words.people;
    let button = (Weight::Danger, words.remove.to_owned());
    asked(visit, &about(visit, &user), (words.remove_title, words.remove_text), "remove-person", button)
}

fn about(visit: &Visit, user: &User) -> About {
    let id = user.id.to_string();
    About { name: name_of(user), page: visit.path(&format!("people/users/{id}")), id }
}

fn role_field(visit: &Visit, now: Role) -> Html {
    let option = |role: Role| {
        let text = format!("{}: {}", role_text(role, visit.words), role_hint(role, visit.words));
        (role.name().to_owned(), text)
    };
    let options = Role::ALL.map(option).into();
    field(visit, Field::select("role", visit.words.people.role, options).value(now.name()))
}

fn name_of(user: &User) -> String {
    if user.name.is_empty() { user.email.clone() } else { user.name.clone() }
}
