//! The pages. In each folder `load` has the handlers: they call the use cases, decide about status and redirects, and fill a plain
//! struct. `view` renders that struct and knows neither requests nor use cases.

pub mod details;
pub mod gift;
pub mod links;
pub mod look_up;
pub mod pay;
pub mod photos;
pub mod preview;
pub mod purchases;
pub mod return_order;
pub mod returns;
pub mod review;
pub mod withdraw;
