//! The label of our own carrier: A6 portrait, black on white, for people, for warehouse scanners (SSCC as GS1-128) and for
//! phones (QR code).
//!
//! The page follows the GS1 Logistic Label Guideline: free text above, the barcode at the bottom, its human-readable text below
//! the bars. The page is laid out once and then drawn in each [`Format`]. Fonts are built in, embedded and subset. The same
//! [`Label`] always gives the same bytes, because nothing here reads the time.
//!
//! ```
//! use outbound::labels::{Label, LabelWords, Sscc, pdf};
//!
//! let sscc = Sscc::new("9521234", 0, 1)?;
//! let bytes = pdf(&Label {
//!     return_number: "RET-2026-0001",
//!     sender: vec![],
//!     receiver: vec!["Northwind Returns".into(), "Dok 4".into(), "1013 AA Amsterdam".into()],
//!     receiver_name: "Northwind Returns",
//!     sender_country: "",
//!     receiver_country: "NL",
//!     sscc: &sscc,
//!     qr: "RET-2026-0001",
//!     merchant: "Northwind",
//!     order_numbers: vec!["10042".into()],
//!     created: "21 Nov 2026",
//!     words: LabelWords::default(),
//! })?;
//! assert!(bytes.starts_with(b"%PDF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod barcodes;
mod canvas;
mod characters;
mod command_sheet;
mod draw;
mod faces;
mod label;
mod layout;
mod pdf;
mod png;
mod qr_code;
mod raster;
mod shaping;
mod sscc;
mod typesetter;
mod zpl;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use characters::unprintable;
pub use command_sheet::{CommandSheet, PrintedCommand, command_sheet};
pub use draw::{Format, draw};
pub use label::{Label, LabelError, LabelWords};
pub use pdf::pdf;
pub use png::png;
pub use qr_code::QrCode;
pub use sscc::{Sscc, SsccError};
pub use zpl::zpl;
