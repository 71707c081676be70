//! What all changes of settings have in common: they run one after the other, and an idempotency key counts once.

pub(crate) use crate::merchant::version::check_version;

use crate::base::{Begun, IdempotencyKey, Result, Retour};
use domain::{AccountId, Problems, Refusal, RefusalCode, Timestamp};

/// The most settings of a kind, including archived ones: more than any shop has, and few enough to read at once.
const MOST: i64 = 200;
/// The highest position of a setting.
const LAST_POSITION: u32 = 1_000_000;

impl Retour {
    /// Begins a transaction, claims the key in it and locks the account's settings.
    pub(crate) async fn begin_settings<T>(&self, account: AccountId, key: Option<&IdempotencyKey>) -> Result<Begun<T>> {
        let mut begun = self.begin(account, key).await?;
        if let Begun::New(writing) = &mut begun {
            store::accounts::hold(writing.db(), account).await?;
        }
        Ok(begun)
    }
}

/// Refuses another setting of a kind at the limit.
pub(crate) fn check_room(count: i64, kind: &str) -> Result<()> {
    if count < MOST {
        return Ok(());
    }
    let message = format!("There are already {MOST} {kind}, including archived ones. Change or delete one of them.");
    Err(Refusal::new(RefusalCode::LimitReached, message).into())
}

/// The position after the last one.
pub(crate) fn next_position(last: u32) -> u32 {
    last.saturating_add(1).min(LAST_POSITION)
}

pub(crate) fn check_position(problems: &mut Problems, position: u32) {
    if position > LAST_POSITION {
        problems.add("position", RefusalCode::OutOfRange, format!("expected a whole number from 0 to {LAST_POSITION}"));
    }
}

/// Archives or restores. A setting that is archived already keeps its time.
pub(crate) fn archive(archived_at: &mut Option<Timestamp>, archived: Option<bool>, now: Timestamp) {
    match archived {
        Some(true) => *archived_at = archived_at.or(Some(now)),
        Some(false) => *archived_at = None,
        None => {}
    }
}
