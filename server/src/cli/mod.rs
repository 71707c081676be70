//! The command line: `retour serve` (also the default) and the commands of docs/cli.md.

#[macro_use]
mod output;

mod account;
mod alone;
mod backup;
mod bridge;
mod copy;
mod demo;
mod health;
mod import;
mod s3;
mod secret_key;
mod serve;
mod service_user;
mod trigger;
mod user;
mod webhook_subscription;

use crate::{
    api,
    telemetry::{self, LogFormat},
};
use clap::{Args, CommandFactory, Parser, Subcommand};
use output::{Output, print};
use returns::{Files, Retour, Source, Tables, backup::file_of, traces::Traces};
use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Self-hosted returns service
#[derive(Debug, Parser)]
#[command(name = "retour", version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    /// Command; without it, `serve`
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
struct Common {
    /// Database: `sqlite://FILE` or `postgres://USER@HOST/NAME`
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/retour.db",
        global = true,
        hide_env_values = true
    )]
    database_url: String,
    /// Storage of photos and labels: `file://FOLDER` or `s3://BUCKET/PREFIX`
    #[arg(long, env = "FILES_URL", default_value = "file://data/files", global = true)]
    files_url: String,
    /// Log level, such as info or server=debug
    #[arg(long, env = "LOG", default_value = "info", global = true)]
    log: String,
    /// Log format: `text`, or `json` with an object on each line
    #[arg(long, env = "LOG_FORMAT", default_value = "text", value_enum, global = true)]
    log_format: LogFormat,
    /// Print one JSON document on standard output, and messages on standard error
    #[arg(long, global = true)]
    json: bool,
}

impl Common {
    /// Whether several programs may serve the same shops.
    fn is_shared(&self) -> bool {
        self.database_url.starts_with("postgres")
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve portal and API
    Serve(serve::Options),
    /// Create the database's tables, or bring them up to date
    Migrate,
    /// Create a demo shop and print how to try it
    Demo(demo::Options),
    /// Create, change and list merchants' accounts
    #[command(subcommand)]
    Account(account::Command),
    /// Create, list and revoke API keys for programs
    #[command(subcommand)]
    ServiceUser(service_user::Command),
    /// Create, list and delete users of a merchant
    #[command(subcommand)]
    User(user::Command),
    /// List and delete webhook subscriptions
    #[command(subcommand)]
    WebhookSubscription(webhook_subscription::Command),
    /// Make an event happen in a test account (docs/cli.md)
    Trigger(trigger::Options),
    /// Import orders
    #[command(subcommand)]
    Import(import::Command),
    /// Copy everything to another database, and compare every row (docs/moving.md)
    Copy(copy::Options),
    /// Test a shop bridge
    #[command(subcommand)]
    Bridge(bridge::Command),
    /// Copy the SQLite database into a file, also while it is served (docs/backup.md)
    Backup(backup::Options),
    /// Ask the instance on this machine whether it is ready, for health checks
    Health(health::Options),
    /// Print the OpenAPI document of the API
    Openapi,
    /// Print a script that completes commands in a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
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
    let output = Output::new(cli.common.json);
    let log = tracing_subscriber::EnvFilter::try_new(&cli.common.log);
    let Ok(log) = log else {
        let expected = "--log (LOG): expected error, warn, info, debug or trace, or server=debug";
        output.fail(&CommandError::Wrong(expected.to_owned()));
        return ExitCode::FAILURE;
    };
    // sqlx repeats what it does not know of a database's address, and that may be a password; and what Postgres says besides, such
    // as that a table is there already.
    // The guard of forms writes addresses down, which may be those of links in mail. Anybody can send the cookie of a session that has ended.
    let silent = [
        "sqlx_postgres::options=off",
        "sqlx::postgres::notice=warn",
        "tower_http::csrf=off",
        "tower_sessions=error",
        "tower_sessions_core=error",
    ];
    let silent = silent.map(|directive| directive.parse().ok());
    let log = silent.into_iter().flatten().fold(log, tracing_subscriber::EnvFilter::add_directive);
    // A copy reads each table by one statement: that it takes long is what its progress bar is for.
    let quiet = "sqlx::query=error".parse().ok().filter(|_| matches!(cli.command, Some(Command::Copy(_))));
    let log = quiet.into_iter().fold(log, tracing_subscriber::EnvFilter::add_directive);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let outcome = runtime.map_err(CommandError::from).and_then(|runtime| {
        let traces = cli.traces(runtime.handle())?;
        telemetry::start(log, cli.common.log_format, traces.as_ref());
        runtime.block_on(async {
            let outcome = Box::pin(obey(cli, &output)).await;
            if let Some(traces) = traces {
                traces.finish().await;
            }
            outcome
        })
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Told) => ExitCode::FAILURE,
        Err(error) => {
            output.fail(&error);
            ExitCode::FAILURE
        }
    }
}

impl Cli {
    /// Only who serves has anything to trace.
    fn traces(&self, runtime: &tokio::runtime::Handle) -> Result<Option<Traces>> {
        let collector = match &self.command {
            Some(Command::Serve(options)) => options.collector().map(str::to_owned),
            Some(Command::Demo(demo::Options { serve: true, .. })) | None => {
                serve::Options::parse_from(["retour"]).collector().map(str::to_owned)
            }
            Some(_) => None,
        };
        let traces = collector.map(|collector| Traces::to(&collector, runtime)).transpose();
        traces.map_err(|error| CommandError::Wrong(error.to_string()))
    }
}

async fn obey(cli: Cli, output: &Output) -> Result {
    let kept = cli.common;
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Options::parse_from(["retour"]))) {
        Command::Serve(_) | Command::Completions { .. } | Command::Man if output.is_json() => {
            Err(CommandError::Wrong("--json: this command prints no document".to_owned()))
        }
        Command::Migrate => {
            open(&kept).await?.migrate().await?;
            say!(output, "The database is up to date.");
            output.document(&serde_json::json!({"upToDate": true}))
        }
        Command::Serve(options) => {
            check_exists(&kept)?; // before the lock makes a file beside it
            let _alone = alone::serve_alone(&kept.database_url).await?;
            let files = files(&kept, &options.s3)?; // no other command needs them
            serve::run(retour(&kept).await?.keeping_files_in(files), options, kept.is_shared()).await
        }
        Command::Demo(options) if options.serve => {
            let serving = demo::serving(&options)?;
            open(&kept).await?.migrate().await?;
            let _alone = alone::serve_alone(&kept.database_url).await?;
            let files = files(&kept, &serving.s3)?;
            let retour = up_to_date(&kept).await?;
            demo::run(&retour, output, options).await?;
            serve::run(retour.keeping_files_in(files), serving, kept.is_shared()).await
        }
        Command::Demo(options) => demo::run(&up_to_date(&kept).await?, output, options).await,
        Command::Account(command) => account::run(&retour(&kept).await?, output, command).await,
        Command::ServiceUser(command) => service_user::run(&retour(&kept).await?, output, command).await,
        Command::User(command) => user::run(&retour(&kept).await?, output, command).await,
        Command::WebhookSubscription(command) => {
            webhook_subscription::run(&retour(&kept).await?, output, command).await
        }
        Command::Trigger(options) => trigger::run(&retour(&kept).await?, output, options).await,
        Command::Import(command) => import::run(&retour(&kept).await?, output, command).await,
        Command::Copy(options) => copy::run(output, options).await,
        Command::Bridge(command) => bridge::run(output, command).await,
        Command::Backup(options) => backup::run(&kept.database_url, output, options).await,
        Command::Health(options) => health::run(output, options).await,
        Command::Openapi => print(api::document_text()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "retour", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print(&String::from_utf8_lossy(&page))
        }
    }
}

