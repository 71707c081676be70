//! Tables. On a phone, each row becomes a card whose cells have their column's name before them. Roles are explicit, because browsers
//! forget that a table is one when its style changes so.

use leptos::prelude::*;
use ui::{
    components::icons::{self, icon_s},
    html::{Html, IntoHtml},
};

/// The order of a column that the list can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The list is not ordered by it.
    None,
    Ascending,
    Descending,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    head: String,
    is_number: bool,
    is_head_hidden: bool,
    place: Option<&'static str>,
    order: Option<(Order, String)>,
}

impl Column {
    pub fn new(head: impl Into<String>) -> Self {
        Self { head: head.into(), is_number: false, is_head_hidden: false, place: None, order: None }
    }

    /// Aligns figures at their end.
    #[must_use]
    pub fn number(self) -> Self {
        Self { is_number: true, ..self }
    }

    /// Shows the head to screen readers only.
    #[must_use]
    pub fn hidden_head(self) -> Self {
        Self { is_head_hidden: true, ..self }
    }

    /// Names the cell's place on the card that a phone shows, so that a style sheet can arrange it.
    #[must_use]
    pub fn placed(self, place: &'static str) -> Self {
        Self { place: Some(place), ..self }
    }

    /// Makes the head a link that orders the list by this column.
    #[must_use]
    pub fn ordered(self, order: Order, href: impl Into<String>) -> Self {
        Self { order: Some((order, href.into())), ..self }
    }
}

/// A row of a table: one view for each column.
pub struct Row {
    cells: Vec<Html>,
    tone: Option<&'static str>,
}

impl Row {
    pub fn new(cells: Vec<Html>) -> Self {
        Self { cells, tone: None }
    }

    /// Marks the row at its start, beside a word in one of its cells: `warn` or `danger`.
    #[must_use]
    pub fn toned(self, tone: &'static str) -> Self {
        Self { tone: Some(tone), ..self }
    }
}

/// A table. The first cell of a row names it. The caption is for screen readers: it says what the table lists.
pub fn table(caption: impl Into<String>, columns: Vec<Column>, rows: Vec<Row>) -> Html {
    let heads = columns.iter().map(head).collect_view();
    let row = |row: Row| {
        let cells = row.cells.into_iter().zip(&columns).enumerate().map(|(index, (cell, column))| {
            let class = column.is_number.then_some("number");
            if index == 0 {
                return view! { <th scope="row" role="rowheader" class=class>{cell}</th> }.into_html();
            }
            let label = (!column.is_head_hidden).then(|| column.head.clone());
            view! { <td role="cell" class=class data-label=label data-place=column.place>{cell}</td> }.into_html()
        });
        view! { <tr role="row" data-row="" data-tone=row.tone>{cells.collect_view()}</tr> }
    };
    let rows = rows.into_iter().map(row).collect_view();
    view! {
        <div class="table-in">
            <table class="table" role="table">
                <caption class="visually-hidden">{caption.into()}</caption>
                <thead role="rowgroup"><tr role="row">{heads}</tr></thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
    }
    .into_html()
}

fn head(column: &Column) -> Html {
    let class = column.is_number.then_some("number");
    let text = column.head.clone();
    match column.order.clone() {
        Some((order, href)) => {
            let (sort, icon) = match order {
                Order::None => (None, None),
                Order::Ascending => (Some("ascending"), Some(icon_s(icons::UP))),
                Order::Descending => (Some("descending"), Some(icon_s(icons::DOWN))),
            };
            view! { <th scope="col" role="columnheader" class=class aria-sort=sort><a href=href>{text}{icon}</a></th> }
                .into_html()
        }
        None if column.is_head_hidden => {
            view! { <th scope="col" role="columnheader" class=class><span class="visually-hidden">{text}</span></th> }
                .into_html()
        }
        None => view! { <th scope="col" role="columnheader" class=class>{text}</th> }.into_html(),
    }
}
