//! The pages of signing in: one narrow column, one thing on each.

use crate::{
    components::{Field, field, form, problems, qr_code},
    pages::passkey_forms::{SIGN_IN, new_passkey_form, passkey_form},
    visit::Guest,
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::icons::{self, icon},
    html::{Html, IntoHtml},
    language::Language,
    web::form::encoded,
};

/// A column with a heading.
fn door(title: &'static str, lede: Option<&'static str>, content: impl IntoView + 'static) -> Html {
    view! {
        <div class="door">
            <p class="door-brand">{icon(icons::RETURN)}"Retour"</p>
            <h1>{title}</h1>
            {lede.map(|lede| view! { <p class="lede">{lede}</p> })}
            {content}
        </div>
    }
    .into_html()
}

fn hidden(name: &'static str, value: &str) -> Html {
    view! { <input type="hidden" name=name value=value.to_owned()/> }.into_html()
}

fn submit(text: &'static str) -> Html {
    view! { <div class="actions"><button class="button button-full">{text}</button></div> }.into_html()
}

/// The languages, each as a link to this page.
fn languages(guest: &Guest) -> Html {
    let (path, _) = guest.here().split_once('?').unwrap_or((guest.here(), ""));
    let kept = guest.query.iter().filter(|(name, _)| *name != "lang");
    let kept = kept.fold(String::new(), |kept, (name, value)| kept + name + "=" + &encoded(value) + "&");
    let choice = |language: Language| {
        let (tag, is_here) = (language.tag(), (language == guest.words.language()).then_some("true"));
        let href = format!("{path}?{kept}lang={tag}");
        view! { <li><a class="textlink" href=href lang=tag hreflang=tag aria-current=is_here>{language.name()}</a></li> }
    };
    let choices: Vec<_> = Words::languages().map(choice).collect();
    view! { <nav class="door-languages" aria-label=guest.words.common.languages><ul>{choices}</ul></nav> }.into_html()
}

/// The form for e-mail address and password. `next`: the page to continue at.
pub fn sign_in_page(guest: &Guest, next: &str, notice: Option<&'static str>) -> Html {
    let words = guest.words.sign_in;
    let email = Field::of_type("email", words.email, "email").autocomplete("username").max_length(320).required();
    let password = Field::of_type("password", words.password, "password").autocomplete("current-password").required();
    let content = (hidden("next", next), field(guest, email), field(guest, password), submit(words.submit));
    let forgotten = guest.path("sign-in/forgotten");
    let notice = notice.filter(|_| guest.mistakes().is_empty());
    let body = view! {
        {notice.map(|text| view! { <p class="door-notice" role="status">{text}</p> })}
        {problems(guest)}
        {form(guest, "sign-in", content)}
        {passkey_form(guest, SIGN_IN, words.passkey, hidden("next", next))}
        <p class="door-foot"><a class="textlink" href=forgotten>{words.forgotten}</a></p>
        {languages(guest)}
    };
    door(words.title, Some(words.lede), body)
}

fn code_field(label: &'static str) -> Field {
    Field::text("code", label).autocomplete("one-time-code").max_length(40).required()
}

/// What a person can prove with who they are, besides the password.
#[derive(Debug, Clone, Copy)]
pub struct Has {
    pub app: bool,
    pub passkey: bool,
}

/// The form for a code of the second factor.
pub fn code_page(guest: &Guest, next: &str, has: Has) -> Html {
    let words = guest.words.sign_in;
    let code = if has.app {
        code_field(words.code).hint(words.code_hint)
    } else {
        code_field(words.recovery_code).hint(words.recovery_code_hint)
    };
    let lede = if has.app { words.code_lede } else { words.passkey_lede };
    let content = (hidden("next", next), field(guest, code), submit(words.code_submit));
    let another = view! { <button class="textlink">{words.another_person}</button> };
    let body = view! {
        {problems(guest)}
        {has.passkey.then(|| passkey_form(guest, "code", words.passkey_use, hidden("next", next)))}
        {form(guest, "code", content)}
        <div class="door-foot">{form(guest, "sign-out", another)}</div>
    };
    door(words.code_title, Some(lede), body)
}

/// What an authenticator app is for, before its secret is made.
pub fn app_start_page(guest: &Guest, is_required: bool, next: &str) -> Html {
    let words = guest.words.sign_in;
    let content = (hidden("next", next), submit(words.app_begin));
    let foot = if is_required {
        form(guest, "sign-out", view! { <button class="textlink">{guest.words.common.sign_out}</button> })
    } else {
        view! { <a class="textlink" href=next.to_owned()>{guest.words.common.cancel}</a> }.into_html()
    };
    let body = view! {
        {is_required.then(|| view! { <p class="door-notice">{words.app_required}</p> })}
        <p>{words.app_which}</p>
        {problems(guest)}
        {form(guest, "begin-app", content)}
        {is_required.then(|| new_passkey(guest, next))}
        <div class="door-foot">{foot}</div>
    };
    door(words.app_title, Some(words.app_lede), body)
}

