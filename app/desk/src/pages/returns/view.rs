//! The list of returns.

use crate::{
    components::{
        Action, Column, Order, Row, Tab, Weight, actions, age, empty, empty_with, filter_bar, form, moment, money,
        pager, parcel_text, problems, stage_badge, table, tabs,
    },
    islands::{Pane, Selection},
    pages::returns::{
        address::{ColumnOf, ListAddress, RowsOf},
        filters::{Named, chips, form_fields, kept, queue_text, wanted_text},
        rows::{Item, ListRow},
        walk::return_path,
    },
    visit::{Visit, selection::Doing},
};
use leptos::prelude::*;
use returns::{Direction, Sort, view};
use ui::{
    components::{
        icons::{self, icon_s},
        product_photo,
    },
    html::{Html, IntoHtml},
    text::format,
    web::form::encoded,
};

/// Items that a row names; it counts the others. One keeps a row on one line.
const NAMED_ITEMS: usize = 1;

/// A saved view as a tab.
pub struct SavedTab {
    pub saved: view::SavedView,
    pub href: String,
    pub is_here: bool,
}

/// A filter, and the number of rows without it.
pub struct WithoutFilter {
    pub text: String,
    pub href: String,
    pub count: view::Count,
}

/// What the page shows.
pub struct ReturnsPage {
    pub list: ListAddress,
    pub rows: Vec<ListRow>,
    pub count: Option<view::Count>,
    pub next: Option<String>,
    pub previous: Option<String>,
    /// Why the list is not what the address asks for.
    pub notice: Option<String>,
    /// For an empty list: what to drop.
    pub without: Vec<WithoutFilter>,
    pub named: Named,
    pub views: Vec<SavedTab>,
    pub may_share: bool,
    /// Whether the person changes returns, so that rows can be ticked.
    pub may_change: bool,
    /// The person's changes of many that have stopped before their end.
    pub unfinished: Vec<view::BulkRun>,
}

/// The page of the list.
pub fn returns_page(visit: &Visit, page: ReturnsPage) -> Html {
    let words = visit.words.returns;
    let title = page.list.queue().map_or(words.title, |queue| queue_text(queue, visit.words));
    let notice = page.notice.clone().map(|text| view! { <p class="notice" role="status">{text}</p> });
    let start = (page.list.queue().is_some() && !page.rows.is_empty()).then(|| {
        let href = visit.path(&format!("returns/start?from={}", encoded(&page.list.view())));
        actions(visit, "start", vec![Action::open(words.start, href).weight(Weight::Main)])
    });
    view! {
        <div class="list-head"><h1>{title}</h1>{start}</div>
        {problems(visit)}
        {view_tabs(visit, &page)}
        {filters(visit, &page)}
        {notice}
        {unfinished(visit, &page)}
        {rows(visit, &page)}
        {foot(visit, &page)}
        {pane(visit)}
    }
    .into_html()
}

/// With scripting, the space bar shows a row's page beside the list.
fn pane(visit: &Visit) -> Html {
    let words = visit.words.returns;
    view! {
        <Pane label=words.pane.to_owned() open=words.pane_open.to_owned() close=words.pane_close.to_owned()
            failed=words.pane_failed.to_owned()/>
    }
    .into_html()
}

/// Returns or items, then the saved views.
fn view_tabs(visit: &Visit, page: &ReturnsPage) -> Html {
    let words = visit.words.returns;
    let here = page.list.view();
    let plain = |rows, text: &str| {
        let list = ListAddress { rows, ..ListAddress::of_query("") };
        Tab { text: text.to_owned(), href: visit.path(&list.path()), count: None, is_here: list.view() == here }
    };
    let saved = page.views.iter().map(|tab| Tab {
        text: tab.saved.name.clone(),
        href: tab.href.clone(),
        count: None,
        is_here: tab.is_here,
    });
    let fixed = [plain(RowsOf::Orders, words.rows_orders), plain(RowsOf::Requests, words.rows_requests)];
    tabs(words.views, fixed.into_iter().chain(saved).collect())
}

fn filters(visit: &Visit, page: &ReturnsPage) -> Html {
    let list = &page.list;
    let mut hidden = vec![("set".to_owned(), String::new())];
    if list.rows == RowsOf::Requests {
        hidden.push(("rows".to_owned(), "requests".to_owned()));
    }
    hidden.extend(kept(list).into_iter().map(|clause| ("keep".to_owned(), clause)));
    for pair in ["sortBy", "orderBy", "columns"] {
        if visit.query.has(pair) {
            hidden.push((pair.to_owned(), visit.query.get(pair).to_owned()));
        }
    }
    let fields = form_fields(visit, list, &page.named);
    filter_bar(visit.path("returns"), hidden, fields, chips(visit, list, &page.named), visit.words)
}

