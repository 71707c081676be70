//! What the scan page's functions do on the server.

use super::{call::Next, parcel::Parcel};
use crate::{
    problem::{Mistake, Problem},
    visit::{Visit, reasons},
};
use domain::{
    Money,
    policy::ResolveOn,
    scanning::ScanCommand,
    stage::{Condition, Disposition, StageName},
};
use returns::{Done, Error, Expand, Listing, NewReceiving, Page, Scope, Staff, TakeBack, lists, view};
use std::collections::BTreeSet;
use ui::{
    money,
    text::{format, plural},
    web::form::Fields,
};

/// The page, ready for the next parcel.
pub fn ready(visit: &Visit, said: &str) -> Next {
    Next::at(visit.path("scan")).saying(said)
}

/// The return with this number, with its requests; `None` if there is none.
pub async fn find(visit: &Visit, staff: &Staff, number: &str) -> Result<Option<view::ReturnOrderView>, Error> {
    let Ok(condition) = lists::RETURN_ORDERS.condition(&format!("number:{number}")) else { return Ok(None) };
    let listing = Listing { conditions: vec![condition], ..Listing::newest(Page::first(1)) };
    let found = visit.retour.merchant(staff).return_orders(&listing, &[Expand::ReturnRequests]).await?;
    Ok(found.data.into_iter().next())
}

/// The parcel on the table, as the form says.
async fn opened(visit: &Visit, staff: &Staff, number: &str) -> Result<(view::ReturnOrderView, Parcel), Problem> {
    let found = find(visit, staff, number).await.map_err(|error| visit.problem(error))?;
    let order = found.ok_or(Problem::NotThere)?;
    let parcel = Parcel::read(&order, &fields(visit), visit.words.scan);
    Ok((order, parcel))
}

fn fields(visit: &Visit) -> Fields {
    visit.form.as_ref().map(|form| form.fields.clone()).unwrap_or_default()
}

fn show(visit: &Visit, parcel: &Parcel) -> Next {
    Next::at(format!("{}?{}", visit.path("scan"), parcel.query(visit.words.scan)))
}

pub async fn scan(visit: &Visit, code: &str, open: &str) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.scan, visit.may_act(Scope::Receive)?);
    if code.trim().is_empty() && !open.is_empty() {
        // Enter was pressed in another field.
        return opened(visit, &staff, open).await.map(|(_, parcel)| show(visit, &parcel));
    }
    let table = if open.is_empty() { None } else { Some(opened(visit, &staff, open).await?) };
    let order = table.as_ref().map(|(order, _)| order.id);
    let found = match visit.retour.merchant(&staff).scan(code, order).await {
        Err(Error::Invalid(_)) => return Err(Problem::mistake("code", words.unknown)),
        found => found.map_err(|error| visit.problem(error))?,
    };
    if let Some(command) = found.command.as_ref().and_then(|_| ScanCommand::of_code(&found.code)) {
        return obey(visit, command, table.map(|(_, parcel)| parcel)).await;
    }
    let product = found.matches.iter().find_map(|one| one.return_request_id);
    if let (Some(request), Some((_, mut parcel))) = (product, table.clone())
        && let Some(place) = parcel.items.iter().position(|item| item.request.id == request)
    {
        parcel.add_one(place);
        return Ok(show(visit, &parcel));
    }
    let numbers: BTreeSet<&str> = found.matches.iter().map(|one| one.return_order_number.as_str()).collect();
    match (numbers.len(), found.matches.first()) {
        (_, None) => Err(Problem::mistake("code", words.unknown)),
        (1, Some(one)) => {
            let is_other = one.return_order_number != open;
            match table {
                Some((_, parcel)) if is_other && parcel.is_begun() => {
                    Err(Problem::mistake("code", format(words.another_open, &[open])))
                }
                Some((_, parcel)) if !is_other => Ok(show(visit, &parcel)),
                _ => Ok(Next::at(opening(visit, &one.return_order_number))),
            }
        }
        _ => {
            let numbers: Vec<&str> = numbers.into_iter().collect();
            let choose = ui::web::form::encoded(&numbers.join(","));
            Ok(Next::at(format!("{}?choose={choose}", visit.path("scan"))))
        }
    }
}

/// The address that opens a return's parcel.
pub fn opening(visit: &Visit, number: &str) -> String {
    format!("{}?open={}", visit.path("scan"), ui::web::form::encoded(number))
}

