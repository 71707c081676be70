//! Questions about returned items, and their answers.

use crate::base::{
    language::{Locale, Translated},
    nulls::null_as_default,
    refusal::{Problems, RefusalCode},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The maximum number of questions per reason.
pub const MAX_QUESTIONS: usize = 10;
/// The maximum number of answers that a question can offer.
pub const MAX_OPTIONS: usize = 20;
/// The longest answer in a consumer's own words, characters.
pub const MAX_ANSWER_CHARS: usize = 500;
const MAX_TEXT_CHARS: usize = 300;
const MAX_KEY_CHARS: usize = 40;

/// The identifier of a question or an offered answer: `zip`, `too-small`. 1 to 40 characters of `a-z`, `0-9`, `-` and
/// `_`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "openapi", schemars(rename = "Key", with = "String", extend("pattern" = "^[a-z0-9_-]{1,40}$"), example = "where"))]
pub struct QuestionKey(String);

impl QuestionKey {
    /// Parses a key; `None` if it is too long or has other characters.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        let is_key = (1..=MAX_KEY_CHARS).contains(&text.len()) && text.bytes().all(fits);
        is_key.then(|| Self(text.to_owned()))
    }

    /// The key as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for QuestionKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("expected 1 to 40 of the characters a-z, 0-9, - and _")
    }
}

impl From<QuestionKey> for String {
    fn from(key: QuestionKey) -> Self {
        key.0
    }
}

impl fmt::Display for QuestionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A question that the consumer sees after choosing a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    /// Its identifier, unique among the questions of its reason.
    pub id: QuestionKey,
    /// What the consumer reads, by language: 1 to 300 characters in each.
    #[cfg_attr(
        feature = "openapi",
        schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 300}))
    )]
    pub text: Translated,
    /// The answers to choose from, 2 to 20 options; empty: the consumer answers in their own words.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schemars(length(max = 20), extend("not" = {"minItems": 1, "maxItems": 1})))]
    pub options: Vec<AnswerOption>,
    /// Whether a consumer's draft needs an answer. A draft that the merchant makes needs none.
    #[serde(default, deserialize_with = "null_as_default")]
    pub required: bool,
}

/// One of the answers that a question offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerOption {
    /// Its identifier, unique among the options of its question.
    pub id: QuestionKey,
    /// What the consumer reads, by language: 1 to 300 characters in each.
    #[cfg_attr(
        feature = "openapi",
        schemars(extend("minProperties" = 1, "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": 300}))
    )]
    pub text: Translated,
}

/// Problems of a reason's questions.
pub fn check(questions: &[Question]) -> Problems {
    let mut problems = Problems::default();
    if questions.len() > MAX_QUESTIONS {
        problems.add("questions", RefusalCode::OutOfRange, format!("expected at most {MAX_QUESTIONS} questions"));
    }
    check_once(&mut problems, "questions", questions.iter().map(|question| &question.id));
    for (index, question) in questions.iter().take(MAX_QUESTIONS).enumerate() {
        let field = format!("questions[{index}]");
        problems.0.extend(question.text.check(&format!("{field}.text"), 1, MAX_TEXT_CHARS).0);
        let options = format!("{field}.options");
        if question.options.len() == 1 || question.options.len() > MAX_OPTIONS {
            let message = format!("expected 2 to {MAX_OPTIONS} answers to choose from, or none");
            problems.add(options.as_str(), RefusalCode::OutOfRange, message);
        }
        check_once(&mut problems, &options, question.options.iter().map(|option| &option.id));
        for (index, option) in question.options.iter().take(MAX_OPTIONS).enumerate() {
            problems.0.extend(option.text.check(&format!("{options}[{index}].text"), 1, MAX_TEXT_CHARS).0);
        }
    }
    problems
}

fn check_once<'a>(problems: &mut Problems, field: &str, keys: impl Iterator<Item = &'a QuestionKey>) {
    let mut known = Vec::new();
    for (index, key) in keys.enumerate() {
        if known.contains(&key) {
            problems.add(format!("{field}[{index}].id"), RefusalCode::NotAllowed, "expected each id once");
        }
        known.push(key);
    }
}

/// An answer as a caller sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "AnswerInput"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GivenAnswer {
    /// The id of the question that is answered.
    pub question_id: QuestionKey,
    /// The `id` of one of its options, or, where it has none, the consumer's own words: at most 500 characters. Empty: no
    /// answer.
    #[cfg_attr(feature = "openapi", schemars(length(max = 500)))]
    pub value: String,
}

/// An answer with its question. Both keep the texts of the time when the answer was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Answer"))]
#[serde(rename_all = "camelCase")]
pub struct QuestionAnswer {
    /// The id of the question within its return reason.
    pub question_id: QuestionKey,
    /// The question's text by language, as it was asked.
    pub question: Translated,
    /// The `id` of the option that was chosen, or the consumer's own words.
    pub value: String,
    /// What the chosen option says, by language; `null`: `value` is the consumer's own words.
    pub text: Option<Translated>,
}

impl QuestionAnswer {
    /// The answer as a caller would send it.
    pub fn given(&self) -> GivenAnswer {
        GivenAnswer { question_id: self.question_id.clone(), value: self.value.clone() }
    }

    /// The answer as people read it.
    pub fn words(&self, locale: &Locale) -> &str {
        self.text.as_ref().map_or(self.value.as_str(), |text| text.get(locale))
    }
}

/// The reason why an answer is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerError {
    /// The question is required.
    Missing,
    /// The question offers no such option.
    NotOffered,
    /// It is longer than [`MAX_ANSWER_CHARS`].
    TooLong,
}

