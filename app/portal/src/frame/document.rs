//! The HTML document around every page: head, masthead, footer.

#![expect(clippy::too_many_lines, reason = "a view, read from top to bottom")]

use crate::{
    frame::{contact_links::contact_items, theme::Theme},
    words::{Words, live::ELEMENT},
};
use leptos::{nonce::use_nonce, prelude::*};
use ui::{
    components::icons::{self, icon_s},
    html::{Html, IntoHtml},
    language::Language,
    web::{assets::Assets, scripts::IslandScripts},
};

/// The script inside a frame. `public/embed.js` is its counterpart on the shop's page.
const EMBEDDED: &str = include_str!("../embed/frame.js");

/// What the document around a page needs to know.
#[expect(clippy::struct_excessive_bools, reason = "independent questions, each answered by name")]
#[derive(Debug, Clone)]
pub struct Frame {
    /// The title of the page, without the shop's name.
    pub title: String,
    /// The theme. `None` if no shop is known.
    pub theme: Option<Theme>,
    /// Whether the visitor has proved an order.
    pub known: bool,
    /// Whether there is a column beside the main one.
    pub wide: bool,
    pub in_returns: bool,
    pub islands: bool,
    /// Whether the page itself links to the withdrawal or is about it, so that the footer has no such link.
    pub has_own_withdrawal_link: bool,
    pub words: &'static Words,
}

/// A whole page.
#[component]
pub fn Document(frame: Frame, assets: &'static Assets, body: Html) -> impl IntoView {
    let words = frame.words;
    let title = match &frame.theme {
        Some(theme) => format!("{} – {}", frame.title, theme.name),
        None => frame.title.clone(),
    };
    let style = frame.theme.as_ref().and_then(|theme| theme.style.clone()).map(|style| {
        view! { <style nonce=use_nonce()>{format!(":root{{{style}}}")}</style> }
    });
    let scripts = frame.islands.then(|| {
        let texts = words.live().texts().join("\n");
        view! {
            <script type="text/plain" id=ELEMENT nonce=use_nonce() inner_html=texts></script>
            <IslandScripts options=assets.options.clone()/>
        }
    });
    // The address below which islands call functions.
    let home = frame.theme.as_ref().filter(|_| frame.islands).map(|theme| theme.home.clone());
    let embedded = frame.theme.as_ref().filter(|theme| theme.is_embedded);
    let preview = frame.theme.as_ref().filter(|theme| theme.is_preview).map(|theme| {
        view! {
            <section class="preview" aria-labelledby="preview">
                <p id="preview">{icon_s(icons::EYE)}{words.preview}</p>
                <form method="post" action=theme.path("preview")>
                    <button class="button button-second">{words.preview_end}</button>
                </form>
            </section>
        }
    });
    let test = frame.theme.as_ref().filter(|theme| theme.is_test).map(|_| {
        view! { <section class="test-shop" aria-labelledby="test-shop"><p id="test-shop">{words.test_shop}</p></section> }
    });
    let script = embedded.map(|theme| {
        let (origins, home) = (theme.embed_origins.join(" "), theme.home.clone());
        view! { <script nonce=use_nonce() data-origins=origins data-home=home inner_html=EMBEDDED></script> }
    });
    view! {
        <!DOCTYPE html>
        <html lang=words.tag dir=words.language().direction()>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="description" content=words.description/>
                <title>{title}</title>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href=assets.css.as_str()/>
                {style}
                {scripts}
                <AutoReload options=assets.options.clone()/>
            </head>
            <body class:wide=frame.wide class:embedded=embedded.is_some() data-home=home>
                <a class="skip" href="#main">{words.skip}</a>
                {test}
                {preview}
                <Masthead frame=frame.clone()/>
                <p class="offline" role="status">{icon_s(icons::OFFLINE)}{words.offline}</p>
                <main class="page" id="main" tabindex="-1">{body}</main>
                <Foot theme=frame.theme.clone() links_to_withdrawal=!frame.has_own_withdrawal_link words/>
                {script}
            </body>
        </html>
    }
    .into_html()
}

/// The link to the withdrawal from a contract.
pub fn withdraw_link(theme: &Theme, class: Option<&'static str>, words: &Words) -> Option<impl IntoView + use<>> {
    let (href, text) = (theme.path("withdraw"), words.withdraw);
    theme.offers_withdrawal.then(|| view! { <a class=class href=href>{text}</a> })
}

