//! Query strings: `limit`, `page`, `filter`, `search`, `sortBy`, `orderBy`, `expand` (spec 2.5, design "Lists"). What is not known is
//! refused and told what is.

use super::error::response;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
};
use domain::RefusalCode;
use returns::{Direction, Expand, FieldError, List, Listing, MAX_LIMIT, MAX_PAGE_NUMBER, Page, Sort, Walk, lists};
use std::str::FromStr;
use uuid::Uuid;

const DEFAULT_LIMIT: i64 = 20;

/// A query string, name by name.
#[derive(Debug, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    /// Ids in the path, without the account's, which may be left out: a list is of these.
    place: Vec<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        // What the parser puts where bytes are no text.
        if pairs.iter().any(|(name, value)| name.contains('\u{fffd}') || value.contains('\u{fffd}')) {
            return Err(bad("query", "expected UTF-8, percent-encoded"));
        }
        let parts: Vec<&str> = parts.uri.path().split('/').collect();
        let of_list = parts.windows(2).filter_map(|pair| match pair {
            ["account", _] => None,
            [_, id] => Uuid::try_parse(id).ok(),
            _ => None,
        });
        Ok(Self { pairs, place: of_list.map(|id| id.to_string()).collect() })
    }
}

/// What `expand` can name, and what it means.
pub type Expandable = (&'static str, Expand);

/// What a list was asked for.
#[derive(Debug)]
pub struct ListQuery {
    /// Which rows, in which order.
    pub listing: Listing,
    /// What beside them.
    pub expand: Vec<Expand>,
}

impl Query {
    /// As a question to a list.
    pub fn list(self, list: &'static List, expandable: &[Expandable]) -> Result<ListQuery, Response> {
        let mut asked = ListQuery { listing: Listing::newest(FIRST_PAGE), expand: Vec::new() };
        let listing = &mut asked.listing;
        let (mut seen, mut page) = (Vec::new(), None);
        for (name, value) in self.pairs {
            match name.as_str() {
                "expand" if asked.expand.len() < MAX_REPEATED => asked.expand.push(expansion(&value, expandable)?),
                "filter" if listing.conditions.len() < MAX_REPEATED => {
                    listing.conditions.push(list.condition(&value).map_err(|allowed| bad("filter", &allowed))?);
                }
                "expand" | "filter" => return Err(too_often(&name)),
                "limit" | "page" | "sortBy" | "orderBy" | "sort" | "search" | "createdFrom" | "createdTo"
                    if seen.contains(&name) =>
                {
                    return Err(bad(&name, "expected once at most"));
                }
                "sort" if seen.iter().any(|name| name == "sortBy" || name == "orderBy") => {
                    return Err(bad(&name, SORT_OR_SORT_BY));
                }
                "sortBy" | "orderBy" if seen.iter().any(|name| name == "sort") => {
                    return Err(bad("sort", SORT_OR_SORT_BY));
                }
                "limit" => listing.page.limit = number(&name, &value, 1, MAX_LIMIT)?,
                "page" => page = Some(value),
                "sortBy" => listing.sort = sort(&value, list)?,
                "orderBy" => listing.direction = direction(&value)?,
                "sort" => (listing.sort, listing.direction) = signed_sort(&value, list)?,
                "createdFrom" | "createdTo" if list.field("createdAt").is_some() => {
                    let operator = if name == "createdFrom" { ">=" } else { "<=" };
                    let condition = list.condition(&format!("createdAt{operator}{value}"));
                    listing
                        .conditions
                        .push(condition.map_err(|_| bad(&name, "expected a time such as 2026-01-31T12:00:00Z"))?);
                }
                "search" if list.is_searchable() => listing.search = Some(search(value)?),
                _ => return Err(unknown(&name, &parameters(list, expandable))),
            }
            seen.push(name);
        }
        let walk = listing.walk(list, &self.place);
        set_start(&mut listing.page, walk, page.as_deref())?;
        Ok(asked)
    }

    /// As the query of a list that is only cut into pages. `list`: its name.
    pub fn page(self, list: &str, expandable: &[Expandable]) -> Result<(Page, Vec<Expand>), Response> {
        let (mut page, mut expand, mut asked) = (FIRST_PAGE, Vec::new(), None);
        for (name, value) in self.pairs {
            match name.as_str() {
                "limit" => page.limit = number(&name, &value, 1, MAX_LIMIT)?,
                "page" if asked.is_some() => return Err(bad(&name, "expected once at most")),
                "page" => asked = Some(value),
                "expand" if expand.len() < MAX_REPEATED => expand.push(expansion(&value, expandable)?),
                "expand" => return Err(too_often(&name)),
                _ => return Err(unknown(&name, "limit, page, expand")),
            }
        }
        let walk = Walk::new([list].into_iter().chain(self.place.iter().map(String::as_str)));
        set_start(&mut page, walk, asked.as_deref())?;
        Ok((page, expand))
    }

    /// As the query that names one thing by its id, and nothing else.
    pub fn id<T: FromStr>(self, name: &str) -> Result<T, Response> {
        let mut found = None;
        for (known, value) in self.pairs {
            if known != name {
                return Err(unknown(&known, name));
            }
            if found.is_some() {
                return Err(bad(name, "expected once"));
            }
            found = Some(value.parse().map_err(|_| bad(name, "expected an id"))?);
        }
        found.ok_or_else(|| bad(name, "this parameter is missing: expected an id"))
    }

    /// As the query of a single resource.
    pub fn expand(self, expandable: &[Expandable]) -> Result<Vec<Expand>, Response> {
        let mut expand = Vec::new();
        for (name, value) in self.pairs {
            match name.as_str() {
                "expand" if expand.len() < MAX_REPEATED => expand.push(expansion(&value, expandable)?),
                "expand" => return Err(too_often(&name)),
                _ => return Err(unknown(&name, if expandable.is_empty() { "" } else { "expand" })),
            }
        }
        Ok(expand)
    }

    /// A parameter that is `true` or `false`, and the rest of the query. Left out, it is `false`.
    pub fn take_flag(self, name: &str) -> Result<(bool, Self), Response> {
        let (own, pairs): (Vec<_>, Vec<_>) = self.pairs.into_iter().partition(|(known, _)| known == name);
        let value = match own.as_slice() {
            [] => false,
            [(_, value)] if value == "true" => true,
            [(_, value)] if value == "false" => false,
            [_] => return Err(bad(name, "expected true or false")),
            _ => return Err(bad(name, "expected once at most")),
        };
        Ok((value, Self { pairs, place: self.place }))
    }

    /// As the query of an operation with one parameter that names one of these. `taken`: other parameters that it knows, which
    /// were taken before.
    pub fn choice(self, parameter: &Choice, taken: &[&str]) -> Result<Option<&'static str>, Response> {
        let mut chosen = None;
        for (name, value) in self.pairs {
            if name != parameter.name {
                return Err(unknown(&name, &[&[parameter.name], taken].concat().join(", ")));
            }
            let known = parameter.values.iter().copied().find(|known| *known == value);
            let known = known.ok_or_else(|| bad(parameter.name, &allowed(parameter.values)))?;
            if chosen.replace(known).is_some() {
                return Err(bad(parameter.name, "expected once at most"));
            }
        }
        Ok(chosen)
    }
}