/// Refuses a SQLite file that does not exist. Opening it would create it, and a mistyped path would look like an empty shop.
fn check_exists(kept: &Common) -> Result {
    let url = kept.database_url.as_str();
    match file_of(url).filter(|file| !url.contains(":memory:") && !file.exists()) {
        Some(file) => Err(CommandError::Wrong(format!(
            "--database-url (DATABASE_URL): there is no database at {}: check the path, or create it with `retour migrate`",
            file.display()
        ))),
        None => Ok(()),
    }
}

async fn open(kept: &Common) -> Result<Retour> {
    let url = kept.database_url.as_str();
    if let Some(folder) = folder_of_file(url) {
        std::fs::create_dir_all(folder)?;
    }
    Ok(Retour::open(url, Source::system()).await?)
}

fn files(kept: &Common, s3: &s3::S3Options) -> Result<Files> {
    Files::open(&kept.files_url, &s3.settings()).map_err(|error| CommandError::Wrong(error.to_string()))
}

/// Where the file of a database lies; `None` where it is none.
fn folder_of_file(url: &str) -> Option<PathBuf> {
    file_of(url)?.parent().map(Path::to_owned)
}

async fn retour(kept: &Common) -> Result<Retour> {
    check_exists(kept)?;
    up_to_date(kept).await
}

async fn up_to_date(kept: &Common) -> Result<Retour> {
    let retour = open(kept).await?;
    let why = match retour.tables().await? {
        Tables::Fit if !retour.is_half_copied().await? => return Ok(retour),
        Tables::Fit => "the database holds a copy that was not finished: call `retour copy` again",
        Tables::Behind => "the database's tables are not up to date: run `retour migrate` first",
        Tables::Beyond => "a later version has changed the database's tables: this one no longer works with them",
    };
    Err(CommandError::Wrong(why.to_owned()))
}
