//! A field with its label, hint and mistake.

use crate::visit::Guest;
use leptos::prelude::*;
use ui::{
    components::{
        FieldMistake,
        icons::{self, icon},
        typed,
    },
    html::{Html, IntoHtml},
};

/// What a field looks like.
#[derive(Debug, Clone)]
enum Kind {
    /// One line of text, of an HTML type.
    Line(&'static str),
    /// Several lines.
    Lines,
    /// One of several values.
    Select(Vec<(String, String)>),
}

/// A field of a form.
#[derive(Debug, Clone)]
pub struct Field {
    name: &'static str,
    label: String,
    kind: Kind,
    stored: String,
    hint: Option<String>,
    autocomplete: &'static str,
    max_length: Option<u32>,
    is_required: bool,
    key: Option<&'static str>,
}

impl Field {
    fn new(name: &'static str, label: impl Into<String>, kind: Kind) -> Self {
        let label = label.into();
        Self {
            name,
            label,
            kind,
            stored: String::new(),
            hint: None,
            autocomplete: "off",
            max_length: None,
            is_required: false,
            key: None,
        }
    }

    /// A line of text.
    pub fn text(name: &'static str, label: impl Into<String>) -> Self {
        Self::new(name, label, Kind::Line("text"))
    }

    /// A line of an HTML type, such as `email` or `password`. A password is never shown again.
    pub fn of_type(name: &'static str, label: impl Into<String>, kind: &'static str) -> Self {
        Self::new(name, label, Kind::Line(kind))
    }

    /// Several lines.
    pub fn lines(name: &'static str, label: impl Into<String>) -> Self {
        Self::new(name, label, Kind::Lines)
    }

    /// A list of values with their texts.
    pub fn select(name: &'static str, label: impl Into<String>, options: Vec<(String, String)>) -> Self {
        Self::new(name, label, Kind::Select(options))
    }

    /// The value in the database.
    #[must_use]
    pub fn value(self, stored: impl Into<String>) -> Self {
        Self { stored: stored.into(), ..self }
    }

    /// What helps to fill it in.
    #[must_use]
    pub fn hint(self, text: impl Into<String>) -> Self {
        Self { hint: Some(text.into()), ..self }
    }

    /// What a browser may fill in by itself: the HTML tokens.
    #[must_use]
    pub fn autocomplete(self, tokens: &'static str) -> Self {
        Self { autocomplete: tokens, ..self }
    }

    /// The largest number of characters.
    #[must_use]
    pub fn max_length(self, characters: u32) -> Self {
        Self { max_length: Some(characters), ..self }
    }

    /// Whether it has to be filled in.
    #[must_use]
    pub fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The key that gives the field the focus.
    #[must_use]
    pub fn key(self, key: &'static str) -> Self {
        Self { key: Some(key), ..self }
    }
}

/// A field with its label, hint and mistake. It shows what was typed if its form was refused.
pub fn field(guest: &Guest, field: Field) -> Html {
    let Field { name, label, kind, stored, hint, autocomplete, max_length, is_required, key } = field;
    let mistake = guest.mistake(name);
    let has_error = mistake.is_some();
    let hint_id = hint.is_some().then(|| format!("{name}-hint"));
    let error_id = has_error.then(|| format!("{name}-error"));
    let described = [error_id, hint_id].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let described = (!described.is_empty()).then_some(described);
    let max_length = max_length.map(|characters| characters.to_string());
    let invalid = has_error.then_some("true");
    let value = guest.value(name, &stored);
    let control = match kind {
        Kind::Line(kind) => {
            let value = if kind == "password" { String::new() } else { value };
            // What is typed follows its own direction, such as a SKU on a page from right to left.
            let direction = matches!(kind, "text" | "search").then_some("auto");
            view! {
                <input class="input" id=name name=name type=kind dir=direction value=value autocomplete=autocomplete
                    maxlength=max_length required=is_required aria-invalid=invalid aria-describedby=described data-focus=key/>
            }
            .into_html()
        }
        Kind::Lines => view! {
            <textarea class="textarea" id=name name=name dir="auto" maxlength=max_length required=is_required aria-invalid=invalid
                aria-describedby=described data-focus=key>{typed(&value)}</textarea>
        }
        .into_html(),
        Kind::Select(options) => {
            let option = |(key, text): (String, String)| {
                let is_chosen = key == value;
                view! { <option value=key selected=is_chosen>{text}</option> }
            };
            let options = options.into_iter().map(option).collect_view();
            view! {
                <span class="select">
                    <select id=name name=name autocomplete=autocomplete aria-invalid=invalid aria-describedby=described>{options}</select>
                    {icon(icons::CHEVRON)}
                </span>
            }
            .into_html()
        }
    };
    let words = guest.words;
    view! {
        <div class="field" class:has-error=has_error>
            <label for=name>{label}</label>
            {hint.map(|hint| view! { <p class="hint" id=format!("{name}-hint")>{hint}</p> })}
            <FieldMistake id=format!("{name}-error") text=mistake words/>
            {control}
        </div>
    }
    .into_html()
}
