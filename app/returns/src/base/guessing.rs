//! How often anybody may guess wrong at an order, an e-mail or a password (docs/api.md, "Guessing").
//!
//! A guess at an order that the database holds is checked against the counts, evaluated and counted where it is wrong, in
//! one transaction: right guesses write no counts, so that shoppers of one network do not wait for each other. Of many
//! guesses at once, no more are answered as wrong than may be wrong. Postgres evaluates at most one more for each of the
//! pool's connections, and answers those as guesses over the limit.
//!
//! What is evaluated outside a transaction (a shop that is asked, the hash of a password) counts as wrong before, and its
//! count is given back when it is right.
//!
//! A stranger's wrong guesses close nothing to the right e-mail address. They close the stranger's own network, and the
//! ways by postal code: those are so few that they can be tried one after the other. Who has proved an order from the same
//! network before has a count of their own.

use super::{
    client_address::ClientAddress,
    error::{Error, Result},
    hash::{hash_of, hex},
};
use domain::{AccountId, Timestamp, proof::ProofKey};
use std::{future::Future, time::Duration};
use store::{
    Writing,
    consumers::{Credentials, Proof},
    guesses::{self, Counter, Hash},
};

/// Wrong guesses a day of one network within an account.
const OF_CLIENT: i64 = 20;
/// Those of them with one e-mail address. As many again where the same was right from there before.
const OF_CLIENT_WITH_PROOF: i64 = 10;
/// Wrong guesses a day with one postal code at any order of an account.
const WITH_POSTAL_CODE: i64 = 20;
/// Wrong postal codes a day at one order.
const POSTAL_CODES_OF_ORDER: i64 = 10;
/// Wrong guesses a day at one order, and with one e-mail address, through the account's own page.
const THROUGH_ACCOUNT: i64 = 20;
/// The same with one postal code: that page asks for all its shoppers.
const WITH_POSTAL_CODE_THROUGH_ACCOUNT: i64 = 50;
/// New recipients a day to whom one network, or the account's own page, may have one order given.
const GIFT_RECIPIENTS: i64 = 20;
/// Wrong guesses a day at a user's password.
const OF_PASSWORD: i64 = 10;
const DAY_SECONDS: i64 = 86_400;
/// How long it counts that somebody guessed right.
const TRUST_DAYS: u32 = 90;

/// Who tries to prove an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prover {
    /// A shopper, from this address.
    Client(ClientAddress),
    /// The account's own page, with a credential of the account, for all its shoppers; from this address.
    Account(ClientAddress),
}

impl From<ClientAddress> for Prover {
    fn from(address: ClientAddress) -> Self {
        Self::Client(address)
    }
}

impl Prover {
    /// Where the request comes from.
    pub(crate) fn address(self) -> ClientAddress {
        match self {
            Self::Client(address) | Self::Account(address) => address,
        }
    }

    /// The place that is remembered, and that is counted by.
    fn place(self) -> String {
        match self {
            Self::Client(address) => address.network().to_string(),
            Self::Account(_) => "account".to_owned(),
        }
    }
}

/// A guess that is about to be evaluated.
#[derive(Debug)]
pub(crate) struct Guess {
    /// What was right before, where it was guessed at from the same place.
    known: Hash,
    /// The same at this place: another hash for each, so that nobody can tell who was where. It is what counts where
    /// somebody was right here before.
    known_here: Subject,
    /// What counts where nobody was.
    unless_known: Vec<Subject>,
    at: Timestamp,
}

/// What wrong guesses are counted by, and how many there may be a day.
#[derive(Debug, Clone)]
struct Subject {
    hash: Hash,
    allowed: i64,
}

impl Subject {
    pub(crate) fn new(parts: &[&str], allowed: i64) -> Self {
        Self { hash: hash_of(parts), allowed }
    }
}

/// A guess that may be evaluated in this transaction, and counts where it is wrong.
#[derive(Debug)]
pub(crate) struct AllowedGuess {
    guess: Guess,
    counters: Vec<Counter>,
}

