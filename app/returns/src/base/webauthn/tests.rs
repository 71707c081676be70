use super::{vectors::VECTORS, *};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use proptest::prelude::*;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn text(hex: &str) -> String {
    URL_SAFE_NO_PAD.encode(bytes(hex))
}

fn site() -> Site {
    Site::of("https://example.org").unwrap()
}

/// The key in the attestation of a vector, whether or not the person was verified.
fn key_of(attestation: &[u8]) -> Vec<u8> {
    let data = AuthenticatorData::parse(attested(attestation).unwrap()).unwrap();
    data.credential.unwrap().public_key.to_vec()
}

#[test]
fn registrations_of_the_standard_are_read() {
    for vector in VECTORS {
        let (client, attestation) = (bytes(vector.client_data), bytes(vector.attestation));
        assert_eq!(challenge_of(&client), Some(text(vector.challenge)), "{}", vector.name);
        let registered = register(&site(), &text(vector.challenge), &client, &attestation);
        if vector.is_verified {
            let registered = registered.unwrap();
            assert_eq!(registered.id, bytes(vector.id), "{}", vector.name);
            assert_eq!(registered.public_key, key_of(&attestation));
        } else {
            assert_eq!(registered, Err(Refused::Unverified), "{}", vector.name);
        }
    }
}

#[test]
fn signatures_of_the_standard_are_verified() {
    for vector in VECTORS {
        let key = key_of(&bytes(vector.attestation));
        let key = PublicKey::parse(&key).unwrap();
        let (data, client) = (bytes(vector.authenticator_data), bytes(vector.next_client_data));
        let signed = [data.as_slice(), Sha256::digest(&client).as_slice()].concat();
        let signature = bytes(vector.signature);
        assert!(key.verifies(&signed, &signature), "{}", vector.name);
        assert!(!key.verifies(&signed[1..], &signature), "{}", vector.name);
        assert!(!key.verifies(&signed, &signature[1..]) && !key.verifies(&signed, b""), "{}", vector.name);
    }
}

/// A registered credential, and what its authenticator sends next.
struct Use {
    key: Vec<u8>,
    sign_count: u32,
    may_be_synced: bool,
    challenge: String,
    client_data: Vec<u8>,
    authenticator_data: Vec<u8>,
    signature: Vec<u8>,
}

impl Use {
    /// The vector whose person is verified both times.
    fn of_the_standard() -> Self {
        let vector = VECTORS.into_iter().find(|vector| vector.is_verified_again).unwrap();
        Self {
            key: key_of(&bytes(vector.attestation)),
            sign_count: 0,
            may_be_synced: true,
            challenge: text(vector.next_challenge),
            client_data: bytes(vector.next_client_data),
            authenticator_data: bytes(vector.authenticator_data),
            signature: bytes(vector.signature),
        }
    }

    fn verify_at(&self, site: &Site) -> Result<u32, Refused> {
        let known = Known { public_key: &self.key, sign_count: self.sign_count, may_be_synced: self.may_be_synced };
        let sent = Assertion {
            client_data: &self.client_data,
            authenticator_data: &self.authenticator_data,
            signature: &self.signature,
        };
        verify(site, &self.challenge, known, sent)
    }

    fn verify(&self) -> Result<u32, Refused> {
        self.verify_at(&site())
    }

    /// The same with other data of the browser.
    fn claiming(from: &str, to: &str) -> Result<u32, Refused> {
        let right = Self::of_the_standard();
        let client = String::from_utf8(right.client_data.clone()).unwrap();
        assert!(client.contains(from), "{client}");
        Self { client_data: client.replace(from, to).into_bytes(), ..right }.verify()
    }
}

#[test]
fn a_use_counts_only_for_its_challenge_and_site() {
    assert_eq!(Use::of_the_standard().verify(), Ok(0));
    let other = Use { challenge: "AAAA".to_owned(), ..Use::of_the_standard() };
    assert_eq!(other.verify(), Err(Refused::Challenge));
    let elsewhere = Site { id: "example.com".to_owned(), ..site() };
    assert_eq!(Use::of_the_standard().verify_at(&elsewhere), Err(Refused::Site));
    let page = Site { origin: "https://www.example.org".to_owned(), ..site() };
    assert_eq!(Use::of_the_standard().verify_at(&page), Err(Refused::Origin));
    assert_eq!(Use::claiming("webauthn.get", "webauthn.create"), Err(Refused::ClientData));
    assert_eq!(Use::claiming("\"crossOrigin\":false", "\"crossOrigin\":true"), Err(Refused::Origin));
    assert_eq!(Use::claiming("\"crossOrigin\":false", "\"topOrigin\":\"https://x\""), Err(Refused::Origin));
    assert_eq!(Use::claiming("\"crossOrigin\":false", "\"type\":\"webauthn.get\""), Err(Refused::ClientData));
    assert_eq!(Use::claiming("extraData", "otherData"), Err(Refused::Signature), "all of it is signed");
}

