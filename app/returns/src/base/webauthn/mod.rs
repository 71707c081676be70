//! Passkeys by the standard WebAuthn, Level 3: what an authenticator's answer has to contain before it counts. Challenges
//! and keys are stored elsewhere.

mod authenticator_data;
mod cbor;
mod client_data;
mod key;
mod site;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;

use authenticator_data::AuthenticatorData;
use cbor::Reader;
use client_data::ClientData;
use key::PublicKey;
use sha2::{Digest, Sha256};

pub(crate) use key::ALGORITHMS;
pub(crate) use site::Site;

/// Why an answer of an authenticator does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// The data of the browser are malformed, or belong to something else.
    #[error("it is not about this")]
    ClientData,
    /// It answers another challenge.
    #[error("it answers another challenge")]
    Challenge,
    /// It was made on another page, or in a frame.
    #[error("it was made on another website")]
    Origin,
    /// The data of the authenticator are malformed, or contradict themselves.
    #[error("the authenticator's data are malformed")]
    AuthenticatorData,
    /// The authenticator answers another site.
    #[error("it belongs to another website")]
    Site,
    /// The authenticator has not verified the person.
    #[error("the authenticator has not verified the person")]
    Unverified,
    /// The key has an algorithm that was not offered.
    #[error("the key has an unknown algorithm")]
    Algorithm,
    /// The signature is wrong.
    #[error("the signature is wrong")]
    Signature,
    /// The counter has not grown, so there may be a copy of the authenticator.
    #[error("the counter has not grown")]
    Counter,
}

/// A new passkey.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NewCredential {
    pub id: Vec<u8>,
    /// In the format COSE.
    pub public_key: Vec<u8>,
    pub sign_count: u32,
    pub may_be_synced: bool,
}

/// What is stored of a passkey.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    /// In the format COSE.
    pub public_key: &'a [u8],
    pub sign_count: u32,
    pub may_be_synced: bool,
}

/// What a browser sends after the person has used a passkey.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Assertion<'a> {
    pub client_data: &'a [u8],
    pub authenticator_data: &'a [u8],
    pub signature: &'a [u8],
}

/// The challenge that the data of a browser answer, in Base64 for URLs. Nothing of them is checked.
pub(crate) fn challenge_of(client_data: &[u8]) -> Option<String> {
    ClientData::parse(client_data).ok().map(|data| data.challenge)
}

/// Checks the answer to a challenge for a new passkey (section 7.1). Retour asks for no attestation, so the statement about
/// the authenticator's model is not read.
pub(crate) fn register(
    site: &Site,
    challenge: &str,
    client_data: &[u8],
    attestation: &[u8],
) -> Result<NewCredential, Refused> {
    ClientData::parse(client_data)?.check("webauthn.create", challenge, site)?;
    let data = attested(attestation).and_then(AuthenticatorData::parse).ok_or(Refused::AuthenticatorData)?;
    data.check(site)?;
    let credential = data.credential.ok_or(Refused::AuthenticatorData)?;
    PublicKey::parse(credential.public_key).ok_or(Refused::Algorithm)?;
    Ok(NewCredential {
        id: credential.id.to_vec(),
        public_key: credential.public_key.to_vec(),
        sign_count: data.sign_count,
        may_be_synced: data.may_be_synced(),
    })
}

/// The authenticator's data in an attestation object.
fn attested(object: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader::new(object);
    let mut data = None;
    for _ in 0..reader.map()? {
        match reader.text()? {
            "authData" if data.is_none() => data = Some(reader.bytes()?),
            "authData" => return None,
            _ => reader.skip()?,
        }
    }
    data.filter(|_| reader.rest().is_empty())
}

/// Checks the answer of a known passkey to a challenge (section 7.2). Returns the counter to store.
pub(crate) fn verify(site: &Site, challenge: &str, known: Known<'_>, sent: Assertion<'_>) -> Result<u32, Refused> {
    ClientData::parse(sent.client_data)?.check("webauthn.get", challenge, site)?;
    let data = AuthenticatorData::parse(sent.authenticator_data).ok_or(Refused::AuthenticatorData)?;
    data.check(site)?;
    if data.may_be_synced() != known.may_be_synced {
        return Err(Refused::AuthenticatorData); // this never changes
    }
    let key = PublicKey::parse(known.public_key).ok_or(Refused::Algorithm)?;
    let signed = [sent.authenticator_data, Sha256::digest(sent.client_data).as_slice()].concat();
    if !key.verifies(&signed, sent.signature) {
        return Err(Refused::Signature);
    }
    let counts = data.sign_count > 0 || known.sign_count > 0;
    if counts && data.sign_count <= known.sign_count {
        return Err(Refused::Counter);
    }
    Ok(data.sign_count)
}
