//! The label of the `own` carrier: A6 portrait, black on white, read by people, by a warehouse scanner
//! (SSCC as GS1-128) and by a phone (QR).
//!
//! The page follows the GS1 Logistic Label Guideline: free text above, the barcode in the lowest part,
//! its human readable text beneath the bars. It is laid out once and drawn in each [`Format`]. Fonts are our own, embedded and subset. The same [`Label`]
//! gives the same bytes: nothing here asks for the time.
//!
//! ```
//! use outbound::labels::{Label, Sscc, Words, pdf};
//!
//! let sscc = Sscc::new("9521234", 0, 1)?;
//! let bytes = pdf(&Label {
//!     return_number: "RET-2026-0001",
//!     sender: vec![],
//!     receiver: vec!["Northwind Returns".into(), "Dok 4".into(), "1013 AA Amsterdam".into()],
//!     sender_country: "",
//!     receiver_country: "NL",
//!     sscc: &sscc,
//!     qr: "RET-2026-0001",
//!     merchant: "Northwind",
//!     order_numbers: vec!["10042".into()],
//!     created: "21 Nov 2026",
//!     words: Words::default(),
//! })?;
//! assert!(bytes.starts_with(b"%PDF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod barcodes;
mod canvas;
mod characters;
mod faces;
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

/// What a label can be drawn as.
pub use domain::carrier::LabelFormat as Format;
pub use letters::unprintable;
pub use pdf::pdf;
pub use png::png;
pub use qr_code::Code;
pub use sscc::{Sscc, SsccError};
pub use zpl::zpl;

/// Draws a label.
pub fn draw(label: &Label<'_>, format: Format) -> Result<Vec<u8>, LabelError> {
    match format {
        Format::Pdf => pdf(label),
        Format::Png => png(label),
        Format::Zpl => zpl(label),
    }
}

/// What is printed on a label. Text that does not fit shrinks, then wraps, then is cut with "…".
#[derive(Debug, Clone)]
pub struct Label<'a> {
    /// The return order's number, the largest thing that a person reads; also the document's title.
    pub return_number: &'a str,
    /// The consumer's name and address, a line each; empty leaves ruled lines to write on.
    pub sender: Vec<String>,
    /// Where the parcel goes, a line each, the name first.
    pub receiver: Vec<String>,
    /// The sender's country, by its two letters (ISO 3166-1 alpha-2): in its form are the Han characters of the sender's
    /// lines. May be empty.
    pub sender_country: &'a str,
    /// The same of the receiver, and of everything else that the merchant wrote.
    pub receiver_country: &'a str,
    /// The parcel's own number.
    pub sscc: &'a Sscc,
    /// What the QR code says: the return number or an address of the portal.
    pub qr: &'a str,
    /// The merchant's name, at the head.
    pub merchant: &'a str,
    /// The orders that the parcel's items come from.
    pub order_numbers: Vec<String>,
    /// The day the label was made, already in the reader's language.
    pub created: &'a str,
    /// The fixed words.
    pub words: Words<'a>,
}

/// The fixed words of a label, in one language; English by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<'a> {
    /// The words' language as a BCP 47 tag; becomes the document's.
    pub language: &'a str,
    /// What the parcel is, white on black at the head.
    pub badge: &'a str,
    /// Before the sender.
    pub from: &'a str,
    /// Before the receiver.
    pub to: &'a str,
    /// Above the return number.
    pub return_number: &'a str,
    /// Above the order numbers.
    pub order: &'a str,
    /// Above the date.
    pub created: &'a str,
    /// The advice at the foot.
    pub receipt: &'a str,
    /// For a specimen, the text that replaces the advice, white on black; empty for a valid label.
    pub specimen: &'a str,
}

impl Default for Words<'_> {
    fn default() -> Self {
        Self {
            language: "en",
            badge: "RETURN",
            from: "From",
            to: "To",
            return_number: "Return number",
            order: "Order",
            created: "Created",
            receipt: "Keep the receipt you are given when you hand in this parcel.",
            specimen: "",
        }
    }
}

/// Why a label cannot be drawn. Long or unusual text is never the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// A parcel without an address goes nowhere.
    #[error("the label has no receiver")]
    NoReceiver,
    /// The QR code's modules would be too small to print and scan.
    #[error("the QR code's content is too long: {bytes} bytes do not fit on the label")]
    QrTooLong {
        /// How long the content is.
        bytes: usize,
    },
    /// The bars could not be encoded; with a valid [`Sscc`] this does not happen.
    #[error("the SSCC cannot be encoded as GS1-128: {0}")]
    Barcode(String),
    /// A font of ours is broken; it is part of the program.
    #[error("a built-in font cannot be read")]
    Font,
    /// The PDF writer refused.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
    /// The picture could not be drawn or written.
    #[error("the PNG cannot be written: {0}")]
    Png(String),
}
