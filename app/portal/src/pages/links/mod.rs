//! `/{slug}/link`, `/{slug}/mail/…`: links in mail.

pub mod load;
pub mod view;
