//! The search over everything.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Finds objects by what people know them by, as `GET /find` does. A single object opens at once.
#[server(prefix = "/desk/call", endpoint = "find", input = PostUrl, output = Json, client = Fetch)]
pub async fn find(#[server(default)] q: String) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use crate::visit::finding::{cookie, found_path};
    let (call, visit) = Call::begin().await?;
    let staff = match visit.may_read() {
        Ok(staff) => staff,
        Err(problem) => return call.answer(Err(problem)),
    };
    let next = match visit.retour.merchant(&staff).find(q.trim()).await {
        Ok(found) => {
            let only = if let [only] = found.data.as_slice() { found_path(only) } else { None };
            let page = only.unwrap_or_else(|| "search".to_owned());
            Ok(Next::at(visit.path(&page)).with_cookie(&cookie(&q, visit.secure)))
        }
        Err(returns::Error::Invalid(_)) => Err(Problem::mistake("q", visit.words.search.too_short)),
        Err(error) => Err(visit.problem(error)),
    };
    call.answer(next)
}
