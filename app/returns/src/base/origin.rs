//! Where a request comes from, for the audit log.

use super::client_address::ClientAddress;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use uuid::Uuid;

/// The longest request id, in bytes.
pub const MAX_REQUEST_ID_BYTES: usize = 128;
/// The bits of an address that the audit log keeps: enough to tell an office from a stranger, too few for one device.
const KEPT_V4_BITS: u32 = 24;
const KEPT_V6_BITS: u32 = 56;

/// Where a request comes from: its address, its session at the desk and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    address: Option<ClientAddress>,
    session: Option<Uuid>,
    request: Option<RequestId>,
}

impl Origin {
    /// A request from this address, with the id that its answer has in `X-Request-Id`.
    pub fn new(address: ClientAddress, request_id: Option<RequestId>) -> Self {
        Self { address: Some(address), session: None, request: request_id }
    }

    /// The same request as part of a session at the desk.
    #[must_use]
    pub fn in_session(self, session: Uuid) -> Self {
        Self { session: Some(session), ..self }
    }

    /// The address that guesses are counted by. Requests without one are counted together.
    pub(crate) fn counted_address(&self) -> ClientAddress {
        self.address.unwrap_or(ClientAddress(Ipv4Addr::UNSPECIFIED.into()))
    }

    /// The address that the request comes from.
    pub fn address(&self) -> Option<ClientAddress> {
        self.address
    }

    /// The network of the address, such as `203.0.113.0/24`: /24 of IPv4, /56 of IPv6.
    pub(crate) fn network(&self) -> Option<String> {
        self.address.map(|address| match address.0.to_canonical() {
            IpAddr::V4(address) => {
                let kept = address.to_bits() & (u32::MAX << (u32::BITS - KEPT_V4_BITS));
                format!("{}/{KEPT_V4_BITS}", Ipv4Addr::from_bits(kept))
            }
            IpAddr::V6(address) => {
                let kept = address.to_bits() & (u128::MAX << (u128::BITS - KEPT_V6_BITS));
                format!("{}/{KEPT_V6_BITS}", Ipv6Addr::from_bits(kept))
            }
        })
    }

    /// The session at the desk.
    pub(crate) fn session(&self) -> Option<Uuid> {
        self.session
    }

    /// The id of the request.
    pub(crate) fn request_id(&self) -> Option<&str> {
        self.request.as_ref().map(RequestId::as_str)
    }
}

impl From<ClientAddress> for Origin {
    fn from(address: ClientAddress) -> Self {
        Self::new(address, None)
    }
}

/// The id of a request, as the header `X-Request-Id` of its answer has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RequestId {
    bytes: [u8; MAX_REQUEST_ID_BYTES],
    length: u8,
}

impl RequestId {
    /// The id with this text; `None` if it is empty or too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; MAX_REQUEST_ID_BYTES];
        let length = u8::try_from(text.len()).ok().filter(|&length| length > 0)?;
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length })
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        self.bytes.get(..usize::from(self.length)).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl std::fmt::Debug for RequestId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_cut_to_its_network() {
        let network = |text: &str| Origin::new(ClientAddress(text.parse().unwrap()), None).network().unwrap();
        assert_eq!(network("203.0.113.9"), "203.0.113.0/24");
        assert_eq!(network("::ffff:203.0.113.9"), "203.0.113.0/24");
        assert_eq!(network("2001:db8:1:2ff:3:4:5:6"), "2001:db8:1:200::/56");
    }

    #[test]
    fn a_request_id_keeps_its_text() {
        let longest = "x".repeat(MAX_REQUEST_ID_BYTES);
        for text in ["a", "0197-f00", &longest] {
            assert_eq!(RequestId::new(text).unwrap().as_str(), text);
        }
        assert_eq!(RequestId::new(""), None);
        assert_eq!(RequestId::new(&"x".repeat(MAX_REQUEST_ID_BYTES + 1)), None);
        assert_eq!(RequestId::new(&"x".repeat(300)), None);
    }
}
