//! Limits wrong guesses at an order, an e-mail address or a password (docs/api.md, "Guessing").
//!
//! A guess at an order in the database is checked against the counts, evaluated, and counted if wrong, in one
//! transaction. Right guesses write no counts, so shoppers of one network do not wait for each other. Of many
//! concurrent guesses, no more are answered as wrong than the limit allows. Postgres evaluates at most one more for
//! each connection of the pool, and answers those as guesses over the limit.
//!
//! A guess that is evaluated outside a transaction (at a shop, or by hashing a password) counts as wrong first. If it
//! is right, its count is given back.
//!
//! A stranger's wrong guesses never block the right e-mail address. They block the stranger's own network, and the
//! look-ups by postal code, because there are few enough postal codes to try them all. A shopper who has proved an
//! order from the same network before has a separate count.

use super::{
    client_address::ClientAddress,
    error::{Error, Result},
    hash::{hash_of, hex},
};
use domain::{AccountId, Timestamp, UserId, proof::ProofKey};
use std::{future::Future, time::Duration};
use store::{
    Writing,
    consumers::{Credentials, Proof},
    guesses::{self, Counter, Hash},
};

/// Wrong guesses a day from one network within an account.
const OF_CLIENT: i64 = 20;
/// Of these, wrong guesses with one e-mail address. The same number again if that address was proved from that network
/// before.
const OF_CLIENT_WITH_PROOF: i64 = 10;
/// Wrong guesses a day with one postal code at any order of an account.
const WITH_POSTAL_CODE: i64 = 20;
/// Wrong postal codes a day at one order.
const POSTAL_CODES_OF_ORDER: i64 = 10;
/// Wrong guesses a day at one order, and with one e-mail address, through the account's own page.
const THROUGH_ACCOUNT: i64 = 20;
/// The same with one postal code. It is higher because that page serves all the account's shoppers.
const WITH_POSTAL_CODE_THROUGH_ACCOUNT: i64 = 50;
/// New gift recipients a day for one order, from one network or through the account's own page.
const GIFT_RECIPIENTS: i64 = 20;
/// Wrong guesses a day at a user's password.
const OF_PASSWORD: i64 = 10;
/// Wrong guesses a day at a user's second factor, by people who know the password. A code is one of a million, and three
/// are valid at a time.
const OF_SECOND_FACTOR: i64 = 20;
const DAY_SECONDS: i64 = 86_400;
/// How many days a right guess is remembered.
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
    /// The address that the request comes from.
    pub(crate) fn address(self) -> ClientAddress {
        match self {
            Self::Client(address) | Self::Account(address) => address,
        }
    }

    /// The place that is remembered and counted by.
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
    /// What was proved from the same place, if this guess was right before.
    known: Hash,
    /// The same with a separate hash for each place, so that the database does not reveal who was where. The guess is
    /// counted by it if it was right here before.
    known_here: Subject,
    /// What the guess is counted by if it was never right here.
    unless_known: Vec<Subject>,
    at: Timestamp,
}

/// What wrong guesses are counted by, and how many are allowed a day.
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

/// A guess that may be evaluated in this transaction, and counts if it is wrong.
#[derive(Debug)]
pub(crate) struct AllowedGuess {
    guess: Guess,
    counters: Vec<Counter>,
}

/// A guess that is counted as wrong until it is evaluated.
#[derive(Debug)]
pub(crate) struct CountedGuess {
    guess: Guess,
    counters: Vec<Hash>,
}

impl Guess {
    /// A guess at the credentials of an order.
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
            // The e-mail address of a gift proves nothing, since the recipient chooses it.
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

    /// A guess at a user's password.
    pub fn at_password(email: &ProofKey, from: ClientAddress, at: Timestamp) -> Self {
        let known = hash_of(&["password", email.as_str()]);
        let here = hash_of(&[&hex(&known), &from.network().to_string()]);
        let known_here = Subject { hash: here, allowed: OF_PASSWORD };
        let unless_known = vec![Subject { hash: known.clone(), allowed: OF_PASSWORD }];
        Self { known, known_here, unless_known, at }
    }

    /// A guess at a code of a user's second factor.
    pub fn at_second_factor(account: AccountId, user: UserId, from: ClientAddress, at: Timestamp) -> Self {
        let known = hash_of(&["second factor", &account.to_string(), &user.to_string()]);
        let here = hash_of(&[&hex(&known), &from.network().to_string()]);
        let known_here = Subject { hash: here, allowed: OF_SECOND_FACTOR };
        let unless_known = vec![Subject { hash: known.clone(), allowed: OF_SECOND_FACTOR }];
        Self { known, known_here, unless_known, at }
    }

