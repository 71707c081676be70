//! Withdrawing from a contract (Directive 2011/83/EU, article 11a): taking the statement in, and what becomes of it by
//! itself. What the merchant does with it stands in `merchant/withdrawals.rs`.

use crate::{
    base::{Error, Result, Retour},
    privacy::hashes::email_hash,
    view::{self, line_of, to_value},
};
use domain::{
    AccountId, EventId, Locale, Timestamp, WithdrawalId,
    order::{EmailKey, OrderNumberKey},
    returning::ReturnOrder,
    webhook::EventType,
    withdrawal::{Statement, Withdrawal},
};
use store::{
    Writing,
    consumers::{self, Consumer},
    orders, people, withdrawals,
};

/// How often a new short number is tried: a number that is taken is rare.
pub(crate) const NUMBER_ATTEMPTS: usize = 5;

impl Retour {
    /// Keeps a statement with the event that tells of it, and whether it was not known before. The mail that acknowledges it is
    /// written in the same transaction.
    pub(crate) async fn keep_withdrawal(
        &self,
        writing: &mut Writing,
        account: AccountId,
        new: NewWithdrawal,
    ) -> Result<(Withdrawal, bool)> {
        let now = self.now();
        let NewWithdrawal { id, statement, language } = new;
        if let Some(email) = EmailKey::new(&statement.email) {
            // It is forgotten with who states it, or comes after they were.
            people::share(writing.db(), &[email_hash(account, &email)]).await?;
        }
        let mut withdrawal = Withdrawal {
            id,
            number: String::new(),
            statement,
            language,
            order_numbers: Vec::new(),
            consumer_id: None,
            return_order_id: None,
            is_closed: false,
            note: String::new(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        find_orders(writing, account, &mut withdrawal).await?;
        // As with return orders: a number that is taken is rare.
        for _ in 0..NUMBER_ATTEMPTS {
            withdrawal.number = self.short_number("W-");
            if withdrawals::insert(writing.db(), account, &withdrawal).await? {
                self.write_withdrawal_event(writing, account, &withdrawal)?;
                self.queue_acknowledgement(writing, account, &withdrawal).await?;
                return Ok((withdrawal, true));
            }
            if let Some(known) = withdrawals::find(writing.db(), account, id).await? {
                return Ok((known, false));
            }
        }
        Err(Error::broken())
    }

    fn write_withdrawal_event(&self, writing: &mut Writing, account: AccountId, withdrawal: &Withdrawal) -> Result<()> {
        writing.tell(store::events::Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::WithdrawalReceived,
            stage: None,
            return_order_id: line_of(withdrawal.id),
            data: to_value(&view::Withdrawal::from(withdrawal.clone()))?.to_string(),
            created_at: withdrawal.created_at,
        });
        Ok(())
    }
}

/// A statement that is to be kept.
pub(crate) struct NewWithdrawal {
    pub id: WithdrawalId,
    pub statement: Statement,
    pub language: Locale,
}

/// Looks for the orders that a statement names, among those of its e-mail address alone. Nobody who sends a statement
/// learns of it.
async fn find_orders(writing: &mut Writing, account: AccountId, withdrawal: &mut Withdrawal) -> Result<()> {
    let Some(email) = EmailKey::new(&withdrawal.statement.email) else { return Ok(()) };
    let orders = orders::list_of_email(writing.db(), account, &email).await?;
    if !withdrawal.find_orders(orders.iter().map(|order| order.number.as_str())) {
        return Ok(());
    }
    let known = consumers::list_of_email(writing.db(), account, &email).await?;
    withdrawal.consumer_id = known.iter().find(|one| has_proved(one, withdrawal)).map(|one| one.id);
    Ok(())
}

/// The e-mail address of somebody who bought something: who was given it has no contract to withdraw from, and types
/// whichever address they like.
fn buyer(consumer: &Consumer) -> Option<EmailKey> {
    EmailKey::new(&consumer.email).filter(|_| !consumer.credentials.is_gift())
}

/// Whether a consumer has proved an order that was withdrawn from.
fn has_proved(consumer: &Consumer, withdrawal: &Withdrawal) -> bool {
    buyer(consumer).is_some() && is_of(&withdrawal.order_numbers, |key| *key == consumer.credentials.order_number)
}

fn is_of(numbers: &[String], is_it: impl Fn(&OrderNumberKey) -> bool) -> bool {
    numbers.iter().filter_map(|number| OrderNumberKey::new(number)).any(|key| is_it(&key))
}

/// Somebody has proved an order: what they withdrew from before it was known here is known now.
pub(crate) async fn recognise(
    writing: &mut Writing,
    account: AccountId,
    consumer: &Consumer,
    now: Timestamp,
) -> Result<()> {
    let Some(email) = buyer(consumer) else { return Ok(()) };
    let open = withdrawals::list_open_of_email(writing.db(), account, &email).await?;
    if open.is_empty() {
        return Ok(());
    }
    let orders = orders::list_of_email(writing.db(), account, &email).await?;
    amend(writing, account, open, now, |withdrawal| {
        withdrawal.find_orders(orders.iter().map(|order| order.number.as_str()));
        if withdrawal.consumer_id.is_none() && has_proved(consumer, withdrawal) {
            withdrawal.consumer_id = Some(consumer.id);
        }
    })
    .await
}

/// A return was made: it is what comes of withdrawing from its orders.
pub(crate) async fn link_return(
    writing: &mut Writing,
    account: AccountId,
    consumer: &Consumer,
    order: &ReturnOrder,
    now: Timestamp,
) -> Result<()> {
    let Some(email) = buyer(consumer) else { return Ok(()) };
    let open = withdrawals::list_open_of_email(writing.db(), account, &email).await?;
    amend(writing, account, open, now, |withdrawal| {
        withdrawal.find_orders(order.order_numbers.iter().map(String::as_str));
        if order.order_numbers.iter().any(|number| withdrawal.order_numbers.contains(number)) {
            withdrawal.return_order_id = Some(order.id);
            withdrawal.consumer_id = withdrawal.consumer_id.or(Some(consumer.id));
        }
    })
    .await
}

/// Changes those withdrawals of which something becomes by it. They are held one after the other, the oldest first.
async fn amend(
    writing: &mut Writing,
    account: AccountId,
    seen: Vec<Withdrawal>,
    now: Timestamp,
    apply: impl Fn(&mut Withdrawal),
) -> Result<()> {
    for seen in seen {
        let mut changed = seen.clone();
        apply(&mut changed);
        if changed == seen {
            continue;
        }
        let Some(mut held) = withdrawals::lock(writing.db(), account, seen.id).await? else { continue };
        if held.is_open() {
            apply(&mut held);
            held.updated_at = now;
            if !withdrawals::update(writing.db(), account, &held).await? {
                return Err(Error::broken()); // it is held: nobody else can have changed it
            }
        }
    }
    Ok(())
}

impl Retour {
    /// What kind it is of, such as `R-`, and eight characters that are not mistaken for each other (Crockford's base 32).
    pub(crate) fn short_number(&self, kind: &str) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let characters =
            self.source.random::<8>().map(|byte| ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
        characters
            .into_iter()
            .fold(kind.to_owned(), |number, character| number + char::from(character).encode_utf8(&mut [0; 4]))
    }
}
