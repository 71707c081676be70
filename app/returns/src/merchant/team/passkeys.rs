//! Passkeys of users: listed, added and removed.

use super::{
    desk::NewDeskSession,
    name::checked_name,
    passkey_answers::{CHALLENGE_SECONDS, NewPasskey, Purpose, REQUIRED, decoded, encoded, user_handle},
};
use crate::{
    base::{
        Error, OrBroken, Result, Retour, again_on_deadlock,
        credentials::SignedIn,
        detached,
        device::device_name,
        origin::Origin,
        tokens::account_of_desk_token,
        webauthn::{ALGORITHMS, NewCredential, Refused, challenge_of, register},
    },
    view,
};
use domain::{PasskeyId, Refusal, RefusalCode, audit::AuditAction, mail::SignInChange, sign_in::SignInStep};
use store::{
    Writing, accounts,
    passkeys::{self, Passkey},
    user_factors, user_sessions, users,
};

/// The most passkeys of one user.
const MOST_PASSKEYS: usize = 20;
/// The name of a passkey that nobody has named, from a program that does not say what it is.
const UNNAMED: &str = "Passkey";

impl Retour {
    /// The user's own passkeys.
    pub async fn passkeys(&self, me: &SignedIn) -> Result<view::Passkeys> {
        let found = passkeys::list(self.store.read().await?.db(), me.account, me.id).await?;
        let host = self.passkey_host();
        Ok(view::Passkeys { host, data: found.into_iter().map(view::Passkey::new).collect() })
    }

