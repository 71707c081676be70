//! What the functions for parcels without papers do on the server.

use super::{call::Next, return_order_steps::hidden, station};
use crate::{
    problem::{Mistake, Problem},
    visit::Visit,
};
use domain::FoundParcelId;
use returns::{ClosedFoundParcel, Done, FoundParcelChange, NewFoundParcel, PatchField, Scope, Staff};
use ui::text::format;

/// Records a parcel.
pub async fn record(visit: &Visit, parcel: NewFoundParcel) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.scan, visit.may_act(Scope::Receive)?);
    match visit.retour.merchant(&staff).create_found_parcel(parcel, visit.key()).await {
        Ok(Done::Fresh { value, .. }) => Ok(station::ready(visit, &format(words.found_saved, &[&value.number]))),
        Ok(Done::Replayed(_)) => Ok(station::ready(visit, "")),
        Err(error) => Err(match visit.problem(error) {
            // The page has another field `code`.
            Problem::Mistakes(mistakes) => Problem::Mistakes(mistakes.into_iter().map(of_found).collect()),
            problem => problem,
        }),
    }
}

fn of_found(mistake: Mistake) -> Mistake {
    if mistake.field == "code" { Mistake { field: "found_code".to_owned(), ..mistake } } else { mistake }
}

/// Matches a parcel to the return with this number, whose parcel is then on the table.
pub async fn match_to(visit: &Visit, parcel: &str, version: &str, number: &str) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.found, visit.may_act(Scope::Receive)?);
    let found = station::find(visit, &staff, number).await.map_err(|error| visit.problem(error))?;
    let Some(order) = found else { return Err(Problem::mistake("return_number", words.no_return)) };
    let change = FoundParcelChange { return_order_id: PatchField(Some(order.id)), ..FoundParcelChange::default() };
    let changed = change_found(visit, &staff, parcel, version, change).await?;
    let said = format(words.matched_to, &[&changed, &order.number]);
    Ok(Next::at(station::opening(visit, &order.number)).saying(said))
}

/// Closes a parcel, with the reason as its note.
pub async fn close(visit: &Visit, parcel: &str, version: &str, why: String) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.found, visit.may_act(Scope::Receive)?);
    let note = Some(why).filter(|why| !why.trim().is_empty());
    let change = FoundParcelChange {
        status: PatchField(Some(ClosedFoundParcel::Closed)),
        note: PatchField(note),
        ..FoundParcelChange::default()
    };
    let changed = change_found(visit, &staff, parcel, version, change).await.map_err(|problem| match problem {
        Problem::Mistakes(mistakes) => {
            let field = |mistake: Mistake| Mistake { field: "why".to_owned(), ..mistake };
            Problem::Mistakes(mistakes.into_iter().map(field).collect())
        }
        problem => problem,
    })?;
    Ok(Next::here(visit).saying(format(words.is_closed, &[&changed])))
}

/// Changes a parcel. Its number.
async fn change_found(
    visit: &Visit,
    staff: &Staff,
    parcel: &str,
    version: &str,
    change: FoundParcelChange,
) -> Result<String, Problem> {
    let id: FoundParcelId = hidden(parcel)?;
    let merchant = visit.retour.merchant(staff);
    let done = merchant.change_found_parcel(id, change, Some(hidden(version)?), visit.key()).await;
    match done.map_err(|error| visit.problem(error))? {
        Done::Fresh { value, .. } => Ok(value.number),
        // The form was sent twice.
        Done::Replayed(_) => {
            merchant.found_parcel(id).await.map(|one| one.number).map_err(|error| visit.problem(error))
        }
    }
}
