//! How a user proves who they are: by the password, by a code of an authenticator app, or by a recovery code.

use crate::base::{
    Error, OrBroken, Result, Retour,
    guessing::{CountedGuess, Guess},
    origin::Origin,
    recovery_codes::hash_of_code,
    totp::TotpSecret,
};
use domain::{AccountId, Timestamp, UserId, proof::ProofKey};
use store::{
    Lookup, Writing,
    user_factors::{self, Resealed},
    users::{self, SignIn},
};

/// Longer than any valid e-mail address.
const MAX_EMAIL_CHARS: usize = 320;

/// A user whose password was right. The guess counts until the sign-in is written.
#[derive(Debug)]
pub(super) struct RightPassword {
    pub known: SignIn,
    pub counted: CountedGuess,
}

impl Retour {
    /// Checks a password. An unknown e-mail address and a wrong password give the same answer.
    pub(super) async fn check_password(&self, email: &str, password: String, from: Origin) -> Result<RightPassword> {
        let email = Some(email).filter(|email| email.chars().count() <= MAX_EMAIL_CHARS).and_then(ProofKey::new);
        let email = email.ok_or(Error::InvalidCredentials)?;
        let mut writing = self.store.write().await?;
        let counted = Guess::at_password(&email, from.counted_address(), self.now()).count(&mut writing).await?;
        // Hashing takes too long for an open transaction. So the guess counts until it turns out to be right.
        writing.commit().await?;
        let known = users::find_by_email(self.store.read().await?.db(), &email).await?;
        let is_right =
            self.passwords.is_right(password, known.as_ref().map(|known| known.password_hash.clone())).await?;
        if let Some(known) = known.as_ref().filter(|known| !is_right && !known.password_hash.is_empty()) {
            let mut writing = self.store.write().await?;
            self.count_failure(&mut writing, known.account, known.id, &from).await?;
            writing.commit().await?;
        }
        let known = known.filter(|_| is_right);
        let known = self.found(known, Lookup::ForUser, Error::InvalidCredentials).await?;
        Ok(RightPassword { known, counted })
    }

    /// Whether a code of the user's authenticator app, or a recovery code, is right. It is used up. A wrong one counts,
    /// so the caller commits in both cases.
    pub(super) async fn check_code(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: UserId,
        code: &str,
        from: Origin,
    ) -> Result<bool> {
        let now = self.now();
        let guess = Guess::at_second_factor(account, user, from.counted_address(), now).check(writing).await?;
        let is_right = self.use_code(writing, account, user, code, now).await?;
        if is_right {
            guess.was_right(writing).await?;
        } else {
            guess.was_wrong(writing).await?;
            self.count_failure(writing, account, user, &from).await?;
        }
        Ok(is_right)
    }

    async fn use_code(
        &self,
        writing: &mut Writing,
        account: AccountId,
        user: UserId,
        code: &str,
        now: Timestamp,
    ) -> Result<bool> {
        if let Some(hash) = hash_of_code(account, user, code) {
            return Ok(user_factors::use_code(writing.db(), account, user, &hash).await?);
        }
        let found = user_factors::find(writing.db(), account, user).await?.filter(|totp| totp.since.is_some());
        let Some(totp) = found else { return Ok(false) };
        let secret = self.totp_secret(account, user, &totp.secret)?;
        let Some(step) = secret.step_of(&typed_digits(code), now) else { return Ok(false) };
        let new = self.seal_totp_secret(account, user, &secret.text())?;
        let secret = Resealed { stored: &totp.secret, new: &new };
        Ok(user_factors::use_step(writing.db(), account, user, secret, step).await?)
    }

    /// The secret of a user's authenticator app in clear text.
    pub(super) fn totp_secret(&self, account: AccountId, user: UserId, sealed: &str) -> Result<TotpSecret> {
        TotpSecret::parse(&self.open_totp_secret(account, user, sealed)?).or_broken()
    }
}

/// A code without the spaces that apps show between its digits.
pub(super) fn typed_digits(code: &str) -> String {
    code.chars().filter(|letter| !letter.is_whitespace()).collect()
}
