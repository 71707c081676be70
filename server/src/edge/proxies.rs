//! The address of a client whose requests come through proxies.

use axum::http::{HeaderMap, HeaderValue};
use ipnet::IpNet;
use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

/// The proxies whose `X-Forwarded-For` is trusted: `RETOUR_TRUSTED_PROXIES`. Without any, the header is ignored.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical(); // a socket for IPv4 and IPv6 shows IPv4 as mapped addresses
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client's address: the last one in `X-Forwarded-For` that is not a trusted proxy. Each proxy appends the address that it saw; a
    /// client can make up everything before that.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        // As bytes: a client can send bytes that are no text, and the address that a proxy appends after them still counts.
        let lines: Vec<&[u8]> = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes).collect();
        for seen in lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b',')) {
            match str::from_utf8(seen.trim_ascii()).ok().and_then(address) {
                Some(address) if self.trusts(client) => client = address.to_canonical(),
                _ => break,
            }
        }
        client
    }
}

/// Parses an address as proxies write it. Some add the port (Azure's gateways, IIS), and brackets around IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let without_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(without_port).or_else(in_brackets)
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let network = |text: &str| {
            let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
            text.parse::<IpNet>().ok().or_else(address).ok_or_else(|| {
                format!("{text:?}: expected addresses or networks such as 10.0.0.7 or 10.0.0.0/8, with commas between")
            })
        };
        list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(network).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        trusted.parse::<TrustedProxies>().unwrap().client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("", "203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(client("10.0.0.0/8", "203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.0/8", "::ffff:10.1.2.3", &["2001:db8::1"]), "2001:db8::1");
        assert_eq!(client("10.1.2.3", "10.1.2.3", &[]), "10.1.2.3");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["198.51.100.1:5678, 10.9.9.9:443"]), "198.51.100.1");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["[2001:db8::1]:5678"]), "2001:db8::1");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["[2001:db8::1]"]), "2001:db8::1");
    }

    #[test]
    fn addresses_that_a_client_makes_up_are_ignored() {
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["1.1.1.1, 198.51.100.1, 10.9.9.9"]), "198.51.100.1");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["1.1.1.1", "198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["1.1.1.1, nonsense, 10.9.9.9"]), "10.9.9.9");
        assert_eq!(client("10.0.0.0/8", "10.1.2.3", &["unknown"]), "10.1.2.3");
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.1.1.1".parse().unwrap());
        headers.append("x-forwarded-for", HeaderValue::from_bytes(b"\xff, 198.51.100.1").unwrap());
        let proxies: TrustedProxies = "10.0.0.0/8".parse().unwrap();
        assert_eq!(proxies.client("10.1.2.3".parse().unwrap(), &headers).to_string(), "198.51.100.1");
    }

    #[test]
    fn the_error_names_text_that_is_no_address() {
        assert!("10.0.0.1, fd00::/8,".parse::<TrustedProxies>().is_ok());
        assert!("proxy.local".parse::<TrustedProxies>().unwrap_err().contains("\"proxy.local\": expected"));
    }
}
