//! The two sides of a return.

use domain::party::Actor;

/// One of the two sides of a return, with what the code at hand needs to know of it: an id, a session or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party<C = (), S = ()> {
    /// The consumer whose return it is.
    Consumer(C),
    /// The merchant's staff: a user or a program with an API key.
    Staff(S),
}

impl<C, S> Party<C, S> {
    /// The actor of what this party does.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Consumer(_) => Actor::Consumer,
            Self::Staff(_) => Actor::Merchant,
        }
    }

    /// Whether it is the merchant's staff.
    pub(crate) fn is_staff(&self) -> bool {
        matches!(self, Self::Staff(_))
    }
}
