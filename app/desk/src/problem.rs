//! What server functions return: the next page, in some cases what a browser asks for a passkey with, or a problem.

use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};
use ui::calls::{Failure, JsonText};

/// The page where the person continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextPage {
    /// The path of the page, with its query.
    pub href: String,
}

/// What a browser makes a passkey from, or asks for one with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyOptions {
    /// The options in JSON, as the browser parses them.
    pub options: String,
}

/// A field that has to be corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// The name of the field in its form.
    pub field: String,
    /// What is wrong and what is allowed, in the words of the page.
    pub text: String,
}

impl Mistake {
    /// A mistake of a field.
    pub fn new(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { field: field.into(), text: text.into() }
    }
}

/// Why a function did not succeed. Texts are sentences in the words of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Problem {
    /// Fields to correct. A form is shown again with what was typed.
    Mistakes(Vec<Mistake>),
    /// A rule refuses it. A form is shown again with what was typed, below this sentence.
    Refused(String),
    /// Somebody else has changed it since the page was shown. Likewise.
    Changed(String),
    /// Nobody is signed in.
    SignedOut,
    /// The person has to enter a factor again first.
    StepUp,
    /// The person's role does not allow it.
    Forbidden,
    /// There is no such thing, or it belongs to another account.
    NotThere,
    /// Too many attempts.
    TooMany {
        /// When the next attempt is accepted, seconds from now.
        seconds: i64,
    },
    /// The request could not be read.
    Unreadable,
    /// An error of the server.
    Broken,
}

impl Problem {
    /// One field has to be corrected.
    pub fn mistake(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Mistakes(vec![Mistake::new(field, text)])
    }
}

/// Of the framework's own errors only their kind is public.
impl FromServerFnError for Problem {
    type Encoder = JsonText;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match Failure::of(error) {
            Failure::Unreadable => Self::Unreadable,
            Failure::Broken => Self::Broken,
        }
    }
}
