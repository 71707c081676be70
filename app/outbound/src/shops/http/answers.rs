//! The component's responses, read and checked.

use crate::{
    bridge::{
        BridgeError, CarrierLabel, Labelled, LookUp, Resolved, check_label, check_resolution,
        contract::{
            Credentials, GetLabel, LabelStatus, MadeLabel, Purchases, Resolution, ResolutionStatus, ResolveReturn,
        },
        decode_label, ensure_valid, one_line, parse_answer, success_body, verified,
    },
    http::HttpResponse,
};
use domain::Timestamp;

/// Reads the answer to `get-purchases`.
pub(super) fn look_up(response: HttpResponse, asked: &Credentials, now: Timestamp) -> Result<LookUp, BridgeError> {
    if response.status == 404 {
        return Ok(LookUp::NotFound);
    }
    let found: Purchases = parse_answer(&success_body(response, now)?)?;
    verified(found, asked)
}

/// Reads the answer to `resolve-return`.
pub(super) fn resolution(
    response: HttpResponse,
    asked: &ResolveReturn,
    now: Timestamp,
) -> Result<Resolved, BridgeError> {
    let answer: Resolution = parse_answer(&success_body(response, now)?)?;
    let reason = answer.reason.as_deref().map(one_line).unwrap_or_default();
    ensure_valid(check_resolution(&answer, asked, &reason))?;
    let external_reference = answer.external_reference.filter(|text| !text.trim().is_empty());
    Ok(match answer.status {
        ResolutionStatus::Completed => Resolved::Completed { external_reference },
        ResolutionStatus::Pending => Resolved::Pending { external_reference },
        ResolutionStatus::Failed => Resolved::Failed { external_reference, reason },
    })
}

/// Reads the answer to `get-label`.
pub(super) fn label(response: HttpResponse, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
    let answer: MadeLabel = parse_answer(&success_body(response, now)?)?;
    let reason = answer.reason.as_deref().map(one_line).unwrap_or_default();
    ensure_valid(check_label(&answer, asked, &reason))?;
    match answer.status {
        LabelStatus::Pending => Ok(Labelled::Pending),
        LabelStatus::Failed => Ok(Labelled::Failed { code: trimmed(answer.error_code).unwrap_or_default(), reason }),
        LabelStatus::Created => created(answer).map(|label| Labelled::Created(Box::new(label))),
    }
}

fn created(answer: MadeLabel) -> Result<CarrierLabel, BridgeError> {
    let file = answer.label.as_ref().map(decode_label).transpose().map_err(BridgeError::BadAnswer)?;
    let tracking_number = trimmed(answer.tracking_number).unwrap_or_default();
    Ok(CarrierLabel {
        file,
        qr_code: trimmed(answer.qr_code),
        barcode: trimmed(answer.barcode).unwrap_or_else(|| tracking_number.clone()),
        carrier: trimmed(answer.carrier).unwrap_or_default(),
        tracking_number,
        tracking_url: trimmed(answer.tracking_url).unwrap_or_default(),
        reference: None,
    })
}

/// A text without the spaces around it; `None` if nothing is left.
fn trimmed(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
