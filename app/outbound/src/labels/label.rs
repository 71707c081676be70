//! What is printed on a label.

use super::sscc::Sscc;

/// What is printed on a label. Text that does not fit is shrunk, then wrapped, then cut with "…".
#[derive(Debug, Clone)]
pub struct Label<'a> {
    /// The return order's number: the largest text, and the document's title.
    pub return_number: &'a str,
    /// The shopper's name and address, line by line. If empty, the label has ruled lines to write on.
    pub sender: Vec<String>,
    /// The recipient's name and address, line by line.
    pub receiver: Vec<String>,
    /// The recipient's name. The line with it is bold: it is the first line in most countries, and the last one in East Asia.
    /// Empty: the first line.
    pub receiver_name: &'a str,
    /// The sender's country (ISO 3166-1 alpha-2). It selects the regional form of Han characters in the sender's lines. May be
    /// empty.
    pub sender_country: &'a str,
    /// The recipient's country. It selects the form of Han characters in all other texts.
    pub receiver_country: &'a str,
    /// The number of the shipment.
    pub sscc: &'a Sscc,
    /// The content of the QR code: the return number or a URL of the portal.
    pub qr: &'a str,
    /// The merchant's name, at the top.
    pub merchant: &'a str,
    /// The orders that the items come from.
    pub order_numbers: Vec<String>,
    /// The day of the label, formatted in the shopper's language.
    pub created: &'a str,
    /// The fixed words.
    pub words: LabelWords<'a>,
}

/// The fixed words of a label, in one language; English by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelWords<'a> {
    /// The language as a BCP 47 tag. It becomes the document's language.
    pub language: &'a str,
    /// The badge at the top, white on black.
    pub badge: &'a str,
    /// The caption of the sender.
    pub from: &'a str,
    /// The caption of the recipient.
    pub to: &'a str,
    /// The caption of the return number.
    pub return_number: &'a str,
    /// The caption of the order numbers.
    pub order: &'a str,
    /// The caption of the date.
    pub created: &'a str,
    /// The advice at the bottom.
    pub receipt: &'a str,
    /// For a specimen: the text that replaces the advice, white on black. Empty for a valid label.
    pub specimen: &'a str,
}

impl Default for LabelWords<'_> {
    fn default() -> Self {
        Self {
            language: "en",
            badge: "RETURN",
            from: "From",
            to: "To",
            return_number: "Return number",
            order: "Order",
            created: "Created",
            receipt: "Keep the receipt you get when you drop off this parcel.",
            specimen: "",
        }
    }
}

/// Why a label cannot be drawn. Long or unusual text is never the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// There is no recipient's address.
    #[error("the label has no receiver")]
    NoReceiver,
    /// The QR code's modules would be too small to print and scan.
    #[error("the QR code's content is too long: {bytes} bytes do not fit on the label")]
    QrTooLong {
        /// The length of the content.
        bytes: usize,
    },
    /// The barcode could not be encoded. A valid [`Sscc`] never causes this.
    #[error("the SSCC cannot be encoded as GS1-128: {0}")]
    Barcode(String),
    /// A built-in font is broken.
    #[error("a built-in font cannot be read")]
    Font,
    /// The PDF could not be written.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
    /// The PNG could not be drawn or written.
    #[error("the PNG cannot be written: {0}")]
    Png(String),
}
