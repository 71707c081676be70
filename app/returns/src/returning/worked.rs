//! Who worked on which return order: people find their last returns again.

use crate::base::{Result, Staff, StaffMember};
use domain::{ReturnOrderId, Timestamp};
use store::{Writing, worked_return_orders};

/// Records that a user works on a return order. Programs and the operator need no such list.
pub(crate) async fn record_work(
    writing: &mut Writing,
    staff: &Staff,
    order: ReturnOrderId,
    now: Timestamp,
) -> Result<()> {
    if let StaffMember::User(user, _) = staff.who() {
        worked_return_orders::record(writing.db(), staff.account(), user, order, now).await?;
    }
    Ok(())
}
