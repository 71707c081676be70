//! The texts of the portal in a merchant's own words (`branding.wording`): which can be changed ([`keys`]), how one has to be
//! written ([`check`]), and the tables that pages and mail take them from ([`tables`]).

mod check;
#[cfg(test)]
mod documented;
mod keys;
mod placeholders;
mod tables;

pub use check::check;
