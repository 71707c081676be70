//! The audit log.

use super::{
    actions::{action_text, topic_text},
    actors::Actors,
    filter::{Filter, Place},
};
use crate::{
    components::{Chip, Column, Field, Row, empty, field, filter_bar, moment, pager, subject_text, table},
    visit::Visit,
};
use domain::audit::{AuditAction, AuditTopic};
use leptos::prelude::*;
use returns::view::{AuditEntry, List};
use serde_json::Value;
use ui::{
    html::{Html, IntoHtml},
    text::format,
};

/// What the page shows.
pub(super) struct LogPage {
    pub entries: List<AuditEntry>,
    pub filter: Filter,
    pub place: Place,
    pub actors: Actors,
    /// Whether the person sees all entries, or those about money alone.
    pub sees_all: bool,
}

/// The page of the log.
pub(super) fn log_page(visit: &Visit, page: LogPage) -> Html {
    let words = visit.words.audit;
    let LogPage { entries, filter, place, actors, sees_all } = page;
    let csv = format!("{}{}", visit.path("audit.csv"), filter.query(None));
    let bar = filter_bar(
        visit.path("audit"),
        Vec::new(),
        filter_fields(visit, &filter, &actors, sees_all),
        chips(visit, &filter, &actors),
        visit.words,
    );
    let lede = if sees_all { words.lede } else { words.money_only };
    let list = if entries.data.is_empty() {
        let text = if filter.values.is_empty() { words.none } else { words.none_filtered };
        empty(words.none_title, text, None)
    } else {
        let said = format(words.page_of, &[&entries.data.len().to_string()]);
        let at = |place: Place| format!("{}{}", visit.path("audit"), filter.query_at(None, &place));
        let (previous, next) = (place.previous().map(at), entries.next_page.map(|next| at(place.next(next))));
        let rows = entries.data.into_iter().map(|entry| row(visit, &actors, entry)).collect();
        let heads = [words.when, words.who, words.what, words.about, words.change, words.from];
        let pages = pager(previous, next, said, visit.words);
        view! { {table(words.caption, heads.map(Column::new).into(), rows)}{pages} }.into_html()
    };
    view! {
        <h1>{words.title}</h1>
        <p class="lede">{lede}</p>
        {bar}
        <p><a class="textlink" href=csv download="audit.csv">{words.csv}</a></p>
        {list}
    }
    .into_html()
}

fn row(visit: &Visit, actors: &Actors, entry: AuditEntry) -> Row {
    let words = visit.words.audit;
    let who = actors.name(&entry, visit.words);
    let about = actors.known(&entry.subject_id).map(str::to_owned);
    let about = about.unwrap_or_else(|| subject_text(entry.subject, visit.words).to_owned());
    let details = [
        entry.request_id.map(|id| format(words.request, &[&id])),
        entry.session_id.map(|id| format(words.session, &[&id.to_string()])),
    ];
    let details = details.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let network = entry.network.unwrap_or_default();
    Row::new(vec![
        moment(entry.created_at, visit),
        view! { <bdi>{who}</bdi> }.into_html(),
        view! { {action_text(entry.action, visit.words)}<br/><small class="quiet">{topic_text(entry.topic, visit.words)}</small> }
            .into_html(),
        view! { <bdi title=entry.subject_id>{about}</bdi> }.into_html(),
        change(entry.before.as_ref(), entry.after.as_ref(), actors, words.nothing),
        if network.is_empty() { ().into_html() } else { view! { <bdi title=details>{network}</bdi> }.into_html() },
    ])
}

/// The fields that changed: before and after.
/// People and keys have their names in place of their ids.
fn change(before: Option<&Value>, after: Option<&Value>, actors: &Actors, nothing: &'static str) -> Html {
    let mut fields: Vec<(String, String, String)> = Vec::new();
    collect("", before.unwrap_or(&Value::Null), after.unwrap_or(&Value::Null), &mut fields);
    let has_before = before.is_some();
    let has_after = after.is_some();
    let field = |(name, was, is): (String, String, String)| {
        let text = |value: String| match actors.known(&value) {
            Some(name) => name.to_owned(),
            None if value.is_empty() => nothing.to_owned(),
            None => value,
        };
        let was = has_before.then(|| view! { <del><bdi>{text(was)}</bdi></del>" " });
        let is = has_after.then(|| view! { <ins><bdi>{text(is)}</bdi></ins> });
        view! { <div><dt>{name}</dt><dd>{was}{is}</dd></div> }
    };
    if fields.is_empty() {
        return view! { <span class="quiet">"–"</span> }.into_html();
    }
    view! { <dl class="changes">{fields.into_iter().map(field).collect_view()}</dl> }.into_html()
}

