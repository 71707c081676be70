//! Codes of authenticator apps (TOTP, RFC 6238): six digits, a new one every 30 seconds.

use domain::Timestamp;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;
use std::fmt::Write as _;

/// How long a code is shown, in seconds.
const STEP_SECONDS: i64 = 30;
/// How many steps a clock may be off, in each direction.
const STEPS_OFF: i64 = 1;
const DIGITS: usize = 6;
/// Codes are the last six digits of a number.
const CODES: u32 = 1_000_000;
/// The length of SHA-1, which RFC 4226 recommends.
const SECRET_BYTES: usize = 20;
/// RFC 4648.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The secret that an authenticator app and Retour share.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct TotpSecret([u8; SECRET_BYTES]);

impl TotpSecret {
    /// A secret of random bytes.
    pub fn new(random: [u8; SECRET_BYTES]) -> Self {
        Self(random)
    }

    /// The secret as people type it into an app.
    pub fn text(&self) -> String {
        let mut bits = self.0.iter().flat_map(|byte| (0..8).rev().map(move |bit| usize::from(byte >> bit & 1)));
        let mut text = String::new();
        // 160 bits are 32 letters of five bits without a rest.
        while let Some(first) = bits.next() {
            let index = bits.by_ref().take(4).fold(first, |index, bit| index << 1 | bit);
            text.extend(BASE32.get(index).map(|letter| char::from(*letter)));
        }
        text
    }

    /// Reads the text of a secret.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(SECRET_BYTES);
        let (mut held, mut bits) = (0_u32, 0_u32);
        for letter in text.bytes() {
            let index = BASE32.iter().position(|known| *known == letter)?;
            held = held << 5 | u32::try_from(index).ok()?;
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                bytes.push(u8::try_from(held >> bits & 0xff).ok()?);
            }
        }
        bytes.try_into().ok().map(Self)
    }

    /// The code of a step (RFC 4226, section 5.3).
    fn code(&self, step: i64) -> Option<u32> {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).ok()?;
        mac.update(&step.to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let offset = usize::from(digest.last()? & 0xf);
        let four: [u8; 4] = digest.get(offset..offset + 4)?.try_into().ok()?;
        Some((u32::from_be_bytes(four) & 0x7fff_ffff) % CODES)
    }

    /// The step whose code this is, if it is shown about now.
    pub fn step_of(&self, code: &str, now: Timestamp) -> Option<i64> {
        if code.len() != DIGITS || !code.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let code: u32 = code.parse().ok()?;
        let current = now.seconds().div_euclid(STEP_SECONDS);
        (current - STEPS_OFF..=current + STEPS_OFF).find(|step| self.code(*step) == Some(code))
    }

    /// The URI that apps read from a QR code. The shop's name and the e-mail address tell entries apart.
    pub fn uri(&self, shop: &str, email: &str) -> String {
        let shop = escaped(shop);
        let email = escaped(email);
        let secret = self.text();
        format!(
            "otpauth://totp/{shop}:{email}?secret={secret}&issuer={shop}&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}"
        )
    }
}

/// Escapes a text for a URI. Apps do not read `+` as a space.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut uri, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238's appendix B.
    fn secret() -> TotpSecret {
        TotpSecret::new(*b"12345678901234567890")
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        let times = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000];
        let codes = ["287082", "081804", "050471", "005924", "279037", "353130"];
        for (time, code) in times.into_iter().zip(codes) {
            let now = Timestamp::from_seconds(time);
            assert_eq!(secret().step_of(code, now), Some(time / 30), "{time}");
        }
    }

    #[test]
    fn a_code_is_good_one_step_early_and_one_step_late() {
        let at = |seconds: i64| secret().step_of("005924", Timestamp::from_seconds(1_234_567_890 + seconds));
        assert_eq!(1_234_567_890 % 30, 0);
        assert_eq!((at(-30), at(0), at(59)), (Some(41_152_263), Some(41_152_263), Some(41_152_263)));
        assert_eq!((at(-31), at(60)), (None, None));
        for bad in ["", "00592", "0059240", "００５９２４", "+05924", "5924"] {
            assert_eq!(secret().step_of(bad, Timestamp::from_seconds(1_234_567_890)), None, "{bad}");
        }
    }

    #[test]
    fn a_secret_is_the_text_that_apps_know() {
        assert_eq!(secret().text(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(TotpSecret::parse(&secret().text()) == Some(secret()));
        for bad in ["", "GEZDGNBVGY3TQOJQ", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1"] {
            assert!(TotpSecret::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn the_uri_names_the_shop_and_the_user() {
        let expected = "otpauth://totp/Fjord%20%26%20Fern:ada%2Bdesk%40example.com?\
                        secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Fjord%20%26%20Fern&algorithm=SHA1&digits=6&period=30";
        assert_eq!(secret().uri("Fjord & Fern", "ada+desk@example.com"), expected);
    }
}
