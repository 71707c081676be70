//! `retour demo`.

use super::{Result, output::Output, serve};
use clap::{Args, Parser as _};
use returns::{Retour, Source};
use serde_json::json;
use std::{
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Serve the demo shop as well: creates the database if there is none, writes mail to a folder beside the key file, and
    /// calls webhook receivers on this machine
    #[arg(long)]
    pub(super) serve: bool,
    /// Public URL, for the addresses that are printed
    #[arg(long, env = "RETOUR_PUBLIC_URL", default_value = "http://127.0.0.1:3000")]
    public_url: String,
    /// File that keeps the demo's API key between runs
    #[arg(long, default_value = "data/demo.key")]
    key_file: PathBuf,
}

pub(super) async fn run(retour: &Retour, output: &Output, options: Options) -> Result {
    let known = fs::read_to_string(&options.key_file).ok().map(|key| key.trim().to_owned());
    let demo = retour.demo(known).await?;
    keep(&options.key_file, &demo.key)?;
    say!(output, "\nThe demo shop is ready. Return something:\n\n  {}/{}\n", options.public_url, demo.account.slug);
    for (number, email, about) in &demo.orders {
        say!(output, "  order {number}  e-mail {email:<18} {about}");
    }
    say!(output, "\nThe same as an API, with this key of the demo account:\n\n  {}\n", demo.key);
    say!(output, "  curl -H 'Authorization: Bearer {}' {}/api/v0/return-orders\n", demo.key, options.public_url);
    let order =
        |(number, email, about): &(String, String, &str)| json!({"number": number, "email": email, "about": about});
    output.document(&json!({
        "account": demo.account.slug,
        "portalUrl": format!("{}/{}", options.public_url, demo.account.slug),
        "apiKey": demo.key,
        "orders": demo.orders.iter().map(order).collect::<Vec<_>>(),
    }))
}

/// How the demo is served: as the environment says, and where it says nothing, so that webhooks and mail work on this machine.
pub(super) fn serving(options: &Options) -> Result<serve::Options> {
    let folder = options.key_file.parent().unwrap_or(Path::new(""));
    let usual = [
        ("RETOUR_SECRET_KEY", "--secret-key", secret_key(&folder.join("secret.key"))?),
        ("RETOUR_OUTBOUND_ALLOW", "--outbound-allow", "127.0.0.0/8,::1".to_owned()),
        ("SMTP_URL", "--smtp-url", format!("file://{}", folder.join("mails").display())),
        ("RETOUR_MAIL_FROM", "--mail-from", "returns@example.com".to_owned()),
    ];
    let unset = usual.into_iter().filter(|(variable, ..)| env::var_os(variable).is_none());
    let flags = unset.flat_map(|(_, flag, value)| [flag.to_owned(), value]);
    Ok(serve::Options::parse_from(["retour".to_owned()].into_iter().chain(flags)))
}

/// The demo's own key for secrets: the same at each start, or it could not read what it has kept.
fn secret_key(path: &Path) -> Result<String> {
    if let Some(key) = fs::read_to_string(path).ok().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty()) {
        return Ok(key);
    }
    let key = Source::system().random::<32>().iter().fold(String::new(), |mut key, byte| {
        let _ = write!(key, "{byte:02x}");
        key
    });
    keep(path, &key)?;
    Ok(key)
}

/// Only for the user who runs the service to read.
fn keep(path: &Path, key: &str) -> Result {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    Ok(writeln!(file, "{key}")?)
}
