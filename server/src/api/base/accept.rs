//! The file type of a label, by `Accept` (RFC 9110, 12.5.1).

use super::error::response;
use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use returns::{LabelFormat, PrintedLabel};

/// The file types of a label. The first is the default. ZPL, the language of label printers, has no registered media type: it is answered under the
/// name that the client used.
const LABEL_FORMATS: [(&str, LabelFormat); 6] = [
    ("application/pdf", LabelFormat::Pdf),
    ("image/png", LabelFormat::Png),
    ("application/zpl", LabelFormat::Zpl),
    ("application/x-zpl", LabelFormat::Zpl),
    ("x-application/zpl", LabelFormat::Zpl),
    ("text/zpl", LabelFormat::Zpl),
];

/// The media types of a label in the document: one for each file type.
pub const LABEL_TYPES: &[&str] = &["application/pdf", "image/png", "application/zpl"];

/// The file types that a client accepts, under the client's names, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelTypes(Vec<(&'static str, LabelFormat)>);

impl LabelTypes {
    /// Reads `Accept`. If it allows no file type of a label, it is ignored (RFC 9110, 12.5.1), because generated clients accept only JSON wherever
    /// an error can be JSON.
    pub fn of(headers: &HeaderMap) -> Self {
        let ranges = ranges(headers);
        let mut accepted: Vec<_> = LABEL_FORMATS.into_iter().map(|one| (quality(&ranges, one.0), one)).collect();
        accepted.retain(|(quality, _)| *quality > 0);
        accepted.sort_by_key(|(quality, _)| std::cmp::Reverse(*quality)); // the sort is stable
        if accepted.is_empty() {
            return Self(LABEL_FORMATS.to_vec());
        }
        Self(accepted.into_iter().map(|(_, one)| one).collect())
    }

    /// The file types, best first.
    pub fn formats(&self) -> Vec<LabelFormat> {
        self.0.iter().map(|(_, format)| *format).collect()
    }

    /// The answer with a label, or 406 if the label exists only in a file type that the client does not accept.
    pub fn answer(&self, label: PrintedLabel) -> Response {
        let (format, bytes) = match label {
            PrintedLabel::File { format, bytes } => (format, bytes),
            PrintedLabel::OnlyAs(format) => return not_acceptable(format.media_type()),
        };
        let name = self.0.iter().find(|(_, known)| *known == format).map(|(name, _)| *name);
        let headers = [
            (header::CONTENT_TYPE, name.unwrap_or(format.media_type()).to_owned()),
            (header::CONTENT_DISPOSITION, format!("inline; filename=\"return-label.{}\"", format.extension())),
            (header::VARY, "Accept".to_owned()),
        ];
        (headers, bytes).into_response()
    }
}

fn not_acceptable(types: &str) -> Response {
    let message = format!("This label is available as {types}: name one of these in Accept.");
    response(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", &message, &[])
}

/// The media ranges of the header, with their quality in thousandths. Without the header, every type is accepted.
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

/// `0.5` is 500. A range with a malformed weight is ignored.
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

/// The quality of a media type. The most specific range decides.
fn quality(ranges: &[(String, u32)], name: &str) -> u32 {
    let group = name.split('/').next().unwrap_or_default();
    let specificity = |range: &str| match range {
        _ if range == name => 3,
        _ if range.strip_suffix("/*") == Some(group) => 2,
        "*/*" | "*" => 1,
        _ => 0,
    };
    let best = ranges.iter().filter(|(range, _)| specificity(range) > 0).max_by_key(|(range, _)| specificity(range));
    best.map_or(0, |(_, quality)| *quality)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn first_choice(accept: &str) -> (&'static str, LabelFormat) {
        let mut headers = HeaderMap::new();
        if !accept.is_empty() {
            headers.insert(header::ACCEPT, accept.parse().unwrap());
        }
        LabelTypes::of(&headers).0[0]
    }

    #[test]
    fn a_label_that_exists_in_one_file_type_is_answered_in_it_or_refused() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, "application/pdf, text/zpl;q=0.5".parse().unwrap());
        let wanted = LabelTypes::of(&headers);
        assert_eq!(wanted.formats(), [LabelFormat::Pdf, LabelFormat::Zpl]);
        let answer = wanted.answer(PrintedLabel::File { format: LabelFormat::Zpl, bytes: b"^XA".to_vec() });
        assert_eq!(
            (answer.status(), &answer.headers()[header::CONTENT_TYPE]),
            (StatusCode::OK, &"text/zpl".parse().unwrap())
        );
        let other = wanted.answer(PrintedLabel::OnlyAs(LabelFormat::Png));
        assert_eq!(other.status(), StatusCode::NOT_ACCEPTABLE);
    }

    #[test]
    fn the_file_type_with_the_highest_quality_is_chosen() {
        let pdf = ("application/pdf", LabelFormat::Pdf);
        let png = ("image/png", LabelFormat::Png);
        let cases = [
            ("", pdf),
            ("*/*", pdf),
            ("text/html,application/xhtml+xml,image/avif,image/apng,*/*;q=0.8", pdf),
            ("image/png", png),
            ("IMAGE/*", png),
            ("application/pdf;q=0.5, image/png;q=0.9", png),
            ("application/pdf;q=0, */*", png),
            ("application/zpl", ("application/zpl", LabelFormat::Zpl)),
            ("x-application/zpl", ("x-application/zpl", LabelFormat::Zpl)),
            ("text/*", ("text/zpl", LabelFormat::Zpl)),
            ("image/jpeg", pdf),
            ("*/*;q=0", pdf),
            ("application/json, text/html;q=0.9", pdf),
            ("application/octet-stream", pdf),
            ("image/png;q=2, application/pdf;q=0.1", pdf),
        ];
        for (accept, expected) in cases {
            assert_eq!(first_choice(accept), expected, "{accept}");
        }
    }
}
