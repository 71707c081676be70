//! Roles of users, and the scopes behind roles and API keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", remote = "Role")]
pub enum Role {
    /// May do everything, including settings and users.
    Admin,
    /// May read everything and work on returns. Above the policy's `agentLimit`, somebody else decides about money.
    Agent,
    /// May read everything, decide about money and make exceptions.
    Finance,
    /// May receive and inspect returns. Sees no amounts, e-mail addresses or streets.
    Warehouse,
    /// May read everything and change nothing.
    Viewer,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Admin, Self::Agent, Self::Finance, Self::Warehouse, Self::Viewer];

    /// The name in JSON, in SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Agent => "agent",
            Self::Finance => "finance",
            Self::Warehouse => "warehouse",
            Self::Viewer => "viewer",
        }
    }

    /// The role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The scopes that the role has.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Admin => &Scope::ALL,
            Self::Agent => {
                &[Scope::Read, Scope::Write, Scope::Receive, Scope::Resolve, Scope::Override, Scope::Personal]
            }
            Self::Finance => &[Scope::Read, Scope::Resolve, Scope::Override, Scope::Personal],
            Self::Warehouse => &[Scope::Receive],
            Self::Viewer => &[Scope::Read],
        }
    }
}

/// What a merchant's credential may do. For API keys, `admin` includes all others, `write` includes `receive`,
/// `resolve` and `override`, and `read` includes `personal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", remote = "Scope")]
pub enum Scope {
    /// Read what belongs to the account.
    Read,
    /// Create and change returns.
    Write,
    /// Change settings, keys and users.
    Admin,
    /// Receive and inspect returns. Reads them without amounts, e-mail addresses and streets.
    Receive,
    /// Decide what the consumer gets for a return: approve, deny, pay, reopen.
    Resolve,
    /// Make exceptions from the policy.
    Override,
    /// Export personal data.
    Personal,
}

domain::string_enum!(Role, Scope);

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 7] =
        [Self::Read, Self::Write, Self::Admin, Self::Receive, Self::Resolve, Self::Override, Self::Personal];

    /// The name in JSON, in SQL and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
            Self::Receive => "receive",
            Self::Resolve => "resolve",
            Self::Override => "override",
            Self::Personal => "personal",
        }
    }

    /// The scope with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// The names of some scopes, for sentences.
    pub fn names(scopes: &[Self]) -> String {
        scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(", ")
    }

    /// Parses a stored list of names.
    pub(crate) fn list(names: &str) -> Vec<Self> {
        names.split(',').filter_map(Self::from_name).collect()
    }

    /// The scopes that an API key with this scope has, too.
    pub fn included(self) -> &'static [Self] {
        match self {
            Self::Admin => &Self::ALL,
            Self::Write => &[Self::Receive, Self::Resolve, Self::Override],
            Self::Read => &[Self::Personal],
            Self::Receive | Self::Resolve | Self::Override | Self::Personal => &[],
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Read => 1,
            Self::Write => 1 << 1,
            Self::Admin => 1 << 2,
            Self::Receive => 1 << 3,
            Self::Resolve => 1 << 4,
            Self::Override => 1 << 5,
            Self::Personal => 1 << 6,
        }
    }
}

/// All scopes of a caller, including those that other scopes include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScopeSet(u8);

impl ScopeSet {
    /// Every scope.
    pub fn all() -> Self {
        Self::exactly(&Scope::ALL)
    }

    /// The scopes of a user. A role's list is complete: its scopes include no others.
    pub fn of_role(role: Role) -> Self {
        Self::exactly(role.scopes())
    }

    /// The scopes of an API key.
    pub fn of_key(scopes: &[Scope]) -> Self {
        let included = scopes.iter().map(|scope| Self::exactly(scope.included()).0);
        Self(included.fold(Self::exactly(scopes).0, |all, more| all | more))
    }

    /// The scopes that an API key itself has. `admin` is all of them.
    pub fn granted_to_key(scopes: &[Scope]) -> Self {
        if scopes.contains(&Scope::Admin) { Self::all() } else { Self::exactly(scopes) }
    }

    fn exactly(scopes: &[Scope]) -> Self {
        Self(scopes.iter().fold(0, |all, scope| all | scope.bit()))
    }

    /// Whether the scope is among them.
    pub fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether at least one of the scopes is among them.
    pub fn has_any(self, scopes: &[Scope]) -> bool {
        scopes.iter().any(|&scope| self.has(scope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: ScopeSet) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|&scope| set.has(scope)).map(Scope::name).collect()
    }

    #[test]
    fn an_old_key_still_opens_what_it_opened() {
        assert_eq!(names(ScopeSet::of_key(&[Scope::Read])), ["read", "personal"]);
        assert_eq!(names(ScopeSet::of_key(&[Scope::Write])), ["write", "receive", "resolve", "override"]);
        assert_eq!(ScopeSet::of_key(&[Scope::Admin]), ScopeSet::all());
        assert_eq!(names(ScopeSet::of_key(&[Scope::Receive])), ["receive"]);
    }

    #[test]
    fn a_key_is_granted_what_it_was_created_with() {
        assert_eq!(names(ScopeSet::granted_to_key(&[Scope::Write])), ["write"]);
        assert_eq!(ScopeSet::granted_to_key(&[Scope::Admin]), ScopeSet::all());
    }

    #[test]
    fn a_role_has_its_scopes_and_no_others() {
        for role in Role::ALL {
            let own: Vec<&str> =
                Scope::ALL.into_iter().filter(|scope| role.scopes().contains(scope)).map(Scope::name).collect();
            assert_eq!(names(ScopeSet::of_role(role)), own, "{}", role.name());
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
        assert_eq!(names(ScopeSet::of_role(Role::Viewer)), ["read"], "a viewer exports no personal data");
    }
}
