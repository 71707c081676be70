//! JSON as server functions return it. It encodes as `server_fn` does and decodes from text.
//!
//! `server_fn` decodes bytes, while the properties of islands are decoded from text. Each is a complete JSON parser in WebAssembly:
//! decoding both from text saves 20 kB.

use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post};
use serde::{Serialize, de::DeserializeOwned};

/// The encoding.
#[derive(Debug)]
pub struct JsonText;

/// JSON as the response to `POST`.
pub type Json = Post<JsonText>;

impl ContentType for JsonText {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for JsonText {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for JsonText {
    type Error = serde_json::Error;

    fn encode(output: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(output).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for JsonText {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        serde_json::from_str(str::from_utf8(&bytes).unwrap_or_default())
    }
}
