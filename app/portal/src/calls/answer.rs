//! Step 2, continued: answers to the shop's questions. With photos they are a multipart form to `/details` instead.

use crate::forms::{
    answers::AnswerMistake,
    problem::{NextPage, Problem},
};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use std::collections::BTreeMap;
use ui::calls::{Fetch, Json};

/// Saves answers and makes a draft of the selection. Fields are named `answer-<purchase>-<question>`.
#[server(prefix = "/call", endpoint = "answer", input = PostUrl, output = Json, client = Fetch)]
pub async fn answer(#[server(flatten)] answers: BTreeMap<String, String>) -> Result<NextPage, Problem<AnswerMistake>> {
    use super::{call::Call, steps::answer};
    let (call, shop) = Call::begin()?;
    call.answer(answer::answer(shop, answers).await)
}
