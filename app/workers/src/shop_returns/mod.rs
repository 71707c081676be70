//! Makes returns appear in shops.

pub(crate) mod aim;
pub(crate) mod worker;
