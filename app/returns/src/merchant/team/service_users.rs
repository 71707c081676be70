//! Service users: programs with an API key.

use super::name::checked_name;
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Scope, Staff, again_on_deadlock, audit, conclude, detached,
        sealed::SealedKey,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    view,
};
use domain::{AccountId, Refusal, RefusalCode, ServiceUserId, UserId, audit::AuditAction};
use serde_json::json;
use store::{Writing, accounts, lists::Listing, service_users, users};
use uuid::Uuid;

/// Changes to a service user.
#[derive(Debug, Clone, Default)]
pub struct ServiceUserChange {
    /// The new name.
    pub name: Option<String>,
    /// The new permissions.
    pub scopes: Option<Vec<Scope>>,
    /// The version that the caller has seen (`If-Match`). Another one is refused.
    pub version: Option<i64>,
}

impl MerchantHandle<'_> {
    /// An account's service users, including those with revoked keys.
    pub async fn service_users(self, listing: &Listing) -> Result<view::List<view::ServiceUser>> {
        let mut reading = self.retour.store.read().await?;
        let rows = service_users::list(reading.db(), self.staff.account(), listing).await?;
        Ok(view::List::new(listing.page, rows, view::ServiceUser::from))
    }

    /// A service user.
    pub async fn service_user(self, id: ServiceUserId) -> Result<view::ServiceUser> {
        let mut reading = self.retour.store.read().await?;
        Ok(service_users::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?.into())
    }

    /// Creates a service user with an API key, which is never shown again.
    pub async fn add_service_user(
        self,
        name: &str,
        scopes: &[Scope],
        key: Option<SealedKey>,
    ) -> Result<Done<view::ServiceUserWithKey>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        let (name, scopes) = (checked_name(name, 1)?, scope_names(scopes)?);
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin_secret(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let made = retour.insert_service_user(&mut writing, &staff, &name, &scopes).await?;
                retour.conclude_secret(writing, account, key.as_ref(), 201, made).await
            })
            .await
        })
        .await
    }
}

impl Retour {
    /// Creates a service user and returns its API key, which is never shown again. For the operator.
    pub(crate) async fn create_service_user(&self, account: AccountId, name: &str, scopes: &[Scope]) -> Result<String> {
        Ok(self.make_service_user(account, name, scopes).await?.api_key)
    }

    /// Creates a service user, and returns it with its API key.
    pub(crate) async fn make_service_user(
        &self,
        account: AccountId,
        name: &str,
        scopes: &[Scope],
    ) -> Result<view::ServiceUserWithKey> {
        let (name, scopes) = (checked_name(name, 1)?, scope_names(scopes)?);
        let mut writing = self.store.write().await?;
        let made = self.insert_service_user(&mut writing, &Staff::operator(account), &name, &scopes).await?;
        writing.commit().await?;
        Ok(made)
    }

    async fn insert_service_user(
        &self,
        writing: &mut Writing,
        staff: &Staff,
        name: &str,
        scopes: &str,
    ) -> Result<view::ServiceUserWithKey> {
        let account = staff.account();
        let (api_key, kept) = self.new_key(account);
        let now = self.now();
        let new = service_users::ServiceUser {
            id: ServiceUserId(self.source.id()),
            name: name.to_owned(),
            scopes: scopes.to_owned(),
            key_last_four: kept.last_four.clone(),
            last_used_at: None,
            created_at: now,
            updated_at: now,
            revoked_at: None,
            version: 1,
        };
        service_users::insert(writing.db(), account, &new, &kept).await?;
        let made = view::ServiceUser::from(new);
        audit::record_created(writing, staff, now, AuditAction::ServiceUserCreated, made.id, &made)?;
        Ok(view::ServiceUserWithKey { service_user: made, api_key })
    }
}

