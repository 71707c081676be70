//! `/{slug}/review`: costs and shipping.

pub mod fill;
pub mod load;
pub mod view;

#[cfg(test)]
mod tests;