impl Question {
    /// Checks an answer to this question; `None` if the answer is empty and not required.
    pub fn answer(&self, given: &str) -> Result<Option<QuestionAnswer>, AnswerError> {
        let given: String = given.chars().filter(|&c| c == '\n' || !is_hidden(c)).collect();
        let given = given.trim();
        if given.is_empty() {
            return if self.required { Err(AnswerError::Missing) } else { Ok(None) };
        }
        let answer = |value: String, text| {
            Some(QuestionAnswer { question_id: self.id.clone(), question: self.text.clone(), value, text })
        };
        if self.options.is_empty() {
            if given.chars().count() > MAX_ANSWER_CHARS {
                return Err(AnswerError::TooLong);
            }
            return Ok(answer(given.to_owned(), None));
        }
        let chosen = self.options.iter().find(|option| option.id.as_str() == given).ok_or(AnswerError::NotOffered)?;
        Ok(answer(chosen.id.0.clone(), Some(chosen.text.clone())))
    }
}

/// Invisible characters, and characters that change the direction of the text behind them.
fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{200B}' | '\u{FEFF}')
}

/// The answers to a reason's questions, in the order of the questions; or the problems by question.
pub fn answers<'a>(
    questions: &[Question],
    given: impl Fn(&QuestionKey) -> Option<&'a str>,
) -> Result<Vec<QuestionAnswer>, Vec<(QuestionKey, AnswerError)>> {
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for question in questions {
        match question.answer(given(&question.id).unwrap_or_default()) {
            Ok(answer) => answers.extend(answer),
            Err(why) => wrong.push((question.id.clone(), why)),
        }
    }
    if wrong.is_empty() { Ok(answers) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> QuestionKey {
        QuestionKey::parse(text).unwrap()
    }

    fn question(id: &str, options: &[&str], required: bool) -> Question {
        let option = |text: &&str| AnswerOption { id: key(text), text: Translated::en(text) };
        let options = options.iter().map(option).collect();
        Question { id: key(id), text: Translated::en(id), options, required }
    }

    #[test]
    fn keys_are_short_names() {
        for text in ["zip", "too-small_1", "0"] {
            assert_eq!(QuestionKey::parse(text).unwrap().as_str(), text);
            assert_eq!((key(text).to_string().as_str(), String::from(key(text)).as_str()), (text, text));
        }
        for text in ["", "Zip", "a b", "ü", &"a".repeat(41)] {
            assert_eq!(QuestionKey::parse(text), None, "{text}");
        }
        assert!(serde_json::from_str::<QuestionKey>("\"a.b\"").is_err());
    }

    #[test]
    fn only_answers_to_known_questions_are_kept() {
        let questions = [question("where", &["zip", "seam"], true), question("how", &[], false)];
        let answer = |pairs: &[(&'static str, &'static str)]| {
            let pairs = pairs.to_vec();
            answers(&questions, move |id| pairs.iter().find(|(of, _)| *of == id.as_str()).map(|(_, value)| *value))
        };
        let given = answer(&[("how", " it\0 \u{202E}tore \0"), ("where", "zip"), ("nonsense", "x")]).unwrap();
        let said: Vec<_> = given.iter().map(|one| (one.question_id.as_str(), one.value.as_str())).collect();
        assert_eq!(said, [("where", "zip"), ("how", "it tore")]);
        assert_eq!(given[0].words(&Locale::default()), "zip");
        assert_eq!((given[0].text.is_some(), given[1].text.is_some()), (true, false));
        assert_eq!(answer(&[("where", "seam"), ("how", "  ")]).unwrap().len(), 1, "blank is no answer");
        assert_eq!(answer(&[("where", "\0\u{200B}")]).unwrap_err(), [(key("where"), AnswerError::Missing)]);
        assert_eq!(answer(&[("where", "sole")]).unwrap_err(), [(key("where"), AnswerError::NotOffered)]);
        let longest = "x".repeat(MAX_ANSWER_CHARS);
        assert!(questions[1].answer(&longest).is_ok());
        let long = "x".repeat(MAX_ANSWER_CHARS + 1);
        let wrong = answers(&questions, |id| (id.as_str() == "how").then_some(long.as_str())).unwrap_err();
        assert_eq!(wrong, [(key("where"), AnswerError::Missing), (key("how"), AnswerError::TooLong)]);
    }

    #[test]
    fn questions_are_bounded_and_named_once() {
        let problems = |questions: &[Question]| -> Vec<String> {
            check(questions).0.into_iter().map(|(field, _)| field).collect()
        };
        assert_eq!(problems(&[question("a", &["x", "y"], true), question("b", &[], false)]), [""; 0]);
        assert_eq!(
            problems(&[question("a", &["x"], true), question("a", &[], false)]),
            ["questions[1].id", "questions[0].options"]
        );
        assert_eq!(problems(&[question("a", &["x", "x"], true)]), ["questions[0].options[1].id"]);
        let nameless = Question { text: Translated::default(), ..question("a", &[], true) };
        assert_eq!(problems(&[nameless]), ["questions[0].text"]);
        let many: Vec<Question> = (0..=MAX_QUESTIONS).map(|number| question(&number.to_string(), &[], false)).collect();
        assert_eq!(problems(&many), ["questions"]);
        assert_eq!(problems(&many[1..]), [""; 0]);
        let ids: Vec<String> = (0..MAX_OPTIONS + 2).map(|number| number.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        for (count, expected) in [(2, 0), (MAX_OPTIONS, 0), (MAX_OPTIONS + 1, 1), (MAX_OPTIONS + 2, 1)] {
            assert_eq!(
                problems(&[question("a", &ids[..count], true)]),
                ["questions[0].options"][..expected],
                "{count}"
            );
        }
    }
}