/// A passkey is a second factor, too.
fn new_passkey(guest: &Guest, next: &str) -> Html {
    let words = guest.words;
    let content = view! { <p>{words.sign_in.app_or_passkey}</p>{hidden("next", next)} };
    new_passkey_form(guest, words.me.passkey_add, content)
}

/// The secret of an authenticator app, and the form for its first code.
pub fn app_page(guest: &Guest, secret: &str, uri: &str, next: &str) -> Html {
    let words = guest.words.sign_in;
    let code = code_field(words.app_code);
    let content = (
        hidden("next", next),
        hidden("secret", secret),
        hidden("uri", uri),
        field(guest, code),
        submit(words.app_submit),
    );
    let grouped: Vec<String> =
        secret.as_bytes().chunks(4).map(|four| String::from_utf8_lossy(four).into_owned()).collect();
    let body = view! {
        {problems(guest)}
        <h2>{words.app_scan}</h2>
        {qr_code(uri, words.app_qr)}
        <h2>{words.app_type}</h2>
        <p class="code door-secret" dir="ltr">{grouped.join(" ")}</p>
        {form(guest, "confirm-app", content)}
    };
    door(words.app_title, None, body)
}

/// New recovery codes.
pub fn codes_page(guest: &Guest, codes: &[String], next: &str) -> Html {
    let words = guest.words.sign_in;
    let next = guest.local(next).unwrap_or_else(|| guest.path(""));
    let code = |code: &String| view! { <li><code>{code.clone()}</code></li> };
    let body = view! {
        <ul class="door-codes" aria-label=words.codes_list dir="ltr">{codes.iter().map(code).collect_view()}</ul>
        <div class="actions"><a class="button button-full" href=next>{words.codes_done}</a></div>
    };
    door(words.codes_title, Some(words.codes_lede), body)
}

/// Asks for a recent proof. `begun`: the form that is sent afterwards, as its function and fields.
pub fn confirm_page(guest: &Guest, begun: Option<(String, String)>, has: Has, next: &str) -> Html {
    let words = guest.words.sign_in;
    let (function, fields) = begun.unwrap_or_default();
    let password =
        Field::of_type("password", words.confirm_password, "password").autocomplete("current-password").required();
    let proof = if has.app { code_field(words.confirm_code) } else { password };
    let begun = |next| (hidden("next", next), hidden("function", &function), hidden("fields", &fields));
    let passkey = has.passkey.then(|| passkey_form(guest, "confirm", words.passkey_use, begun(next)));
    let content = (begun(next), field(guest, proof), submit(words.confirm_submit));
    let body = view! {
        {problems(guest)}
        {passkey}
        {form(guest, "confirm", content)}
        <p class="door-foot"><a class="textlink" href=next.to_owned()>{guest.words.common.cancel}</a></p>
    };
    door(words.confirm_title, Some(words.confirm_lede), body)
}

/// Asks for the address to send a link to.
pub fn forgotten_page(guest: &Guest, sends_mail: bool) -> Html {
    let words = guest.words.sign_in;
    let back = view! { <p class="door-foot"><a class="textlink" href=guest.path("sign-in")>{words.back}</a></p> };
    if !sends_mail {
        return door(words.forgotten_title, Some(words.forgotten_no_mail), back);
    }
    let email = Field::of_type("email", words.email, "email").autocomplete("username").max_length(320).required();
    let content = (field(guest, email), submit(words.forgotten_submit));
    let body = (problems(guest), form(guest, "forgotten", content), back, languages(guest));
    door(words.forgotten_title, Some(words.forgotten_lede), body)
}

/// The same answer for every address.
pub fn sent_page(guest: &Guest) -> Html {
    let words = guest.words.sign_in;
    let back = view! { <p class="door-foot"><a class="textlink" href=guest.path("sign-in")>{words.back}</a></p> };
    door(words.sent_title, Some(words.sent), back)
}

/// The form for a new password.
pub fn password_page(guest: &Guest, token: &str) -> Html {
    let words = guest.words.sign_in;
    let password = Field::of_type("password", words.new_password, "password")
        .autocomplete("new-password")
        .hint(words.new_password_hint)
        .required();
    let content = (hidden("token", token), field(guest, password), submit(words.password_submit));
    let body = (problems(guest), form(guest, "set-password", content), languages(guest));
    door(words.password_title, Some(words.password_lede), body)
}

/// The page for a link that was used or has expired.
pub fn link_over_page(guest: &Guest) -> Html {
    let words = guest.words.sign_in;
    let ways = view! {
        <div class="actions"><a class="button button-full" href=guest.path("sign-in/forgotten")>{words.link_request}</a></div>
        <p class="door-foot"><a class="textlink" href=guest.path("sign-in")>{words.back}</a></p>
    };
    door(words.link_over_title, Some(words.link_over), ways)
}
