//! E-mail addresses: which spellings are one address.

use super::{
    key::ProofKey,
    spelling::{folded, plain, visible},
};

/// An e-mail address, reduced to what is compared: small letters, the domain in its ASCII form (IDNA), without what
/// copying adds (`mailto:`, a name before it, angle brackets, a full stop behind it). Dots and `+tags` count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmailKey(String);

impl EmailKey {
    /// The key of an address; `None` when nothing is left of it: an empty value matches nothing.
    pub fn new(text: &str) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        let address = folded(bare(&visible(text))).replace(' ', "");
        let key = match address.rsplit_once('@') {
            Some((local, domain)) => format!("{local}@{}", ascii(domain)),
            None => address,
        };
        (!key.is_empty()).then_some(Self(key))
    }

    /// For comparing, and as an address to write to.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Under what wrong tries are counted.
    pub fn counted(&self) -> ProofKey {
        ProofKey(self.0.clone())
    }

    /// Both ways in which it may be stored: its domain in ASCII, and in its own script. Often they are equal.
    pub fn spellings(&self) -> [String; 2] {
        let own = match self.0.rsplit_once('@') {
            Some((local, domain)) if domain.contains("xn--") => match idna::domain_to_unicode(domain) {
                (own, Ok(())) => format!("{local}@{own}"),
                _ => self.0.clone(),
            },
            _ => self.0.clone(),
        };
        [self.0.clone(), own]
    }

    /// What is stored of an address: as the shop spells it, without blanks and case; where that is none of the
    /// [`spellings`](Self::spellings), the key. Empty where there is no address.
    pub fn stored(text: &str) -> String {
        let Some(key) = Self::new(text) else { return String::new() };
        match plain(text) {
            Some(plain) if key.spellings().contains(&plain) => plain,
            _ => key.0,
        }
    }
}

/// An address without what copying adds to it, in its own spelling: `Ann <mailto:ann@example.com>.` is
/// `ann@example.com`. What is no address stays, without the blanks around it.
pub fn cleaned(text: &str) -> String {
    bare(&visible(text)).to_owned()
}

/// Of a visible text, the address in it.
fn bare(text: &str) -> &str {
    let within = text.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(within, _)| within);
    let text = within.filter(|within| within.contains('@')).unwrap_or(text);
    let text = text.trim_matches(is_around);
    let text = match text.get(..7) {
        // Behind a question mark stand a subject and a body.
        Some(start) if start.eq_ignore_ascii_case("mailto:") => text.get(7..).unwrap_or_default().split('?').next(),
        _ => Some(text),
    };
    text.unwrap_or_default().trim_matches(is_around)
}

/// What stands around an address and not in it.
fn is_around(c: char) -> bool {
    matches!(
        c,
        ' ' | '<'
            | '>'
            | '('
            | ')'
            | '['
            | ']'
            | '"'
            | '\''
            | ','
            | ';'
            | ':'
            | '.'
            | '。'
            | '„'
            | '“'
            | '”'
            | '«'
            | '»'
    )
}

fn ascii(domain: &str) -> String {
    let domain = domain.trim_end_matches(['.', '。']);
    let is_plain = domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    if is_plain && !domain.contains("xn--") {
        return domain.to_owned(); // as most are
    }
    idna::domain_to_ascii(domain).ok().filter(|ascii| !ascii.is_empty()).unwrap_or_else(|| domain.to_owned())
}
