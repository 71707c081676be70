//! Choosing the form of an answer by `Accept` (RFC 9110, 12.5.1).

use super::error::response;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::LabelFormat;

/// Forms of a label, the first one where it does not matter. Label printers' own language has no registered media
/// type: it comes under the name that it is asked for by.
const LABELS: [(&str, LabelFormat); 6] = [
    ("application/pdf", LabelFormat::Pdf),
    ("image/png", LabelFormat::Png),
    ("application/zpl", LabelFormat::Zpl),
    ("application/x-zpl", LabelFormat::Zpl),
    ("x-application/zpl", LabelFormat::Zpl),
    ("text/zpl", LabelFormat::Zpl),
];

/// What a label can be answered as, for the documentation.
pub const LABEL_TYPES: &[&str] =
    &["application/pdf", "image/png", "application/zpl", "application/x-zpl", "x-application/zpl", "text/zpl"];

/// The form of a label that a client asks for, and the name that it called it by.
#[derive(Debug, Clone, Copy)]
pub struct LabelType {
    name: &'static str,
    /// What to draw.
    pub format: LabelFormat,
}

impl LabelType {
    /// By the header; 406 where it allows none.
    pub fn of(headers: &HeaderMap) -> Result<Self, Response> {
        let ranges = ranges(headers);
        let quality = |name: &str| quality(&ranges, name);
        // The last of equals wins in `max_by_key`: so from the back.
        let best = LABELS.into_iter().rev().max_by_key(|(name, _)| quality(name)).filter(|(name, _)| quality(name) > 0);
        best.map(|(name, format)| Self { name, format }).ok_or_else(|| {
            let message = format!(
                "A label comes as one of {}: ask for one of these in Accept.",
                ["application/pdf", "image/png", "application/zpl"].join(", ")
            );
            response(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", &message, &[])
        })
    }

    /// A drawn label.
    pub fn answer(self, bytes: Vec<u8>) -> Response {
        let extension = match self.format {
            LabelFormat::Pdf => "pdf",
            LabelFormat::Png => "png",
            LabelFormat::Zpl => "zpl",
        };
        let name = format!("inline; filename=\"return-label.{extension}\"");
        let content_type = self.name.to_owned();
        let headers = [
            (header::CONTENT_TYPE, content_type),
            (header::CONTENT_DISPOSITION, name),
            (header::VARY, "Accept".to_owned()),
        ];
        (headers, bytes).into_response()
    }
}

/// Media ranges with their quality in thousandths. Without the header everything is welcome.
fn ranges(headers: &HeaderMap) -> Vec<(String, u32)> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<(String, u32)> = values.flat_map(|value| value.split(',')).filter_map(range).collect();
    if ranges.is_empty() { vec![("*/*".to_owned(), 1_000)] } else { ranges }
}

fn range(text: &str) -> Option<(String, u32)> {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    Some((name, weight.map_or(Some(1_000), thousandths)?))
}

/// `0.5` as 500; what is no weight makes the range none.
fn thousandths(weight: &str) -> Option<u32> {
    let (whole, rest) = weight.split_once('.').unwrap_or((weight, ""));
    let digits = rest.len() <= 3 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let fraction: u32 = if digits { format!("{rest:0<3}").parse().ok()? } else { return None };
    match (whole, fraction) {
        ("0", fraction) => Some(fraction),
        ("1", 0) => Some(1_000),
        _ => None,
    }
}

/// How welcome a media type is: the closest range decides.
fn quality(ranges: &[(String, u32)], name: &str) -> u32 {
    let group = name.split('/').next().unwrap_or_default();
    let closeness = |range: &str| match range {
        _ if range == name => 3,
        _ if range.strip_suffix("/*") == Some(group) => 2,
        "*/*" | "*" => 1,
        _ => 0,
    };
    let closest = ranges.iter().filter(|(range, _)| closeness(range) > 0).max_by_key(|(range, _)| closeness(range));
    closest.map_or(0, |(_, quality)| *quality)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn asked(accept: &str) -> Option<(&'static str, LabelFormat)> {
        let mut headers = HeaderMap::new();
        if !accept.is_empty() {
            headers.insert(header::ACCEPT, accept.parse().unwrap());
        }
        LabelType::of(&headers).ok().map(|chosen| (chosen.name, chosen.format))
    }

    #[test]
    fn the_form_that_is_welcome_most_is_chosen() {
        let pdf = Some(("application/pdf", LabelFormat::Pdf));
        let png = Some(("image/png", LabelFormat::Png));
        let cases = [
            ("", pdf),
            ("*/*", pdf),
            ("text/html,application/xhtml+xml,image/avif,image/apng,*/*;q=0.8", pdf),
            ("image/png", png),
            ("IMAGE/*", png),
            ("application/pdf;q=0.5, image/png;q=0.9", png),
            ("application/pdf;q=0, */*", png),
            ("application/zpl", Some(("application/zpl", LabelFormat::Zpl))),
            ("x-application/zpl", Some(("x-application/zpl", LabelFormat::Zpl))),
            ("text/*", Some(("text/zpl", LabelFormat::Zpl))),
            ("image/jpeg", None),
            ("*/*;q=0", None),
            ("application/json, text/html;q=0.9", None),
            ("image/png;q=2, application/pdf;q=0.1", pdf),
        ];
        for (accept, expected) in cases {
            assert_eq!(asked(accept), expected, "{accept}");
        }
    }
}
