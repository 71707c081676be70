//! Pruning deletes expired rows in small steps; of all programs, one does a step at a time.

use crate::engine::{Db, Result};

statements! {
    in pruning;
    /// Other programs that prune wait here until the transaction ends: two would select the same rows, and one would
    /// delete nothing.
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'pruning'";
}

/// Waits for the turn to prune, which lasts until the transaction ends.
pub async fn take_turn(mut db: Db<'_>) -> Result<()> {
    execute!(db, sqlx::query(WORKER_TURN));
    Ok(())
}