fn rows(visit: &Visit, page: &ReturnsPage) -> Html {
    if page.rows.is_empty() && page.next.is_none() {
        return nothing(visit, page);
    }
    let words = visit.words.returns;
    let list = &page.list;
    let shown: Vec<ColumnOf> = ColumnOf::ALL.into_iter().filter(|column| list.shows(*column)).collect();
    let heads = shown.iter().map(|column| head(visit, list, *column).placed(column.name()));
    let heads = [Column::new(words.number)].into_iter().chain(heads).collect();
    let row = |row: &ListRow| {
        let href = visit.path(&return_path(&row.number, list));
        let number = number(visit, page, row, href);
        let cells = shown.iter().map(|column| cell(visit, &page.named, row, *column));
        Row::new([number].into_iter().chain(cells).collect())
    };
    let caption = if list.rows == RowsOf::Orders { words.caption_orders } else { words.caption_requests };
    let table = table(caption, heads, page.rows.iter().map(row).collect());
    if !page.may_change {
        return table;
    }
    view! {
        <form method="get" action=visit.path("returns/bulk")>
            <input type="hidden" name="from" value=list.query()/>
            {table}
            {bulk_bar(visit, page)}
        </form>
    }
    .into_html()
}

/// What can be done to the ticked rows, or to all rows of the list.
fn bulk_bar(visit: &Visit, page: &ReturnsPage) -> Html {
    let words = visit.words.bulk;
    let all = page.count.filter(|count| !count.is_capped && count.count > 0);
    let all = all.map(|count| {
        let text = format(words.all_of_list, &[&count_text(visit, count)]);
        view! { <label class="tick"><input type="checkbox" name="all" value="1"/><span>{text}</span></label> }
    });
    let may = |doing: &Doing| doing.scopes().iter().any(|scope| visit.may(*scope));
    let button = |doing: Doing| {
        view! { <button class="button button-second" name="do" value=doing.name()>{doing.text(words)}</button> }
    };
    let allowed = Doing::ALL.into_iter().filter(may);
    let (decisions, others): (Vec<_>, Vec<_>) =
        allowed.partition(|doing| matches!(doing, Doing::Approve | Doing::Reject));
    let others = (!others.is_empty()).then(|| {
        let buttons = others.into_iter().map(button).collect_view();
        view! { <details class="bulk-more"><summary>{words.more}</summary><div class="act-row">{buttons}</div></details> }
    });
    view! {
        <div class="bulk">
            {all}
            {decisions.into_iter().map(button).collect_view()}
            {others}
            <Selection text=visit.words.common.selected.to_owned()/>
            <p class="hint">{words.select_hint}</p>
        </div>
    }
    .into_html()
}

/// The changes of the person that have stopped before their end.
fn unfinished(visit: &Visit, page: &ReturnsPage) -> Vec<Html> {
    let words = visit.words.bulk;
    let notice = |run: &view::BulkRun| {
        let text = format(words.unfinished, &[&run.done.to_string(), &run.total.to_string()]);
        let href = visit.path(&format!("returns/bulk/{}", run.id));
        view! { <p class="notice">{text}" "<a href=href>{words.open_run}</a></p> }.into_html()
    };
    page.unfinished.iter().map(notice).collect()
}

/// The link to a return, with a tick before it for decisions about many.
fn number(visit: &Visit, page: &ReturnsPage, row: &ListRow, href: String) -> Html {
    // With scripting, the second link shows the return beside the list: the mouse's way to what the space bar does.
    let link = view! {
        <a href=href.clone()>{row.number.clone()}</a>
        <a class="peek" href=href data-peek="" tabindex="-1" aria-hidden="true" title=visit.words.common.keys_pane>{icon_s(icons::ASIDE)}</a>
    };
    if !page.may_change {
        return view! { <span class="ticked">{link}</span> }.into_html();
    }
    let ids: Vec<String> = row.requests.iter().map(ToString::to_string).collect();
    let label = format(visit.words.bulk.select, &[&row.number]);
    view! {
        <span class="ticked">
            <input type="checkbox" name="r" value=ids.join(",") aria-label=label data-tick=""/>
            {link}
        </span>
    }
    .into_html()
}

