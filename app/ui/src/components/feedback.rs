//! Feedback on a page: mistakes, notices and empty states.

#![allow(missing_docs, reason = "the names of fields and constants say what they are")]

use super::icons::{self, icon};
use crate::{
    html::{Html, IntoHtml},
    text::{Part, parts},
    words::PageWords,
};
use leptos::prelude::*;
use std::borrow::Cow;

/// How serious a message is. Colour never carries this alone: an icon or a word goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Success.
    Good,
    /// A warning.
    Warn,
    /// A failure.
    Danger,
    /// In progress.
    Accent,
    /// Nothing to do.
    Quiet,
}

impl Tone {
    /// The name in the style sheet.
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

/// The mistakes of a form, each linked to its field. It comes first on the page and has the focus.
#[component]
pub fn Alert(
    /// The address of each field, and what is wrong with it.
    mistakes: Vec<(String, String)>,
    /// What caused the mistakes, if not the person at the form.
    #[prop(optional_no_strip)]
    cause: Option<&'static str>,
    /// Whether the focus stays where the page puts it.
    #[prop(optional)]
    leaves_focus: bool,
    words: &'static dyn PageWords,
) -> impl IntoView {
    let item = |(href, text): (String, String)| view! { <li><a href=href>{text}</a></li> };
    (!mistakes.is_empty()).then(|| {
        view! {
            <div class="alert" role="alert" tabindex="-1" autofocus=!leaves_focus aria-labelledby="alert-title">
                {icon(icons::ALERT)}
                <h2 id="alert-title">{words.problem_title()}</h2>
                {cause.map(|cause| view! { <p>{cause}</p> })}
                <ul>{mistakes.into_iter().map(item).collect_view()}</ul>
            </div>
        }
        .into_html()
    })
}

/// The mistake of a field, below its label. Without a mistake, nothing.
#[component]
pub fn FieldMistake(
    /// The element's id, for `aria-describedby`.
    id: String,
    text: Option<String>,
    words: &'static dyn PageWords,
) -> impl IntoView {
    text.map(|text| {
        view! {
            <p class="error" id=id>
                {icon(icons::ALERT)}
                <span><span class="visually-hidden">{words.error_prefix()}</span>{text}</span>
            </p>
        }
        .into_html()
    })
}

/// Text for a textarea. Leptos does not escape it, and browsers drop a line break at its start.
pub fn typed(text: &str) -> String {
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;"))
}

/// A notice above the content of a page.
#[derive(Debug, Clone)]
pub struct NoticeText {
    pub icon: &'static str,
    pub tone: Tone,
    pub title: &'static str,
    pub text: &'static str,
}

/// A notice, with more content after its text.
#[component]
pub fn Notice(notice: NoticeText, #[prop(optional)] more: Option<Html>) -> impl IntoView {
    view! {
        <div class="notice" role="status" data-tone=notice.tone.name()>
            {icon(notice.icon)}
            <h2>{notice.title}</h2>
            <p>{notice.text}</p>
            {more}
        </div>
    }
    .into_html()
}

/// A link.
#[derive(Debug, Clone)]
pub struct Link {
    pub href: String,
    pub text: &'static str,
}

/// A link as the main action.
pub fn link_button(link: Link) -> impl IntoView {
    view! { <a class="button button-wide" href=link.href>{link.text}</a> }.into_html()
}

/// A link as a secondary action.
pub fn text_link(link: Link) -> impl IntoView {
    view! { <a class="textlink" href=link.href>{link.text}</a> }.into_html()
}

/// An empty state: what a page says when it has nothing else to show.
#[derive(Debug, Clone)]
pub struct EmptyState {
    pub icon: &'static str,
    pub tone: Tone,
    pub title: &'static str,
    pub text: Cow<'static, str>,
    /// The main action.
    pub way: Option<Link>,
    /// The secondary action.
    pub other_way: Option<Link>,
}

/// A page that says why there is nothing, and where to go instead.
#[component]
pub fn EmptyStatePage(
    empty: EmptyState,
    /// How to reach a person who can help.
    #[prop(optional_no_strip)]
    contact: Option<Html>,
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
    .into_html()
}

/// A sentence with views in its slots.
pub fn sentence(text: &'static str, mut values: Vec<Html>) -> impl IntoView {
    let part = |part: Part<'static>| match part {
        Part::Text(text) => text.into_html(),
        Part::Slot(number) => values.get_mut(number).map(std::mem::take).unwrap_or_default(),
    };
    parts(text).into_iter().map(part).collect_view()
}
