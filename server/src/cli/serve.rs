//! `retour serve`.

use super::{
    error::{CommandError, Result},
    s3,
    secret_key::SecretKeyParser,
};
use crate::{
    app::App,
    edge::{accept, open_files, proxies::TrustedProxies},
    service,
};
use clap::Parser;
use domain::account::DESK_SLUG;
use leptos::config::LeptosOptions;
use returns::{Allowed, Error, Http, Mailer, Retour, SecretKeys};
use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};
use tokio::{sync::watch, task::JoinSet};
use tracing::Instrument as _;
use workers::Workers;

/// How often expired sessions, tokens and stored answers are deleted.
const PRUNE_EVERY: Duration = Duration::from_hours(1);

#[derive(Debug, Parser)]
pub(super) struct Options {
    /// Address to listen on
    #[arg(long, env = "LEPTOS_SITE_ADDR", default_value = "127.0.0.1:3000")]
    addr: SocketAddr,
    /// Folder with scripts, styles and pictures; by default `site` beside this program
    #[arg(long, env = "LEPTOS_SITE_ROOT")]
    site_root: Option<PathBuf>,
    /// Public URL, such as `https://returns.example.com`; with https, cookies are `Secure`
    #[arg(long, env = "RETOUR_PUBLIC_URL")]
    public_url: Option<String>,
    /// Host of its own for the desk, such as `desk.example.com`; without it, the desk is at `/desk`
    #[arg(long, env = "RETOUR_DESK_HOST", default_value = "", value_parser = desk_host)]
    desk_host: String,
    /// Requests a minute for each owner of a credential, and for each network without a credential; 0: no limit
    #[arg(long, env = "RETOUR_RATE_LIMIT", default_value_t = 120)]
    rate_limit: u32,
    /// A Redis or Valkey in which all instances count requests together, such as `redis://:password@host:6379`, or
    /// `rediss://` for TLS; requires a secret key. Without it, and while it fails, each instance counts by itself
    #[arg(long, env = "REDIS_URL", default_value = "", hide_env_values = true)]
    redis_url: String,
    /// Addresses or networks of proxies in front, separated by commas: Retour trusts only their `X-Forwarded-For`
    #[arg(long, env = "RETOUR_TRUSTED_PROXIES", default_value = "")]
    trusted_proxies: TrustedProxies,
    /// Key that encrypts secrets: at least 32 random characters, such as the output of `openssl rand -base64 32`; to rotate it,
    /// set `NEW,OLD`
    #[arg(long, env = "RETOUR_SECRET_KEY", default_value = "", hide_env_values = true, value_parser = SecretKeyParser)]
    secret_key: SecretKeys,
    /// Private addresses or networks that Retour may call, also without TLS; separated by commas. It refuses all other
    /// private addresses
    #[arg(long, env = "RETOUR_OUTBOUND_ALLOW", default_value = "")]
    outbound_allow: Allowed,
    /// Allow simulated payments on a server that other machines can reach. For demonstrations only
    #[arg(long, env = "RETOUR_SIMULATED_PAYMENTS")]
    simulated_payments: bool,
    /// Mail server, such as `smtps://user:password@mail.example.com`, or a folder to write mail to, such as
    /// `file://data/mails`; without it, Retour sends no mail
    #[arg(long, env = "SMTP_URL", default_value = "", hide_env_values = true)]
    smtp_url: String,
    /// Sender address of mail, such as `returns@example.com`
    #[arg(long, env = "RETOUR_MAIL_FROM", default_value = "")]
    mail_from: String,
    #[command(flatten)]
    pub(super) s3: s3::S3Options,
    /// Seconds to keep serving after SIGTERM while `/health/ready` fails, so that load balancers can drain
    #[arg(long, env = "RETOUR_DRAIN_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=300))]
    drain_seconds: u64,
    /// Collector for traces (OTLP over HTTP), such as `http://127.0.0.1:4318`; without it, there are no traces
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", default_value = "")]
    otlp_endpoint: String,
}

impl Options {
    /// The collector of traces.
    pub(super) fn collector(&self) -> Option<&str> {
        Some(self.otlp_endpoint.as_str()).filter(|collector| !collector.is_empty())
    }

