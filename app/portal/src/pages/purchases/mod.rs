//! `/{slug}/purchases`: selects items.

pub mod bulk;
pub mod estimates;
pub mod limits;
pub mod load;
pub mod reason;
pub mod row;
pub mod row_view;
pub mod view;

#[cfg(test)]
mod tests;
