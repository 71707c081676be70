//! Buttons, and why some cannot be used.

use crate::{components::forms::form, visit::Visit};
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// How an action looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The one that is usually right.
    Main,
    Second,
    /// It takes something away.
    Danger,
}

impl Weight {
    fn class(self) -> &'static str {
        match self {
            Self::Main => "button",
            Self::Second => "button button-second",
            Self::Danger => "button button-danger",
        }
    }
}

/// An action of a page.
#[derive(Debug, Clone)]
pub struct Action {
    text: String,
    weight: Weight,
    act: Act,
    key: Option<&'static str>,
    hold: Option<Hold>,
}

/// What is said while an action can be undone. Without scripting, it is carried out at once.
#[derive(Debug, Clone)]
pub struct Hold {
    /// What the action is about, such as the id of a request.
    pub about: String,
    /// The sentence while it waits, with `{1}` for the seconds.
    pub waiting: String,
    /// The sentence when it is carried out.
    pub done: String,
    /// The sentence if it is not accepted.
    pub failed: String,
    /// The page to go to while it waits.
    pub next: Option<String>,
}

#[derive(Debug, Clone)]
enum Act {
    /// Opens a page, such as one that asks for more.
    Open(String),
    /// Posts to a server function.
    Call { function: &'static str, fields: Vec<(&'static str, String)> },
    /// Cannot be used now, for this reason.
    Not(String),
}

impl Action {
    /// An action that opens a page.
    pub fn open(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), weight: Weight::Second, act: Act::Open(href.into()), key: None, hold: None }
    }

    /// An action that posts these fields to a server function.
    pub fn call(text: impl Into<String>, function: &'static str, fields: Vec<(&'static str, String)>) -> Self {
        Self { text: text.into(), weight: Weight::Second, act: Act::Call { function, fields }, key: None, hold: None }
    }

    /// An action that cannot be used now. The reason is a sentence.
    pub fn not(text: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { text: text.into(), weight: Weight::Second, act: Act::Not(reason.into()), key: None, hold: None }
    }

    #[must_use]
    pub fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// The key that does the same.
    #[must_use]
    pub fn key(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Lets it be undone for ten seconds.
    #[must_use]
    pub fn hold(self, hold: Hold) -> Self {
        Self { hold: Some(hold), ..self }
    }
}

/// A row of actions. One that cannot be used is grey, with its reason in words below the row. `id` makes ids unique on a page.
pub fn actions(visit: &Visit, id: &str, all: Vec<Action>) -> Html {
    let mut reasons = Vec::new();
    let mut buttons = Vec::new();
    for (index, Action { text, weight, act, key, hold }) in all.into_iter().enumerate() {
        let class = weight.class();
        buttons.push(match act {
            Act::Open(href) => view! { <a class=class href=href data-press=key>{text}</a> }.into_html(),
            Act::Call { function, fields } => {
                let fields = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
                let button = button(class, key, hold, text);
                form(visit, function, view! { {fields.collect_view()}{button} })
            }
            Act::Not(reason) => {
                let reason_id = format!("{id}-why-{index}");
                reasons.push((reason_id.clone(), text.clone(), reason));
                view! { <button type="button" class=class aria-disabled="true" aria-describedby=reason_id>{text}</button> }
                    .into_html()
            }
        });
    }
    let reason = |(id, text, reason): (String, String, String)| {
        let text = ui::text::format(visit.words.common.why_not, &[&text, &reason]);
        view! { <li id=id>{text}</li> }
    };
    let reasons = (!reasons.is_empty())
        .then(|| view! { <ul class="why-not">{reasons.into_iter().map(reason).collect_view()}</ul> });
    view! { <div class="act"><div class="act-row">{buttons}</div>{reasons}</div> }.into_html()
}

fn button(class: &'static str, key: Option<&'static str>, hold: Option<Hold>, text: String) -> Html {
    let Some(Hold { about, waiting, done, failed, next }) = hold else {
        return view! { <button class=class data-press=key>{text}</button> }.into_html();
    };
    view! {
        <button class=class data-press=key data-hold=waiting data-hold-about=about data-hold-done=done data-hold-failed=failed
            data-hold-next=next>{text}</button>
    }
    .into_html()
}

/// A page between a button and its effect: what will happen, and the way back. `content` may hold fields.
pub fn confirm(
    visit: &Visit,
    text: impl Into<String>,
    function: &'static str,
    content: Html,
    button: (Weight, String),
    back: String,
) -> Html {
    let (weight, button) = button;
    let cancel = visit.words.common.cancel;
    let class = weight.class();
    let content = view! {
        {content}
        <div class="actions">
            <button class=class>{button}</button>
            <a class="button button-second" href=back>{cancel}</a>
        </div>
    };
    view! { <p class="lede">{text.into()}</p>{form(visit, function, content)} }.into_html()
}
