//! Public keys of credentials, in the format COSE (RFC 9052, RFC 9053, RFC 8230).

use super::cbor::{Item, Reader};
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// The algorithms that a browser may choose from, the preferred one first: `ES256`, `EdDSA`, `RS256`.
pub const ALGORITHMS: [i64; 3] = [ES256, EDDSA, RS256];

const ES256: i64 = -7;
const EDDSA: i64 = -8;
const RS256: i64 = -257;

/// Labels of a key's fields. What −1 to −3 mean depends on the type of the key.
const TYPE: i64 = 1;
const ALGORITHM: i64 = 3;

/// The most fields of a key.
const MAX_FIELDS: u64 = 16;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum PublicKey<'a> {
    /// A point of the curve P-256, not compressed.
    Es256(Vec<u8>),
    EdDsa(&'a [u8]),
    Rs256 {
        modulus: &'a [u8],
        exponent: &'a [u8],
    },
}

/// The fields of a key that matter.
#[derive(Default)]
struct Fields<'a> {
    kind: Option<i64>,
    algorithm: Option<i64>,
    curve: Option<i64>,
    /// At −1, for RSA: the modulus.
    first: Option<&'a [u8]>,
    /// At −2: `x`, or the exponent.
    second: Option<&'a [u8]>,
    /// At −3: `y`.
    third: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    fn read(cose: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(cose);
        let mut fields = Self::default();
        let pairs = reader.map().filter(|pairs| *pairs <= MAX_FIELDS)?;
        for _ in 0..pairs {
            match reader.item()? {
                Item::Integer(TYPE) => put(&mut fields.kind, reader.integer()?)?,
                Item::Integer(ALGORITHM) => put(&mut fields.algorithm, reader.integer()?)?,
                Item::Integer(-1) => match reader.item()? {
                    Item::Integer(curve) => put(&mut fields.curve, curve)?,
                    Item::Bytes(bytes) => put(&mut fields.first, bytes)?,
                    _ => return None,
                },
                Item::Integer(-2) => put(&mut fields.second, reader.bytes()?)?,
                Item::Integer(-3) => put(&mut fields.third, reader.bytes()?)?,
                Item::Integer(_) | Item::Text(_) => reader.skip()?,
                _ => return None,
            }
        }
        reader.rest().is_empty().then_some(fields)
    }
}

/// Fills a field; `None` if the key has it twice.
fn put<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

impl<'a> PublicKey<'a> {
    /// Reads a key of one of the [`ALGORITHMS`].
    pub fn parse(cose: &'a [u8]) -> Option<Self> {
        const OCTET_KEY: Option<i64> = Some(1);
        const ELLIPTIC: Option<i64> = Some(2);
        const RSA: Option<i64> = Some(3);
        const P256: Option<i64> = Some(1);
        const ED25519_CURVE: Option<i64> = Some(6);
        let fields = Fields::read(cose)?;
        match (fields.algorithm?, fields.kind, fields.curve) {
            (ES256, ELLIPTIC, P256) => {
                let (x, y) = (fields.second?, fields.third?);
                (x.len() == 32 && y.len() == 32).then(|| Self::Es256([&[4], x, y].concat()))
            }
            (EDDSA, OCTET_KEY, ED25519_CURVE) => fields.second.filter(|x| x.len() == 32).map(Self::EdDsa),
            (RS256, RSA, None) => {
                let (modulus, exponent) = (fields.first?, fields.second?);
                ((256..=1_024).contains(&modulus.len()) && exponent.len() <= 8)
                    .then_some(Self::Rs256 { modulus, exponent })
            }
            _ => None,
        }
    }

    /// Whether the owner of the key has signed this.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Es256(point) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature),
            Self::EdDsa(point) => UnparsedPublicKey::new(&ED25519, point).verify(message, signature),
            Self::Rs256 { modulus, exponent } => RsaPublicKeyComponents { n: modulus, e: exponent }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        };
        verified.is_ok()
    }
}
