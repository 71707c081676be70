//! The table that is printed: a row for each figure, with its goal.

use std::collections::BTreeMap;
use store::DatabaseKind;

/// The figures, in the order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    Import,
    ImportMemory,
    Start,
    MemoryIdle,
    MemoryAfter,
    MemoryPeak,
    Returns,
    Requests,
    P50,
    P99,
    SubmitP99,
    BareReturns,
    BareP99,
    Labels,
    GetOne,
    BareGetOne,
    ListFifty,
    BareListFifty,
    Empty,
    Durable,
    BareDurable,
    SlowDurable,
    BareSlowDurable,
    Claims,
    BareClaims,
    Deliveries,
    BareDeliveries,
    DeliveryP50,
    DeliveryP99,
    LookUp,
    BareLookUp,
    LookUpCost,
    BareRow,
    Settlements,
    CarrierSubmitP99,
    OwnSubmitP99,
    RowP99,
    Pages,
    WrittenPages,
    PageSize,
    BesideSlowP99,
    WithoutSlowP99,
    SlowMemory,
    LookUpScripts,
    Scripts,
}

/// The goal of a figure.
enum Goal {
    AtMost(f64),
    AtLeast(f64),
    /// Only on SQLite.
    AtLeastOnSqlite(f64),
    /// A share of the bare figure.
    ShareOfBare(f64),
    /// At most this many times the bare figure.
    TimesBare(f64),
    /// Only on Postgres.
    ShareOfBareOnPostgres(f64),
    None,
}

impl Figure {
    const ALL: [Self; 45] = [
        Self::Import,
        Self::ImportMemory,
        Self::Start,
        Self::MemoryIdle,
        Self::MemoryAfter,
        Self::MemoryPeak,
        Self::Returns,
        Self::Requests,
        Self::P50,
        Self::P99,
        Self::SubmitP99,
        Self::BareReturns,
        Self::BareP99,
        Self::Labels,
        Self::GetOne,
        Self::BareGetOne,
        Self::ListFifty,
        Self::BareListFifty,
        Self::Empty,
        Self::Durable,
        Self::BareDurable,
        Self::SlowDurable,
        Self::BareSlowDurable,
        Self::Claims,
        Self::BareClaims,
        Self::Deliveries,
        Self::BareDeliveries,
        Self::DeliveryP50,
        Self::DeliveryP99,
        Self::LookUp,
        Self::BareLookUp,
        Self::LookUpCost,
        Self::BareRow,
        Self::Settlements,
        Self::CarrierSubmitP99,
        Self::OwnSubmitP99,
        Self::RowP99,
        Self::Pages,
        Self::WrittenPages,
        Self::PageSize,
        Self::BesideSlowP99,
        Self::WithoutSlowP99,
        Self::SlowMemory,
        Self::LookUpScripts,
        Self::Scripts,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Import => "import, lines/s",
            Self::ImportMemory => "import, peak memory, MiB",
            Self::Start => "start until ready, ms",
            Self::MemoryIdle => "memory after the start, MiB",
            Self::MemoryAfter => "memory after the replay, MiB",
            Self::MemoryPeak => "  the most until then, MiB",
            Self::Returns => "replay with 8 clients, returns/s",
            Self::Requests => "  requests/s",
            Self::P50 => "  a request, p50, ms",
            Self::P99 => "  a request, p99, ms",
            Self::SubmitP99 | Self::BareP99 => "  a submit, p99, ms",
            Self::BareReturns => "the same writes bare, returns/s",
            Self::GetOne => "GET a return request, requests/s",
            Self::ListFifty => "GET 50 with consumers, requests/s",
            Self::BareGetOne | Self::BareListFifty => "  the same bare, requests/s",
            Self::Empty => "an empty axum handler, requests/s",
            Self::Durable => "durable writes, 64 clients, a second",
            Self::SlowDurable => "  with flushes 4 ms slower, a second",
            Self::BareDurable | Self::BareSlowDurable => "  a bare group commit, a second",
            Self::Claims => "work claimed, rows a second",
            Self::BareClaims => "  a bare batch claim, rows a second",
            Self::Deliveries => "webhooks delivered a second",
            Self::BareDeliveries => "  the same POSTs bare, signed",
            Self::DeliveryP50 => "  commit to POST at 500/s, p50, ms",
            Self::DeliveryP99 => "  commit to POST at 500/s, p99, ms",
            Self::LookUp => "look-up through a bridge, p50, ms",
            Self::BareLookUp => "  the bridge's own time, p50, ms",
            Self::LookUpCost => "  what is beyond it, ms",
            Self::BareRow => "  a transaction of one row, p50, ms",
            Self::Settlements => "resolutions carried out a second",
            Self::CarrierSubmitP99 => "submit, carrier of 1 s, p99, ms",
            Self::OwnSubmitP99 => "  the same, label drawn by us",
            Self::RowP99 => "  a transaction of one row, p99, ms",
            Self::Labels => "labels (PDF), a second",
            Self::Pages => "page of 300 things, pages/s",
            Self::WrittenPages => "  the same written by hand, pages/s",
            Self::PageSize => "  its size, kB",
            Self::BesideSlowP99 => "64 beside 3,000 slow ones, p99, ms",
            Self::WithoutSlowP99 => "  the same without them, p99, ms",
            Self::SlowMemory => "  memory beside them, the most, MiB",
            Self::LookUpScripts => "look-up page, scripts",
            Self::Scripts => "heaviest page, scripts, kB brotli",
        }
    }

    fn goal(self) -> Goal {
        match self {
            Self::Import => Goal::AtLeastOnSqlite(50_000.0),
            Self::Start => Goal::AtMost(200.0),
            Self::MemoryIdle => Goal::AtMost(40.0),
            Self::MemoryAfter => Goal::AtMost(100.0),
            Self::GetOne | Self::ListFifty => Goal::ShareOfBare(0.8),
            Self::P99 => Goal::AtMost(25.0),
            Self::Durable => Goal::ShareOfBare(0.7),
            Self::SlowDurable => Goal::AtLeast(4_000.0),
            Self::Claims => Goal::ShareOfBareOnPostgres(0.7),
            Self::Deliveries => Goal::ShareOfBare(0.4),
            Self::Pages => Goal::ShareOfBare(0.6),
            Self::DeliveryP99 | Self::CarrierSubmitP99 => Goal::AtMost(50.0),
            Self::LookUpCost => Goal::AtMost(2.0),
            Self::Settlements => Goal::AtLeast(200.0),
            Self::BesideSlowP99 => Goal::TimesBare(2.0),
            Self::LookUpScripts => Goal::AtMost(0.0),
            Self::Scripts => Goal::AtMost(125.0),
            _ => Goal::None,
        }
    }

    /// The bare figure that a figure is compared with.
    fn bare(self) -> Option<Self> {
        match self {
            Self::Returns => Some(Self::BareReturns),
            Self::SubmitP99 => Some(Self::BareP99),
            Self::GetOne => Some(Self::BareGetOne),
            Self::Durable => Some(Self::BareDurable),
            Self::SlowDurable => Some(Self::BareSlowDurable),
            Self::Claims => Some(Self::BareClaims),
            Self::Deliveries => Some(Self::BareDeliveries),
            Self::Pages => Some(Self::WrittenPages),
            Self::CarrierSubmitP99 | Self::OwnSubmitP99 => Some(Self::RowP99),
            Self::ListFifty => Some(Self::BareListFifty),
            Self::BesideSlowP99 => Some(Self::WithoutSlowP99),
            _ => None,
        }
    }
}

