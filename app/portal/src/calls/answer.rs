//! Step 2, further: answers to what the shop asks about a reason. With photos they come as a multipart form to `/details`.

use super::{NextPage, Problem, json::Json, transport::Fetch};
use domain::{PurchaseId, question::Wrong};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use std::collections::BTreeMap;

/// A mistake in an answer: about which purchase, to which question, what.
pub type AnswerMistake = (PurchaseId, String, Wrong);

/// Keeps answers, and makes a draft of what is chosen. Fields are called `answer-<purchase>-<question>`.
#[server(prefix = "/call", endpoint = "answer", input = PostUrl, output = Json, client = Fetch)]
pub async fn answer(#[server(flatten)] answers: BTreeMap<String, String>) -> Result<NextPage, Problem<AnswerMistake>> {
    use crate::http::{Call, details};
    let (call, shop) = Call::begin()?;
    call.answer(details::answer(shop, answers).await)
}
