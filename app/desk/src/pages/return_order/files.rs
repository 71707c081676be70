//! Photos and labels of a return, as files.

use crate::visit::{HandlerResult, Visit, response::EarlyResponse};
use axum::{extract::Path, http::header, response::IntoResponse};
use domain::{EvidenceId, ReturnRequestId, ShipmentId};
use returns::{LabelFormat, PrintedLabel};

/// A part of the address that is an id. Other texts lead nowhere.
fn id_of<T: std::str::FromStr>(visit: &Visit, text: &str) -> Result<T, EarlyResponse> {
    text.parse().map_err(|_| visit.missing())
}

/// A photo or document of a request.
pub async fn photo(visit: Visit, Path((_, request, id)): Path<(String, String, String)>) -> HandlerResult {
    let request: ReturnRequestId = id_of(&visit, &request)?;
    let id: EvidenceId = id_of(&visit, &id)?;
    let staff = visit.reader()?;
    let file = visit.retour.merchant(&staff).evidence_file(request, id).await.map_err(|error| visit.failed(&error))?;
    let how = if file.media_type.starts_with("image/") { "inline" } else { "attachment" };
    let headers = [
        (header::CONTENT_TYPE, file.media_type),
        (header::CONTENT_DISPOSITION, how.to_owned()),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
    ];
    Ok((headers, file.bytes).into_response())
}

/// The label of a shipment, in the format that the address names: `?format=zpl`.
pub async fn label(visit: Visit, Path((number, id)): Path<(String, String)>) -> HandlerResult {
    let id: ShipmentId = id_of(&visit, &id)?;
    let staff = visit.reader()?;
    let asked = visit.query.get("format");
    let all = [LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl];
    let mut wanted: Vec<LabelFormat> = all.into_iter().filter(|format| format.extension() == asked).collect();
    wanted.extend(all);
    let label = visit.retour.merchant(&staff).label(id, &wanted).await.map_err(|error| visit.failed(&error))?;
    let PrintedLabel::File { format, bytes } = label else { return Err(visit.missing()) };
    let plain: String = number.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = format!("inline; filename=\"return-{plain}.{}\"", format.extension());
    let headers = [(header::CONTENT_TYPE, format.media_type().to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}
