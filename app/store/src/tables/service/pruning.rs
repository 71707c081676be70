//! Forgetting what is over, in small steps: of all programs one does a step at a time.

use crate::engine::{Db, Result};

statements! {
    /// Whoever else prunes waits here until the transaction ends: two would want the same rows, and one go away with nothing.
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'pruning'";
}

/// Waits for a turn at pruning, which lasts until the transaction ends.
pub async fn take_turn(mut db: Db<'_>) -> Result<()> {
    execute!(db, sqlx::query(WORKER_TURN));
    Ok(())
}
