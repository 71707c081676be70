//! `retour demo`.

use super::{error::Result, health::local_address, output::Output, serve};
use clap::{Args, Parser as _};
use returns::{Retour, Source};
use serde_json::json;
use std::{
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    net::SocketAddr,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Serve the demo shop as well: creates the database if there is none, writes mail to a folder beside the key file, and
    /// calls webhook receivers on this machine
    #[arg(long)]
    pub(super) serve: bool,
    /// Public URL, for the addresses that are printed; by default, they begin with the address to listen on
    #[arg(long, env = "RETOUR_PUBLIC_URL")]
    public_url: Option<String>,
    /// Address to listen on with `--serve`
    #[arg(long, env = "LEPTOS_SITE_ADDR", default_value = "127.0.0.1:3000")]
    addr: SocketAddr,
    /// File that keeps the demo's API key between runs
    #[arg(long, default_value = "data/demo.key")]
    key_file: PathBuf,
}

impl Options {
    /// The beginning of the printed addresses.
    fn base_url(&self) -> String {
        let served = || format!("http://{}", SocketAddr::new(local_address(self.addr), self.addr.port()));
        self.public_url.clone().unwrap_or_else(served)
    }
}

pub(super) async fn run(retour: &Retour, output: &Output, options: Options) -> Result {
    let known = fs::read_to_string(&options.key_file).ok().map(|key| key.trim().to_owned());
    let demo = retour.operator().demo(known).await?;
    write_key(&options.key_file, &demo.key)?;
    let base = options.base_url();
    say!(output, "\nThe demo shop is ready. Try a return:\n\n  {base}/{}\n", demo.account.slug);
    for (number, email, about) in &demo.orders {
        say!(output, "  order {number}  e-mail {email:<18} {about}");
    }
    say!(output, "\nThe same as an API, with this key of the demo account:\n\n  {}\n", demo.key);
    say!(output, "  curl -H 'Authorization: Bearer {}' {base}/api/v0/return-orders\n", demo.key);
    let order =
        |(number, email, about): &(String, String, &str)| json!({"number": number, "email": email, "about": about});
    output.document(&json!({
        "account": demo.account.slug,
        "portalUrl": format!("{base}/{}", demo.account.slug),
        "apiKey": demo.key,
        "orders": demo.orders.iter().map(order).collect::<Vec<_>>(),
    }))
}

/// The options to serve the demo with. The environment decides; the defaults let webhooks and mail work on this machine.
pub(super) fn serve_options(options: &Options) -> Result<serve::Options> {
    let folder = options.key_file.parent().unwrap_or(Path::new(""));
    let defaults = [
        ("RETOUR_SECRET_KEY", "--secret-key", secret_key(&folder.join("secret.key"))?),
        ("RETOUR_OUTBOUND_ALLOW", "--outbound-allow", "127.0.0.0/8,::1".to_owned()),
        ("SMTP_URL", "--smtp-url", format!("file://{}", folder.join("mails").display())),
        ("RETOUR_MAIL_FROM", "--mail-from", "returns@example.com".to_owned()),
    ];
    let unset = defaults.into_iter().filter(|(variable, ..)| env::var_os(variable).is_none());
    let flags = unset.flat_map(|(_, flag, value)| [flag.to_owned(), value]);
    let flags = flags.chain(["--addr".to_owned(), options.addr.to_string()]);
    Ok(serve::Options::parse_from(["retour".to_owned()].into_iter().chain(flags)))
}

/// The key that encrypts the demo's secrets. It is kept in a file, because the next start has to read what this one has encrypted.
fn secret_key(path: &Path) -> Result<String> {
    if let Some(key) = fs::read_to_string(path).ok().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty()) {
        return Ok(key);
    }
    let key = Source::system().random::<32>().iter().fold(String::new(), |mut key, byte| {
        let _ = write!(key, "{byte:02x}");
        key
    });
    write_key(path, &key)?;
    Ok(key)
}

/// Writes a key that only the current user can read.
fn write_key(path: &Path, key: &str) -> Result {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    Ok(writeln!(file, "{key}")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_addresses_lead_to_the_demo() {
        for (addr, public_url, expected) in [
            ("127.0.0.1:4675", None, "http://127.0.0.1:4675"),
            ("0.0.0.0:3000", None, "http://127.0.0.1:3000"),
            ("[::]:3000", None, "http://[::1]:3000"),
            ("127.0.0.1:3000", Some("https://returns.example.com"), "https://returns.example.com"),
        ] {
            let options = Options {
                serve: true,
                public_url: public_url.map(str::to_owned),
                addr: addr.parse().unwrap(),
                key_file: PathBuf::new(),
            };
            assert_eq!(options.base_url(), expected);
        }
    }
}
