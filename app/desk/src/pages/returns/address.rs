//! What the address of the list says: the same parameters as the API's list, and which rows and columns to show.

use domain::{returning::ProposalKind, stage::Queue};
use returns::{Direction, List, Listing, Page, Sort, lists};
use ui::web::form::{Fields, encoded};

/// Rows of a page.
pub const ROWS: i64 = 50;
/// How many pages back the link to the previous page can go.
const LONGEST_TRAIL: usize = 40;
/// As the API's lists.
const MOST_FILTERS: usize = 20;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsOf {
    /// A return order.
    Orders,
    /// A return request.
    Requests,
}

impl RowsOf {
    /// The list of the API that has these rows.
    pub fn list(self) -> &'static List {
        match self {
            Self::Orders => &lists::RETURN_ORDERS,
            Self::Requests => &lists::RETURN_REQUESTS,
        }
    }

    fn of(name: &str) -> Self {
        if name == "requests" { Self::Requests } else { Self::Orders }
    }
}

/// A column that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnOf {
    Customer,
    Order,
    Items,
    Wanted,
    Value,
    Stage,
    Age,
    Sending,
    Created,
    Changed,
}

impl ColumnOf {
    /// All columns, in their order.
    pub const ALL: [Self; 10] = [
        Self::Customer,
        Self::Order,
        Self::Items,
        Self::Wanted,
        Self::Value,
        Self::Stage,
        Self::Age,
        Self::Sending,
        Self::Created,
        Self::Changed,
    ];

    /// The name in the address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Order => "order",
            Self::Items => "items",
            Self::Wanted => "wanted",
            Self::Value => "value",
            Self::Stage => "stage",
            Self::Age => "age",
            Self::Sending => "sending",
            Self::Created => "created",
            Self::Changed => "changed",
        }
    }

    fn is_usual(self) -> bool {
        !matches!(self, Self::Created | Self::Changed)
    }
}

/// What the address of the list says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAddress {
    pub rows: RowsOf,
    /// Clauses, as the API's `filter` has them.
    pub filters: Vec<String>,
    pub sort: Sort,
    pub direction: Direction,
    /// The columns to show; empty: the usual ones.
    pub columns: Vec<ColumnOf>,
    /// The page, as the API's `page` has it.
    pub page: Option<i64>,
    /// The pages before it, the first one first.
    pub trail: Vec<i64>,
}

impl ListAddress {
    /// Reads the query of an address. What it does not know is left out.
    pub fn of(query: &Fields) -> Self {
        let (sort, direction) = sort_of(query.get("sortBy"), query.get("orderBy"));
        let columns = query.get("columns").split('.');
        let columns = ColumnOf::ALL.into_iter().filter(|column| columns.clone().any(|name| name == column.name()));
        Self {
            rows: RowsOf::of(query.get("rows")),
            filters: query.all("filter").take(MOST_FILTERS).map(str::to_owned).collect(),
            sort,
            direction,
            columns: columns.collect(),
            page: query.get("page").parse().ok(),
            trail: query.get("trail").split('.').filter_map(|page| page.parse().ok()).take(LONGEST_TRAIL).collect(),
        }
    }

    /// Reads a query string, such as that of a saved view.
    pub fn of_query(query: &str) -> Self {
        Self::of(&Fields::parse(query.as_bytes()).unwrap_or_default())
    }

    /// The query string without the page: what a saved view keeps.
    pub fn view(&self) -> String {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        if self.rows == RowsOf::Requests {
            pairs.push(("rows", "requests".to_owned()));
        }
        pairs.extend(self.filters.iter().map(|clause| ("filter", clause.clone())));
        if (self.sort, self.direction) != (Sort::CreatedAt, Direction::Descending) {
            pairs.push(("sortBy", sort_name(self.sort).to_owned()));
            pairs.push(("orderBy", if self.direction == Direction::Ascending { "asc" } else { "desc" }.to_owned()));
        }
        if !self.columns.is_empty() {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name()).collect();
            pairs.push(("columns", names.join(".")));
        }
        let pairs = pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// The query string of the page.
    pub fn query(&self) -> String {
        let trail: Vec<String> = self.trail.iter().map(i64::to_string).collect();
        let page = self.page.map(|page| format!("page={page}"));
        let trail = (!trail.is_empty()).then(|| format!("trail={}", trail.join(".")));
        let view = Some(self.view()).filter(|view| !view.is_empty());
        [view, page, trail].into_iter().flatten().collect::<Vec<_>>().join("&")
    }

    /// The page below the desk's home.
    pub fn path(&self) -> String {
        with_query("returns", &self.query())
    }

    /// The same list from its first page.
    #[must_use]
    pub fn first_page(&self) -> Self {
        Self { page: None, trail: Vec::new(), ..self.clone() }
    }

    /// The list without one of its filters.
    #[must_use]
    pub fn without(&self, clause: &str) -> Self {
        let mut other = self.first_page();
        other.filters.retain(|known| known != clause);
        other.mended()
    }

    /// The list without filters.
    #[must_use]
    pub fn cleared(&self) -> Self {
        Self { filters: Vec::new(), ..self.first_page() }.mended()
    }