fn head(visit: &Visit, list: &ListAddress, column: ColumnOf) -> Column {
    let words = visit.words.returns;
    let text = match column {
        ColumnOf::Customer => words.customer,
        ColumnOf::Order => words.order,
        ColumnOf::Items => words.items,
        ColumnOf::Wanted => words.wanted,
        ColumnOf::Value => return Column::new(words.value).number(),
        ColumnOf::Stage => words.stage,
        ColumnOf::Age => words.age,
        ColumnOf::Sending => words.sending,
        ColumnOf::Created => words.created,
        ColumnOf::Changed => words.changed,
    };
    let sort = match column {
        ColumnOf::Created => Sort::CreatedAt,
        ColumnOf::Changed => Sort::UpdatedAt,
        ColumnOf::Age => Sort::StageSince,
        _ => return Column::new(text),
    };
    // The first click shows the newest; in a stage, the one that has waited longest.
    let first = if sort == Sort::StageSince { Direction::Ascending } else { Direction::Descending };
    let other = if list.direction == Direction::Ascending { Direction::Descending } else { Direction::Ascending };
    let is_sorted = list.sort == sort;
    let sorted = list.sorted(sort, if is_sorted { other } else { first });
    if !sorted.listing().0.can_sort() || sorted.listing().0.sort != sort {
        return Column::new(text);
    }
    let order = match (is_sorted, list.direction) {
        (false, _) => Order::None,
        (true, Direction::Ascending) => Order::Ascending,
        (true, Direction::Descending) => Order::Descending,
    };
    Column::new(text).ordered(order, visit.path(&sorted.path()))
}

fn cell(visit: &Visit, named: &Named, row: &ListRow, column: ColumnOf) -> Html {
    let words = visit.words;
    match column {
        ColumnOf::Customer if row.customer.is_empty() => ().into_html(),
        ColumnOf::Customer => {
            view! { <span class="cut" title=row.customer.clone()><bdi>{row.customer.clone()}</bdi></span> }.into_html()
        }
        ColumnOf::Order => view! { <bdi>{row.orders.clone()}</bdi> }.into_html(),
        ColumnOf::Items => items(visit, &row.items),
        ColumnOf::Wanted => {
            let wanted = row.wanted.iter().map(|resolution| wanted_text(*resolution, words));
            view! { <span class="whole">{wanted.collect::<Vec<_>>().join(words.common.list_comma)}</span> }.into_html()
        }
        ColumnOf::Value => row.value.map(|value| money(value, words)).into_html(),
        ColumnOf::Stage => row.stage.map(|stage| stage_badge(stage, words)).into_html(),
        ColumnOf::Age => row.since.map(|since| age(since, visit)).into_html(),
        ColumnOf::Sending => {
            let locale = &visit.locale();
            let option = named.options.iter().find(|option| Some(option.id) == row.option);
            let option = option.map(|option| option.name.get(locale).to_owned());
            let parcel = row.parcel.map(|status| parcel_text(status, words));
            if option.is_none() && parcel.is_none() {
                return ().into_html();
            }
            view! { <span class="sending">{option}" "<span class="quiet">{parcel}</span></span> }.into_html()
        }
        ColumnOf::Created => moment(row.created_at, visit),
        ColumnOf::Changed => moment(row.updated_at, visit),
    }
}

/// The items of a return: the first with its picture, and how many units are here once the first one is.
fn items(visit: &Visit, items: &[Item]) -> Html {
    let words = visit.words.returns;
    let (wanted, here) =
        items.iter().fold((0_u32, 0_u32), |(wanted, here), item| (wanted + item.quantity, here + item.received));
    let named = items.iter().take(NAMED_ITEMS).map(|item| {
        view! { <li class="item">{product_photo(&item.product, true)}<bdi>{item.product.name.clone()}</bdi></li> }
    });
    let more = items.len().saturating_sub(NAMED_ITEMS);
    let more = (more > 0).then(|| view! { <li class="quiet">{format(words.more_items, &[&more.to_string()])}</li> });
    let here = (here > 0).then(|| {
        let text = format(words.here, &[&here.to_string(), &wanted.to_string()]);
        view! { <li class="quiet">{text}</li> }
    });
    view! { <ul class="items">{named.collect_view()}{more}{here}</ul> }.into_html()
}

