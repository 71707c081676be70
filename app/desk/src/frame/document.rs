//! The HTML document around every page: head, navigation, person's menu.

use crate::{
    frame::{
        navigation::{IN_BAR, ITEMS, Item, SEARCH, Section},
        preferences::Preferences,
    },
    islands::holding::Holding,
    keys::Keys,
    words::Words,
};
use leptos::prelude::*;
use returns::Caller;
use ui::{
    components::icons::{self, icon, icon_s},
    html::{Html, IntoHtml},
    web::{assets::Assets, scripts::IslandScripts},
};

/// What the document around a page needs to know.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The title of the page.
    pub title: String,
    /// Where the desk's pages begin: `/desk`, or nothing on a host of its own.
    pub home: &'static str,
    /// Who is signed in.
    pub person: Option<Person>,
    /// The part of the desk that the page belongs to.
    pub section: Option<Section>,
    /// What the last action did.
    pub flash: Option<String>,
    pub preferences: Preferences,
    pub words: &'static Words,
    /// Whether the page has islands, and so loads the scripts.
    pub has_islands: bool,
}

/// Who is signed in, as the frame shows them.
#[derive(Debug, Clone)]
pub struct Person {
    /// The id of the user.
    pub id: String,
    /// The name, or the e-mail address of somebody without one.
    pub name: String,
    pub email: String,
    /// The name of the account.
    pub account: String,
    pub is_test: bool,
    /// For what they may open.
    pub caller: Caller,
}

impl Person {
    fn may_open(&self, item: &Item) -> bool {
        let staff = self.caller.as_staff_with_any(item.scopes);
        item.scopes.is_empty() || staff.is_ok_and(|staff| !(item.is_supervision && staff.is_limited()))
    }
}

/// A whole page.
#[component]
pub fn Document(frame: Frame, assets: &'static Assets, body: Html) -> impl IntoView {
    let words = frame.words;
    let title = format!("{} – {}", frame.title, words.common.desk);
    let is_signed_in = frame.person.is_some();
    let scripts = frame.has_islands.then(|| {
        view! { <IslandScripts options=assets.options.clone()/> }
    });
    let test = frame.person.as_ref().filter(|person| person.is_test).map(|_| {
        view! { <p class="desk-test">{words.common.test_account}</p> }
    });
    let flash =
        frame.flash.clone().map(|text| view! { <p class="flash">{icon_s(icons::CHECK)}<span>{text}</span></p> });
    let density = if frame.preferences.is_comfortable { "comfortable" } else { "compact" };
    let around = frame.person.clone().map(|person| view! { <Around frame=frame.clone() person/> });
    let keys = frame.person.clone().filter(|_| frame.preferences.has_keys);
    let keys = keys.map(|person| view! { <KeyList frame=frame.clone() person/> });
    let holding = frame.person.clone().map(|person| {
        let (undo, open_again) = (words.common.undo.to_owned(), words.common.open_again.to_owned());
        view! { <Holding person=person.id undo open_again/> }
    });
    view! {
        <!DOCTYPE html>
        <html lang=words.common.tag dir=words.language().direction() data-density=density>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
                <meta name="color-scheme" content="light dark"/>
                <meta name="robots" content="noindex, nofollow"/>
                <title>{title}</title>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href=assets.css.as_str()/>
                {scripts}
                <AutoReload options=assets.options.clone()/>
            </head>
            <body class:desk=is_signed_in class:desk-door=!is_signed_in>
                <a class="skip" href="#main">{words.common.skip}</a>
                {around}
                <main class="desk-page" id="main" tabindex="-1">
                    {test}
                    <div class="flashes" role="status">{flash}</div>
                    {body}
                    {holding}
                </main>
                {keys}
            </body>
        </html>
    }
    .into_html()
}

