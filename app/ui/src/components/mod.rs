//! Components of pages. What islands show compiles for both sides, the rest for the server alone.

#[cfg(feature = "ssr")]
mod feedback;
pub mod icons;
mod money;
#[cfg(feature = "ssr")]
mod product;

#[cfg(feature = "ssr")]
pub use feedback::{
    Alert, EmptyState, EmptyStatePage, FieldMistake, Link, Notice, NoticeText, Tone, link_button, sentence, text_link,
    typed,
};
pub use money::money_text;
#[cfg(feature = "ssr")]
pub use product::{ProductSummary, https_origin, image_hosts, product_photo, variant};
