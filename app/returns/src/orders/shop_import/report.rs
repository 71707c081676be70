//! The progress and the result of an import of all orders.

use domain::Timestamp;
use outbound::shops::shopify::ExportLoss;
use serde::Serialize;
use store::shop_imports::ShopImport;

/// The most orders of a kind that a report names.
const MOST_NAMED: usize = 1_000;

/// A step of an import, for the person who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShopImportStep {
    /// Another command works on the import, or did until some seconds ago.
    Waiting,
    /// The import that began then continues.
    Continues {
        /// When the shop was asked.
        asked_at: Timestamp,
        /// The orders that are stored already.
        orders: u64,
    },
    /// Only orders changed since the last import are imported.
    OnlyChanged {
        /// When the last import ended.
        completed_at: Timestamp,
    },
    /// The export that was recorded has no file, so another one begins.
    StartsOver(ExportLoss),
    /// Shopify writes the file.
    Exporting {
        /// The orders in it so far.
        orders: u64,
    },
    /// Retour stores the orders of the file.
    Storing {
        /// The orders that are stored.
        done: u64,
        /// The orders in the file.
        total: u64,
    },
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopImportReport {
    /// The orders of the export, including those that an interrupted command has stored.
    pub orders: u64,
    /// The lines that were new or changed, in this command.
    pub changed: u64,
    /// Those of the orders that a look-up does not show either: cancelled before anything was sent, or without lines.
    pub left_out: u64,
    /// The orders whose fulfilments were read by further requests, in this command, because the file cannot describe them.
    pub fulfilments_read: u64,
    /// The number of orders that could not be read.
    pub unreadable_count: u64,
    /// The first 1,000 of them, of this command.
    pub unreadable: Vec<UnreadableOrder>,
    /// The number of orders that were not stored, because they could be mixed up with other orders; of this command.
    pub refused_count: u64,
    /// The numbers of the first 1,000 of them.
    pub refused: Vec<String>,
    /// Only orders created since were imported; `None`: all.
    pub created_since: Option<Timestamp>,
    /// Only orders changed since were imported; `None`: all.
    pub changed_since: Option<Timestamp>,
}

/// An order that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableOrder {
    /// Its name, or its position in the file.
    pub name: String,
    /// Which fields are wrong, and what was expected. No values.
    pub problem: String,
}

impl ShopImportReport {
    pub(super) fn add_unreadable(&mut self, found: impl IntoIterator<Item = UnreadableOrder>) {
        let left = MOST_NAMED.saturating_sub(self.unreadable.len());
        self.unreadable.extend(found.into_iter().take(left));
    }

    pub(super) fn add_refused(&mut self, numbers: Vec<String>) {
        self.refused_count += numbers.len() as u64;
        let left = MOST_NAMED.saturating_sub(self.refused.len());
        self.refused.extend(numbers.into_iter().take(left));
    }
}

/// How far the import of a shop is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopImportStatus {
    /// Whether a command works on it.
    pub is_running: bool,
    /// The import that has not ended.
    pub unfinished: Option<UnfinishedImport>,
    /// The last import that ended.
    pub completed: Option<EndedImport>,
}

/// An import that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedImport {
    /// Shopify's id of the bulk operation.
    pub operation_id: String,
    /// When Shopify was asked for it.
    pub began_at: Timestamp,
    /// The orders that are stored.
    pub orders: u64,
    /// The bytes of the file whose orders are stored.
    pub bytes: u64,
}

/// An import that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EndedImport {
    /// When it ended.
    pub ended_at: Timestamp,
    /// The number of its orders.
    pub orders: u64,
    /// Retour has the orders created since; `None`: all.
    pub created_since: Option<Timestamp>,
    /// Retour has all changes of these orders until then, at least.
    pub changed_until: Timestamp,
}

impl ShopImportStatus {
    pub(super) fn new(known: Option<ShopImport>, now: Timestamp) -> Self {
        let is_running = known.as_ref().is_some_and(|known| known.leased_until > now);
        let (export, completed) = known.map_or((None, None), |known| (known.export, known.completed));
        let unfinished = export.map(|export| UnfinishedImport {
            operation_id: export.operation_id,
            began_at: export.asked_at,
            orders: export.stored.orders,
            bytes: export.stored.bytes,
        });
        let completed = completed.map(|completed| EndedImport {
            ended_at: completed.ended_at,
            orders: completed.orders,
            created_since: completed.complete_from,
            changed_until: completed.complete_until,
        });
        Self { is_running, unfinished, completed }
    }
}
