//! Tasks that workers of every instance share ([`crate::engine::queue`]), and the results of mail.

pub mod bulk_runs;
pub mod label_requests;
pub mod mail_tasks;
pub mod mails;
pub mod order_refreshes;
pub mod parcel_tasks;
pub mod payment_tasks;
pub mod privacy_requests;
pub mod settlements;
pub mod shop_reconciliations;
pub mod shop_returns;
