//! Texts of the portal in a merchant's own words (`branding.wording`): which texts can be changed ([`keys`]), the rules for them
//! ([`check`]), the words of a country ([`regional`]), and the tables that pages and mail use ([`tables`]).

mod check;
#[cfg(test)]
mod documented;
mod keys;
mod regional;
mod tables;

pub use check::check;
