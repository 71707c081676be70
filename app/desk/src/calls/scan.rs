//! Scanning and receiving parcels.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use serde::{Deserialize, Serialize};
use ui::calls::{Fetch, Json};

/// What a parcel that was counted is followed by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The sentence to show.
    pub said: String,
}

/// Looks a scanned code up, by the same use case as `GET /scan`: it opens a parcel, counts an item or is a command.
#[server(prefix = "/desk/call", endpoint = "scan", input = PostUrl, output = Json, client = Fetch)]
pub async fn scan(#[server(default)] code: String, #[server(default)] open: String) -> Result<NextPage, Problem> {
    use super::{call::Call, station};
    let (call, visit) = Call::begin().await?;
    let result = station::scan(&visit, &code, &open).await;
    call.answer(result)
}

/// Receives the parcel on the table, by the same use case as `POST /return-orders/<id>/receivings`.
#[server(prefix = "/desk/call", endpoint = "receive", input = PostUrl, output = Json, client = Fetch)]
pub async fn receive(#[server(default)] open: String) -> Result<Counted, Problem> {
    use super::{call::Call, station};
    let (call, visit) = Call::begin().await?;
    let result = station::receive(&visit, &open).await;
    let next = station::ready(&visit, result.as_ref().map(String::as_str).unwrap_or_default());
    call.answer_with(result.map(|said| Counted { said }), next)
}

/// Counts everything that is expected in the parcel on the table.
#[server(prefix = "/desk/call", endpoint = "all-here", input = PostUrl, output = Json, client = Fetch)]
pub async fn all_here(#[server(default)] open: String) -> Result<NextPage, Problem> {
    use super::{call::Call, station};
    let (call, visit) = Call::begin().await?;
    let result = station::all_here(&visit, &open).await;
    call.answer(result)
}

/// Takes the last parcel of the person back, by the same use case as `POST …/receivings/<id>/reverse`.
#[server(prefix = "/desk/call", endpoint = "take-back", input = PostUrl, output = Json, client = Fetch)]
pub async fn take_back() -> Result<NextPage, Problem> {
    use super::{call::Call, station};
    let (call, visit) = Call::begin().await?;
    let result = station::take_back(&visit).await;
    call.answer(result)
}

/// Records a parcel without papers, by the same use case as `POST /found-parcels`.
#[server(prefix = "/desk/call", endpoint = "record-found", input = PostUrl, output = Json, client = Fetch)]
pub async fn record_found(
    #[server(default)] found_code: String,
    #[server(default)] carrier: String,
    #[server(default)] contents: String,
    #[server(default)] note: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, found};
    use returns::NewFoundParcel;
    let (call, visit) = Call::begin().await?;
    let result = found::record(&visit, NewFoundParcel { code: found_code, carrier, contents, note }).await;
    call.answer(result)
}

/// Says which return a parcel without papers belongs to, by the same use case as `PATCH /found-parcels/<id>`.
#[server(prefix = "/desk/call", endpoint = "match-found", input = PostUrl, output = Json, client = Fetch)]
pub async fn match_found(
    #[server(default)] parcel: String,
    #[server(default)] version: String,
    #[server(default)] return_number: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, found};
    let (call, visit) = Call::begin().await?;
    let result = found::match_to(&visit, &parcel, &version, return_number.trim()).await;
    call.answer(result)
}

/// Closes a parcel without papers, by the same use case as `PATCH /found-parcels/<id>`.
#[server(prefix = "/desk/call", endpoint = "close-found", input = PostUrl, output = Json, client = Fetch)]
pub async fn close_found(
    #[server(default)] parcel: String,
    #[server(default)] version: String,
    #[server(default)] why: String,
) -> Result<NextPage, Problem> {
    use super::{call::Call, found};
    let (call, visit) = Call::begin().await?;
    let result = found::close(&visit, &parcel, &version, why).await;
    call.answer(result)
}
