//! From a URL's host to the addresses that are called.

use super::{CallError, Endpoint};
use crate::guard::{Allowed, is_public};
use std::{fmt, net::IpAddr, sync::Arc};
use url::Host;

/// Who says which addresses a name has.
#[derive(Clone, Default)]
pub enum Resolver {
    /// The operating system.
    #[default]
    System,
    /// A function; no address means that the name is not known.
    Function(Arc<Answers>),
}

type Answers = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

impl Resolver {
    /// A function that answers what it likes.
    pub fn function(answer: impl Fn(&str) -> Vec<IpAddr> + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(answer))
    }

    async fn addresses(&self, name: &str) -> Vec<IpAddr> {
        match self {
            Self::System => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => found.map(|socket| socket.ip()).collect(),
                Err(_) => Vec::new(),
            },
            Self::Function(answer) => answer(name),
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

/// The addresses to connect to, all of them vetted. Nobody asks again between here and the connection, so a name
/// that changes its mind gains nothing.
pub(super) async fn addresses(resolver: &Resolver, allowed: &Allowed, to: &Endpoint) -> Result<Vec<IpAddr>, CallError> {
    let addresses = found(resolver, to).await;
    if addresses.is_empty() {
        return Err(CallError::UnknownHost);
    }
    vet(allowed, to, &addresses)?;
    Ok(addresses)
}

/// Those of a URL's addresses that are inside and that the operator has not opened.
pub(super) async fn closed(resolver: &Resolver, allowed: &Allowed, to: &Endpoint) -> Vec<IpAddr> {
    let mut addresses = found(resolver, to).await;
    addresses.retain(|address| !is_public(*address) && !allowed.opens(*address));
    addresses
}

async fn found(resolver: &Resolver, to: &Endpoint) -> Vec<IpAddr> {
    match to.url().host() {
        Some(Host::Domain(name)) => resolver.addresses(name).await,
        _ => literal(to).into_iter().collect(),
    }
}

/// The address, if the host is one rather than a name.
pub(super) fn literal(to: &Endpoint) -> Option<IpAddr> {
    match to.url().host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// One address that may not be called spoils the whole answer: no honest name has an address inside beside one outside.
pub(super) fn vet(allowed: &Allowed, to: &Endpoint, addresses: &[IpAddr]) -> Result<(), CallError> {
    if !addresses.iter().all(|address| is_public(*address) || allowed.opens(*address)) {
        return Err(CallError::AddressNotAllowed);
    }
    // Personal data does not cross the internet in clear text; within the operator's own network it may.
    if to.is_plain() && !addresses.iter().all(|address| allowed.opens(*address)) {
        return Err(CallError::PlainHttpNotAllowed);
    }
    Ok(())
}
