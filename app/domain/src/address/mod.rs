//! Postal addresses: their parts, and how each country writes them.
//!
//! Three tables in `data` hold the order of the parts, the abbreviations of states and the names of countries. The
//! README beside them names sources and licences.
//!
//! - Every part of an address is written exactly once. A part that the country's form has no place for, such as a
//!   state in Germany, gets a line above the city.
//! - `additional` stands below the street, or below the name if it begins with "c/o".
//! - An address in its country's own script goes from large to small where the country writes so, as in Japan. The
//!   same address in Latin letters goes from small to large.
//! - The country is the last line. It is omitted if one postal service covers both addresses.

mod compare;
mod country;
mod form;
mod layout;
mod lines;
mod parts;
mod postal_address;
mod state;
#[cfg(test)]
mod tests;

pub use country::is_country;
pub use postal_address::Address;