impl MerchantHandle<'_> {
    /// Changes the name or scopes of a service user. The change applies to all later requests.
    pub async fn update_service_user(
        self,
        id: ServiceUserId,
        change: ServiceUserChange,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ServiceUser>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        let new_name = change.name.as_deref().map(|text| checked_name(text, 1)).transpose()?;
        let new_scopes = change.scopes.as_deref().map(scope_names).transpose()?;
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let before = find_good(&mut writing, account, id).await?;
                check_version(change.version, before.version)?;
                let mut after = before.clone();
                after.name = new_name.clone().unwrap_or(after.name);
                after.scopes = new_scopes.clone().unwrap_or(after.scopes);
                if after != before {
                    if is_admin(&before.scopes) && !is_admin(&after.scopes) {
                        keep_a_way_in(&mut writing, account, id).await?;
                    }
                    after.updated_at = retour.now();
                    service_users::update(writing.db(), account, &after).await?;
                    after.version += 1;
                    let views = (&before.into(), &view::ServiceUser::from(after.clone()));
                    let (at, action) = (after.updated_at, AuditAction::ServiceUserUpdated);
                    audit::record_changed(&mut writing, &staff, at, action, id, views)?;
                }
                conclude(writing, account, key.as_ref(), 200, after.into()).await
            })
            .await
        })
        .await
    }

    /// Replaces the API key of a service user. The new one is never shown again, and the old one ends at once.
    pub async fn rotate_service_user(
        self,
        id: ServiceUserId,
        key: Option<SealedKey>,
    ) -> Result<Done<view::ServiceUserWithKey>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin_secret(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let mut program = find_good(&mut writing, account, id).await?;
                let (api_key, kept) = retour.new_key(account);
                program.updated_at = retour.now();
                service_users::rotate(writing.db(), account, id, &kept, program.updated_at).await?;
                program.version += 1;
                let last_four = |digits: &str| Some(json!({"keyLastFour": digits}));
                let (was, is) = (last_four(&program.key_last_four), last_four(&kept.last_four));
                let (at, action) = (program.updated_at, AuditAction::ServiceUserRotated);
                audit::record(&mut writing, &staff, at, action, id, was, is);
                program.key_last_four = kept.last_four;
                let rotated = view::ServiceUserWithKey { service_user: program.into(), api_key };
                retour.conclude_secret(writing, account, key.as_ref(), 200, rotated).await
            })
            .await
        })
        .await
    }

    /// Revokes the API key of a service user at once. The service user remains visible. Revoking it again changes
    /// nothing.
    pub async fn revoke_service_user(self, id: ServiceUserId) -> Result<()> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                accounts::hold(writing.db(), account).await?;
                let mut program = service_users::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
                if program.revoked_at.is_some() {
                    return Ok(());
                }
                if is_admin(&program.scopes) {
                    keep_a_way_in(&mut writing, account, id).await?;
                }
                program.updated_at = retour.now();
                program.revoked_at = Some(program.updated_at);
                service_users::update(writing.db(), account, &program).await?;
                let (at, action) = (program.updated_at, AuditAction::ServiceUserRevoked);
                audit::record(&mut writing, &staff, at, action, id, None, None);
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}

/// A service user whose key is not revoked. Locks the account until the transaction ends.
async fn find_good(writing: &mut Writing, account: AccountId, id: ServiceUserId) -> Result<service_users::ServiceUser> {
    accounts::hold(writing.db(), account).await?;
    let program = service_users::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
    if program.revoked_at.is_some() {
        let message = "The key of this service user was revoked, which is final. Create a new service user.";
        return Err(Refusal::new(RefusalCode::Revoked, message).into());
    }
    Ok(program)
}

/// Refuses to revoke the last administrative access: another administrator must remain, a service user or a user.
async fn keep_a_way_in(writing: &mut Writing, account: AccountId, without: ServiceUserId) -> Result<()> {
    let others = service_users::scopes_of_others(writing.db(), account, without).await?;
    let nobody = UserId(Uuid::nil());
    if others.iter().any(|scopes| is_admin(scopes)) || users::has_other_admin(writing.db(), account, nobody).await? {
        return Ok(());
    }
    let message = "This is the last key or user that can administer the account. Create another one first, or rotate \
                   this key.";
    Err(Refusal::new(RefusalCode::LastAdmin, message).into())
}

fn is_admin(scopes: &str) -> bool {
    Scope::list(scopes).contains(&Scope::Admin)
}

/// Scopes in their stored form: each once, in one order.
fn scope_names(scopes: &[Scope]) -> Result<String> {
    if scopes.is_empty() {
        let message = format!("expected some of {}", Scope::names(&Scope::ALL));
        return Err(Error::invalid("scopes", RefusalCode::Required, message));
    }
    let names: Vec<&str> = Scope::ALL.iter().filter(|scope| scopes.contains(scope)).map(|scope| scope.name()).collect();
    Ok(names.join(","))
}
