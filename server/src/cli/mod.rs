//! The command line: `retour serve` (also the default) and the commands of docs/cli.md.

#[macro_use]
mod output;

mod account;
mod backup;
mod bridge;
mod common;
mod copy;
mod demo;
mod error;
mod health;
mod import;
mod import_shopify;
mod s3;
mod secret_key;
mod serve;
mod serve_lock;
mod service_user;
mod telemetry;
mod trigger;
mod user;
mod webhook_subscription;

use crate::api;
use clap::{CommandFactory, Parser, Subcommand};
use common::Common;
use error::{CommandError, Result};
use output::{Output, print};
use returns::traces::{Traces, TracesError};
use std::{path::PathBuf, process::ExitCode};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

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

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve portal and API
    Serve(serve::Options),
    /// Create the database's tables, or bring them up to date
    Migrate,
    /// Create a demo shop with people and returns, and print how to try it
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
    /// Import orders: from a file, or all of a connected Shopify shop
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
    /// Print the manual page, or write the pages of all commands into a folder
    Man {
        /// Folder for the pages of all commands; Retour creates it
        folder: Option<PathBuf>,
    },
}

/// The exit code of a wrong command line, which clap uses too.
const WRONG_COMMAND_LINE: u8 = 2;

/// Parses the command line and runs the command.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new(cli.common.json);
    let result = log_filter(&cli).and_then(|filter| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let traces = cli.traces(runtime.handle())?;
        telemetry::start(filter, cli.common.log_format, traces.as_ref());
        runtime.block_on(async {
            let result = Box::pin(dispatch(cli, &output)).await;
            if let Some(traces) = traces {
                traces.finish().await;
            }
            result
        })
    });
    match result.and_then(|()| output.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError::Reported) => ExitCode::FAILURE,
        Err(error) => {
            output.fail(&error);
            match error {
                CommandError::WrongOption(_) => ExitCode::from(WRONG_COMMAND_LINE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// The filter of the log: `--log`, and libraries that must not log.
fn log_filter(cli: &Cli) -> Result<EnvFilter> {
    const SILENT: [&str; 5] = [
        // Repeats unknown options of a database URL, which may be a password.
        "sqlx_postgres::options=off",
        // Repeats notices of Postgres, such as that a table exists already.
        "sqlx::postgres::notice=warn",
        // Logs the paths of refused forms, which may be those of links in mail.
        "tower_http::csrf=off",
        // Log expired cookies, which anybody can send.
        "tower_sessions=error",
        "tower_sessions_core=error",
    ];
    /// A copy reads each table with one statement. Its progress bar shows that this takes long.
    const SLOW_QUERIES: &str = "sqlx::query=error";
    // Without `=`, the library reads anything but a level as the name of a module, and `LOG=loud` would switch the log off.
    let parts: Vec<&str> = cli.common.log.split(',').map(str::trim).collect();
    let is_target = |name: &str| {
        name.contains('[') || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:-".contains(&byte))
    };
    let is_known = parts.iter().all(|part| match part.split_once('=') {
        Some((name, _)) => is_target(name),
        None => part.parse::<LevelFilter>().is_ok(),
    });
    let filter = EnvFilter::try_new(parts.join(",")).ok().filter(|_| is_known).ok_or_else(|| {
        CommandError::WrongOption("--log (LOG): expected error, warn, info, debug or trace, or server=debug".to_owned())
    })?;
    let is_copy = matches!(cli.command, Some(Command::Copy(_)));
    let directives = SILENT.into_iter().chain(is_copy.then_some(SLOW_QUERIES));
    Ok(directives.filter_map(|directive| directive.parse().ok()).fold(filter, EnvFilter::add_directive))
}

impl Cli {
    /// The traces. Only commands that serve have any.
    fn traces(&self, runtime: &tokio::runtime::Handle) -> Result<Option<Traces>> {
        let collector = match &self.command {
            Some(Command::Serve(options)) => options.collector().map(str::to_owned),
            Some(Command::Demo(demo::Options { serve: true, .. })) | None => {
                serve::Options::parse_from(["retour"]).collector().map(str::to_owned)
            }
            Some(_) => None,
        };
        let traces = collector.map(|collector| Traces::to(&collector, runtime)).transpose();
        traces.map_err(|error| match error {
            TracesError::Http(_) => CommandError::Failed(error.to_string()),
            _ => CommandError::WrongOption(error.to_string()),
        })
    }
}

async fn dispatch(cli: Cli, output: &Output) -> Result {
    let common = cli.common;
    match cli.command.unwrap_or_else(|| Command::Serve(serve::Options::parse_from(["retour"]))) {
        Command::Serve(_) | Command::Completions { .. } | Command::Man { .. } if output.is_json() => {
            Err(CommandError::WrongOption("--json: this command prints no document".to_owned()))
        }
        Command::Migrate => {
            common.open().await?.operator().migrate().await?;
            say!(output, "The database is up to date.");
            output.document(&serde_json::json!({"upToDate": true}))
        }
        Command::Serve(options) => {
            common.check_exists()?; // before the lock file is created beside it
            let _lock = serve_lock::acquire(&common.database_url).await?;
            let files = common.files(&options.s3)?;
            serve::run(
                common.retour().await?.configured(|config| config.files = Some(files)),
                options,
                common.is_shared(),
            )
            .await
        }
        Command::Demo(options) if options.serve => Box::pin(serve_demo(&common, output, options)).await,
        Command::Demo(options) => {
            let files = common.files(&options.s3)?;
            let retour = common.up_to_date().await?.configured(|config| config.files = Some(files));
            Box::pin(demo::run(&retour, output, options)).await
        }
        Command::Account(command) => account::run(&common.retour().await?, output, command).await,
        Command::ServiceUser(command) => service_user::run(&common.retour().await?, output, command).await,
        Command::User(command) => user::run(&common.retour().await?, output, command).await,
        Command::WebhookSubscription(command) => {
            webhook_subscription::run(&common.retour().await?, output, command).await
        }
        Command::Trigger(options) => trigger::run(&common.retour().await?, output, options).await,
        Command::Import(command) => import::run(common.retour().await?, output, command).await,
        Command::Copy(options) => copy::run(output, options).await,
        Command::Bridge(command) => bridge::run(output, command).await,
        Command::Backup(options) => backup::run(&common.database_url, output, options).await,
        Command::Health(options) => health::run(output, options).await,
        Command::Openapi => print(api::document_text()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "retour", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Command::Man { folder: None } => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            print(&String::from_utf8_lossy(&page))
        }
        Command::Man { folder: Some(folder) } => {
            std::fs::create_dir_all(&folder)?;
            Ok(clap_mangen::generate_to(Cli::command(), folder)?)
        }
    }
}

/// `retour demo --serve`: also creates the database if there is none.
async fn serve_demo(common: &Common, output: &Output, options: demo::Options) -> Result {
    let serve_options = demo::serve_options(&options)?;
    common.open().await?.operator().migrate().await?;
    let _lock = serve_lock::acquire(&common.database_url).await?;
    let files = common.files(&serve_options.s3)?;
    let retour = common.up_to_date().await?.configured(|config| config.files = Some(files));
    Box::pin(demo::run(&retour, output, options)).await?;
    serve::run(retour, serve_options, common.is_shared()).await
}
