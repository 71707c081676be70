//! What changes of settings have in common: they go one after the other, and each once for its key.

use crate::base::{Begun, Error, IdempotencyKey, Result, Retour};
use domain::{AccountId, Problems, Refusal, RefusalCode, Timestamp};

/// Settings of a kind, archived ones as well: more than any shop has, few enough to be read at once.
const MOST: i64 = 200;
/// The last place that a setting can have.
const LAST_POSITION: u32 = 1_000_000;

impl Retour {
    /// A transaction with the key claimed in it, and with the account's settings held: what is looked at stays so.
    pub(crate) async fn begin_settings<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Begun<T>> {
        let mut begun = self.begin(account, key).await?;
        if let Begun::New(writing) = &mut begun {
            store::accounts::hold(writing.db(), account).await?;
        }
        Ok(begun)
    }
}

/// Says no to another one of a kind when there are as many as there may be.
pub(crate) fn check_room(count: i64, kind: &str) -> Result<()> {
    if count < MOST {
        return Ok(());
    }
    let message =
        format!("There are {MOST} {kind} already, with those that are archived. Change or delete one of them.");
    Err(Refusal::new(RefusalCode::LimitReached, message).into())
}

/// Says no to who has seen another version.
pub(crate) fn check_version(seen: Option<i64>, now: i64) -> Result<()> {
    match seen {
        Some(seen) if seen != now => Err(Error::PreconditionFailed(now)),
        _ => Ok(()),
    }
}

/// The place behind the last one.
pub(crate) fn next_position(last: u32) -> u32 {
    last.saturating_add(1).min(LAST_POSITION)
}

pub(crate) fn check_position(problems: &mut Problems, position: u32) {
    if position > LAST_POSITION {
        problems.add("position", RefusalCode::OutOfRange, format!("expected a whole number from 0 to {LAST_POSITION}"));
    }
}

/// Puts away or brings back. What is away already stays as it was put.
pub(crate) fn archive(archived_at: &mut Option<Timestamp>, archived: Option<bool>, now: Timestamp) {
    match archived {
        Some(true) => *archived_at = archived_at.or(Some(now)),
        Some(false) => *archived_at = None,
        None => {}
    }
}
