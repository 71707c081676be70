//! Loads the list of returns.

use crate::{
    calls::bulk_step::CHANGERS,
    frame::navigation::Section,
    pages::returns::{
        address::{ColumnOf, ListAddress, RowsOf},
        filters::{Named, clause_text, of_form, queue_text},
        rows::ListRow,
        view::{ReturnsPage, SavedTab, WithoutFilter, returns_page},
    },
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use returns::{Error, Expand, Listing, Page, Scope, Staff, view};
use ui::components::image_hosts;

/// The account's reasons and options that filters can name: as many as a page of the API has.
const MOST_NAMED: i64 = 100;

/// Shows the list. A form of filters leads to the address with these filters.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.reader()?;
    if visit.query.has("set") {
        return Ok(visit.redirect(&of_form(&visit).path()));
    }
    let list = ListAddress::of(&visit.query);
    let named = named(&visit, &staff).await?;
    let (listing, unknown) = list.listing();
    let found = read(&visit, &staff, &list, &listing).await?;
    let words = visit.words.returns;
    let (rows, next, count, notice) = match found {
        Ok(found) => found,
        Err(notice) => (Vec::new(), None, None, Some(notice)),
    };
    let unknown = unknown.first().map(|clause| ui::text::format(words.not_understood, &[clause]));
    let is_filtered = !list.filters.is_empty();
    let without = if rows.is_empty() && next.is_none() && is_filtered {
        without_each(&visit, &staff, &list, &named).await?
    } else {
        Vec::new()
    };
    let may_change = CHANGERS.iter().any(|scope| visit.may(*scope));
    let page = ReturnsPage {
        views: saved_views(&visit, &staff, &list).await?,
        next: next.map(|page| visit.path(&list.next_page(page).path())),
        previous: list.previous_page().map(|previous| visit.path(&previous.path())),
        notice: notice.or(unknown),
        may_share: visit.may(Scope::Admin),
        may_change,
        unfinished: if may_change { unfinished(&visit, &staff).await? } else { Vec::new() },
        rows,
        count,
        without,
        named,
        list,
    };
    let title = page.list.queue().map_or(words.title, |queue| queue_text(queue, visit.words));
    let images = page.rows.iter().flat_map(|row| row.items.iter().filter_map(|item| item.product.image.as_ref()));
    let images = image_hosts(images);
    Ok(visit.page(title, Section::Returns).images(images).render(|| returns_page(&visit, page)))
}

/// Leads to the list with the ticked columns.
pub async fn columns(visit: Visit) -> HandlerResult {
    let list = ListAddress::of_query(visit.query.get("from"));
    let ticked = ColumnOf::ALL.into_iter().filter(|column| visit.query.all("column").any(|name| name == column.name()));
    Ok(visit.redirect(&list.with_columns(ticked.collect()).path()))
}

/// What a list shows: its rows, its next page and their number; or why it cannot be shown.
type Shown = Result<(Vec<ListRow>, Option<i64>, Option<view::Count>, Option<String>), String>;

async fn read(visit: &Visit, staff: &Staff, list: &ListAddress, listing: &Listing) -> Result<Shown, EarlyResponse> {
    let merchant = visit.retour.merchant(staff);
    let words = visit.words.returns;
    let read = match list.rows {
        RowsOf::Orders => {
            let expand = [Expand::Consumer, Expand::Shipments, Expand::ReturnRequests];
            let page = merchant.return_orders(listing, &expand).await;
            page.map(|page| {
                let rows = page.data.into_iter().map(ListRow::of_order).collect();
                (rows, page.next_page, page.count, None)
            })
        }
        RowsOf::Requests => {
            let page = merchant.return_requests(listing, &[Expand::Consumer]).await;
            page.map(|page| {
                let rows = page.data.into_iter().map(ListRow::of_request).collect();
                (rows, page.next_page, page.count, None)
            })
        }
    };
    match read {
        Ok(shown) => Ok(Ok(shown)),
        Err(Error::PageTooFar) => Ok(Err(words.too_far.to_owned())),
        Err(error) => Err(visit.failed(&error)),
    }
}

/// A page of return orders.
pub async fn read_orders(
    visit: &Visit,
    staff: &Staff,
    listing: &Listing,
    expand: &[Expand],
) -> Result<view::List<view::ReturnOrderView>, EarlyResponse> {
    visit.retour.merchant(staff).return_orders(listing, expand).await.map_err(|error| visit.failed(&error))
}

/// A page of return requests.
pub async fn read_requests(
    visit: &Visit,
    staff: &Staff,
    listing: &Listing,
    expand: &[Expand],
) -> Result<view::List<view::ReturnRequestView>, EarlyResponse> {
    visit.retour.merchant(staff).return_requests(listing, expand).await.map_err(|error| visit.failed(&error))
}

/// How many rows there would be without each of the filters: it says which one to drop.
async fn without_each(
    visit: &Visit,
    staff: &Staff,
    list: &ListAddress,
    named: &Named,
) -> Result<Vec<WithoutFilter>, EarlyResponse> {
    let mut all = Vec::new();
    // Without the only filter, there are all rows.
    for clause in list.filters.iter().filter(|_| list.filters.len() > 1) {
        let other = list.without(clause);
        let (listing, _) = other.listing();
        let listing = Listing { page: Page::first(1), ..listing };
        let count = match list.rows {
            RowsOf::Orders => read_orders(visit, staff, &listing, &[]).await?.count,
            RowsOf::Requests => read_requests(visit, staff, &listing, &[]).await?.count,
        };
        let Some(count) = count.filter(|count| count.count > 0) else { continue };
        all.push(WithoutFilter { text: clause_text(visit, clause, named), href: visit.path(&other.path()), count });
    }
    Ok(all)
}

/// The reasons and options of the account, those in use and archived ones.
async fn named(visit: &Visit, staff: &Staff) -> Result<Named, EarlyResponse> {
    let merchant = visit.retour.merchant(staff);
    let listing = Listing::newest(Page::first(MOST_NAMED));
    let reasons = merchant.return_reasons(&listing).await.map_err(|error| visit.failed(&error))?;
    let options = merchant.shipping_options(&listing).await.map_err(|error| visit.failed(&error))?;
    Ok(Named { reasons: reasons.data, options: options.data })
}

/// The person's changes of many that have stopped before their end.
async fn unfinished(visit: &Visit, staff: &Staff) -> Result<Vec<view::BulkRun>, EarlyResponse> {
    let runs = visit.retour.merchant(staff).bulk_runs().await.map_err(|error| visit.failed(&error))?;
    Ok(runs.data.into_iter().filter(|run| run.can_continue && !run.is_running).collect())
}

async fn saved_views(visit: &Visit, staff: &Staff, list: &ListAddress) -> Result<Vec<SavedTab>, EarlyResponse> {
    let views = visit.retour.merchant(staff).saved_views().await.map_err(|error| visit.failed(&error))?;
    let here = list.view();
    let tab = |saved: view::SavedView| {
        let view = ListAddress::of_query(&saved.query);
        SavedTab { is_here: view.view() == here, href: visit.path(&view.path()), saved }
    };
    Ok(views.data.into_iter().map(tab).collect())
}
