//! What the operator of an installation can do.

use crate::base::Retour;

/// The use cases of the operator, who has access to the command line and the database. Request handlers never use this
/// handle.
///
/// - Accounts (`operator/accounts.rs`):
///   [`create_account`](Self::create_account), [`create_test_account`](Self::create_test_account),
///   [`accounts`](Self::accounts), [`update_account`](Self::update_account),
///   [`accounts_that_simulate_payments`](Self::accounts_that_simulate_payments)
/// - Users and service users (`operator/team.rs`):
///   [`create_service_user`](Self::create_service_user), [`make_service_user`](Self::make_service_user),
///   [`create_user`](Self::create_user)
/// - Orders (`operator/orders.rs`):
///   [`import`](Self::import), [`importer`](Self::importer), [`import_shop`](Self::import_shop),
///   [`shop_import_status`](Self::shop_import_status)
/// - The demo (`operator/demo.rs`):
///   [`demo`](Self::demo)
/// - Test events (`operator/trigger.rs`):
///   [`trigger`](Self::trigger)
/// - Copying a database (`operator/copy.rs`):
///   [`is_half_copied`](Self::is_half_copied)
/// - Backlog (`operator/figures.rs`):
///   [`backlog`](Self::backlog)
/// - Housekeeping (`operator/housekeeping.rs`):
///   [`finish_erasures`](Self::finish_erasures), [`prune`](Self::prune)
/// - Migration (`operator/migration.rs`):
///   [`migrate`](Self::migrate)
/// - Secrets (`operator/secrets.rs`):
///   [`can_open_secrets`](Self::can_open_secrets)
#[derive(Debug, Clone, Copy)]
pub struct OperatorHandle<'a> {
    pub(crate) retour: &'a Retour,
}

impl Retour {
    /// The use cases of the operator.
    pub fn operator(&self) -> OperatorHandle<'_> {
        OperatorHandle { retour: self }
    }
}
