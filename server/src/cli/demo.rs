//! `retour demo`.

use super::Result;
use clap::Args;
use returns::Retour;
use std::{fs, path::PathBuf};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Public URL, for the addresses that are printed
    #[arg(long, env = "RETOUR_PUBLIC_URL", default_value = "http://127.0.0.1:3000")]
    public_url: String,
    /// File that keeps the demo's API key between runs
    #[arg(long, default_value = "data/demo.key")]
    key_file: PathBuf,
}

pub(super) async fn run(retour: &Retour, options: Options) -> Result {
    let known = fs::read_to_string(&options.key_file).ok().map(|key| key.trim().to_owned());
    let demo = retour.demo(known).await?;
    keep(&options.key_file, &demo.key)?;
    say!("\nThe demo shop is ready. Return something:\n\n  {}/{}\n", options.public_url, demo.account.slug);
    for (number, email, about) in &demo.orders {
        say!("  order {number}  e-mail {email:<18} {about}");
    }
    say!("\nThe same as an API, with this key of the demo account:\n\n  {}\n", demo.key);
    say!("  curl -H 'Authorization: Bearer {}' {}/api/v0/return-orders\n", demo.key, options.public_url);
    Ok(())
}

/// Only for whoever runs the service to read.
fn keep(path: &std::path::Path, key: &str) -> Result {
    use std::{io::Write, os::unix::fs::OpenOptionsExt};
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    Ok(writeln!(file, "{key}")?)
}
