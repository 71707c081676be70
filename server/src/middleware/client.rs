//! Who sends a request, by address.

use crate::{app::App, edge::accept::PeerAddress};
use axum::extract::Request;
use returns::ClientAddress;
use std::net::{IpAddr, Ipv4Addr};

/// The address of the client: of the connection, or of what is behind the trusted proxies.
pub(super) fn client_address(app: &App, request: &Request) -> ClientAddress {
    let peer = request.extensions().get::<PeerAddress>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    ClientAddress(app.proxies.client(peer, request.headers()))
}
