//! A person's own settings.

use crate::{
    components::{Action, Column, Field, Row, Weight, actions, confirm, facts, field, form, moment, problems, table},
    pages::{me::passkeys::passkeys, people::texts::role_text},
    visit::Visit,
    words::Words,
};
use leptos::prelude::*;
use returns::view::{Passkeys, SecondFactor, UserSession, UserSessionKind};
use ui::{
    dates::{Calendar, past_moment},
    html::{Html, IntoHtml},
    language::Language,
    text::{format, plural},
    web::form::encoded,
};

/// What the page knows of the person's sign-in.
#[derive(Debug)]
pub struct Own {
    pub factor: SecondFactor,
    pub passkeys: Passkeys,
    pub sessions: Vec<UserSession>,
}

/// The settings of a person.
pub fn me_page(visit: &Visit, own: Own) -> Html {
    let words = visit.words.me;
    view! {
        <div class="page-head"><h1>{words.title}</h1></div>
        {problems(visit)}
        <div class="columns">
            <div>{profile(visit)}{appearance(visit)}</div>
            <div>{factor(visit, &own.factor)}{password(visit)}</div>
        </div>
        {passkeys(visit, own.passkeys)}
        {sessions(visit, own.sessions)}
    }
    .into_html()
}

fn profile(visit: &Visit) -> Html {
    let (words, user) = (visit.words.me, &visit.session.user);
    let all = vec![
        (words.email.to_owned(), view! { <bdi>{user.email.clone()}</bdi> }.into_html()),
        (words.role.to_owned(), role_text(user.role, visit.words).into_html()),
    ];
    let name = Field::text("name", words.name).value(user.name.clone()).max_length(100).autocomplete("name");
    let browser = (String::new(), words.language_browser.to_owned());
    let languages = Words::languages().map(|language| (language.tag().to_owned(), language.name().to_owned()));
    let own = user.language.as_ref().and_then(|language| Language::parse(&language.0));
    let language = Field::select("language", words.language, std::iter::once(browser).chain(languages).collect())
        .value(own.map(Language::tag).unwrap_or_default())
        .hint(words.language_hint);
    let save = view! { <div class="actions"><button class="button button-second">{words.save_profile}</button></div> };
    let version = view! { <input type="hidden" name="version" value=user.version.to_string()/> };
    let content = (version, field(visit, name), field(visit, language), save);
    view! {
        <section class="card">
            <h2>{words.profile}</h2>
            {facts(all)}
            <p class="hint">{words.profile_hint}</p>
            {form(visit, "own-profile", content)}
        </section>
    }
    .into_html()
}

fn appearance(visit: &Visit) -> Html {
    let (words, choices) = (visit.words.me, &visit.preferences);
    let option = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    let densities = vec![option("compact", words.density_compact), option("comfortable", words.density_comfortable)];
    let density = Field::select("density", words.density, densities).value(if choices.is_comfortable {
        "comfortable"
    } else {
        "compact"
    });
    let keys = Field::select("keys", words.keys, vec![option("on", words.keys_on), option("off", words.keys_off)])
        .value(if choices.has_keys { "on" } else { "off" });
    let zone = Field::text("zone", words.zone)
        .value(choices.zone.as_ref().map(|zone| zone.name().to_owned()).unwrap_or_default())
        .max_length(64)
        .hint(format(words.zone_hint, &[visit.account.time_zone.name()]));
    let save =
        view! { <div class="actions"><button class="button button-second">{visit.words.common.save}</button></div> };
    let content = (field(visit, density), field(visit, keys), field(visit, zone), save);
    view! {
        <section class="card">
            <h2>{words.appearance}</h2>
            <p class="hint">{words.appearance_hint}</p>
            {form(visit, "choices", content)}
        </section>
    }
    .into_html()
}

/// A date as a part of a sentence.
fn date(at: domain::Timestamp, visit: &Visit) -> String {
    past_moment(at, Calendar { zone: visit.zone(), now: visit.retour.now() }, visit.words).short
}

