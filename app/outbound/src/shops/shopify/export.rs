//! Exports of all orders by a bulk operation: Shopify executes a query over all orders and writes a file.
//!
//! Shopify's page "Perform bulk operations with the GraphQL Admin API" describes it. The operation runs for minutes or hours,
//! and its file stays for seven days. The file is on another host, and its URL needs no access token.

use super::{
    client::{MutationError, ShopifySession},
    documents::{EXPORT_QUERY, EXPORT_STATE, START_EXPORT},
    export_lines::LineSplitter,
    export_orders::{ExportedOrder, OrderJoiner},
};
use crate::{
    bridge::BridgeError,
    http::{CallError, Endpoint, Http, ResponseStream},
};
use domain::{Timestamp, integration::ShopifyDuties};
use serde::Deserialize;
use serde_json::json;
use std::{fmt, time::Duration};

/// How long to wait for each piece of the file.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);

/// Which orders an export has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportFilter {
    /// Those created since; `None`: all.
    pub created_since: Option<Timestamp>,
    /// Those changed since; `None`: all.
    pub changed_since: Option<Timestamp>,
}

/// How far an export is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportState {
    /// Shopify still writes the file.
    Running {
        /// The orders so far.
        orders: u64,
    },
    /// The file is there.
    Done {
        /// The orders in it.
        orders: u64,
        /// `None`: there are no orders.
        file: Option<ExportFile>,
    },
    /// There is no file.
    Lost(ExportLoss),
}

/// The file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// Where it is.
    pub url: Endpoint,
    /// Its size as Shopify says. The file's server knows better.
    pub bytes: u64,
}

/// Why an export has no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExportLoss {
    /// Shopify keeps it for seven days.
    #[error("Shopify has deleted its file, as it does after seven days")]
    Expired,
    /// Somebody cancelled it.
    #[error("it was cancelled")]
    Cancelled,
    /// A scope, or access to protected customer data, is missing.
    #[error(
        "Shopify refuses it to the app: run `retour bridge check --shopify` to see which access scope or protected customer \
         data is missing"
    )]
    AccessDenied,
    /// Shopify took too long.
    #[error("Shopify took too long: try again, or import fewer orders with --since")]
    TimedOut,
    /// Shopify failed.
    #[error("Shopify failed: try again")]
    ShopFailed,
    /// Shopify does not know it.
    #[error("Shopify does not know it any more")]
    Unknown,
}

/// Why an export cannot be started or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// Shopify gave no usable answer.
    #[error("{}", told(.0))]
    Shop(#[from] BridgeError),
    /// Other bulk operations of the app are running.
    #[error(
        "Shopify runs as many bulk operations for the app as it allows at a time. Wait until they have ended, then try again"
    )]
    Busy,
    /// Shopify may have started it.
    #[error("Shopify did not answer clearly, so that a bulk operation may run that Retour does not know. Try again")]
    Unclear,
    /// Shopify does not execute the query.
    #[error("Shopify refuses the query of the export: connect the shop with a version that Shopify still supports")]
    RefusedQuery,
    /// The address of the file is no URL that can be called.
    #[error("Shopify names an address of the file that cannot be called")]
    BadUrl,
    /// The server has no such file any more.
    #[error("the file of the export is gone")]
    Gone,
    /// The file's server does not answer as expected.
    #[error("the server of the export's file answered with status {0}")]
    FileStatus(u16),
    /// The download broke off.
    #[error("the download of the export broke off: {0}")]
    Download(CallError),
    /// The file is shorter or longer than it should be.
    #[error("the file of the export has another size than its server or Shopify says")]
    OtherSize,
    /// The file has other content.
    #[error("the file is no export of orders: expected JSON lines that begin with an order")]
    NotAnExport,
}

