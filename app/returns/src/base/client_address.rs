//! The network of a client: requests without a credential are counted by it.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
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

impl ClientAddress {
    /// The address without its last part, for lists that people read: `203.0.113.0/24`, `2001:db8:1::/56`. It shows a
    /// place and not a device.
    pub(crate) fn cut(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => format!("{}/24", Ipv4Addr::from_bits(address.to_bits() & (u32::MAX << 8))),
            IpAddr::V6(address) => format!("{}/56", Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 72))),
        }
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

    #[test]
    fn a_cut_address_names_no_device() {
        let cut = |text: &str| ClientAddress(text.parse().unwrap()).cut();
        assert_eq!(cut("203.0.113.9"), "203.0.113.0/24");
        assert_eq!(cut("::ffff:203.0.113.9"), "203.0.113.0/24");
        assert_eq!(cut("2001:db8:1:23ff:3:4:5:6"), "2001:db8:1:2300::/56");
    }
}