/// The values, by figure and database. Figures without a database are in the column of SQLite.
#[derive(Debug, Default)]
pub struct Table(BTreeMap<(Figure, bool), f64>);

impl Table {
    pub fn add(&mut self, kind: DatabaseKind, figure: Figure, value: f64) {
        self.0.insert((figure, kind == DatabaseKind::Postgres), value);
    }

    /// Prints the table in the form of `docs/performance.md`.
    pub fn print(&self) {
        let row =
            |cells: [&str; 4]| println!("| {:<36} | {:>24} | {:>24} | {} |", cells[0], cells[1], cells[2], cells[3]);
        println!();
        row(["", "SQLite", "Postgres", "goal"]);
        println!("|---|---|---|---|");
        for figure in Figure::ALL.into_iter().filter(|figure| self.0.keys().any(|(known, _)| known == figure)) {
            row([figure.name(), &self.cell(figure, false), &self.cell(figure, true), &goal(figure)]);
        }
    }

    fn cell(&self, figure: Figure, postgres: bool) -> String {
        let Some(&value) = self.0.get(&(figure, postgres)) else { return String::new() };
        let share = figure.bare().and_then(|bare| self.0.get(&(bare, postgres)));
        let met_share = share.map(|bare| value / bare);
        let share = share.map_or_else(String::new, |bare| format!(" ({:.2} of bare)", value / bare));
        let met = match figure.goal() {
            Goal::AtLeastOnSqlite(least) if !postgres => mark(value >= least),
            Goal::AtLeast(least) => mark(value >= least),
            Goal::AtMost(most) => mark(value <= most),
            Goal::ShareOfBareOnPostgres(least) if postgres => met_share.map_or("", |share| mark(share >= least)),
            Goal::ShareOfBare(least) => met_share.map_or("", |share| mark(share >= least)),
            Goal::TimesBare(most) => met_share.map_or("", |share| mark(share <= most)),
            _ => "",
        };
        let decimals = usize::from(value < 100.0 && value.fract() != 0.0);
        format!("{value:.decimals$}{share}{met}")
    }
}

fn mark(met: bool) -> &'static str {
    if met { " ✓" } else { " ✗" }
}

fn goal(figure: Figure) -> String {
    match figure.goal() {
        Goal::AtLeastOnSqlite(least) => format!("≥ {least} on SQLite"),
        Goal::AtLeast(least) => format!("≥ {least}"),
        Goal::AtMost(most) => format!("≤ {most}"),
        Goal::ShareOfBare(least) => format!("≥ {least} of bare"),
        Goal::TimesBare(most) => format!("≤ {most} of bare"),
        Goal::ShareOfBareOnPostgres(least) => format!("≥ {least} of bare on Postgres"),
        Goal::None => String::new(),
    }
}
