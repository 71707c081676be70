//! What the use cases promise, on SQLite and on Postgres: in races, over money, when repeated and when cut off.
//!
//! Each test opens a [`shop::Shop`]: a merchant with a clock that stands still, a customer and their orders.

mod drafts;
mod hang_up;
mod idempotency;
mod import;
mod money;
mod race;
mod shop;
mod tenants;
mod timeline;
