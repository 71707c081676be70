//! A product as lists show it.

#![allow(missing_docs, reason = "the names of fields and constants say what they are")]

use super::icons::{self, icon};
use crate::html::{Html, IntoHtml};
use leptos::prelude::*;

/// A product in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductSummary {
    pub name: String,
    /// A picture that may be shown.
    pub image: Option<String>,
    /// The values of its variant, such as colour and size.
    pub attributes: Vec<String>,
}

impl ProductSummary {
    /// Products without a name are shown by their SKU.
    pub fn new(product: &domain::order::Product) -> Self {
        let name = if product.name.trim().is_empty() { &product.sku } else { &product.name };
        Self {
            name: name.clone(),
            image: product.image_urls.iter().find(|url| is_shown(url)).cloned(),
            attributes: product.attributes.values().filter(|value| !value.is_empty()).cloned().collect(),
        }
    }
}

/// Pictures come from this host, or from others over https.
fn is_shown(url: &str) -> bool {
    let here = url.starts_with('/') && !url.starts_with("//");
    here || https_origin(url).is_some()
}

/// The `https://host` of an address, if it is safe inside a header.
pub fn https_origin(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
    (!host.is_empty() && host.bytes().all(plain)).then(|| url.get(.."https://".len() + host.len())).flatten()
}

/// The picture of a product, or a placeholder.
pub fn product_photo(product: &ProductSummary, small: bool) -> Html {
    let class = if small { "photo photo-s" } else { "photo" };
    match &product.image {
        Some(image) => {
            view! { <span class=class><img src=image.clone() alt="" width="64" height="64" loading="lazy"/></span> }
                .into_html()
        }
        None => view! { <span class=class aria-hidden="true">{icon(icons::PICTURE)}</span> }.into_html(),
    }
}

/// The variant of a product. Each value keeps its own writing direction: "140 × 200 cm" in Arabic pages too.
pub fn variant(product: &ProductSummary) -> impl IntoView + use<> {
    product.attributes.iter().cloned().map(|attribute| view! { <bdi>{attribute}</bdi> }).collect_view()
}

/// The hosts of these pictures, other than this one, for the content security policy.
pub fn image_hosts<'a>(urls: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut hosts: Vec<String> = urls.filter_map(|url| https_origin(url)).map(str::to_owned).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_of_a_variant_keeps_its_direction() {
        let attributes = vec!["Sage".to_owned(), "140 × 200 cm".to_owned()];
        let product = ProductSummary { name: "Blanket".to_owned(), image: None, attributes };
        let shown = variant(&product).to_html();
        assert!(shown.contains("<bdi>Sage</bdi>") && shown.contains("<bdi>140 × 200 cm</bdi>"), "{shown}");
    }

    #[test]
    fn pictures_come_from_here_or_over_https() {
        assert!(is_shown("/demo/a.svg") && is_shown("https://cdn.example.com/a.jpg"));
        for bad in [
            "//evil.example/a.jpg",
            "http://a.example/a.jpg",
            "javascript:1",
            "https://",
            "https://a b/",
            "data:image/png,1",
            "",
        ] {
            assert!(!is_shown(bad), "{bad}");
        }
        assert_eq!(https_origin("https://cdn.example.com:8443/a.jpg?b"), Some("https://cdn.example.com:8443"));
    }
}
