//! The options that all commands have, and the database that they name.

use super::{
    error::{CommandError, Result},
    s3::S3Options,
    telemetry::LogFormat,
};
use clap::Args;
use returns::{Files, Retour, Source, Tables, backup::file_of};
use std::path::Path;

#[derive(Debug, Args)]
pub(super) struct Common {
    /// Database: `sqlite://FILE` or `postgres://USER@HOST/NAME`
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/retour.db",
        global = true,
        hide_env_values = true
    )]
    pub(super) database_url: String,
    /// Storage of photos and labels: `file://FOLDER` or `s3://BUCKET/PREFIX`
    #[arg(long, env = "FILES_URL", default_value = "file://data/files", global = true)]
    pub(super) files_url: String,
    /// Log level, such as info or server=debug
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    pub(super) log: String,
    /// Log format: `text`, or `json` with an object on each line
    #[arg(long, env = "LOG_FORMAT", default_value = "text", value_enum, global = true)]
    pub(super) log_format: LogFormat,
    /// Print one JSON document on standard output, and messages on standard error
    #[arg(long, global = true)]
    pub(super) json: bool,
}

impl Common {
    /// Whether several instances may serve from this database.
    pub(super) fn is_shared(&self) -> bool {
        self.database_url.starts_with("postgres")
    }

    /// Refuses a SQLite file that does not exist. Opening it would create it, and a mistyped path would look like an empty shop.
    pub(super) fn check_exists(&self) -> Result {
        match file_of(&self.database_url)?.filter(|file| !file.exists()) {
            Some(file) => Err(CommandError::Failed(format!(
                "--database-url (DATABASE_URL): there is no database at {}: check the path, or create it with `retour migrate`",
                file.display()
            ))),
            None => Ok(()),
        }
    }

    /// Opens the database, and creates a missing SQLite file.
    pub(super) async fn open(&self) -> Result<Retour> {
        let file = file_of(&self.database_url)?;
        create_folder_of(&self.database_url)?;
        let opened = Retour::open(&self.database_url, Source::system()).await;
        opened.map_err(|error| match (file, CommandError::from(error)) {
            (Some(file), CommandError::Retour(error)) => CommandError::Opening { file, error },
            (_, error) => error,
        })
    }

    pub(super) fn files(&self, s3: &S3Options) -> Result<Files> {
        Ok(Files::open(&self.files_url, &s3.settings())?)
    }

    /// Opens an existing database whose tables are up to date.
    pub(super) async fn retour(&self) -> Result<Retour> {
        self.check_exists()?;
        self.up_to_date().await
    }

    pub(super) async fn up_to_date(&self) -> Result<Retour> {
        let retour = self.open().await?;
        let why = match retour.tables().await? {
            Tables::Fit if !retour.operator().is_half_copied().await? => return Ok(retour),
            Tables::Fit => "the database contains an unfinished copy: run `retour copy` again",
            Tables::Behind => "the database's tables are not up to date: run `retour migrate` first",
            Tables::Beyond => "a later version has changed the database's tables, so this version cannot use them",
        };
        Err(CommandError::Failed(why.to_owned()))
    }
}

/// Creates the folder of a SQLite file, if it does not exist. A wrong URL is an error when it is opened.
pub(super) fn create_folder_of(url: &str) -> Result {
    let file = file_of(url).ok().flatten();
    let Some(folder) = file.as_deref().and_then(Path::parent) else { return Ok(()) };
    let named = |error| CommandError::Failed(format!("cannot create {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(named)
}
