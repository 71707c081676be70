//! The parts that pages are made of. What islands show as well compiles for both sides; the rest is the server's.

#[cfg(feature = "ssr")]
mod contact;
#[cfg(feature = "ssr")]
mod feedback;
#[cfg(feature = "ssr")]
mod frame;
#[cfg(feature = "ssr")]
mod goods;
pub mod icons;
mod receipt;

#[cfg(feature = "ssr")]
pub use contact::{Contact, contact_link};
#[cfg(feature = "ssr")]
pub use feedback::{
    Alert, EmptyState, EmptyStatePage, Link, FieldMistake, Notice, NoticeText, Tone, link_button, sentence, text_link, typed,
};
#[cfg(feature = "ssr")]
pub use frame::{Document, Frame, CustomText, Theme, CustomTexts, Steps, withdraw_link};
#[cfg(feature = "ssr")]
pub use goods::{ProductSummary, variant, https_origin, product_photo};
pub use receipt::{ReceiptLines, bar_also, money_text};
