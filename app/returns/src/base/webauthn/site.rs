//! The site that passkeys belong to: the host of the desk.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A website, as passkeys know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    /// The host's name, without a port.
    pub id: String,
    /// The beginning of its addresses, as browsers write it.
    pub origin: String,
}

impl Site {
    /// The site of a URL. `None`: browsers offer no passkeys there, because the host is a bare address, or the connection is
    /// not protected. On one machine, they do so under the name `localhost` alone.
    pub fn of(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority.as_str(), None),
        };
        let port = port.filter(|port| !matches!((scheme, *port), ("https", "443") | ("http", "80")));
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let is_here = bare.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            || bare.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
        let is_address = bare.parse::<Ipv4Addr>().is_ok() || bare.parse::<Ipv6Addr>().is_ok();
        let id = if is_here { "localhost" } else { host };
        let is_local = id == "localhost" || id.ends_with(".localhost");
        if id.is_empty() || (is_address && !is_here) || (scheme != "https" && !is_local) {
            return None;
        }
        let origin = port.map_or_else(|| format!("{scheme}://{id}"), |port| format!("{scheme}://{id}:{port}"));
        Some(Self { id: id.to_owned(), origin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(url: &str) -> Option<(String, String)> {
        Site::of(url).map(|site| (site.id, site.origin))
    }

    #[test]
    fn a_site_is_the_name_of_a_host_and_its_origin() {
        let is = |id: &str, origin: &str| Some((id.to_owned(), origin.to_owned()));
        assert_eq!(site("https://Returns.Example/desk/"), is("returns.example", "https://returns.example"));
        assert_eq!(site("https://desk.example:443/"), is("desk.example", "https://desk.example"));
        assert_eq!(site("https://desk.example:8443"), is("desk.example", "https://desk.example:8443"));
        assert_eq!(site("http://localhost:3000/desk/"), is("localhost", "http://localhost:3000"));
    }

    #[test]
    fn on_one_machine_it_is_localhost() {
        let here = Some(("localhost".to_owned(), "http://localhost:3000".to_owned()));
        assert_eq!(site("http://127.0.0.1:3000/desk/"), here);
        assert_eq!(site("http://[::1]:3000/desk/"), here);
    }

    #[test]
    fn a_bare_address_and_a_connection_without_protection_have_none() {
        for url in ["https://192.0.2.1/desk/", "https://[2001:db8::1]/", "http://returns.example/", "https:///", ""] {
            assert_eq!(site(url), None, "{url}");
        }
    }
}
