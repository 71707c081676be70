//! Loads the results of a search.

use crate::{
    frame::navigation::Section,
    pages::search::view::{SearchPage, search_page},
    visit::{HandlerResult, Visit, finding},
};
use axum::http::HeaderMap;
use returns::Error;

/// Shows what was found. The form of the search posts to the function `find`.
pub async fn show(visit: Visit, headers: HeaderMap) -> HandlerResult {
    let staff = visit.reader()?;
    let typed = visit.typed("q").map(str::to_owned);
    let mistake = visit.mistake("q");
    let words = typed.unwrap_or_else(|| finding::read(&headers));
    let found = if words.is_empty() || mistake.is_some() {
        None
    } else {
        match visit.retour.merchant(&staff).find(&words).await {
            Ok(found) => Some(found.data),
            // The words of another page are too short: nothing was searched for here.
            Err(Error::Invalid(_)) => None,
            Err(error) => return Err(visit.failed(&error)),
        }
    };
    let page = SearchPage { words, found, mistake };
    Ok(visit.render(visit.words.search.title, Section::Search, || search_page(&visit, page)))
}