#[test]
fn a_use_needs_a_verified_person_and_flags_that_fit() {
    let with_flags = |flags: u8, may_be_synced: bool| {
        let mut data = Use::of_the_standard().authenticator_data;
        data[32] = flags;
        Use { authenticator_data: data, may_be_synced, ..Use::of_the_standard() }.verify()
    };
    assert_eq!(with_flags(0b1001, true), Err(Refused::Unverified));
    assert_eq!(with_flags(0b1100, true), Err(Refused::Unverified), "nobody was present");
    assert_eq!(with_flags(0b1_0101, false), Err(Refused::AuthenticatorData), "a copy of what cannot be copied");
    assert_eq!(with_flags(0b0101, true), Err(Refused::AuthenticatorData), "whether it can be copied never changes");
    assert_eq!(with_flags(0b1101, false), Err(Refused::AuthenticatorData));
    assert_eq!(with_flags(0b1_1101, true), Err(Refused::Signature), "the flags are signed");
}

#[test]
fn a_counter_has_to_grow() {
    let known = Use { sign_count: 1, ..Use::of_the_standard() };
    assert_eq!(known.verify(), Err(Refused::Counter));
    let signer = Signer::new();
    for (before, now, outcome) in
        [(0, 1, Ok(1)), (1, 2, Ok(2)), (2, 2, Err(Refused::Counter)), (3, 2, Err(Refused::Counter))]
    {
        assert_eq!(signer.sign(before, now).verify(), outcome, "{before} {now}");
    }
}

/// An authenticator with a key for `Ed25519`.
struct Signer(ring::signature::Ed25519KeyPair);

impl Signer {
    fn new() -> Self {
        Self(ring::signature::Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap())
    }

    fn sign(&self, before: u32, now: u32) -> Use {
        use ring::signature::KeyPair as _;
        let client = Use::of_the_standard().client_data;
        let mut data = Use::of_the_standard().authenticator_data;
        data[33..].copy_from_slice(&now.to_be_bytes());
        let signed = [data.as_slice(), Sha256::digest(&client).as_slice()].concat();
        let head = [0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32];
        Use {
            key: [&head, self.0.public_key().as_ref()].concat(),
            sign_count: before,
            authenticator_data: data,
            signature: self.0.sign(&signed).as_ref().to_vec(),
            ..Use::of_the_standard()
        }
    }
}

#[test]
fn keys_of_other_kinds_are_refused() {
    let right = Use::of_the_standard().key;
    assert!(PublicKey::parse(&right).is_some());
    let twice = [&[0xa6], &right[1..], &[1, 2]].concat();
    assert_eq!(PublicKey::parse(&twice), None, "it has its type twice");
    assert_eq!(PublicKey::parse(&[right.as_slice(), &[0]].concat()), None, "something follows it");
    for (at, value) in [(2, 3), (4, 0x27), (6, 2)] {
        let mut other = right.clone();
        other[at] = value;
        assert_eq!(PublicKey::parse(&other), None, "{at}");
    }
    let mut elsewhere = right;
    elsewhere[20] ^= 1; // this is no point of the curve
    assert_eq!(Use { key: elsewhere, ..Use::of_the_standard() }.verify(), Err(Refused::Signature));
}

#[test]
fn an_attestation_has_its_data_once() {
    let vector = VECTORS.into_iter().find(|vector| vector.is_verified).unwrap();
    let object = bytes(vector.attestation);
    assert!(attested(&object).is_some());
    assert_eq!(attested(&[object.as_slice(), &[0]].concat()), None);
    let twice = [&[0xa4], &object[1..], b"\x68authData\x40"].concat();
    assert_eq!(attested(&twice), None);
    assert_eq!(attested(&[0xa0]), None);
}

proptest! {
    #[test]
    fn no_change_of_what_was_sent_is_accepted(at in any::<prop::sample::Index>(), bit in 0..8_u32, part in 0..4_u8) {
        let mut changed = Use::of_the_standard();
        let bytes = match part {
            0 => &mut changed.client_data,
            1 => &mut changed.authenticator_data,
            2 => &mut changed.signature,
            _ => &mut changed.key,
        };
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(changed.verify().is_err());
    }

    #[test]
    fn nothing_that_is_sent_makes_it_panic(
        head in 0..256_usize,
        noise in proptest::collection::vec(any::<u8>(), 0..200),
        vector in 0..VECTORS.len(),
    ) {
        let vector = &VECTORS[vector];
        let spoilt = |hex: &str| {
            let mut spoilt = bytes(hex);
            spoilt.truncate(head.min(spoilt.len()));
            spoilt.extend(&noise);
            spoilt
        };
        let (client, challenge) = (bytes(vector.client_data), text(vector.challenge));
        let _ = register(&site(), &challenge, &client, &spoilt(vector.attestation));
        let _ = attested(&noise).map(AuthenticatorData::parse);
        let _ = AuthenticatorData::parse(&noise);
        let _ = PublicKey::parse(&noise);
        let _ = challenge_of(&noise);
        let known = Use { authenticator_data: spoilt(vector.authenticator_data), ..Use::of_the_standard() };
        prop_assert!(known.verify().is_err() || head >= 37);
    }
}
