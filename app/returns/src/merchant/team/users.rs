//! A merchant's users: inviting, changing and removing them.

use super::name::checked_name;
use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, Result, Retour, Role, Staff, again_on_deadlock, audit,
        conclude, detached, hash::hash, passwords, patch_field::PatchField, sealed::SealedKey,
    },
    merchant::{handle::MerchantHandle, version::check_version},
    view,
};
use domain::{
    AccountId, Locale, MAX_EMAIL_CHARS, Refusal, RefusalCode, UserId, audit::AuditAction, is_email, mail::StaffNotice,
    proof::ProofKey,
};
use serde_json::json;
use store::{Writing, accounts, lists::Listing, return_orders, user_sessions, users};

/// A user to create.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// The e-mail address to sign in with.
    pub email: String,
    /// The user's name; may be empty.
    pub name: String,
    /// The role, which decides what the user may do.
    pub role: Role,
    /// The language of pages and mails.
    pub language: Option<Locale>,
}

/// Changes to a user.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// The new name.
    pub name: Option<String>,
    /// The role, which decides what the user may do.
    pub role: Option<Role>,
    /// The language of pages and mails; none: as the browser and the account say.
    pub language: PatchField<Option<Locale>>,
    /// The version that the caller has seen (`If-Match`). Another one is refused.
    pub version: Option<i64>,
}

impl MerchantHandle<'_> {
    /// An account's users.
    pub async fn users(self, listing: &Listing) -> Result<view::List<view::User>> {
        let mut reading = self.retour.store.read().await?;
        let rows = users::list(reading.db(), self.staff.account(), listing).await?;
        let data = rows.rows.into_iter().map(view::User::new).collect::<Result<Vec<_>>>()?;
        Ok(view::List::new(listing.page, store::page::Rows { rows: data, next: rows.next }, |user| user))
    }

    /// A user.
    pub async fn user(self, id: UserId) -> Result<view::User> {
        let mut reading = self.retour.store.read().await?;
        view::User::new(users::find(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?)
    }

    /// Invites a user: creates a token to set the password with, which is never shown again.
    pub async fn invite_user(self, new: NewUser, key: Option<SealedKey>) -> Result<Done<view::InvitedUser>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        let (new, email) = checked(&new)?;
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin_secret(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let user = retour.insert_user(&mut writing, &staff, &new, &email, "").await?;
                let invited = retour.invite(&mut writing, account, user).await?;
                retour.notify_user(&mut writing, account, invited.user.id, StaffNotice::Invitation).await?;
                retour.conclude_secret(writing, account, key.as_ref(), 201, invited).await
            })
            .await
        })
        .await
    }

    /// Invites a user again, after an invitation has expired or a password is lost. The password stays valid until the
    /// user sets a new one. Earlier invitations end.
    pub async fn invite_user_again(self, id: UserId, key: Option<SealedKey>) -> Result<Done<view::InvitedUser>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin_secret(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let user = find(&mut writing, account, id).await?;
                users::delete_password_tokens(writing.db(), account, id).await?;
                audit::record(&mut writing, &staff, retour.now(), AuditAction::UserInvitedAgain, id, None, None);
                let invited = retour.invite(&mut writing, account, user).await?;
                retour.notify_user(&mut writing, account, invited.user.id, StaffNotice::Invitation).await?;
                retour.conclude_secret(writing, account, key.as_ref(), 201, invited).await
            })
            .await
        })
        .await
    }
}

impl Retour {
    /// Creates a user who can sign in. For the operator.
    pub(crate) async fn create_user(&self, account: AccountId, new: NewUser, password: String) -> Result<view::User> {
        let (new, email) = checked(&new)?;
        passwords::check(&password, &new.email)?;
        let password_hash = self.passwords.hash(self.source.random(), password).await?;
        let mut writing = self.store.write().await?;
        let user = self.insert_user(&mut writing, &Staff::operator(account), &new, &email, &password_hash).await?;
        writing.commit().await?;
        view::User::new(user)
    }
}

