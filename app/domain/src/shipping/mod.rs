//! How parcels are sent back: options and prices, labels, customs.

pub mod customs;
mod label;
mod option;

pub use label::{CarrierLabel, CarrierReference, LabelFile, LabelFormat, ParcelLabel};
pub use option::{Fare, ReturnLocation, ShippingMethod, ShippingOption, WeightPrice};
