//! The shopper's portal.