    /// The list in another order.
    #[must_use]
    pub fn sorted(&self, sort: Sort, direction: Direction) -> Self {
        Self { sort, direction, ..self.first_page() }
    }

    /// The list with these columns.
    #[must_use]
    pub fn with_columns(&self, columns: Vec<ColumnOf>) -> Self {
        let usual: Vec<ColumnOf> = ColumnOf::ALL.into_iter().filter(|column| column.is_usual()).collect();
        Self { columns: if columns == usual { Vec::new() } else { columns }, ..self.first_page() }
    }

    /// The following page.
    #[must_use]
    pub fn next_page(&self, page: i64) -> Self {
        let mut trail = self.trail.clone();
        if trail.len() < LONGEST_TRAIL {
            trail.push(self.page.unwrap_or(1));
        }
        Self { page: Some(page), trail, ..self.clone() }
    }

    /// The page before; `None` on the first one.
    pub fn previous_page(&self) -> Option<Self> {
        let mut trail = self.trail.clone();
        let page = trail.pop()?;
        Some(Self { page: (page > 1).then_some(page), trail, ..self.clone() })
    }

    /// Whether it shows a column.
    pub fn shows(&self, column: ColumnOf) -> bool {
        if self.columns.is_empty() { column.is_usual() } else { self.columns.contains(&column) }
    }

    /// The queue that it lists, if it lists one.
    pub fn queue(&self) -> Option<Queue> {
        let kinds: Vec<&str> = ProposalKind::all().iter().map(|kind| kind.name()).collect();
        self.filters.iter().find_map(|clause| match clause.split_once(':')? {
            ("queue", name) => Queue::from_name(name),
            ("proposal", names) if names.split('|').eq(kinds.iter().copied()) => Some(Queue::ToApprove),
            _ => None,
        })
    }

    /// The question to the API's list, and the clauses that the list does not know.
    pub fn listing(&self) -> (Listing, Vec<String>) {
        let list = self.rows.list();
        let mut listing = Listing::newest(Page::first(ROWS));
        let mut unknown = Vec::new();
        for clause in &self.filters {
            match list.condition(clause) {
                Ok(condition) => listing.conditions.push(condition),
                Err(_) => unknown.push(clause.clone()),
            }
        }
        (listing.sort, listing.direction) = (self.sort, self.direction);
        if !listing.can_sort() {
            (listing.sort, listing.direction) = (Sort::CreatedAt, Direction::Descending);
        }
        let walk = listing.walk(list, &[]);
        listing.page.walk = Some(walk);
        if let Some(start) = self.page.and_then(|page| walk.start(page)) {
            listing.page.start = start;
        }
        listing.counts = true;
        (listing, unknown)
    }

    /// The order by age needs a stage or a queue.
    fn mended(self) -> Self {
        if self.listing().0.sort == self.sort {
            return self;
        }
        Self { sort: Sort::CreatedAt, direction: Direction::Descending, ..self }
    }
}

/// A path with a query, if there is one.
pub fn with_query(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

fn sort_of(sort: &str, order: &str) -> (Sort, Direction) {
    let sort = match sort {
        "updatedAt" => Sort::UpdatedAt,
        "stageSince" => Sort::StageSince,
        _ => Sort::CreatedAt,
    };
    (sort, if order == "asc" { Direction::Ascending } else { Direction::Descending })
}

fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::CreatedAt => "createdAt",
        Sort::UpdatedAt => "updatedAt",
        Sort::StageSince => "stageSince",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_the_list_is_in_its_address() {
        for query in [
            "",
            "rows=requests&filter=stage%3ARequested%3A%20Review&sortBy=stageSince&orderBy=asc",
            "filter=sku%3AA%7CB&filter=gift%3Atrue&columns=customer.value",
            "filter=status%3AOpen&page=33003&trail=1.20002",
        ] {
            assert_eq!(ListAddress::of_query(query).query(), query);
        }
    }

    #[test]
    fn next_and_previous_lead_back_to_the_same_page() {
        let first = ListAddress::of_query("filter=status%3AOpen");
        let third = first.next_page(20_002).next_page(33_003);
        assert_eq!(third.previous_page().and_then(|second| second.previous_page()), Some(first.clone()));
        assert_eq!(first.previous_page(), None);
    }

    #[test]
    fn a_filter_that_the_list_does_not_know_is_named() {
        let (listing, unknown) = ListAddress::of_query("filter=nonsense%3A1&filter=status%3AOpen").listing();
        assert_eq!((listing.conditions.len(), unknown), (1, vec!["nonsense:1".to_owned()]));
    }

    #[test]
    fn without_its_stage_a_list_has_another_order() {
        let list = ListAddress::of_query("rows=requests&filter=queue%3AToDecide&sortBy=stageSince&orderBy=asc");
        assert_eq!(list.without("queue:ToDecide").query(), "rows=requests");
    }

    #[test]
    fn the_usual_columns_are_not_in_the_address() {
        let list = ListAddress::of_query("columns=customer");
        assert!(list.shows(ColumnOf::Customer) && !list.shows(ColumnOf::Order));
        let usual = ColumnOf::ALL.into_iter().filter(|column| column.is_usual()).collect();
        assert_eq!(list.with_columns(usual).query(), "");
    }
}
