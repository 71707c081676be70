//! Makes the returns of the demo: the use cases run with a clock that stands at each moment of the past in turn.

use super::{
    shop::order,
    story::{Act, CUSTOMERS, DemoCustomer, MadeBy, Story, stories},
};
use crate::{
    base::{
        OrBroken, Result, Retour, Role, Scope, Shopper, Source, Staff,
        client_address::ClientAddress,
        credentials::{Caller, SignedIn},
        uploads::Upload,
    },
    consumer::{drafts::fresh, identify::Proof},
    drafting::{
        basis::{ChosenItems, Selection, Way},
        submission::{Sent, What},
    },
    merchant::{
        people::withdrawals::WithdrawalInput,
        returns::{
            progress::{Receipt, StatusUpdate},
            shipments::TrackingReport,
        },
    },
    operator::handle::OperatorHandle,
    orders::import::{ImportError, Parsed},
    returning::{
        change::{Change, Returned},
        label_outcome::{LabelAttempts, LabelProblem},
    },
    view,
};
use domain::{
    ReturnOrderId, ReturnReasonId, ShippingOptionId, Timestamp,
    account::Account,
    address::Address,
    integration::Carrier,
    order::{NewOrder, OrderReview},
    party::{Actor, Party},
    policy::{
        Policy, ResolveOn,
        reason::{EvidenceRule, ReturnReason},
    },
    returning::{ReturnRequest, ReturnSource},
    shipping::ShippingMethod,
    stage::{Inspection, Scan, StageName},
};
use outbound::pictures::Kind;
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};
use store::{Lease, label_requests, page::Page, return_requests, shipments};

/// The number of the first order.
const FIRST_ORDER: usize = 2_001;
const HOUR: i64 = 3_600;
/// Pictures of a broken mug and of its parcel. Each counts once for a request.
const PHOTOS: [&[u8]; 2] = [include_bytes!("photo-1.png"), include_bytes!("photo-2.png")];
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
}

/// The demo while it is played.
struct Play {
    retour: Retour,
    source: Source,
    account: Account,
    staff: Staff,
    reasons: Arc<Vec<ReturnReason>>,
    options: Arc<Vec<domain::shipping::ShippingOption>>,
    stories: Vec<Story>,
    /// The return of each story, once it is made.
    made: Vec<Option<ReturnOrderId>>,
}

impl OperatorHandle<'_> {
    /// Makes the returns of the demo shop, unless it has returns already. Returns how many were made.
    pub async fn demo_returns(self, account: &Account) -> Result<usize> {
        let mut reading = self.retour.store.read().await?;
        let newest = store::lists::Listing::newest(Page::first(1));
        if !store::return_orders::list(reading.db(), account.id, &newest).await?.rows.is_empty() {
            return Ok(0);
        }
        drop(reading);
        let mut play = Play::new(self.retour, account.clone()).await?;
        play.run().await?;
        Ok(play.stories.len())
    }
}

impl Play {
    async fn new(real: &Retour, account: Account) -> Result<Self> {
        let source = Source::held_at(real.now());
        // The past sends no mail today.
        let retour = Retour { source: source.clone(), ..real.clone() }.configured(|config| config.mailer = None);
        let mut reading = retour.store.read().await?;
        let offer = retour.offers.read(reading.db(), &account).await?;
        let newest = store::lists::Listing::newest(Page::first(10));
        let users = store::users::list(reading.db(), account.id, &newest).await?.rows;
        let agent = users.into_iter().find(|user| user.role == Role::Agent.name());
        drop(reading);
        let staff = match agent {
            Some(agent) => Caller::User(SignedIn::at_once(account.id, agent.id, Role::Agent)).as_staff(Scope::Write)?,
            None => Staff::operator(account.id),
        };
        let stories = stories();
        let made = vec![None; stories.len()];
        Ok(Self { retour, source, account, staff, reasons: offer.reasons, options: offer.options, stories, made })
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
        let orders = self.stories.iter().enumerate().map(|(place, story)| self.order(place, story, now));
        let parsed =
            orders.collect::<Result<Vec<_>>>()?.into_iter().map(|order| Ok::<_, ImportError>(Parsed::from(order)));
        self.retour.import(self.account.id, parsed).await?;
        Ok(())
    }

