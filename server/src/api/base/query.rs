//! Query strings: `limit`, `page`, `filter`, `search`, `sortBy`, `orderBy` and `expand`. An unknown parameter is refused with a list of the
//! known ones.

use super::{
    error::response,
    parameter::{Parameter, ParameterValues, Place},
};
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
const FIRST_PAGE: Page = Page::first(DEFAULT_LIMIT);
/// How often a parameter that may repeat can do so.
pub(crate) const MAX_REPEATED: usize = 20;
/// The largest whole number that every JSON parser reads exactly.
pub(crate) const MAX_PAGE: i64 = 9_007_199_254_740_991;
/// An unknown parameter is repeated in the error up to this length.
const MAX_NAME_CHARS: usize = 40;

/// The parameter of lists that can tell the number of their rows.
pub(crate) const COUNT: Parameter = Parameter {
    name: "count",
    place: Place::Query,
    is_required: false,
    values: ParameterValues::Flag,
    description: "Whether the answer also has the number of results on all pages, in `count`.",
};

const AT_MOST_ONCE: &str = "expected at most once";
const SORT_OR_SORT_BY: &str = "expected sort, or sortBy and orderBy, not both";

/// The parameters of a query string.
#[derive(Debug, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    /// The ids in the path, without the account's. A cursor belongs to the list of these objects; the account's id can be left out of the path.
    ids_in_path: Vec<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        // The parser puts this character in place of bytes that are no UTF-8.
        let is_broken = |text: &str| text.contains('\u{fffd}');
        if pairs.iter().any(|(name, value)| is_broken(name) || is_broken(value)) {
            return Err(bad("query", "expected UTF-8, percent-encoded"));
        }
        let segments: Vec<&str> = parts.uri.path().split('/').collect();
        let ids = segments.windows(2).filter_map(|pair| match pair {
            ["account", _] => None,
            [_, id] => Uuid::try_parse(id).ok(),
            _ => None,
        });
        Ok(Self { pairs, ids_in_path: ids.map(|id| id.to_string()).collect() })
    }
}

