//! The people who work in the demo shop: an agent and an admin.

use crate::{
    base::{Error, OrBroken, Result, Role},
    merchant::team::users::NewUser,
    operator::handle::OperatorHandle,
};
use domain::{AccountId, UserId, policy::SecondFactorRule, proof::ProofKey};
use store::{accounts, users};

/// A person of the demo shop, with the password.
#[derive(Debug, Clone)]
pub struct DemoUser {
    /// The e-mail address to sign in with.
    pub email: &'static str,
    /// The person's name.
    pub name: &'static str,
    /// The role.
    pub role: Role,
    /// The password. It is random, and belongs to this installation alone.
    pub password: String,
}

/// The people of the demo shop: e-mail address, name and role.
const PEOPLE: [(&str, &str, Role); 2] = [
    ("robin@fjord-fern.example", "Robin Hale", Role::Agent),
    ("morgan@fjord-fern.example", "Morgan Reid", Role::Admin),
];

/// The characters of a password: none of them looks like another one.
const CHARACTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
/// The groups of a password: 16 characters have 79 bits.
const GROUPS: usize = 4;
const GROUP_CHARS: usize = 4;

impl OperatorHandle<'_> {
    /// The people of the demo shop. `known` are the passwords of an earlier run, by e-mail address; a person without one
    /// gets a new password.
    pub async fn demo_people(
        self,
        account: AccountId,
        known: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<DemoUser>> {
        self.require_no_second_factor(account).await?;
        let mut people = Vec::with_capacity(PEOPLE.len());
        for (email, name, role) in PEOPLE {
            let user = self.find_user(account, email).await?;
            let password = match (&user, known(email)) {
                (Some(_), Some(password)) => password,
                (Some(user), None) => {
                    let password = self.new_password();
                    self.replace_password(account, *user, password.clone()).await?;
                    password
                }
                (None, _) => {
                    let password = self.new_password();
                    let new = NewUser { email: email.to_owned(), name: name.to_owned(), role, language: None };
                    self.retour.create_user(account, new, password.clone()).await?;
                    password
                }
            };
            people.push(DemoUser { email, name, role, password });
        }
        Ok(people)
    }

    /// The passwords of the demo's people are enough: nobody sets up an authenticator app to try it.
    async fn require_no_second_factor(self, account: AccountId) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        let mut account = accounts::find(writing.db(), account).await?.ok_or(Error::UnknownAccount)?;
        if account.policy.require_second_factor != SecondFactorRule::Off {
            account.policy.require_second_factor = SecondFactorRule::Off;
            accounts::update(writing.db(), &account, self.retour.now()).await?;
            writing.commit().await?;
        }
        Ok(())
    }

    /// The user with this e-mail address in the demo shop.
    async fn find_user(self, account: AccountId, email: &str) -> Result<Option<UserId>> {
        let key = ProofKey::new(email).or_broken()?;
        let mut reading = self.retour.store.read().await?;
        let found = users::find_by_email(reading.db(), &key).await?;
        Ok(found.filter(|user| user.account == account).map(|user| user.id))
    }

    async fn replace_password(self, account: AccountId, user: UserId, password: String) -> Result<()> {
        let hash = self.retour.passwords.hash(self.retour.source.random(), password).await?;
        let mut writing = self.retour.store.write().await?;
        users::set_password(writing.db(), account, user, &hash, self.retour.now()).await?;
        Ok(writing.commit().await?)
    }

    fn new_password(self) -> String {
        let bytes = self.retour.source.random::<{ GROUPS * GROUP_CHARS }>();
        // 256 is no multiple of the number of characters; a demo's password may be a little uneven.
        let character = |byte: &u8| CHARACTERS.get(usize::from(*byte) % CHARACTERS.len()).map(|one| char::from(*one));
        let groups = bytes.chunks(GROUP_CHARS).map(|group| group.iter().filter_map(character).collect::<String>());
        groups.collect::<Vec<_>>().join("-")
    }
}
