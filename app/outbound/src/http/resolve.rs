//! From a URL's host to the addresses that are called.

use super::{endpoint::Endpoint, error::CallError};
use crate::guard::{Allowed, is_public};
use std::{fmt, net::IpAddr, sync::Arc};
use url::Host;

/// Looks up the addresses of a host name.
#[derive(Clone, Default)]
pub enum Resolver {
    /// The operating system.
    #[default]
    System,
    /// A function. An empty list means that the name is unknown.
    Function(Arc<LookUpFn>),
}

type LookUpFn = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

impl Resolver {
    /// A resolver that calls a function: for tests.
    pub fn function(look_up: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(look_up))
    }

    async fn addresses(&self, name: &str) -> Vec<IpAddr> {
        match self {
            Self::System => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => found.map(|socket| socket.ip()).collect(),
                Err(_) => Vec::new(),
            },
            Self::Function(look_up) => look_up(name),
        }
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Function(_) => "Function",
        })
    }
}

/// The addresses to connect to, all of them checked. The connection uses exactly these: the name is not resolved again, so
/// that a name that changes its answer (DNS rebinding) gains nothing.
pub(super) async fn addresses(resolver: &Resolver, allowed: &Allowed, to: &Endpoint) -> Result<Vec<IpAddr>, CallError> {
    let addresses = look_up(resolver, to).await;
    if addresses.is_empty() {
        return Err(CallError::UnknownHost);
    }
    vet(allowed, to, &addresses)?;
    Ok(addresses)
}

/// The addresses of a URL that are not public and that the operator has not allowed.
pub(super) async fn closed(resolver: &Resolver, allowed: &Allowed, to: &Endpoint) -> Vec<IpAddr> {
    let mut addresses = look_up(resolver, to).await;
    addresses.retain(|address| !is_public(*address) && !allowed.opens(*address));
    addresses
}

async fn look_up(resolver: &Resolver, to: &Endpoint) -> Vec<IpAddr> {
    match to.url().host() {
        Some(Host::Domain(name)) => resolver.addresses(name).await,
        _ => literal(to).into_iter().collect(),
    }
}

/// The address, if the host is an address rather than a name.
pub(super) fn literal(to: &Endpoint) -> Option<IpAddr> {
    match to.url().host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// Checks all addresses of a host. One forbidden address rejects them all: no honest name has both public and internal
/// addresses.
pub(super) fn vet(allowed: &Allowed, to: &Endpoint, addresses: &[IpAddr]) -> Result<(), CallError> {
    if !addresses.iter().all(|address| is_public(*address) || allowed.opens(*address)) {
        return Err(CallError::AddressNotAllowed);
    }
    // Personal data must not cross the internet in clear text. It may within the operator's own network.
    if to.is_plain() && !addresses.iter().all(|address| allowed.opens(*address)) {
        return Err(CallError::PlainHttpNotAllowed);
    }
    Ok(())
}
