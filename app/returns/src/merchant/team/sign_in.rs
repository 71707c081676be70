//! Users sign in with a password, and set it by an invitation.

use crate::{
    base::{
        Error, OrBroken, Result, Retour, again_on_deadlock,
        client_address::ClientAddress,
        credentials::SignedIn,
        detached,
        guessing::{Guess, delay_failure},
        hash::hash,
        passwords,
        tokens::account_of_invitation,
    },
    view,
};
use domain::{Timestamp, proof::ProofKey};
use store::users::{self, TokenPurpose};

/// Longer than any valid e-mail address.
const MAX_EMAIL_CHARS: usize = 320;

/// A successful sign-in.
#[derive(Debug)]
pub struct SignIn {
    /// The access token.
    pub token: String,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// The user who signed in.
    pub user: view::User,
}

impl Retour {
    /// Signs a user in. An unknown e-mail address and a wrong password give the same answer.
    pub async fn sign_in(&self, email: &str, password: String, from: ClientAddress) -> Result<SignIn> {
        let (retour, email) = (self.clone(), email.to_owned());
        delay_failure(detached(async move { retour.try_sign_in(&email, password, from).await })).await
    }

    async fn try_sign_in(&self, email: &str, password: String, from: ClientAddress) -> Result<SignIn> {
        let email = Some(email).filter(|email| email.chars().count() <= MAX_EMAIL_CHARS).and_then(ProofKey::new);
        let email = email.ok_or(Error::InvalidCredentials)?;
        let mut writing = self.store.write().await?;
        let counted = Guess::at_password(&email, from, self.now()).count(&mut writing).await?;
        // Hashing takes too long for an open transaction. So the guess counts until it turns out to be right.
        writing.commit().await?;
        let known = users::find_by_email(self.store.read().await?.db(), &email).await?;
        let is_right =
            self.passwords.is_right(password, known.as_ref().map(|known| known.password_hash.clone())).await?;
        let known = known.filter(|_| is_right);
        let known = self.found(known, store::Lookup::ForUser, Error::InvalidCredentials).await?;
        again_on_deadlock(|| async {
            let now = self.now();
            let mut writing = self.store.write().await?;
            if !users::sign_in(writing.db(), &known, now).await? {
                return Err(Error::InvalidCredentials);
            }
            counted.was_right(&mut writing).await?;
            let (token, expires_at) = self.new_user_token(known.account);
            users::insert_token(writing.db(), known.account, &hash(&token), known.id, TokenPurpose::Access, expires_at)
                .await?;
            let user = users::find(writing.db(), known.account, known.id).await?.or_broken()?;
            writing.commit().await?;
            Ok(SignIn { token, expires_at, user: view::User::new(user)? })
        })
        .await
    }

    /// The user who is signed in.
    pub async fn own_user(&self, me: &SignedIn) -> Result<view::User> {
        let mut reading = self.store.read().await?;
        view::User::new(users::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?)
    }

    /// Ends the token that the user signed in with.
    pub async fn sign_out(&self, me: &SignedIn, token: &str) -> Result<()> {
        let (store, account, token_hash) = (self.store.clone(), me.account, hash(token));
        detached(async move {
            let mut writing = store.write().await?;
            users::delete_token(writing.db(), account, &token_hash, TokenPurpose::Access).await?;
            Ok(writing.commit().await?)
        })
        .await
    }

    /// Sets the password of the invited user and uses the invitation up. All other tokens of the user end too.
    pub async fn set_password(&self, invitation: &str, password: String) -> Result<()> {
        let account = account_of_invitation(invitation).ok_or(Error::InvalidInvitation)?;
        let token_hash = hash(invitation);
        let mut reading = self.store.read().await?;
        let found = users::find_token(reading.db(), account, &token_hash, TokenPurpose::Password, self.now()).await?;
        drop(reading);
        let user = self.found(found, store::Lookup::ForUser, Error::InvalidInvitation).await?;
        passwords::check(&password, &user.email)?;
        let retour = self.clone();
        detached(async move {
            let password_hash = retour.passwords.hash(retour.source.random(), password).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                if !users::delete_token(writing.db(), account, &token_hash, TokenPurpose::Password).await? {
                    return Err(Error::InvalidInvitation);
                }
                users::set_password(writing.db(), account, user.id, &password_hash, retour.now()).await?;
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}