    fn order(&self, place: usize, story: &Story, now: Timestamp) -> Result<NewOrder> {
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
        let is_settled = story.then.iter().any(|(_, act)| matches!(act, Act::Process | Act::Deny(_)));
        if story.made_by == MadeBy::Staff && story.way != ShippingMethod::InStore && !is_settled {
            order.review = Some(OrderReview::SumsDiffer);
        }
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
        Ok(fresh(self.retour.submit_for(shopper, What::New(chosen), by, None).await?)?.id)
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

    fn reason(&self, place: usize) -> Result<ReturnReasonId> {
        Ok(self.reasons.get(place).or_broken()?.id)
    }

    async fn withdraw(&self, place: usize) -> Result<()> {
        let (name, email, ..) = customer(place);
        let input =
            WithdrawalInput { name: name.to_owned(), contract: number(place), email: email.to_owned(), language: None };
        self.retour.merchant(&self.staff).create_withdrawal(input, None).await.map(drop)
    }
}

/// What happens to returns.
impl Play {
    async fn act(&self, order: ReturnOrderId, act: Act) -> Result<()> {
        let requests = self.requests(order).await?;
        match act {
            Act::Photo => self.add_photo(requests.first().or_broken()?).await,
            Act::Approve => self.move_all(&requests, StageName::RequestedApproved, "", None).await,
            Act::Reject(why) => self.move_all(&requests, StageName::RequestedRejected, why, None).await,
            Act::Scan(scan, explanation) => self.scan(order, scan, explanation).await,
            Act::ReceiveSome(units) => self.receive(requests.first().or_broken()?, units).await,
            Act::ReceiveAll => self.receive_all(&requests).await,
            Act::ReceiveToInspect => {
                let policy = Policy { gift_returns: true, ..self.account.policy.clone() };
                let inspecting = Policy { resolve_on: ResolveOn::Inspection, ..policy.clone() };
                self.set_policy(&inspecting).await?;
                self.receive_all(&requests).await?;
                self.set_policy(&policy).await
            }
            Act::Inspect(refused, condition, disposition, note) => {
                for (place, request) in requests.iter().enumerate() {
                    let refused = if place == 0 { refused } else { 0 };
                    let inspection = Inspection {
                        accepted: request.state.received.saturating_sub(refused),
                        refused,
                        condition: Some(condition),
                        disposition: Some(disposition),
                        note: Some(note.to_owned()).filter(|note| !note.is_empty()),
                    };
                    self.retour.merchant(&self.staff).inspect(request.id, inspection, None).await?;
                }
                Ok(())
            }
            Act::Process => self.move_all(&requests, StageName::ResolutionProcessing, "", None).await,
            Act::Complete(reference) => {
                self.move_all(&requests, StageName::ResolutionCompleted, "", Some(reference)).await
            }
            Act::Fail(why) => self.move_all(&requests, StageName::ResolutionFailed, why, None).await,
            Act::Deny(why) => self.move_all(&requests, StageName::ResolutionDenied, why, None).await,
            Act::Cancel => self.retour.merchant(&self.staff).cancel_return_order(order, None).await.map(drop),
            Act::RefuseLabel(why) => self.refuse_label(order, why).await,
        }
    }

    async fn requests(&self, order: ReturnOrderId) -> Result<Vec<ReturnRequest>> {
        let mut reading = self.retour.store.read().await?;
        Ok(return_requests::list_of_return_orders(reading.db(), self.account.id, &[order]).await?)
    }

    async fn move_all(
        &self,
        requests: &[ReturnRequest],
        stage: StageName,
        comment: &str,
        reference: Option<&str>,
    ) -> Result<()> {
        for request in requests {
            let update = StatusUpdate {
                stage,
                from_stage: None,
                comment: comment.to_owned(),
                external_reference: reference.map(str::to_owned),
                instead: None,
                version: None,
            };
            self.retour.merchant(&self.staff).update_status(request.id, update, None).await?;
        }
        Ok(())
    }

    async fn receive_all(&self, requests: &[ReturnRequest]) -> Result<()> {
        for request in requests {
            self.receive(request, request.state.quantity.saturating_sub(request.state.received)).await?;
        }
        Ok(())
    }

