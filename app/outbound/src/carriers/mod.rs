//! Clients of carriers. The label of our own carrier is drawn by [`crate::labels`]; a merchant's own component makes labels
//! through [`crate::shops::http`].

pub mod karrio;