/// Collects the fields of two objects by their paths, such as `policy.returnWindowDays`.
fn collect(path: &str, before: &Value, after: &Value, fields: &mut Vec<(String, String, String)>) {
    if before.is_null() && after.is_null() {
        return;
    }
    let (Some(before_fields), Some(after_fields)) = (fields_of(before), fields_of(after)) else {
        fields.push((path.to_owned(), text_of(before), text_of(after)));
        return;
    };
    let mut names: Vec<&String> = before_fields.iter().chain(&after_fields).map(|(name, _)| *name).collect();
    names.sort();
    names.dedup();
    for name in names {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let value = |fields: &[(&String, &Value)]| -> Value {
            fields.iter().find(|(known, _)| *known == name).map_or(Value::Null, |(_, value)| (*value).clone())
        };
        collect(&path, &value(&before_fields), &value(&after_fields), fields);
    }
}

/// The fields of an object; none of `null`; `None` of any other value.
fn fields_of(value: &Value) -> Option<Vec<(&String, &Value)>> {
    match value {
        Value::Object(fields) => Some(fields.iter().collect()),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn filter_fields(visit: &Visit, filter: &Filter, actors: &Actors, sees_all: bool) -> Html {
    let words = visit.words.audit;
    let topics = AuditTopic::ALL.map(|topic| (topic.name().to_owned(), topic_text(topic, visit.words).to_owned()));
    let actions = AuditAction::ALL.iter();
    let actions = actions.map(|action| (action.name().to_owned(), action_text(*action, visit.words).to_owned()));
    let choice = |name: &'static str, label: &'static str, options: Vec<(String, String)>| {
        let all = std::iter::once((String::new(), words.all.to_owned())).chain(options).collect();
        field(visit, Field::select(name, label, all).value(filter.get(name)))
    };
    let day = |name: &'static str, label: &'static str| {
        let day = Field::of_type(name, label, "date").value(filter.get(name));
        field(visit, if filter.no_days.contains(&name) { day.hint(words.not_a_day) } else { day })
    };
    let of_people = sees_all.then(|| choice("actor", words.filter_actor, actors.options()));
    let of_topics = sees_all.then(|| choice("topic", words.filter_topic, topics.into()));
    // On a phone, the first entry is near the top.
    let is_open = ["topic", "id", "since", "until"].iter().any(|name| !filter.get(name).is_empty());
    view! {
        {of_people}
        {choice("action", words.filter_action, actions.collect())}
        <details class="more-filters" open=is_open>
            <summary>{visit.words.returns.filters}</summary>
            <div class="filter-fields">
                {of_topics}
                {field(visit, Field::text("id", words.filter_id).value(filter.get("id")))}
                {day("since", words.filter_since)}
                {day("until", words.filter_until)}
            </div>
        </details>
    }
    .into_html()
}

/// The filters that are set, each with the way to remove it.
fn chips(visit: &Visit, filter: &Filter, actors: &Actors) -> Vec<Chip> {
    let words = visit.words.audit;
    let chip = |(name, value): &(&'static str, String)| {
        let (label, shown) = match *name {
            "actor" => (words.filter_actor, actors.known(value).map(str::to_owned)),
            "topic" => {
                let topic = AuditTopic::from_name(value);
                (words.filter_topic, topic.map(|topic| topic_text(topic, visit.words).to_owned()))
            }
            "action" => {
                let action = AuditAction::from_name(value);
                (words.filter_action, action.map(|action| action_text(action, visit.words).to_owned()))
            }
            "id" => (words.filter_id, None),
            "since" => (words.filter_since, None),
            _ => (words.filter_until, None),
        };
        let text = format!("{label}: {}", shown.unwrap_or_else(|| value.clone()));
        Chip { text, without: format!("{}{}", visit.path("audit"), filter.query(Some(name))) }
    };
    filter.values.iter().map(chip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_change_is_shown_field_by_field() {
        let mut fields = Vec::new();
        let (before, after) =
            (json!({"policy": {"days": 30}, "tags": []}), json!({"policy": {"days": 14}, "tags": ["a", "b"]}));
        collect("", &before, &after, &mut fields);
        let texts: Vec<_> = fields.iter().map(|(name, was, is)| (name.as_str(), was.as_str(), is.as_str())).collect();
        assert_eq!(texts, [("policy.days", "30", "14"), ("tags", "", "a, b")]);
    }
}
