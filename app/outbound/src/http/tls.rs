//! Whom we trust to say who is who.

use super::HttpError;
use std::{env, sync::Arc};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring},
};

/// TLS with the system's root certificates or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`, so that an operator's own
/// authority is trusted as by every other program; with the web's, where the system has none.
pub(super) fn connector() -> Result<TlsConnector, HttpError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        if ["SSL_CERT_FILE", "SSL_CERT_DIR"].into_iter().any(|name| env::var_os(name).is_some()) {
            return Err(HttpError::Roots); // whoever asked for other roots does not want the web's
        }
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    // The provider is named here: another crate in the program may bring a second one.
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|_| HttpError::Tls)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}
