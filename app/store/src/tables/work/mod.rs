//! Tasks for the workers, and the outcome of mail.

pub mod label_requests;
pub mod mail_tasks;
pub mod mails;
pub mod parcel_tasks;
pub mod payment_tasks;
pub mod settlements;