/// A value of `expand`, and what it adds.
pub type Expandable = (&'static str, Expand);

/// The query of a list.
#[derive(Debug)]
pub struct ListQuery {
    /// Which rows, in which order.
    pub listing: Listing,
    /// What to add to each row.
    pub expand: Vec<Expand>,
}

impl Query {
    /// Reads the query of a list that can be filtered and sorted.
    pub fn list(self, list: &'static List, expandable: &[Expandable]) -> Result<ListQuery, Response> {
        let mut query = ListQuery { listing: Listing::newest(FIRST_PAGE), expand: Vec::new() };
        let listing = &mut query.listing;
        let (mut seen, mut page) = (Vec::new(), None);
        for (name, value) in self.pairs {
            check_repetition(&name, &seen)?;
            match name.as_str() {
                "expand" if query.expand.len() < MAX_REPEATED => query.expand.push(expansion(&value, expandable)?),
                "filter" if listing.conditions.len() < MAX_REPEATED => {
                    listing.conditions.push(list.condition(&value).map_err(|allowed| bad("filter", &allowed))?);
                }
                "expand" | "filter" => return Err(too_often(&name)),
                "limit" => listing.page.limit = number(&name, &value, 1, MAX_LIMIT)?,
                "page" => page = Some(value),
                "sortBy" => listing.sort = sort(&value, list)?,
                "orderBy" => listing.direction = direction(&value)?,
                "sort" => (listing.sort, listing.direction) = signed_sort(&value, list)?,
                "createdFrom" | "createdTo" if list.field("createdAt").is_some() => {
                    let operator = if name == "createdFrom" { ">=" } else { "<=" };
                    let condition = list.condition(&format!("createdAt{operator}{value}"));
                    let condition = condition.map_err(|_| bad(&name, "expected a time such as 2026-01-31T12:00:00Z"));
                    listing.conditions.push(condition?);
                }
                "search" if list.is_searchable() => listing.search = Some(search(value)?),
                _ => return Err(unknown(&name, &parameters(list, expandable))),
            }
            seen.push(name);
        }
        if !listing.can_sort() {
            return Err(bad("sortBy", "expected a filter by stage or queue with stageSince, and no search"));
        }
        let walk = listing.walk(list, &self.ids_in_path);
        set_start(&mut listing.page, walk, page.as_deref())?;
        Ok(query)
    }

    /// Reads the query of a list that has only pages. `list`: the name of the list.
    pub fn page(self, list: &str, expandable: &[Expandable]) -> Result<(Page, Vec<Expand>), Response> {
        let (mut page, mut expand, mut start) = (FIRST_PAGE, Vec::new(), None);
        for (name, value) in self.pairs {
            match name.as_str() {
                "limit" => page.limit = number(&name, &value, 1, MAX_LIMIT)?,
                "page" if start.is_some() => return Err(bad(&name, AT_MOST_ONCE)),
                "page" => start = Some(value),
                "expand" if expand.len() < MAX_REPEATED => expand.push(expansion(&value, expandable)?),
                "expand" => return Err(too_often(&name)),
                _ => return Err(unknown(&name, "limit, page, expand")),
            }
        }
        let walk = Walk::new([list].into_iter().chain(self.ids_in_path.iter().map(String::as_str)));
        set_start(&mut page, walk, start.as_deref())?;
        Ok((page, expand))
    }

    /// Reads a query that has one required id and nothing else.
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

    /// Reads the query of a single object.
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

    /// Reads the query of a list that also tells the number of its rows, with `count=true`.
    pub fn counted_list(self, list: &'static List, expandable: &[Expandable]) -> Result<ListQuery, Response> {
        let (counts, query) = self.take_flag(COUNT.name)?;
        let mut query = query.list(list, expandable)?;
        query.listing.counts = counts;
        Ok(query)
    }

    /// Takes a required text out of the query.
    pub fn take_text(self, name: &str) -> Result<(String, Self), Response> {
        let (own, pairs): (Vec<_>, Vec<_>) = self.pairs.into_iter().partition(|(known, _)| known == name);
        let mut own = own.into_iter();
        match (own.next(), own.next()) {
            (Some((_, value)), None) if value.contains('\0') => Err(bad(name, "expected text without NUL characters")),
            (Some((_, value)), None) => Ok((value, Self { pairs, ids_in_path: self.ids_in_path })),
            (None, _) => Err(bad(name, "this parameter is missing")),
            _ => Err(bad(name, AT_MOST_ONCE)),
        }
    }

    /// Reads a query that has one id, or nothing. `taken`: other known parameters, which were taken out before.
    pub fn optional_id<T: FromStr>(self, name: &str, taken: &[&str]) -> Result<Option<T>, Response> {
        let mut found = None;
        for (known, value) in self.pairs {
            if known != name {
                return Err(unknown(&known, &[&[name], taken].concat().join(", ")));
            }
            if found.replace(value.parse().map_err(|_| bad(name, "expected an id"))?).is_some() {
                return Err(bad(name, AT_MOST_ONCE));
            }
        }
        Ok(found)
    }

    /// Takes a parameter that is `true` or `false` out of the query. If it is left out, it is `false`.
    pub fn take_flag(self, name: &str) -> Result<(bool, Self), Response> {
        let (own, pairs): (Vec<_>, Vec<_>) = self.pairs.into_iter().partition(|(known, _)| known == name);
        let value = match own.as_slice() {
            [] => false,
            [(_, value)] if value == "true" => true,
            [(_, value)] if value == "false" => false,
            [_] => return Err(bad(name, "expected true or false")),
            _ => return Err(bad(name, AT_MOST_ONCE)),
        };
        Ok((value, Self { pairs, ids_in_path: self.ids_in_path }))
    }

    /// Reads a query that has one [`Choice`]. `taken`: other known parameters, which were taken out before.
    pub fn choice(self, parameter: &Choice, taken: &[&str]) -> Result<Option<&'static str>, Response> {
        let mut chosen = None;
        for (name, value) in self.pairs {
            if name != parameter.name {
                return Err(unknown(&name, &[&[parameter.name], taken].concat().join(", ")));
            }
            let known = parameter.values.iter().copied().find(|known| *known == value);
            let known = known.ok_or_else(|| bad(parameter.name, &allowed(parameter.values)))?;
            if chosen.replace(known).is_some() {
                return Err(bad(parameter.name, AT_MOST_ONCE));
            }
        }
        Ok(chosen)
    }
}

