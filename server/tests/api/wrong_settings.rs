//! The end of a program with a wrong setting.

use crate::program::{command, demo};
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
        let output = command(&url, folder.path(), "migrate").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{path}: {stderr}");
        assert!(stderr.contains(expected), "{path}: {stderr}");
    }
}