    /// Refuses the guess if there were too many wrong ones. Counts nothing yet.
    pub async fn check(self, writing: &mut Writing) -> Result<AllowedGuess> {
        let counters = self.counters(writing).await?;
        if guesses::is_any_full(writing.db(), &counters).await? {
            return Err(self.too_many());
        }
        Ok(AllowedGuess { guess: self, counters })
    }

    /// Counts the guess, unless there were too many: then the caller must drop the transaction and evaluate nothing.
    /// Until the transaction ends, other guesses with the same counters wait.
    pub async fn count(self, writing: &mut Writing) -> Result<CountedGuess> {
        let counters = self.counters(writing).await?;
        self.add(writing, &counters).await?;
        let counters = counters.into_iter().map(|counter| counter.subject).collect();
        Ok(CountedGuess { guess: self, counters })
    }

    /// The counters of this guess. All guesses lock counters in the same order, as `give_back` does, so that two
    /// guesses cannot deadlock.
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

    /// Remembers that the guess was right at this place.
    async fn trust(&self, writing: &mut Writing) -> Result<()> {
        let until = self.at.plus_days(TRUST_DAYS);
        Ok(guesses::trust(writing.db(), &self.known, &self.known_here.hash, until).await?)
    }
}

/// Counts a new recipient of a gift, who is a consumer with a separate token.
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

/// Remembers a place for 90 days. Returns whether it was remembered already.
pub(crate) async fn recognise(writing: &mut Writing, subject: &[&str], place: &[&str], at: Timestamp) -> Result<bool> {
    let subject = hash_of(subject);
    let here = hash_of(&[&[hex(&subject).as_str()], place].concat());
    let is_known = guesses::is_trusted(writing.db(), &subject, &here, at).await?;
    guesses::trust(writing.db(), &subject, &here, at.plus_days(TRUST_DAYS)).await?;
    Ok(is_known)
}

/// Whether the same was done less than so many seconds ago. If not, it counts as done now.
pub(crate) async fn is_repeated(writing: &mut Writing, subject: &[&str], seconds: i64, at: Timestamp) -> Result<bool> {
    let (subject, here) = (hash_of(subject), hash_of(&["once"]));
    if guesses::is_trusted(writing.db(), &subject, &here, at).await? {
        return Ok(true);
    }
    guesses::trust(writing.db(), &subject, &here, at.plus_seconds(seconds)).await?;
    Ok(false)
}

/// Counts an action that is limited a day. Over the limit, it counts nothing and returns the remaining seconds of the
/// day.
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

/// A UTC day, as its number since 1970.
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
    /// Records a right guess: it does not count, and this place is remembered.
    pub async fn was_right(&self, writing: &mut Writing) -> Result<()> {
        self.guess.trust(writing).await
    }

    /// Counts a wrong guess. If others have reached the limit since the check, the guess is refused like theirs, and
    /// the caller must drop the transaction.
    pub async fn was_wrong(&self, writing: &mut Writing) -> Result<()> {
        self.guess.add(writing, &self.counters).await
    }
}

impl CountedGuess {
    /// Gives the count back, because the guess could not be evaluated.
    pub async fn give_back(&self, writing: &mut Writing) -> Result<()> {
        Ok(guesses::give_back(writing.db(), &self.counters).await?)
    }

    /// Records a right guess: its count is given back, and this place is remembered.
    pub async fn was_right(&self, writing: &mut Writing) -> Result<()> {
        self.give_back(writing).await?;
        self.guess.trust(writing).await
    }
}

/// Failures answer after a multiple of this time, so that the response time reveals nothing.
const FAILURE_TAKES: Duration = Duration::from_secs(1);

/// Delays a failure to a full multiple of [`FAILURE_TAKES`].
pub(crate) async fn delay_failure<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let began = tokio::time::Instant::now();
    let outcome = work.await;
    if outcome.is_err() {
        // A shop may take longer for some orders. Full steps reveal less.
        let steps = began.elapsed().as_secs() / FAILURE_TAKES.as_secs() + 1;
        tokio::time::sleep_until(began + FAILURE_TAKES.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))).await;
    }
    outcome
}