    /// Whether the public URL is https. Then cookies are `Secure`.
    fn is_secure(&self) -> Result<bool> {
        // The URL is public: it is in the OpenAPI document.
        if self.public_url.as_deref().is_some_and(|url| url.contains(['@', '?', '#', '{', '}'])) {
            let message = "--public-url (RETOUR_PUBLIC_URL): expected an address without user, password and query";
            return Err(CommandError::WrongOption(message.to_owned()));
        }
        let Some(url) = self.public_url.as_deref() else { return Ok(false) };
        let has_host =
            |rest: &str| !rest.is_empty() && !rest.starts_with(['/', ':']) && !rest.contains(char::is_whitespace);
        match url.split_once("://") {
            Some(("https", rest)) if has_host(rest) => Ok(true),
            Some(("http", rest)) if has_host(rest) => Ok(false),
            _ => Err(CommandError::WrongOption(
                "--public-url (RETOUR_PUBLIC_URL): expected http://HOST or https://HOST".to_owned(),
            )),
        }
    }

    /// Adds what the options configure to the use cases.
    fn configure(&self, retour: Retour) -> Result<Retour> {
        // Outbound calls may use half of the open files. The rest is for clients and the database.
        let exchanges = usize::try_from(open_files::raise_limit() / 2).unwrap_or(usize::MAX);
        let calling =
            Http::new(self.outbound_allow.clone()).map_err(|error| CommandError::Failed(error.to_string()))?;
        let address = self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.addr));
        let retour = retour
            .configured(|config| config.secret_keys = self.secret_key.clone())
            .configured(|config| config.http = Some(calling.with_max_concurrent_calls(exchanges)))
            .configured(|config| config.simulates_payments = self.simulates_payments())
            .configured(|config| config.wording_check = Some(portal::check_wording))
            .configured(|config| config.public_url = address)
            .configured(|config| config.desk_host.clone_from(&self.desk_host));
        if self.smtp_url.is_empty() {
            return Ok(retour);
        }
        let mailer = Mailer::new(&self.smtp_url, &self.mail_from);
        let mailer = mailer.map_err(|error| CommandError::WrongOption(error.to_string()))?;
        Ok(retour.configured(|config| config.mailer = Some(mailer)))
    }

    /// Whether simulated payments are allowed: if only this machine can reach the service, or by the option.
    fn simulates_payments(&self) -> bool {
        let is_local = self.addr.ip().is_loopback() && self.public_url.as_deref().is_none_or(is_this_machine);
        is_local || self.simulated_payments
    }
}

/// Parses the host of the desk. A name without a dot is allowed: it may be one of the operator's network.
fn desk_host(text: &str) -> std::result::Result<String, &'static str> {
    let text = text.trim();
    let is_host = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    if is_host { Ok(text.to_owned()) } else { Err("expected the name of a host: no scheme, no port, no path") }
}

/// Whether the host of a URL is this machine.
fn is_this_machine(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Serves until a signal stops the program. `is_shared`: other instances may serve from the same database.
pub(super) async fn run(retour: Retour, options: Options, is_shared: bool) -> Result {
    let secure = options.is_secure()?;
    if retour.check_files().await? {
        tracing::warn!(
            "FILES_URL: the bucket keeps versions: deleted files stay in it until its lifecycle rules remove them"
        );
    }
    let site = leptos_options(options.site_root.clone(), options.addr)?;
    let listener = accept::listen(options.addr).map_err(|error| {
        CommandError::Failed(format!("cannot listen on {} (--addr, LEPTOS_SITE_ADDR): {error}", options.addr))
    })?;
    let retour = options.configure(retour)?;
    check_stored_data(&retour, options.simulates_payments()).await?;
    warn_of_desk_slug(&retour).await?;
    let app = App::new(retour.clone(), options.rate_limit, options.trusted_proxies)
        .at(options.public_url.as_deref())
        .with_desk_at(&options.desk_host);
    let health = app.health.clone();
    let router = service::router(share_limit(app, &options.redis_url, is_shared).await?, site, secure);
    let pruning = tokio::spawn(prune_hourly(retour.clone()));
    let (stopping, stopped) = watch::channel(false);
    let mut workers = start_workers(&retour, &stopped);
    tracing::info!("serving http://{}", listener.local_addr()?);
    let signal = async {
        stop_signal().await;
        health.stop();
        drain(options.drain_seconds).await;
        let _ = stopping.send(true); // all workers stop at the same time
    };
    accept::serve(listener, router, signal).await;
    pruning.abort();
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker has panicked");
        }
    }
    tracing::info!("stopped");
    Ok(())
}

