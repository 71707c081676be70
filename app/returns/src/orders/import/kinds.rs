//! Recognizes files without orders, and says what to do instead.

use super::format::Format;

/// The number of bytes at the start of a file that show its kind.
pub(super) const MAGIC_BYTES: usize = 512;

/// The kind of a file that is not CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Excel 2007 and later, or another Office Open XML file.
    Workbook,
    /// Excel 97 to 2003.
    OldWorkbook,
    /// LibreOffice and others.
    OpenDocument,
    /// Apple Numbers.
    Numbers,
    /// A web page, or a table that was saved as one.
    Html,
    /// XML.
    Xml,
    /// JSON.
    Json,
    /// PDF.
    Pdf,
    /// A picture.
    Picture,
    /// An unsupported archive or compression.
    Archive,
    /// Text in UTF-32.
    Utf32,
    /// A database.
    Database,
    /// Rich text.
    RichText,
}

impl FileKind {
    /// The kind of a file with this start; `None` if it may be text, gzip or ZIP.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        const SIGNATURES: [(&[u8], FileKind); 19] = [
            (b"%PDF", FileKind::Pdf),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind::OldWorkbook),
            (b"\x89PNG", FileKind::Picture),
            (b"\xff\xd8\xff", FileKind::Picture),
            (b"GIF87a", FileKind::Picture),
            (b"GIF89a", FileKind::Picture),
            (b"II*\0", FileKind::Picture),
            (b"MM\0*", FileKind::Picture),
            (b"BZh", FileKind::Archive),
            (b"7z\xbc\xaf\x27\x1c", FileKind::Archive),
            (b"Rar!\x1a\x07", FileKind::Archive),
            (b"\xfd7zXZ\0", FileKind::Archive),
            (b"\x28\xb5\x2f\xfd", FileKind::Archive),
            (b"SQLite format 3\0", FileKind::Database),
            (b"PAR1", FileKind::Database),
            (b"{\\rtf", FileKind::RichText),
            (b"\xff\xfe\0\0", FileKind::Utf32),
            (b"\0\0\xfe\xff", FileKind::Utf32),
            (b"bplist", FileKind::Database),
        ];
        if let Some((_, kind)) = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature)) {
            return Some(*kind);
        }
        if start.starts_with(b"RIFF") && start.get(8..12) == Some(b"WEBP") {
            return Some(Self::Picture);
        }
        if start.get(257..262) == Some(b"ustar") {
            return Some(Self::Archive);
        }
        Self::of_text(start)
    }

    /// The kind of a UTF-8 text with this start.
    pub(super) fn of_text(start: &[u8]) -> Option<Self> {
        let mut text = start;
        while let Some(rest) = text.strip_prefix("\u{feff}".as_bytes()) {
            text = rest;
        }
        let text = text.trim_ascii_start();
        let begins =
            |with: &str| text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()));
        if ["<!doctype html", "<html", "<head", "<body", "<table", "<meta", "<div"].into_iter().any(begins) {
            return Some(Self::Html);
        }
        match text.first() {
            Some(b'<') => Some(Self::Xml),
            Some(b'{' | b'[') => Some(Self::Json),
            _ => None,
        }
    }

    /// What the file is and what to do.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Workbook => {
                "an Excel workbook (XLSX), not CSV: export the orders as CSV from the shop; or open it in the spreadsheet \
                 program and save it as \"CSV UTF-8 (comma delimited)\""
            }
            Self::OldWorkbook => {
                "an old Excel workbook (XLS), not CSV: export the orders as CSV from the shop; or open it in the \
                 spreadsheet program and save it as \"CSV UTF-8 (comma delimited)\""
            }
            Self::OpenDocument => {
                "an OpenDocument file (ODS), not CSV: export the orders as CSV from the shop; or open it in the \
                 spreadsheet program and save it as CSV in UTF-8"
            }
            Self::Numbers => {
                "a Numbers spreadsheet, not CSV: export the orders as CSV from the shop; or export it from Numbers as CSV \
                 in UTF-8"
            }
            Self::Html => {
                "a web page (HTML), not CSV: a download that needs a sign-in often ends so; download the export again"
            }
            Self::Xml => "XML, not CSV: export the orders as CSV",
            Self::Json => {
                "JSON, not CSV: export the orders as CSV; or send JSON to `POST /purchases/import` of the API, with \
                 `Content-Type: application/json`"
            }
            Self::Pdf => "a PDF, not CSV: export the orders as CSV",
            Self::Picture => "a picture, not CSV: export the orders as CSV",
            Self::Archive => "an archive of a kind that is not read here: unpack it, then import the CSV file in it",
            Self::Utf32 => "text in UTF-32: save it as CSV in UTF-8",
            Self::Database => "a database or another binary file, not CSV: export the orders as CSV",
            Self::RichText => "rich text (RTF), not CSV: export the orders as CSV",
        }
    }
}

