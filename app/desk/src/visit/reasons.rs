//! Why a use case refuses, in the words of the page. Where it has none, English says what the API says: it has more detail.

use crate::words::Words;
use domain::RefusalCode;
use returns::{Error, ErrorCode, FieldError};
use ui::{language::Language, text::format};

/// Why a field's value is refused.
pub fn of_field(field: &FieldError, words: &Words) -> String {
    if field.code == RefusalCode::Required {
        return words.common.required.to_owned();
    }
    if field.field == "email" && field.message.starts_with("expected an e-mail address") {
        return words.refusals.email.to_owned();
    }
    let said = bounds(&field.message, words);
    said.unwrap_or_else(|| of_rule(field.code, &field.message, words))
}

/// Why a rule refuses.
pub fn of_rule(code: RefusalCode, message: &str, words: &Words) -> String {
    if words.language() == Language::En {
        return sentence(message);
    }
    match limit_of(message).filter(|_| code == RefusalCode::AgentLimitExceeded) {
        Some(limit) => format(words.refusals.agent_limit_of, &[&limit]),
        None => of_code(code, words).to_owned(),
    }
}

/// The amount in a sentence of the API about a limit, such as "Agents decide about at most 40.00 EUR for each".
fn limit_of(message: &str) -> Option<String> {
    let mut rest = message.split_once("at most ")?.1.split(' ');
    let (value, currency) = (rest.next()?, rest.next()?);
    value.starts_with(|first: char| first.is_ascii_digit()).then(|| format!("{value}\u{a0}{currency}"))
}

/// What an error says that is no refusal of a rule.
pub fn of_error(error: &Error, words: &Words) -> String {
    let refusals = words.refusals;
    match error.code() {
        _ if words.language() == Language::En => sentence(&error.to_string()),
        ErrorCode::BridgeUnavailable | ErrorCode::BridgeTimedOut => refusals.shop_away.to_owned(),
        ErrorCode::ValidationFailed => refusals.search_too_broad.to_owned(),
        _ => refusals.other.to_owned(),
    }
}

/// A message of the API as a sentence of a page: with a capital letter and a full stop.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    std::format!("{first}{}{end}", letters.as_str())
}

/// The numbers of a sentence of the API, such as "expected at most 5 characters".
fn bounds(message: &str, words: &Words) -> Option<String> {
    let refusals = words.refusals;
    let said = message.strip_prefix("expected ")?;
    let said = said.split([',', ':']).next()?;
    let is_text = said.contains("characters");
    let parts: Vec<&str> = said
        .split(' ')
        .filter(|part| part.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    match parts.as_slice() {
        [most] if said.starts_with("at most ") => {
            Some(format(if is_text { refusals.characters } else { refusals.at_most }, &[most]))
        }
        [least, most] if said.contains(" to ") => {
            Some(format(if is_text { refusals.characters_between } else { refusals.between }, &[least, most]))
        }
        _ => None,
    }
}

fn of_code(code: RefusalCode, words: &Words) -> &'static str {
    let refusals = words.refusals;
    match code {
        RefusalCode::Required => words.common.required,
        RefusalCode::NotAllowed => refusals.not_allowed,
        RefusalCode::OutOfRange | RefusalCode::Overflow => refusals.out_of_range,
        RefusalCode::Mismatch | RefusalCode::OtherCurrency => refusals.mismatch,
        RefusalCode::IllegalTransition => refusals.illegal_transition,
        RefusalCode::StageConflict => words.common.changed,
        RefusalCode::QuantityExceeded => refusals.quantity_exceeded,
        RefusalCode::DraftOutdated => refusals.draft_outdated,
        RefusalCode::DraftExpired | RefusalCode::DraftRejected => refusals.draft_expired,
        RefusalCode::NotReturnable => refusals.not_returnable,
        RefusalCode::NotCancellable => refusals.not_cancellable,
        RefusalCode::TooLate => refusals.too_late,
        RefusalCode::ShipmentCancelled => refusals.shipment_cancelled,
        RefusalCode::LabelNotReady => refusals.label_not_ready,
        RefusalCode::CustomsDataMissing => refusals.customs_data,
        RefusalCode::InUse => refusals.in_use,
        RefusalCode::LimitReached => refusals.limit_reached,
        RefusalCode::EmailTaken => refusals.email_taken,
        RefusalCode::LastAdmin => refusals.last_admin,
        RefusalCode::Revoked => refusals.revoked,
        RefusalCode::Disabled => refusals.disabled,
        RefusalCode::NoMailServer => refusals.no_mail_server,
        RefusalCode::NoSecondFactor => refusals.no_second_factor,
        RefusalCode::AgentLimitExceeded => refusals.agent_limit,
        RefusalCode::NoHostName => refusals.no_host_name,
        RefusalCode::OtherOrder | RefusalCode::KnownUnderAnotherId | RefusalCode::NoSecretKey => refusals.other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_limit_in_the_words_of_the_page() {
        let message = "Agents decide about at most 40.00 EUR for each return request. Propose it.";
        let said = of_rule(RefusalCode::AgentLimitExceeded, message, Words::of(Language::De));
        assert!(said.contains("höchstens 40.00\u{a0}EUR"), "{said}");
        let said = of_rule(RefusalCode::AgentLimitExceeded, "Nobody approves their own.", Words::of(Language::De));
        assert_eq!(said, Words::of(Language::De).refusals.agent_limit);
    }

    #[test]
    fn bounds_of_the_api_s_sentences_are_found() {
        let words = Words::of(Language::En);
        for (message, said) in [
            ("expected at most 5", Some("Enter at most 5.")),
            ("expected at most 100 characters", Some("Use at most 100 characters.")),
            ("expected at most 100 characters, none of them NUL", Some("Use at most 100 characters.")),
            ("expected 12 to 200 characters of any kind", Some("Use 12 to 200 characters.")),
            ("expected a whole number from 1 to 5", Some("Enter a value from 1 to 5.")),
            ("expected an amount from -5.00 to 12.50 EUR", Some("Enter a value from -5.00 to 12.50.")),
            ("expected an amount from 0.00 to 12.50 EUR", Some("Enter a value from 0.00 to 12.50.")),
            ("expected an e-mail address of at most 320 characters", None),
            ("expected one line without control characters", None),
        ] {
            assert_eq!(bounds(message, words).as_deref(), said, "{message}");
        }
    }
}
