//! Everything that talks to other systems, or that other systems read.
//!
//! - [`http`] is the one HTTP client; [`guard`] decides which addresses it may reach; [`webhook`] signs requests.
//! - [`bridge`] is the contract with a shop or carrier: requests, answers, checks, errors.
//! - [`shops`] has a client of that contract for each kind of shop: a merchant's own component, Vendure, Medusa.
//!   [`carriers`] has the one for karrio.
//! - [`payments`] are Stripe and Mollie, [`mail`] is SMTP, [`files`] a folder or an S3 bucket, [`traces`] go to the operator's
//!   collector.
//! - [`labels`] draws the label of our own carrier; [`pictures`] removes metadata from photos.
//!
//! Its only caller is the crate `returns`.

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
pub mod spans;
pub mod traces;
pub mod webhook;
