//! The network of a client: requests without a credential are counted by it.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

/// One client as the network shows it: an IPv4 address, or the /64 network of an IPv6 address, since one device uses
/// many addresses of its /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientNetwork(IpAddr);

impl ClientAddress {
    /// The network of this address. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn network(self) -> ClientNetwork {
        ClientNetwork(match self.0.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The address, or the first address of the /64: `203.0.113.9`, `2001:db8:1:2::`.
impl fmt::Display for ClientNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The IP address that a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_one_network_are_one_client() {
        let network = |text: &str| ClientAddress(text.parse().unwrap()).network().to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("203.0.113.9"), "203.0.113.9");
        assert_eq!(network("::ffff:203.0.113.9"), "203.0.113.9");
    }
}
