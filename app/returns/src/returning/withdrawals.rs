//! Withdrawals from a contract (Directive 2011/83/EU, article 11a): storing the statement, and linking it to orders and
//! returns. `merchant/people/withdrawals.rs` has what the merchant does with them.

use crate::{
    base::{Error, Result, Retour},
    privacy::hashes::email_hash,
    view::{self, line_of, to_value},
};
use domain::{
    AccountId, EventId, Locale, Timestamp, WithdrawalId,
    proof::{EmailKey, OrderNumberKey},
    returning::ReturnOrder,
    webhook::EventType,
    withdrawal::{Statement, Withdrawal},
};
use store::{
    Writing,
    consumers::{self, Consumer},
    orders, person_locks, withdrawals,
};

/// How often a new short number is tried: a number that is taken is rare.
pub(crate) const NUMBER_ATTEMPTS: usize = 5;

impl Retour {
    /// Stores a statement with its event and the mail that acknowledges it, in one transaction. Also returns whether
    /// the statement is new.
    pub(crate) async fn keep_withdrawal(
        &self,
        writing: &mut Writing,
        account: AccountId,
        new: NewWithdrawal,
    ) -> Result<(Withdrawal, bool)> {
        let now = self.now();
        let NewWithdrawal { id, statement, language } = new;
        if let Some(email) = EmailKey::new(&statement.email) {
            // The statement is either erased together with the person's other data, or written after the erasure.
            person_locks::share(writing.db(), &[email_hash(account, &email)]).await?;
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
        // As with return orders, a collision of numbers is rare.
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
        writing.publish(store::events::Event {
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

/// A statement that is to be stored.
pub(crate) struct NewWithdrawal {
    pub id: WithdrawalId,
    pub statement: Statement,
    pub language: Locale,
}

/// Finds the orders that a statement names, only among those of its e-mail address. The sender does not learn the
/// result.
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

/// The e-mail address of a buyer. A gift recipient has no contract to withdraw from, and may enter any address.
fn buyer(consumer: &Consumer) -> Option<EmailKey> {
    EmailKey::new(&consumer.email).filter(|_| !consumer.credentials.is_gift())
}

/// Whether a consumer has proved an order that the withdrawal names.
fn has_proved(consumer: &Consumer, withdrawal: &Withdrawal) -> bool {
    buyer(consumer).is_some() && is_of(&withdrawal.order_numbers, |key| *key == consumer.credentials.order_number)
}

fn is_of(numbers: &[String], is_it: impl Fn(&OrderNumberKey) -> bool) -> bool {
    numbers.iter().filter_map(|number| OrderNumberKey::new(number)).any(|key| is_it(&key))
}

/// Links the earlier withdrawals of a consumer to an order that the consumer has just proved.
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

/// Links a new return to the withdrawals that name its orders.
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

/// Changes those of these withdrawals that the change concerns. They are locked one after the other, oldest first.
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
                return Err(Error::broken()); // it is locked, so no other transaction can have changed it
            }
        }
    }
    Ok(())
}

impl Retour {
    /// A prefix for the kind, such as `R-`, and eight characters that are not easily confused (Crockford's base 32).
    pub(crate) fn short_number(&self, kind: &str) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let characters =
            self.source.random::<8>().map(|byte| ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
        characters
            .into_iter()
            .fold(kind.to_owned(), |number, character| number + char::from(character).encode_utf8(&mut [0; 4]))
    }
}