impl MerchantHandle<'_> {
    /// Changes a user's name, role or language. A new role ends all sessions of the user.
    pub async fn update_user(
        self,
        id: UserId,
        change: UserChange,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::User>> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        let new_name = change.name.as_deref().map(|text| checked_name(text, 0)).transpose()?;
        if let Some(problem) = change.language.0.as_ref().and_then(|language| misspelt(language.as_ref())) {
            return Err(Error::Invalid(vec![problem]));
        }
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let before = find(&mut writing, account, id).await?;
                check_version(change.version, before.version)?;
                let mut after = before.clone();
                after.name = new_name.clone().unwrap_or(after.name);
                change.language.put_into(&mut after.language);
                after.role = change.role.map_or(after.role, |role| role.name().to_owned());
                if after != before {
                    if after.role != Role::Admin.name() {
                        keep_an_admin(&mut writing, account, &before).await?;
                    }
                    after.updated_at = retour.now();
                    users::update(writing.db(), account, &after).await?;
                    if after.role != before.role {
                        user_sessions::end_all(writing.db(), account, id).await?;
                    }
                    after.version += 1;
                    let views = (&view::User::new(before)?, &view::User::new(after.clone())?);
                    let (at, action) = (after.updated_at, AuditAction::UserUpdated);
                    audit::record_changed(&mut writing, &staff, at, action, id, views)?;
                }
                conclude(writing, account, key.as_ref(), 200, view::User::new(after)?).await
            })
            .await
        })
        .await
    }

    /// Removes a user. Their tokens end at once, and their e-mail address can be used again. Their actions stay under
    /// their id.
    pub async fn delete_user(self, id: UserId) -> Result<()> {
        self.staff.check_fresh(self.retour.now())?;
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let user = find(&mut writing, account, id).await?;
                keep_an_admin(&mut writing, account, &user).await?;
                return_orders::unassign(writing.db(), account, id).await?;
                users::delete(writing.db(), account, id).await?;
                let was = json!({"email": user.email, "name": user.name, "role": user.role});
                audit::record(&mut writing, &staff, retour.now(), AuditAction::UserDeleted, id, Some(was), None);
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}

impl Retour {
    async fn insert_user(
        &self,
        writing: &mut Writing,
        staff: &Staff,
        new: &NewUser,
        email: &ProofKey,
        password_hash: &str,
    ) -> Result<users::User> {
        let (account, now) = (staff.account(), self.now());
        let user = users::User {
            id: UserId(self.source.id()),
            email: new.email.clone(),
            name: new.name.clone(),
            role: new.role.name().to_owned(),
            language: new.language.clone(),
            has_password: !password_hash.is_empty(),
            has_app: false,
            has_passkey: false,
            factor_due_at: None,
            last_signed_in_at: None,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        if users::insert(writing.db(), account, &user, email, password_hash).await? {
            let shown = json!({"email": user.email, "name": user.name, "role": user.role});
            audit::record(writing, staff, now, AuditAction::UserInvited, user.id, None, Some(shown));
            return Ok(user);
        }
        // The message does not name the account: other merchants' users are confidential.
        let message =
            "A user with this e-mail address already exists. An address can have one user in the whole installation.";
        Err(Refusal::new(RefusalCode::EmailTaken, message).into())
    }

    async fn invite(&self, writing: &mut Writing, account: AccountId, user: users::User) -> Result<view::InvitedUser> {
        let (token, expires_at) = self.new_invitation(account);
        users::insert_password_token(writing.db(), account, &hash(&token), user.id, expires_at).await?;
        Ok(view::InvitedUser {
            user: view::User::new(user)?,
            invitation_token: token,
            invitation_expires_at: expires_at,
        })
    }
}

/// A user. Locks the account, so that no other transaction changes permissions.
async fn find(writing: &mut Writing, account: AccountId, id: UserId) -> Result<users::User> {
    accounts::hold(writing.db(), account).await?;
    users::find(writing.db(), account, id).await?.ok_or(Error::NotFound)
}

/// Refuses to remove the last administrator. A user without a password does not count as one.
async fn keep_an_admin(writing: &mut Writing, account: AccountId, user: &users::User) -> Result<()> {
    if user.role != Role::Admin.name()
        || !user.has_password
        || users::has_other_admin(writing.db(), account, user.id).await?
    {
        return Ok(());
    }
    let message = "This is the last administrator who can sign in. Make another user an administrator first.";
    Err(Refusal::new(RefusalCode::LastAdmin, message).into())
}

/// A new user in the stored form, and their e-mail address in the form that is compared.
fn checked(new: &NewUser) -> Result<(NewUser, ProofKey)> {
    let email = new.email.trim();
    let mut errors = Vec::new();
    let key = ProofKey::new(email).filter(|_| is_email(email));
    if key.is_none() {
        let message = format!("expected an e-mail address of at most {MAX_EMAIL_CHARS} characters");
        errors.push(FieldError::new("email", RefusalCode::NotAllowed, message));
    }
    errors.extend(misspelt(new.language.as_ref()));
    let name = match checked_name(&new.name, 0) {
        Err(Error::Invalid(more)) => {
            errors.extend(more);
            String::new()
        }
        name => name?,
    };
    match key {
        Some(key) if errors.is_empty() => Ok((NewUser { email: email.to_owned(), name, ..new.clone() }, key)),
        _ => Err(Error::Invalid(errors)),
    }
}

fn misspelt(language: Option<&Locale>) -> Option<FieldError> {
    let message = "expected a language tag, such as en or pt-BR";
    language
        .filter(|language| !language.is_well_formed())
        .map(|_| FieldError::new("language", RefusalCode::NotAllowed, message))
}
