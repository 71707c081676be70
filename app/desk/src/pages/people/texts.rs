//! Roles and scopes in words.

use crate::words::Words;
use returns::{Role, Scope};

/// The name of a role.
pub(crate) fn role_text(role: Role, words: &Words) -> &'static str {
    match role {
        Role::Admin => words.people.role_admin,
        Role::Agent => words.people.role_agent,
        Role::Finance => words.people.role_finance,
        Role::Warehouse => words.people.role_warehouse,
        Role::Viewer => words.people.role_viewer,
    }
}

/// What a role may do.
pub(crate) fn role_hint(role: Role, words: &Words) -> &'static str {
    match role {
        Role::Admin => words.people.role_admin_hint,
        Role::Agent => words.people.role_agent_hint,
        Role::Finance => words.people.role_finance_hint,
        Role::Warehouse => words.people.role_warehouse_hint,
        Role::Viewer => words.people.role_viewer_hint,
    }
}

/// What a scope allows.
pub(crate) fn scope_text(scope: Scope, words: &Words) -> &'static str {
    match scope {
        Scope::Read => words.people.scope_read,
        Scope::Write => words.people.scope_write,
        Scope::Admin => words.people.scope_admin,
        Scope::Receive => words.people.scope_receive,
        Scope::Resolve => words.people.scope_resolve,
        Scope::Override => words.people.scope_override,
        Scope::Personal => words.people.scope_personal,
    }
}