#[component]
fn Foot(
    theme: Option<Theme>,
    /// Whether the footer links to the withdrawal.
    links_to_withdrawal: bool,
    words: &'static Words,
) -> impl IntoView {
    let withdraw = theme
        .as_ref()
        .filter(|_| links_to_withdrawal)
        .and_then(|theme| withdraw_link(theme, None, words))
        .map(|link| view! { <li>{link}</li> });
    let contact = theme.as_ref().map(|theme| contact_items(theme, words)).unwrap_or_default();
    // A frame has no way back to the shop's page around it, and that page decides about the language.
    if theme.as_ref().is_some_and(|theme| theme.is_embedded) {
        let foot = (withdraw.is_some() || !contact.is_empty()).then(|| {
            view! { <footer class="foot"><div class="foot-in"><ul class="foot-links">{withdraw}{contact}</ul></div></footer> }
        });
        return foot.into_html();
    }
    let (shop_url, links, terms_url) =
        theme.map(|theme| (theme.shop_url, theme.links, theme.terms_url)).unwrap_or_default();
    let shop = shop_url.map(|url| view! { <li><a href=url>{icon_s(icons::STORE)}{words.shop_link}</a></li> });
    let links =
        links.into_iter().map(|(text, url)| view! { <li><a href=url><bdi>{text}</bdi></a></li> }).collect_view();
    let terms = terms_url.map(|url| view! { <li><a href=url>{words.terms}</a></li> });
    let choice = |language: Language| {
        let (tag, is_here) = (language.tag(), (language == words.language()).then_some("true"));
        let (href, name) = (format!("?lang={tag}"), language.name());
        view! { <li><a href=href lang=tag hreflang=tag aria-current=is_here>{name}</a></li> }
    };
    view! {
        <footer class="foot">
            <div class="foot-in">
                <ul class="foot-links">{withdraw}{shop}{contact}{links}{terms}</ul>
                <nav aria-label=words.languages>
                    <ul class="languages">{Language::ALL.map(choice).collect_view()}</ul>
                </nav>
            </div>
        </footer>
    }
    .into_html()
}

#[component]
fn Masthead(frame: Frame) -> impl IntoView {
    let words = frame.words;
    // The shop's own page around the frame shows its name already.
    let is_embedded = frame.theme.as_ref().is_some_and(|theme| theme.is_embedded);
    let brand = match &frame.theme {
        None => view! { <span class="brand"><span>{words.nameless}</span></span> }.into_html(),
        Some(theme) => {
            let name = match theme.logo.clone() {
                Some(logo) => view! { <Logo logo dark=theme.logo_dark.clone() name=theme.name.clone()/> }.into_html(),
                None => view! { <span>{theme.name.clone()}</span> }.into_html(),
            };
            let home = theme.path(if frame.known { "purchases" } else { "" });
            view! { <a class="brand" href=home>{name}</a> }.into_html()
        }
    };
    let account = frame.theme.filter(|_| frame.known).map(|theme| {
        let here = frame.in_returns.then_some("page");
        view! {
            <nav class="account" aria-label=words.account>
                <a href=theme.path("returns") aria-current=here>{words.my_returns}</a>
                <form method="post" action=theme.path("call/leave")><button>{words.leave}</button></form>
            </nav>
        }
    });
    if is_embedded {
        return account
            .map(|account| view! { <header class="masthead"><div class="masthead-in">{account}</div></header> })
            .into_html();
    }
    view! { <header class="masthead"><div class="masthead-in">{brand}{account}</div></header> }.into_html()
}

/// The logo. On dark pages, the dark logo, or the same one on a light background.
#[component]
fn Logo(logo: String, dark: Option<String>, name: String) -> impl IntoView {
    let has_dark = dark.is_some().then_some("");
    let image = view! { <img class="brand-logo" src=logo alt=name width="160" height="32" data-dark=has_dark/> };
    match dark {
        Some(dark) => {
            let media = "(prefers-color-scheme: dark)";
            view! { <picture><source media=media srcset=dark/>{image}</picture> }.into_html()
        }
        None => image.into_html(),
    }
}