/// Why the list is empty, and what fills it.
fn nothing(visit: &Visit, page: &ReturnsPage) -> Html {
    let words = visit.words.returns;
    let list = &page.list;
    if list.queue().is_some() && list.filters.len() == 1 {
        return empty(words.queue_empty_title, words.queue_empty, None);
    }
    let clear = Some((visit.path(&list.cleared().path()), words.clear.to_owned()));
    if list.filters.is_empty() {
        return empty(words.none_title, words.none, None);
    }
    let without = page.without.iter().map(|without| {
        let text = format(words.without, &[&without.text, &count_text(visit, without.count)]);
        view! { <li><a href=without.href.clone()>{text}</a></li> }
    });
    let without = (!page.without.is_empty()).then(|| view! { <ul class="without">{without.collect_view()}</ul> });
    let text = if without.is_some() { words.none_match } else { words.none_match_any };
    empty_with(words.none_match_title, text, without, clear)
}

/// A number of rows as pages write it: "12", "1,000+".
pub fn count_text(visit: &Visit, count: view::Count) -> String {
    let number = ui::money::count(u32::try_from(count.count).unwrap_or(u32::MAX), visit.words);
    if count.is_capped { format!("{number}+") } else { number }
}

fn foot(visit: &Visit, page: &ReturnsPage) -> Html {
    let words = visit.words.returns;
    let shown = page.rows.len().to_string();
    let said = match page.count {
        // A scan ended before the page was full.
        Some(_) if page.next.is_some() && page.rows.is_empty() => format(words.shown_scanned, &[&shown]),
        Some(count) => format(words.shown, &[&shown, &count_text(visit, count)]),
        None => String::new(),
    };
    let pages = (page.next.is_some() || page.previous.is_some() || !page.rows.is_empty())
        .then(|| pager(page.previous.clone(), page.next.clone(), said, visit.words));
    view! {
        {pages}
        <div class="list-tools">{columns(visit, &page.list)}{views(visit, page)}</div>
    }
    .into_html()
}

/// A tick for each column.
fn columns(visit: &Visit, list: &ListAddress) -> Html {
    let words = visit.words.returns;
    let tick = |column: ColumnOf| {
        let text = match column {
            ColumnOf::Customer => words.customer,
            ColumnOf::Order => words.order,
            ColumnOf::Items => words.items,
            ColumnOf::Wanted => words.wanted,
            ColumnOf::Value => words.value,
            ColumnOf::Stage => words.stage,
            ColumnOf::Age => words.age,
            ColumnOf::Sending => words.sending,
            ColumnOf::Created => words.created,
            ColumnOf::Changed => words.changed,
        };
        let is_shown = list.shows(column);
        view! {
            <label class="tick">
                <input type="checkbox" name="column" value=column.name() checked=is_shown/>
                <span>{text}</span>
            </label>
        }
    };
    let ticks = ColumnOf::ALL.map(tick).to_vec();
    view! {
        <details class="list-tool">
            <summary>{words.columns}</summary>
            <form method="get" action=visit.path("returns/columns")>
                <input type="hidden" name="from" value=list.view()/>
                <fieldset class="ticks"><legend class="visually-hidden">{words.columns}</legend>{ticks}</fieldset>
                <button class="button button-second">{words.show_columns}</button>
            </form>
        </details>
    }
    .into_html()
}

/// Saving the list as a view, and what can be done with the view that is shown.
fn views(visit: &Visit, page: &ReturnsPage) -> Html {
    let words = visit.words.returns;
    let here = page.views.iter().find(|tab| tab.is_here);
    let content = match here {
        Some(tab) => view_actions(visit, tab, page.may_share),
        None => {
            let name = crate::components::Field::text("name", words.view_name).max_length(100).required();
            let list = page.list.rows.list().name;
            let content = view! {
                <input type="hidden" name="list" value=list/>
                <input type="hidden" name="query" value=page.list.view()/>
                {crate::components::field(visit, name)}
                <button class="button button-second">{words.save_view}</button>
            };
            form(visit, "save-view", content).into_html()
        }
    };
    let is_open = visit.mistake("name").is_some();
    view! { <details class="list-tool" open=is_open><summary>{words.views}</summary>{content}</details> }.into_html()
}

fn view_actions(visit: &Visit, tab: &SavedTab, may_share: bool) -> Html {
    let words = visit.words.returns;
    let id = || ("id", tab.saved.id.to_string());
    let mut all = Vec::new();
    if may_share && tab.saved.is_shared {
        all.push(Action::call(words.unshare_view, "unshare-view", vec![id()]));
    } else if may_share {
        all.push(Action::call(words.share_view, "share-view", vec![id()]));
    }
    if tab.saved.is_own {
        all.push(Action::call(words.delete_view, "delete-view", vec![id()]).weight(Weight::Danger));
    }
    actions(visit, "view", all)
}