/// A parameter that names one of a few values.
#[derive(Debug)]
pub struct Choice {
    /// The parameter.
    pub name: &'static str,
    /// What it can be; the first, where it is left out.
    pub values: &'static [&'static str],
    /// What it is for.
    pub description: &'static str,
}

const SORT_OR_SORT_BY: &str = "expected sort, or sortBy and orderBy, not both";

/// How often a parameter that may repeat may do so.
pub const MAX_REPEATED: usize = 20;

/// The largest whole number that every JSON parser keeps exactly.
pub const MAX_PAGE: i64 = 9_007_199_254_740_991;

const FIRST_PAGE: Page = Page::first(DEFAULT_LIMIT);

fn too_often(name: &str) -> Response {
    bad(name, &format!("expected {MAX_REPEATED} at most"))
}

fn parameters(list: &List, expandable: &[Expandable]) -> String {
    let mut names = vec!["limit", "page", "sortBy", "orderBy"];
    names.extend((!list.fields.is_empty()).then_some("filter"));
    names.extend(list.is_searchable().then_some("search"));
    names.extend((!expandable.is_empty()).then_some("expand"));
    names.join(", ")
}

/// Where a page starts: by its number, or by a cursor of this walk.
fn set_start(page: &mut Page, walk: Walk, asked: Option<&str>) -> Result<(), Response> {
    page.walk = Some(walk);
    let Some(asked) = asked else { return Ok(()) };
    let start = asked.parse().ok().and_then(|number| walk.start(number));
    page.start = start.ok_or_else(|| {
        let allowed = format!(
            "expected a page number from 1 to {MAX_PAGE_NUMBER}, or the nextPage of an answer to the same list, order, filters and search"
        );
        bad("page", &allowed)
    })?;
    Ok(())
}