    async fn receive(&self, request: &ReturnRequest, units: u32) -> Result<()> {
        let receipt = Receipt { quantity: units, external_reference: None };
        self.retour.merchant(&self.staff).receive(request.id, receipt, None).await.map(drop)
    }

    async fn add_photo(&self, request: &ReturnRequest) -> Result<()> {
        let place = request.evidence.len();
        let bytes = PHOTOS.get(place).copied().or_broken()?.to_vec();
        let upload = Upload { name: format!("IMG_{:04}.png", 4_017 + place), kind: Kind::Png, bytes };
        self.retour.merchant(&self.staff).add_evidence(request.id, upload, None).await.map(drop)
    }

    async fn scan(&self, order: ReturnOrderId, scan: Scan, explanation: &str) -> Result<()> {
        let mut reading = self.retour.store.read().await?;
        let parcel =
            shipments::list_of_return_orders(reading.db(), self.account.id, &[order]).await?.pop().or_broken()?;
        drop(reading);
        let is_unnamed = parcel.carrier.is_empty();
        let report = TrackingReport {
            status: scan,
            explanation: explanation.to_owned(),
            happened_at: None,
            carrier: is_unnamed.then(|| "Royal Parcel".to_owned()),
            tracking_number: is_unnamed.then(|| format!("RP{}GB", parcel.sscc.get(8..17).unwrap_or(&parcel.sscc))),
            tracking_url: None,
        };
        self.retour.merchant(&self.staff).track(parcel.id, report, None).await.map(drop)
    }

    async fn refuse_label(&self, order: ReturnOrderId, why: &str) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        let mut returned = Returned::lock(&mut writing, self.account.id, order).await?.or_broken()?;
        let parcels = shipments::list_of_return_orders(writing.db(), self.account.id, &[order]).await?;
        let parcel = parcels.into_iter().next().or_broken()?;
        let asked = label_requests::find_of_shipment(writing.db(), self.account.id, parcel.id).await?.or_broken()?;
        label_requests::later(writing.db(), &asked, None, 1, Lease::Ends).await?;
        let change = Change {
            retour: &self.retour,
            account: &self.account,
            now: self.source.now(),
            actor: Actor::System,
            staff: None,
            comment: String::new(),
            parcel: None,
        };
        let trouble = LabelProblem { code: "CarrierFailed".to_owned(), message: why.to_owned() };
        let tried = LabelAttempts { failed_attempts: 1, next_attempt_at: None };
        change.label_failed(&mut writing, &mut returned, parcel, &trouble, tried).await?;
        Ok(writing.commit().await?)
    }
}

/// Settings that hold while the demo is played.
impl Play {
    /// Sets the policy, and whether two of the reasons need a review or photos.
    async fn set_rules(&self, policy: &Policy, is_strict: bool) -> Result<()> {
        use super::story::Why;
        let mut writing = self.retour.store.write().await?;
        for why in [Why::NotAsDescribed, Why::Damaged] {
            let id = self.reason(why.place())?;
            let mut kept = store::return_reasons::find(writing.db(), self.account.id, id).await?.or_broken()?;
            kept.value.rules.review = is_strict && why == Why::NotAsDescribed;
            let needs_photos = is_strict && why == Why::Damaged;
            kept.value.rules.evidence = if needs_photos { EvidenceRule::Required } else { EvidenceRule::None };
            store::return_reasons::update(writing.db(), self.account.id, &kept).await?;
        }
        let account = Account { policy: policy.clone(), ..self.account.clone() };
        store::accounts::update(writing.db(), &account, self.source.now()).await?;
        Ok(writing.commit().await?)
    }

    async fn set_policy(&self, policy: &Policy) -> Result<()> {
        self.set_account(&Account { policy: policy.clone(), ..self.account.clone() }).await
    }

    async fn set_carrier(&self, carrier: Carrier) -> Result<()> {
        let policy = Policy { gift_returns: true, ..self.account.policy.clone() };
        self.set_account(&Account { carrier, policy, ..self.account.clone() }).await
    }

    async fn set_account(&self, account: &Account) -> Result<()> {
        let mut writing = self.retour.store.write().await?;
        store::accounts::update(writing.db(), account, self.source.now()).await?;
        Ok(writing.commit().await?)
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
