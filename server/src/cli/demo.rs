//! `retour demo`.

use super::{error::Result, health::local_address, output::Output, s3::S3Options, serve};
use clap::{Args, Parser as _};
use returns::{Demo, DemoUser, Retour, Source};
use serde_json::json;
use std::{
    collections::BTreeMap,
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
    /// Create only the shop and its orders, without people and returns
    #[arg(long)]
    empty: bool,
    #[command(flatten)]
    pub(super) s3: S3Options,
}

impl Options {
    /// The beginning of the printed addresses.
    fn base_url(&self) -> String {
        let served = || format!("http://{}", SocketAddr::new(local_address(self.addr), self.addr.port()));
        self.public_url.clone().unwrap_or_else(served)
    }

    /// The address of the desk. Browsers offer passkeys on this machine only under the name `localhost`.
    fn desk_url(&self) -> String {
        let base = self.base_url();
        let here = ["http://127.0.0.1:", "http://[::1]:"].into_iter().find_map(|here| base.strip_prefix(here));
        here.map_or_else(|| format!("{base}/desk"), |port| format!("http://localhost:{port}/desk"))
    }

    /// The file that keeps the passwords of the demo's people between runs.
    fn people_file(&self) -> PathBuf {
        self.key_file.with_extension("people.json")
    }
}

pub(super) async fn run(retour: &Retour, output: &Output, options: Options) -> Result {
    let known = fs::read_to_string(&options.key_file).ok().map(|key| key.trim().to_owned());
    let demo = retour.operator().demo(known).await?;
    write_key(&options.key_file, &demo.key)?;
    let people = if options.empty { Vec::new() } else { fill(retour, &options, &demo).await? };
    let base = options.base_url();
    say!(output, "\nThe demo shop is ready. Try a return:\n\n  {base}/{}\n", demo.account.slug);
    for (number, email, about) in &demo.orders {
        say!(output, "  order {number}  e-mail {email:<18} {about}");
    }
    say!(output, "\nThe same as an API, with this key of the demo account:\n\n  {}\n", demo.key);
    say!(output, "  curl -H 'Authorization: Bearer {}' {base}/api/v0/return-orders\n", demo.key);
    if !people.is_empty() {
        say!(output, "The desk of its staff is at {}. These people work there:\n", options.desk_url());
    }
    for DemoUser { email, role, password, .. } in &people {
        say!(output, "  e-mail {email:<26} password {password}  role {}", role.name());
    }
    let person = |one: &DemoUser| json!({"email": one.email, "name": one.name, "role": one.role.name(), "password": one.password});
    let order =
        |(number, email, about): &(String, String, &str)| json!({"number": number, "email": email, "about": about});
    output.document(&json!({
        "account": demo.account.slug,
        "portalUrl": format!("{base}/{}", demo.account.slug),
        "apiKey": demo.key,
        "orders": demo.orders.iter().map(order).collect::<Vec<_>>(),
        "deskUrl": options.desk_url(),
        "people": people.iter().map(person).collect::<Vec<_>>(),
    }))
}

/// Creates the people and the returns of the demo.
async fn fill(retour: &Retour, options: &Options, demo: &Demo) -> Result<Vec<DemoUser>> {
    let file = options.people_file();
    let known = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
    let known: BTreeMap<String, String> = known.unwrap_or_default();
    let people = retour.operator().demo_people(demo.account.id, |email| known.get(email).cloned()).await?;
    let passwords: BTreeMap<&str, &str> = people.iter().map(|one| (one.email, one.password.as_str())).collect();
    write_key(&file, &json!(passwords).to_string())?;
    retour.operator().demo_returns(demo.account.id).await?;
    Ok(people)
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

    #[derive(clap::Parser)]
    struct Tried {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn printed_addresses_lead_to_the_demo() {
        for (addr, public_url, expected) in [
            ("127.0.0.1:4675", None, "http://127.0.0.1:4675"),
            ("0.0.0.0:3000", None, "http://127.0.0.1:3000"),
            ("[::]:3000", None, "http://[::1]:3000"),
            ("127.0.0.1:3000", Some("https://returns.example.com"), "https://returns.example.com"),
        ] {
            let flags =
                ["demo", "--addr", addr].into_iter().chain(public_url.iter().flat_map(|url| ["--public-url", url]));
            let Tried { options } = Tried::parse_from(flags);
            assert_eq!(options.base_url(), expected);
            assert_eq!(options.people_file(), Path::new("data/demo.people.json"));
            let desk = expected.replace("127.0.0.1", "localhost").replace("[::1]", "localhost");
            assert_eq!(options.desk_url(), format!("{desk}/desk"));
        }
    }
}
