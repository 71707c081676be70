//! What a page says beside what it is about: mistakes, notices, and pages that have nothing to show.

use super::icons::{self, icon};
use crate::words::{Part, Words, parts};
use leptos::prelude::*;
use std::borrow::Cow;

/// How serious something is. Never told by colour alone: an icon or a word goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It worked.
    Good,
    /// Look at it.
    Warn,
    /// It did not work.
    Danger,
    /// Under way.
    Accent,
    /// Nothing to do.
    Quiet,
}

impl Tone {
    /// As the style sheet calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Danger => "danger",
            Self::Accent => "accent",
            Self::Quiet => "quiet",
        }
    }
}

/// What went wrong with a form, each mistake linked to its field. First on the page, and focused.
#[component]
pub fn Alert(
    /// Address of the field, and the sentence.
    mistakes: Vec<(String, String)>,
    /// How they came about, where that is not the shopper's doing.
    #[prop(optional_no_strip)]
    cause: Option<&'static str>,
    words: &'static Words,
) -> impl IntoView {
    let item = |(href, text): (String, String)| view! { <li><a href=href>{text}</a></li> };
    (!mistakes.is_empty()).then(|| {
        view! {
            <div class="alert" role="alert" tabindex="-1" autofocus=true aria-labelledby="alert-title">
                {icon(icons::ALERT)}
                <h2 id="alert-title">{words.live().problem_title}</h2>
                {cause.map(|cause| view! { <p>{cause}</p> })}
                <ul>{mistakes.into_iter().map(item).collect_view()}</ul>
            </div>
        }
        .into_any()
    })
}

/// What is wrong with a field, beneath its label. Nothing where nothing is.
#[component]
pub fn FieldMistake(
    /// The element's id, for `aria-describedby`.
    id: String,
    text: Option<String>,
    words: &'static Words,
) -> impl IntoView {
    text.map(|text| {
        view! {
            <p class="error" id=id>
                {icon(icons::ALERT)}
                <span><span class="visually-hidden">{words.live().error_prefix}</span>{text}</span>
            </p>
        }
        .into_any()
    })
}

/// Text inside a textarea. Leptos leaves it as it is, and browsers drop a line break at the start.
pub fn typed(text: &str) -> String {
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;"))
}

/// Something to know before going on.
#[derive(Debug, Clone)]
pub struct NoticeText {
    /// Its icon.
    pub icon: &'static str,
    /// How serious it is.
    pub tone: Tone,
    /// In a few words.
    pub title: &'static str,
    /// In a sentence.
    pub text: &'static str,
}

/// A notice, and what belongs into it beside the words.
#[component]
pub fn Notice(notice: NoticeText, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="notice" role="status" data-tone=notice.tone.name()>
            {icon(notice.icon)}
            <h2>{notice.title}</h2>
            <p>{notice.text}</p>
            {children.map(|children| children())}
        </div>
    }
    .into_any()
}

/// Words that lead somewhere.
#[derive(Debug, Clone)]
pub struct Link {
    /// Where.
    pub href: String,
    /// What is there.
    pub text: &'static str,
}

/// The way on.
pub fn link_button(link: Link) -> impl IntoView {
    view! { <a class="button button-wide" href=link.href>{link.text}</a> }.into_any()
}

/// Another way.
pub fn text_link(link: Link) -> impl IntoView {
    view! { <a class="textlink" href=link.href>{link.text}</a> }.into_any()
}

/// What a page says that has nothing else to show.
#[derive(Debug, Clone)]
pub struct EmptyState {
    /// Its icon.
    pub icon: &'static str,
    /// How serious it is.
    pub tone: Tone,
    /// Its heading.
    pub title: &'static str,
    /// What it is about, and what to do.
    pub text: Cow<'static, str>,
    /// The way on.
    pub way: Option<Link>,
    /// Another way.
    pub other_way: Option<Link>,
}

/// A page that says why there is nothing, and where to go.
#[component]
pub fn EmptyStatePage(
    empty: EmptyState,
    /// How to reach the shop, where a person can help.
    #[prop(optional_no_strip)]
    contact: Option<AnyView>,
) -> impl IntoView {
    let has_way = empty.way.is_some() || empty.other_way.is_some() || contact.is_some();
    let tone = (empty.tone != Tone::Accent).then(|| empty.tone.name());
    view! {
        <div class="blank">
            <span class="blank-sign" data-tone=tone>{icon(empty.icon)}</span>
            <h1>{empty.title}</h1>
            <p>{empty.text}</p>
            {has_way.then(|| view! { <div class="actions">{empty.way.map(link_button)}{empty.other_way.map(text_link)}{contact}</div> })}
        </div>
    }
    .into_any()
}

/// A sentence with views in its slots.
pub fn sentence(text: &'static str, mut values: Vec<AnyView>) -> impl IntoView {
    let part = |part: Part<'static>| match part {
        Part::Text(text) => text.into_any(),
        Part::Slot(number) => {
            values.get_mut(number).map_or_else(|| ().into_any(), |value| std::mem::replace(value, ().into_any()))
        }
    };
    parts(text).into_iter().map(part).collect_view()
}
