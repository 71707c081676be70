//! An address as it is written: in the form of its country, as seen from another one.
//!
//! Three tables in `data` say how: the order of the parts, what the country's post writes for a state, and what countries are
//! called. The README beside them names their sources and licences.
//!
//! - Everything that an address holds is written, and once. A part that the country's form has no place for, such as a state in
//!   Germany, has a line above the city.
//! - `additional` stands below the street, or below the name where it says "c/o".
//! - An address in its country's own script goes from large to small where the country does, as in Japan. The same address in
//!   Latin letters goes from small to large.
//! - The country is the last line. It is left out if both places have the same post.

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
