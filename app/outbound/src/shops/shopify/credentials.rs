//! The credentials of our app in a shop.

use crate::api_key::ApiKey;
use std::fmt;

/// How Retour gets an access token.
#[derive(Clone, PartialEq, Eq)]
pub enum ShopifyCredentials {
    /// The client credentials grant.
    App {
        /// The client id.
        client_id: String,
        /// The client secret.
        client_secret: ApiKey,
    },
    /// A custom app's token, which has no end.
    Token(ApiKey),
}

/// Shows no secret.
impl fmt::Debug for ShopifyCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::App { .. } => "App",
            Self::Token(_) => "Token",
        })
    }
}