/// A guess that counts as wrong so far.
#[derive(Debug)]
pub(crate) struct CountedGuess {
    guess: Guess,
    counters: Vec<Hash>,
}

impl Guess {
    /// At what proves an order.
    pub fn at_order(account: AccountId, credentials: &Credentials, prover: Prover, at: Timestamp) -> Self {
        let (account, place, order) = (account.to_string(), prover.place(), credentials.order_number.as_str());
        let through_account = matches!(prover, Prover::Account(_));
        let here = |known: &Hash| Subject {
            hash: hash_of(&[&hex(known), &place]),
            allowed: if through_account { THROUGH_ACCOUNT } else { OF_CLIENT_WITH_PROOF },
        };
        let mut unless_known = Vec::new();
        if !through_account {
            unless_known.push(Subject::new(&["client", &account, &place], OF_CLIENT));
        }
        let known = match &credentials.proof {
            Proof::Email(email) => {
                if through_account {
                    unless_known.push(Subject::new(&["order through account", &account, order], THROUGH_ACCOUNT));
                }
                let known = hash_of(&["email", &account, email.as_str()]);
                unless_known.push(here(&known));
                known
            }
            // The e-mail address that comes with a gift proves nothing: the recipient says what it is.
            Proof::PostalCode(code) | Proof::Gift { postal_code: code, .. } => {
                let code = code.as_str();
                let (kind, allowed) = if through_account {
                    ("postal code through account", WITH_POSTAL_CODE_THROUGH_ACCOUNT)
                } else {
                    ("postal code", WITH_POSTAL_CODE)
                };
                unless_known.push(Subject::new(&[kind, &account, code], allowed));
                unless_known.push(Subject::new(&["postal codes of order", &account, order], POSTAL_CODES_OF_ORDER));
                hash_of(&["order and postal code", &account, order, code])
            }
        };
        let known_here = here(&known);
        Self { known, known_here, unless_known, at }
    }

    /// At a user's password.
    pub fn at_password(email: &ProofKey, from: ClientAddress, at: Timestamp) -> Self {
        let known = hash_of(&["password", email.as_str()]);
        let here = hash_of(&[&hex(&known), &from.network().to_string()]);
        let known_here = Subject { hash: here, allowed: OF_PASSWORD };
        let unless_known = vec![Subject { hash: known.clone(), allowed: OF_PASSWORD }];
        Self { known, known_here, unless_known, at }
    }

    /// Refuses it where there were too many wrong ones. Nothing is counted yet.
    pub async fn check(self, writing: &mut Writing) -> Result<AllowedGuess> {
        let counters = self.counters(writing).await?;
        if guesses::is_any_full(writing.db(), &counters).await? {
            return Err(self.too_many());
        }
        Ok(AllowedGuess { guess: self, counters })
    }

    /// Counts it, unless there were too many: then the transaction is to be dropped and nothing evaluated. Until the
    /// transaction ends, other guesses that are counted by the same wait.
    pub async fn count(self, writing: &mut Writing) -> Result<CountedGuess> {
        let counters = self.counters(writing).await?;
        self.add(writing, &counters).await?;
        let counters = counters.into_iter().map(|counter| counter.subject).collect();
        Ok(CountedGuess { guess: self, counters })
    }

    /// What it is counted by. All guesses wait for counts in the same order, as `give_back` does: two never wait for each
    /// other.
    async fn counters(&self, writing: &mut Writing) -> Result<Vec<Counter>> {
        let day = Day::of(self.at);
        let is_known = guesses::is_trusted(writing.db(), &self.known, &self.known_here.hash, self.at).await?;
        let subjects = if is_known { std::slice::from_ref(&self.known_here) } else { &self.unless_known };
        let mut counters: Vec<Counter> = subjects.iter().map(|subject| day.counter(subject)).collect();
        counters.sort_unstable_by(|one, other| one.subject.cmp(&other.subject));
        Ok(counters)
    }

