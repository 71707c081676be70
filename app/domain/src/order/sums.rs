//! Payments and refunds of an order as its shop reports them.

/// Payments and refunds of an order as its shop reports them, minor units. They limit all refunds of the order
/// together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderSums {
    /// The amount paid for the whole order: its total less what is outstanding. `None` if the shop does not report it.
    pub paid: Option<i64>,
    /// The amount that the shop refunded, on its own or on Retour's behalf.
    pub refunded: i64,
}

/// Why a person decides about returns of an order before money leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderReview {
    /// Its lines, shipping and other sums do not add up to its total.
    SumsDiffer,
}

enum_names!(OrderReview { SumsDiffer });
