//! E-mail addresses: which spellings are equal.

use unicode_normalization::UnicodeNormalization;

use super::{
    key::ProofKey,
    spelling::{plain, visible},
};

/// An e-mail address in the form that is compared: lower case, the domain in its ASCII form (IDNA), without what
/// copying adds (`mailto:`, a display name, angle brackets, a final full stop). Dots and `+tags` count, and `ß` is
/// another letter than `ss`: IDNA 2008 has domains of both.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmailKey(String);

impl EmailKey {
    /// The key of an address; `None` if nothing is left of it, because an empty value matches nothing.
    pub fn new(text: &str) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        let lower: String = bare(&visible(text)).chars().flat_map(char::to_lowercase).nfkc().collect();
        let address = lower.replace(' ', "");
        let key = match address.rsplit_once('@') {
            Some((local, domain)) => format!("{local}@{}", ascii(domain)),
            None => address,
        };
        (!key.is_empty()).then_some(Self(key))
    }

    /// The address, for comparing and for sending mail.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key under which failed attempts are counted.
    pub fn attempt_key(&self) -> ProofKey {
        ProofKey(self.0.clone())
    }

    /// Both forms in which it may be stored: its domain in ASCII and in its own script. They are often equal.
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

    /// The form that is stored: the shop's spelling in lower case, without white space, if it is one of the
    /// [`spellings`](Self::spellings), else the key. Empty without an address.
    pub fn stored(text: &str) -> String {
        let Some(key) = Self::new(text) else { return String::new() };
        match plain(text) {
            Some(plain) if key.spellings().contains(&plain) => plain,
            _ => key.0,
        }
    }
}

/// An address in its own spelling without what copying adds: `Ann <mailto:ann@example.com>.` is `ann@example.com`.
/// Text that is no address stays, trimmed.
pub fn cleaned(text: &str) -> String {
    bare(&visible(text)).to_owned()
}

const MAILTO: &str = "mailto:";

/// The address within a visible text.
fn bare(text: &str) -> &str {
    let within = text.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(within, _)| within);
    let text = within.filter(|within| within.contains('@')).unwrap_or(text);
    let text = text.trim_matches(is_around);
    let text = match text.get(..MAILTO.len()) {
        // A question mark begins the subject and body.
        Some(start) if start.eq_ignore_ascii_case(MAILTO) => {
            text.get(MAILTO.len()..).unwrap_or_default().split('?').next()
        }
        _ => Some(text),
    };
    text.unwrap_or_default().trim_matches(is_around)
}

/// Characters that surround an address but are not part of it.
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
        return domain.to_owned(); // the common case
    }
    idna::domain_to_ascii(domain).ok().filter(|ascii| !ascii.is_empty()).unwrap_or_else(|| domain.to_owned())
}
