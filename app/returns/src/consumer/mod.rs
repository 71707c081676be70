//! What a consumer can do, in order: prove an order, choose items, see the costs, submit, follow up.

pub(crate) mod account;
pub(crate) mod drafts;
pub(crate) mod evidence;
pub(crate) mod handle;
pub(crate) mod held;
pub(crate) mod identify;
pub(crate) mod label;
pub(crate) mod mail_links;
pub(crate) mod payment_pages;
pub(crate) mod pending_evidence;
pub(crate) mod purchases;
pub(crate) mod renewal;
pub(crate) mod returns;
pub(crate) mod session;
pub(crate) mod withdraw;
