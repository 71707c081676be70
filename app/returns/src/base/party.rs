//! The two sides of a return.

use domain::party::Actor;

/// One of the two sides of a return, with what the code needs to know about it: an id, a session or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party<C = (), S = ()> {
    /// The consumer who owns the return.
    Consumer(C),
    /// The merchant's staff: a user or a program with an API key.
    Staff(S),
}

impl<C, S> Party<C, S> {
    /// The actor to record for this party.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Consumer(_) => Actor::Consumer,
            Self::Staff(_) => Actor::Merchant,
        }
    }

    /// Whether this party is the merchant's staff.
    pub(crate) fn is_staff(&self) -> bool {
        matches!(self, Self::Staff(_))
    }
}
