//! Orders of the file that wait until the fulfilments of some of them are read. Orders are stored in the order of the file, so
//! that its position says what is stored.

use outbound::shops::shopify::{ExportedContent, ExportedOrder};

/// How many orders without fulfilments are read together.
const MOST_INCOMPLETE: usize = 25;
/// The most orders that wait, and about the most bytes of the file.
const MOST_ORDERS: usize = 200;
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Orders that wait.
#[derive(Debug, Default)]
pub(super) struct WaitingOrders {
    orders: Vec<ExportedOrder>,
    incomplete: usize,
}

impl WaitingOrders {
    pub fn push(&mut self, order: ExportedOrder) {
        self.incomplete += usize::from(matches!(order.content, ExportedContent::Incomplete(_)));
        self.orders.push(order);
    }

    /// Whether they need not wait for more: nothing has to be read, or as much as is read at once.
    pub fn is_ready(&self) -> bool {
        let bytes = match (self.orders.first(), self.orders.last()) {
            (Some(first), Some(last)) => last.end.saturating_sub(first.end),
            _ => 0,
        };
        self.incomplete == 0
            || self.incomplete >= MOST_INCOMPLETE
            || self.orders.len() >= MOST_ORDERS
            || bytes >= MOST_BYTES
    }

    /// All of them, in the order of the file.
    pub fn take(&mut self) -> Vec<ExportedOrder> {
        self.incomplete = 0;
        std::mem::take(&mut self.orders)
    }
}
