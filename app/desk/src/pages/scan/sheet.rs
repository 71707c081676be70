//! The sheet of command codes, to print.

use crate::{
    components::{condition_text, disposition_text},
    visit::{HandlerResult, Visit},
};
use axum::{http::header::CONTENT_TYPE, response::IntoResponse};
use domain::{
    scanning::ScanCommand,
    stage::{Condition, Disposition},
};
use returns::{Scope, SheetWords};

pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Receive)?;
    let words = visit.words.scan;
    let caption = |command| match command {
        ScanCommand::Done => words.done.to_owned(),
        ScanCommand::AllHere => words.all_here.to_owned(),
        ScanCommand::TakeBack => words.sheet_take_back.to_owned(),
        ScanCommand::Damaged => condition_text(Condition::Damaged, words).to_owned(),
        ScanCommand::WrongItem => condition_text(Condition::WrongItem, words).to_owned(),
        ScanCommand::Restock => disposition_text(Disposition::Restock, words).to_owned(),
        ScanCommand::Refurbish => disposition_text(Disposition::Refurbish, words).to_owned(),
        ScanCommand::Photo => words.sheet_photo.to_owned(),
        ScanCommand::Count(units) => units.to_string(),
    };
    let sheet = SheetWords {
        language: visit.words.common.tag.to_owned(),
        title: words.sheet_title.to_owned(),
        advice: words.sheet_advice.to_owned(),
        captions: ScanCommand::all().map(caption).collect(),
    };
    let drawn = visit.retour.merchant(&staff).command_sheet(sheet).await.map_err(|error| visit.failed(&error))?;
    Ok(([(CONTENT_TYPE, "application/pdf")], drawn).into_response())
}