fn told(error: &BridgeError) -> String {
    let sentence = error.told_of("Shopify");
    match error {
        BridgeError::Unavailable(_) => format!("{sentence} Try again in some minutes"),
        _ => sentence,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StartResponse {
    bulk_operation_run_query: Started,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Started {
    bulk_operation: Option<OperationId>,
    user_errors: Vec<StartError>,
}

#[derive(Deserialize)]
struct OperationId {
    id: String,
}

#[derive(Deserialize)]
struct StartError {
    code: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateResponse {
    bulk_operation: Option<Operation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Operation {
    status: String,
    error_code: Option<String>,
    root_object_count: String,
    file_size: Option<String>,
    url: Option<String>,
}

/// See [`super::Shopify::start_export`].
pub(super) async fn start(session: &ShopifySession<'_>, filter: ExportFilter) -> Result<String, ExportError> {
    let variables = json!({"query": query(filter)});
    let started: StartResponse = session.mutate(START_EXPORT, &variables).await.map_err(|error| match error {
        MutationError::NotDone(error) => ExportError::Shop(error),
        MutationError::Unknown => ExportError::Unclear,
    })?;
    let StartResponse { bulk_operation_run_query: Started { bulk_operation, user_errors } } = started;
    match (bulk_operation, user_errors.first()) {
        (Some(operation), None) => Ok(operation.id),
        (_, Some(error)) => Err(match error.code.as_deref() {
            Some("OPERATION_IN_PROGRESS" | "LIMIT_REACHED") => ExportError::Busy,
            _ => ExportError::RefusedQuery,
        }),
        (None, None) => Err(ExportError::Unclear),
    }
}

/// The query without its comments, with the search for the orders.
fn query(filter: ExportFilter) -> String {
    let lines = EXPORT_QUERY.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join("\n").replace("SEARCH", &search(filter))
}

/// The orders in Shopify's search syntax. Empty: all.
fn search(filter: ExportFilter) -> String {
    let term = |field: &str, since: Option<Timestamp>| since.map(|since| format!("{field}:>='{}'", in_seconds(since)));
    let terms = [term("created_at", filter.created_since), term("updated_at", filter.changed_since)];
    terms.into_iter().flatten().collect::<Vec<_>>().join(" AND ")
}

/// Shopify's times are whole seconds.
fn in_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_seconds(at.seconds())
}

/// See [`super::Shopify::export_state`].
pub(super) async fn state(session: &ShopifySession<'_>, id: &str) -> Result<ExportState, ExportError> {
    let StateResponse { bulk_operation } = session.query(EXPORT_STATE, json!({"id": id})).await?;
    let Some(operation) = bulk_operation else { return Ok(ExportState::Lost(ExportLoss::Unknown)) };
    let orders = operation.root_object_count.parse().unwrap_or(0);
    Ok(match operation.status.as_str() {
        "CREATED" | "RUNNING" => ExportState::Running { orders },
        "COMPLETED" => ExportState::Done { orders, file: file(&operation)? },
        "EXPIRED" => ExportState::Lost(ExportLoss::Expired),
        "CANCELED" | "CANCELING" => ExportState::Lost(ExportLoss::Cancelled),
        // The partial file of a failed operation is not read: the last order in it may lack lines.
        _ => ExportState::Lost(match operation.error_code.as_deref() {
            Some("ACCESS_DENIED") => ExportLoss::AccessDenied,
            Some("TIMEOUT") => ExportLoss::TimedOut,
            _ => ExportLoss::ShopFailed,
        }),
    })
}

fn file(operation: &Operation) -> Result<Option<ExportFile>, ExportError> {
    let Some(url) = &operation.url else { return Ok(None) };
    let url = Endpoint::parse(url).map_err(|_| ExportError::BadUrl)?;
    let bytes = operation.file_size.as_deref().and_then(|size| size.parse().ok());
    let bytes =
        bytes.ok_or_else(|| BridgeError::bad_field("data.bulkOperation.fileSize", "expected a size in bytes"))?;
    Ok(Some(ExportFile { url, bytes }))
}

/// The orders in the file of an export, as it is downloaded.
pub struct ExportedOrders {
    stream: ResponseStream,
    /// The size of the file.
    bytes: u64,
    /// The bytes before the position that was asked for, which a server sends if it knows no ranges.
    to_skip: u64,
    lines: LineSplitter,
    orders: OrderJoiner,
    has_ended: bool,
}

impl ExportedOrders {
    /// Begins the download at a position after which an order begins: 0, or [`ExportedOrder::end`].
    pub(super) async fn open(
        http: &Http,
        file: &ExportFile,
        from: u64,
        duties: ShopifyDuties,
    ) -> Result<Self, ExportError> {
        let http = http.clone().with_timeout(PIECE_TIMEOUT);
        let stream = http.stream(&file.url, from).await.map_err(ExportError::Download)?;
        let to_skip = match (stream.status, stream.starts_at) {
            (200, _) => from,
            (206, Some(starts_at)) if starts_at == from => 0,
            (403 | 404 | 410, _) => return Err(ExportError::Gone),
            (status, _) => return Err(ExportError::FileStatus(status)),
        };
        let (lines, orders) = (LineSplitter::at(from), OrderJoiner::new(duties));
        // Shopify's figure may be inexact, so it counts only if the server has none.
        let bytes = stream.size.unwrap_or(file.bytes);
        Ok(Self { stream, bytes, to_skip, lines, orders, has_ended: false })
    }

    /// The next order; `None` at the end of the file.
    pub async fn next_order(&mut self) -> Result<Option<ExportedOrder>, ExportError> {
        loop {
            while let Some(line) = self.lines.next_line() {
                if let Some(order) = self.orders.add(line).map_err(|_| ExportError::NotAnExport)? {
                    return Ok(Some(order));
                }
            }
            if self.has_ended {
                return Ok(self.orders.finish());
            }
            match self.stream.next_piece().await.map_err(ExportError::Download)? {
                Some(piece) => self.push(&piece)?,
                None => {
                    if let Some(order) = self.end()? {
                        return Ok(Some(order));
                    }
                }
            }
        }
    }

    fn push(&mut self, piece: &[u8]) -> Result<(), ExportError> {
        let skipped = usize::try_from(self.to_skip).unwrap_or(usize::MAX).min(piece.len());
        self.to_skip -= skipped as u64;
        self.lines.push(piece.get(skipped..).unwrap_or_default());
        if self.lines.position() > self.bytes { Err(ExportError::OtherSize) } else { Ok(()) }
    }

    /// Ends the file. What follows the last line break is a line only if the file is complete.
    fn end(&mut self) -> Result<Option<ExportedOrder>, ExportError> {
        if self.lines.position() < self.bytes {
            return Err(ExportError::OtherSize);
        }
        self.has_ended = true;
        let Some(line) = self.lines.last_line() else { return Ok(None) };
        self.orders.add(line).map_err(|_| ExportError::NotAnExport)
    }
}

/// Shows no order.
impl fmt::Debug for ExportedOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExportedOrders").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_has_the_search_and_no_comments() {
        let at = Timestamp::from_micros(1_772_366_400_500_000);
        let both = ExportFilter { created_since: Some(at), changed_since: Some(at.plus_seconds(1)) };
        let expected = "created_at:>='2026-03-01T12:00:00Z' AND updated_at:>='2026-03-01T12:00:01Z'";
        assert_eq!(search(both), expected);
        let text = query(both);
        assert!(text.starts_with('{') && text.contains(&format!("orders(query: \"{expected}\")")), "{text}");
        assert!(query(ExportFilter::default()).contains("orders(query: \"\")"));
    }

    /// A field that a look-up reads and an export does not would be lost without an error.
    #[test]
    fn the_export_has_every_field_of_a_look_up() {
        let look_up = include_str!("look_up.graphql");
        let (_, fragments) = look_up.split_once("fragment PlacedOrder").unwrap_or_default();
        let names = |text: &str| -> Vec<String> {
            let names = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
            names.filter(|name| name.starts_with(|char: char| char.is_ascii_lowercase())).map(str::to_owned).collect()
        };
        let exported = names(&query(ExportFilter::default()));
        let others = ["on", "fragment", "nodes", "pageInfo", "hasNextPage", "endCursor", "lines", "first"];
        // See export_shipped.rs; and an export offers no exchanges.
        let left_out = ["fulfillmentLineItems", "lineItem", "soldFor", "shopMoney"];
        for name in names(fragments) {
            let is_known =
                exported.contains(&name) || others.contains(&name.as_str()) || left_out.contains(&name.as_str());
            assert!(is_known, "{name}");
        }
    }
}
