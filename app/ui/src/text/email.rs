//! E-mail addresses that only their owner recognises.

/// The first character and the domain of an address. `None` if the text is no e-mail address.
pub fn masked(email: &str) -> Option<String> {
    let (local, domain) = email.trim().rsplit_once('@')?;
    let first = local.chars().next()?;
    (!domain.is_empty()).then(|| format!("{first}•••@{domain}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_owner_recognises_an_address() {
        for (email, shown) in [
            ("ada@example.com", Some("a•••@example.com")),
            ("a@example.com", Some("a•••@example.com")),
            ("éva.long@example.com", Some("é•••@example.com")),
            ("\"a@b\"@example.com", Some("\"•••@example.com")),
            ("@example.com", None),
            ("ada", None),
            ("ada@", None),
            ("", None),
        ] {
            assert_eq!(masked(email).as_deref(), shown, "{email}");
        }
    }
}
