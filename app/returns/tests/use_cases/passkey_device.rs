//! An authenticator with one passkey, written apart from the program (WebAuthn, Level 3).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::json;
use sha2::{Digest as _, Sha256};

pub fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What a browser sends about a new passkey: the client's data and the attestation.
pub struct Made {
    pub client_data: String,
    pub attestation: String,
}

/// What a browser sends about a passkey that was used.
pub struct Used {
    pub id: String,
    pub client_data: String,
    pub authenticator_data: String,
    pub signature: String,
    pub user_handle: String,
}

/// The authenticator. The page and its host can be changed, as a phisher would.
pub struct Device {
    key: Ed25519KeyPair,
    id: Vec<u8>,
    pub host: String,
    pub origin: String,
    pub count: u32,
    pub user_handle: String,
    /// Present, verified, may be synced.
    pub flags: u8,
}

impl Device {
    pub fn new(seed: u8, origin: &str) -> Self {
        let host = origin.split("://").nth(1).unwrap().split(':').next().unwrap().to_owned();
        let key = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
        let (id, user_handle) = (vec![seed; 16], String::new());
        Self { key, id, host, origin: origin.to_owned(), count: 0, user_handle, flags: 0b1101 }
    }

    fn client_data(&self, kind: &str, challenge: &str) -> String {
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false}).to_string()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        [Sha256::digest(self.host.as_bytes()).as_slice(), &[flags], &self.count.to_be_bytes()].concat()
    }

    /// Makes the passkey for a user.
    pub fn make(&mut self, challenge: &str, user_handle: &str) -> Made {
        user_handle.clone_into(&mut self.user_handle);
        let cose = [&[0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32], self.key.public_key().as_ref()].concat();
        let length = u8::try_from(self.id.len()).unwrap();
        let data = [self.data(self.flags | 1 << 6).as_slice(), &[0; 16], &[0, length], &self.id, &cose].concat();
        let length = u8::try_from(data.len()).unwrap();
        let object = [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".as_slice(), &[length], &data].concat();
        let client_data = self.client_data("webauthn.create", challenge);
        Made { client_data: encoded(client_data.as_bytes()), attestation: encoded(&object) }
    }

    /// Signs a challenge.
    pub fn sign(&self, challenge: &str) -> Used {
        let (client_data, data) = (self.client_data("webauthn.get", challenge), self.data(self.flags));
        let signed = [data.as_slice(), Sha256::digest(client_data.as_bytes()).as_slice()].concat();
        Used {
            id: encoded(&self.id),
            client_data: encoded(client_data.as_bytes()),
            authenticator_data: encoded(&data),
            signature: encoded(self.key.sign(&signed).as_ref()),
            user_handle: self.user_handle.clone(),
        }
    }
}
