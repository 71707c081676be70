//! What leaves the house.
//!
//! Every call to somebody else's system, and everything that is made to be read by one, lives here: today
//! the parcel [`label`] that our own carrier draws, [`files`] that people send, and the one [`http`] client that calls
//! what merchants' settings name, within what the [`guard`] lets through, signed as a [`webhook`]; the
//! [`bridge`] to a merchant's own component is made of both, and so are those to a [`vendure`] and to a [`medusa`] shop.
//! Those who take a [`payment`] are asked by it too, and so are the carriers behind [`karrio`]; [`mail`]
//! goes by SMTP; [`traces`] go to the operator's collector. The use cases in `returns` are the one caller.

pub mod api_key;
pub mod bridge;
pub mod carriers;
pub mod files;
pub mod guard;
pub mod http;
pub mod labels;
pub mod mail;
pub mod payments;
pub mod pictures;
pub mod shops;
pub mod traces;
pub mod webhook;
