//! The form of e-mail addresses.

/// The longest e-mail address (RFC 5321), characters.
pub const MAX_EMAIL_CHARS: usize = 254;

/// Whether a text looks like one e-mail address. Whether the mailbox exists, only a mail to it can show.
pub fn is_email(text: &str) -> bool {
    // Characters with a meaning in mail headers; no real address contains them.
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !r#"()<>[]:;,\""#.contains(c);
    let (local, domain) = text.split_once('@').unwrap_or_default();
    let is_bounded = text.chars().count() <= MAX_EMAIL_CHARS && text.chars().all(plain);
    is_bounded && !local.is_empty() && !domain.is_empty() && !domain.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_at_sign_and_no_header_syntax() {
        assert!(is_email("ada@example.com") && is_email("ada+gifts@b\u{fc}cher.example"));
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada lovelace@example.com",
            "a@b\r\nBcc: c@d",
            "a@b,c@d",
            "A<a@b>",
            &format!("{}@b", "a".repeat(254)),
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
