//! The URL of a database.

use super::error::{Result, StoreError};
use sqlx::{
    postgres::{PgConnectOptions, PgSslMode},
    sqlite::SqliteConnectOptions,
};
use sqlx_core::Url;
use std::{fs::File, io, str::FromStr};

const EXPECTED: &str = "expected sqlite://FILE or postgres://USER@HOST/NAME";

/// What the URL of a database names.
#[derive(Debug)]
pub(crate) enum DatabaseUrl {
    /// `sqlite://FILE`
    Sqlite(Box<SqliteConnectOptions>),
    /// `postgres://USER@HOST/NAME`, or `postgresql://…`
    Postgres(Box<PgConnectOptions>),
}

impl FromStr for DatabaseUrl {
    type Err = StoreError;

    fn from_str(url: &str) -> Result<Self> {
        match url.split_once(':') {
            Some(("sqlite", _)) => sqlite(url),
            Some(("postgres" | "postgresql", _)) => postgres(url),
            _ => Err(bad_url(EXPECTED)),
        }
    }
}

fn sqlite(url: &str) -> Result<DatabaseUrl> {
    let options = SqliteConnectOptions::from_str(url).map_err(wrong_parameter)?;
    // Each connection would have an empty database of its own.
    let file = options.get_filename().as_os_str().as_encoded_bytes();
    let is_memory = url.split(['?', '&']).any(|part| part == "mode=memory");
    if is_memory || file.is_empty() || file.starts_with(b"file:sqlx-in-memory") {
        return Err(bad_url("a database in memory would be lost: expected sqlite://FILE"));
    }
    Ok(DatabaseUrl::Sqlite(Box::new(options)))
}

fn postgres(url: &str) -> Result<DatabaseUrl> {
    let options = PgConnectOptions::from_str(url).map_err(wrong_parameter)?;
    Ok(DatabaseUrl::Postgres(Box::new(options)))
}

fn bad_url(why: impl Into<String>) -> StoreError {
    StoreError::BadUrl(why.into())
}

fn wrong_parameter(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Configuration(why) => bad_url(format!("{EXPECTED}: {why}")),
        error => error.into(),
    }
}

/// Opens each file that the URL of a Postgres database names for TLS. sqlx's error would not say which one is missing.
pub(super) fn check_tls_files(url: &str, options: &PgConnectOptions) -> Result<()> {
    if matches!(options.get_ssl_mode(), PgSslMode::Disable | PgSslMode::Allow) {
        return Ok(());
    }
    let url = Url::parse(url).map_err(|why| bad_url(format!("{EXPECTED}: {why}")))?;
    for (name, value) in url.query_pairs() {
        let is_of_tls = matches!(
            &*name,
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" | "sslcert" | "ssl-cert" | "sslkey" | "ssl-key"
        );
        let is_file = is_of_tls && !value.trim().starts_with("-----BEGIN"); // or the certificate itself
        if is_file && value.contains("-----BEGIN") {
            // It may be a key, so the error does not repeat it.
            return Err(bad_url(format!("{name}: expected a file, or text that begins with -----BEGIN")));
        }
        if is_file && let Err(error) = File::open(&*value) {
            let named = io::Error::new(error.kind(), format!("{name}: {value}: {error}"));
            return Err(sqlx::Error::Io(named).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(url: &str) -> String {
        url.parse::<DatabaseUrl>().unwrap_err().to_string()
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_url() {
        for url in ["", "retour.db", "mysql://127.0.0.1/retour", "SQLITE://retour.db"] {
            assert_eq!(why(url), format!("DATABASE_URL: {EXPECTED}"), "{url}");
        }
        for url in ["sqlite:", "sqlite://", "sqlite::memory:", "sqlite://:memory:", "sqlite://retour.db?mode=memory"] {
            assert!(why(url).contains("in memory"), "{url}: {}", why(url));
        }
        for (url, expected) in [
            ("sqlite://retour.db?mode=write", "`mode`"),
            ("sqlite://retour.db?colour=red", "`colour`"),
            ("postgres://retour@127.0.0.1/retour?sslmode=full", "`ssl_mode`"),
            ("postgres://retour:secret@127.0.0.1:port/retour", "port"),
        ] {
            assert!(why(url).contains(expected), "{url}: {}", why(url));
            assert!(!why(url).contains("secret"), "{url}: {}", why(url));
        }
    }

    #[test]
    fn no_error_repeats_a_key() {
        let url = "postgres://retour@127.0.0.1/retour?sslmode=prefer&sslkey=Bag%20Attributes%0A-----BEGIN%20PRIVATE%20KEY-----secret";
        let DatabaseUrl::Postgres(options) = url.parse().unwrap() else { panic!("a URL of Postgres") };
        let why = check_tls_files(url, &options).unwrap_err().to_string();
        assert!(why.starts_with("DATABASE_URL: sslkey: expected") && !why.contains("secret"), "{why}");
    }
}
