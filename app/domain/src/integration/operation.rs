//! The calls that Retour makes to the systems of an account.

use serde::{Deserialize, Serialize};

/// The part that another system plays for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IntegrationRole {
    /// The shop, which knows orders and carries out resolutions.
    Shop,
    /// The carrier, which makes labels and reports where parcels are.
    Carrier,
    /// The payment provider, which takes fees and pays them back.
    PaymentProvider,
}

/// An operation that Retour calls at another system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum IntegrationOperation {
    /// The shop finds an order.
    LookUp,
    /// The shop carries out a resolution.
    Resolution,
    /// The shop makes or changes its own return.
    Return,
    /// The carrier makes a label.
    Label,
    /// The carrier reports where a parcel is.
    Tracking,
    /// The carrier voids a label.
    Voiding,
    /// The payment provider creates a payment page.
    Checkout,
    /// The payment provider reports the state of a payment.
    PaymentStatus,
    /// The payment provider pays back.
    Refund,
}

enum_names!(IntegrationOperation {
    LookUp,
    Resolution,
    Return,
    Label,
    Tracking,
    Voiding,
    Checkout,
    PaymentStatus,
    Refund
});

impl IntegrationOperation {
    /// The system that performs the operation.
    pub fn role(self) -> IntegrationRole {
        match self {
            Self::LookUp | Self::Resolution | Self::Return => IntegrationRole::Shop,
            Self::Label | Self::Tracking | Self::Voiding => IntegrationRole::Carrier,
            Self::Checkout | Self::PaymentStatus | Self::Refund => IntegrationRole::PaymentProvider,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_a_name_of_its_own_in_json_and_sql() {
        for operation in IntegrationOperation::ALL {
            assert_eq!(serde_json::to_value(operation).unwrap(), operation.name());
            assert_eq!(IntegrationOperation::from_name(operation.name()), Some(operation));
        }
        assert_eq!(IntegrationOperation::from_name("Nothing"), None);
    }
}
