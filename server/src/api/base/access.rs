//! Who may call an operation.

use returns::Scope;

/// Who may call an operation. The extractors enforce it, and the document and docs/permissions.md list it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody, also without a credential.
    Anyone,
    /// Users who signed in with a password.
    SignedIn,
    /// The owner of the data, and the merchant's users and programs with the scope.
    Consumer(Scope),
    /// The merchant's users and programs with the scope.
    Staff(Scope),
}

impl Access {
    /// The scope that users and programs need.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Self::Anyone | Self::SignedIn => None,
            Self::Consumer(scope) | Self::Staff(scope) => Some(scope),
        }
    }
}
