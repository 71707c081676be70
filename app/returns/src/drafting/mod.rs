//! Making a return: selecting, pricing, drafting and submitting, for the consumer or the merchant.

pub(crate) mod basis;
pub(crate) mod draft;
pub(crate) mod eligibility;
pub(crate) mod held_orders;
pub(crate) mod limits;
pub(crate) mod offered;
pub(crate) mod options;
pub(crate) mod overriding;
pub(crate) mod pending_evidence;
pub(crate) mod pricing;
pub(crate) mod settings;
pub(crate) mod submission;
pub(crate) mod submit;
pub(crate) mod submitting;
