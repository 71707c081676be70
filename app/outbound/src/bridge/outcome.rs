//! What the questions of the contract lead to.

use super::{
    check,
    contract::{Credentials, Purchases},
    error::BridgeError,
    response::ensure_valid,
};
use domain::{Problems, shipping::LabelFormat};

/// The outcome of looking up an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// The order, with at least one line. It matches the credentials.
    Found(Purchases),
    /// There is no order with these credentials.
    NotFound,
    /// The bridge answered with another order or another person's. For the shopper this is [`LookUp::NotFound`]; for the
    /// merchant it is an error of their component.
    NotTheirs(Problems),
}

/// The outcome of a resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// All of it is done, now or earlier.
    Completed {
        /// The shop's id of what it did.
        external_reference: Option<String>,
    },
    /// It will be done: ask again with the same id.
    Pending {
        /// The shop's id of what it is doing.
        external_reference: Option<String>,
    },
    /// It was not done.
    Failed {
        /// The shop's id of what it tried.
        external_reference: Option<String>,
        /// The reason, for the merchant's staff: 1 to 500 characters on one line.
        reason: String,
    },
    /// All or a part of it may have been done, and asking again cannot tell: a person has to look. Retour asks again only
    /// when a person says so. A merchant's component never leads here, because it recognizes the id.
    Unclear {
        /// The shop's id of what it did, as far as known.
        external_reference: Option<String>,
        /// What to look at, for the merchant's staff: 1 to 500 characters on one line.
        reason: String,
    },
}

/// The outcome of asking for a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labelled {
    /// The label, made now or earlier.
    Created(Box<CarrierLabel>),
    /// It will be made: ask again with the same id.
    Pending,
    /// It was not made, for a temporary reason: ask again with the same id. A merchant's component never leads here.
    NotNow {
        /// As with [`Labelled::Failed`].
        code: String,
        /// As with [`Labelled::Failed`].
        reason: String,
    },
    /// It was not made.
    Failed {
        /// The reason for programs; may be empty.
        code: String,
        /// The reason for the merchant's staff: 1 to 500 characters on one line.
        reason: String,
    },
}

/// A label that a carrier made.
#[derive(Clone, PartialEq, Eq)]
pub struct CarrierLabel {
    /// The printable file: its format and its bytes.
    pub file: Option<(LabelFormat, Vec<u8>)>,
    /// The content of a QR code that the shopper shows instead of a printed label.
    pub qr_code: Option<String>,
    /// The content of the barcode on the label; may be empty.
    pub barcode: String,
    /// The carrier's name; may be empty.
    pub carrier: String,
    /// The carrier's tracking number; may be empty.
    pub tracking_number: String,
    /// The page that tracks the shipment; may be empty.
    pub tracking_url: String,
    /// The shipment's id at the system that made the label, if that system can be asked about it.
    pub reference: Option<String>,
}

/// Does not show what is printed on it.
impl std::fmt::Debug for CarrierLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let format = self.file.as_ref().map(|(format, _)| format);
        f.debug_struct("CarrierLabel").field("format", &format).finish_non_exhaustive()
    }
}

/// Checks that an answer is about the order that was asked for, and that it can be true.
pub(crate) fn verified(found: Purchases, asked: &Credentials) -> Result<LookUp, BridgeError> {
    if found.purchases.is_empty() {
        return Ok(LookUp::NotFound);
    }
    // This check comes first: reporting other problems of somebody else's order would reveal that the order exists.
    let problems = check::not_theirs(&found, asked);
    if !problems.0.is_empty() {
        return Ok(LookUp::NotTheirs(problems));
    }
    plausible(found).map(LookUp::Found)
}

/// Checks that purchases can be true.
pub(crate) fn plausible(found: Purchases) -> Result<Purchases, BridgeError> {
    ensure_valid(check::purchases(&found))?;
    Ok(found)
}
