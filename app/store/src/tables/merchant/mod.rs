//! What merchants configure, and who works for them.

pub mod accounts;
pub mod integrations;
pub mod passkeys;
pub mod return_locations;
pub mod return_reasons;
pub mod saved_views;
pub mod service_users;
pub mod settings;
pub mod shipping_options;
pub mod user_factors;
pub mod user_sessions;
pub mod users;