/// Does what a command code says.
async fn obey(visit: &Visit, command: ScanCommand, parcel: Option<Parcel>) -> Result<Next, Problem> {
    let words = visit.words.scan;
    if command == ScanCommand::TakeBack {
        // The parcel that is taken back would replace the one on the table, and what is counted of it.
        return match parcel.filter(Parcel::is_begun) {
            Some(open) => Err(Problem::Refused(format(words.another_open, &[&open.number]))),
            None => take_back(visit).await,
        };
    }
    let Some(mut parcel) = parcel else { return Err(Problem::mistake("code", words.no_parcel)) };
    let number = parcel.number.clone();
    match command {
        ScanCommand::Done => {
            if !parcel.is_begun() {
                parcel.count_all();
            }
            let said = receive_parcel(visit, &number, &parcel).await?;
            return Ok(ready(visit, &said));
        }
        ScanCommand::AllHere => {
            parcel.count_all();
            return Ok(show(visit, &parcel));
        }
        ScanCommand::Photo => return Err(Problem::mistake("code", words.photo_by_hand)),
        _ => {}
    }
    let Some(item) = parcel.current_mut() else { return Err(Problem::mistake("code", words.no_item)) };
    match command {
        ScanCommand::Damaged => item.refuse(Condition::Damaged, words.condition_damaged),
        ScanCommand::WrongItem => item.refuse(Condition::WrongItem, words.condition_wrong_item),
        ScanCommand::Restock => item.disposition = Some(Disposition::Restock),
        ScanCommand::Refurbish => item.disposition = Some(Disposition::Refurbish),
        ScanCommand::Count(units) => item.set_units(units),
        ScanCommand::Done | ScanCommand::AllHere | ScanCommand::Photo | ScanCommand::TakeBack => {}
    }
    Ok(show(visit, &parcel))
}

pub async fn all_here(visit: &Visit, open: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Receive)?;
    let (_, mut parcel) = opened(visit, &staff, open).await?;
    parcel.count_all();
    Ok(show(visit, &parcel))
}

/// Receives the parcel, and says what follows.
pub async fn receive(visit: &Visit, open: &str) -> Result<String, Problem> {
    let staff = visit.may_act(Scope::Receive)?;
    let (_, parcel) = opened(visit, &staff, open).await?;
    receive_parcel(visit, open, &parcel).await
}

async fn receive_parcel(visit: &Visit, open: &str, parcel: &Parcel) -> Result<String, Problem> {
    let staff = visit.may_act(Scope::Receive)?;
    let mistakes = mistakes(visit, parcel);
    if !mistakes.is_empty() {
        return Err(Problem::Mistakes(mistakes));
    }
    let order = find(visit, &staff, open).await.map_err(|error| visit.problem(error))?.ok_or(Problem::NotThere)?;
    let inspects = visit.account.policy.resolve_on == ResolveOn::Inspection;
    let items = parcel.received(inspects);
    // The key of the form: pressed twice is counted once.
    let key = fields(visit).get("key").to_owned();
    let external_reference = (1..=64).contains(&key.len()).then(|| format!("scan:{key}"));
    let received = NewReceiving { external_reference, items };
    let done = visit.retour.merchant(&staff).create_receiving(order.id, received, None).await;
    match done.map_err(|error| of_items(visit, parcel, error))? {
        Done::Fresh { value, .. } => Ok(outcome(visit, parcel, &value)),
        Done::Replayed(_) => Ok(format(visit.words.scan.saved, &[open])),
    }
}

fn mistakes(visit: &Visit, parcel: &Parcel) -> Vec<Mistake> {
    let words = visit.words.scan;
    let mut mistakes = Vec::new();
    for (place, item) in parcel.items.iter().enumerate() {
        let mut add = |field: &str, text: &str| mistakes.push(Mistake::new(format!("{field}{place}"), text));
        match (item.units.value(), item.refused.value()) {
            (None, _) => add("units-", words.number),
            (_, None) => add("refused-", words.number),
            (Some(units), Some(refused)) => {
                if refused > units.saturating_add(item.request.received_quantity) {
                    add("refused-", words.too_many_refused);
                }
                if item.inspects_too_early(parcel.is_last) {
                    add("units-", words.too_early);
                }
                if refused > 0 && item.why.trim().is_empty() {
                    add("why-", words.why_missing);
                }
            }
        }
    }
    if mistakes.is_empty() && !parcel.is_begun() {
        mistakes.push(Mistake::new("units-0", words.nothing_counted));
    }
    mistakes
}

