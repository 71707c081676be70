//! `/{slug}/link`, `/{slug}/mail/…`: asks for a link, lists orders, declines mail.

use crate::{frame::theme::Theme, words::Words};
use leptos::prelude::*;
use ui::{
    components::{
        Alert, FieldMistake, Tone,
        icons::{self, icon},
    },
    html::IntoHtml,
    text::{format, isolated},
};

/// The form that asks for a link to the orders.
#[derive(Debug, Clone)]
pub struct AskLink {
    pub theme: Theme,
    pub email: String,
    /// Whether the text is not an e-mail address.
    pub is_wrong: bool,
}

/// The page that asks for an e-mail address.
#[component]
pub fn AskLinkPage(page: AskLink, words: &'static Words) -> impl IntoView {
    let AskLink { theme, email, is_wrong } = page;
    let error = is_wrong.then(|| words.link_email_wrong.to_owned());
    let alerts = error.iter().map(|text| ("#email".to_owned(), text.clone())).collect();
    view! {
        <Alert mistakes=alerts words/>
        <h1>{words.link_title}</h1>
        <p class="lede">{words.link_lede}</p>
        <form class="lookup" method="post" action=theme.path("call/link") novalidate>
            <div class=if is_wrong { "field has-error" } else { "field" }>
                <label for="email">{words.email}</label>
                <FieldMistake id="email-error".to_owned() text=error words/>
                <input
                    class="input"
                    id="email"
                    name="email"
                    type="email"
                    required
                    maxlength="254"
                    autocomplete="email"
                    autocapitalize="off"
                    spellcheck="false"
                    enterkeyhint="send"
                    aria-describedby=is_wrong.then_some("email-error")
                    aria-invalid=is_wrong.then_some("true")
                    value=email
                />
            </div>
            <div class="actions">
                <button class="button button-wide">{words.link_send}</button>
                <a class="textlink" href=theme.path("")>{words.find_an_order}</a>
            </div>
        </form>
    }
    .into_html()
}

/// The orders that a link opens.
#[derive(Debug, Clone)]
pub struct Orders {
    /// The address of the link.
    pub href: String,
    /// Order numbers, and when each order was placed.
    pub orders: Vec<(String, String)>,
}

/// The page that asks which order to continue with.
#[component]
pub fn OrdersPage(page: Orders, words: &'static Words) -> impl IntoView {
    let Orders { href, orders } = page;
    let order = |(number, placed): (String, String)| {
        view! {
            <li class="return-card">
                <form method="post" action=href.clone()>
                    <button class="card-button" name="orderNumber" value=number.clone()>{format(words.order, &[&isolated(&number, words)])}</button>
                </form>
                <p class="quiet small">{format(words.ordered_on, &[&placed])}</p>
                <svg class="icon icon-way" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=icons::CHEVRON_RIGHT></svg>
            </li>
        }
    };
    view! {
        <h1>{words.orders_title}</h1>
        <p class="lede">{words.orders_lede}</p>
        <ul class="return-list">{orders.into_iter().map(order).collect_view()}</ul>
    }
    .into_html()
}

/// Whether somebody receives optional mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailPreference {
    /// The page asks whether to stop it.
    Asked,
    /// It is stopped.
    Stopped,
    /// It is sent again.
    Resumed,
}

/// The page where optional mail is stopped.
#[component]
pub fn StopPage(href: String, preference: MailPreference, words: &'static Words) -> impl IntoView {
    let (title, tone, sign, button) = match preference {
        MailPreference::Asked => (words.stop_title, Tone::Accent, icons::INFO, words.stop_button),
        MailPreference::Stopped => (words.stopped_title, Tone::Good, icons::CHECK, words.resume_button),
        MailPreference::Resumed => (words.resumed_title, Tone::Good, icons::CHECK, words.stop_button),
    };
    let resumes = preference == MailPreference::Stopped;
    let tone = (tone != Tone::Accent).then(|| tone.name());
    view! {
        <div class="blank">
            <span class="blank-sign" data-tone=tone>{icon(sign)}</span>
            <h1>{title}</h1>
            {(preference != MailPreference::Resumed).then(|| view! { <p>{words.stop}</p> })}
            <form class="actions" method="post" action=href>
                {resumes.then(|| view! { <input type="hidden" name="resume" value="yes"/> })}
                <button class=if preference == MailPreference::Asked { "button button-wide" } else { "textlink" }>{button}</button>
            </form>
        </div>
    }
    .into_html()
}