/// Columns that only one kind of table has, and what that table is.
struct Table {
    /// The columns, all of which must be present.
    columns: &'static [&'static str],
    /// What the table is and what to do.
    advice: &'static str,
}

const SHOPIFY_ORDERS: &str = "in Shopify, choose Orders → Export";

const TABLES: [Table; 10] = [
    Table {
        columns: &["Handle", "Title"],
        advice: "an export of products or stock. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["Handle", "Variant SKU"],
        advice: "an export of products. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["First Name", "Last Name", "Total Spent"],
        advice: "an export of customers. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["First Name", "Last Name", "Default Address Company"],
        advice: "an export of customers. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["First Name", "Last Name", "Accepts Marketing"],
        advice: "an export of customers. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["Payout Date"],
        advice: "an export of payouts. It names no goods: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["Payout Status"],
        advice: "an export of payouts. It names no goods: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["Gateway", "Kind", "Amount"],
        advice: "an export of payments. It names no goods: in Shopify, choose Orders → Export → Export orders",
    },
    Table {
        columns: &["Code", "Initial Balance"],
        advice: "an export of gift cards. It names no orders: in Shopify, choose Orders → Export",
    },
    Table {
        columns: &["Code", "Value", "Times Used In Total"],
        advice: "an export of discounts. It names no orders: in Shopify, choose Orders → Export",
    },
];

/// Columns of every full export of Shopify's orders: payment and shipping.
const STATES: [&str; 4] = ["Financial Status", "Paid at", "Fulfillment Status", "Fulfilled at"];
/// Columns that full exports of orders, drafts or checkouts have, and files made by hand rarely have.
const OF_FULL_EXPORTS: [&str; 5] =
    ["Accepts Marketing", "Shipping Method", "Lineitem compare at price", "Lineitem requires shipping", "Billing Name"];
/// Words in column names that only checkouts and drafts have.
const OF_UNFINISHED_ORDERS: [(&str, &str); 8] = [
    ("abandoned", CHECKOUTS),
    ("recovery", CHECKOUTS),
    ("recovered", CHECKOUTS),
    ("checkout url", CHECKOUTS),
    ("checkout status", CHECKOUTS),
    ("draft", DRAFTS),
    ("invoice sent", DRAFTS),
    ("invoice url", DRAFTS),
];
const CHECKOUTS: &str = "an export of abandoned checkouts. Nothing in it was bought: in Shopify, choose Orders → Export, not Abandoned checkouts";
const DRAFTS: &str =
    "an export of draft orders. Nothing in it was bought yet: in Shopify, choose Orders → Export, not Drafts";

/// What a table with these columns is, if it has no orders of the format; `None` if it may have some.
pub(super) fn other_table(format: Format, columns: &[String], is_complete: bool) -> Option<String> {
    let has = |name: &str| columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    if format == Format::Shopify {
        let unfinished = OF_UNFINISHED_ORDERS
            .iter()
            .find(|(word, _)| columns.iter().any(|column| column.to_ascii_lowercase().contains(word)));
        if let Some((_, advice)) = unfinished {
            return Some((*advice).to_owned());
        }
        let lineitems = columns.iter().any(|column| column.to_ascii_lowercase().starts_with("lineitem"));
        let says_nothing = !STATES.into_iter().any(has);
        if lineitems && says_nothing && OF_FULL_EXPORTS.into_iter().any(has) {
            return Some(format!(
                "an export of abandoned checkouts or draft orders: it has none of the columns {}. Nothing in it was bought \
                 yet: {SHOPIFY_ORDERS}, not Abandoned checkouts or Drafts",
                STATES.join(", ")
            ));
        }
    }
    if is_complete {
        return None;
    }
    if format == Format::Shopify && has("order_number") && has("ordered_at") {
        return Some("in Retour's own format: choose the format `retour`".to_owned());
    }
    if format == Format::Retour && has("Name") && has("Lineitem name") {
        return Some("an export of Shopify's orders: choose the format `shopify`".to_owned());
    }
    let table = TABLES.iter().find(|table| table.columns.iter().all(|column| has(column)));
    table.map(|table| table.advice.to_owned())
}
