//! The log as CSV (RFC 4180), page by page, so that its size does not matter.

use super::{actors::Actors, filter::Filter};
use crate::visit::Visit;
use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::Response,
};
use futures_util::stream;
use returns::{Error, MAX_LIMIT, Staff, view};
use serde_json::Value;

const HEAD: &str =
    "createdAt,actor,actorId,actorName,action,topic,subject,subjectId,before,after,network,sessionId,requestId\r\n";

/// What is left to write.
struct Rest {
    visit: Visit,
    staff: Staff,
    filter: Filter,
    actors: Actors,
    next: Next,
}

/// The part that comes next.
enum Next {
    Head,
    Page(Option<i64>),
    Nothing,
}

/// The log with these filters.
pub(super) fn response(visit: Visit, staff: Staff, filter: Filter, actors: Actors) -> Response {
    let rest = Rest { visit, staff, filter, actors, next: Next::Head };
    let parts = stream::try_unfold(rest, |mut rest| async move {
        let part = rest.take().await?;
        Ok::<_, Error>(part.map(|part| (Bytes::from(part), rest)))
    });
    let mut response = Response::new(Body::from_stream(parts));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"audit.csv\""));
    response
}

impl Rest {
    async fn take(&mut self) -> Result<Option<String>, Error> {
        match self.next {
            Next::Head => {
                self.next = Next::Page(None);
                Ok(Some(HEAD.to_owned()))
            }
            Next::Page(page) => {
                let Some(listing) = self.filter.listing(page, MAX_LIMIT, &self.visit.account.time_zone) else {
                    return Ok(None);
                };
                let list = self.visit.retour.merchant(&self.staff).audit_entries(&listing).await?;
                self.next = list.next_page.map_or(Next::Nothing, |next| Next::Page(Some(next)));
                Ok(Some(list.data.iter().map(|entry| self.row(entry)).collect()))
            }
            Next::Nothing => Ok(None),
        }
    }

    fn row(&self, entry: &view::AuditEntry) -> String {
        let id = |id: Option<uuid::Uuid>| id.map(|id| id.to_string()).unwrap_or_default();
        let json = |value: &Option<Value>| value.as_ref().map(ToString::to_string).unwrap_or_default();
        let cells = [
            entry.created_at.to_string(),
            entry.actor.name().to_owned(),
            id(entry.actor_id),
            self.actors.name(entry, self.visit.words),
            entry.action.name().to_owned(),
            entry.topic.name().to_owned(),
            entry.subject.name().to_owned(),
            entry.subject_id.clone(),
            json(&entry.before),
            json(&entry.after),
            entry.network.clone().unwrap_or_default(),
            id(entry.session_id),
            entry.request_id.clone().unwrap_or_default(),
        ];
        cells.map(|cell| quoted(&cell)).join(",") + "\r\n"
    }
}

/// A cell. A spreadsheet would run a text that begins like a formula, so such a text gets an apostrophe.
fn quoted(text: &str) -> String {
    let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{mark}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_cell_is_quoted_and_never_a_formula() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        for text in ["=1+1", "+1", "-1", "@x", "\tx"] {
            assert_eq!(quoted(text), format!("'{text}"));
        }
        assert_eq!(quoted("=a,b"), "\"'=a,b\"");
    }
}
