//! The secret keys of the command line. Clap's own message repeats a wrong value, so this parser has a message without it.

use clap::{
    Arg, Command, Error,
    builder::{StringValueParser, TypedValueParser},
    error::ErrorKind,
};
use returns::SecretKeys;
use std::ffi::OsStr;

/// Parses `--secret-key` and never prints what it got.
#[derive(Debug, Clone)]
pub(super) struct SecretKeyParser;

impl TypedValueParser for SecretKeyParser {
    type Value = SecretKeys;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<SecretKeys, Error> {
        let wrong = |message: String| {
            Error::raw(ErrorKind::ValueValidation, format!("--secret-key (RETOUR_SECRET_KEY): {message}\n"))
                .with_cmd(command)
        };
        let text =
            StringValueParser::new().parse_ref(command, None, value).map_err(|_| wrong("expected UTF-8".to_owned()))?;
        text.parse().map_err(|error: returns::SecretKeysError| wrong(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_key_is_refused_and_not_printed() {
        let parse = |text: &str| SecretKeyParser.parse_ref(&Command::new("retour"), None, OsStr::new(text));
        let good = "0123456789abcdef0123456789abcdef";
        assert!(parse(good).is_ok() && parse("").is_ok());
        let message = parse(&format!("{good},short-one")).unwrap_err().to_string();
        assert!(message.contains("RETOUR_SECRET_KEY") && message.contains("at least 32"), "{message}");
        assert!(!message.contains(good) && !message.contains("short-one"), "{message}");
    }
}
