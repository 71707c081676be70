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
    /// The merchant's users and programs with at least one of the scopes. What they see or may do depends on which.
    StaffAny(&'static [Scope]),
    /// The same, except users with the role `agent`: what supervises them.
    StaffButAgents(&'static [Scope]),
}

impl Access {
    /// Those who read returns: all of them, or as far as a warehouse needs.
    pub const READERS: Self = Self::StaffAny(&[Scope::Read, Scope::Receive]);

    /// The scopes of which users and programs need one.
    pub fn scopes(&self) -> &[Scope] {
        match self {
            Self::Anyone | Self::SignedIn => &[],
            Self::Consumer(scope) | Self::Staff(scope) => std::slice::from_ref(scope),
            Self::StaffAny(scopes) | Self::StaffButAgents(scopes) => scopes,
        }
    }
}
