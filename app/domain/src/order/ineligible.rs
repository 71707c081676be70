//! Why a purchase cannot be returned.

use serde::{Deserialize, Serialize};

/// The reasons why a purchase cannot be returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IneligibleCode {
    /// It was sold as not returnable.
    FinalSale,
    /// Its return window is over.
    ReturnWindowExpired,
    /// It has not been sent yet.
    NotFulfilled,
    /// All of it is already on its way back, returned or refunded.
    AlreadyReturned,
    /// The shop itself says that it cannot be returned.
    NotReturnable,
    /// No shipping option has a price in the order's currency and serves the buyer's country.
    NoShippingOption,
    /// No return reason offers a resolution for it.
    NoReturnReason,
    /// The same order is stored under another id, and its units are being returned.
    ReturnedElsewhere,
    /// The shop's order no longer contains it.
    NotInOrder,
    /// It needs no parcel: a gift card, a download, a service, a tip or a fee.
    NotShippable,
}

enum_names!(IneligibleCode {
    FinalSale,
    ReturnWindowExpired,
    NotFulfilled,
    AlreadyReturned,
    NotReturnable,
    NoShippingOption,
    NoReturnReason,
    ReturnedElsewhere,
    NotInOrder,
    NotShippable,
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_found_by_the_name_that_is_in_json() {
        for code in IneligibleCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
            assert_eq!(IneligibleCode::from_name(code.name()), Some(code));
        }
        assert_eq!(IneligibleCode::from_name("xyzzy"), None);
    }
}
