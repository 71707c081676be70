//! The names of the people and programs who act for a merchant.

use crate::base::Result;
use domain::{AccountId, ServiceUserId, UserId};
use std::collections::HashMap;
use store::{Db, service_users, users};
use uuid::Uuid;

/// The names of users and service users, by their ids. Those who were deleted are missing.
pub(crate) async fn names(mut db: Db<'_>, account: AccountId, ids: &[Uuid]) -> Result<HashMap<Uuid, String>> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let people: Vec<UserId> = ids.iter().copied().map(UserId).collect();
    let people = users::names(db.reborrow(), account, &people).await?;
    let mut names: HashMap<Uuid, String> = people.into_iter().map(|(id, name)| (id.0, name)).collect();
    let programs: Vec<ServiceUserId> =
        ids.into_iter().filter(|id| !names.contains_key(id)).map(ServiceUserId).collect();
    let programs = service_users::names(db, account, &programs).await?;
    names.extend(programs.into_iter().map(|(id, name)| (id.0, name)));
    Ok(names)
}
