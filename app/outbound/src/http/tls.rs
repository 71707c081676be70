//! TLS, and the certificate authorities that we trust.

use super::error::HttpError;
use std::{
    env,
    sync::{Arc, OnceLock},
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring},
};

/// TLS with the system's root certificates, or with those of `SSL_CERT_FILE` and `SSL_CERT_DIR`, so that an operator's own
/// authority is trusted as in every other program. On a system without root certificates, Mozilla's are used.
pub(super) fn connector() -> Result<TlsConnector, HttpError> {
    // Reading the system's certificates takes milliseconds, so the clients of a process share them.
    static SHARED: OnceLock<TlsConnector> = OnceLock::new();
    if let Some(shared) = SHARED.get() {
        return Ok(shared.clone());
    }
    let connector = TlsConnector::from(Arc::new(config()?));
    Ok(SHARED.get_or_init(|| connector).clone())
}

fn config() -> Result<ClientConfig, HttpError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        if ["SSL_CERT_FILE", "SSL_CERT_DIR"].into_iter().any(|name| env::var_os(name).is_some()) {
            return Err(HttpError::Roots); // an operator who configures roots does not want Mozilla's instead
        }
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    // The provider is explicit: another crate in the program may install a second one.
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|_| HttpError::Tls)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
