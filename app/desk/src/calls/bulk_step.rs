//! Decides about the selected items.

use super::call::Next;
use crate::{
    problem::Problem,
    visit::{
        Visit,
        selection::{CONFIRMED_FROM, Decision, MOST_SELECTED, read},
    },
};
use returns::{BatchMove, Done, StatusUpdate, view::BatchOutcome};
use ui::{
    text::{format, plural},
    web::form::encoded,
};

/// What the form contains.
pub struct TypedDecision {
    pub requests: String,
    pub decision: String,
    pub comment: String,
    pub count: String,
    /// The query of the list that the person comes from.
    pub from: String,
}

/// Decides, and leads back to the list; if some items could not be decided, to the page that says why.
pub async fn decide(visit: &Visit, typed: &TypedDecision) -> Result<Next, Problem> {
    let staff = visit.may_decide()?;
    let words = visit.words.bulk;
    let decision = Decision::of(&typed.decision);
    let requests = read(&typed.requests);
    let comment = typed.comment.trim();
    if decision == Decision::Reject && comment.is_empty() {
        return Err(Problem::mistake("comment", words.comment_missing));
    }
    if requests.len() >= CONFIRMED_FROM && typed.count.trim() != requests.len().to_string() {
        return Err(Problem::mistake("count", words.count_wrong));
    }
    if requests.len() > MOST_SELECTED {
        return Err(Problem::mistake("count", format(words.too_many, &[&MOST_SELECTED.to_string()])));
    }
    let moves = requests.iter().filter_map(|(id, stage)| {
        let update = StatusUpdate {
            stage: decision.target(*stage)?,
            from_stage: Some(*stage),
            comment: comment.to_owned(),
            external_reference: None,
            instead: None,
            version: None,
        };
        Some(BatchMove { id: *id, update })
    });
    let moved = visit.retour.merchant(&staff).update_many(moves.collect(), visit.key()).await;
    let list =
        visit.path(&if typed.from.is_empty() { "returns".to_owned() } else { format!("returns?{}", typed.from) });
    let results = match moved.map_err(|error| visit.problem(error))? {
        Done::Fresh { value, .. } => value.results,
        // The form was sent twice: the first one has said what it did.
        Done::Replayed(_) => return Ok(Next::at(list)),
    };
    let failed: Vec<String> = results
        .iter()
        .filter(|result| result.outcome != BatchOutcome::Done)
        .map(|result| result.return_request_id.to_string())
        .collect();
    let (done, left) = ((results.len() - failed.len()).to_string(), failed.len().to_string());
    let language = visit.words.common.tag;
    if failed.is_empty() {
        return Ok(Next::at(list).saying(plural(language, words.done, &[&done])));
    }
    let why = format!("returns/bulk?do={}&r={}&from={}", decision.name(), failed.join(","), encoded(&typed.from));
    Ok(Next::at(visit.path(&why)).saying(plural(language, words.partly, &[&done, &left])))
}
