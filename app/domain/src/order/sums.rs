//! What was paid for an order and given back, and what does not add up.

/// The sums of an order as its shop tells them, minor units. Together they limit what all refunds of the order may come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderSums {
    /// What was paid for the whole order: its total less what is outstanding. `None` where the shop does not tell.
    pub paid: Option<i64>,
    /// What the shop itself gave back, without Retour or on its behalf.
    pub refunded: i64,
}

/// Why a person decides about returns of an order before money leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderReview {
    /// Its lines, shipping and other sums do not add up to its total.
    SumsDiffer,
}

impl OrderReview {
    /// The name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::SumsDiffer => "SumsDiffer",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::SumsDiffer].into_iter().find(|review| review.name() == name)
    }
}