    /// Begins to add a passkey: what the browser makes it from.
    pub async fn begin_passkey(&self, me: &SignedIn) -> Result<view::PasskeyCreationOptions> {
        me.check_fresh(self.now())?;
        let site = self.passkey_site()?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            let challenge = retour.new_challenge(Purpose::Adding(&me)).await?;
            let mut reading = retour.store.read().await?;
            let user = users::find(reading.db(), me.account, me.id).await?.ok_or(Error::Unauthorized)?;
            let shop = accounts::find(reading.db(), me.account).await?.or_broken()?.name;
            let known = passkeys::list(reading.db(), me.account, me.id).await?;
            check_room(&known)?;
            let reference = |known: &Passkey| view::PasskeyReference { kind: KIND, id: encoded(&known.credential_id) };
            Ok(view::PasskeyCreationOptions {
                challenge,
                rp: view::PasskeySite { id: site.id, name: shop },
                user: view::PasskeyUser {
                    id: encoded(&user_handle(me.account, me.id)),
                    display_name: if user.name.is_empty() { user.email.clone() } else { user.name },
                    name: user.email,
                },
                pub_key_cred_params: ALGORITHMS.map(|alg| view::PasskeyAlgorithm { kind: KIND, alg }).to_vec(),
                timeout: CHALLENGE_SECONDS * 1_000,
                exclude_credentials: known.iter().map(reference).collect(),
                authenticator_selection: view::PasskeySelection {
                    resident_key: REQUIRED,
                    require_resident_key: true,
                    user_verification: REQUIRED,
                },
                attestation: "none",
            })
        })
        .await
    }

    /// Adds a passkey. With the first second factor, the user gets recovery codes. Their other sessions end. `device` is
    /// the `User-Agent` of the request.
    pub async fn add_passkey(&self, me: &SignedIn, new: NewPasskey, device: &str) -> Result<view::NewPasskey> {
        let (retour, me, device) = (self.clone(), me.clone(), device_name(device));
        detached(async move {
            let credential = retour.new_credential(&me, &new).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let added = retour.insert_passkey(&mut writing, &me, &new.name, &device, &credential).await?;
                if let Some(session) = me.session {
                    user_sessions::complete(writing.db(), me.account, me.id, session).await?;
                }
                writing.commit().await?;
                Ok(added)
            })
            .await
        })
        .await
    }

    /// The same at the desk, where the session gets a new token.
    pub async fn desk_add_passkey(
        &self,
        token: &str,
        new: NewPasskey,
        from: impl Into<Origin>,
        device: &str,
    ) -> Result<(NewDeskSession, view::NewPasskey)> {
        let me = self.desk_session(token).await?.ok_or(Error::Unauthorized)?.signed_in().coming_from(from.into());
        let account = account_of_desk_token(token).ok_or(Error::Unauthorized)?;
        let (retour, token, device) = (self.clone(), token.to_owned(), device_name(device));
        detached(async move {
            let credential = retour.new_credential(&me, &new).await?;
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let (session, _) = retour.hold_desk_session(&mut writing, account, &token).await?;
                let added = retour.insert_passkey(&mut writing, &me, &new.name, &device, &credential).await?;
                let complete = SignInStep::Complete;
                let session = retour.renew_desk_session(&mut writing, account, &token, &session, complete).await?;
                writing.commit().await?;
                Ok((session, added))
            })
            .await
        })
        .await
    }

    /// The credential in a browser's answer. Its challenge is used up, also if it is wrong.
    async fn new_credential(&self, me: &SignedIn, new: &NewPasskey) -> Result<NewCredential> {
        me.check_fresh(self.now())?;
        if !new.name.trim().is_empty() {
            checked_name(&new.name, 1)?;
        }
        let site = self.passkey_site()?;
        let client = decoded(&new.client_data_json).ok_or_else(|| wrong(CLIENT_DATA, NOT_BASE64))?;
        let object = decoded(&new.attestation_object).ok_or_else(|| wrong(ATTESTATION, NOT_BASE64))?;
        let challenge = challenge_of(&client).ok_or_else(|| wrong(CLIENT_DATA, "expected the data of a browser"))?;
        if !self.take_challenge(Purpose::Adding(me), &challenge).await? {
            return Err(wrong(CLIENT_DATA, "expected a challenge of the last five minutes that was not used yet"));
        }
        register(&site, &challenge, &client, &object).map_err(|refused| {
            let field = match refused {
                Refused::ClientData | Refused::Challenge | Refused::Origin => CLIENT_DATA,
                _ => ATTESTATION,
            };
            wrong(field, &format!("expected a new passkey of this website: {refused}"))
        })
    }

    async fn insert_passkey(
        &self,
        writing: &mut Writing,
        me: &SignedIn,
        name: &str,
        device: &str,
        new: &NewCredential,
    ) -> Result<view::NewPasskey> {
        let (now, account) = (self.now(), me.account);
        if me.step == SignInStep::SecondFactor {
            return Err(Error::SecondFactorRequired);
        }
        if !users::hold(writing.db(), account, me.id).await? {
            return Err(Error::Unauthorized);
        }
        check_room(&passkeys::list(writing.db(), account, me.id).await?)?;
        let named = [name.trim(), device, UNNAMED].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let passkey = Passkey {
            id: PasskeyId(self.source.id()),
            user: me.id,
            credential_id: new.id.clone(),
            public_key: new.public_key.clone(),
            name: named.to_owned(),
            sign_count: new.sign_count,
            may_be_synced: new.may_be_synced,
            created_at: now,
            last_used_at: None,
        };
        if !passkeys::insert(writing.db(), account, &passkey).await? {
            return Err(wrong(ATTESTATION, "expected a passkey that is not added yet"));
        }
        users::set_factor_due(writing.db(), account, me.id, None).await?;
        self.record_own(writing, me, AuditAction::UserPasskeyAdded);
        self.after_change(writing, me, SignInChange::PasskeyAdded).await?;
        let has_codes = user_factors::count_codes(writing.db(), account, me.id).await? > 0;
        let codes = if has_codes { None } else { Some(self.renew_codes(writing, account, me.id).await?) };
        Ok(view::NewPasskey {
            passkey: view::Passkey::new(passkey),
            recovery_codes: codes.map(|codes| codes.recovery_codes),
        })
    }

    /// Gives one of the user's own passkeys another name, of 1 to 100 characters.
    pub async fn rename_passkey(&self, me: &SignedIn, id: PasskeyId, name: &str) -> Result<view::Passkey> {
        let name = checked_name(name, 1)?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            let mut writing = retour.store.write().await?;
            if !passkeys::rename(writing.db(), me.account, me.id, id, &name).await? {
                return Err(Error::NotFound);
            }
            let all = passkeys::list(writing.db(), me.account, me.id).await?;
            retour.record_own(&mut writing, &me, AuditAction::UserPasskeyRenamed);
            writing.commit().await?;
            let renamed = all.into_iter().find(|passkey| passkey.id == id).or_broken()?;
            Ok(view::Passkey::new(renamed))
        })
        .await
    }

    /// Removes one of the user's own passkeys. Their other sessions end. With the last second factor, the recovery codes
    /// end, too.
    pub async fn remove_passkey(&self, me: &SignedIn, id: PasskeyId) -> Result<()> {
        me.check_fresh(self.now())?;
        let (retour, me) = (self.clone(), me.clone());
        detached(async move {
            again_on_deadlock(|| async {
                let (mut writing, now) = (retour.store.write().await?, retour.now());
                if !users::hold(writing.db(), me.account, me.id).await? {
                    return Err(Error::Unauthorized);
                }
                if !passkeys::delete(writing.db(), me.account, me.id, id).await? {
                    return Err(Error::NotFound);
                }
                user_factors::note_removal(writing.db(), me.account, me.id, now).await?;
                retour.record_own(&mut writing, &me, AuditAction::UserPasskeyRemoved);
                retour.after_change(&mut writing, &me, SignInChange::PasskeyRemoved).await?;
                Ok(writing.commit().await?)
            })
            .await
        })
        .await
    }
}

const KIND: &str = "public-key";
const CLIENT_DATA: &str = "clientDataJson";
const ATTESTATION: &str = "attestationObject";
const NOT_BASE64: &str = "expected Base64 for URLs, at most 16,384 characters";

fn wrong(field: &str, message: &str) -> Error {
    Error::invalid(field, RefusalCode::NotAllowed, message)
}

fn check_room(known: &[Passkey]) -> Result<()> {
    if known.len() < MOST_PASSKEYS {
        return Ok(());
    }
    let message = format!("There are {MOST_PASSKEYS} passkeys already. Remove one first.");
    Err(Refusal::new(RefusalCode::LimitReached, message).into())
}
