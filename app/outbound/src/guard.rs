//! Decides which addresses a configured URL may reach.
//!
//! Merchants configure URLs, and we call them. Without a check, every account could reach services inside the operator's
//! network (server-side request forgery). So calls go only to public addresses, and to those that the operator allowed.
//!
//! The lists follow IANA's registries of special-purpose IPv4 and IPv6 addresses.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// IPv4 networks that are not part of the public internet.
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 0, 8),       // this network
    v4(10, 0, 0, 0, 8),      // private
    v4(100, 64, 0, 0, 10),   // shared between a provider's customers (CGNAT)
    v4(127, 0, 0, 0, 8),     // loopback
    v4(169, 254, 0, 0, 16),  // link-local; cloud providers serve instance metadata here
    v4(172, 16, 0, 0, 12),   // private
    v4(192, 0, 0, 0, 24),    // protocol assignments
    v4(192, 0, 2, 0, 24),    // documentation
    v4(192, 88, 99, 0, 24),  // 6to4 relays, deprecated
    v4(192, 168, 0, 0, 16),  // private
    v4(198, 18, 0, 0, 15),   // benchmarks
    v4(198, 51, 100, 0, 24), // documentation
    v4(203, 0, 113, 0, 24),  // documentation
    v4(224, 0, 0, 0, 4),     // multicast
    v4(240, 0, 0, 0, 4),     // reserved, broadcast
];

/// The part of IPv6 that IANA has allocated for global unicast. Loopback, IPv4-mapped, NAT64, unique local, link-local and
/// multicast addresses lie outside it.
const GLOBAL_UNICAST_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Networks within [`GLOBAL_UNICAST_V6`] that are not public, or that embed an IPv4 address.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 23),      // protocol assignments: Teredo, ORCHID and others
    v6(0x2001, 0x0db8, 32), // documentation
    v6(0x2002, 0, 16),      // 6to4
    v6(0x3fff, 0, 20),      // documentation
];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), prefix)
}

/// Whether an address belongs to one machine on the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            GLOBAL_UNICAST_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
        }
    }
}

/// The addresses that the operator allowed in addition: `RETOUR_OUTBOUND_ALLOW`.
#[derive(Debug, Clone, Default)]
pub struct Allowed(Vec<IpNet>);

/// Everything outside [`GLOBAL_UNICAST_V6`].
const OTHER_V6: [Ipv6Net; 3] = [v6(0, 0, 3), v6(0x4000, 0, 2), v6(0x8000, 0, 1)];

impl Allowed {
    /// All addresses that are not public: for calls to URLs that the operator configured, rather than a merchant.
    pub fn inside() -> Self {
        let v4 = NOT_PUBLIC_V4.into_iter().map(IpNet::V4);
        Self(v4.chain(NOT_PUBLIC_V6.into_iter().chain(OTHER_V6).map(IpNet::V6)).collect())
    }

    /// Whether the operator allowed this address. An IPv4-mapped IPv6 address counts as its IPv4 address.
    pub fn opens(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let network = |text: &str| {
            let address = || text.parse::<IpAddr>().ok().map(|address| IpNet::from(address.to_canonical()));
            text.parse::<IpNet>().ok().or_else(address).ok_or_else(|| {
                format!("{text:?}: expected addresses or networks such as 10.0.0.7 or fd00::/8, with commas between")
            })
        };
        list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(network).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    const INTERNAL_NETWORKS: [&str; 23] = [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "::/96",
        "::ffff:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
    ];

    /// Addresses next to special-purpose networks.
    const PUBLIC_V4: [&str; 25] = [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
    ];

    #[test]
    fn special_purpose_addresses_are_not_public() {
        for network in INTERNAL_NETWORKS {
            let network: IpNet = network.parse().unwrap();
            assert!(!is_public(network.network()) && !is_public(network.broadcast()), "{network}");
        }
        for refused in ["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"] {
            assert!(!is_public(ip(refused)), "{refused}");
        }
        for refused in ["::", "::1", "1fff::1", "4000::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1"] {
            assert!(!is_public(ip(refused)), "{refused}");
        }
    }

    #[test]
    fn other_addresses_are_public() {
        for public in PUBLIC_V4 {
            assert!(is_public(ip(public)), "{public}");
        }
        for public in
            ["2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::", "2606:4700::1111", "3ffe::1", "3fff:1000::"]
        {
            assert!(is_public(ip(public)), "{public}");
        }
    }

    #[test]
    fn the_operator_allows_addresses_and_networks() {
        let allowed: Allowed = "10.0.0.0/8, 192.168.1.7,fd00::/8,::ffff:172.16.0.1,".parse().unwrap();
        for opened in ["10.1.2.3", "::ffff:10.1.2.3", "192.168.1.7", "fd12::1", "172.16.0.1"] {
            assert!(allowed.opens(ip(opened)), "{opened}");
        }
        for closed in ["11.0.0.1", "192.168.1.8", "fc00::1", "64:ff9b::10.1.2.3", "::10.1.2.3", "2002:a01:203::"] {
            assert!(!allowed.opens(ip(closed)), "{closed}");
        }
        for nothing in ["", " ", ","] {
            assert!(!nothing.parse::<Allowed>().unwrap().opens(ip("10.0.0.1")));
        }
        let all: Allowed = "::/0".parse().unwrap();
        assert!(all.opens(ip("::1")) && !all.opens(ip("::ffff:127.0.0.1")));
        assert_eq!(
            "10.0.0.1, inside.local".parse::<Allowed>().unwrap_err(),
            "\"inside.local\": expected addresses or networks such as 10.0.0.7 or fd00::/8, with commas between"
        );
    }

    #[test]
    fn every_address_is_either_public_or_inside() {
        let inside = Allowed::inside();
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "169.254.169.254",
            "::1",
            "fd00::7",
            "fe80::1",
            "2001:db8::1",
            "5f00::1",
        ] {
            assert!(!is_public(ip(address)) && inside.opens(ip(address)), "{address}");
        }
        for address in ["1.1.1.1", "172.32.0.0", "2606:4700::1111", "3000::1"] {
            assert!(is_public(ip(address)) && !inside.opens(ip(address)), "{address}");
        }
    }
}
