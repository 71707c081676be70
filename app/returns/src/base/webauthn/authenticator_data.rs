//! What an authenticator says about itself and the person (WebAuthn, section 6.1).

use super::{Refused, Site, cbor::Reader};
use sha2::{Digest, Sha256};

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// The longest id of a credential that the standard allows.
const MAX_CREDENTIAL_ID_BYTES: usize = 1_023;

#[derive(Debug, Clone, Copy)]
pub(super) struct AuthenticatorData<'a> {
    site_hash: &'a [u8; 32],
    flags: u8,
    pub sign_count: u32,
    pub credential: Option<Credential<'a>>,
}

/// A new credential.
#[derive(Debug, Clone, Copy)]
pub(super) struct Credential<'a> {
    pub id: &'a [u8],
    /// In the format COSE.
    pub public_key: &'a [u8],
}

impl<'a> AuthenticatorData<'a> {
    pub fn parse(data: &'a [u8]) -> Option<Self> {
        let (site_hash, rest) = data.split_first_chunk()?;
        let (&flags, rest) = rest.split_first()?;
        let (sign_count, mut rest) = rest.split_first_chunk()?;
        let mut credential = None;
        if flags & HAS_CREDENTIAL != 0 {
            let (new, after) = Credential::parse(rest)?;
            (credential, rest) = (Some(new), after);
        }
        if flags & HAS_EXTENSIONS != 0 {
            rest = after_item(rest)?;
        }
        let sign_count = u32::from_be_bytes(*sign_count);
        rest.is_empty().then_some(Self { site_hash, flags, sign_count, credential })
    }

    /// Checks that it is about this site, and that the authenticator has verified the person.
    pub fn check(&self, site: &Site) -> Result<(), Refused> {
        if self.site_hash[..] != Sha256::digest(site.id.as_bytes())[..] {
            return Err(Refused::Site);
        }
        if self.flags & USER_PRESENT == 0 || self.flags & USER_VERIFIED == 0 {
            return Err(Refused::Unverified);
        }
        if self.flags & BACKED_UP != 0 && !self.may_be_synced() {
            return Err(Refused::AuthenticatorData); // a copy of what cannot be copied
        }
        Ok(())
    }

    /// Whether the credential may be copied to other devices.
    pub fn may_be_synced(&self) -> bool {
        self.flags & BACKUP_ELIGIBLE != 0
    }
}

impl<'a> Credential<'a> {
    fn parse(data: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (_model, rest) = data.split_first_chunk::<16>()?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = usize::from(u16::from_be_bytes(*length));
        if length == 0 || length > MAX_CREDENTIAL_ID_BYTES {
            return None;
        }
        let (id, rest) = rest.split_at_checked(length)?;
        let after = after_item(rest)?;
        let public_key = rest.get(..rest.len().checked_sub(after.len())?)?;
        Some((Self { id, public_key }, after))
    }
}

fn after_item(data: &[u8]) -> Option<&[u8]> {
    let mut reader = Reader::new(data);
    reader.skip()?;
    Some(reader.rest())
}
