//! The files that rows of all accounts refer to: a move copies them too.

use crate::engine::{Db, Result, stored::from_json};
use domain::{AccountId, shipping::ParcelLabel};
use uuid::Uuid;

/// Tables whose rows refer to files: by their id, or by their label.
const EVIDENCE: &str = "SELECT account_id, id, '' FROM evidence WHERE (account_id, id) > ($1, $2)
    ORDER BY account_id, id LIMIT 500";
const PENDING: &str = "SELECT account_id, id, '' FROM pending_evidence WHERE (account_id, id) > ($1, $2)
    ORDER BY account_id, id LIMIT 500";
const LABELS: &str = "SELECT account_id, id, label FROM shipments WHERE (account_id, id) > ($1, $2)
    ORDER BY account_id, id LIMIT 500";
const ALL: [&str; 3] = [EVIDENCE, PENDING, LABELS];

/// A row that may refer to a file. The list continues after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileOf {
    table: usize,
    account: Uuid,
    row: Uuid,
    file: Option<Uuid>,
}

impl FileOf {
    /// The file, if the row refers to one.
    pub fn file(&self) -> Option<(AccountId, Uuid)> {
        self.file.map(|file| (AccountId(self.account), file))
    }
}

/// Some rows of one table after another row; none if there are no more.
pub async fn list(mut db: Db<'_>, after: Option<FileOf>) -> Result<Vec<FileOf>> {
    let start = FileOf { table: 0, account: Uuid::nil(), row: Uuid::nil(), file: None };
    let after = after.unwrap_or(start);
    for (table, &sql) in ALL.iter().enumerate().skip(after.table) {
        let from = if table == after.table { after } else { start };
        let rows: Vec<(Uuid, Uuid, String)> =
            on_long!(&mut db, c => sqlx::query_as(sql).bind(from.account).bind(from.row).fetch_all(&mut **c).await?);
        if !rows.is_empty() {
            let row = |(account, row, label): (Uuid, Uuid, String)| -> Result<FileOf> {
                let file = if label.is_empty() { Some(row) } else { of_label(&label)? };
                Ok(FileOf { table, account, row, file })
            };
            return rows.into_iter().map(row).collect();
        }
    }
    Ok(Vec::new())
}

fn of_label(label: &str) -> Result<Option<Uuid>> {
    let label: ParcelLabel = from_json("shipments.label", label)?;
    Ok(label.file().map(|file| file.id))
}
