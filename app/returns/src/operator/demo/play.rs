//! Makes the returns of the demo: the use cases run with a clock that stands at each moment of the past in turn.

use super::{
    shop::order,
    story::{Act, CUSTOMERS, DemoCustomer, MadeBy, Story, stories},
};
use crate::{
    base::{
        Error, OrBroken, Result, Retour, Role, Scope, Shopper, Source, Staff,
        client_address::ClientAddress,
        credentials::{Caller, SignedIn},
    },
    consumer::{drafts::fresh, identify::Proof},
    drafting::{
        basis::{ChosenItems, Selection, Way},
        submission::{Sent, What},
    },
    merchant::{people::withdrawals::WithdrawalInput, returns::found_parcels::NewFoundParcel},
    operator::handle::OperatorHandle,
    orders::import::{ImportError, Parsed},
    view,
};
use domain::{
    AccountId, ReturnOrderId, ReturnReasonId, ShippingOptionId, Timestamp, UserId,
    account::Account,
    address::Address,
    integration::Carrier,
    order::NewOrder,
    party::Party,
    policy::{Policy, reason::ReturnReason},
    returning::ReturnSource,
    shipping::ShippingOption,
};
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};
use store::{lists::Listing, page::Page};

/// The number of the first order.
const FIRST_ORDER: usize = 2_001;
const HOUR: i64 = 3_600;
/// What the look-ups of the demo's customers come from.
const HERE: ClientAddress = ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST));

/// A moment of the demo's past.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// The return of this story is made.
    Made(usize),
    /// This act of this story happens.
    Happens(usize, Act),
    /// A customer withdraws from the contract of this story's order.
    Withdrawn(usize),
    /// A parcel without papers arrives: its code, and what is in it.
    Found(&'static str, &'static str),
}

/// The demo while it is played.
pub(super) struct Play {
    pub(super) retour: Retour,
    pub(super) source: Source,
    pub(super) account: Account,
    pub(super) staff: Staff,
    /// The user who has some of the returns.
    pub(super) agent: Option<UserId>,
    reasons: Arc<Vec<ReturnReason>>,
    options: Arc<Vec<ShippingOption>>,
    stories: Vec<Story>,
    /// The return of each story, once it is made.
    made: Vec<Option<ReturnOrderId>>,
}

impl OperatorHandle<'_> {
    /// Makes the returns of the demo shop, unless it has returns already. Returns how many were made.
    pub async fn demo_returns(self, account: AccountId) -> Result<usize> {
        let mut reading = self.retour.store.read().await?;
        let account = store::accounts::find(reading.db(), account).await?.ok_or(Error::UnknownAccount)?;
        let newest = Listing::newest(Page::first(1));
        if !store::return_orders::list(reading.db(), account.id, &newest).await?.rows.is_empty() {
            return Ok(0);
        }
        drop(reading);
        let mut play = Play::new(self.retour, account).await?;
        // A past that a power cut loses is made again with the next database.
        self.retour.store.wait_for_disk(false).await?;
        let played = play.run().await;
        self.retour.store.wait_for_disk(true).await?;
        played.map(|()| play.stories.len())
    }
}

impl Play {
    async fn new(real: &Retour, account: Account) -> Result<Self> {
        let source = Source::held_at(real.now());
        // The past sends no mail today.
        let retour = real.with_source(source.clone()).configured(|config| config.mailer = None);
        let mut reading = retour.store.read().await?;
        let offer = retour.offers.read(reading.db(), &account).await?;
        let newest = Listing::newest(Page::first(10));
        let users = store::users::list(reading.db(), account.id, &newest).await?.rows;
        let agent = users.into_iter().find(|user| user.role == Role::Agent.name());
        drop(reading);
        let agent = agent.map(|user| user.id);
        let staff = match agent {
            Some(id) => Caller::User(SignedIn::at_once(account.id, id, Role::Agent)).as_staff(Scope::Write)?,
            None => Staff::operator(account.id),
        };
        let stories = stories();
        let made = vec![None; stories.len()];
        Ok(Self {
            retour,
            source,
            account,
            staff,
            agent,
            reasons: offer.reasons,
            options: offer.options,
            stories,
            made,
        })
    }

    async fn run(&mut self) -> Result<()> {
        let now = self.source.now();
        self.import(now).await?;
        let own = self.account.policy.clone();
        self.set_rules(&Policy { gift_returns: true, ..own.clone() }, true).await?;
        let played = self.play(now).await;
        self.source.set(now);
        self.set_rules(&own, false).await?;
        played
    }

    /// Imports the orders, one for each return.
    async fn import(&self, now: Timestamp) -> Result<()> {
        let orders = self.stories.iter().enumerate().map(|(place, story)| Self::order(place, story, now));
        let parsed =
            orders.collect::<Result<Vec<_>>>()?.into_iter().map(|order| Ok::<_, ImportError>(Parsed::from(order)));
        self.retour.import(self.account.id, parsed).await?;
        Ok(())
    }

    fn order(place: usize, story: &Story, now: Timestamp) -> Result<NewOrder> {
        let (name, email, street, postal_code, city) = customer(place);
        let days_before = i64::try_from(4 + place % 9).unwrap_or(4);
        let sent = now.plus_seconds(-HOUR * (i64::from(story.hours_ago) + 24 * days_before));
        let mut order = order(&number(place), email, sent, story.lines)?;
        order.address = Address {
            name: name.to_owned(),
            street: street.to_owned(),
            postal_code: postal_code.to_owned(),
            city: city.to_owned(),
            country: "GB".to_owned(),
            ..Address::default()
        };
        Ok(order)
    }

