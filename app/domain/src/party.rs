//! The two sides of a return, and the actors of changes.

use serde::{Deserialize, Serialize};

/// One of the two sides of a return, with what the code at hand needs to know of it: an id, a session or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party<C = (), S = ()> {
    /// The consumer who made the return.
    Consumer(C),
    /// The merchant's staff: a user or a program with an API key.
    Staff(S),
}

impl<C, S> Party<C, S> {
    /// The actor of what this party does.
    pub fn actor(&self) -> Actor {
        match self {
            Self::Consumer(_) => Actor::Consumer,
            Self::Staff(_) => Actor::Merchant,
        }
    }

    /// The consumer, if it is one.
    pub fn consumer(self) -> Option<C> {
        match self {
            Self::Consumer(consumer) => Some(consumer),
            Self::Staff(_) => None,
        }
    }

    /// Whether it is the merchant's staff.
    pub fn is_staff(&self) -> bool {
        matches!(self, Self::Staff(_))
    }
}

/// The party that made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum Actor {
    /// The consumer who made the return.
    Consumer,
    /// The merchant: a user or a program with an API key.
    Merchant,
    /// Retour itself: a rule or a background job.
    System,
}

enum_names!(Actor { Consumer, Merchant, System });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_party_is_the_actor_of_what_it_does() {
        let (consumer, staff) = (Party::<_, ()>::Consumer(7), Party::<u32, _>::Staff("ada"));
        assert_eq!((consumer.actor(), consumer.is_staff(), consumer.consumer()), (Actor::Consumer, false, Some(7)));
        assert_eq!((staff.actor(), staff.is_staff(), staff.consumer()), (Actor::Merchant, true, None));
    }
}
