//! Saved views: filters of a list that staff named, for themselves or for all staff of the account.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, again_on_deadlock, conclude, detached, error::check,
        patch_field::PatchField,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    view,
};
use domain::{AccountId, Problems, Refusal, RefusalCode, SavedViewId};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{
    Writing, accounts, return_orders, return_requests,
    saved_views::{self, SavedView},
};

const MAX_NAME_CHARS: usize = 100;
const MAX_QUERY_CHARS: usize = 4_000;
/// The most views of one person.
const MOST_OWN: i64 = 100;
/// The most views of others that a list shows.
const MOST_SHARED: i64 = 100;

/// The filters, order and columns of a list, to save under a name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSavedView {
    /// The list that it filters: `return-orders` or `return-requests`.
    #[schemars(length(min = 1, max = 40), extend("examples" = ["return-requests"]))]
    pub list: String,
    /// The name that staff read: 1 to 100 characters.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// The query string of the list, without `?` and `page`: up to 4,000 characters.
    #[schemars(length(max = 4000))]
    pub query: String,
}

/// Changes to a saved view. Fields that are left out stay as they are.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SavedViewChange {
    /// The name that staff read: 1 to 100 characters.
    #[schemars(length(min = 1, max = 100))]
    pub name: PatchField<String>,
    /// The query string of the list, without `?` and `page`: up to 4,000 characters.
    #[schemars(length(max = 4000))]
    pub query: PatchField<String>,
}

impl MerchantHandle<'_> {
    /// The caller's views, then those that others share.
    pub async fn saved_views(self) -> Result<view::List<view::SavedView>> {
        let (account, caller) = (self.staff.account(), self.staff.id());
        let mut reading = self.retour.store.read().await?;
        let kept = saved_views::list(reading.db(), account, caller, MOST_SHARED).await?;
        Ok(view::List::whole(kept.into_iter().map(|kept| view::SavedView::new(kept, caller)).collect()))
    }

    /// Saves a view for the caller.
    pub async fn create_saved_view(
        self,
        new: NewSavedView,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::SavedView>> {
        check(problems_of(Some(&new.list), Some(&new.name), Some(&new.query)))?;
        let (retour, account, owner) = (self.retour.clone(), self.staff.account(), self.staff.id());
        let id = SavedViewId(retour.source.id());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                accounts::hold(writing.db(), account).await?; // a view more than the limit would be saved at the same time
                if saved_views::count_own(writing.db(), account, owner).await? >= MOST_OWN {
                    let message = format!("You have {MOST_OWN} saved views. Delete one first.");
                    return Err(Error::Refused(Refusal::new(RefusalCode::LimitReached, message)));
                }
                let now = retour.now();
                let kept = SavedView {
                    id,
                    owner_id: owner,
                    list: new.list.clone(),
                    name: new.name.trim().to_owned(),
                    query: new.query.clone(),
                    is_shared: false,
                    created_at: now,
                    updated_at: now,
                    version: 1,
                };
                saved_views::insert(writing.db(), account, &kept).await?;
                conclude(writing, account, key.as_ref(), 201, view::SavedView::new(kept, owner)).await
            })
            .await
        })
        .await
    }

    /// Changes a view of the caller.
    pub async fn change_saved_view(
        self,
        id: SavedViewId,
        change: SavedViewChange,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::SavedView>> {
        check(problems_of(None, change.name.0.as_deref(), change.query.0.as_deref()))?;
        let (retour, account, owner) = (self.retour.clone(), self.staff.account(), self.staff.id());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let before = locked(&mut writing, account, id).await?;
                if before.owner_id != owner {
                    return Err(Error::NotFound);
                }
                check_version(version, before.version)?;
                let mut after = before.clone();
                if let Some(name) = &change.name.0 {
                    after.name = name.trim().to_owned();
                }
                change.query.put_into(&mut after.query);
                if after != before {
                    after.updated_at = retour.now();
                    saved_views::update(writing.db(), account, &after).await?;
                    after.version += 1;
                }
                conclude(writing, account, key.as_ref(), 200, view::SavedView::new(after, owner)).await
            })
            .await
        })
        .await
    }

    /// Shows a view to all staff of the account, or to its owner alone again.
    pub async fn share_saved_view(
        self,
        id: SavedViewId,
        is_shared: bool,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::SavedView>> {
        let (retour, account, caller) = (self.retour.clone(), self.staff.account(), self.staff.id());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let mut kept = locked(&mut writing, account, id).await?;
                // A view that its owner does not share is unknown to others.
                if kept.owner_id != caller && !kept.is_shared {
                    return Err(Error::NotFound);
                }
                if kept.is_shared != is_shared {
                    kept.is_shared = is_shared;
                    kept.updated_at = retour.now();
                    saved_views::update(writing.db(), account, &kept).await?;
                    kept.version += 1;
                }
                conclude(writing, account, key.as_ref(), 200, view::SavedView::new(kept, caller)).await
            })
            .await
        })
        .await
    }

    /// Deletes a view of the caller.
    pub async fn delete_saved_view(self, id: SavedViewId) -> Result<()> {
        let (retour, account, owner) = (self.retour.clone(), self.staff.account(), self.staff.id());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !saved_views::delete(writing.db(), account, id, owner).await? {
                    return Err(Error::NotFound);
                }
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}

/// The view of that id. Other changes of the account's settings wait until the transaction ends.
async fn locked(writing: &mut Writing, account: AccountId, id: SavedViewId) -> Result<SavedView> {
    accounts::hold(writing.db(), account).await?;
    saved_views::find(writing.db(), account, id).await?.ok_or(Error::NotFound)
}

fn problems_of(list: Option<&str>, name: Option<&str>, query: Option<&str>) -> Problems {
    let mut problems = Problems::default();
    let lists = [return_orders::LIST.name, return_requests::LIST.name];
    if list.is_some_and(|list| !lists.contains(&list)) {
        problems.add("list", RefusalCode::NotAllowed, format!("expected one of {}", lists.join(", ")));
    }
    if let Some(name) = name {
        problems.check_text("name", name.trim(), 1..=MAX_NAME_CHARS);
    }
    if let Some(query) = query {
        problems.check_text("query", query, 0..=MAX_QUERY_CHARS);
        // A search often names a person, and nobody would find that name here when their data are erased.
        if form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "search") {
            problems.add("query", RefusalCode::NotAllowed, "expected no search: save its filters only");
        }
    }
    problems
}