/// Starts the workers, each in a task of its own, until they are stopped.
fn start_workers(retour: &Retour, stopped: &watch::Receiver<bool>) -> JoinSet<()> {
    let mut workers = JoinSet::new();
    macro_rules! spawn {
        ($($worker:ident)+) => {
            $({
                let worker = Workers::new(retour).writing_mail_by(Arc::new(portal::Writer { staff: desk::staff_letter }));
                let stop = is_stopped(stopped.clone());
                workers.spawn(async move { worker.$worker(stop).await });
            })+
        };
    }
    spawn!(
        settle_returns show_returns_in_shops make_labels follow_parcels follow_payments send_mail keep_deadlines deliver_webhooks refresh_orders
        reconcile_shops answer_privacy_requests
    );
    workers
}

/// Refuses to serve a database whose secrets cannot be decrypted, or whose accounts use payments that are not allowed.
async fn check_stored_data(retour: &Retour, simulates_payments: bool) -> Result {
    if !retour.operator().can_open_secrets().await? {
        return Err(CommandError::WrongOption(
            "--secret-key (RETOUR_SECRET_KEY): expected the key that encrypted the secrets in this database".to_owned(),
        ));
    }
    let simulating =
        if simulates_payments { Vec::new() } else { retour.operator().accounts_that_simulate_payments().await? };
    if let Some(slug) = simulating.first() {
        return Err(CommandError::WrongOption(format!(
            "--simulated-payments (RETOUR_SIMULATED_PAYMENTS): expected, since payments of the account {slug} are simulated \
             and this is not served to this machine alone"
        )));
    }
    Ok(())
}

/// Names an account whose slug leads to the desk now.
async fn warn_of_desk_slug(retour: &Retour) -> Result {
    match retour.account(DESK_SLUG).await {
        Ok(account) => tracing::warn!(
            account = %account.id,
            "the slug of an account is `{DESK_SLUG}`, which is the address of the desk: its portal is at its id until it is renamed"
        ),
        Err(Error::UnknownAccount) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Shares the rate limit in the Redis, if there is one.
async fn share_limit(app: App, redis_url: &str, is_shared: bool) -> Result<App> {
    if !redis_url.is_empty() {
        return app.sharing_limit_in(redis_url).await.map_err(|error| CommandError::WrongOption(error.to_string()));
    }
    if is_shared {
        tracing::info!("the rate limit counts by instance: with REDIS_URL all instances share it");
    }
    Ok(app)
}

/// Where Leptos finds its files. A build puts the folder `site` and the file `hash.txt` beside the program.
fn leptos_options(root: Option<PathBuf>, addr: SocketAddr) -> Result<LeptosOptions> {
    let beside = std::env::current_exe()?.parent().map(PathBuf::from).unwrap_or_default();
    let root = root.unwrap_or_else(|| beside.join("site"));
    let hashes = beside.join("hash.txt");
    // Leptos reads this file at the first page, and panics if it is missing.
    let hash_files = hashes.is_file();
    if !root.join("pkg").is_dir() {
        tracing::warn!("no styles and scripts at {}: pages have no layout; run `make build`", root.display());
    }
    Ok(LeptosOptions::builder()
        .output_name("retour")
        .site_root(root.to_string_lossy().into_owned())
        .site_pkg_dir("pkg")
        .site_addr(addr)
        .hash_files(hash_files)
        .hash_file(hashes.to_string_lossy().into_owned().into())
        .build())
}

async fn is_stopped(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

async fn prune_hourly(retour: Retour) {
    loop {
        tokio::time::sleep(PRUNE_EVERY).await;
        if let Err(error) = retour.operator().prune().instrument(returns::step!("pruning")).await {
            tracing::warn!(%error, "cannot delete expired sessions and tokens");
        }
    }
}

/// Waits until load balancers have noticed that this instance is not ready. A second signal ends the wait.
async fn drain(seconds: u64) {
    if seconds == 0 {
        return;
    }
    tracing::info!("stopping in {seconds} s: /health/ready fails from now on");
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs(seconds)) => {}
        () = stop_signal() => {}
    }
}

/// Waits for Ctrl-C, or for SIGTERM, which service managers send.
async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_this_machine_are_recognized_by_host() {
        for url in ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443/x", "http://127.9.9.9:1/"] {
            assert!(is_this_machine(url), "{url}");
        }
        for url in [
            "https://returns.example.com",
            "http://localhost.example.com",
            "http://10.0.0.1:3000",
            "https://127.0.0.1.nip.io",
        ] {
            assert!(!is_this_machine(url), "{url}");
        }
    }
}