/// The head, with search and the person's menu, and the navigation.
#[component]
fn Around(frame: Frame, person: Person) -> impl IntoView {
    let (words, home) = (frame.words, frame.home);
    let items: Vec<Item> = ITEMS.iter().filter(|item| person.may_open(item)).copied().collect();
    let link = move |item: &Item, class: Option<&'static str>| {
        let here = (frame.section == Some(item.section)).then_some("page");
        let href = address(home, item.path);
        view! { <li class=class><a href=href aria-current=here>{icon(item.icon)}<span>{(item.text)(words)}</span></a></li> }
    };
    let first = items.iter().take(IN_BAR).map(|item| link(item, None)).collect_view();
    let rest = items.iter().skip(IN_BAR).map(|item| link(item, Some("desk-beyond"))).collect_view();
    let more = (items.len() > IN_BAR).then(|| {
        view! {
            <li class="desk-more">
                <details>
                    <summary>{icon(icons::MORE)}<span>{words.common.more}</span></summary>
                    <ul>{items.iter().skip(IN_BAR).map(|item| link(item, None)).collect_view()}</ul>
                </details>
            </li>
        }
    });
    let search = SEARCH.map(|path| {
        view! {
            <form class="desk-search" role="search" aria-label=words.common.search method="post" action=address(home, path)>
                <input type="hidden" name="here" value=address(home, "search")/>
                <label class="visually-hidden" for="head-search">{words.common.search}</label>
                {icon_s(icons::SEARCH)}
                <input id="head-search" class="input" type="search" name="q" data-focus="/" autocomplete="off" placeholder=words.common.search_hint/>
            </form>
        }
    });
    view! {
        <header class="desk-head">
            <a class="desk-brand" href=address(home, "")><bdi>{person.account.clone()}</bdi></a>
            {search}
            <details class="person">
                <summary aria-label=words.common.person_menu>
                    <span class="person-sign" aria-hidden="true">{initial(&person.name)}</span>
                    <bdi class="person-name">{person.name.clone()}</bdi>
                    {icon_s(icons::CHEVRON)}
                </summary>
                <div class="person-menu">
                    <p><bdi>{person.email.clone()}</bdi></p>
                    <a href=address(home, "me")>{words.common.your_settings}</a>
                    <form method="post" action=address(home, "call/sign-out")>
                        <button>{words.common.sign_out}</button>
                    </form>
                </div>
            </details>
        </header>
        <nav class="desk-nav" aria-label=words.common.navigation>
            <ul>{first}{rest}{more}</ul>
        </nav>
    }
    .into_html()
}

/// The list of keys, which `?` opens. Each link of the navigation with a key is in it.
#[component]
fn KeyList(frame: Frame, person: Person) -> impl IntoView {
    let (words, home) = (frame.words, frame.home);
    let (common, order) = (words.common, words.return_order);
    let key = |keys: &[&'static str], text: &str| {
        let keys = keys.iter().map(|key| view! { <kbd>{*key}</kbd>" " }).collect_view();
        view! { <div><dt>{keys}</dt><dd>{text.to_owned()}</dd></div> }
    };
    let pages = ITEMS.iter().filter(|item| person.may_open(item));
    let pages = pages.filter_map(|item| Some((item.key?, item))).map(|(key, item)| {
        let text = ui::text::format(common.keys_go, &[(item.text)(words)]);
        view! { <div data-go=address(home, item.path) data-key=key.to_string()><dt><kbd>"g"</kbd>" "<kbd>{key}</kbd></dt><dd>{text}</dd></div> }
    });
    let everywhere = [(&["?"][..], common.keys_help), (&["/"], common.keys_search), (&["u"], common.undo)];
    let in_lists = [
        (&["j", "k"][..], common.keys_rows),
        (&["Enter"], common.keys_open),
        (&["x"], common.keys_tick),
        (&["␣"], common.keys_pane),
    ];
    let on_return = [
        (&["a"][..], order.approve),
        (&["r"], order.reject),
        (&["c"], order.count),
        (&["i"], order.inspect),
        (&["n"], order.note),
        (&["e"], order.assign_me),
        (&["]", "["], common.keys_walk),
        (&["Esc"], common.keys_up),
    ];
    let all = |keys: &[(&[&'static str], &'static str)]| keys.iter().map(|(keys, text)| key(keys, text)).collect_view();
    view! {
        <Keys/>
        <dialog id="key-list" class="keys" aria-labelledby="keys-title">
            <h2 id="keys-title">{common.keys_title}</h2>
            <h3>{common.keys_everywhere}</h3>
            <dl>{all(&everywhere)}{pages.collect_view()}</dl>
            <h3>{common.keys_in_lists}</h3>
            <dl>{all(&in_lists)}</dl>
            <h3>{common.keys_on_return}</h3>
            <dl>{all(&on_return)}</dl>
            <form method="dialog"><button class="button button-second">{common.keys_close}</button></form>
        </dialog>
    }
    .into_html()
}

/// The address of a page.
pub fn address(home: &str, path: &str) -> String {
    match (home, path) {
        ("", "") => "/".to_owned(),
        (home, "") => home.to_owned(),
        (home, path) => format!("{home}/{path}"),
    }
}

fn initial(name: &str) -> String {
    name.chars().next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default()
}
