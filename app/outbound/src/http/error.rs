//! Why there is no client, and why a call got no response.

/// Why the client cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// `SSL_CERT_FILE` or `SSL_CERT_DIR` contains no certificate.
    #[error("SSL_CERT_FILE, SSL_CERT_DIR: expected certificates in PEM format")]
    Roots,
    /// The TLS library rejects its settings.
    #[error("TLS cannot be set up")]
    Tls,
}

/// Why a call got no response. Each sentence appears in the merchant's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CallError {
    /// The host is, or resolves to, an address inside the operator's network.
    #[error("The address is not on the public internet, and the operator has not allowed it.")]
    AddressNotAllowed,
    /// `http:` to the public internet.
    #[error("Calls over the internet need https.")]
    PlainHttpNotAllowed,
    /// The name has no address.
    #[error("The host name cannot be resolved.")]
    UnknownHost,
    /// No server accepts connections there.
    #[error("No connection could be made.")]
    NotConnected,
    /// The certificate is untrusted, expired or issued for another name; or the server speaks no TLS.
    #[error(
        "No secure connection could be made: Retour rejected the certificate or the TLS version of the other side."
    )]
    TlsFailed,
    /// The call took longer than its timeout.
    #[error("There was no answer in time.")]
    TimedOut,
    /// The server closed the connection early, or sent something that is not HTTP.
    #[error("The connection ended before the answer was complete, or the answer was not HTTP.")]
    BrokenOff,
    /// One of our headers contains a character that headers cannot contain.
    #[error("The request could not be made: a header contains a character that is not allowed.")]
    BadHeader,
}

impl CallError {
    /// The name that programs see. It never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddressNotAllowed => "AddressNotAllowed",
            Self::PlainHttpNotAllowed => "PlainHttpNotAllowed",
            Self::UnknownHost => "UnknownHost",
            Self::NotConnected => "NotConnected",
            Self::TlsFailed => "TlsFailed",
            Self::TimedOut => "TimedOut",
            Self::BrokenOff => "BrokenOff",
            Self::BadHeader => "BadHeader",
        }
    }
}
