//! Working through a list: its first row, and the row after one.

use crate::{
    pages::returns::{
        address::{ListAddress, RowsOf, with_query},
        load::{read_orders, read_requests},
    },
    visit::{HandlerResult, Visit},
};
use ui::web::form::{Fields, encoded};

/// The address of a return that was opened from a list. The list travels along, so that the page knows the way back and the
/// next row.
pub fn return_path(number: &str, list: &ListAddress) -> String {
    with_query(&format!("returns/{}", encoded(number)), &format!("from={}", encoded(&list.query())))
}

/// The address that leads from a return to the next one of the list that it was opened from. `None` if it was opened from
/// elsewhere.
pub fn next_path(number: &str, query: &Fields) -> Option<String> {
    query.has("from").then(|| format!("returns/next?after={}&from={}", encoded(number), encoded(query.get("from"))))
}

/// The address that leads to the return before, as [`next_path`] does.
pub fn previous_path(number: &str, query: &Fields) -> Option<String> {
    query
        .has("from")
        .then(|| format!("returns/previous?before={}&from={}", encoded(number), encoded(query.get("from"))))
}

/// The address of the list that a return was opened from.
pub fn back_path(query: &Fields) -> String {
    ListAddress::of_query(query.get("from")).path()
}

/// Opens the first row of a list; without one, the list.
pub async fn start(visit: Visit) -> HandlerResult {
    let list = ListAddress::of_query(visit.query.get("from")).first_page();
    let rows = numbers(&visit, &list).await?;
    Ok(match rows.first() {
        Some(number) => visit.redirect(&return_path(number, &list)),
        None => visit.redirect(&list.path()),
    })
}

/// Opens the row after a return. If the return is no longer in the list, its row is where the return was: the first one.
pub async fn next(visit: Visit) -> HandlerResult {
    let mut list = ListAddress::of_query(visit.query.get("from"));
    let after = visit.query.get("after").to_owned();
    let rows = numbers(&visit, &list).await?;
    let following = match rows.iter().rposition(|number| *number == after) {
        Some(index) => rows.get(index + 1).cloned(),
        None => rows.first().cloned(),
    };
    if let Some(number) = following {
        return Ok(visit.redirect(&return_path(&number, &list)));
    }
    if let Some(page) = next_page(&visit, &list).await? {
        list = list.next_page(page);
        if let Some(number) = numbers(&visit, &list).await?.first() {
            return Ok(visit.redirect(&return_path(number, &list)));
        }
    }
    Ok(visit.redirect(&list.first_page().path()))
}

/// Opens the row before a return; before the first one, or if the return is no longer in the list, the list.
pub async fn previous(visit: Visit) -> HandlerResult {
    let mut list = ListAddress::of_query(visit.query.get("from"));
    let before = visit.query.get("before").to_owned();
    let mut rows = numbers(&visit, &list).await?;
    let Some(index) = rows.iter().position(|number| *number == before) else { return Ok(visit.redirect(&list.path())) };
    rows.truncate(index);
    if rows.is_empty()
        && let Some(page) = list.previous_page()
    {
        rows = numbers(&visit, &page).await?;
        list = page;
    }
    Ok(match rows.last() {
        Some(number) => visit.redirect(&return_path(number, &list)),
        None => visit.redirect(&list.path()),
    })
}

/// The numbers of the returns on a page of a list.
async fn numbers(visit: &Visit, list: &ListAddress) -> Result<Vec<String>, crate::visit::response::EarlyResponse> {
    let staff = visit.reader()?;
    let (listing, _) = list.listing();
    Ok(match list.rows {
        RowsOf::Orders => {
            let page = read_orders(visit, &staff, &listing, &[]).await?;
            page.data.into_iter().map(|order| order.number).collect()
        }
        RowsOf::Requests => {
            let page = read_requests(visit, &staff, &listing, &[]).await?;
            page.data.into_iter().map(|request| request.return_number).collect()
        }
    })
}

async fn next_page(visit: &Visit, list: &ListAddress) -> Result<Option<i64>, crate::visit::response::EarlyResponse> {
    let staff = visit.reader()?;
    let (listing, _) = list.listing();
    Ok(match list.rows {
        RowsOf::Orders => read_orders(visit, &staff, &listing, &[]).await?.next_page,
        RowsOf::Requests => read_requests(visit, &staff, &listing, &[]).await?.next_page,
    })
}