    /// Plays all events, the oldest first: lists show returns in the order in which they were stored.
    async fn play(&mut self, now: Timestamp) -> Result<()> {
        let mut events: Vec<(i64, Event)> = Vec::new();
        for (place, story) in self.stories.iter().enumerate() {
            let made = -HOUR * i64::from(story.hours_ago);
            events.push((made, Event::Made(place)));
            let acts = (1..).zip(&story.then);
            // Acts of one hour follow each other by a minute.
            events.extend(acts.map(|(turn, (hours, act))| {
                ((made + HOUR * i64::from(*hours) + 60 * turn).min(0), Event::Happens(place, *act))
            }));
        }
        for (place, days) in [(22, 3), (31, 9)] {
            events.push((-HOUR * 24 * days, Event::Withdrawn(place)));
        }
        for (hours, code, contents) in [
            (30, "JJD0099881234", "Walking boots, size 42, no slip"),
            (100, "RP777123450GB", "A blanket in a plain box"),
        ] {
            events.push((-HOUR * hours, Event::Found(code, contents)));
        }
        events.sort_by_key(|(at, _)| *at);
        for (at, event) in events {
            self.source.set(now.plus_seconds(at));
            match event {
                Event::Made(place) => {
                    let order = self.make(place).await?;
                    if let Some(made) = self.made.get_mut(place) {
                        *made = Some(order);
                    }
                }
                Event::Happens(place, act) => {
                    let order = self.made.get(place).copied().flatten().or_broken()?;
                    self.act(order, act).await?;
                }
                Event::Withdrawn(place) => self.withdraw(place).await?,
                Event::Found(code, contents) => self.find_parcel(code, contents).await?,
            }
        }
        Ok(())
    }
}

/// Making returns.
impl Play {
    async fn make(&self, place: usize) -> Result<ReturnOrderId> {
        let story = self.stories.get(place).or_broken()?;
        let shopper = self.shopper(place, story.made_by).await?;
        let bought = self.retour.consumer(&shopper).purchases(Page::first(100), None).await?.data;
        let selections = bought.iter().map(|purchase| self.selection(story, purchase)).collect::<Result<Vec<_>>>()?;
        let option = self.options.iter().find(|option| option.method == story.way).map(|option| option.id);
        let refuses_label = story.then.iter().any(|(_, act)| matches!(act, Act::RefuseLabel(_)));
        if refuses_label {
            self.set_carrier(Carrier::Bridge).await?;
        }
        let made = self.submit(shopper, story, selections, option).await;
        if refuses_label {
            self.set_carrier(self.account.carrier.clone()).await?;
        }
        made
    }

    async fn submit(
        &self,
        shopper: Shopper,
        story: &Story,
        selections: Vec<Selection>,
        option: Option<ShippingOptionId>,
    ) -> Result<ReturnOrderId> {
        let by = match story.made_by {
            MadeBy::Staff => Party::Staff(self.staff),
            MadeBy::Shopper | MadeBy::Recipient => Party::Consumer(Sent::from(ReturnSource::Portal)),
        };
        let chosen = ChosenItems::by_consumer(selections, Way::Chosen(option));
        Ok(fresh(self.retour.submit_for(shopper, What::New(Box::new(chosen)), by, None).await?)?.id)
    }

    async fn shopper(&self, place: usize, made_by: MadeBy) -> Result<Shopper> {
        let (_, email, _, postal_code, _) = customer(place);
        let proof = match made_by {
            MadeBy::Recipient => {
                let recipient = format!("gift-{place}@example.com");
                Proof::Gift { postal_code: postal_code.to_owned(), recipient }
            }
            MadeBy::Shopper | MadeBy::Staff => Proof::Email(email.to_owned()),
        };
        let account = self.retour.account(&self.account.slug).await?;
        self.retour.identify_without_token(&account, &number(place), proof, HERE).await
    }

    fn selection(&self, story: &Story, purchase: &view::PurchaseView) -> Result<Selection> {
        let reason = self.reason(story.reason.place())?;
        Ok(Selection {
            purchase_id: purchase.id,
            quantity: i64::from(purchase.quantity),
            return_reason_id: Some(reason),
            comment: story.comment.to_owned(),
            answers: Vec::new(),
            resolution: story.wanted,
            exchange_for: None,
        })
    }

    pub(super) fn reason(&self, place: usize) -> Result<ReturnReasonId> {
        Ok(self.reasons.get(place).or_broken()?.id)
    }

    async fn find_parcel(&self, code: &str, contents: &str) -> Result<()> {
        let found =
            NewFoundParcel { code: code.to_owned(), contents: contents.to_owned(), ..NewFoundParcel::default() };
        self.retour.merchant(&self.staff).create_found_parcel(found, None).await.map(drop)
    }

    async fn withdraw(&self, place: usize) -> Result<()> {
        let (name, email, ..) = customer(place);
        let input =
            WithdrawalInput { name: name.to_owned(), contract: number(place), email: email.to_owned(), language: None };
        self.retour.merchant(&self.staff).create_withdrawal(input, None).await.map(drop)
    }
}

/// The customer of the story at this place.
fn customer(place: usize) -> DemoCustomer {
    CUSTOMERS.get(place % CUSTOMERS.len()).copied().unwrap_or_default()
}

/// The order number of the story at this place.
fn number(place: usize) -> String {
    (FIRST_ORDER + place).to_string()
}
