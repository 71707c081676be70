//! How often anybody may guess wrong at an order, an e-mail or a password (design 3, "Guessing"): ten times a day,
//! whether there is such a thing or not. The rate limit alone would leave 172,800 guesses a day.
//!
//! A guess is counted as a wrong one before anybody looks whether it is, and given back when it was right: however
//! many come at once, no more are looked at than may be wrong. Who has guessed right before from the same address has
//! ten of their own, so that nobody is shut out by what others do.

use crate::{Error, Result, credentials::hash_of};
use domain::{AccountId, Timestamp, order::ProofKey};
use std::net::IpAddr;
use store::{
    Writing,
    consumers::{Credentials, Proof},
    guesses::{self, Hash},
};

/// Wrong guesses a day.
const ALLOWED: i64 = 10;
const DAY_SECONDS: i64 = 86_400;
/// How long it counts that somebody guessed right.
const TRUST_DAYS: u32 = 90;

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// A guess that is about to be looked at.
#[derive(Debug)]
pub(crate) struct Guess {
    /// What is guessed at.
    subjects: Vec<Hash>,
    from: ClientAddress,
    at: Timestamp,
}

/// A guess that counts as a wrong one so far.
#[derive(Debug)]
pub(crate) struct Counted {
    guess: Guess,
    counters: Vec<Hash>,
}

impl Guess {
    /// At what proves an order: of the order, and of the e-mail, whichever other order it may be tried with.
    pub fn at_order(account: AccountId, credentials: &Credentials, from: ClientAddress, at: Timestamp) -> Self {
        let account = account.to_string();
        let mut subjects = vec![hash_of(&["order", &account, credentials.order_number.as_str()])];
        // The e-mail that comes with a gift proves nothing: whoever sends it says what it is.
        if let Proof::Email(email) = &credentials.proof {
            subjects.push(hash_of(&["email", &account, email.as_str()]));
        }
        // Everybody waits for counts in the same order: two guesses never wait for each other.
        subjects.sort_unstable();
        Self { subjects, from, at }
    }

    /// At a user's password.
    pub fn at_password(email: &ProofKey, from: ClientAddress, at: Timestamp) -> Self {
        Self { subjects: vec![hash_of(&["password", email.as_str()])], from, at }
    }

    /// Counts it, unless there were too many: then the transaction is to be dropped and nothing looked at. Until the
    /// transaction ends, other guesses at the same wait.
    pub async fn count(self, writing: &mut Writing) -> Result<Counted> {
        let day = self.at.seconds().div_euclid(DAY_SECONDS);
        let day_ends = Timestamp::from_seconds((day + 1) * DAY_SECONDS);
        let trusted = guesses::find_trusted(writing.db(), &self.addresses(), self.at).await?;
        let counters = self
            .addresses()
            .into_iter()
            .map(|(subject, address)| counter(subject, day, trusted.contains(subject).then_some(&address)));
        let mut counters: Vec<Hash> = counters.collect();
        counters.sort_unstable(); // as `give_back` takes them
        if !guesses::count(writing.db(), &counters, ALLOWED, day_ends).await? {
            return Err(Error::TooManyGuesses { seconds: (day_ends.seconds() - self.at.seconds()).max(1) });
        }
        Ok(Counted { guess: self, counters })
    }

    /// With each subject the address as it is kept: another one for each, so that nobody can tell who has been where.
    fn addresses(&self) -> Vec<(&Hash, Hash)> {
        let from = self.from.network().to_string();
        self.subjects.iter().map(|subject| (subject, hash_of(&[&crate::credentials::hex(subject), &from]))).collect()
    }
}

/// Counts something that anybody may do so many times a day; once more, and it is told how long that day still lasts: then
/// the transaction is to be dropped.
pub(crate) async fn of_today(
    writing: &mut Writing,
    subject: &[&str],
    allowed: i64,
    at: Timestamp,
) -> Result<Option<i64>> {
    let day = at.seconds().div_euclid(DAY_SECONDS);
    let day_ends = Timestamp::from_seconds((day + 1) * DAY_SECONDS);
    let counter = counter(&hash_of(subject), day, None);
    let is_allowed = guesses::count(writing.db(), &[counter], allowed, day_ends).await?;
    Ok((!is_allowed).then(|| (day_ends.seconds() - at.seconds()).max(1)))
}

fn counter(subject: &[u8], day: i64, address: Option<&Hash>) -> Hash {
    use crate::credentials::hex;
    hash_of(&[&hex(subject), &day.to_string(), &address.map_or_else(String::new, |address| hex(address))])
}

impl Counted {
    /// It does not count: nobody could tell whether it was right.
    pub async fn give_back(&self, writing: &mut Writing) -> Result<()> {
        Ok(guesses::give_back(writing.db(), &self.counters).await?)
    }

    /// It was right: it does not count, and this address is known from now on.
    pub async fn was_right(&self, writing: &mut Writing) -> Result<()> {
        self.give_back(writing).await?;
        let until = self.guess.at.plus_days(TRUST_DAYS);
        Ok(guesses::trust(writing.db(), &self.guess.addresses(), until).await?)
    }
}
