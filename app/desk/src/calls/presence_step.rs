//! Says that the person looks at a return, and who else does.

use super::return_order_steps::hidden;
use crate::{components::age_text, problem::Problem, visit::Visit};
use domain::ReturnOrderId;
use returns::{VisitInput, view::VisitView};
use ui::text::format;

/// A visit is of now for this long, in seconds.
const NOW_SECONDS: i64 = 60;

/// Records the visit. Sentences about the others.
pub async fn look(visit: &Visit, order: &str, is_writing: bool) -> Result<Vec<String>, Problem> {
    let (id, staff): (ReturnOrderId, _) = (hidden(order)?, visit.may_read()?);
    let visits = visit.retour.merchant(&staff).visit_return_order(id, VisitInput { is_writing }).await;
    Ok(sentences(visit, &visits.map_err(|error| visit.problem(error))?))
}

/// A sentence about each visitor.
pub fn sentences(visit: &Visit, visits: &[VisitView]) -> Vec<String> {
    let words = visit.words.return_order;
    let now = visit.retour.now().seconds();
    let sentence = |seen: &VisitView| {
        let name = seen.visitor_name.clone().unwrap_or_else(|| words.nobody.to_owned());
        let seconds = now - seen.seen_at.seconds();
        if seconds >= NOW_SECONDS {
            return format(words.looking, &[&name, &age_text(seconds, visit.words)]);
        }
        format(if seen.is_writing { words.writing } else { words.looking_now }, &[&name])
    };
    visits.iter().map(sentence).collect()
}