fn sort(value: &str, list: &List) -> Result<Sort, Response> {
    match value {
        "createdAt" => Ok(Sort::CreatedAt),
        "updatedAt" if list.sorts_by_update => Ok(Sort::UpdatedAt),
        _ if list.sorts_by_update => Err(bad("sortBy", "expected createdAt or updatedAt")),
        _ => Err(bad("sortBy", "expected createdAt")),
    }
}

/// `sort=-createdAt` of clients of older systems: `sortBy=createdAt` and `orderBy=desc`.
fn signed_sort(value: &str, list: &List) -> Result<(Sort, Direction), Response> {
    let (field, direction) = match value.strip_prefix('-') {
        Some(field) => (field, Direction::Descending),
        None => (value, Direction::Ascending),
    };
    let allowed = if list.sorts_by_update { "expected createdAt or updatedAt" } else { "expected createdAt" };
    let sort =
        sort(field, list).map_err(|_| bad("sort", &format!("{allowed}, with - before it for the newest first")))?;
    Ok((sort, direction))
}

fn direction(value: &str) -> Result<Direction, Response> {
    match value {
        "asc" => Ok(Direction::Ascending),
        "desc" => Ok(Direction::Descending),
        _ => Err(bad("orderBy", "expected asc or desc")),
    }
}

fn search(value: String) -> Result<String, Response> {
    if value.chars().count() > lists::MAX_CHARS {
        return Err(bad("search", &format!("expected at most {} characters", lists::MAX_CHARS)));
    }
    if value.contains('\0') {
        return Err(bad("search", "expected a text without NUL characters"));
    }
    Ok(value)
}

fn number(name: &str, value: &str, least: i64, most: i64) -> Result<i64, Response> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| bad(name, &format!("expected a whole number from {least} to {most}")))
}

fn expansion(value: &str, expandable: &[Expandable]) -> Result<Expand, Response> {
    let known = expandable.iter().find(|(name, _)| *name == value);
    known.map(|&(_, expand)| expand).ok_or_else(|| {
        let names: Vec<&str> = expandable.iter().map(|&(name, _)| name).collect();
        let allowed = allowed(&names);
        bad(
            "expand",
            &if value.contains(',') { format!("{allowed}; repeat the parameter for several") } else { allowed },
        )
    })
}

fn allowed(names: &[&str]) -> String {
    if names.is_empty() { "not known here".to_owned() } else { format!("expected one of {}", names.join(", ")) }
}

fn unknown(name: &str, known: &str) -> Response {
    // The name is the client's own text: long ones are cut, and nothing else of the query is repeated.
    let shown: String = name.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    let allowed =
        if known.is_empty() { "no parameters are known here".to_owned() } else { format!("expected only {known}") };
    bad(&shown, &allowed)
}

fn bad(field: &str, message: &str) -> Response {
    let details = [FieldError::new(field, RefusalCode::NotAllowed, message)];
    response(StatusCode::BAD_REQUEST, "BadRequest", "The query has parts that are not allowed here.", &details)
}
