//! Who else looks at a return.

use crate::problem::Problem;
use leptos::{prelude::*, server_fn::codec::PostUrl};
use serde::{Deserialize, Serialize};
use ui::calls::{Fetch, Json};

/// Who else looks at a return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// A sentence about each of them.
    pub sentences: Vec<String>,
}

/// Says that the person still looks at a return, and maybe writes something, by the same use case as
/// `POST /return-orders/<id>/visits`.
#[server(prefix = "/desk/call", endpoint = "look", input = PostUrl, output = Json, client = Fetch)]
pub async fn look(#[server(default)] order: String, #[server(default)] writing: String) -> Result<Seen, Problem> {
    use super::{
        call::{Call, Next},
        presence_step,
    };
    let (call, visit) = Call::begin().await?;
    let result = presence_step::look(&visit, &order, !writing.is_empty()).await;
    let next = Next::here(&visit);
    call.answer_with(result.map(|sentences| Seen { sentences }), next)
}
