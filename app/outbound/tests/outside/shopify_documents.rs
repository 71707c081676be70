//! Every document of ours fits Shopify's published schema of each version that merchants can choose.

use crate::support::peer::node;
use domain::integration::ShopifyVersion;

#[test]
fn our_documents_fit_the_schema_of_each_version() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shops/shopify");
    let versions = ShopifyVersion::ALL.map(ShopifyVersion::name);
    let output = node("shopify", "validate.mjs").arg(folder).args(versions).output().unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    for version in versions {
        assert!(said.contains("RefundOnce: 2 variables") && said.contains(version), "{version}: {said}");
    }
    assert!(!said.to_lowercase().contains("deprecated"), "{said}");
}
