//! The handle of a consumer.

use crate::base::{Retour, Shopper};

/// The use cases of one consumer. Each reads and changes what belongs to this consumer, and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Consumer<'a> {
    pub(crate) retour: &'a Retour,
    pub(crate) shopper: Shopper,
}

impl Retour {
    /// The use cases of a consumer who has proved an order.
    pub fn consumer(&self, shopper: &Shopper) -> Consumer<'_> {
        Consumer { retour: self, shopper: *shopper }
    }
}
