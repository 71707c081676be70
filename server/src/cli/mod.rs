//! The command line: `retour serve` (also the default), `migrate`, `demo`, `account`, `user`,
//! `service-user`, `import`, `bridge`.

/// A line for whoever runs the command. Whoever has closed the pipe (`| head`) has read enough: `println!` would panic.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

mod account;
mod bridge;
mod demo;
mod import;
mod serve;
mod service_user;
mod user;

use crate::api;
use clap::{Args, Parser, Subcommand};
use returns::{Files, Retour, Source, Tables};
use std::{io, io::Write as _, path::Path, process::ExitCode};

/// A self-hosted returns service: a portal for shoppers, the same as a REST API.
#[derive(Debug, Parser)]
#[command(name = "retour", version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    /// What to do; without it, serve
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
struct Common {
    /// Where everything is kept: `sqlite://FILE` or `postgres://USER@HOST/NAME`
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/retour.db",
        global = true,
        hide_env_values = true
    )]
    database_url: String,
    /// Where photos and papers of returns are kept: `file://FOLDER`
    #[arg(long, env = "FILES_URL", default_value = "file://data/files", global = true)]
    files_url: String,
    /// What to log, such as info or server=debug
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    log: String,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve portal and API
    Serve(serve::Options),
    /// Bring the database's tables up to date
    Migrate,
    /// Fill a demo shop and say how to try it
    Demo(demo::Options),
    /// Merchants
    #[command(subcommand)]
    Account(account::Command),
    /// Programs that use the API with a key
    #[command(subcommand)]
    ServiceUser(service_user::Command),
    /// People of a merchant
    #[command(subcommand)]
    User(user::Command),
    /// Take in what a shop knows
    #[command(subcommand)]
    Import(import::Command),
    /// Shops that are asked what was bought
    #[command(subcommand)]
    Bridge(bridge::Command),
    /// Print the OpenAPI document of the API
    Openapi,
}

/// Why a command did not do what it should; the sentence is for whoever typed it.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Retour(#[from] returns::Error),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Wrong(String),
    #[error("see above")]
    Told,
}

type Result<T = (), E = CommandError> = std::result::Result<T, E>;

/// Reads the command line and does what it says.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let log = tracing_subscriber::EnvFilter::try_new(&cli.common.log);
    let Ok(log) = log else {
        eprintln!("retour: --log (LOG): expected error, warn, info, debug or trace, or server=debug");
        return ExitCode::FAILURE;
    };
    tracing_subscriber::fmt().with_env_filter(log).with_target(false).with_writer(io::stderr).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let outcome = runtime.map_err(CommandError::from).and_then(|runtime| runtime.block_on(obey(cli)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Told) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("retour: {}", sentence(&error));
            ExitCode::FAILURE
        }
    }
}

async fn obey(cli: Cli) -> Result {
    let kept = cli.common;
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Options::parse_from(["retour"]))) {
        Command::Migrate => {
            open(&kept).await?.migrate().await?;
            say!("The database is up to date.");
            Ok(())
        }
        Command::Serve(options) => serve::run(retour(&kept).await?, options).await,
        Command::Demo(options) => demo::run(&retour(&kept).await?, options).await,
        Command::Account(command) => account::run(&retour(&kept).await?, command).await,
        Command::ServiceUser(command) => service_user::run(&retour(&kept).await?, command).await,
        Command::User(command) => user::run(&retour(&kept).await?, command).await,
        Command::Import(command) => import::run(&retour(&kept).await?, command).await,
        Command::Bridge(command) => bridge::run(command).await,
        Command::Openapi => Ok(io::stdout().write_all(api::document_text().as_bytes())?),
    }
}

async fn open(kept: &Common) -> Result<Retour> {
    let files = Files::open(&kept.files_url).map_err(|error| CommandError::Wrong(error.to_string()))?;
    let url = kept.database_url.as_str();
    let file = url.strip_prefix("sqlite:").map(|rest| rest.trim_start_matches("//"));
    let file = file.map(|file| file.split('?').next().unwrap_or_default()).filter(|file| !file.starts_with(':'));
    if let Some(folder) = file.and_then(|file| Path::new(file).parent()) {
        std::fs::create_dir_all(folder)?;
    }
    Ok(Retour::open(url, Source::system()).await?.keeping_files_in(files))
}

async fn retour(kept: &Common) -> Result<Retour> {
    let retour = open(kept).await?;
    let why = match retour.tables().await? {
        Tables::Fit => return Ok(retour),
        Tables::Behind => "the database's tables are not up to date: run `retour migrate` first",
        Tables::Beyond => "a later version has changed the database's tables: this one no longer works with them",
    };
    Err(CommandError::Wrong(why.to_owned()))
}

/// An error with the fields it names.
fn sentence(error: &CommandError) -> String {
    match error {
        CommandError::Retour(returns::Error::Invalid(details)) => {
            let details: Vec<String> =
                details.iter().map(|detail| format!("{}: {}", detail.field, detail.message)).collect();
            details.join("; ")
        }
        other => other.to_string(),
    }
}
