//! The URL of a Shopify shop.

use crate::http::{Endpoint, EndpointError};

/// The domain that every Shopify shop has. A shop's other domains lead shoppers to it, but do not serve the Admin API.
const SHOPS_DOMAIN: &str = ".myshopify.com";

/// Why a text is not the address of a Shopify shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShopAddressError {
    /// It is no URL.
    #[error(transparent)]
    Url(#[from] EndpointError),
    /// It is another host.
    #[error("expected the shop's domain at Shopify, such as x.myshopify.com")]
    OtherHost,
}

/// Parses a shop's domain, such as `x.myshopify.com`, or its URL. A path, such as `/admin`, is left out. An IP address passes,
/// so that a stand-in can take the shop's place in tests; the client then calls it only if the operator allows that address.
pub fn shop_address(text: &str) -> Result<Endpoint, ShopAddressError> {
    let text = text.trim();
    let has_scheme = text.contains("://");
    let url = Endpoint::parse(&if has_scheme { text.to_owned() } else { format!("https://{text}") })?;
    let origin = url.root()?;
    if origin.is_ip_address() {
        return Ok(origin);
    }
    let name = origin.as_str().strip_prefix("https://").and_then(|rest| rest.strip_suffix('/'));
    let shop = name.and_then(|host| host.strip_suffix(SHOPS_DOMAIN));
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match shop {
        Some(shop) if !shop.is_empty() && shop.bytes().all(is_name_byte) => Ok(origin),
        _ => Err(ShopAddressError::OtherHost),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_shop_is_named_by_its_domain_at_shopify() {
        for text in [
            "fjord-fern.myshopify.com",
            " https://Fjord-Fern.myshopify.com/ ",
            "https://fjord-fern.myshopify.com/admin/products?x=1",
        ] {
            assert_eq!(shop_address(text).unwrap().as_str(), "https://fjord-fern.myshopify.com/", "{text}");
        }
        assert_eq!(shop_address("http://127.0.0.1:8000").unwrap().as_str(), "http://127.0.0.1:8000/");
        for text in [
            "fjord-fern.example",
            "http://fjord-fern.myshopify.com",
            "https://fjord-fern.myshopify.com:8443",
            "https://myshopify.com",
            "https://.myshopify.com",
            "https://a.b.myshopify.com",
            "https://fjord-fern.myshopify.com.example",
        ] {
            assert_eq!(shop_address(text), Err(ShopAddressError::OtherHost), "{text}");
        }
        assert_eq!(shop_address(""), Err(ShopAddressError::Url(EndpointError::NotAUrl)));
    }
}
