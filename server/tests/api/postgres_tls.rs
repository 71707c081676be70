//! TLS between the program and Postgres.

use crate::program::{Program, command};
use sqlx::{Connection as _, PgConnection};
use std::{env, process::Output};

/// The file with the certificate of the tests' Postgres.
fn certificate() -> String {
    env::var("RETOUR_TEST_POSTGRES_CERTIFICATE").expect("run the tests with .ci/with-postgres")
}

/// Runs `retour migrate` with a database.
fn migrate(url: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    command(url, folder.path(), "migrate").env_remove("PGSSLMODE").output().unwrap()
}

/// Whether each other connection to the database is encrypted.
async fn encryption(own: &mut PgConnection) -> Vec<bool> {
    let others = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sqlx::query_scalar(others).fetch_all(own).await.unwrap()
}

#[test]
fn connections_to_postgres_are_encrypted_if_it_offers_tls() {
    store::testing::on_postgres(async |database| {
        let certificate = certificate();
        let folder = tempfile::tempdir().unwrap();
        let mut own = PgConnection::connect(&database.url).await.unwrap();
        database.store.close().await;
        for (query, encrypted) in [
            (String::new(), true),
            ("?sslmode=require".to_owned(), true),
            (format!("?sslmode=verify-full&sslrootcert={certificate}"), true),
            ("?sslmode=disable".to_owned(), false),
        ] {
            let url = format!("{}{query}", database.url);
            let migrated = migrate(&url);
            assert!(migrated.status.success(), "{query}: {}", String::from_utf8_lossy(&migrated.stderr));
            while !encryption(&mut own).await.is_empty() {} // Postgres ends closed connections a moment later
            let program = Program::start(&url, folder.path(), &[("PGSSLMODE", "prefer")]).await;
            assert_eq!(program.get("/health/ready").await.unwrap().0, 200);
            let connections = encryption(&mut own).await;
            assert!(
                !connections.is_empty() && connections.iter().all(|one| *one == encrypted),
                "{query}: {connections:?}"
            );
            program.stop().await;
        }
    });
}

#[test]
fn a_certificate_that_is_missing_or_not_postgres_own_is_refused() {
    store::testing::on_postgres(async |database| {
        let certificate = certificate();
        let of_name = database.url.replace("@127.0.0.1:", "@localhost:"); // the certificate is for 127.0.0.1
        for (url, query, expected) in [
            (&database.url, "?sslmode=verify-full".to_owned(), "invalid peer certificate: UnknownIssuer"),
            (&of_name, format!("?sslmode=verify-full&sslrootcert={certificate}"), "not valid for name"),
            (
                &database.url,
                "?sslrootcert=/missing/root.pem".to_owned(),
                "sslrootcert: /missing/root.pem: No such file",
            ),
        ] {
            let output = migrate(&format!("{url}{query}"));
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains(expected), "{query}: {stderr}");
            assert_eq!(output.status.code(), Some(1), "{query}: {stderr}");
        }
    });
}