/// The problem of an error that names items of the request, with the fields of the form.
fn of_items(visit: &Visit, parcel: &Parcel, error: Error) -> Problem {
    let counted: Vec<usize> = (0..parcel.items.len())
        .filter(|place| parcel.items.get(*place).is_some_and(|item| item.units.value() != Some(0)))
        .collect();
    let Error::Invalid(errors) = &error else { return visit.problem(error) };
    let field = |name: &str| {
        let (index, rest) = name.strip_prefix("items[")?.split_once(']')?;
        let place = counted.get(index.parse::<usize>().ok()?)?;
        let field = match rest {
            ".inspection.refused" => "refused-",
            ".inspection.note" => "why-",
            _ => "units-",
        };
        Some(format!("{field}{place}"))
    };
    let mistake = |error: &returns::FieldError| {
        let text = reasons::of_field(error, visit.words);
        Mistake::new(field(&error.field).unwrap_or_else(|| "units-0".to_owned()), text)
    };
    Problem::Mistakes(errors.iter().map(mistake).collect())
}

/// What the policy makes of the parcel, in a few sentences.
fn outcome(visit: &Visit, parcel: &Parcel, received: &view::Receiving) -> String {
    let words = visit.words.scan;
    let counted = |request: &&view::ReturnRequestView| {
        parcel.items.iter().any(|item| item.request.id == request.id && item.units.value() != Some(0))
    };
    let all: Vec<&view::ReturnRequestView> = received.return_requests.iter().filter(counted).collect();
    let in_stage = |stage: StageName| all.iter().filter(move |request| request.stage == stage);
    let mut said = vec![format(words.saved, &[&received.return_order_number])];
    let approved: Vec<_> = in_stage(StageName::ResolutionApproved).collect();
    let values: Option<Vec<Money>> = approved.iter().map(|request| request.resolution.value).collect();
    match values {
        Some(values) if !values.is_empty() => {
            let currency = values.iter().map(|value| value.currency).next();
            let sum = values.iter().fold(0_i64, |sum, value| sum.saturating_add(value.minor));
            said.extend(
                currency
                    .map(|currency| format(words.to_pay, &[&money::format(Money::new(sum, currency), visit.words)])),
            );
        }
        _ if !approved.is_empty() => said.push(words.approved.to_owned()),
        _ => {}
    }
    for (stage, sentence) in [
        (StageName::InspectionPending, words.to_inspect),
        (StageName::ResolutionPending, words.to_settle),
        (StageName::ResolutionDenied, words.denied),
    ] {
        let count = in_stage(stage).count();
        if count > 0 {
            said.push(plural(visit.words.common.tag, sentence, &[&count.to_string()]));
        }
    }
    let missing: u32 = in_stage(StageName::ReceivedPartial)
        .map(|request| request.quantity.saturating_sub(request.received_quantity))
        .fold(0, u32::saturating_add);
    if missing > 0 {
        said.push(plural(visit.words.common.tag, words.to_come, &[&missing.to_string()]));
    }
    said.join(" ")
}

pub async fn take_back(visit: &Visit) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.scan, visit.may_act(Scope::Receive)?);
    let tally = visit.retour.merchant(&staff).scan_tally().await.map_err(|error| visit.problem(error))?;
    let Some(last) = tally.last else { return Err(Problem::Refused(words.nothing_to_take_back.to_owned())) };
    let (order, id) = (last.return_order_id, last.id);
    // With the key of the form: pressed twice takes one parcel back, not the one before, too.
    let done = visit.retour.merchant(&staff).reverse_receiving(order, id, TakeBack::default(), visit.key()).await;
    let done = done.map_err(|error| match error {
        // The sentence says what stands in the way.
        Error::Refused(refusal) => Problem::Refused(reasons::of_rule(refusal.code, &refusal.message, visit.words)),
        error => visit.problem(error),
    })?;
    let number = match done {
        Done::Fresh { value, .. } => value.number,
        Done::Replayed(answer) => number_of(&answer.body).ok_or(Problem::Broken)?,
    };
    let said = format(words.taken_back, &[&number]);
    Ok(Next::at(opening(visit, &number)).saying(said))
}

/// The number of the return order in a stored answer.
fn number_of(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(body.get("number")?.as_str()?.to_owned())
}
