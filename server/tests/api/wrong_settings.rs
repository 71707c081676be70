//! The end of a program with a wrong setting.

use crate::program::{command, demo};
use serde_json::Value;
use std::fs;

#[test]
fn the_error_of_a_wrong_setting_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _) = demo(folder.path());
    for (name, value) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://127.0.0.1"),
        ("LOG_FORMAT", "xml"),
        ("RETOUR_DRAIN_SECONDS", "soon"),
        ("RETOUR_DRAIN_SECONDS", "301"),
        ("LOG", "server=loud"),
        ("LOG", "loud"),
        ("LOG", "info;sqlx=warn"),
        ("DATABASE_URL", "mysql://127.0.0.1/retour"),
        ("DATABASE_URL", "sqlite::memory:"),
        ("DATABASE_URL", "postgres://retour@127.0.0.1/retour?sslmode=full"),
        ("RETOUR_DESK_HOST", "https://desk.example.com"),
        ("RETOUR_PUBLIC_URL", "https://"),
        ("RETOUR_PUBLIC_URL", "https://returns example"),
        ("RETOUR_PUBLIC_URL", "returns.example.com"),
        ("RETOUR_PUBLIC_URL", "https://user@returns.example.com"),
        ("SMTP_URL", "mail.example.com"),
        ("RETOUR_MAIL_FROM", "nobody"),
        ("FILES_URL", "ftp://files.example.com"),
        ("REDIS_URL", "http://127.0.0.1"),
    ] {
        let mut serve = command(&database, folder.path(), "serve");
        serve.env("SMTP_URL", "smtps://mail.example.com").env("RETOUR_MAIL_FROM", "returns@example.com");
        let output = serve.env(name, value).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let flag = name.replace("RETOUR_", "").replace('_', "-").to_lowercase();
        // A service manager does not start the program again after this code.
        assert_eq!(output.status.code(), Some(2), "{name}={value}: {stderr}");
        assert!(stderr.contains(name) || stderr.contains(&flag), "{name}={value}: {stderr}");
    }
    let mut grpc = command(&database, folder.path(), "serve");
    grpc.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317").env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let stderr = String::from_utf8(grpc.output().unwrap().stderr).unwrap();
    assert!(stderr.contains("OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf"), "{stderr}");
}

#[test]
fn the_error_of_a_file_that_cannot_be_opened_names_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a-folder.db")).unwrap();
    fs::write(folder.path().join("a-file"), "").unwrap();
    for (path, expected) in [("a-folder.db", "a-folder.db: database:"), ("a-file/retour.db", "cannot create ")] {
        let url = format!("sqlite://{}", folder.path().join(path).display());
        for name in ["migrate", "serve"] {
            let output = command(&url, folder.path(), name).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{name} {path}: {stderr}");
            assert!(stderr.contains(expected) || name == "serve" && stderr.contains(path), "{name} {path}: {stderr}");
        }
    }
    let url = format!("sqlite://{}", folder.path().join("a-folder.db").display());
    let output = command(&url, folder.path(), "migrate").arg("--json").output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["error"]["code"], "ServiceUnavailable", "{document}");
}

#[test]
fn a_backup_of_a_wrong_url_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (url, code) in [("sqlite::memory:", 2), ("mysql://127.0.0.1/retour", 2), ("postgres://127.0.0.1/retour", 1)] {
        let output = command(url, folder.path(), "backup").arg("copy.db").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{url}: {stderr}");
        assert_eq!(stderr.contains("pg_dump"), code == 1, "{url}: {stderr}");
    }
}