fn factor(visit: &Visit, factor: &SecondFactor) -> Html {
    let words = visit.words.me;
    let app = std::format!("{}?next={}", visit.path("sign-in/app"), encoded(&visit.path("me")));
    let Some(since) = factor.totp_since else {
        let required = factor.required_from.map(|from| format(words.factor_required, &[&date(from, visit)]));
        let set_up = vec![Action::open(words.set_up, app).weight(Weight::Main)];
        return view! {
            <section class="card">
                <h2>{words.factor}</h2>
                <p>{words.factor_none}</p>
                {required.map(|text| view! { <p>{text}</p> })}
                {actions(visit, "factor", set_up)}
            </section>
        }
        .into_html();
    };
    let left = factor.recovery_codes_left.to_string();
    let left = plural(visit.words.common.tag, words.codes_left, &[&left]);
    let all = vec![
        Action::call(words.new_codes, "renew-codes", Vec::new()),
        Action::open(words.replace, app),
        Action::open(words.remove, visit.path("me/remove-app")).weight(Weight::Danger),
    ];
    view! {
        <section class="card">
            <h2>{words.factor}</h2>
            <p>{format(words.factor_since, &[&date(since, visit)])}</p>
            <p>{left}</p>
            {actions(visit, "factor", all)}
        </section>
    }
    .into_html()
}

fn password(visit: &Visit) -> Html {
    let words = visit.words.me;
    let current =
        Field::of_type("current", words.current_password, "password").autocomplete("current-password").required();
    let new = Field::of_type("password", words.new_password, "password")
        .autocomplete("new-password")
        .hint(visit.words.sign_in.new_password_hint)
        .required();
    let save = view! {
        <div class="actions"><button class="button button-second">{words.change_password}</button><p class="hint">{words.password_hint}</p></div>
    };
    let content = (field(visit, current), field(visit, new), save);
    view! { <section class="card"><h2>{words.password}</h2>{form(visit, "change-password", content)}</section> }
        .into_html()
}

fn sessions(visit: &Visit, sessions: Vec<UserSession>) -> Html {
    let words = visit.words.me;
    let has_others = sessions.iter().any(|session| !session.is_current);
    let columns = vec![
        Column::new(words.device),
        Column::new(words.network),
        Column::new(words.signed_in),
        Column::new(words.last_seen),
        Column::new(words.end_session).hidden_head(),
    ];
    let rows = sessions.into_iter().map(|session| session_row(visit, session)).collect();
    let end_others = has_others
        .then(|| actions(visit, "sessions", vec![Action::call(words.end_others, "end-other-sessions", Vec::new())]));
    view! {
        <section class="section">
            <div class="page-head"><h2>{words.sessions}</h2>{end_others}</div>
            {table(words.sessions, columns, rows)}
        </section>
    }
    .into_html()
}

fn session_row(visit: &Visit, session: UserSession) -> Row {
    let words = visit.words.me;
    let device = if session.device.is_empty() { words.device_unknown.to_owned() } else { session.device };
    let device = match session.kind {
        UserSessionKind::Desk => device,
        UserSessionKind::Api => format(words.device_api, &[&device]),
    };
    let end = if session.is_current {
        view! { <span class="badge" data-tone="good">{words.this_session}</span> }.into_html()
    } else {
        let label = format(words.end_session_of, &[&device]);
        let content = view! {
            <input type="hidden" name="id" value=session.id.to_string()/>
            <button class="button button-second button-small" aria-label=label>{words.end_session}</button>
        };
        form(visit, "end-session", content)
    };
    let network = view! { <bdi dir="ltr">{session.network}</bdi> }.into_html();
    Row::new(vec![
        device.into_html(),
        network,
        moment(session.started_at, visit),
        moment(session.last_seen_at, visit),
        end,
    ])
}

/// The question before the authenticator app is removed.
pub fn remove_app_page(visit: &Visit) -> Html {
    let words = visit.words.me;
    let button = (Weight::Danger, words.remove_submit.to_owned());
    view! {
        <h1>{words.remove_title}</h1>
        {problems(visit)}
        {confirm(visit, words.remove_text, "remove-app", ().into_html(), button, visit.path("me"))}
    }
    .into_html()
}
