//! The content security policy of a page.

use axum::http::HeaderValue;
use std::fmt::Write as _;

/// With more hosts of pictures, any host over https is allowed: headers must stay short.
const MAX_HOSTS: usize = 10;

/// What a page needs besides styles and pictures of its own host.
#[derive(Debug, Clone, Copy)]
pub struct PagePolicy<'a> {
    /// The nonce of the page's scripts and styles.
    pub nonce: &'a str,
    /// The origins that may show the page in a frame; empty: none.
    pub ancestors: &'a str,
    /// The hosts of the pictures on it.
    pub image_hosts: &'a [String],
    /// Its scripts.
    pub scripts: Scripts,
    /// Whether the page reloads when its files change, during development.
    pub watch: bool,
}

/// The scripts of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripts {
    /// There are none.
    None,
    /// A script with the nonce.
    Own,
    /// Islands: scripts with the nonce, what they load, and WebAssembly.
    Islands,
}

impl PagePolicy<'_> {
    /// The header. It allows only what the page needs, and only from this host. Scripts are allowed by nonce; `strict-dynamic` extends
    /// that to what they load.
    pub fn header(self) -> HeaderValue {
        let Self { nonce, ancestors, image_hosts, scripts, watch } = self;
        let ancestors = if ancestors.is_empty() { "'none'" } else { ancestors };
        let mut policy = format!(
            "default-src 'none'; style-src 'self' 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; \
             frame-ancestors {ancestors}; img-src 'self'"
        );
        if image_hosts.len() > MAX_HOSTS {
            policy.push_str(" https:");
        } else {
            for host in image_hosts {
                let _ = write!(policy, " {host}");
            }
        }
        if scripts == Scripts::Islands || watch {
            let _ = write!(policy, "; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'");
        } else if scripts == Scripts::Own {
            let _ = write!(policy, "; script-src 'nonce-{nonce}'");
        }
        policy.push_str("; connect-src 'self'");
        if watch {
            policy.push_str(" ws://127.0.0.1:* ws://localhost:*");
        }
        HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(scripts: Scripts, hosts: usize) -> String {
        let image_hosts: Vec<String> = (0..hosts).map(|number| format!("https://{number}.example")).collect();
        let page = PagePolicy { nonce: "n1", ancestors: "", image_hosts: &image_hosts, scripts, watch: false };
        page.header().to_str().unwrap().to_owned()
    }

    #[test]
    fn a_page_allows_only_what_it_needs() {
        let none = policy(Scripts::None, 1);
        assert!(
            none.contains("img-src 'self' https://0.example;") && none.contains("frame-ancestors 'none'"),
            "{none}"
        );
        assert!(!none.contains("script-src") && none.ends_with("connect-src 'self'"), "{none}");
        let own = policy(Scripts::Own, 0);
        assert!(own.contains("script-src 'nonce-n1';") && !own.contains("wasm"), "{own}");
        assert!(policy(Scripts::Islands, 0).contains("script-src 'nonce-n1' 'strict-dynamic' 'wasm-unsafe-eval'"));
        assert!(policy(Scripts::None, MAX_HOSTS + 1).contains("img-src 'self' https:;"), "headers stay short");
    }
}