    async fn add(&self, writing: &mut Writing, counters: &[Counter]) -> Result<()> {
        let is_counted = guesses::count(writing.db(), counters, Day::of(self.at).ends()).await?;
        if is_counted { Ok(()) } else { Err(self.too_many()) }
    }

    fn too_many(&self) -> Error {
        Error::TooManyGuesses { seconds: Day::of(self.at).seconds_left(self.at), link: None }
    }

    /// It was right, and is known at this place from now on.
    async fn trust(&self, writing: &mut Writing) -> Result<()> {
        let until = self.at.plus_days(TRUST_DAYS);
        Ok(guesses::trust(writing.db(), &self.known, &self.known_here.hash, until).await?)
    }
}

/// Counts a new recipient of a gift, who is a consumer with a token of their own.
pub(crate) async fn count_gift_recipient(
    writing: &mut Writing,
    account: AccountId,
    credentials: &Credentials,
    prover: Prover,
    at: Timestamp,
) -> Result<()> {
    let (account, place) = (account.to_string(), prover.place());
    let subject = ["gift recipients", &account, credentials.order_number.as_str(), &place];
    match of_today(writing, &subject, GIFT_RECIPIENTS, at).await? {
        Some(seconds) => Err(Error::TooManyGuesses { seconds, link: None }),
        None => Ok(()),
    }
}

/// Counts something that anybody may do so many times a day. Once more, and the answer is how many seconds of the day are
/// left: then nothing is counted.
pub(crate) async fn of_today(
    writing: &mut Writing,
    subject: &[&str],
    allowed: i64,
    at: Timestamp,
) -> Result<Option<i64>> {
    let day = Day::of(at);
    let counter = day.counter(&Subject::new(subject, allowed));
    let is_allowed = guesses::count(writing.db(), &[counter], day.ends()).await?;
    Ok((!is_allowed).then(|| day.seconds_left(at)))
}

/// A day of UTC, by its number since 1970.
#[derive(Clone, Copy)]
struct Day(i64);

impl Day {
    fn of(at: Timestamp) -> Self {
        Self(at.seconds().div_euclid(DAY_SECONDS))
    }

    fn ends(self) -> Timestamp {
        Timestamp::from_seconds((self.0 + 1) * DAY_SECONDS)
    }

    fn seconds_left(self, at: Timestamp) -> i64 {
        (self.ends().seconds() - at.seconds()).max(1)
    }

    fn counter(self, subject: &Subject) -> Counter {
        Counter { subject: hash_of(&[&hex(&subject.hash), &self.0.to_string()]), allowed: subject.allowed }
    }
}

impl AllowedGuess {
    /// It was right: it does not count, and is known at this place from now on.
    pub async fn was_right(&self, writing: &mut Writing) -> Result<()> {
        self.guess.trust(writing).await
    }

    /// It was wrong, and counts. Where others have reached the limit since the check, it is refused as they are, and the
    /// transaction is to be dropped.
    pub async fn was_wrong(&self, writing: &mut Writing) -> Result<()> {
        self.guess.add(writing, &self.counters).await
    }
}

impl CountedGuess {
    /// It does not count: nobody could tell whether it was right.
    pub async fn give_back(&self, writing: &mut Writing) -> Result<()> {
        Ok(guesses::give_back(writing.db(), &self.counters).await?)
    }

    /// It was right: it does not count, and is known at this place from now on.
    pub async fn was_right(&self, writing: &mut Writing) -> Result<()> {
        self.give_back(writing).await?;
        self.guess.trust(writing).await
    }
}

/// Every failure answers after this long, whatever it was, so that nothing can be read from the time it took.
const FAILURE_TAKES: Duration = Duration::from_secs(1);

/// Waits where something failed, until nobody can tell how long it took.
pub(crate) async fn delay_failure<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let began = tokio::time::Instant::now();
    let outcome = work.await;
    if outcome.is_err() {
        // A shop that is asked may take longer for some: whole steps tell less.
        let steps = began.elapsed().as_secs() / FAILURE_TAKES.as_secs() + 1;
        tokio::time::sleep_until(began + FAILURE_TAKES.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))).await;
    }
    outcome
}
