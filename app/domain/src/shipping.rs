//! Ways of sending things back.

use crate::{ReturnLocationId, ShippingOptionId, Translated, money::Prices, policy::Address};
use serde::{Deserialize, Serialize};

/// One way of sending things back, at a price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShippingOption {
    /// Identifier.
    pub id: ShippingOptionId,
    /// What the consumer reads first.
    pub name: Translated,
    /// How it works, in a sentence.
    pub description: Translated,
    /// What the consumer has to do.
    pub method: ShippingMethod,
    /// What it costs; offered only in these currencies.
    pub prices: Prices,
    /// Its place among the others; those of one place come by age.
    #[serde(default)]
    pub position: u32,
    /// Where its parcels go, other than to the account's default.
    #[serde(default)]
    pub return_location_id: Option<ReturnLocationId>,
}

/// Where parcels go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnLocation {
    /// Identifier.
    pub id: ReturnLocationId,
    /// What the merchant calls it.
    pub name: String,
    /// What stands on labels.
    pub address: Address,
    /// Whether parcels go there unless their way of sending says otherwise.
    pub is_default: bool,
}

/// How a parcel gets on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "ShippingMethod")]
pub enum ShippingMethod {
    /// Print our label and hand the parcel in.
    Label,
    /// Show a code; the label is printed there.
    Paperless,
    /// Bring it to a shop of the merchant; no parcel.
    InStore,
    /// The consumer sends it on their own.
    OwnCarrier,
}

words!(ShippingMethod);

impl ShippingMethod {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Label, Self::Paperless, Self::InStore, Self::OwnCarrier];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "Label",
            Self::Paperless => "Paperless",
            Self::InStore => "InStore",
            Self::OwnCarrier => "OwnCarrier",
        }
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether we draw a label for it.
    pub fn has_label(self) -> bool {
        matches!(self, Self::Label | Self::Paperless)
    }
}