/// A parameter that chooses one of a few values.
#[derive(Debug)]
pub struct Choice {
    pub name: &'static str,
    /// The values. The first is the default.
    pub values: &'static [&'static str],
    /// Its description in the document.
    pub description: &'static str,
}

/// Refuses a parameter that may not repeat, and `sort` beside `sortBy` or `orderBy`. `seen`: the parameters before.
fn check_repetition(name: &str, seen: &[String]) -> Result<(), Response> {
    let has_seen = |names: &[&str]| seen.iter().any(|name| names.contains(&name.as_str()));
    match name {
        "limit" | "page" | "sortBy" | "orderBy" | "sort" | "search" | "createdFrom" | "createdTo"
            if has_seen(&[name]) =>
        {
            Err(bad(name, AT_MOST_ONCE))
        }
        "sort" if has_seen(&["sortBy", "orderBy"]) => Err(bad("sort", SORT_OR_SORT_BY)),
        "sortBy" | "orderBy" if has_seen(&["sort"]) => Err(bad("sort", SORT_OR_SORT_BY)),
        _ => Ok(()),
    }
}

fn too_often(name: &str) -> Response {
    bad(name, &format!("expected at most {MAX_REPEATED} times"))
}

fn parameters(list: &List, expandable: &[Expandable]) -> String {
    let mut names = vec!["limit", "page", "sortBy", "orderBy"];
    names.extend((!list.fields.is_empty()).then_some("filter"));
    names.extend(list.is_searchable().then_some("search"));
    names.extend((!expandable.is_empty()).then_some("expand"));
    names.join(", ")
}

/// Sets where a page starts: by a page number, or by a cursor of the same walk.
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

/// The times that a list can be sorted by.
pub(crate) fn sorts_of(list: &List) -> Vec<&'static str> {
    let mut sorts = vec!["createdAt"];
    sorts.extend(list.sorts_by_update.then_some("updatedAt"));
    sorts.extend(list.sorts_by_stage().then_some("stageSince"));
    sorts
}

fn sort(value: &str, list: &List) -> Result<Sort, Response> {
    let sorts = sorts_of(list);
    match value {
        "createdAt" => Ok(Sort::CreatedAt),
        "updatedAt" if sorts.contains(&value) => Ok(Sort::UpdatedAt),
        "stageSince" if sorts.contains(&value) => Ok(Sort::StageSince),
        _ => Err(bad("sortBy", &format!("expected {}", sorts.join(" or ")))),
    }
}

/// `sort=-createdAt`, for clients of older systems, is `sortBy=createdAt` and `orderBy=desc`.
fn signed_sort(value: &str, list: &List) -> Result<(Sort, Direction), Response> {
    let (field, direction) = match value.strip_prefix('-') {
        Some(field) => (field, Direction::Descending),
        None => (value, Direction::Ascending),
    };
    let allowed = format!("expected {}", sorts_of(list).join(" or "));
    let sort =
        sort(field, list).map_err(|_| bad("sort", &format!("{allowed}, with a leading - for the newest first")))?;
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
    // The name comes from the client, so it is shortened. Nothing else of the query is repeated.
    let shown: String = name.chars().take(MAX_NAME_CHARS).map(|c| if c.is_control() { '?' } else { c }).collect();
    let allowed =
        if known.is_empty() { "this operation has no parameters".to_owned() } else { format!("expected only {known}") };
    bad(&shown, &allowed)
}

fn bad(field: &str, message: &str) -> Response {
    let details = [FieldError::new(field, RefusalCode::NotAllowed, message)];
    response(StatusCode::BAD_REQUEST, "BadRequest", "The query has parameters that are not allowed.", &details)
}
