//! Query strings of lists: `limit`, `page`, `filter`, `expand` (spec 2.5, design "Lists"). What is not known is
//! refused and told what is.

use super::error::response;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
};
use domain::RefusalCode;
use returns::{Expand, FieldError, MAX_LIMIT, Page};

const DEFAULT_LIMIT: i64 = 20;

/// A query string, name by name.
#[derive(Debug, Default)]
pub struct Query(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        // What the parser puts where bytes are no text.
        if pairs.iter().any(|(name, value)| name.contains('\u{fffd}') || value.contains('\u{fffd}')) {
            return Err(bad("query", "expected UTF-8, percent-encoded"));
        }
        Ok(Self(pairs))
    }
}

/// What a list was asked for.
#[derive(Debug)]
pub struct ListQuery {
    /// Which rows.
    pub page: Page,
    /// What beside them.
    pub expand: Vec<Expand>,
    /// Clauses `field:value`, all of which must hold.
    pub filters: Vec<(String, String)>,
}

impl Query {
    /// As a list's query, with the fields that this list can be filtered by.
    pub fn list(self, expandable: &[(&str, Expand)], filterable: &[&str]) -> Result<ListQuery, Response> {
        let mut list =
            ListQuery { page: Page { after: None, limit: DEFAULT_LIMIT }, expand: Vec::new(), filters: Vec::new() };
        for (name, value) in self.0 {
            match name.as_str() {
                "limit" => list.page.limit = number(&name, &value, 1, MAX_LIMIT)?,
                "page" => list.page.after = Some(number(&name, &value, 1, i64::MAX)?).filter(|&page| page > 1),
                "expand" => list.expand.push(expansion(&value, expandable)?),
                "filter" => list.filters.push(filter(&value, filterable)?),
                _ => return Err(unknown(&name, "limit, page, filter, expand")),
            }
        }
        Ok(list)
    }

    /// As the query of a single resource.
    pub fn expand(self, expandable: &[(&str, Expand)]) -> Result<Vec<Expand>, Response> {
        self.0
            .into_iter()
            .map(
                |(name, value)| {
                    if name == "expand" { expansion(&value, expandable) } else { Err(unknown(&name, "expand")) }
                },
            )
            .collect()
    }
}

fn number(name: &str, value: &str, least: i64, most: i64) -> Result<i64, Response> {
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let allowed = if most == i64::MAX {
            "expected the nextPage of the answer before, or nothing for the first page".to_owned()
        } else {
            format!("expected a whole number from {least} to {most}")
        };
        bad(name, &allowed)
    })
}

fn expansion(value: &str, expandable: &[(&str, Expand)]) -> Result<Expand, Response> {
    let known = expandable.iter().find(|(name, _)| *name == value);
    known.map(|&(_, expand)| expand).ok_or_else(|| {
        let names: Vec<&str> = expandable.iter().map(|&(name, _)| name).collect();
        bad("expand", &allowed(&names))
    })
}

fn filter(value: &str, filterable: &[&str]) -> Result<(String, String), Response> {
    let (field, wanted) = value.split_once(':').ok_or_else(|| bad("filter", "expected <field>:<value>"))?;
    if filterable.contains(&field) {
        Ok((field.to_owned(), wanted.to_owned()))
    } else {
        Err(bad("filter", &allowed(filterable)))
    }
}

fn allowed(names: &[&str]) -> String {
    if names.is_empty() { "not known here".to_owned() } else { format!("expected one of {}", names.join(", ")) }
}

fn unknown(name: &str, known: &str) -> Response {
    // The name is the client's own text: long ones are cut, and nothing else of the query is repeated.
    let shown: String = name.chars().take(40).collect();
    bad(&shown, &format!("expected only {known}"))
}

fn bad(field: &str, message: &str) -> Response {
    let details = [FieldError::new(field, RefusalCode::NotAllowed, message)];
    response(StatusCode::BAD_REQUEST, "BadRequest", "The query has parts that are not allowed here.", &details)
}
