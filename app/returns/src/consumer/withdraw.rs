//! Withdrawing from a contract (Directive 2011/83/EU, article 11a).

use crate::{
    base::{
        Error, Result, Retour, Shopper, again_on_deadlock, client_address::ClientAddress, detached, error::check,
        guessing::of_today,
    },
    returning::withdrawals::NewWithdrawal,
    view,
};
use domain::{AccountId, Locale, WithdrawalId, withdrawal::Statement};
use store::withdrawals;

/// Withdrawals a day from one network, or from one consumer: more than anybody needs, and few enough to stop a flood.
const A_DAY: i64 = 20;

/// The sender of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawnBy {
    /// An unknown person, from this address.
    Client(ClientAddress),
    /// A consumer who has proved an order. Others in the same network do not use up this consumer's limit.
    Shopper(Shopper),
}

impl From<ClientAddress> for WithdrawnBy {
    fn from(address: ClientAddress) -> Self {
        Self::Client(address)
    }
}

impl WithdrawnBy {
    fn counted_by(self) -> String {
        match self {
            Self::Client(address) => address.network().to_string(),
            Self::Shopper(shopper) => shopper.consumer.to_string(),
        }
    }
}

impl Retour {
    /// Creates the id of a withdrawal before its confirmation, so that a repeated confirmation creates only one.
    pub fn withdrawal_id(&self) -> WithdrawalId {
        WithdrawalId(self.source.id())
    }

    /// Stores a confirmed statement of withdrawal. A repetition with the same id returns the same withdrawal.
    pub async fn receive_withdrawal(
        &self,
        account: AccountId,
        id: WithdrawalId,
        statement: Statement,
        language: Locale,
        by: impl Into<WithdrawnBy>,
    ) -> Result<view::Withdrawal> {
        check(statement.check())?;
        let (retour, counted_by) = (self.clone(), by.into().counted_by());
        detached(async move {
            again_on_deadlock(|| async {
                let mut writing = retour.store.write().await?;
                let new = NewWithdrawal { id, statement: statement.clone(), language: language.clone() };
                let (kept, is_new) = retour.keep_withdrawal(&mut writing, account, new).await?;
                if is_new {
                    let subject = ["withdrawal", &account.to_string(), &counted_by];
                    if let Some(seconds) = of_today(&mut writing, &subject, A_DAY, retour.now()).await? {
                        return Err(Error::TooManyWithdrawals { seconds }); // nothing is stored
                    }
                }
                writing.commit().await?;
                Ok(kept.into())
            })
            .await
        })
        .await
    }

    /// Returns a withdrawal. The caller has checked that it was sent from this browser.
    pub async fn sent_withdrawal(&self, account: AccountId, id: WithdrawalId) -> Result<Option<view::Withdrawal>> {
        let mut reading = self.store.read().await?;
        Ok(withdrawals::find(reading.db(), account, id).await?.map(Into::into))
    }
}
