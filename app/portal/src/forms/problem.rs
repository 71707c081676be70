//! What every server function returns: the next page, or a problem.

use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use ui::calls::{Failure, JsonText};

/// The page where the shopper continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextPage {
    /// The path of the page, with its query.
    pub href: String,
}

/// Why a function did not succeed. `M` are the mistakes that its fields can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")] // tagged by its name alone: other ways of tagging take 6 kB more of WebAssembly to read
pub enum Problem<M> {
    /// Fields to correct.
    Mistakes(Vec<M>),
    /// The session has no order: look one up first.
    SignedOut,
    /// The shop has no such thing, or it belongs to somebody else.
    NotThere,
    /// Too many attempts.
    TooMany {
        /// When the next attempt is accepted, seconds from now.
        seconds: i64,
    },
    /// Something has changed since the page was shown.
    Changed(Changed),
    /// The request could not be read.
    Unreadable,
    /// An error of the server.
    Broken,
}

/// What has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Changed {
    /// The draft has expired or was submitted.
    DraftOver,
    /// The amounts of the draft are outdated.
    Amounts,
    /// Fewer units are returnable.
    Quantities,
    /// The return can no longer be cancelled.
    TooLateToCancel,
}

/// Of the framework's own errors only their kind is public.
impl<M: Debug + Serialize + DeserializeOwned + 'static> FromServerFnError for Problem<M> {
    type Encoder = JsonText;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match Failure::of(error) {
            Failure::Unreadable => Self::Unreadable,
            Failure::Broken => Self::Broken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_the_framework_is_public() {
        let shown = |error| serde_json::to_value(Problem::<()>::from_server_fn_error(error)).unwrap();
        let secret = || "ada@example.com".to_owned();
        assert_eq!(shown(ServerFnErrorErr::Args(secret())), serde_json::json!("unreadable"));
        assert_eq!(shown(ServerFnErrorErr::Response(secret())), serde_json::json!("broken"));
    }

    #[test]
    fn problems_are_tagged() {
        let shown = |problem: Problem<u8>| serde_json::to_value(problem).unwrap();
        assert_eq!(shown(Problem::Mistakes(vec![7])), serde_json::json!({"mistakes": [7]}));
        let many = serde_json::json!({"tooMany": {"seconds": 9}});
        assert_eq!(shown(Problem::TooMany { seconds: 9 }), many);
        let changed = serde_json::json!({"changed": "draftOver"});
        assert_eq!(shown(Problem::Changed(Changed::DraftOver)), changed);
    }
}
