//! Which certificates the client accepts. OpenSSL makes the certificates.

use crate::support::{Receiver, post, read_request, with_names};
use outbound::http::{CallError, Endpoint};
use std::{path::Path, process::Command, sync::Arc};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    },
};

/// Set in the child process that runs the actual test. Root certificates come from the environment, and a test cannot change the
/// environment for itself alone.
const FOLDER: &str = "RETOUR_TEST_CERTIFICATES";

#[test]
fn certificates_decide() {
    let folder = tempfile::tempdir().unwrap();
    for authority in ["trusted", "unknown"] {
        make_authority(folder.path(), authority);
    }
    make_certificate(folder.path(), "good", "trusted", "2");
    make_certificate(folder.path(), "expired", "trusted", "-1");
    make_certificate(folder.path(), "foreign", "unknown", "2");

    let test = |name: &str, roots: &str| run_child(name, FOLDER, folder.path(), &folder.path().join(roots));
    test("tls::with_the_trusted_authority", "trusted.pem");
    test("tls::without_any_authority", "nowhere.pem");
}

/// Runs an ignored test in a child process that trusts these roots. `variable` contains the folder.
pub fn run_child(test: &str, variable: &str, folder: &Path, roots: &Path) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--ignored", "--nocapture"]).env(variable, folder);
    let child = child.env("SSL_CERT_FILE", roots).env_remove("SSL_CERT_DIR").output().unwrap();
    let output = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success() && output.contains("1 passed"), "{output}");
}

#[tokio::test]
#[ignore = "run by certificates_decide"]
async fn with_the_trusted_authority() {
    let folder = std::env::var(FOLDER).unwrap();
    let http = with_names("127.0.0.0/8", &["127.0.0.1".parse().unwrap()]);
    for (certificate, host, expected) in [
        ("good", "receiver.example", Ok(200)),
        ("good", "receiver.example.", Ok(200)),
        ("good", "127.0.0.1", Ok(200)),
        ("good", "other.example", Err(CallError::TlsFailed)),
        ("good", "127.0.0.2", Err(CallError::TlsFailed)),
        ("expired", "receiver.example", Err(CallError::TlsFailed)),
        ("foreign", "receiver.example", Err(CallError::TlsFailed)),
    ] {
        let receiver = receiver(Path::new(&folder), certificate);
        let to = Endpoint::parse(&format!("https://{host}:{}/", receiver.port())).unwrap();
        for _ in 0..2 {
            assert_eq!(post(&http, &to).await.map(|answer| answer.status), expected, "{certificate} {host}");
        }
        assert_eq!(receiver.connections(), if expected.is_ok() { 1 } else { 2 }, "{certificate} {host}");
    }
    let plain = Receiver::start(|mut stream: TcpStream| async move {
        let _ = stream.read(&mut [0; 8]).await;
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
    });
    let to = Endpoint::parse(&format!("https://receiver.example:{}/", plain.port())).unwrap();
    assert_eq!(post(&http, &to).await, Err(CallError::TlsFailed));
}

#[test]
#[ignore = "run by certificates_decide"]
fn without_any_authority() {
    let error = outbound::http::Http::new("".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "SSL_CERT_FILE, SSL_CERT_DIR: expected certificates in PEM format");
}

/// Speaks TLS on every address of loopback, and answers each request with 200.
fn receiver(folder: &Path, certificate: &str) -> Receiver {
    let chain = vec![CertificateDer::from_pem_file(folder.join(format!("{certificate}.pem"))).unwrap()];
    let key = PrivateKeyDer::from_pem_file(folder.join(format!("{certificate}.key"))).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let serve = move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            while read_request(&mut stream).await.is_some() {
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.unwrap();
                stream.flush().await.unwrap();
            }
        }
    };
    Receiver::start_at("0.0.0.0:0".parse().unwrap(), serve).unwrap()
}

pub fn make_authority(folder: &Path, name: &str) {
    let subject = format!("/CN={name} authority");
    openssl(folder, &["req", "-x509", "-days", "2", "-subj", &subject], name, &[]);
}

/// A certificate for receiver.example and 127.0.0.1.
pub fn make_certificate(folder: &Path, name: &str, authority: &str, days: &str) {
    std::fs::write(folder.join("extensions"), "subjectAltName=DNS:receiver.example,IP:127.0.0.1\n").unwrap();
    let request = format!("{name}.request");
    openssl(folder, &["req", "-subj", "/CN=receiver"], name, &["-out", &request]);
    let (ca, key) = (format!("{authority}.pem"), format!("{authority}.key"));
    let sign = ["x509", "-req", "-in", &request, "-CA", &ca, "-CAkey", &key, "-CAcreateserial", "-days", days];
    run(folder, &[&sign[..], &["-extfile", "extensions", "-out", &format!("{name}.pem")]].concat());
}

/// Runs OpenSSL with a new key, `<name>.key`. The output is `<name>.pem` by default.
fn openssl(folder: &Path, command: &[&str], name: &str, out: &[&str]) {
    let (key, pem) = (format!("{name}.key"), format!("{name}.pem"));
    let new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", &key];
    let out = if out.is_empty() { &["-out", &pem] } else { out };
    run(folder, &[command, &new_key[..], out].concat());
}

fn run(folder: &Path, arguments: &[&str]) {
    let openssl = Command::new("openssl").args(arguments).current_dir(folder).output();
    let openssl = openssl.expect("openssl is missing: `.ci/tools test` installs it");
    assert!(openssl.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&openssl.stderr));
}
