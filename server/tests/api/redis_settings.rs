//! `REDIS_URL` as an operator sets it, with the built program.

use crate::{bridge_check::run, redis_server::RedisServer};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};
use tempfile::TempDir;

const SECRET_KEY: &str = "0123456789abcdef0123456789abcdef";

/// A command of the program with a database of its own.
fn retour(folder: &TempDir, command: &str) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
    let database = format!("sqlite://{}", folder.path().join("retour.db").display());
    program.args([command, "--database-url", &database]).current_dir(folder.path());
    program.env("LEPTOS_SITE_ADDR", "127.0.0.1:0").env("RETOUR_SECRET_KEY", SECRET_KEY).env_remove("LOG");
    program
}

/// The first log line about the rate limit. A timeout of a busy machine is skipped, because the program then tries again.
fn first_line_about_the_limit(mut program: Command) -> String {
    let mut program = program.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(program.stderr.take().unwrap()).lines().map(Result::unwrap);
    let said = lines.find(|line| line.contains("rate limit") && !line.contains("timed out"));
    program.kill().unwrap();
    program.wait().unwrap();
    said.expect("no line about the rate limit")
}

#[tokio::test]
async fn a_wrong_url_stops_the_start_and_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(retour(&folder, "migrate")).await.code, Some(0));
    let starting = |url: &str, key: &str| {
        let mut program = retour(&folder, "serve");
        program.env("REDIS_URL", url).env("RETOUR_SECRET_KEY", key);
        run(program)
    };
    for url in
        ["localhost:6379", "redis://:hunter2@host:port", "http://:hunter2@localhost", "rediss://:hunter2@host#insecure"]
    {
        let stopped = starting(url, SECRET_KEY).await;
        assert_eq!(stopped.code, Some(2));
        assert!(stopped.stderr.contains("retour: --redis-url (REDIS_URL): expected redis://"), "{}", stopped.stderr);
        assert!(!stopped.stderr.contains("hunter2"), "{}", stopped.stderr);
    }
    let stopped = starting("redis://127.0.0.1:6379", "").await;
    assert_eq!(stopped.code, Some(2));
    assert!(stopped.stderr.contains("--secret-key (RETOUR_SECRET_KEY): expected with"), "{}", stopped.stderr);
}

#[tokio::test]
async fn tls_connections_trust_the_certificates_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(retour(&folder, "migrate")).await.code, Some(0));
    make_certificate(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, key) = (path("redis.pem"), path("redis.key"));
    let redis = RedisServer::start(&[
        "--port",
        "0",
        "--tls-port",
        "{port}",
        "--tls-auth-clients",
        "no",
        "--tls-cert-file",
        &certificate,
        "--tls-key-file",
        &key,
    ]);
    let said = |trusted: Option<&str>| {
        let mut program = retour(&folder, "serve");
        program.env("REDIS_URL", format!("rediss://localhost:{}", redis.port()));
        if let Some(trusted) = trusted {
            program.env("SSL_CERT_FILE", trusted);
        }
        first_line_about_the_limit(program)
    };
    let trusting = said(Some(&certificate));
    assert!(trusting.contains("INFO") && trusting.contains("the rate limit is shared in Redis"), "{trusting}");
    let doubting = said(None);
    assert!(doubting.contains("WARN") && doubting.contains("certificate"), "{doubting}");
}

/// A self-signed certificate for localhost.
fn make_certificate(folder: &Path) {
    let arguments = [
        "req",
        "-x509",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
        "-keyout",
        "redis.key",
        "-out",
        "redis.pem",
    ];
    let openssl = Command::new("openssl").args(arguments).current_dir(folder).output();
    let openssl = openssl.expect("openssl is missing: `.ci/tools test` installs it");
    assert!(openssl.status.success(), "{}", String::from_utf8_lossy(&openssl.stderr));
}
